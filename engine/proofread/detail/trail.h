// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "engine/project/labels.h"
#include "engine/proofread/detail/columns.h"

namespace skein::proofread {

struct Vector {
    double x = 0, y = 0;
};

/// The last places of a track.
struct Trail {
    struct Place {
        std::int64_t frame = 0;
        double x = 0, y = 0;
    };
    static constexpr int kMost = 5;
    std::array<Place, kMost> places{};  ///< oldest first
    int count = 0;
    Item item;                               ///< the last one
    std::span<const project::Point> points;  ///< and its pose

    [[nodiscard]] bool isKnown() const { return count > 0; }
    [[nodiscard]] const Place& last() const { return places[static_cast<std::size_t>(count - 1)]; }

    void add(std::int64_t frame, const Item& newest, std::span<const project::Point> pose) {
        if (count == kMost) {
            std::move(places.begin() + 1, places.end(), places.begin());
            --count;
        }
        places[static_cast<std::size_t>(count++)] = {frame, newest.x, newest.y};
        item = newest;
        points = pose;
    }

    /// Mean velocity over at most `frames` frames before the last place, in pixels a frame.
    [[nodiscard]] Vector velocity(std::int64_t frames) const {
        for (int k = 0; k + 1 < count; ++k) {
            const Place& place = places[static_cast<std::size_t>(k)];
            if (last().frame - place.frame > frames)
                continue;
            const auto steps = static_cast<double>(last().frame - place.frame);
            return {(last().x - place.x) / steps, (last().y - place.y) / steps};
        }
        return {};
    }
};

/// Mean distance of the nodes known in both poses, the first moved by `by`; `otherwise` if there is none.
[[nodiscard]] inline double poseDistance(std::span<const project::Point> from, Vector by,
                                         std::span<const project::Point> to, double otherwise) {
    double sum = 0;
    int count = 0;
    for (std::size_t n = 0; n < std::min(from.size(), to.size()); ++n)
        if (from[n].exists() && to[n].exists()) {
            sum += std::sqrt((from[n].x + by.x - to[n].x) * (from[n].x + by.x - to[n].x) +
                             (from[n].y + by.y - to[n].y) * (from[n].y + by.y - to[n].y));
            ++count;
        }
    return count == 0 ? otherwise : sum / count;
}

}  // namespace skein::proofread
