// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "engine/tracking/tracker.h"

namespace skein::test {

/// Animals that walk about in an arena that grows with their number; noise on every node, 2 % of the nodes missing.
/// The same numbers give the same walk.
class WalkingAnimals {
public:
    WalkingAnimals(int animals, int nodes, unsigned seed) : m_random(seed), m_size(200 * std::sqrt(animals)) {
        std::uniform_real_distribution<double> place(0, m_size);
        std::normal_distribution<double> body(0, 15);
        for (int a = 0; a < animals; ++a) {
            m_centres.push_back({place(m_random), place(m_random)});
            m_headings.push_back(place(m_random));
            std::vector<tracking::PointD> shape;
            for (int k = 0; k < nodes; ++k)
                shape.push_back({body(m_random), body(m_random)});
            m_shapes.push_back(shape);
        }
    }

    /// The next frame: [animal][node], NaN where a node is missing.
    std::vector<std::vector<tracking::PointD>> next() {
        std::normal_distribution<double> noise(0, 0.7);
        std::normal_distribution<double> turn(0, 0.2);
        std::bernoulli_distribution missing(0.02);
        std::vector<std::vector<tracking::PointD>> frame;
        for (std::size_t a = 0; a < m_centres.size(); ++a) {
            m_headings[a] += turn(m_random);
            m_centres[a].x = std::clamp(m_centres[a].x + 4 * std::cos(m_headings[a]), 0.0, m_size);
            m_centres[a].y = std::clamp(m_centres[a].y + 4 * std::sin(m_headings[a]), 0.0, m_size);
            std::vector<tracking::PointD> points;
            for (const tracking::PointD& node : m_shapes[a]) {
                points.push_back(
                    {m_centres[a].x + node.x + noise(m_random), m_centres[a].y + node.y + noise(m_random)});
                if (missing(m_random))
                    points.back() = {std::nan(""), std::nan("")};
            }
            frame.push_back(points);
        }
        return frame;
    }

private:
    std::mt19937 m_random;
    double m_size;
    std::vector<tracking::PointD> m_centres;
    std::vector<double> m_headings;
    std::vector<std::vector<tracking::PointD>> m_shapes;
};

}  // namespace skein::test
