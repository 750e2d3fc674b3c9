// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does with gestures on the canvas and with the menus Labels and Tracks.
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMenu>
#include <algorithm>

#include "ui/dialogs/custom_delete_dialog.h"
#include "ui/edit/editor.h"
#include "ui/find/find_bar.h"
#include "ui/main_window.h"
#include "ui/panels/history_panel.h"
#include "ui/run_controller.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/tracks/proofreading.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/track_legend.h"

namespace skein::ui {

namespace edit = project::edit;

namespace {

constexpr int kTracksInMenu = 30;

constexpr struct {
    const char* id;
    edit::Placement placement;
} kPlacements[] = {{"labelPlaceBest", edit::Placement::Best},
                   {"labelPlaceAverage", edit::Placement::Average},
                   {"labelPlaceForce", edit::Placement::ForceDirected},
                   {"labelPlaceRandom", edit::Placement::Random},
                   {"labelPlacePrior", edit::Placement::CopyPriorFrame},
                   {"labelPlacePrediction", edit::Placement::CopyPrediction}};

QString plain(QString text) {
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

}  // namespace

void MainWindow::connectEditing() {
    m_editor->frameNumber = [this](std::int64_t frame) { return frameNumber(frame); };
    m_editor->bringIn = [this](std::uint32_t video, std::int64_t frame) { return m_run->bringIn(video, frame); };
    m_editor->placementView = [this] {
        edit::PlacementView view;
        const QSize size = m_editor->frameSize();
        view.frameWidth = size.width();
        view.frameHeight = size.height();
        const QRectF seen = m_canvas->visibleScene();
        if (!seen.isEmpty())
            view.visible = edit::Box{seen.left(), seen.top(), seen.right(), seen.bottom()};
        if (const auto at = m_canvas->pointerInScene())
            view.at = edit::Vec{at->x(), at->y()};
        return view;
    };
    m_history->model()->frameNumber = m_editor->frameNumber;
    connect(m_editor, &Editor::notice, m_status, &StatusFields::notice);
    connect(m_editor, &Editor::workingChanged, this, &MainWindow::scheduleUpdate);
    connect(QApplication::clipboard(), &QClipboard::dataChanged, this, &MainWindow::scheduleUpdate);

    // Undo and redo lead to where the change was made.
    connect(m_document, &Document::stepShown, this, [this](const StepPlace& place) {
        if (place.video < 0 || place.video >= m_document->videoCount())
            return;
        m_playback->stop();
        m_run->personMoved();
        if (place.video != m_view->video())
            showVideo(place.video, place.frame);
        m_view->setFrame(place.frame);
        m_view->setSelection(place.selection);
        m_canvas->reveal(m_view->selected());
    });

    connect(m_canvas, &VideoCanvas::instanceClicked, this, &MainWindow::instanceClicked);
    connect(m_canvas, &VideoCanvas::instanceShiftClicked, m_view, &ViewState::toggleSelected);
    connect(m_canvas, &VideoCanvas::dragged, m_editor, &Editor::drag);
    connect(m_canvas, &VideoCanvas::nodeNudged, m_editor, &Editor::nudge);
    connect(m_canvas, &VideoCanvas::visibilityWanted, m_editor, &Editor::toggleVisible);
    connect(m_canvas, &VideoCanvas::completeWanted, m_editor, &Editor::markComplete);
    connect(m_canvas, &VideoCanvas::acceptWanted, m_editor, &Editor::accept);
    connect(m_canvas, &VideoCanvas::missingNodesWanted, m_editor, &Editor::addMissingNodes);
    connect(m_canvas, &VideoCanvas::areaChosen, this, [this](const QRectF& scene) {
        if (!m_find->takeRegion(scene))
            m_editor->deletePredictionsInArea(scene);
    });
    connect(m_canvas, &VideoCanvas::menuWanted, this, [this](const QPoint& at, const Hit& under) {
        QMenu* menu = canvasMenu(under);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(at);
    });
    connect(m_canvas, &VideoCanvas::gestureModeChanged, this, [this] {
        m_actions->get("labelNudge")->setChecked(m_canvas->isNudging());
        m_actions->get("labelDeletePredArea")->setChecked(m_canvas->isChoosingArea() && !m_find->wantsRegion());
        if (m_canvas->isChoosingArea() && m_find->wantsRegion())
            return;
        if (m_canvas->isChoosingArea())
            m_status->notice(tr("Draw a rectangle around the predictions to delete. Esc cancels."));
        else if (m_canvas->isNudging())
            m_status->notice(
                tr("Arrow keys move the node, Shift finely, Ctrl by 10 px. Tab takes the next, Esc ends."));
    });

    new TrackLegend(m_canvas, [this] {
        std::vector<TrackLegend::Entry> entries;
        const auto& tracks = m_document->labels().tracks();
        for (std::size_t t = 0; t < std::min<std::size_t>(tracks.size(), 9); ++t)
            entries.push_back({QString::number(t + 1), QString::fromStdString(tracks[t].name),
                               m_proofreading->state().inkOf(static_cast<int>(t))});
        if (m_document->isOpen())
            entries.push_back({QStringLiteral("0"), tr("new track"), kNeutralColor});
        return entries;
    });
    connectLabelActions();
    connectTrackActions();
}

void MainWindow::instanceClicked(project::InstanceId instance) {
    if (m_transposing && instance != 0) {
        if (m_transposeFirst == 0) {
            m_transposeFirst = instance;
            m_view->setSelected(instance);
            m_status->notice(tr("Now click the instance that it exchanges tracks with. Esc cancels."));
        } else if (instance != m_transposeFirst) {
            m_transposing = false;
            // In place of what the person was asked to do; a refusal says more.
            m_status->notice(tr("The two instances exchange their tracks."));
            m_editor->transpose(std::exchange(m_transposeFirst, 0), instance);
        }
        return;
    }
    m_view->setSelected(instance);
}

bool MainWindow::cancelPicking() {
    if (!std::exchange(m_transposing, false))
        return false;
    m_transposeFirst = 0;
    m_status->notice(tr("Nothing was exchanged."));
    return true;
}

void MainWindow::transpose() {
    const auto& selection = m_view->selection();
    std::vector<project::InstanceId> here;
    for (const ShownInstance& instance : m_presenter->shown().instances)
        if (!instance.hidden)
            here.push_back(instance.header.id);
    const auto exchange = [this](project::InstanceId a, project::InstanceId b) {
        const auto track = [this](project::InstanceId id) {
            const ShownInstance* instance = m_presenter->shown().find(id);
            return instance != nullptr ? instance->header.track : -1;
        };
        m_proofreading->transposeTracks(track(a), track(b), [this, a, b] { m_editor->transpose(a, b); });
    };
    if (selection.size() == 2) {
        exchange(selection[0], selection[1]);
    } else if (here.size() == 2) {
        exchange(here[0], here[1]);
    } else if (here.size() == 1) {
        // The other one is not on this frame: its track is picked from a list.
        const ShownInstance* only = m_presenter->shown().find(here.front());
        if (only->header.track < 0) {
            m_status->notice(tr("This instance has no track to exchange."));
            return;
        }
        auto* menu = new QMenu(this);
        menu->setObjectName(QStringLiteral("transposeMenu"));
        menu->setAttribute(Qt::WA_DeleteOnClose);
        addAbsentTracks(menu, only->header.track);
        if (menu->isEmpty())
            m_status->notice(tr("There is no other track."));
        else
            menu->popup(m_canvas->mapToGlobal(m_canvas->rect().center()));
    } else {
        m_transposing = true;
        m_transposeFirst = 0;
        m_status->notice(tr("Click the first of the two instances to exchange. Esc cancels."));
    }
}

/// Tracks that nobody on this frame has, each exchanging with `track`.
void MainWindow::addAbsentTracks(QMenu* menu, int track) {
    const auto& tracks = m_document->labels().tracks();
    int added = 0;
    for (int t = 0; t < static_cast<int>(tracks.size()) && added < kTracksInMenu; ++t) {
        const auto& shown = m_presenter->shown().instances;
        if (t == track ||
            std::any_of(shown.begin(), shown.end(), [t](const ShownInstance& i) { return i.header.track == t; }))
            continue;
        menu->addAction(tr("%1 (not here)").arg(plain(m_contents->trackName(t))),
                        [this, track, t] { m_editor->transposeTracks(track, t); });
        ++added;
    }
}

void MainWindow::connectLabelActions() {
    ActionTable& a = *m_actions;
    const auto chosen = [this] {
        for (const auto& choice : kPlacements)
            if (m_actions->get(choice.id)->isChecked())
                return choice.placement;
        return edit::Placement::Best;
    };
    a.on("labelAdd", [this, chosen] { m_editor->add(chosen()); });
    const int placement = m_settings->get(Setting::Placement).toInt();
    for (const auto& choice : kPlacements) {
        a.get(choice.id)->setChecked(static_cast<int>(choice.placement) == placement);
        a.on(choice.id, [this, p = choice.placement] { m_settings->set(Setting::Placement, static_cast<int>(p)); });
    }
    a.on("labelDelete", [this] { m_editor->deleteSelected(); });
    a.on("labelMerge", [this] { m_editor->mergeSelected(); });
    a.on("labelAcceptFrame", [this] { m_editor->acceptFrame(); });
    a.on("labelAcceptAll", [this] { m_editor->acceptVideo(); });
    a.on("labelToggleNode", [this] {
        const Hit hit = m_canvas->nodeInMind();
        if (hit.node < 0)
            m_status->notice(tr("Point at a node first."));
        else
            m_editor->toggleVisible(hit.instance, hit.node);
    });
    a.on("labelComplete", [this] { m_editor->markComplete(m_view->selected()); });
    a.on("labelAddMissing", [this] { m_editor->addMissingNodes(m_view->selected()); });
    a.on("labelNudge", [this](bool on) { m_canvas->setNudging(on); });
    a.on("labelNegative", [this] { m_editor->toggleNegative(); });
    a.on("labelDeletePredFrame", [this] { m_editor->deletePredictionsOnFrame(); });
    a.on("labelDeletePredClip", [this] { m_editor->deletePredictionsInRange(); });
    a.on("labelDeletePredArea", [this](bool on) {
        m_find->giveUpRegion();
        m_canvas->setChoosingArea(on);
    });
    a.on("labelDeletePredAll", [this] { m_editor->deletePredictionsEverywhere(); });
    a.on("labelDeletePredOnUser", [this] { m_editor->deletePredictionsOnUserFrames(); });
    a.on("labelDeletePredScore", [this] {
        m_session->dialogs().askDecimal(this, tr("Delete Low Scores"),
                                        tr("Delete predictions with an instance score below:"), 0.5, -1e6, 1e6, 3,
                                        [this](std::optional<double> score) {
                                            if (score)
                                                m_editor->deletePredictionsBelow(*score);
                                        });
    });
    a.on("labelDeletePredMax", [this] {
        m_session->dialogs().askNumber(this, tr("Delete Beyond Maximum"),
                                       tr("Predictions to keep on each frame of this video, the best first:"), 2, 0,
                                       100'000, [this](std::optional<std::int64_t> most) {
                                           if (most)
                                               m_editor->deletePredictionsBeyond(*most);
                                       });
    });
    a.on("labelDeletePredFrames", [this] {
        const std::int64_t first = firstFrameNumber(), last = m_view->frameCount() - 1 + first;
        const auto range = m_view->range().value_or(FrameRange{0, m_view->frameCount() - 1});
        m_session->dialogs().askNumber(
            this, tr("Keep From Frame"), tr("Keep predictions from frame:"), range.first + first, first, last,
            [this, range, first, last](std::optional<std::int64_t> from) {
                if (!from)
                    return;
                m_session->dialogs().askNumber(this, tr("Keep to Frame"),
                                               tr("Keep predictions to frame (later ones are deleted):"),
                                               std::max(*from, range.last + first), *from, last,
                                               [this, first, from](std::optional<std::int64_t> to) {
                                                   if (to)
                                                       m_editor->deletePredictionsOutside({*from - first, *to - first});
                                               });
            });
    });
    a.on("labelCustomDelete", [this] {
        auto* dialog = new CustomDeleteDialog(m_document, m_view->video(), m_view->range(), firstFrameNumber(), this);
        connect(dialog, &CustomDeleteDialog::deleteWanted, this,
                [this](const edit::InstanceFilter& filter) { m_editor->deleteMatching(filter, {}); });
        dialog->show();
    });

