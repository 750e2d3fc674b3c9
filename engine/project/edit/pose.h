// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engine/project/labels.h"

/// Plane geometry on the points of one instance. Coordinates are those of Point: pixels, x right, y down, (0, 0) the
/// centre of the top-left pixel. Points without a place (NaN) stay without one; flags and scores are kept.
namespace skein::project::edit {

using Pose = std::vector<Point>;

struct Vec {
    double x = 0;
    double y = 0;
};

/// Left <= right, top <= bottom; all four sides belong to it.
struct Box {
    double left = 0, top = 0, right = 0, bottom = 0;
    [[nodiscard]] double width() const { return right - left; }
    [[nodiscard]] double height() const { return bottom - top; }
    [[nodiscard]] Vec centre() const { return {(left + right) / 2, (top + bottom) / 2}; }
    [[nodiscard]] double diagonal() const;
    [[nodiscard]] bool contains(double x, double y) const { return x >= left && x <= right && y >= top && y <= bottom; }
};

/// A point can be drawn and dragged: it has a place, visible or not.
[[nodiscard]] inline bool hasPlace(const Point& p) noexcept {
    return p.x == p.x && p.y == p.y;
}

/// False when no point has a place; `box` is then untouched.
[[nodiscard]] bool boundsOf(std::span<const Point> pose, Box& box);

/// Where points may be: the centres of the outermost pixels. An unknown size (0) sets no limit: false.
[[nodiscard]] bool frameBox(int width, int height, Box& box);

[[nodiscard]] Pose moved(Pose pose, Vec by);
/// Clockwise as seen on the screen for positive `degrees`.
[[nodiscard]] Pose rotated(Pose pose, Vec about, double degrees);
[[nodiscard]] Pose scaled(Pose pose, Vec fixed, double factorX, double factorY);

/// The part of `by` that keeps every point of `pose` inside `box`, axis by axis; points that are outside already do
/// not count.
[[nodiscard]] Vec movableBy(std::span<const Point> pose, Vec by, const Box& box);
/// Every point that `before` had inside is brought back inside, each by itself.
[[nodiscard]] Pose clamped(Pose pose, std::span<const Point> before, const Box& box);
/// The whole pose inside `box`: pushed there, and shrunk first if it is too large.
[[nodiscard]] Pose fittedInto(Pose pose, const Box& box);

/// Mean of poses after each is turned and shifted onto the others (Procrustes without scaling, so that the size is the
/// mean size); nodes that no pose has stay absent. All poses have `nodes` points. Centred at (0, 0).
[[nodiscard]] Pose meanPose(const std::vector<Pose>& poses, std::size_t nodes);

/// Layout of the skeleton's graph by springs and repulsion (Fruchterman and Reingold 1991) from a fixed circle, the
/// same each time; bounding box at most `size` wide and high, centred at (0, 0). All points visible and incomplete.
[[nodiscard]] Pose springLayout(const Skeleton& skeleton, double size);

/// Gives each absent point the place that `model` has for it once laid over the points that are there; what `model`
/// lacks too goes beside its neighbours. New points are `visible` as asked and incomplete.
[[nodiscard]] Pose completed(Pose pose, const Pose& model, const Skeleton& skeleton, bool visible);

}  // namespace skein::project::edit
