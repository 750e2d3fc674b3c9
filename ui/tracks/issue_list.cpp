// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/issue_list.h"

#include <algorithm>
#include <atomic>

#include "ui/bridge/background.h"
#include "ui/text.h"

namespace skein::ui {

namespace {
constexpr int kSaveAfterMs = 500;
}

IssueList::IssueList(Document* document, QObject* parent)
    : QObject(parent), m_document(document), m_finder(std::make_shared<proofread::IssueFinder>()) {
    m_saveDelay.setSingleShot(true);
    m_saveDelay.setInterval(kSaveAfterMs);
    connect(&m_saveDelay, &QTimer::timeout, this, &IssueList::write);
    connect(document, &Document::opened, this, &IssueList::reset);
    connect(document, &Document::changed, this, [this] {
        if (!m_wanted)
            return;
        m_dirty = true;
        work();
    });
    connect(document, &Document::saved, this, [this] {
        if (!m_log.isEmpty()) {  // the project may have another name now
            m_unsaved = true;
            m_saveDelay.start();
        }
    });
}

IssueList::~IssueList() {
    m_stop.request_stop();
    if (m_unsaved && !m_document->path().isEmpty())  // said in the last moment before the window closed
        (void)m_log.write(proofread::ReviewLog::pathFor(text::toPath(m_document->path())));
}

void IssueList::reset() {
    ++m_generation;
    m_stop.request_stop();
    m_saveDelay.stop();
    m_finder = std::make_shared<proofread::IssueFinder>();
    m_entries.clear();
    m_labels = project::Labels();
    m_log = proofread::ReviewLog();
    m_wanted = m_dirty = m_unsaved = false;
    m_clean = 1;
    read();
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
        double clean = 1;
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
            Found found{std::move(*issues), 1};
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
    const std::vector<State> states = m_log.statesOf(m_labels, issues);
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        m_entries[i].state = states[i];
    Q_EMIT changed();
}

int IssueList::nextOpen(int after, int direction) const {
    const int count = static_cast<int>(m_entries.size());
    if (after < 0 && direction < 0)
        after = 0;
    for (int step = 1; step <= count; ++step) {
        const int entry = ((after + direction * step) % count + count) % count;
        if (m_entries[static_cast<std::size_t>(entry)].state == State::Open)
            return entry;
    }
    return -1;
}

std::size_t IssueList::openCount() const {
    return static_cast<std::size_t>(std::count_if(m_entries.begin(), m_entries.end(),
                                                  [](const Entry& entry) { return entry.state == State::Open; }));
}

proofread::ReviewLog::Progress IssueList::reviewed() const {
    std::vector<proofread::Issue> issues;
    for (const Entry& entry : m_entries)
        issues.push_back(entry.issue);
    return m_log.progress(m_labels, issues);
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
    m_log.setState(m_labels, changedEntry.issue, state);
    m_unsaved = true;
    m_saveDelay.start();
    Q_EMIT changed();
}

void IssueList::read() {
    if (m_document->path().isEmpty())
        return;
    inBackground(
        this,
        [path = proofread::ReviewLog::pathFor(text::toPath(m_document->path()))] {
            return proofread::ReviewLog::read(path);
        },
        [this, generation = m_generation](Result<proofread::ReviewLog> log) {
            if (generation != m_generation)
                return;
            if (!log) {
                Q_EMIT problem(toUiError(log.error()));
                return;
            }
            m_log = std::move(*log);
            if (!m_entries.empty())
                takeStates();
        });
}

void IssueList::write() {
    if (!m_unsaved || m_document->path().isEmpty() || m_document->isReadOnly())
        return;
    if (m_saving) {
        m_saveDelay.start();
        return;
    }
    m_unsaved = false;
    m_saving = true;
    inBackground(
        this,
        [log = m_log, path = proofread::ReviewLog::pathFor(text::toPath(m_document->path()))] {
            return log.write(path);
        },
        [this](const Result<void>& done) {
            m_saving = false;
            if (!done)
                Q_EMIT problem(toUiError(done.error()));
        });
}

}  // namespace skein::ui
