// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>

#include "ui/document.h"
#include "ui/session.h"
#include "ui/settings.h"
#include "ui/widgets/message_bar.h"

namespace skein::ui {

/// What a person does with whole projects and files besides opening and saving: merge, find videos, open
/// pictures in HDF5 files. Asks, works in the background, and says what came of it. GUI thread only.
class ProjectTools : public QObject {
    Q_OBJECT
public:
    ProjectTools(Document* document, Session* session, Settings* settings, MessageBar* messages, QWidget* window);

    void chooseAndMerge();
    /// Reads the project and shows what merging it would bring; `then` after it was merged.
    void merge(const QString& path, std::function<void()> then = {});
    void findVideos();
    /// Opens the arrays of an HDF5 file that hold pictures; asks which when there are several.
    void openArrays(const QString& path, bool add);

private:
    void openArray(const QString& path, const std::vector<std::string>& datasets);

    Document* m_document;
    Session* m_session;
    Settings* m_settings;
    MessageBar* m_messages;
    QWidget* m_window;
};

}  // namespace skein::ui
