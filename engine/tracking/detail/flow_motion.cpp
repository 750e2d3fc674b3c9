// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>

#include "engine/tracking/detail/candidate_motion.h"
#include "engine/tracking/detail/features.h"
#include "engine/tracking/detail/optical_flow.h"

namespace skein::tracking {

namespace {

/// Moves every remembered instance from its own frame straight to the current one.
class FlowMotion final : public CandidateMotion {
public:
    explicit FlowMotion(const TrackerOptions& options)
        : m_flow(options), m_feature(options.feature), m_queues(options.candidates == CandidateMethod::LocalQueues) {}

    void beginFrame(std::int64_t /*frameIndex*/, const Image* image) override {
        m_current = image == nullptr ? nullptr : m_flow.prepare(*image);
    }
    [[nodiscard]] std::shared_ptr<const FlowImage> currentImage() const override { return m_current; }
    [[nodiscard]] bool wantsAllUntracked() const override { return true; }
    void move(CandidateTable& table) override;
    void endFrame(const CandidateStore& /*store*/) override {}

private:
    /// Candidates of one frame: their points go through the flow in one call.
    struct Group {
        std::int64_t frame = 0;
        const FlowImage* image = nullptr;
        std::vector<std::size_t> candidates;
    };
    void moveGroup(const Group& group, CandidateTable& table);
    void sortColumns(CandidateTable& table) const;

    OpticalFlow m_flow;
    Feature m_feature;
    bool m_queues;
    std::shared_ptr<const FlowImage> m_current;
    std::vector<Group> m_groups;
    std::vector<std::size_t> m_groupOf;  // of each candidate
    std::vector<std::vector<double>> m_features;
    std::vector<PointD> m_points, m_moved;
};

void FlowMotion::move(CandidateTable& table) {
    m_groups.clear();
    m_groupOf.assign(table.candidates.size(), 0);
    for (std::size_t i = 0; i < table.candidates.size(); ++i) {
        const StoredInstance& source = *table.candidates[i].source;
        auto group = std::find_if(m_groups.begin(), m_groups.end(), [&source](const Group& g) {
            return g.frame == source.frameIndex && g.image == source.image.get();
        });
        if (group == m_groups.end()) {
            m_groups.push_back({source.frameIndex, source.image.get(), {}});
            group = std::prev(m_groups.end());
        }
        group->candidates.push_back(i);
        m_groupOf[i] = static_cast<std::size_t>(group - m_groups.begin());
    }
    if (m_features.size() < table.candidates.size())
        m_features.resize(table.candidates.size());
    if (m_current)
        for (const Group& group : m_groups)
            if (group.image != nullptr)
                moveGroup(group, table);
    if (m_queues)
        sortColumns(table);
}

void FlowMotion::moveGroup(const Group& group, CandidateTable& table) {
    m_points.clear();
    for (const std::size_t i : group.candidates) {
        const auto& points = table.candidates[i].source->points;
        m_points.insert(m_points.end(), points.begin(), points.end());
    }
    if (!m_flow.move(*group.image, *m_current, m_points, m_moved))
        return;
    std::size_t begin = 0;
    for (const std::size_t i : group.candidates) {
        const std::size_t count = table.candidates[i].source->points.size();
        computeFeature(m_feature, std::span(m_moved).subspan(begin, count), m_features[i]);
        // The flow gives single precision, in which sleap-nn also takes the median.
        for (double& value : m_features[i])
            value = static_cast<double>(static_cast<float>(value));
        table.candidates[i].feature = m_features[i];
        begin += count;
    }
}

/// sleap-nn appends candidates frame by frame, in the order in which frames turn up in the queues. The order decides
/// the last bit of a mean.
void FlowMotion::sortColumns(CandidateTable& table) const {
    std::vector<std::size_t> order;
    std::vector<Candidate> sorted;
    for (const CandidateColumn& column : table.columns) {
        order.clear();
        for (std::size_t i = column.begin; i < column.end; ++i)
            order.push_back(i);
        std::stable_sort(order.begin(), order.end(),
                         [this](std::size_t a, std::size_t b) { return m_groupOf[a] < m_groupOf[b]; });
        sorted.clear();
        for (const std::size_t i : order)
            sorted.push_back(table.candidates[i]);
        std::copy(sorted.begin(), sorted.end(), table.candidates.begin() + static_cast<std::ptrdiff_t>(column.begin));
    }
}

}  // namespace

std::unique_ptr<CandidateMotion> makeFlowMotion(const TrackerOptions& options) {
    return std::make_unique<FlowMotion>(options);
}

}  // namespace skein::tracking
