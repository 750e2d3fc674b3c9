// SPDX-License-Identifier: GPL-3.0-or-later
// Going through issues one after the other, and what of them is shown elsewhere.
#include <QDockWidget>
#include <algorithm>

#include "engine/proofread/apply_fix.h"
#include "ui/canvas/overlay_painter.h"
#include "ui/edit/editor.h"
#include "ui/main_window.h"
#include "ui/text.h"
#include "ui/tracks/issues_panel.h"
#include "ui/tracks/proofreading.h"
#include "ui/tracks/tracks_panel.h"

namespace skein::ui {

namespace {
constexpr std::int64_t kLoopReach = 15;  ///< frames to each side
constexpr double kRoom = 0.6;            ///< around the animals, of their size
constexpr double kLeastRoom = 40;        ///< px of the frame
}  // namespace

void Proofreading::connectIssues() {
    MainWindow& w = *m_window;
    ActionTable& a = *w.m_actions;
    a.on("analyzeIssues", [this, &w] {
        w.m_issuesDock->show();
        w.m_issuesDock->raise();
        m_issues.find();
    });
    a.on("goNextIssue", [this] { goToNextIssue(1); });
    a.on("goPrevIssue", [this] { goToNextIssue(-1); });
    a.on("issueAccept", [this] { acceptIssue(); });
    a.on("issueDismiss", [this] {
        if (m_issue < 0)
            return;
        m_issues.setState(m_issue, IssueList::State::Dismissed);
        goToNextIssue(1);
    });
    a.on("issueReopen", [this] {
        if (m_issue >= 0)
            m_issues.setState(m_issue, IssueList::State::Open);
        m_issuesPanel->setCurrent(m_issue);
    });
    connect(m_issuesPanel, &IssuesPanel::entryWanted, this, &Proofreading::goToIssue);
    connect(&m_issues, &IssueList::changed, this, &Proofreading::issuesChanged);
    connect(&m_issues, &IssueList::progressChanged, m_window, &MainWindow::scheduleUpdate);
    connect(&m_issues, &IssueList::problem, this,
            [&w](const UiError& error) { w.m_messages->post(QStringLiteral("issues"), Severity::Warning, error, {}); });
}

/// The list is another one, or an entry is settled: the same issue stays the one under review, if it is still there.
void Proofreading::issuesChanged() {
    const auto& entries = m_issues.entries();
    if (m_issue >= 0) {
        const auto same = [this](const IssueList::Entry& entry) {
            return entry.issue.kind == m_reviewed.kind && entry.issue.video == m_reviewed.video &&
                   entry.issue.tracks == m_reviewed.tracks && entry.issue.frame == m_reviewed.frame;
        };
        const auto it = std::find_if(entries.begin(), entries.end(), same);
        m_issue = it == entries.end() ? -1 : static_cast<int>(it - entries.begin());
        m_lastIssue = m_issue >= 0 ? m_issue : m_lastIssue - 1;  // what followed it has moved up
        m_issuesPanel->setCurrent(m_issue);
    }
    const std::vector<int> open = m_issues.openByTrack();
    m_tracks->model()->setIssues(open, static_cast<std::int64_t>(m_issues.openCount()));
    m_window->m_timeline->setIssueCounts(open);
    showMarks();
    m_window->scheduleUpdate();
    if (m_goOn && m_issues.isUpToDate()) {
        m_goOn = false;
        goToNextIssue(1);
    }
}

void Proofreading::goToNextIssue(int direction) {
    const int next = m_issues.nextOpen(m_issue >= 0 ? m_issue : m_lastIssue, direction);
    if (next < 0) {
        m_window->m_status->notice(tr("Every issue is settled."));
        return;
    }
    const bool wrapped = m_issue >= 0 && (direction > 0 ? next <= m_issue : next >= m_issue);
    goToIssue(next);
    if (wrapped)
        m_window->m_status->notice(direction > 0 ? tr("Went on from the gravest.") : tr("Went on from the slightest."));
}

QRectF Proofreading::comeNear(QRectF box) {
    const double room = std::max(kLeastRoom, kRoom * std::max(box.width(), box.height()));
    box.adjust(-room, -room, room, room);
    m_window->m_canvas->showScene(box);
    return box;
}

QRectF Proofreading::goToScene(const Scene& scene) {
    MainWindow& w = *m_window;
    w.m_playback->stop();
    if (static_cast<int>(scene.video) != w.m_view->video())
        w.showVideo(static_cast<int>(scene.video), scene.frame);
    w.goTo(scene.frame);
    w.m_playback->loopAround({std::max<std::int64_t>(0, scene.first - kLoopReach),
                              std::min(w.m_view->frameCount() - 1, scene.last + kLoopReach)});
    w.m_actions->get("goLoop")->setChecked(true);
    std::vector<project::InstanceId> instances = scene.instances;
    const ShownFrame shown = w.m_contents->at(scene.video, scene.frame);
    QRectF box;
    std::erase_if(instances, [&shown](project::InstanceId id) { return shown.find(id) == nullptr; });
    for (const ShownInstance& instance : shown.instances) {
        const bool concerned =
            std::find(instances.begin(), instances.end(), instance.header.id) != instances.end() ||
            std::find(scene.tracks.begin(), scene.tracks.end(), instance.header.track) != scene.tracks.end();
        if (concerned)
            box |= boundsOf(instance);
    }
    w.m_view->setSelection(instances);
    if (!box.isNull())
        box = comeNear(box);
    w.scheduleUpdate();
    return box;
}

/// Its frame, its instances, a loop around it, and as near as the animals allow.
void Proofreading::goToIssue(int entry) {
    m_issue = m_lastIssue = entry;
    m_goOn = false;
    const proofread::Issue issue = m_issues.entries()[static_cast<std::size_t>(entry)].issue;
    m_reviewed = issue;
    const QRectF part = goToScene({issue.video, issue.frame, issue.frame, issue.frame, issue.tracks, issue.instances});
    if (!issue.tracks.empty())
        noteTracks(std::vector<int>(issue.tracks.begin(), issue.tracks.end()));
    if (part.isNull())
        m_issuesPanel->setPictures({}, {});
    else
        showIssuePictures(issue, part);
    m_issuesPanel->setCurrent(entry);
    m_window->scheduleUpdate();
}

void Proofreading::acceptIssue() {
    MainWindow& w = *m_window;
    if (m_issue < 0)
        return;
    if (!m_issues.isUpToDate() || w.m_editor->isWorking()) {
        w.m_status->notice(tr("Issues are being looked at again after the last change; press again in a moment."));
        return;
    }
    const proofread::Issue issue = m_issues.entries()[static_cast<std::size_t>(m_issue)].issue;
    const QString repair = IssueTableModel::repairName(issue);
    m_issues.setState(m_issue, IssueList::State::Fixed);
    m_goOn = true;
    w.m_editor->applyLarge([repair, frame = w.frameNumber(issue.frame), kind = IssueTableModel::kindName(issue.kind)](
                               std::size_t) { return tr("%1 (%2, frame %3)").arg(repair, kind.toLower(), frame); },
                           [issue](const project::Labels& labels) { return proofread::applyFix(labels, issue); },
                           tr("What this issue speaks of is not there any more."));
}

}  // namespace skein::ui