    a.on("editCopyInstance", [this] { m_editor->copyInstance(); });
    a.on("editPasteInstance", [this] { m_editor->pasteInstance(); });
    a.on("editCopyTrack", [this] {
        m_editor->copyTrack();
        scheduleUpdate();
    });
    a.on("editPasteTrack", [this] { m_editor->pasteTrack(); });
    a.on("editHistory", [this] {
        m_historyDock->show();
        m_historyDock->raise();
    });
}

void MainWindow::connectTrackActions() {
    ActionTable& a = *m_actions;
    for (int i = 0; i < 9; ++i)
        a.on(("trackSet" + std::to_string(i + 1)).c_str(), [this, i] { m_editor->setTrack(i); });
    a.on("trackNew", [this] { m_editor->newTrack(); });
    a.on("trackClear", [this] { m_editor->setTrack(-1); });
    QAction* propagate = a.get("trackPropagate");
    propagate->setChecked(m_settings->get(Setting::PropagateTracks).toBool());
    m_editor->setPropagate(propagate->isChecked());
    connect(propagate, &QAction::toggled, this, [this](bool on) {
        m_settings->set(Setting::PropagateTracks, on);
        m_editor->setPropagate(on);
        m_status->notice(on ? tr("Changes of tracks reach to the end, or over the selected frames.")
                            : tr("Changes of tracks concern this frame only."));
    });
    a.on("trackTranspose", [this] { transpose(); });
    a.on("trackSplit", [this] { m_editor->splitTrack(); });
    a.on("trackRename", [this] {
        const ShownInstance* instance = m_presenter->shown().find(m_view->selected());
        if (instance == nullptr || instance->header.track < 0)
            return;
        m_session->dialogs().askText(this, tr("Rename Track"), tr("Name of the track:"), instance->trackName,
                                     [this, track = instance->header.track](const std::optional<QString>& name) {
                                         if (name)
                                             m_editor->renameTrack(track, *name);
                                     });
    });
    a.on("trackDeleteInstanceAndTrack", [this] { m_editor->deleteInstanceAndTrack(); });
    a.on("trackDelete", [this] {
        const ShownInstance* instance = m_presenter->shown().find(m_view->selected());
        if (instance != nullptr && instance->header.track >= 0)
            m_editor->deleteTracks({instance->header.track}, false);
    });
    a.on("trackDeleteUnused", [this] { m_editor->deleteUnusedTracks(); });
    a.on("trackDeleteAll", [this] {
        std::vector<std::int32_t> all;
        for (std::size_t t = 0; t < m_document->labels().tracks().size(); ++t)
            all.push_back(static_cast<std::int32_t>(t));
        m_editor->deleteTracks(std::move(all), false);
    });
}

void MainWindow::gatherEditFacts(ActionFacts& facts) const {
    const ShownFrame& shown = m_presenter->shown();
    const project::Labels& labels = m_document->labels();
    int users = 0;
    for (const project::InstanceId id : m_view->selection())
        if (const ShownInstance* instance = shown.find(id))
            users += instance->header.kind == project::InstanceKind::User ? 1 : 0;
    const ShownInstance* selected = shown.find(m_view->selected());
    facts.userSelected = selected != nullptr && selected->header.kind == project::InstanceKind::User;
    facts.twoUsersSelected = users >= 2;
    facts.selectionTrack = selected != nullptr && selected->header.track >= 0;
    const auto& timeline = m_digest->timeline();
    const auto* lane = facts.selectionTrack && timeline ? timeline->lane(selected->header.track) : nullptr;
    facts.trackBefore = labels.videos().size() > 1 ||
                        (lane != nullptr && !lane->spans.empty() && lane->spans.front().first < m_view->frame());
    facts.framePredictions = std::any_of(shown.instances.begin(), shown.instances.end(), [](const ShownInstance& i) {
        return i.header.kind == project::InstanceKind::Predicted;
    });
    facts.anyPredictions = labels.predictedInstanceCount() > 0;
    facts.anyInstances = labels.instanceCount() > 0;
    facts.skeleton = std::any_of(labels.skeletons().begin(), labels.skeletons().end(),
                                 [](const project::Skeleton& s) { return !s.nodes.empty(); });
    facts.projectTracks = !labels.tracks().empty();
    facts.trackCount = labels.tracks().size();
    facts.clipInstance = Editor::clipboardHasInstance();
    facts.clipTrack = m_editor->copiedTrack() >= 0;
    facts.touched = m_editor->lastTouched().has_value();
    facts.suggestions = !labels.suggestions().empty();
    facts.back = m_visitedAt > 0;
    facts.forward = m_visitedAt + 1 < m_visited.size();
}

/// Texts and marks that depend on the project: names of tracks, whether this frame is negative.
void MainWindow::updateEditActions() {
    const auto& tracks = m_document->labels().tracks();
    for (std::size_t i = 0; i < 9; ++i) {
        QAction* action = m_actions->get(("trackSet" + std::to_string(i + 1)).c_str());
        action->setText(i < tracks.size()
                            ? QStringLiteral("&%1  %2").arg(i + 1).arg(plain(QString::fromStdString(tracks[i].name)))
                            : tr("Track &%1").arg(i + 1));
    }
    const bool negative =
        m_view->video() >= 0 &&
        edit::isNegative(m_document->labels(), static_cast<std::uint32_t>(m_view->video()), m_view->frame());
    m_actions->get("labelNegative")->setChecked(negative);
    if (m_negativeBadge->isVisibleTo(m_canvas) != negative) {
        m_negativeBadge->setVisible(negative);
        placeBadges();
    }
}

QMenu* MainWindow::canvasMenu(const Hit& under) {
    const ShownFrame& shown = m_presenter->shown();
    if (under.instance != 0 && !m_view->isSelected(under.instance))
        m_view->setSelected(under.instance);
    const ShownInstance* instance = shown.find(under.instance != 0 ? under.instance : m_view->selected());
    updateActions();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("canvasMenu"));
    menu->setToolTipsVisible(true);

