// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein::tracking {

/// Cheapest flow through a graph without cycles whose nodes are numbered so that every edge leads to a larger number.
/// Successive shortest paths with potentials: each unit costs one search of the graph.
class MinCostFlow {
public:
    explicit MinCostFlow(std::size_t nodes) : m_edgesOf(nodes) {}

    /// Returns the edge's number. `from` < `to`; costs may be negative.
    std::size_t addEdge(std::size_t from, std::size_t to, std::int64_t capacity, double cost);

    /// Sends `units` from the first node to the last, as many as find a way. Once for each graph.
    void send(std::int64_t units);

    [[nodiscard]] bool carries(std::size_t edge) const { return m_edges[2 * edge + 1].capacity > 0; }

private:
    struct Edge {
        std::size_t to = 0;
        std::int64_t capacity = 0;  // that is left
        double cost = 0;
    };
    bool search();

    std::vector<Edge> m_edges;  // each followed by its reverse
    std::vector<std::vector<std::size_t>> m_edgesOf;
    std::vector<double> m_potential, m_distance;
    std::vector<std::size_t> m_cameBy;
};

}  // namespace skein::tracking
