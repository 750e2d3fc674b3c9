// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/exports.h"

#include <QFileInfo>

#include "engine/formats/extract_clip.h"
#include "ui/exchange/export_dialog.h"
#include "ui/exchange/file_targets.h"
#include "ui/run_text.h"

namespace skein::ui {

namespace {

QString translated(const char* words) {
    return QCoreApplication::translate("ExportKinds", words);
}

/// Every file that the export may write.
QStringList filesOf(const project::Labels& labels, const ExportChoice& choice, const QString& path) {
    const auto format = factsOf(choice.kind).format;
    if (!format || !formats::isPerVideo(*format) || choice.video)
        return {path};
    QStringList files;
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video)
        if (labels.nextFrame(video, 0))
            files << text::fromPath(formats::pathOfVideo(text::toPath(path), labels, video));
    return files.size() > 1 ? files : QStringList{path};
}

formats::FileProgress told(const std::function<void(double)>& progress) {
    return [progress](std::string_view, double fraction) { progress(fraction); };
}

}  // namespace

void Exports::ask(const ExportChoice& choice) {
    auto* dialog = new ExportDialog(m_parts.document, choice, m_parts.view->video(), m_parts.window);
    dialog->chosen = [this](const ExportChoice& chosen) { askWhere(chosen); };
    dialog->open();
}

void Exports::askWhere(const ExportChoice& choice) {
    const ExportFacts& facts = factsOf(choice.kind);
    const QString ending = QString::fromLatin1(facts.ending);
    QString suggestion = exportBase(m_parts) + ending;
    if (choice.video && m_parts.document->videoCount() > 1)
        suggestion =
            text::fromPath(formats::pathOfVideo(text::toPath(suggestion), m_parts.document->labels(), *choice.video));
    m_parts.session->dialogs().chooseNewFile(
        m_parts.window, tr("Export %1").arg(translated(facts.title)), suggestion, translated(facts.filter),
        [this, choice, ending](const QString& chosen) {
            if (chosen.isEmpty() || m_parts.jobs->isBusy())
                return;
            const QString path = QFileInfo(withEnding(chosen, ending)).absoluteFilePath();
            const QStringList files = filesOf(m_parts.document->labels(), choice, path);
            if (const QString reason = reasonAgainstWriting(*m_parts.document, files); !reason.isEmpty()) {
                tellFailure(m_parts, Error(ErrorCode::InvalidArgument, reason.toStdString()));
                return;
            }
            // A single file was asked about by the file dialog.
            if (files == QStringList{chosen})
                write(choice, path);
            else
                askBeforeReplacing(m_parts, files, [this, choice, path] { write(choice, path); });
        });
}

void Exports::write(const ExportChoice& choice, const QString& path) {
    if (m_parts.jobs->isBusy())
        return;
    forgetLast(m_parts);
    if (choice.kind == ExportKind::Package) {
        writePackage(choice, path);
        return;
    }
    m_parts.jobs->start(
        tr("Writing %1").arg(QFileInfo(path).fileName()),
        [labels = m_parts.document->snapshot(), project = m_parts.document->path(), choice, path](
            const std::stop_token& stop, const std::function<void(double)>& progress) {
            formats::ExportOptions options;
            options.stop = stop;
            options.progress = told(progress);
            options.video = choice.video;
            options.standardAxes = choice.standardAxes;
            options.everyFrame = choice.everyFrame;
            options.projectFile = text::toPath(project);
            return formats::exportLabels(labels, *factsOf(choice.kind).format, text::toPath(path), options);
        },
        [this](const Result<formats::ExportReport>& report) {
            if (!report) {
                tellFailure(m_parts, report.error());
                return;
            }
            const QString first = text::fromPath(report->files.front());
            const QString instances =
                text::count(static_cast<std::int64_t>(report->instances), tr("instance"), tr("instances"));
            tellDone(m_parts,
                     report->files.size() == 1 ? tr("Wrote %1 with %2.").arg(QFileInfo(first).fileName(), instances)
                                               : tr("Wrote %1 files with %2.").arg(report->files.size()).arg(instances),
                     report->warnings, {showInFolder(first)});
        });
}