    QMenu* add = menu->addMenu(tr("&Add Instance"));
    const bool canAdd = m_actions->get("labelAdd")->isEnabled();
    add->setEnabled(canAdd);
    add->menuAction()->setToolTip(m_actions->get("labelAdd")->toolTip());
    const QPointF at = m_canvas->pointerInScene().value_or(m_canvas->visibleScene().center());
    const std::pair<QString, edit::Placement> ways[] = {{tr("&Default"), edit::Placement::Best},
                                                        {tr("&Average"), edit::Placement::Average},
                                                        {tr("&Force Directed"), edit::Placement::ForceDirected},
                                                        {tr("Copy &Prior Frame"), edit::Placement::CopyPriorFrame},
                                                        {tr("&Random"), edit::Placement::Random}};
    for (const auto& [name, placement] : ways)
        add->addAction(name, [this, p = placement, at] { m_editor->addAt(p, at); });
    menu->addAction(m_actions->get("labelNegative"));
    menu->addSeparator();

    if (instance != nullptr) {
        const bool user = instance->header.kind == project::InstanceKind::User;
        if (!user) {
            menu->addAction(tr("A&ccept Prediction"),
                            [this, id = instance->header.id] { m_editor->accept(id, false); });
        } else {
            QMenu* merge = menu->addMenu(tr("&Merge Instance With"));
            for (const ShownInstance& other : shown.instances)
                if (other.header.kind == project::InstanceKind::User && other.header.id != instance->header.id)
                    merge->addAction(nameOf(other), [this, id = other.header.id] { m_editor->mergeWith(id); });
            merge->setEnabled(!merge->isEmpty());
            menu->addAction(m_actions->get("labelComplete"));
            menu->addAction(m_actions->get("labelAddMissing"));
        }
        QMenu* set = menu->addMenu(tr("Set &Track"));
        for (int t = 0; t < std::min<int>(kTracksInMenu, static_cast<int>(m_document->labels().tracks().size())); ++t) {
            QAction* action = set->addAction(plain(m_contents->trackName(t)), [this, t] { m_editor->setTrack(t); });
            action->setCheckable(true);
            action->setChecked(t == instance->header.track);
        }
        set->addSeparator();
        set->addAction(m_actions->get("trackNew"));
        set->addAction(m_actions->get("trackClear"));
        QMenu* with = menu->addMenu(tr("Tr&anspose With"));
        for (const ShownInstance& other : shown.instances)
            if (other.header.id != instance->header.id)
                with->addAction(nameOf(other),
                                [this, a = instance->header.id, b = other.header.id] { m_editor->transpose(a, b); });
        if (instance->header.track >= 0)
            addAbsentTracks(with, instance->header.track);
        with->setEnabled(!with->isEmpty());
        menu->addAction(m_actions->get("trackSplit"));
        menu->addSeparator();
        menu->addAction(m_actions->get("labelDelete"));
        if (!user) {
            QMenu* like = menu->addMenu(tr("Delete &Predictions Like This"));
            edit::InstanceFilter filter;
            filter.kind = project::InstanceKind::Predicted;
            filter.video = static_cast<std::uint32_t>(m_view->video());
            if (instance->header.track >= 0) {
                edit::InstanceFilter ofTrack = filter;
                ofTrack.track = instance->header.track;
                like->addAction(tr("of the Track %1, in This Video").arg(plain(instance->trackName)),
                                [this, ofTrack, name = instance->trackName] {
                                    m_editor->deleteMatching(ofTrack, tr(" of %1").arg(name));
                                });
            }
            edit::InstanceFilter lower = filter;
            lower.scoreBelow = std::nextafter(double(instance->header.score), 1e300);
            like->addAction(
                tr("with This Score (%1) or Lower, in This Video").arg(text::fixed(double(instance->header.score), 3)),
                [this, lower] { m_editor->deleteMatching(lower, tr(" with a low score")); });
        }
        menu->addSeparator();
        menu->addAction(m_actions->get("editCopyInstance"));
    }
    menu->addAction(m_actions->get("editPasteInstance"));
    if (instance != nullptr) {
        menu->addAction(m_actions->get("editCopyPose"));
        if (instance->header.track >= 0) {
            menu->addSeparator();
            menu->addAction(tr("Go to Track &Start"), [this, t = instance->header.track] { goToTrackEnd(t, false); });
            menu->addAction(tr("Go to Track &End"), [this, t = instance->header.track] { goToTrackEnd(t, true); });
        }
    }
    menu->addSeparator();
    menu->addAction(m_actions->get("predictAgain"));
    menu->addAction(m_actions->get("suggestionAdd"));
    return menu;
}

