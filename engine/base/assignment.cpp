// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/assignment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/base/result.h"

namespace skein {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int32_t kNone = -1;

void expectMatrix(std::span<const double> cost, std::size_t rows, std::size_t columns) {
    constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
    SKEIN_EXPECTS(rows <= kMost && columns <= kMost, "cost matrix too large");
    SKEIN_EXPECTS(cost.size() == rows * columns, "cost matrix must be rows x columns");
}

std::size_t place(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

}  // namespace

/// Points at a matrix that has at least as many columns as rows and finite cells only.
const double* Assigner::prepare(std::span<const double> cost, std::size_t rows, std::size_t columns) {
    double largest = 0;
    bool forbidden = false;
    for (const double value : cost) {
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(value));
        else
            forbidden = true;
    }
    const bool transposed = rows > columns;
    if (!forbidden && !transposed)
        return cost.data();
    // Dearer than any complete assignment of allowed cells, so that it is taken only where nothing else is left. As
    // long as it is not taken, no search step and no rounding depends on its value.
    const double standIn = 2 * (largest + 1) * (static_cast<double>(std::min(rows, columns)) + 1);
    m_cost.resize(cost.size());
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            const double value = cost[r * columns + c];
            m_cost[transposed ? c * rows + r : r * columns + c] = std::isfinite(value) ? value : standIn;
        }
    return m_cost.data();
}

/// Fills m_columnOfRow for rows <= columns.
void Assigner::solve(const double* cost, std::size_t rows, std::size_t columns) {
    m_rowPotential.assign(rows, 0.0);
    m_columnPotential.assign(columns, 0.0);
    m_distance.resize(columns);
    m_path.assign(columns, kNone);
    m_columnOfRow.assign(rows, kNone);
    m_rowOfColumn.assign(columns, kNone);
    m_remaining.resize(columns);
    m_rowReached.resize(rows);
    m_columnReached.resize(columns);

    for (std::size_t current = 0; current < rows; ++current) {
        // Shortest path from `current` to any free column. Columns are kept in descending order and the chosen one is
        // overwritten by the last: ties are broken by this order.
        for (std::size_t c = 0; c < columns; ++c)
            m_remaining[c] = static_cast<std::int32_t>(columns - 1 - c);
        std::size_t left = columns;
        std::fill(m_distance.begin(), m_distance.end(), kInfinity);
        std::fill(m_rowReached.begin(), m_rowReached.end(), std::uint8_t{0});
        std::fill(m_columnReached.begin(), m_columnReached.end(), std::uint8_t{0});
        double minimum = 0;
        std::size_t row = current;
        std::int32_t sink = kNone;
        while (sink == kNone) {
            m_rowReached[row] = 1;
            double lowest = kInfinity;
            std::size_t chosen = 0;
            for (std::size_t k = 0; k < left; ++k) {
                const std::size_t column = place(m_remaining[k]);
                const double distance =
                    minimum + cost[row * columns + column] - m_rowPotential[row] - m_columnPotential[column];
                if (distance < m_distance[column]) {
                    m_path[column] = static_cast<std::int32_t>(row);
                    m_distance[column] = distance;
                }
                // Among equals a free column ends the search at once.
                if (m_distance[column] < lowest || (m_distance[column] == lowest && m_rowOfColumn[column] == kNone)) {
                    lowest = m_distance[column];
                    chosen = k;
                }
            }
            minimum = lowest;
            const std::size_t column = place(m_remaining[chosen]);
            if (m_rowOfColumn[column] == kNone)
                sink = static_cast<std::int32_t>(column);
            else
                row = place(m_rowOfColumn[column]);
            m_columnReached[column] = 1;
            m_remaining[chosen] = m_remaining[--left];
        }

        m_rowPotential[current] += minimum;
        for (std::size_t r = 0; r < rows; ++r)
            if (m_rowReached[r] != 0 && r != current)
                m_rowPotential[r] += minimum - m_distance[place(m_columnOfRow[r])];
        for (std::size_t c = 0; c < columns; ++c)
            if (m_columnReached[c] != 0)
                m_columnPotential[c] -= minimum - m_distance[c];

        std::int32_t column = sink;
        std::int32_t onPath = kNone;
        do {
            onPath = m_path[place(column)];
            m_rowOfColumn[place(column)] = onPath;
            std::swap(m_columnOfRow[place(onPath)], column);
        } while (onPath != static_cast<std::int32_t>(current));
    }
}

std::span<const AssignedPair> Assigner::minimise(std::span<const double> cost, std::size_t rows, std::size_t columns) {
    expectMatrix(cost, rows, columns);
    m_pairs.clear();
    if (rows == 0 || columns == 0)
        return m_pairs;
    const double* matrix = prepare(cost, rows, columns);
    const bool transposed = rows > columns;
    solve(matrix, std::min(rows, columns), std::max(rows, columns));
    // After the solve, both directions of the match are known: walk the original rows in order.
    const std::vector<std::int32_t>& columnOf = transposed ? m_rowOfColumn : m_columnOfRow;
    for (std::size_t r = 0; r < rows; ++r)
        if (columnOf[r] != kNone && std::isfinite(cost[r * columns + place(columnOf[r])]))
            m_pairs.push_back({static_cast<std::int32_t>(r), columnOf[r]});
    return m_pairs;
}

std::span<const AssignedPair> Assigner::greedy(std::span<const double> cost, std::size_t rows, std::size_t columns) {
    expectMatrix(cost, rows, columns);
    m_pairs.clear();
    const auto key = [&cost](std::uint32_t cell) { return std::isnan(cost[cell]) ? kInfinity : cost[cell]; };
    SKEIN_EXPECTS(cost.size() <= std::numeric_limits<std::uint32_t>::max(), "cost matrix too large");
    m_order.resize(cost.size());
    std::iota(m_order.begin(), m_order.end(), 0U);
    std::sort(m_order.begin(), m_order.end(), [&key](std::uint32_t a, std::uint32_t b) {
        const double costA = key(a);
        const double costB = key(b);
        return costA != costB ? costA < costB : a < b;
    });
    m_rowReached.assign(rows, 0);
    m_columnReached.assign(columns, 0);
    const std::size_t most = std::min(rows, columns);
    for (const std::uint32_t cell : m_order) {
        if (m_pairs.size() == most)
            break;
        const std::size_t row = cell / columns;
        const std::size_t column = cell % columns;
        if (m_rowReached[row] != 0 || m_columnReached[column] != 0)
            continue;
        m_rowReached[row] = 1;
        m_columnReached[column] = 1;
        m_pairs.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)});
    }
    return m_pairs;
}

std::vector<AssignedPair> assign(std::span<const double> cost, std::size_t rows, std::size_t columns) {
    Assigner assigner;
    const auto pairs = assigner.minimise(cost, rows, columns);
    return {pairs.begin(), pairs.end()};
}

std::vector<AssignedPair> assignGreedily(std::span<const double> cost, std::size_t rows, std::size_t columns) {
    Assigner assigner;
    const auto pairs = assigner.greedy(cost, rows, columns);
    return {pairs.begin(), pairs.end()};
}

}  // namespace skein