void Exports::writePackage(const ExportChoice& choice, const QString& path) {
    m_parts.jobs->start(
        tr("Writing %1").arg(QFileInfo(path).fileName()),
        [labels = m_parts.document->snapshot(), project = m_parts.document->path(), content = choice.content, path](
            const std::stop_token& stop, const std::function<void(double)>& progress) {
            formats::SlpWriteOptions options;
            options.stop = stop;
            options.progress = told(progress);
            return formats::writePackage(labels, text::toPath(project), text::toPath(path), content, options);
        },
        [this, path](const Result<formats::PackageReport>& report) {
            if (!report) {
                tellFailure(m_parts, report.error());
                return;
            }
            tellDone(m_parts,
                     tr("Wrote %1 with %2.")
                         .arg(QFileInfo(path).fileName(),
                              text::count(static_cast<std::int64_t>(report->embedded), tr("picture"), tr("pictures"))),
                     report->warnings, {showInFolder(path)});
        });
}

void Exports::askForClip() {
    const auto range = m_parts.view->range();
    if (!range || m_parts.view->video() < 0)
        return;
    const auto video = static_cast<std::uint32_t>(m_parts.view->video());
    const std::int64_t first = m_parts.firstFrameNumber();
    const QString suggestion =
        QStringLiteral("%1.%2-%3.mp4").arg(exportBase(m_parts)).arg(range->first + first).arg(range->last + first);
    m_parts.session->dialogs().chooseNewFile(
        m_parts.window, tr("Extract %1 with labels").arg(text::frames(range->count())), suggestion,
        tr("Videos (*.mp4 *.mkv *.mov)"), [this, video, range = *range](const QString& chosen) {
            if (chosen.isEmpty() || m_parts.jobs->isBusy())
                return;
            const QString path =
                QFileInfo(QFileInfo(chosen).suffix().isEmpty() ? chosen + QStringLiteral(".mp4") : chosen)
                    .absoluteFilePath();
            const QString labels = text::fromPath(text::toPath(path).replace_extension(".slp"));
            if (const QString reason = reasonAgainstWriting(*m_parts.document, {path, labels}); !reason.isEmpty()) {
                tellFailure(m_parts, Error(ErrorCode::InvalidArgument, reason.toStdString()));
                return;
            }
            askBeforeReplacing(m_parts, path == chosen ? QStringList{labels} : QStringList{path, labels},
                               [this, video, range, path] { writeClip(video, range, path); });
        });
}

void Exports::writeClip(std::uint32_t video, FrameRange range, const QString& path) {
    if (m_parts.jobs->isBusy())
        return;
    forgetLast(m_parts);
    const QString labelsPath = text::fromPath(text::toPath(path).replace_extension(".slp"));
    m_parts.jobs->start(
        tr("Writing %1").arg(QFileInfo(path).fileName()),
        [labels = m_parts.document->snapshot(), project = m_parts.document->path(), video, range, path, labelsPath](
            const std::stop_token& stop, const std::function<void(double)>& progress) -> Result<bool> {
            formats::ClipOptions options;
            options.video = video;
            options.first = range.first;
            options.last = range.last;
            options.stop = stop;
            options.progress = told(progress);
            if (auto written = formats::extractClip(labels, text::toPath(project), text::toPath(path),
                                                    text::toPath(labelsPath), options);
                !written)
                return fail(std::move(written.error()));
            return true;
        },
        [this, range, path, labelsPath](const Result<bool>& done) {
            if (!done) {
                tellFailure(m_parts, done.error(), tr("The clip was not written."));
                return;
            }
            tellDone(
                m_parts,
                tr("Wrote %1 to %2 and their labels to %3.")
                    .arg(text::frames(range.count()), QFileInfo(path).fileName(), QFileInfo(labelsPath).fileName()),
                {},
                {{tr("Open It"), [this, labelsPath] { m_parts.session->openPaths({labelsPath}); }},
                 showInFolder(path)});
        });
}

}  // namespace skein::ui
