// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/project_tools.h"

#include <QFileInfo>

#include "engine/formats/embedded_video.h"
#include "engine/formats/slp.h"
#include "ui/bridge/background.h"
#include "ui/files/find_videos_dialog.h"
#include "ui/files/merge_dialog.h"
#include "ui/text.h"

namespace skein::ui {

ProjectTools::ProjectTools(Document* document, Session* session, Settings* settings, MessageBar* messages,
                           QWidget* window)
    : QObject(window),
      m_document(document),
      m_session(session),
      m_settings(settings),
      m_messages(messages),
      m_window(window) {
    connect(session, &Session::mergeWanted, this, [this](const QString& path) { merge(path); });
    connect(session, &Session::arraysWanted, this, &ProjectTools::openArrays);
}

void ProjectTools::chooseAndMerge() {
    m_session->dialogs().chooseFiles(m_window, tr("Merge into project"),
                                     m_settings->get(Setting::LastFolder).toString(), tr("Projects (*.slp *.h5)"),
                                     [this](const QStringList& paths) {
                                         if (!paths.isEmpty())
                                             merge(paths.first());
                                     });
}

void ProjectTools::merge(const QString& path, std::function<void()> then) {
    inBackground(
        this, [path]() -> Result<project::Labels> { return formats::readSlp(text::toPath(path)); },
        [this, path, then = std::move(then)](Result<project::Labels> result) {
            if (!result) {
                m_messages->post(QStringLiteral("merge"), Severity::Error, toUiError(result.error()));
                return;
            }
            if (!m_document->isOpen())
                return;
            m_messages->withdraw(QStringLiteral("merge"));
            auto* dialog = new MergeDialog(m_document, std::move(*result), path, m_window);
            dialog->merged = then;
            dialog->open();
        });
}

void ProjectTools::findVideos() {
    auto* dialog = new FindVideosDialog(m_document, m_settings, &m_session->dialogs(), m_window);
    dialog->open();
}

void ProjectTools::openArrays(const QString& path, bool add) {
    inBackground(
        this, [path]() -> Result<std::vector<std::string>> { return formats::pictureDatasets(text::toPath(path)); },
        [this, path, add](Result<std::vector<std::string>> result) {
            if (!result) {
                m_messages->post(QStringLiteral("open:") + path, Severity::Error, toUiError(result.error()));
                return;
            }
            const auto open = [this, path, add](const std::vector<std::string>& datasets) {
                if (add)
                    openArray(path, datasets);
                else
                    m_session->leave([this, path, datasets] {
                        m_document->close();
                        openArray(path, datasets);
                    });
            };
            if (result->size() == 1) {
                open(*result);
                return;
            }
            QStringList names;
            for (const std::string& name : *result)
                names << QString::fromStdString(name);
            m_session->dialogs().askItem(m_window, tr("Open"),
                                         tr("%1 holds several sets of pictures:").arg(QFileInfo(path).fileName()),
                                         names, [names, open](std::optional<int> choice) {
                                             if (choice)
                                                 open({names[*choice].toStdString()});
                                         });
        });
}

void ProjectTools::openArray(const QString& path, const std::vector<std::string>& datasets) {
    inBackground(
        this,
        [path, datasets]() -> Result<std::vector<project::Video>> {
            std::vector<project::Video> videos;
            for (const std::string& dataset : datasets) {
                auto video = formats::datasetVideo(text::toPath(path), dataset);
                if (!video)
                    return fail(std::move(video.error()));
                videos.push_back(std::move(*video));
            }
            return videos;
        },
        [this, path](Result<std::vector<project::Video>> result) {
            if (!result) {
                m_messages->post(QStringLiteral("open:") + path, Severity::Error, toUiError(result.error()));
                return;
            }
            m_document->addVideoEntries(tr("Add %1").arg(QFileInfo(path).fileName()), std::move(*result));
        });
}

}  // namespace skein::ui
