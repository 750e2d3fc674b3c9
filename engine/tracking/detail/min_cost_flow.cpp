// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/min_cost_flow.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "engine/base/result.h"

namespace skein::tracking {

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}

std::size_t MinCostFlow::addEdge(std::size_t from, std::size_t to, std::int64_t capacity, double cost) {
    SKEIN_EXPECTS(from < to && to < m_edgesOf.size(), "edges lead to larger numbers");
    m_edgesOf[from].push_back(m_edges.size());
    m_edges.push_back({to, capacity, cost});
    m_edgesOf[to].push_back(m_edges.size());
    m_edges.push_back({from, 0, -cost});
    return m_edges.size() / 2 - 1;
}

/// Shortest distances from the first node by reduced costs, which potentials keep from being negative.
bool MinCostFlow::search() {
    m_distance.assign(m_edgesOf.size(), kInfinity);
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    m_distance[0] = 0;
    open.emplace(0.0, 0);
    while (!open.empty()) {
        const auto [distance, node] = open.top();
        open.pop();
        if (distance > m_distance[node])
            continue;
        for (const std::size_t e : m_edgesOf[node]) {
            const Edge& edge = m_edges[e];
            if (edge.capacity <= 0 || m_potential[edge.to] == kInfinity)
                continue;
            // Rounding may leave a tiny negative number.
            const double step = std::max(0.0, edge.cost + m_potential[node] - m_potential[edge.to]);
            if (distance + step < m_distance[edge.to]) {
                m_distance[edge.to] = distance + step;
                m_cameBy[edge.to] = e;
                open.emplace(m_distance[edge.to], edge.to);
            }
        }
    }
    for (std::size_t node = 0; node < m_edgesOf.size(); ++node)
        if (m_distance[node] < kInfinity)
            m_potential[node] += m_distance[node];
    return m_distance.back() < kInfinity;
}

void MinCostFlow::send(std::int64_t units) {
    m_cameBy.assign(m_edgesOf.size(), 0);
    // Numbers ascend along edges, so one pass gives the first distances, negative costs and all.
    m_potential.assign(m_edgesOf.size(), kInfinity);
    m_potential[0] = 0;
    for (std::size_t node = 0; node < m_edgesOf.size(); ++node)
        for (const std::size_t e : m_edgesOf[node])
            if (m_edges[e].capacity > 0 && m_potential[node] < kInfinity)
                m_potential[m_edges[e].to] = std::min(m_potential[m_edges[e].to], m_potential[node] + m_edges[e].cost);
    for (std::int64_t unit = 0; unit < units && search(); ++unit)
        for (std::size_t node = m_edgesOf.size() - 1; node != 0;) {
            const std::size_t e = m_cameBy[node];
            --m_edges[e].capacity;
            ++m_edges[e ^ 1].capacity;
            node = m_edges[e ^ 1].to;
        }
}

}  // namespace skein::tracking
