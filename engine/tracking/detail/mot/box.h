// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <cmath>

namespace skein::tracking {

/// Axis-parallel box in pixels; as a default nowhere (NaN).
struct Box {
    double left = std::nan(""), top = std::nan(""), right = std::nan(""), bottom = std::nan("");

    [[nodiscard]] double width() const { return right - left; }
    [[nodiscard]] double height() const { return bottom - top; }
    [[nodiscard]] double centreX() const { return 0.5 * (left + right); }
    [[nodiscard]] double centreY() const { return 0.5 * (top + bottom); }
    [[nodiscard]] double area() const { return std::max(0.0, width()) * std::max(0.0, height()); }
    [[nodiscard]] bool exists() const { return std::isfinite(left + top + right + bottom); }

    /// Grown by `padding` of the longer side on each side, then to at least `least` pixels a side.
    [[nodiscard]] Box padded(double padding, double least) const {
        const double grow = padding * std::max(width(), height());
        const double x = std::max(grow, 0.5 * (least - width()));
        const double y = std::max(grow, 0.5 * (least - height()));
        return {left - x, top - y, right + x, bottom + y};
    }
    [[nodiscard]] static Box around(double x, double y, double width, double height) {
        return {x - 0.5 * width, y - 0.5 * height, x + 0.5 * width, y + 0.5 * height};
    }
};

[[nodiscard]] inline double commonArea(const Box& a, const Box& b) {
    const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
    const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    return width > 0 && height > 0 ? width * height : 0.0;  // 0 too where a box is nowhere
}

/// Intersection over union, 0 to 1; 0 where a box is nowhere.
[[nodiscard]] inline double overlap(const Box& a, const Box& b) {
    const double common = commonArea(a, b);
    return common > 0 ? std::min(1.0, common / (a.area() + b.area() - common)) : 0.0;
}

}  // namespace skein::tracking
