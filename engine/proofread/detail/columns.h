// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/project/labels.h"

// What the signs of one video are computed from: its shown instances as columns, and its usual sizes and speeds.
namespace skein::proofread {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Counts of positive values in 32 bins an octave, for medians that come out the same in whatever order values came and
/// went. A quantile is the middle of its bin: within 1.6 %.
class LogHistogram {
public:
    void add(double value, std::int64_t times = 1) {
        const std::size_t bin = binOf(value);
        if (m_counts.empty())
            m_counts.assign(kBins, 0);
        m_counts[bin] += times;
        m_total += times;
    }
    [[nodiscard]] std::int64_t total() const { return m_total; }
    /// 0 when it is empty.
    [[nodiscard]] double quantile(double q) const;
    /// Median distance of the values from `centre`.
    [[nodiscard]] double deviation(double centre) const;

private:
    static constexpr int kOctaves = 64, kShift = 52 - 5;  // 5 bits of the mantissa: 32 bins an octave
    static constexpr std::size_t kBins = kOctaves * 32;
    static constexpr std::uint64_t kFirst = static_cast<std::uint64_t>(1023 - kOctaves / 2) << 5;
    static std::size_t binOf(double value) {
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) >> kShift;
        if (!(value > 0) || bits < kFirst)
            return 0;
        return std::min<std::size_t>(bits - kFirst, kBins - 1);
    }
    static double middleOf(std::size_t bin) {
        return bin == 0 ? 0.0 : std::bit_cast<double>(((kFirst + bin) << kShift) + (std::uint64_t{1} << (kShift - 1)));
    }
    std::vector<std::int64_t> m_counts;
    std::int64_t m_total = 0;
};

/// A shown instance.
struct Item {
    project::InstanceId id = 0;
    double x = 0, y = 0;                             ///< mean of the nodes that are there; NaN: none is
    float left = 0, top = 0, right = 0, bottom = 0;  ///< their box
    float score = 0;                                 ///< mean score of the nodes; NaN: of a person, or not known
    std::int32_t track = -1;
    std::uint32_t place = 0;  ///< in its frame
    std::uint32_t skeleton = 0;
    bool user = false;
    bool complete = false;    ///< all its nodes are there
    std::uint32_t nodes = 0;  ///< that are there

    [[nodiscard]] bool somewhere() const { return x == x; }
    [[nodiscard]] double diagonal() const { return std::hypot(right - left, bottom - top); }
};

struct Slot {
    std::int64_t frame = 0;
    std::size_t row = 0;
    std::size_t begin = 0, end = 0;  ///< in Columns::items
};

struct Columns {
    std::vector<Slot> slots;  ///< by frame, each frame once
    std::vector<Item> items;
    [[nodiscard]] std::size_t firstSlotFrom(std::int64_t frame) const;
};

struct EdgeNorm {
    double median = 0, deviation = 0;  ///< 0: too few to tell
    friend bool operator==(const EdgeNorm&, const EdgeNorm&) = default;
};

/// What is usual in a video. Values come from bins, so that they stay exactly as they are through most edits.
struct Scale {
    double body = 0;                             ///< median diagonal of boxes in pixels; at least 1
    double speedMedian = 0, speedDeviation = 0;  ///< of centroids, pixels a frame
    double step95 = 0;                           ///< 95 % of steps stay below
    double lowScore = 0;                         ///< mean node scores below this are low
    double scoreMedian = 0;
    std::size_t usualCount = 0;                ///< instances a frame, most often
    std::vector<std::vector<EdgeNorm>> edges;  ///< [skeleton][edge]
    friend bool operator==(const Scale&, const Scale&) = default;
};

/// Lengths of a video's edges.
struct EdgeLengths {
    std::vector<std::vector<LogHistogram>> of;  ///< [skeleton][edge]
    /// Adds a frame's edges, or takes them away.
    void count(const project::Labels& labels, const Columns& columns, const Slot& slot, std::int64_t times);
};

/// The frame's shown instances, appended to `items`.
void appendItems(const project::FrameView& frame, std::vector<Item>& items);

/// All of a video at once.
[[nodiscard]] Columns columnsOf(const project::Labels& labels, std::uint32_t video);

[[nodiscard]] Scale scaleOf(const Columns& columns, const EdgeLengths& edges, double scoreQuantile);

}  // namespace skein::proofread
