// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/project/labels.h"

// What all statistics share: going through recorded frames, and adding numbers up.
namespace skein::ui::statistic {

/// All instances of one frame.
struct Frame {
    std::int64_t index = 0;
    std::vector<project::InstanceView> instances;
};

/// Calls `visit` with every recorded frame of [first, last], in order.
inline void walk(const project::Labels& labels, std::uint32_t video, std::int64_t first, std::int64_t last,
                 const std::function<void(const Frame&)>& visit) {
    Frame frame;
    bool open = false;
    for (const std::size_t row : labels.rowsBetween(video, first, last)) {
        const project::FrameView view = labels.frame(row);
        if (open && view.frameIndex() != frame.index) {
            visit(frame);
            frame.instances.clear();
        }
        open = true;
        frame.index = view.frameIndex();
        for (std::size_t i = 0; i < view.instanceCount(); ++i)
            frame.instances.push_back(view.instance(i));
    }
    if (open)
        visit(frame);
}

/// The recorded frame that lies nearest before `frame`, or after it; nullopt: there is none.
inline std::optional<Frame> neighbour(const project::Labels& labels, std::uint32_t video, std::int64_t frame,
                                      int direction) {
    const auto row = direction < 0 ? labels.previousFrame(video, frame - 1) : labels.nextFrame(video, frame + 1);
    if (!row)
        return std::nullopt;
    Frame found;
    const std::int64_t index = labels.frame(*row).frameIndex();
    walk(labels, video, index, index, [&found](const Frame& f) { found = f; });
    return found;
}

/// Goes from `frame` on in a direction, as long as `visit` returns true.
inline void walkFrom(const project::Labels& labels, std::uint32_t video, std::int64_t frame, int direction,
                     const std::function<bool(const Frame&)>& visit) {
    for (auto next = neighbour(labels, video, frame, direction); next && visit(*next);
         next = neighbour(labels, video, next->index, direction)) {
    }
}

inline bool isPrediction(const project::InstanceView& instance) {
    return instance.header->kind == project::InstanceKind::Predicted;
}

inline double distance(const project::Point& a, const project::Point& b) {
    return a.exists() && b.exists() ? std::hypot(a.x - b.x, a.y - b.y) : project::kNaN;
}

/// Adds numbers up; what is not a number is passed over, and remembered.
class Reduction {
public:
    void add(double value) {
        if (std::isnan(value)) {
            m_missing = true;
            return;
        }
        m_sum += value;
        m_least = m_count == 0 ? value : std::min(m_least, value);
        m_most = m_count == 0 ? value : std::max(m_most, value);
        ++m_count;
    }
    [[nodiscard]] bool isMissingSome() const { return m_missing; }
    [[nodiscard]] std::int64_t count() const { return m_count; }
    [[nodiscard]] double sum() const { return m_sum; }
    [[nodiscard]] double mean() const { return m_count > 0 ? m_sum / static_cast<double>(m_count) : project::kNaN; }
    [[nodiscard]] double least(double otherwise) const { return m_count > 0 ? m_least : otherwise; }
    [[nodiscard]] double most(double otherwise) const { return m_count > 0 ? m_most : otherwise; }

private:
    double m_sum = 0, m_least = 0, m_most = 0;
    std::int64_t m_count = 0;
    bool m_missing = false;
};

}  // namespace skein::ui::statistic
