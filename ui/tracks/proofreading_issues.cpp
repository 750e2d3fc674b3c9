// SPDX-License-Identifier: GPL-3.0-or-later
// Going through issues one after the other, and what of them is shown elsewhere.
#include <QDockWidget>
#include <algorithm>
#include <map>
#include <numeric>

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
        noteFollowing();
        m_issues.setState(m_issue, IssueList::State::Dismissed);
        goOn(1);
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
    if (entries.empty())
        m_following.clear();
    if (m_issue >= 0) {
        const IssueKey reviewed = keyOf(m_reviewed);
        const auto it = std::find_if(entries.begin(), entries.end(), [&reviewed](const IssueList::Entry& entry) {
            return keyOf(entry.issue) == reviewed;
        });
        m_issue = it == entries.end() ? -1 : static_cast<int>(it - entries.begin());
        m_issuesPanel->setCurrent(m_issue);
    }
    const std::vector<int> open = m_issues.openByTrack();
    m_tracks->model()->setIssues(open, static_cast<std::int64_t>(m_issues.openCount()));
    m_window->m_timeline->setIssueCounts(open);
    showMarks();
    m_window->scheduleUpdate();
    if (m_goOn && m_issues.isUpToDate()) {
        m_goOn = false;
        goOn(1);
    }
}

Proofreading::IssueKey Proofreading::keyOf(const proofread::Issue& issue) {
    return {issue.kind, issue.video, issue.frame, issue.tracks};
}

/// A repair changes the list: what is settled may stand in it again elsewhere, or not at all. Where to go on is
/// therefore noted before, as the table shows it.
void Proofreading::noteFollowing() {
    m_following.clear();
    std::vector<int> order = m_issuesPanel->shownOrder();
    const auto here = std::find(order.begin(), order.end(), m_issue);
    if (here == order.end())
        return;
    m_below = static_cast<std::size_t>(order.end() - here) - 1;
    std::rotate(order.begin(), here + 1, order.end());  // the one under review comes last
    order.pop_back();
    for (const int entry : order)
        m_following.push_back(keyOf(m_issues.entries()[static_cast<std::size_t>(entry)].issue));
}

/// To what followed the settled issue, or was before it, and is still open.
void Proofreading::goOn(int direction) {
    std::map<IssueKey, int> open;
    const auto& entries = m_issues.entries();
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i].state == IssueList::State::Open)
            open.emplace(keyOf(entries[i].issue), static_cast<int>(i));
    const std::size_t count = m_following.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = direction > 0 ? i : count - 1 - i;
        const auto it = open.find(m_following[place]);
        if (it == open.end())
            continue;
        const bool wrapped = (place < m_below) != (direction > 0);
        goToIssue(it->second);
        if (wrapped)
            sayWrapped(direction);
        return;
    }
    m_following.clear();
    goToNextIssue(direction);
}

void Proofreading::sayWrapped(int direction) {
    m_window->m_status->notice(direction > 0 ? tr("Went on from the top of the list.")
                                             : tr("Went on from the end of the list."));
}

void Proofreading::goToNextIssue(int direction) {
    const auto& entries = m_issues.entries();
    const auto isOpen = [&entries](int entry) {
        return entries[static_cast<std::size_t>(entry)].state == IssueList::State::Open;
    };
    std::vector<int> order = m_issuesPanel->shownOrder();
    if (std::none_of(order.begin(), order.end(), isOpen)) {  // all are filtered out
        order.resize(entries.size());
        std::iota(order.begin(), order.end(), 0);
    }
    if (direction < 0)
        std::reverse(order.begin(), order.end());
    const auto here = std::find(order.begin(), order.end(), m_issue);
    if (here == order.end() && !m_following.empty())
        return goOn(direction);
    const auto from = here == order.end() ? order.begin() : here + 1;
    auto next = std::find_if(from, order.end(), isOpen);
    const bool wrapped = next == order.end();
    if (wrapped)
        next = std::find_if(order.begin(), from, isOpen);
    if (wrapped && next == from) {
        m_window->m_status->notice(tr("Every issue is settled."));
        return;
    }
    goToIssue(*next);
    if (wrapped)
        sayWrapped(direction);
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
    m_issue = entry;
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
    noteFollowing();
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
    noteFollowing();
    m_issues.setState(m_issue, IssueList::State::Fixed);
    m_goOn = true;
    w.m_editor->applyLarge([repair, frame = w.frameNumber(issue.frame), kind = IssueTableModel::kindName(issue.kind)](
                               std::size_t) { return tr("%1 (%2, frame %3)").arg(repair, kind.toLower(), frame); },
                           [issue](const project::Labels& labels) { return proofread::applyFix(labels, issue); },
                           tr("What this issue speaks of is not there any more."));
}

}  // namespace skein::ui
