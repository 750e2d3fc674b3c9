// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/project_tools.h"

#include <QDir>
#include <QFileInfo>

#include "engine/formats/embedded_video.h"
#include "ui/bridge/background.h"
#include "ui/bridge/throttled.h"
#include "ui/files/find_videos_dialog.h"
#include "ui/files/merge_dialog.h"
#include "ui/text.h"

namespace skein::ui {

ProjectTools::ProjectTools(Document* document, Session* session, Settings* settings, MessageBar* messages, JobBar* jobs,
                           QWidget* window)
    : QObject(window),
      m_document(document),
      m_session(session),
      m_settings(settings),
      m_messages(messages),
      m_jobs(jobs),
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

void ProjectTools::exportPackage(formats::PackageContent content) {
    QString suggestion = m_document->path();
    if (suggestion.endsWith(QLatin1String(".pkg.slp"), Qt::CaseInsensitive))
        suggestion.chop(8);
    else if (suggestion.endsWith(QLatin1String(".slp"), Qt::CaseInsensitive))
        suggestion.chop(4);
    else
        suggestion = m_settings->get(Setting::LastFolder).toString() + QStringLiteral("/labels");
    m_session->dialogs().chooseNewFile(
        m_window, tr("Export package"), suggestion + QStringLiteral(".pkg.slp"), tr("Packages (*.pkg.slp)"),
        [this, content](const QString& path) {
            if (path.isEmpty())
                return;
            QString target = path;
            if (!target.endsWith(QLatin1String(".slp"), Qt::CaseInsensitive))
                target += QStringLiteral(".pkg.slp");
            if (QFileInfo(target).absoluteFilePath() == m_document->path()) {
                m_messages->post(
                    QStringLiteral("package"), Severity::Error,
                    {tr("%1 is this project itself. Give the package another name.").arg(QFileInfo(target).fileName()),
                     {}});
                return;
            }
            writePackage(QFileInfo(target).absoluteFilePath(), content);
        });
}

void ProjectTools::writePackage(const QString& path, formats::PackageContent content) {
    if (m_jobs->isBusy())
        return;
    const QString name = QFileInfo(path).fileName();
    m_messages->withdraw(QStringLiteral("package"));
    const std::stop_token stop = m_jobs->start(tr("Writing %1").arg(name));
    Q_EMIT exportingChanged();
    auto progress = throttled(m_jobs, [jobs = m_jobs](double fraction) { jobs->setProgress(fraction); });
    inBackground(
        this,
        [labels = m_document->snapshot(), project = m_document->path(), path, content, stop,
         progress]() -> Result<formats::PackageReport> {
            formats::SlpWriteOptions options;
            options.stop = stop;
            options.progress = [&progress](std::string_view, double fraction) { progress(fraction); };
            return formats::writePackage(labels, text::toPath(project), text::toPath(path), content, options);
        },
        [this, name, path](Result<formats::PackageReport> result) {
            m_jobs->finish();
            Q_EMIT exportingChanged();
            const QString key = QStringLiteral("package");
            if (!result) {
                if (result.error().code() != ErrorCode::Cancelled)
                    m_messages->post(key, Severity::Error, toUiError(result.error()));
                return;
            }
            const QString pictures =
                text::count(static_cast<std::int64_t>(result->embedded), tr("picture"), tr("pictures"));
            QStringList lines;
            for (const std::string& warning : result->warnings)
                lines << QString::fromStdString(warning);
            if (lines.isEmpty())
                m_messages->post(key, Severity::Info, {tr("Wrote %1 with %2.").arg(name, pictures), path});
            else
                m_messages->post(
                    key, Severity::Warning,
                    {tr("Wrote %1 with %2; something is missing.").arg(name, pictures), lines.join(QLatin1Char('\n'))});
        });
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
