// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/project_tools.h"
#include "ui/main_window.h"
#include "ui/recovery/project_safety.h"
#include "ui/widgets/job_bar.h"

namespace skein::ui {

void MainWindow::connectFiles() {
    m_tools = new ProjectTools(m_document, m_session, m_settings.get(), m_messages, m_jobBar, this);
    m_safety = new ProjectSafety(m_document, m_session, m_settings.get(), m_messages, m_empty, this);
    m_safety->merge = [this](const QString& path, std::function<void()> then) {
        m_tools->merge(path, std::move(then));
    };
    connect(m_tools, &ProjectTools::exportingChanged, this, &MainWindow::scheduleUpdate);
    ActionTable& a = *m_actions;
    a.on("fileReplaceVideos", [this] { m_tools->findVideos(); });
    a.on("fileMerge", [this] { m_tools->chooseAndMerge(); });
    using Content = formats::PackageContent;
    a.on("fileExportPackageUser", [this] { m_tools->exportPackage(Content::User); });
    a.on("fileExportPackageSuggested", [this] { m_tools->exportPackage(Content::UserAndSuggested); });
    a.on("fileExportPackageFull", [this] { m_tools->exportPackage(Content::UserSuggestedPredicted); });
}

}  // namespace skein::ui
