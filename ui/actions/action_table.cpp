// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action_table.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>

#include "engine/base/result.h"
#include "ui/actions/action_rows.h"
#include "ui/icons.h"
#include "ui/text.h"

namespace skein::ui {

const std::vector<ActionSpec>& ActionTable::specs() {
    static const std::vector<ActionSpec> table = [] {
        std::vector<ActionSpec> all = generalActions();
        const auto preferences = std::find_if(all.begin(), all.end(), [](const ActionSpec& spec) {
            return QLatin1String(spec.id) == QLatin1String("filePreferences");
        });
        const std::vector<ActionSpec> exchange = exchangeActions();
        all.insert(preferences, exchange.begin(), exchange.end());
        const auto place = std::find_if(all.begin(), all.end(), [](const ActionSpec& spec) {
            return QLatin1String(spec.id) == QLatin1String("viewRotate0");
        });
        const std::vector<ActionSpec> view = viewActions();
        all.insert(place, view.begin(), view.end());
        const auto after = std::find_if(all.begin(), all.end(), [](const ActionSpec& spec) {
            return QLatin1String(spec.id) == QLatin1String("viewRotate0");
        });
        const std::vector<ActionSpec> trails = trailActions();
        all.insert(after, trails.begin(), trails.end());
        for (const auto& part : {labelActions(), trackActions(), proofreadActions(), queueActions(), projectActions()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return table;
}

ActionTable::ActionTable(QObject* parent) : QObject(parent) {
    std::map<QString, QActionGroup*> groups;
    for (const ActionSpec& spec : specs()) {
        auto* action = new QAction(tr(spec.text), this);
        action->setObjectName(QLatin1String(spec.id));
        action->setShortcuts(QList<QKeySequence>(spec.keys.begin(), spec.keys.end()));
        action->setCheckable(spec.checkable);
        if (*spec.icon != 0)
            action->setIcon(icon(QLatin1String(spec.icon)));
        if (*spec.group != 0) {
            QActionGroup*& group = groups[QLatin1String(spec.group)];
            if (group == nullptr)
                group = new QActionGroup(this);
            group->addAction(action);
        }
        m_actions.push_back(action);
        m_byId[action->objectName()] = action;
        m_paths[action] = QLatin1String(spec.menu);
    }
    refresh({});
}

QAction* ActionTable::get(const char* id) const {
    const auto it = m_byId.find(QLatin1String(id));
    SKEIN_EXPECTS(it != m_byId.end(), "no such action");
    return it->second;
}

void ActionTable::adopt(QAction* action, const QString& menuPath) {
    m_actions.push_back(action);
    m_paths[action] = menuPath;
}

QString ActionTable::menuPathOf(const QAction* action) const {
    const auto it = m_paths.find(action);
    return it == m_paths.end() ? QString() : it->second;
}

std::map<QString, QMenu*> ActionTable::buildMenus(QMenuBar* bar) {
    std::map<QString, QMenu*> menus;
    // The order of the menu bar, also for menus that get their contents elsewhere.
    for (const char* title :
         {QT_TR_NOOP("&File"), QT_TR_NOOP("&Edit"), QT_TR_NOOP("&Go"), QT_TR_NOOP("&View"), QT_TR_NOOP("&Labels"),
          QT_TR_NOOP("&Tracks"), QT_TR_NOOP("&Predict"), QT_TR_NOOP("&Window"), QT_TR_NOOP("&Help")}) {
        QMenu* menu = bar->addMenu(tr(title));
        menu->setToolTipsVisible(true);
        menus[QString::fromLatin1(title).remove(QLatin1Char('&'))] = menu;
    }
    for (const ActionSpec& spec : specs()) {
        if (*spec.menu == 0)
            continue;
        const QString path = QLatin1String(spec.menu);
        QMenu* menu = menus[path.section(QLatin1Char('/'), 0, 0)];
        for (int depth = 1; depth <= path.count(QLatin1Char('/')); ++depth) {
            QMenu*& below = menus[path.section(QLatin1Char('/'), 0, depth)];
            if (below == nullptr) {
                below = menu->addMenu(tr(path.section(QLatin1Char('/'), depth, depth).toLatin1().constData()));
                below->setToolTipsVisible(true);
            }
            menu = below;
        }
        if (spec.separatorBefore)
            menu->addSeparator();
        menu->addAction(get(spec.id));
    }
    return menus;
}

QString ActionTable::reasonAgainst(Need need, const ActionFacts& f) {
    switch (need) {
        case Need::Project:
            return f.project ? QString() : tr("Open a project or a video first.");
        case Need::Frames:
            return f.frames ? QString() : tr("Open a video first.");
        case Need::TwoVideos:
            return f.twoVideos ? QString() : tr("The project has only one video.");
        case Need::AnyLostVideo:
            return f.lostVideo ? QString() : tr("Every video was found.");
        case Need::NoExport:
            return f.exporting ? tr("Another file is being written; wait for it or stop it.") : QString();
        case Need::Instances:
            return f.instances ? QString() : tr("There is no instance on this frame.");
        case Need::Selection:
            return f.selection ? QString() : tr("Select an instance first.");
        case Need::UserSelected:
            return f.userSelected ? QString()
                   : f.selection  ? tr("The selected instance is a prediction; double-click accepts it.")
                                  : tr("Select a user instance first.");
        case Need::TwoUsersSelected:
            return f.twoUsersSelected ? QString() : tr("Select two user instances first: Shift and click the second.");
        case Need::SelectionTrack:
            return f.selectionTrack ? QString()
                   : f.selection    ? tr("The selected instance has no track.")
                                    : tr("Select an instance first.");
        case Need::TrackBefore:
            return f.trackBefore ? QString() : tr("The track begins on this frame, so nothing of it would be left.");
        case Need::FramePredictions:
            return f.framePredictions ? QString() : tr("There is no prediction on this frame.");
        case Need::AnyPredictions:
            return f.anyPredictions ? QString() : tr("The project has no predictions.");
        case Need::AnyInstances:
            return f.anyInstances ? QString() : tr("The project has no instances.");
        case Need::Skeleton:
            return f.skeleton ? QString() : tr("The project has no skeleton yet.");
        case Need::ProjectTracks:
            return f.projectTracks ? QString() : tr("The project has no tracks.");
        case Need::ClipInstance:
            return f.clipInstance ? QString() : tr("Copy an instance first.");
        case Need::ClipTrack:
            return f.clipTrack ? QString() : tr("Copy an instance's track first.");
        case Need::Touched:
            return f.touched ? QString() : tr("Nothing was edited yet.");
        case Need::Suggestions:
            return f.suggestions ? QString() : tr("The project has no suggestions.");
        case Need::SuggestionsSelected:
            return f.suggestionsSelected ? QString() : tr("Select rows in the dock Suggestions first.");
        case Need::Found:
            return f.found ? QString() : tr("Find frames first (Ctrl+F).");
        case Need::Graph:
            return f.graph ? QString() : tr("Choose a statistic for the timeline first.");
        case Need::GraphLine:
            return f.graphLine ? QString()
                   : f.graph   ? tr("Draw a line across a graph first: right-click the graph.")
                               : tr("Choose a statistic for the timeline first.");
        case Need::TrackRows:
            return f.trackRows > 0 ? QString()
                                   : tr("Select a track first, on the frame, in the timeline or in the dock Tracks.");
        case Need::KnownTrack:
            return f.knownTrack ? QString()
                                : tr("Select a track first, on the frame, in the timeline or in the dock Tracks.");
        case Need::TwoTrackRows:
            return f.trackRows > 1
                       ? QString()
                       : tr("Select two or more tracks first, with Ctrl in the timeline or in the dock Tracks.");
        case Need::HiddenTracks:
            return f.hiddenTracks ? QString() : tr("No track is hidden.");
        case Need::Issues:
            return f.issues ? QString() : tr("There are no open issues; \u201cFind Issues\u201d looks for them.");
        case Need::Issue:
            return f.issue ? QString() : tr("Go to an issue first (F8).");
        case Need::IssueFix:
            return f.issueFix ? QString()
                   : f.issue  ? tr("Skein knows no repair for this one; look, and dismiss it (X) or leave it (F8).")
                              : tr("Go to an issue first (F8).");
        case Need::Sample:
            return f.sample ? QString() : tr("Draw a sample first, in the dock Review.");
        case Need::SampleItem:
            return f.sampleItem ? QString()
                   : f.sample   ? tr("Go on with the review first: Tracks > Review > Go On.")
                                : tr("Draw a sample first, in the dock Review.");
        case Need::SampleAnswer:
            return f.sampleAnswer ? QString() : tr("Judge an item of the sample first.");
        case Need::Smoothed:
            return f.smoothed ? QString() : tr("Choose how points are smoothed first: Tracks > Smooth Tracks.");
        case Need::Videos:
            return f.videos ? QString() : tr("Select a video in the dock Videos first.");
        case Need::NotRunning:
            return f.running ? tr("Wait until the run has ended.") : QString();
        case Need::AnySkeleton:
            return f.anySkeleton ? QString() : tr("The project has no skeleton yet.");
        case Need::Back:
            return f.back ? QString() : tr("There is no earlier place.");
        case Need::Forward:
            return f.forward ? QString() : tr("There is no later place.");
        case Need::Range:
            return f.range ? QString() : tr("Select a range first: Shift and drag on the timeline.");
        case Need::Labels:
            return f.labels ? QString() : tr("No frame of this video has an instance.");
        case Need::UserLabels:
            return f.userLabels ? QString() : tr("Nobody labelled a frame of this video yet.");
        case Need::Tracks:
            return f.tracks ? QString() : tr("This video has no tracks.");
        case Need::Mark:
            return f.mark ? QString() : tr("Mark a frame first.");
        case Need::Undo:
            return f.undo ? QString() : tr("Nothing was changed yet.");
        case Need::Redo:
            return f.redo ? QString() : tr("Nothing was taken back.");
        case Need::NotSaving:
            return f.saving ? tr("The project is being saved.") : QString();
        case Need::RunPossible:
            return f.runBlocked;
        case Need::QueueWaits:
            return f.queue.waits ? QString() : tr("Nothing waits in the queue.");
        case Need::QueueIdle:
            return f.queue.working ? tr("The queue is at work already.") : QString();
        case Need::QueueStarted:
            return f.queue.started ? QString() : tr("The queue was not started.");
        case Need::QueueOver:
            return f.queue.over ? QString() : tr("Nothing in the queue has ended yet.");
        case Need::QueueRows:
            return f.queue.rows ? QString() : tr("Select a row of the queue in the dock Jobs first.");
        case Need::QueueCancellable:
            return f.queue.cancellable ? QString() : tr("Select a waiting or running row of the queue first.");
        case Need::QueuePausable:
            return f.queue.pausable ? QString() : tr("Select a waiting or running row of the queue first.");
        case Need::QueueResumable:
            return f.queue.resumable ? QString() : tr("Select a row of the queue that was paused by itself first.");
        case Need::QueueRetriable:
            return f.queue.retriable ? QString() : tr("Select a row of the queue that has ended first.");
        case Need::QueueRemovable:
            return f.queue.removable ? QString() : tr("Select a row of the queue that is not in work first.");
        case Need::QueueResult:
            return f.queue.result ? QString() : tr("Select one row of the queue that has a result first.");
        case Need::QueueLog:
            return f.queue.log ? QString() : tr("Select one row of the queue that was begun first.");
        case Need::Running:
            return f.running ? QString() : tr("Nothing is running.");
    }
    return {};
}

void ActionTable::refresh(const ActionFacts& facts) {
    for (std::size_t i = 0; i < specs().size(); ++i) {
        QString reason;
        for (const Need need : specs()[i].needs)
            if (reason.isEmpty())
                reason = reasonAgainst(need, facts);
        if (reason.isEmpty() && specs()[i].leastTracks > facts.trackCount)
            reason = tr("The project has only %1.")
                         .arg(text::count(static_cast<std::int64_t>(facts.trackCount), tr("track"), tr("tracks")));
        // This runs with every frame, and writing texts to a hundred actions costs more than a frame may.
        const auto known = m_reasons.find(m_actions[i]);
        if (known != m_reasons.end() && known->second == reason)
            continue;
        m_reasons[m_actions[i]] = reason;
        m_actions[i]->setEnabled(reason.isEmpty());
        m_actions[i]->setStatusTip(reason);
        writeTip(i);
    }
}

void ActionTable::keysChanged() {
    for (std::size_t i = 0; i < specs().size(); ++i)
        writeTip(i);
}

void ActionTable::writeTip(std::size_t row) {
    const ActionSpec& spec = specs()[row];
    QAction* action = m_actions[row];
    QString tip = tr(*spec.tip != 0 ? spec.tip : spec.text).remove(QLatin1Char('&'));
    if (!action->shortcut().isEmpty())
        tip += QStringLiteral("  (%1)").arg(action->shortcut().toString(QKeySequence::NativeText));
    const QString& reason = m_reasons[action];
    action->setToolTip(reason.isEmpty() ? tip : reason);
}

}  // namespace skein::ui
