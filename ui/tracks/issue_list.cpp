// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/issue_list.h"

#include <QTimer>
#include <algorithm>
#include <atomic>

#include "engine/evaluation/identity_metrics.h"
#include "ui/bridge/background.h"

namespace skein::ui {

IssueList::IssueList(Document* document, ReviewNotes* notes, QObject* parent)
    : QObject(parent), m_document(document), m_notes(notes), m_finder(std::make_shared<proofread::IssueFinder>()) {
    connect(document, &Document::opened, this, &IssueList::reset);
    connect(document, &Document::changed, this, [this] {
        if (!m_wanted)
            return;
        m_dirty = true;
        work();
    });
    connect(notes, &ReviewNotes::loaded, this, [this] {
        if (!m_entries.empty())
            takeStates();
    });
}

IssueList::~IssueList() {
    m_stop.request_stop();
}

void IssueList::reset() {
    ++m_generation;
    m_stop.request_stop();
    m_finder = std::make_shared<proofread::IssueFinder>();
    m_entries.clear();
    m_labels = project::Labels();
    m_wanted = m_dirty = false;
    m_clean.reset();
    Q_EMIT changed();
    Q_EMIT progressChanged();
}

void IssueList::find() {
    if (m_wanted)
        return;
    m_wanted = m_dirty = true;
    work();
}

void IssueList::stop() {
    m_stop.request_stop();
    m_wanted = m_dirty = false;
}

void IssueList::work() {
    if (m_working || !m_dirty)
        return;
    m_dirty = false;
    m_working = true;
    m_progress = 0;
    m_stop = std::stop_source();
    Q_EMIT progressChanged();
    struct Found {
        std::vector<proofread::Issue> issues;
        std::optional<double> clean = {};
    };
    // Progress is told by the worker and shown some times a second.
    const auto told = std::make_shared<std::atomic<double>>(0);
    auto* poll = new QTimer(this);
    connect(poll, &QTimer::timeout, this, [this, told] {
        m_progress = told->load();
        Q_EMIT progressChanged();
    });
    poll->start(100);
    inBackground(
        this,
        [finder = m_finder, labels = m_document->snapshot(), told, stop = m_stop.get_token()]() -> Result<Found> {
            auto issues = finder->find(
                labels, [told](double share) { told->store(share); }, stop);
            if (!issues)
                return fail(issues.error());
            Found found{std::move(*issues)};
            if (evaluation::hasTracks(labels))
                found.clean = proofread::cleanShare(labels, found.issues);
            return found;
        },
        [this, poll, labels = m_document->snapshot(), generation = m_generation](Result<Found> found) {
            poll->deleteLater();
            m_working = false;
            if (generation == m_generation && found) {
                m_entries.clear();
                for (proofread::Issue& issue : found->issues)
                    m_entries.push_back({std::move(issue), State::Open});
                m_labels = labels;
                m_clean = found->clean;
                takeStates();
            } else if (generation == m_generation && found.error().code() != ErrorCode::Cancelled) {
                m_wanted = false;
                Q_EMIT problem(toUiError(found.error()));
            }
            Q_EMIT progressChanged();
            work();
        });
}

void IssueList::takeStates() {
    std::vector<proofread::Issue> issues;
    for (const Entry& entry : m_entries)
        issues.push_back(entry.issue);
    const std::vector<State> states = m_notes->log().statesOf(m_labels, issues);
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        m_entries[i].state = states[i];
    Q_EMIT changed();
}

std::size_t IssueList::openCount() const {
    return static_cast<std::size_t>(std::count_if(m_entries.begin(), m_entries.end(),
                                                  [](const Entry& entry) { return entry.state == State::Open; }));
}

proofread::ReviewLog::Progress IssueList::reviewed() const {
    std::vector<proofread::Issue> issues;
    for (const Entry& entry : m_entries)
        issues.push_back(entry.issue);
    return m_notes->log().progress(m_labels, issues);
}

std::vector<int> IssueList::openByTrack() const {
    std::vector<int> counts(m_labels.tracks().size(), 0);
    for (const Entry& entry : m_entries)
        if (entry.state == State::Open)
            for (const std::int32_t track : entry.issue.tracks)
                if (track >= 0 && static_cast<std::size_t>(track) < counts.size())
                    ++counts[static_cast<std::size_t>(track)];
    return counts;
}

void IssueList::setState(int entry, State state) {
    if (entry < 0 || static_cast<std::size_t>(entry) >= m_entries.size())
        return;
    Entry& changedEntry = m_entries[static_cast<std::size_t>(entry)];
    changedEntry.state = state;
    m_notes->edit().setState(m_labels, changedEntry.issue, state);
    Q_EMIT changed();
}

}  // namespace skein::ui
