// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/bottomup_grouping.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace skein::inference {
namespace {

constexpr float kAbsent = std::numeric_limits<float>::quiet_NaN();

std::size_t index(int value) {
    return static_cast<std::size_t>(value);
}

/// Which instance each peak belongs to while instances grow.
class Assembly {
public:
    explicit Assembly(std::span<const int> peaksPerNode) {
        m_first.push_back(0);
        for (const int count : peaksPerNode)
            m_first.push_back(m_first.back() + index(count));
        m_instance.assign(m_first.back(), -1);
    }

    void connect(const project::Edge& edge, const Match& match) {
        const std::size_t source = m_first[index(edge.source)] + index(match.source);
        const std::size_t destination = m_first[index(edge.destination)] + index(match.destination);
        if (m_instance[source] < 0 && m_instance[destination] < 0) {
            const int next = largest() + 1;
            put(edge.source, match.source, source, next);
            put(edge.destination, match.destination, destination, next);
        } else if (m_instance[source] >= 0 && m_instance[destination] < 0) {
            put(edge.destination, match.destination, destination, m_instance[source]);
        } else if (m_instance[source] >= 0) {
            join(destination, m_instance[source]);
        }
        // A free source with a taken destination is left alone. It and the join above occur only with edges outside
        // the tree that edgeOrder() gives.
    }

    std::vector<Member> members(int minPeaks) const {
        std::vector<int> count(m_members.size() + 1, 0);
        for (const Member& m : m_members)
            ++count[index(instanceOf(m))];
        std::vector<Member> result;
        for (Member m : m_members) {
            m.instance = instanceOf(m);
            if (count[index(m.instance)] >= minPeaks)
                result.push_back(m);
        }
        return result;
    }

private:
    int& instanceAt(const Member& m) { return m_instance[m_first[index(m.node)] + index(m.peak)]; }
    int instanceOf(const Member& m) const { return m_instance[m_first[index(m.node)] + index(m.peak)]; }

    void put(int node, int peak, std::size_t place, int instance) {
        m_instance[place] = instance;
        m_members.push_back({node, peak, instance});
        m_largest = std::max(m_largest, instance);
    }
    int largest() {
        if (m_largestIsOld) {
            m_largest = -1;
            for (const Member& m : m_members)
                m_largest = std::max(m_largest, instanceOf(m));
            m_largestIsOld = false;
        }
        return m_largest;
    }
    /// Moves one peak into `target`; if its old instance then shares no node with the target, the rest follows.
    void join(std::size_t place, int target) {
        const int old = m_instance[place];
        m_instance[place] = target;
        m_largestIsOld = true;
        std::vector<int> nodes;
        for (const Member& m : m_members)
            if (instanceOf(m) == target)
                nodes.push_back(m.node);
        for (const Member& m : m_members)
            if (instanceOf(m) == old && std::find(nodes.begin(), nodes.end(), m.node) != nodes.end())
                return;
        for (const Member& m : m_members)
            if (instanceOf(m) == old)
                instanceAt(m) = target;
    }

    std::vector<std::size_t> m_first;  // place of each node's first peak
    std::vector<int> m_instance;       // by place, -1 free
    std::vector<Member> m_members;     // in order of first connection
    int m_largest = -1;
    bool m_largestIsOld = false;
};

}  // namespace

Result<std::vector<int>> edgeOrder(std::span<const project::Edge> edges) {
    if (edges.empty())
        return fail(ErrorCode::Model, "The skeleton has no edges, so that peaks cannot be grouped into instances.");
    std::vector<int> nodes;  // in order of first appearance
    const auto place = [&](int node) {
        return static_cast<std::size_t>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
    };
    for (const project::Edge& edge : edges)
        for (const int node : {edge.source, edge.destination})
            if (place(node) == nodes.size())
                nodes.push_back(node);
    std::vector<bool> hasParent(nodes.size(), false);
    for (const project::Edge& edge : edges)
        hasParent[place(edge.destination)] = true;
    const auto root = std::find(hasParent.begin(), hasParent.end(), false);
    if (root == hasParent.end())
        return fail(
            ErrorCode::Model,
            "The skeleton's edges form a cycle (every node has an edge into it), so that peaks cannot be grouped "
            "into instances.");
    std::vector<bool> seen(nodes.size(), false);
    std::vector<int> queue = {nodes[static_cast<std::size_t>(root - hasParent.begin())]};
    seen[place(queue[0])] = true;
    std::vector<int> order;
    for (std::size_t next = 0; next < queue.size(); ++next)
        for (std::size_t e = 0; e < edges.size(); ++e)
            if (edges[e].source == queue[next] && !seen[place(edges[e].destination)]) {
                seen[place(edges[e].destination)] = true;
                queue.push_back(edges[e].destination);
                order.push_back(static_cast<int>(e));
            }
    return order;
}

