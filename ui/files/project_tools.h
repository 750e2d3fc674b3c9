// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>

#include "engine/formats/write_package.h"
#include "ui/document.h"
#include "ui/session.h"
#include "ui/settings.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/message_bar.h"

namespace skein::ui {

/// What a person does with whole projects and files besides opening and saving: merge, find videos, export a package,
/// open pictures in HDF5 files. Asks, works in the background, and says what came of it. GUI thread only.
class ProjectTools : public QObject {
    Q_OBJECT
public:
    ProjectTools(Document* document, Session* session, Settings* settings, MessageBar* messages, JobBar* jobs,
                 QWidget* window);

    void chooseAndMerge();
    /// Reads the project and shows what merging it would bring; `then` after it was merged.
    void merge(const QString& path, std::function<void()> then = {});
    void findVideos();
    void exportPackage(formats::PackageContent content);
    /// Opens the arrays of an HDF5 file that hold pictures; asks which when there are several.
    void openArrays(const QString& path, bool add);
    [[nodiscard]] bool isExporting() const { return m_jobs->isBusy(); }

Q_SIGNALS:
    void exportingChanged();

private:
    void writePackage(const QString& path, formats::PackageContent content);
    void openArray(const QString& path, const std::vector<std::string>& datasets);

    Document* m_document;
    Session* m_session;
    Settings* m_settings;
    MessageBar* m_messages;
    JobBar* m_jobs;
    QWidget* m_window;
};

}  // namespace skein::ui