QString MainWindow::nameOf(const ShownInstance& instance) const {
    return instance.trackName.isEmpty() ? tr("Instance %1").arg(instance.place + 1) : plain(instance.trackName);
}

void MainWindow::goToTrackEnd(int track, bool end) {
    if (const auto& timeline = m_digest->timeline())
        for (const TimelineData::Lane& lane : timeline->lanes)
            if (lane.track == track && !lane.spans.empty()) {
                m_playback->stop();
                goTo(end ? lane.spans.back().second : lane.spans.front().first);
                return;
            }
    m_status->notice(tr("The tracks are still being counted."));
}

// --- Places visited ------------------------------------------------------------------------------------------------

/// The person is about to leave this place by a jump: Back leads here.
void MainWindow::leavePlace() {
    if (m_view->video() < 0)
        return;
    constexpr std::size_t kMostPlaces = 200;
    const Visited now{m_view->video(), m_view->frame()};
    m_visited.resize(std::min(m_visited.size(), m_visitedAt));
    if (m_visited.empty() || m_visited.back() != now)
        m_visited.push_back(now);
    if (m_visited.size() > kMostPlaces)
        m_visited.erase(m_visited.begin());
    m_visitedAt = m_visited.size();
    scheduleUpdate();
}

void MainWindow::goThroughPlaces(int by) {
    const Visited now{m_view->video(), m_view->frame()};
    // The place where one is becomes the end of the way, so that Forward leads back to it.
    if (m_visitedAt == m_visited.size())
        m_visited.push_back(now);
    else
        m_visited[m_visitedAt] = now;
    const auto next = static_cast<std::ptrdiff_t>(m_visitedAt) + by;
    if (next < 0 || next >= static_cast<std::ptrdiff_t>(m_visited.size()))
        return;
    m_visitedAt = static_cast<std::size_t>(next);
    const Visited place = m_visited[m_visitedAt];
    m_playback->stop();
    m_run->personMoved();
    if (place.first >= m_document->videoCount())
        return;
    if (place.first != m_view->video())
        showVideo(place.first, place.second);
    m_view->setFrame(place.second);
    scheduleUpdate();
}

}  // namespace skein::ui
