// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <algorithm>
#include <cstdlib>

#include "engine/video/video_source.h"
#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/command_palette.h"
#include "ui/edit/editor.h"
#include "ui/edit/instance_clip.h"
#include "ui/main_window.h"
#include "ui/panels/suggestions_panel.h"
#include "ui/queue/queue_side.h"
#include "ui/run_controller.h"
#include "ui/text.h"
#include "ui/tracks/proofreading.h"
#include "ui/widgets/job_bar.h"

namespace skein::ui {

namespace {

/// A jump of more frames than this leaves a place to come back to.
constexpr std::int64_t kNear = 10;

}  // namespace

void MainWindow::updateActions() {
    ActionFacts facts;
    const int video = m_view->video();
    const VideoState* state = video >= 0 && video < m_document->videoCount() ? &m_document->videoState(video) : nullptr;
    const auto& timeline = m_digest->timeline();
    facts.project = m_document->isOpen();
    facts.frames = state != nullptr && m_view->frameCount() > 0;
    facts.twoVideos = m_document->videoCount() > 1;
    for (int i = 0; i < m_document->videoCount() && !facts.lostVideo; ++i) {
        const VideoState::Kind kind = m_document->videoState(i).kind;
        facts.lostVideo = kind == VideoState::Kind::Missing || kind == VideoState::Kind::Unreadable;
    }
    facts.exporting = m_jobBar->isBusy();
    facts.instances = !m_presenter->shown().instances.empty();
    facts.selection = m_presenter->shown().find(m_view->selected()) != nullptr;
    facts.range = m_view->range().has_value();
    facts.labels = (timeline && !timeline->isEmpty()) || (m_live && !m_live->isEmpty());
    facts.userLabels = timeline && !timeline->userOrNegative.empty();
    facts.tracks = timeline && !timeline->lanes.empty();
    facts.mark = m_mark >= 0;
    facts.undo = m_document->undoStack()->canUndo();
    facts.redo = m_document->undoStack()->canRedo();
    facts.saving = m_document->isSaving();
    facts.running = m_run->isRunning();
    facts.runBlocked = m_run->blockedReason();
    gatherEditFacts(facts);
    gatherProjectFacts(facts);
    m_proofreading->gatherFacts(facts);
    m_queue->gatherFacts(facts);
    m_actions->refresh(facts);
    updateEditActions();
    // The texts of undo and redo name the step.
    const QString undo = m_document->undoStack()->undoText(), redo = m_document->undoStack()->redoText();
    m_actions->get("editUndo")->setText(undo.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(undo));
    m_actions->get("editRedo")->setText(redo.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(redo));
}

void MainWindow::goTo(std::int64_t frame) {
    m_run->personMoved();
    if (std::abs(frame - m_view->frame()) > kNear)
        leavePlace();
    if (!m_view->setFrame(frame))
        m_status->notice(frame < 0 ? tr("This is the first frame.")
                                   : tr("The video ends at frame %1.").arg(frameNumber(m_view->frameCount() - 1)));
}

void MainWindow::step(std::int64_t by, bool extendSelection) {
    m_playback->stop();
    const std::int64_t from = m_view->frame();
    std::optional<FrameRange> range = m_view->range();
    goTo(from + by);
    if (!extendSelection)
        return;
    const std::int64_t to = m_view->frame();
    // The end of the range that lies on the frame moves along; otherwise a new range begins here.
    if (range && range->last == from)
        range->last = to;
    else if (range && range->first == from)
        range->first = to;
    else
        range = FrameRange{from, to};
    if (range->last < range->first)
        std::swap(range->first, range->last);
    m_view->setRange(range);
}

void MainWindow::goToNext(const FrameLists& frames, int direction, const QString& nothing) {
    m_playback->stop();
    const auto next = stepAmong(frames, m_view->frame(), direction);
    if (!next) {
        m_status->notice(nothing);
        return;
    }
    goTo(next->frame);
    if (next->wrapped)
        m_status->notice(direction > 0 ? tr("Went on from the start.") : tr("Went on from the end."));
}

void MainWindow::selectNext() {
    const auto& instances = m_presenter->shown().instances;
    if (instances.empty())
        return;
    std::size_t next = 0;
    for (std::size_t i = 0; i < instances.size(); ++i)
        if (instances[i].header.id == m_view->selected())
            next = (i + 1) % instances.size();
    m_view->setSelected(instances[next].header.id);
}

void MainWindow::copyPose() {
    const ShownInstance* instance = m_presenter->shown().find(m_view->selected());
    if (instance == nullptr)
        return;
    project::edit::Clip clip;
    clip.nodes = instance->skeleton->nodes;
    clip.points = instance->points;
    QApplication::clipboard()->setText(poseText(clip));
    m_status->notice(tr("Copied %1 nodes.").arg(instance->points.size()));
}

void MainWindow::connectActions() {
    ActionTable& a = *m_actions;
    a.on("fileNew", [this] { m_session->newProject(); });
    a.on("fileOpen", [this] { m_session->chooseAndOpen(); });
    a.on("fileOpenFolder", [this] { m_session->chooseFolderAndOpen(); });
    a.on("fileAddVideos", [this] { m_session->chooseAndAddVideos(); });
    a.on("fileSave", [this] { m_session->save(); });
    a.on("fileSaveAs", [this] { m_session->saveAs(); });
    a.on("fileQuit", [this] { close(); });
    a.on("editUndo", [this] { m_document->goToStep(m_document->undoStack()->index() - 1); });
    a.on("editRedo", [this] { m_document->goToStep(m_document->undoStack()->index() + 1); });
    a.on("editCopyPose", [this] { copyPose(); });
    a.on("editPalette", [this] { m_palette->open(); });
    a.on("helpAbout", [this] { showAbout(this, m_device, m_deviceReason); });
    a.on("helpDiagnostics", [this] {
        QApplication::clipboard()->setText(diagnosticsText(m_device, m_deviceReason));
        m_status->notice(tr("Versions and settings were copied."));
    });
    connectMovement();
    connectLook();

    m_palette->goToFrame = [this](qint64 number) {
        m_playback->stop();
        goTo(number - firstFrameNumber());
    };
    m_palette->goToVideo = [this](int number) {
        if (number >= 1 && number <= m_document->videoCount()) {
            m_run->personMoved();
            showVideo(number - 1);
        } else {
            m_status->notice(tr("There is no video %1; the project has %2.").arg(number).arg(m_document->videoCount()));
        }
    };
    m_palette->goToTrack = [this](const QString& name) {
        if (const auto& timeline = m_digest->timeline())
            for (const TimelineData::Lane& lane : timeline->lanes)
                if (m_contents->trackName(lane.track).compare(name, Qt::CaseInsensitive) == 0 && !lane.spans.empty()) {
                    m_playback->stop();
                    goTo(lane.spans.front().first);
                    Q_EMIT m_timeline->trackClicked(lane.track, lane.spans.front().first);
                    return;
                }
        m_status->notice(tr("This video has no track called \u201c%1\u201d.").arg(name));
    };
    connect(m_palette, &CommandPalette::refused, m_status, &StatusFields::notice);
}

void MainWindow::connectMovement() {
    ActionTable& a = *m_actions;
    const struct {
        const char* id;
        int direction;
        std::optional<Setting> length;  ///< else 1
    } steps[] = {{"goNextFrame", 1, {}},
                 {"goPrevFrame", -1, {}},
                 {"goNextMedium", 1, Setting::MediumStep},
                 {"goPrevMedium", -1, Setting::MediumStep},
                 {"goNextLarge", 1, Setting::LargeStep},
                 {"goPrevLarge", -1, Setting::LargeStep}};
    for (const auto& move : steps) {
        const auto by = [this, move] { return move.direction * (move.length ? stepLength(*move.length) : 1); };
        a.on(move.id, [this, by] { step(by(), false); });
        a.on((std::string(move.id) + "Select").c_str(), [this, by] { step(by(), true); });
    }
    a.on("goFirst", [this] { step(-m_view->frame(), false); });
    a.on("goLast", [this] { step(m_view->frameCount() - 1 - m_view->frame(), false); });
    a.on("goFirstSelect", [this] { step(-m_view->frame(), true); });
    a.on("goLastSelect", [this] { step(m_view->frameCount() - 1 - m_view->frame(), true); });
    a.on("goPlay", [this] {
        m_run->personMoved();
        m_playback->toggle(1);
    });
    a.on("goPlayBack", [this] {
        m_run->personMoved();
        m_playback->toggle(-1);
    });
    a.on("goFaster", [this] { m_playback->setSpeed(m_playback->speed() + 1); });
    a.on("goSlower", [this] { m_playback->setSpeed(m_playback->speed() - 1); });
    connect(a.get("goLoop"), &QAction::toggled, m_playback, &Playback::setLoop);

    const auto ask = [this](const QString& title, std::function<void(std::int64_t)> then) {
        m_session->dialogs().askNumber(
            this, title, tr("Frame number, %1 to %2:").arg(frameNumber(0), frameNumber(m_view->frameCount() - 1)),
            m_view->frame() + firstFrameNumber(), firstFrameNumber(), m_view->frameCount() - 1 + firstFrameNumber(),
            [this, then = std::move(then)](std::optional<std::int64_t> number) {
                if (number)
                    then(*number - firstFrameNumber());
            });
    };
    a.on("goFrame", [this, ask] {
        ask(tr("Go to Frame"), [this](std::int64_t frame) {
            m_playback->stop();
            goTo(frame);
        });
    });
    a.on("goSelectTo", [this, ask] {
        ask(tr("Select to Frame"), [this, from = m_view->frame()](std::int64_t to) {
            m_view->setRange(FrameRange{std::min(from, to), std::max(from, to)});
        });
    });

    // What the shown video has, and what a run has found and not yet handed over.
    const auto labelled = [this] {
        FrameLists lists;
        for (const TimelineData* part : {m_digest->timeline().get(), static_cast<const TimelineData*>(m_live.get())})
            if (part != nullptr) {
                lists.push_back(&part->user);
                lists.push_back(&part->predicted);
            }
        return lists;
    };
    const auto list = [this](std::vector<std::int64_t> TimelineData::*which) {
        const auto& timeline = m_digest->timeline();
        return timeline ? FrameLists{&((*timeline).*which)} : FrameLists{};
    };
    const auto on = [this, &a](const char* id, int direction, auto lists, const QString& nothing) {
        a.on(id, [this, direction, lists, nothing] { goToNext(lists(), direction, nothing); });
    };
    const QString noLabels = tr("No frame of this video has an instance.");
    on("goNextLabelled", 1, labelled, noLabels);
    on("goPrevLabelled", -1, labelled, noLabels);
    const auto user = [list] { return list(&TimelineData::userOrNegative); };
    const QString noUser = tr("Nobody labelled a frame of this video yet.");
    on("goNextUser", 1, user, noUser);
    on("goPrevUser", -1, user, noUser);
    const QString noTracks = tr("This video has no tracks.");
    const auto starts = [list] { return list(&TimelineData::trackStarts); };
    on("goNextTrackSpawn", 1, starts, noTracks);
    on("goPrevTrackSpawn", -1, starts, noTracks);
    on(
        "goNextTrackEnd", 1, [list] { return list(&TimelineData::trackEnds); }, noTracks);
    const auto span = [this](bool toEnd) {
        m_playback->stop();
        for (const TimelineData* part : {m_digest->timeline().get(), static_cast<const TimelineData*>(m_live.get())})
            if (part != nullptr)
                if (const auto* found = spanAt(part->labelled, m_view->frame())) {
                    goTo(toEnd ? found->second : found->first);
                    return;
                }
        m_status->notice(tr("This frame has no instance."));
    };
    a.on("goSpanStart", [span] { span(false); });
    a.on("goSpanEnd", [span] { span(true); });
    a.on("goNextSuggestion", [this] { goToSuggestion(1); });
    a.on("goPrevSuggestion", [this] { goToSuggestion(-1); });
    a.on("goLastInteracted", [this] {
        const auto place = m_editor->lastTouched();
        if (!place || place->video < 0 || place->video >= m_document->videoCount())
            return;
        m_playback->stop();
        leavePlace();
        if (place->video != m_view->video())
            showVideo(place->video, place->frame);
        goTo(place->frame);
        m_view->setSelection(place->selection);
    });
    a.on("goBack", [this] { goThroughPlaces(-1); });
    a.on("goForward", [this] { goThroughPlaces(1); });
    a.on("goMark", [this] {
        m_mark = m_view->frame();
        m_markVideo = m_view->video();
        m_status->notice(tr("Frame %1 is marked.").arg(frameNumber(m_mark)));
        scheduleUpdate();
    });
    a.on("goMarked", [this] {
        m_playback->stop();
        if (m_markVideo != m_view->video())
            showVideo(m_markVideo);
        goTo(m_mark);
    });
    const auto otherVideo = [this](int by) {
        const int count = m_document->videoCount();
        if (count > 1) {
            m_run->personMoved();
            showVideo((m_view->video() + by + count) % count);
        }
    };
    a.on("goNextVideo", [otherVideo] { otherVideo(1); });
    a.on("goPrevVideo", [otherVideo] { otherVideo(-1); });
    a.on("goSelectNext", [this] { selectNext(); });
    for (int i = 1; i <= 9; ++i)
        a.on(("goSelect" + std::to_string(i)).c_str(), [this, i] {
            const auto& instances = m_presenter->shown().instances;
            if (static_cast<std::size_t>(i) <= instances.size())
                m_view->setSelected(instances[static_cast<std::size_t>(i - 1)].header.id);
            else
                m_status->notice(tr("There are only %1 here.")
                                     .arg(text::count(static_cast<std::int64_t>(instances.size()), tr("instance"),
                                                      tr("instances"))));
        });
    a.on("goClear", [this] {
        // One thing at a time: first what the pointer is doing, then the instance, its tracks, then the frames.
        if (m_canvas->cancelGesture() || m_proofreading->cancelPreview() || cancelPicking())
            return;
        if (m_view->selected() != 0)
            m_view->setSelected(0);
        else if (!m_proofreading->clearTracks())
            m_view->setRange(std::nullopt);
    });
}

/// The suggested frame that lies next to this place.
void MainWindow::goToSuggestion(int direction) {
    if (const QWidget* focus = QApplication::focusWidget(); focus != nullptr && m_issuesDock->isAncestorOf(focus))
        return m_proofreading->goToNextIssue(direction);
    const auto next = m_suggestions->model()->neighbour(m_view->video(), m_view->frame(), direction);
    if (!next)
        return;
    goToPlace(next->video, next->frame);
    if (next->wrapped)
        m_status->notice(direction > 0 ? tr("Went on from the start.") : tr("Went on from the end."));
}

void MainWindow::connectLook() {
    ActionTable& a = *m_actions;
    a.on("viewFitFrame", [this] { m_canvas->fitFrame(); });
    a.on("viewFit", [this] { m_canvas->fitInstances(); });
    a.on("viewActual", [this] { m_canvas->actualSize(); });
    a.get("viewRotate0")->setChecked(true);
    for (const int degrees : {0, 90, 180, 270})
        a.on(("viewRotate" + std::to_string(degrees)).c_str(), [this, degrees] { m_canvas->setRotation(degrees); });
    const struct {
        const char* id;
        theme::Mode mode;
    } themes[] = {{"viewThemeSystem", theme::Mode::System},
                  {"viewThemeLight", theme::Mode::Light},
                  {"viewThemeDark", theme::Mode::Dark}};
    for (const auto& choice : themes) {
        a.get(choice.id)->setChecked(theme::mode() == choice.mode);
        a.on(choice.id, [this, mode = choice.mode] {
            m_settings->set(Setting::Theme, static_cast<int>(mode));
            applyTheme(mode);
        });
    }
    QAction* fromZero = a.get("viewCountFromZero");
    fromZero->setChecked(m_countFromZero);
    connect(fromZero, &QAction::toggled, this, [this](bool on) {
        m_settings->set(Setting::CountFramesFromZero, on);
        setCountFromZero(on);
    });
    a.on("viewReset", [this] { resetLayout(); });
}

}  // namespace skein::ui
