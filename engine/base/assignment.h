// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// One row given to one column of a cost matrix.
struct AssignedPair {
    std::int32_t row = 0;
    std::int32_t column = 0;
    friend bool operator==(const AssignedPair&, const AssignedPair&) = default;
};

/// One-to-one assignment of rows to columns of a cost matrix. Thread-compatible. Keeps its work space, so that repeated
/// small problems (one a video frame, one an edge) allocate nothing once warm; results stay valid until the next call.
///
/// `cost` is `[rows, columns]`, row-major, float64; rows and columns may differ and may be 0; its size must be
/// rows x columns (else std::logic_error). A cost that is not finite (infinite or NaN) forbids its pair.
class Assigner {
public:
    /// The assignment of least total cost, pairs in ascending row order; min(rows, columns) pairs, less those that
    /// could only be forbidden ones. Where forbidden cells leave no complete assignment, as many rows as possible are
    /// served.
    ///
    /// Shortest augmenting paths (Jonker-Volgenant in the form of D. F. Crouse, "On implementing 2D rectangular
    /// assignment algorithms", IEEE TAES 52(4), 2016). Which of several equally good assignments comes out depends on
    /// the order of the search and of the additions; both follow SciPy's linear_sum_assignment, since the reference
    /// results hold many exact ties. A constant matrix gives the identity.
    [[nodiscard]] std::span<const AssignedPair> minimise(std::span<const double> cost, std::size_t rows,
                                                         std::size_t columns);

    /// Cheapest pair first among rows and columns still free (equal costs: lower row-major position first), until rows
    /// or columns run out; pairs in order of acceptance. NaN counts as +infinity; infinite costs come last and are
    /// accepted too: the caller decides what such a pair means.
    [[nodiscard]] std::span<const AssignedPair> greedy(std::span<const double> cost, std::size_t rows,
                                                       std::size_t columns);

private:
    [[nodiscard]] const double* prepare(std::span<const double> cost, std::size_t rows, std::size_t columns);
    void solve(const double* cost, std::size_t rows, std::size_t columns);

    std::vector<double> m_cost;  // transposed or with forbidden cells replaced, when needed
    std::vector<double> m_rowPotential, m_columnPotential, m_distance;
    std::vector<std::int32_t> m_path, m_columnOfRow, m_rowOfColumn, m_remaining;
    std::vector<std::uint8_t> m_rowReached, m_columnReached;
    std::vector<std::uint32_t> m_order;
    std::vector<AssignedPair> m_pairs;
};

/// Assigner::minimise for a single problem.
[[nodiscard]] std::vector<AssignedPair> assign(std::span<const double> cost, std::size_t rows, std::size_t columns);

/// Assigner::greedy for a single problem.
[[nodiscard]] std::vector<AssignedPair> assignGreedily(std::span<const double> cost, std::size_t rows,
                                                       std::size_t columns);

}  // namespace skein
