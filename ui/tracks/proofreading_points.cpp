// SPDX-License-Identifier: GPL-3.0-or-later
// Gaps that are filled, and smoothed points: dialogs, what is shown of them, and files.
#include <QFileInfo>
#include <algorithm>

#include "engine/formats/export/export_labels.h"
#include "engine/project/edit/tracks.h"
#include "ui/bridge/background.h"
#include "ui/bridge/throttled.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/edit/editor.h"
#include "ui/main_window.h"
#include "ui/text.h"
#include "ui/tracks/fill_gaps_dialog.h"
#include "ui/tracks/proofreading.h"
#include "ui/tracks/smooth_dialog.h"
#include "ui/tracks/track_choice.h"
#include "ui/tracks/track_plot_panel.h"
#include "ui/widgets/job_bar.h"

namespace skein::ui {

void Proofreading::connectPoints() {
    MainWindow& w = *m_window;
    ActionTable& a = *w.m_actions;
    m_draft.trackColor = [this](int track) { return theme::trackColor(m_state.inkOf(track)); };
    m_draft.trackShown = [this](int track) { return m_state.isShown(track); };
    a.on("trackFillGaps", [this] { fillGaps(); });
    a.on("trackSmooth", [this, &w] {
        auto* dialog = w.findChild<SmoothDialog*>();
        if (dialog == nullptr)
            dialog = new SmoothDialog(&m_smoothed, &m_state, w.m_document, m_window);
        if (dialog->tracks()->chosen().isEmpty())  // else it has those that are smoothed
            dialog->tracks()->offer(knownNames());
        dialog->show();
        dialog->raise();
        dialog->activateWindow();
    });
    a.on("viewSmoothed", [this](bool on) {
        if (std::optional<SmoothSetting> setting = m_state.smoothing()) {
            setting->shown = on;
            m_state.setSmoothing(setting);
        }
    });
    a.on("trackExportSmoothed", [this] { exportSmoothed(); });
    a.on("trackExportRows", [this] { exportTracks(); });
    connect(&m_smoothed, &SmoothedTracks::changed, this, &Proofreading::showDraft);
    connect(&m_smoothed, &SmoothedTracks::problem, this, [&w](const UiError& error) {
        w.m_messages->post(QStringLiteral("smoothing"), Severity::Warning, error, {});
    });
    connect(&m_state, &ProofreadState::smoothingChanged, this, [this, &w] {
        w.m_actions->get("viewSmoothed")->setChecked(m_state.smoothing() && m_state.smoothing()->shown);
        w.scheduleUpdate();
    });
}

/// One thing at a time: what the dialog for gaps shows goes first.
void Proofreading::showDraft() {
    const auto& smoothed = m_smoothed.result();
    if (m_gapDraft) {
        m_draft.setDraft(m_gapDraft);
        m_plots->setDraft(m_gapDraft, tr("filled"));
    } else if (smoothed) {
        m_draft.setDraft(smoothed->labels);
        m_plots->setDraft(smoothed->labels, tr("smoothed"));
    } else {
        m_draft.setDraft(std::nullopt);
        m_plots->setDraft(std::nullopt, {});
    }
    m_window->m_canvas->update();
}

void Proofreading::fillGaps() {
    MainWindow& w = *m_window;
    auto* dialog = w.findChild<FillGapsDialog*>();
    if (dialog == nullptr) {
        dialog = new FillGapsDialog(w.m_document, w.m_view, m_window);
        dialog->frameNumber = [&w](std::int64_t frame) { return w.frameNumber(frame); };
        dialog->trackName = [&w](int track) { return w.m_contents->trackName(track); };
        connect(dialog, &FillGapsDialog::draftChanged, this, [this](const std::optional<project::Labels>& draft) {
            m_gapDraft = draft;
            showDraft();
        });
        connect(dialog, &FillGapsDialog::placeWanted, this, [this, &w](int video, qint64 frame, int track) {
            w.m_playback->stop();
            if (video != w.m_view->video())
                w.showVideo(video, frame);
            w.goTo(frame);
            noteTracks({track});
            for (const DraftLayer::Pose& pose : m_draft.differing(static_cast<std::uint32_t>(video), frame))
                if (pose.instance.header->track == track)
                    if (const QRectF box = DraftLayer::boundsOf(pose); !box.isNull())
                        comeNear(box);
        });
        connect(dialog, &FillGapsDialog::fillWanted, this, [this](const proofread::GapOptions& options) {
            m_window->m_editor->applyLarge(
                [](std::size_t n) {
                    return tr("Fill gaps (%1)")
                        .arg(text::count(static_cast<std::int64_t>(n), tr("change"), tr("changes")));
                },
                [options](const project::Labels& labels) {
                    return proofread::applyGaps(labels, proofread::planGaps(labels, options), options);
                },
                tr("There is no gap to fill."));
        });
    }
    if (!dialog->isVisible())
        dialog->tracks()->offer(knownNames());
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void Proofreading::exportSmoothed() {
    const std::optional<SmoothSetting> setting = m_state.smoothing();
    if (setting)
        exportPoints(tr("Export Smoothed Points"), QStringLiteral("smoothed"),
                     [options = setting->options](const project::Labels& labels, const proofread::Progress& progress,
                                                  const std::stop_token& stop) {
                         return proofread::smoothedProject(labels, options, progress, stop);
                     });
}

void Proofreading::exportTracks() {
    std::vector<std::int32_t> tracks(m_known.begin(), m_known.end());
    std::sort(tracks.begin(), tracks.end());
    exportPoints(tr("Export Selected Tracks"), QStringLiteral("tracks"),
                 [tracks](const project::Labels& labels, const proofread::Progress&, const std::stop_token&)
                     -> Result<project::Labels> { return project::edit::onlyTracks(labels, tracks); });
}

void Proofreading::exportPoints(const QString& title, const QString& ending, const PointsToWrite& points) {
    MainWindow& w = *m_window;
    const QFileInfo project(w.m_document->path());
    const QString base =
        w.m_document->path().isEmpty()
            ? w.m_settings->get(Setting::LastFolder).toString() + QLatin1Char('/') + ending
            : project.absolutePath() + QLatin1Char('/') + project.completeBaseName() + QLatin1Char('.') + ending;
    w.m_session->dialogs().chooseNewFile(m_window, title, base + QStringLiteral(".csv"),
                                         tr("CSV (*.csv);;Analysis HDF5 (*.analysis.h5 *.h5)"),
                                         [this, points](const QString& path) {
                                             if (!path.isEmpty())
                                                 writePoints(path, points);
                                         });
}

void Proofreading::writePoints(const QString& path, const PointsToWrite& points) {
    MainWindow& w = *m_window;
    if (w.m_jobBar->isBusy())
        return;
    const QString name = QFileInfo(path).fileName();
    const std::string suffix = QFileInfo(path).suffix().toLower().toStdString();
    const auto format = suffix == "h5" ? formats::ExportFormat::Analysis : formats::ExportFormat::Csv;
    const std::stop_token stop = w.m_jobBar->start(tr("Writing %1").arg(name));
    w.scheduleUpdate();
    inBackground(
        this,
        [labels = w.m_document->snapshot(), project = w.m_document->path(), points, path, format, stop,
         progress = throttled(w.m_jobBar, [bar = w.m_jobBar](double share) { bar->setProgress(share); })]()
            -> Result<formats::ExportReport> {
            auto made = points(
                labels, [&progress](double share) { progress(share / 2); }, stop);
            if (!made)
                return fail(std::move(made.error()));
            formats::ExportOptions writing;
            writing.stop = stop;
            writing.progress = [&progress](std::string_view, double share) { progress(0.5 + share / 2); };
            writing.projectFile = text::toPath(project);
            return formats::exportLabels(*made, format, text::toPath(path), writing);
        },
        [this](Result<formats::ExportReport> report) {
            MainWindow& window = *m_window;
            window.m_jobBar->finish();
            window.scheduleUpdate();
            const QString key = QStringLiteral("exportPoints");
            if (!report) {
                if (report.error().code() != ErrorCode::Cancelled)
                    window.m_messages->post(key, Severity::Error, toUiError(report.error()), {});
                return;
            }
            QStringList lines;
            for (const std::string& warning : report->warnings)
                lines << QString::fromStdString(warning);
            const QString files = report->files.size() == 1
                                      ? QFileInfo(text::fromPath(report->files.front())).fileName()
                                      : tr("%1 files").arg(report->files.size());
            window.m_messages->post(
                key, lines.isEmpty() ? Severity::Info : Severity::Warning,
                {tr("Wrote %1 to %2.")
                     .arg(text::count(static_cast<std::int64_t>(report->instances), tr("instance"), tr("instances")),
                          files),
                 lines.join(QLatin1Char('\n'))},
                {});
        });
}

}  // namespace skein::ui
