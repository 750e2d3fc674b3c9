// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <span>
#include <vector>

#include "engine/proofread/detail/scan.h"
#include "engine/proofread/detail/trail.h"

namespace skein::proofread {

/// Duplicates, changes of sides, odd edges, low scores and encounters of one frame after another.
class PoseDoubts {
public:
    PoseDoubts(const project::Labels& labels, const Scale& scale, const IssueOptions& options,
               std::vector<PoseDoubt>& doubts)
        : m_labels(labels), m_scale(scale), m_options(options), m_doubts(doubts) {}

    /// `trails`: as before this frame; those of tracks that were not seen lately are empty.
    void look(std::int64_t frame, std::span<const Item> items, std::span<const std::span<const project::Point>> points,
              const std::vector<Trail>& trails);

private:
    void pairs(std::int64_t frame, std::span<const Item> items,
               std::span<const std::span<const project::Point>> points);
    void sides(std::int64_t frame, const Item& item, std::span<const project::Point> pose, const Trail& trail);
    void edges(std::int64_t frame, const Item& item, std::span<const project::Point> pose);
    /// 0 where two instances are two animals.
    [[nodiscard]] double sameness(const Item& a, std::span<const project::Point> poseA, const Item& b,
                                  std::span<const project::Point> poseB) const;

    const project::Labels& m_labels;
    const Scale& m_scale;
    const IssueOptions& m_options;
    std::vector<PoseDoubt>& m_doubts;
};

}  // namespace skein::proofread
