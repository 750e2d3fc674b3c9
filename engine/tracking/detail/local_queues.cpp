// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "engine/tracking/detail/candidates.h"

namespace skein::tracking {

namespace {

/// Remembers the last instances of each identity, however long ago they were seen. Identities are 0, 1, 2, ... and the
/// column of an identity is its number.
class LocalQueues final : public CandidateStore {
public:
    explicit LocalQueues(const TrackerOptions& options)
        : m_windowSize(static_cast<std::size_t>(options.windowSize)),
          m_maxTracks(options.maxTracks),
          m_minNewTrackPoints(options.minNewTrackPoints) {}

    [[nodiscard]] bool empty() const override { return m_queues.empty(); }
    [[nodiscard]] std::optional<int> freeIdentities() const override {
        if (!m_maxTracks)
            return std::nullopt;
        return std::max(0, *m_maxTracks - static_cast<int>(m_queues.size()));
    }
    void list(CandidateTable& table, bool allUntracked) const override;
    void start(std::span<StoredInstance> instances, std::vector<Assignment>& out) override;
    void update(std::span<StoredInstance> instances, std::span<const Match> matches, const CandidateTable& table,
                std::vector<Assignment>& out) override;

private:
    struct Queue {
        std::vector<StoredInstance> ring;  // grows to the window's size
        std::size_t oldest = 0;
    };

    bool spawn(StoredInstance& instance);
    void push(StoredInstance& instance);

    std::vector<Queue> m_queues;  // by identity
    std::size_t m_windowSize;
    std::optional<int> m_maxTracks;
    int m_minNewTrackPoints;
    std::vector<bool> m_matched;
};

void LocalQueues::list(CandidateTable& table, bool /*allUntracked*/) const {
    table.clear();
    for (std::size_t id = 0; id < m_queues.size(); ++id) {
        const Queue& queue = m_queues[id];
        CandidateColumn column{static_cast<int>(id), table.candidates.size(), 0};
        for (std::size_t age = 0; age < queue.ring.size(); ++age) {
            const StoredInstance& instance = queue.ring[(queue.oldest + age) % queue.ring.size()];
            table.candidates.push_back({&instance, instance.feature});
        }
        column.end = table.candidates.size();
        table.columns.push_back(column);
    }
}

bool LocalQueues::spawn(StoredInstance& instance) {
    const int id = static_cast<int>(m_queues.size());
    if (m_maxTracks && id > 0 && id >= *m_maxTracks)
        return false;
    m_queues.emplace_back();
    instance.trackId = id;
    instance.score = 1.0;
    return true;
}

/// Swaps the instance into its queue; what comes back is spare storage.
void LocalQueues::push(StoredInstance& instance) {
    Queue& queue = m_queues[static_cast<std::size_t>(instance.trackId)];
    if (queue.ring.size() < m_windowSize) {
        queue.ring.emplace_back();
        std::swap(queue.ring.back(), instance);
        return;
    }
    std::swap(queue.ring[queue.oldest], instance);
    queue.oldest = (queue.oldest + 1) % queue.ring.size();
    instance.image.reset();
}

void LocalQueues::start(std::span<StoredInstance> instances, std::vector<Assignment>& out) {
    for (StoredInstance& instance : instances) {
        if (instance.visible <= m_minNewTrackPoints) {
            out.push_back({instance.detection, kUntracked, 0.0});
            continue;
        }
        if (!spawn(instance))
            continue;
        out.push_back({instance.detection, instance.trackId, instance.score});
        push(instance);
    }
}

void LocalQueues::update(std::span<StoredInstance> instances, std::span<const Match> matches,
                         const CandidateTable& table, std::vector<Assignment>& out) {
    m_matched.assign(instances.size(), false);
    for (const Match& match : matches) {
        StoredInstance& instance = instances[match.row];
        instance.trackId = table.columns[match.column].trackId;
        instance.score = match.score;
        m_matched[match.row] = true;
        out.push_back({instance.detection, instance.trackId, instance.score});
    }
    for (std::size_t row = 0; row < instances.size(); ++row)
        if (m_matched[row])
            push(instances[row]);
    for (std::size_t row = 0; row < instances.size(); ++row) {
        StoredInstance& instance = instances[row];
        if (m_matched[row] || instance.visible <= m_minNewTrackPoints || !spawn(instance))
            continue;
        out.push_back({instance.detection, instance.trackId, instance.score});
        push(instance);
    }
}

}  // namespace

std::unique_ptr<CandidateStore> makeLocalQueues(const TrackerOptions& options) {
    return std::make_unique<LocalQueues>(options);
}

}  // namespace skein::tracking
