// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/exchange.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#include "ui/actions/action_table.h"
#include "ui/exchange/file_targets.h"
#include "ui/exchange/render_dialog.h"
#include "ui/run_text.h"
#include "ui/widgets/message_bar.h"

namespace skein::ui {

Exchange::Exchange(const ExchangeParts& parts, QObject* parent)
    : QObject(parent), m_parts(parts), m_exports(m_parts, nullptr), m_imports(m_parts, nullptr) {}

void Exchange::connectActions(ActionTable& actions) {
    const struct {
        const char* id;
        ExportKind kind;
        bool thisVideo;
        formats::PackageContent content;
    } exports[] = {
        {"fileExportAnalysisCurrent", ExportKind::Analysis, true, {}},
        {"fileExportAnalysisAll", ExportKind::Analysis, false, {}},
        {"fileExportCsvCurrent", ExportKind::Csv, true, {}},
        {"fileExportCsvAll", ExportKind::Csv, false, {}},
        {"fileExportCsvTidy", ExportKind::CsvTidy, false, {}},
        {"fileExportCoco", ExportKind::Coco, false, {}},
        {"fileExportDlc", ExportKind::Dlc, false, {}},
        {"fileExportNwb", ExportKind::Nwb, false, {}},
        {"fileExportJson", ExportKind::Json, false, {}},
        {"fileExportPackageUser", ExportKind::Package, false, formats::PackageContent::User},
        {"fileExportPackageSuggested", ExportKind::Package, false, formats::PackageContent::UserAndSuggested},
        {"fileExportPackageFull", ExportKind::Package, false, formats::PackageContent::UserSuggestedPredicted},
    };
    for (const auto& row : exports)
        actions.on(row.id, [this, row] {
            ExportChoice choice;
            choice.kind = row.kind;
            choice.content = row.content;
            if (row.thisVideo && m_parts.view->video() >= 0)
                choice.video = static_cast<std::uint32_t>(m_parts.view->video());
            m_exports.ask(choice);
        });
    const struct {
        const char* id;
        QString name, filter;
    } imports[] = {
        {"fileImportCoco", tr("COCO"), tr("COCO key points (*.json);;All files (*)")},
        {"fileImportDlc", tr("DeepLabCut"), tr("DeepLabCut tables (*.csv *.h5);;All files (*)")},
        {"fileImportNwb", tr("NWB"), tr("NWB (*.nwb);;All files (*)")},
        {"fileImportAnalysis", tr("analysis HDF5"), tr("Analysis files (*.h5 *.hdf5);;All files (*)")},
        {"fileImportCsv", tr("CSV"), tr("Tables (*.csv);;All files (*)")},
    };
    for (const auto& row : imports)
        actions.on(row.id, [this, row] { m_imports.ask(row.name, row.filter); });
    actions.on("fileImportDlcFolder", [this] { m_imports.askForFolder(); });
    actions.on("fileRender", [this] { showRenderDialog(); });
    actions.on("fileExtractClip", [this] { m_exports.askForClip(); });
}

/// How the window shows skeletons now.
RenderOptions Exchange::windowLook() const {
    RenderOptions look;
    look.style = m_parts.view->style();
    // A selection is nothing that a video could show.
    look.style.focus = Focus::Manual;
    look.trackInks = m_parts.trackInks();
    const Settings& settings = *m_parts.settings;
    look.decoder = decoderOf(settings);
    if (const int length = settings.get(Setting::TrailLength).toInt(); length > 0) {
        look.trails.on = true;
        look.trails.length = length;
        look.trails.fade = settings.get(Setting::TrailFade).toBool();
        look.trails.opacity = settings.get(Setting::TrailOpacity).toInt() / 100.0;
        look.trails.width = settings.get(Setting::TrailWidth).toDouble();
        const std::string node = settings.get(Setting::TrailNode).toString().toStdString();
        const auto& skeletons = m_parts.document->labels().skeletons();
        if (!skeletons.empty() && !node.empty())
            for (std::size_t n = 0; n < skeletons.front().nodes.size(); ++n)
                if (skeletons.front().nodes[n] == node)
                    look.trails.node = static_cast<int>(n);
    }
    return look;
}

void Exchange::showRenderDialog() {
    if (auto* open = m_parts.window->findChild<RenderDialog*>()) {
        open->raise();
        open->activateWindow();
        return;
    }
    const Document& document = *m_parts.document;
    const project::Labels& labels = document.labels();
    RenderFacts facts;
    facts.video = static_cast<std::uint32_t>(m_parts.view->video());
    const project::Video& video = labels.videos().at(facts.video);
    const auto source = document.videoState(m_parts.view->video()).source;
    facts.frameSize = source ? QSize(source->width(), source->height()) : QSize(video.width, video.height);
    facts.selection = m_parts.view->range();
    facts.firstFrameNumber = m_parts.firstFrameNumber();
    if (!labels.skeletons().empty())
        for (const std::string& node : labels.skeletons().front().nodes)
            facts.nodes << QString::fromStdString(node);
    for (const project::Track& track : labels.tracks())
        facts.tracks << QString::fromStdString(track.name);
    auto* dialog = new RenderDialog(
        m_parts.document, facts, [this] { return windowLook(); }, m_parts.view->frame(), m_parts.window);
    dialog->renderWanted = [this](const RenderPlan& plan, bool openWhenDone) { askWhereToRender(plan, openWhenDone); };
    const auto tellJob = [this, dialog] { dialog->setJob(m_parts.jobs->isBusy() ? m_parts.jobs->what() : QString()); };
    connect(m_parts.jobs, &FileJobs::busyChanged, dialog, tellJob);
    connect(m_parts.jobs, &FileJobs::progressed, dialog->jobBar(), &JobBar::setProgress);
    connect(dialog->jobBar(), &JobBar::stopped, m_parts.jobs, &FileJobs::stop);
    tellJob();
    dialog->show();
}

/// What is asked and told about a rendered video stands before the dialog, not behind it, as long as it is open.
ExchangeParts Exchange::renderParts() const {
    ExchangeParts parts = m_parts;
    if (auto* dialog = m_parts.window->findChild<RenderDialog*>(); dialog != nullptr && dialog->isVisible()) {
        parts.window = dialog;
        parts.messages = dialog->messages();
        parts.notice = [messages = parts.messages](const QString& sentence) {
            messages->post(QStringLiteral("exchange"), Severity::Info, {sentence, {}});
        };
    }
    return parts;
}

void Exchange::askWhereToRender(const RenderPlan& plan, bool openWhenDone) {
    const QString ending = endingOf(plan.options.codec);
    const QString filter = ending.isEmpty() ? tr("New folder (*)") : tr("Videos (*%1)").arg(ending);
    m_parts.session->dialogs().chooseNewFile(
        renderParts().window, tr("Render %1").arg(text::frames(plan.promise.frames)),
        exportBase(m_parts) + QStringLiteral(".rendered") + ending, filter,
        [this, plan, ending, openWhenDone](const QString& chosen) {
            if (chosen.isEmpty() || m_parts.jobs->isBusy())
                return;
            const QString path = QFileInfo(ending.isEmpty() ? chosen : withEnding(chosen, ending)).absoluteFilePath();
            if (const QString reason = reasonAgainstWriting(*m_parts.document, {path}); !reason.isEmpty()) {
                tellFailure(renderParts(), Error(ErrorCode::InvalidArgument, reason.toStdString()));
                return;
            }
            if (path == chosen || ending.isEmpty())  // a folder that is there is refused by the renderer
                render(plan, path, openWhenDone);
            else
                askBeforeReplacing(renderParts(), {path},
                                   [this, plan, path, openWhenDone] { render(plan, path, openWhenDone); });
        });
}

void Exchange::render(const RenderPlan& plan, const QString& path, bool openWhenDone) {
    if (m_parts.jobs->isBusy())
        return;
    forgetLast(m_parts);
    forgetLast(renderParts());
    m_parts.jobs->start(
        tr("Rendering %1").arg(QFileInfo(path).fileName()),
        [labels = m_parts.document->snapshot(), project = m_parts.document->path(), options = plan.options, path](
            const std::stop_token& stop, const std::function<void(double)>& progress) {
            return renderVideo(labels, text::toPath(project), options, text::toPath(path), stop,
                               [&progress](std::int64_t done, std::int64_t all) {
                                   progress(static_cast<double>(done) / static_cast<double>(all));
                               });
        },
        [this, path, openWhenDone](const Result<RenderReport>& report) {
            if (!report) {
                tellFailure(renderParts(), report.error());
                return;
            }
            const auto open = [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); };
            tellDone(renderParts(),
                     tr("Wrote %1 with %2 of %3 × %4 px.")
                         .arg(QFileInfo(path).fileName(), text::frames(report->frames))
                         .arg(report->size.width())
                         .arg(report->size.height()),
                     report->warnings, {{tr("Open"), open}, showInFolder(path)});
            if (openWhenDone)
                open();
        });
}

}  // namespace skein::ui
