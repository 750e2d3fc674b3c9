// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/detail/link_doubts.h"

#include <algorithm>
#include <cmath>

#include "engine/proofread/detail/scan.h"

namespace skein::proofread {

namespace {

constexpr double kSpeedScore = 6;
constexpr double kFits = 0.5;  // bodies off the expected way at which nothing fits any more
constexpr double kFar = std::numeric_limits<double>::infinity();

double overlap(const Item& a, const Item& b) {
    const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
    const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    if (width <= 0 || height <= 0)
        return 0;
    const auto area = [](const Item& i) {
        return static_cast<double>(i.right - i.left) * static_cast<double>(i.bottom - i.top);
    };
    return width * height / (area(a) + area(b) - width * height);
}

}  // namespace

void LinkDoubts::look(std::int64_t frame, std::span<const Item> items,
                      std::span<const std::span<const project::Point>> points, std::span<const std::size_t> present,
                      std::span<const std::int32_t> active, const std::vector<Trail>& trails) {
    m_columnsHere = present.size();
    if (present.empty() || active.empty())
        return;
    m_rowTrack.assign(active.begin(), active.end());
    m_columnItem.assign(present.begin(), present.end());
    if (m_rowOfTrack.size() < trails.size())
        m_rowOfTrack.assign(trails.size(), -1);
    for (std::size_t row = 0; row < m_rowTrack.size(); ++row)
        m_rowOfTrack[static_cast<std::size_t>(m_rowTrack[row])] = static_cast<std::int64_t>(row);
    m_rowOfColumn.clear();
    m_columnOfRow.assign(m_rowTrack.size(), -1);
    for (std::size_t column = 0; column < m_columnItem.size(); ++column) {
        const std::int64_t row = m_rowOfTrack[static_cast<std::size_t>(items[m_columnItem[column]].track)];
        m_rowOfColumn.push_back(row);
        if (row >= 0)
            m_columnOfRow[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(column);
    }
    for (auto& costs : m_costs)
        costs.assign(m_rowTrack.size() * m_columnsHere, kFar);
    for (std::size_t row = 0; row < m_rowTrack.size(); ++row) {
        const Trail& trail = trails[static_cast<std::size_t>(m_rowTrack[row])];
        const auto gap = static_cast<double>(frame - trail.last().frame);
        const Vector v = trail.velocity(kVelocityFrames);
        const Vector way{v.x * gap, v.y * gap};
        const double reach = m_scale.body + 3 * m_scale.step95 * gap;
        for (std::size_t column = 0; column < m_columnsHere; ++column) {
            const Item& item = items[m_columnItem[column]];
            const double still = std::hypot(item.x - trail.last().x, item.y - trail.last().y);
            const double moved = std::hypot(item.x - trail.last().x - way.x, item.y - trail.last().y - way.y);
            const bool own = m_rowOfColumn[column] == static_cast<std::int64_t>(row);
            // Beyond reach an animal cannot have gone; poses matter only near by.
            if (!own && std::min(still, moved) > reach)
                continue;
            const auto pose = points[m_columnItem[column]];
            cost(AsItWas, row, column) = poseDistance(trail.points, {}, pose, still);
            cost(AsItWasHeading, row, column) = poseDistance(trail.points, way, pose, moved);
            cost(Boxes, row, column) = 1 - overlap(trail.item, item);
        }
    }
    speeds(frame, items, trails);
    swaps(frame, items);
    otherLinks(frame, items);
    for (const std::int32_t track : m_rowTrack)
        m_rowOfTrack[static_cast<std::size_t>(track)] = -1;
}

void LinkDoubts::speeds(std::int64_t frame, std::span<const Item> items, const std::vector<Trail>& trails) {
    for (std::size_t column = 0; column < m_columnsHere; ++column) {
        if (m_rowOfColumn[column] < 0)
            continue;
        const Item& item = items[m_columnItem[column]];
        const Trail::Place& last = trails[static_cast<std::size_t>(item.track)].last();
        // A centroid also moves when a node is missing, and a pose when a node is wrong.
        const double way = std::min(cost(AsItWas, static_cast<std::size_t>(m_rowOfColumn[column]), column),
                                    std::hypot(item.x - last.x, item.y - last.y));
        const double speed = way / static_cast<double>(frame - last.frame);
        const double score = (speed - m_scale.speedMedian) / (1.4826 * m_scale.speedDeviation + 0.2);
        if (score > kSpeedScore && speed > m_options.jumpBodies * m_scale.body)
            m_signals.push_back({SignalKind::Speed, m_video, frame, item.track, -1, item.id, 0,
                                 std::min(1.0, score / 20), speed, m_scale.speedMedian});
    }
}

void LinkDoubts::swaps(std::int64_t frame, std::span<const Item> items) {
    for (std::size_t c = 0; c < m_columnsHere; ++c)
        for (std::size_t d = c + 1; d < m_columnsHere; ++d) {
            if (m_rowOfColumn[c] < 0 || m_rowOfColumn[d] < 0)
                continue;
            const auto rowC = static_cast<std::size_t>(m_rowOfColumn[c]);
            const auto rowD = static_cast<std::size_t>(m_rowOfColumn[d]);
            const double keep = cost(AsItWasHeading, rowC, c) + cost(AsItWasHeading, rowD, d);
            const double swap = cost(AsItWasHeading, rowC, d) + cost(AsItWasHeading, rowD, c);
            const double strength = (keep - swap) / (keep + swap + 0.01 * m_scale.body);
            if (!(strength > m_options.leastSwap))
                continue;
            const Item &a = items[m_columnItem[c]], &b = items[m_columnItem[d]];
            m_signals.push_back(
                {SignalKind::SwapGain, m_video, frame, a.track, b.track, a.id, b.id, strength, keep, swap});
        }
}

bool LinkDoubts::isPlainlyBest(View view) const {
    const auto& costs = m_costs[view];
    for (std::size_t row = 0; row < m_rowTrack.size(); ++row)
        for (std::size_t column = 0; column < m_columnsHere; ++column) {
            const std::int64_t own = m_rowOfColumn[column];
            if (own == static_cast<std::int64_t>(row))
                continue;
            const double here = costs[row * m_columnsHere + column];
            if (here == kFar)
                continue;
            // A detection of a track without a recent place would be linked, if any row had it.
            if (own < 0 || !(here > costs[static_cast<std::size_t>(own) * m_columnsHere + column]))
                return false;
            if (m_columnOfRow[row] >= 0 &&
                !(here > costs[row * m_columnsHere + static_cast<std::size_t>(m_columnOfRow[row])]))
                return false;
        }
    return true;
}

void LinkDoubts::otherLinks(std::int64_t frame, std::span<const Item> items) {
    m_others.clear();
    for (const View view : {AsItWas, AsItWasHeading, Boxes}) {
        if (isPlainlyBest(view))
            continue;
        for (const AssignedPair& pair : m_assigner.minimise(m_costs[view], m_rowTrack.size(), m_columnsHere)) {
            const auto row = static_cast<std::size_t>(pair.row), column = static_cast<std::size_t>(pair.column);
            if (m_rowOfColumn[column] == pair.row || (view == Boxes && !(cost(Boxes, row, column) < 1)))
                continue;
            const auto same = std::find_if(m_others.begin(), m_others.end(), [&](const Other& other) {
                return other.column == column && other.row == row;
            });
            if (same != m_others.end())
                ++same->views;
            else
                m_others.push_back({column, row, 1});
        }
    }
    for (const Other& other : m_others) {
        const Item& item = items[m_columnItem[other.column]];
        const std::int32_t taken = m_columnOfRow[other.row];
        const double strength = other.views / static_cast<double>(kViews) * likelihood(other.row, other.column);
        if (!(strength > 0))
            continue;
        m_signals.push_back({SignalKind::Ensemble, m_video, frame, item.track, m_rowTrack[other.row], item.id,
                             taken < 0 ? 0 : items[m_columnItem[static_cast<std::size_t>(taken)]].id, strength, 0, 0});
    }
}

double LinkDoubts::likelihood(std::size_t row, std::size_t column) const {
    const std::int64_t own = m_rowOfColumn[column];
    const std::int32_t taken = m_columnOfRow[row];
    const auto way = [this](std::int64_t r, std::int64_t c) {
        return m_costs[AsItWasHeading][static_cast<std::size_t>(r) * m_columnsHere + static_cast<std::size_t>(c)];
    };
    const double here = way(static_cast<std::int64_t>(row), static_cast<std::int64_t>(column));
    if (own >= 0 && taken >= 0)
        return 1;
    // Somebody came or went, so that the number of links differs: it must fit well, or better than what it replaces.
    if (own < 0 && taken < 0)
        return std::clamp(1 - here / (kFits * m_scale.body), 0.0, 1.0);
    const double kept =
        own < 0 ? way(static_cast<std::int64_t>(row), taken) : way(own, static_cast<std::int64_t>(column));
    return std::clamp((kept - here) / (kept + here + 0.01 * m_scale.body), 0.0, 1.0);
}

}  // namespace skein::proofread
