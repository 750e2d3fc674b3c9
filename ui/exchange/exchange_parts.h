// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <functional>
#include <vector>

#include "ui/document.h"
#include "ui/exchange/file_jobs.h"
#include "ui/session.h"
#include "ui/settings.h"
#include "ui/view_state.h"
#include "ui/widgets/message_bar.h"

namespace skein::ui {

/// Those parts of the window that results go out from and come in to.
struct ExchangeParts {
    Document* document;
    ViewState* view;
    Session* session;
    Settings* settings;
    MessageBar* messages;
    FileJobs* jobs;
    QWidget* window;
    std::function<void(const QString&)> notice;   ///< a word in the status bar
    std::function<int()> firstFrameNumber;        ///< what frame index 0 is called
    std::function<std::vector<int>()> trackInks;  ///< colours of the tracks, see RenderOptions::trackInks
};

}  // namespace skein::ui
