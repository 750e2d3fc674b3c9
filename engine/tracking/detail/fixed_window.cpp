// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "engine/tracking/detail/candidates.h"
#include "engine/tracking/detail/identity_order.h"

namespace skein::tracking {

namespace {

/// Remembers the last frames, whoever was in them.
class FixedWindow final : public CandidateStore {
public:
    explicit FixedWindow(const TrackerOptions& options)
        : m_records(static_cast<std::size_t>(options.windowSize)),
          m_minNewTrackPoints(options.minNewTrackPoints),
          m_untrackedColumn(options.matchSleapNn) {}

    [[nodiscard]] bool empty() const override { return m_count == 0; }
    [[nodiscard]] std::optional<int> freeIdentities() const override { return std::nullopt; }
    void list(CandidateTable& table, bool allUntracked) const override;
    void start(std::span<StoredInstance> instances, std::vector<Assignment>& out) override;
    void update(std::span<StoredInstance> instances, std::span<const Match> matches, const CandidateTable& table,
                std::vector<Assignment>& out) override;

private:
    struct Record {
        std::vector<StoredInstance> instances;  // the first `size` count; the others are spare storage
        std::size_t size = 0;
    };

    /// age 0 is the oldest.
    [[nodiscard]] const Record& record(std::size_t age) const { return m_records[(m_oldest + age) % m_records.size()]; }
    void listUntracked(CandidateTable& table, bool all) const;
    bool spawn(std::span<StoredInstance> instances);
    void remember(std::span<StoredInstance> instances);

    std::vector<Record> m_records;  // ring
    std::size_t m_oldest = 0, m_count = 0;
    int m_next = 0;
    int m_minNewTrackPoints;
    bool m_untrackedColumn;
    mutable IdentityOrder m_order;
    mutable std::vector<int> m_ids;
    mutable std::vector<std::size_t> m_columnOf;         // of an identity, where it is in the window
    mutable std::vector<const StoredInstance*> m_first;  // [columns, records], null where it is not
};

void FixedWindow::list(CandidateTable& table, bool allUntracked) const {
    table.clear();
    m_order.clear();
    bool untracked = false;
    for (std::size_t age = 0; age < m_count; ++age)
        for (std::size_t i = 0; i < record(age).size; ++i) {
            const int id = record(age).instances[i].trackId;
            if (id != kUntracked) {
                m_order.insert(id);
            } else if (m_untrackedColumn) {
                m_order.insertUnlisted();
                untracked = true;
            }
        }
    m_ids.clear();
    m_order.list(m_ids);
    // Where it stands among the identities depends on the interpreter there; it matters for exact ties only.
    if (untracked)
        m_ids.push_back(kUntracked);

    // The first instance of each identity in each record, found in one pass.
    m_columnOf.resize(static_cast<std::size_t>(m_next));
    std::size_t tracked = 0;
    for (const int id : m_ids)
        if (id != kUntracked)
            m_columnOf[static_cast<std::size_t>(id)] = tracked++;
    m_first.assign(tracked * m_count, nullptr);
    for (std::size_t age = 0; age < m_count; ++age)
        for (std::size_t i = 0; i < record(age).size; ++i) {
            const StoredInstance& instance = record(age).instances[i];
            if (instance.trackId == kUntracked)
                continue;
            const StoredInstance*& first =
                m_first[m_columnOf[static_cast<std::size_t>(instance.trackId)] * m_count + age];
            if (first == nullptr)
                first = &instance;
        }
    for (const int id : m_ids) {
        CandidateColumn column{id, table.candidates.size(), table.candidates.size()};
        if (id == kUntracked)
            listUntracked(table, allUntracked);
        else
            for (std::size_t age = 0; age < m_count; ++age)
                if (const StoredInstance* first = m_first[m_columnOf[static_cast<std::size_t>(id)] * m_count + age])
                    table.candidates.push_back({first, first->feature});
        column.end = table.candidates.size();
        table.columns.push_back(column);
    }
}

void FixedWindow::listUntracked(CandidateTable& table, bool all) const {
    for (std::size_t age = 0; age < m_count; ++age)
        for (std::size_t i = 0; i < record(age).size; ++i) {
            const StoredInstance& instance = record(age).instances[i];
            if (instance.trackId != kUntracked)
                continue;
            table.candidates.push_back({&instance, instance.feature});
            if (!all)
                break;
        }
}

bool FixedWindow::spawn(std::span<StoredInstance> instances) {
    bool any = false;
    for (StoredInstance& instance : instances)
        if (instance.trackId == kUntracked && instance.visible > m_minNewTrackPoints) {
            instance.trackId = m_next++;
            instance.score = 1.0;
            any = true;
        }
    return any;
}

void FixedWindow::remember(std::span<StoredInstance> instances) {
    std::size_t place = 0;
    if (m_count < m_records.size()) {
        place = (m_oldest + m_count) % m_records.size();
        ++m_count;
    } else {
        place = m_oldest;
        m_oldest = (m_oldest + 1) % m_records.size();
    }
    Record& record = m_records[place];
    if (record.instances.size() < instances.size())
        record.instances.resize(instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i)
        std::swap(record.instances[i], instances[i]);
    for (std::size_t i = instances.size(); i < record.instances.size(); ++i)
        record.instances[i].image.reset();
    record.size = instances.size();
}

void FixedWindow::start(std::span<StoredInstance> instances, std::vector<Assignment>& out) {
    const bool any = spawn(instances);
    for (const StoredInstance& instance : instances)
        if (instance.trackId != kUntracked)
            out.push_back({instance.detection, instance.trackId, instance.score});
    if (any)
        remember(instances);
}

void FixedWindow::update(std::span<StoredInstance> instances, std::span<const Match> matches,
                         const CandidateTable& table, std::vector<Assignment>& out) {
    for (const Match& match : matches) {
        instances[match.row].trackId = table.columns[match.column].trackId;
        instances[match.row].score = match.score;
    }
    // A detection matched with the column of those without identity has none either, and can only get one here if some
    // other detection of the frame is unmatched: kept for parity.
    if (matches.size() < instances.size())
        spawn(instances);
    for (const StoredInstance& instance : instances)
        if (instance.trackId != kUntracked)
            out.push_back({instance.detection, instance.trackId, instance.score});
    remember(instances);
}

}  // namespace

std::unique_ptr<CandidateStore> makeFixedWindow(const TrackerOptions& options) {
    return std::make_unique<FixedWindow>(options);
}

}  // namespace skein::tracking
