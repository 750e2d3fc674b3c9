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
    const auto colours = [this, &a](const char* id, std::optional<bool> grayscale) {
        a.on(id, [this, grayscale] {
            if (m_view->video() >= 0)
                m_document->setGrayscale(m_view->video(), grayscale);
        });
    };
    colours("videoAuto", std::nullopt);
    colours("videoGray", true);
    colours("videoColour", false);
}

void MainWindow::updateVideoColours() {
    const int video = m_view->video();
    if (video < 0 || video >= m_document->videoCount())
        return;
    const auto grayscale = m_document->labels().videos()[static_cast<std::size_t>(video)].grayscale;
    m_actions->get(!grayscale ? "videoAuto" : *grayscale ? "videoGray" : "videoColour")->setChecked(true);
}

}  // namespace skein::ui