void matchEdge(Assigner& assigner, std::vector<double>& costs, int edge, const float* scores, std::size_t stride,
               std::size_t sources, std::size_t destinations, std::vector<Match>& out) {
    if (sources == 0 || destinations == 0)
        return;
    costs.resize(sources * destinations);
    for (std::size_t s = 0; s < sources; ++s)
        for (std::size_t d = 0; d < destinations; ++d)
            costs[s * destinations + d] = -static_cast<double>(scores[s * stride + d]);
    for (const AssignedPair& pair : assigner.minimise(costs, sources, destinations)) {
        const float score = scores[index(pair.row) * stride + index(pair.column)];
        if (std::isfinite(score))
            out.push_back({edge, pair.row, pair.column, score});
    }
}

std::vector<Member> assembleInstances(std::span<const project::Edge> edges, std::span<const int> order,
                                      std::span<const std::vector<Match>> connections,
                                      std::span<const int> peaksPerNode, int minPeaks) {
    Assembly assembly(peaksPerNode);
    for (std::size_t k = 0; k < order.size(); ++k)
        for (const Match& match : connections[k])
            assembly.connect(edges[index(order[k])], match);
    return assembly.members(minPeaks);
}

FrameDetections groupFrame(std::span<const project::Edge> edges, std::span<const int> order,
                           std::span<const NodePeaks> peaks, std::span<const Match> matches,
                           const GroupingOptions& options) {
    std::vector<std::vector<Match>> connections(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        for (const Match& match : matches)
            if (match.edge == order[k] && match.score >= options.minLineScore)
                connections[k].push_back(match);
    std::vector<int> peaksPerNode;
    for (const NodePeaks& node : peaks)
        peaksPerNode.push_back(static_cast<int>(node.x.size()));
    const std::vector<Member> members = assembleInstances(edges, order, connections, peaksPerNode, options.minPeaks);

    // Numbers that vanished leave gaps; what remains is numbered anew in the same order.
    int largest = -1;
    for (const Member& m : members)
        largest = std::max(largest, m.instance);
    std::vector<int> compact(index(largest + 1), -1);
    for (const Member& m : members)
        compact[index(m.instance)] = 0;
    int count = 0;
    for (int& c : compact)
        if (c == 0)
            c = count++;

    FrameDetections frame;
    frame.nodes = static_cast<int>(peaks.size());
    frame.points.assign(index(count) * peaks.size() * 2, kAbsent);
    frame.pointScores.assign(index(count) * peaks.size(), kAbsent);
    frame.instanceScores.assign(index(count), 0.0F);
    frame.trackingScores.assign(index(count), kAbsent);
    std::vector<std::vector<int>> owner(peaks.size());
    for (std::size_t n = 0; n < peaks.size(); ++n)
        owner[n].assign(peaks[n].x.size(), -1);
    for (const Member& m : members) {
        const int instance = compact[index(m.instance)];
        const NodePeaks& node = peaks[index(m.node)];
        const std::size_t place = index(instance) * peaks.size() + index(m.node);
        owner[index(m.node)][index(m.peak)] = instance;
        frame.points[2 * place] = node.x[index(m.peak)];
        frame.points[2 * place + 1] = node.y[index(m.peak)];
        frame.pointScores[place] = node.value[index(m.peak)];
    }
    for (std::size_t k = 0; k < order.size(); ++k)
        for (const Match& match : connections[k])
            if (const int instance = owner[index(edges[index(order[k])].source)][index(match.source)]; instance >= 0)
                frame.instanceScores[index(instance)] += match.score;
    return frame;
}

int minInstancePeaks(double value, int nodes, bool matchSleapNn) {
    if (!(value > 0))
        return 0;
    const double peaks = value >= 1 && !matchSleapNn ? value : value * nodes;
    return static_cast<int>(std::min(peaks, 1e9));
}

void limitInstances(FrameDetections& frame, int most) {
    if (most <= 0 || frame.count() <= most)
        return;
    std::vector<std::size_t> order(index(frame.count()));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return frame.instanceScores[a] < frame.instanceScores[b]; });
    std::reverse(order.begin(), order.end());
    order.resize(index(most));
    const auto pick = [&](auto& values, std::size_t width) {
        if (values.empty())
            return;
        std::remove_reference_t<decltype(values)> kept;
        for (const std::size_t i : order)
            kept.insert(kept.end(), values.begin() + static_cast<std::ptrdiff_t>(i * width),
                        values.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
        values = std::move(kept);
    };
    pick(frame.points, 2 * index(frame.nodes));
    pick(frame.pointScores, index(frame.nodes));
    pick(frame.instanceScores, 1);
    pick(frame.trackingScores, 1);
    pick(frame.classes, 1);
}

}  // namespace skein::inference
