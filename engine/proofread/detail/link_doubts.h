// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/assignment.h"
#include "engine/proofread/detail/trail.h"
#include "engine/proofread/issues.h"

namespace skein::proofread {

/// SwapGain, Ensemble and Speed of one frame after another.
class LinkDoubts {
public:
    LinkDoubts(std::uint32_t video, const Scale& scale, const IssueOptions& options, std::vector<Signal>& signals)
        : m_video(video), m_scale(scale), m_options(options), m_signals(signals) {}

    /// `present`: those of `items` that have a track and a place. `active`: tracks whose trail is known and recent.
    void look(std::int64_t frame, std::span<const Item> items, std::span<const std::span<const project::Point>> points,
              std::span<const std::size_t> present, std::span<const std::int32_t> active,
              const std::vector<Trail>& trails);

private:
    /// What is compared of a track and a detection.
    enum View { AsItWas, AsItWasHeading, Boxes, kViews };

    void speeds(std::int64_t frame, std::span<const Item> items, const std::vector<Trail>& trails);
    void swaps(std::int64_t frame, std::span<const Item> items);
    void otherLinks(std::int64_t frame, std::span<const Item> items);
    [[nodiscard]] double& cost(View view, std::size_t row, std::size_t column) {
        return m_costs[view][row * m_columnsHere + column];
    }
    /// How well a row's track fits a detection that the file does not link it to, 0 to 1.
    [[nodiscard]] double likelihood(std::size_t row, std::size_t column) const;
    /// Whether each found link is the best in its row and its column: then no other assignment is better.
    [[nodiscard]] bool isPlainlyBest(View view) const;

    std::uint32_t m_video;
    const Scale& m_scale;
    const IssueOptions& m_options;
    std::vector<Signal>& m_signals;

    // Of one frame: rows are recent tracks, columns are detections.
    std::vector<std::int32_t> m_rowTrack;
    std::vector<std::size_t> m_columnItem;
    std::vector<std::int64_t> m_rowOfColumn;  // the row that the file links to; -1: a track without a recent place
    std::vector<std::int32_t> m_columnOfRow;
    std::vector<std::int64_t> m_rowOfTrack;  // by track; valid for those in m_rowTrack
    std::size_t m_columnsHere = 0;
    std::vector<double> m_costs[kViews];
    Assigner m_assigner;
    struct Other {
        std::size_t column = 0, row = 0;
        int views = 0;
    };
    std::vector<Other> m_others;
};

}  // namespace skein::proofread
