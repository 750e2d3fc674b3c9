// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/skeletons.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/project/edit/pose.h"

namespace skein::project::edit {

namespace {

const Skeleton* at(const Labels& labels, std::size_t skeleton) {
    return skeleton < labels.skeletons().size() ? &labels.skeletons()[skeleton] : nullptr;
}

/// The project with `next` as its skeleton, which has the same nodes.
Outcome withSkeleton(const Labels& labels, std::size_t skeleton, Skeleton next) {
    Outcome outcome = unchanged(labels);
    outcome.labels.editSkeletons()[skeleton] = std::move(next);
    outcome.changed = 1;
    outcome.extent.everywhere = true;
    outcome.extent.instances = false;
    return outcome;
}

/// The same with other nodes; `from` tells which old node each new one was (-1: new).
Outcome withNodes(const Labels& labels, std::size_t skeleton, Skeleton next, std::span<const int> from) {
    Outcome outcome = withSkeleton(labels, skeleton, std::move(next));
    outcome.extent.instances = true;
    outcome.labels.remapNodes(static_cast<std::uint32_t>(skeleton), from);
    return outcome;
}

/// Edges and symmetries with the numbers that nodes have after the change; those of nodes that went are left out.
void renumber(Skeleton& skeleton, std::span<const int> from, std::size_t nodesBefore) {
    std::vector<int> to(nodesBefore, -1);
    for (std::size_t n = 0; n < from.size(); ++n)
        if (from[n] >= 0)
            to[static_cast<std::size_t>(from[n])] = static_cast<int>(n);
    const auto now = [&to](int node) { return to[static_cast<std::size_t>(node)]; };
    std::vector<Edge> edges;
    for (const Edge& edge : skeleton.edges)
        if (now(edge.source) >= 0 && now(edge.destination) >= 0)
            edges.push_back({now(edge.source), now(edge.destination)});
    std::vector<std::array<int, 2>> symmetries;
    for (const auto& pair : skeleton.symmetries)
        if (now(pair[0]) >= 0 && now(pair[1]) >= 0)
            symmetries.push_back({now(pair[0]), now(pair[1])});
    skeleton.edges = std::move(edges);
    skeleton.symmetries = std::move(symmetries);
}

/// The skeleton with its nodes in another order, some left out.
Outcome rearranged(const Labels& labels, std::size_t skeleton, const std::vector<int>& from) {
    const Skeleton& before = labels.skeletons()[skeleton];
    Skeleton next = before;
    next.nodes.clear();
    for (const int node : from)
        next.nodes.push_back(before.nodes[static_cast<std::size_t>(node)]);
    renumber(next, from, before.nodes.size());
    return withNodes(labels, skeleton, std::move(next), from);
}

SkeletonLoss lossOf(const Labels& labels, std::size_t skeleton, const std::vector<std::size_t>& nodes) {
    SkeletonLoss loss;
    if (nodes.empty())
        return loss;
    for (const std::size_t node : nodes)
        loss.nodes.push_back(labels.skeletons()[skeleton].nodes[node]);
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const FrameView frame = labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const InstanceView instance = frame.instance(i);
            if (instance.header->skeleton != skeleton)
                continue;
            std::size_t placed = 0;
            for (const std::size_t node : nodes)
                placed += node < instance.points.size() && hasPlace(instance.points[node]) ? 1 : 0;
            loss.points += placed;
            loss.instances += placed > 0 ? 1 : 0;
        }
    }
    return loss;
}

bool isPossible(const Skeleton& skeleton, const Edge& edge) {
    const auto nodes = static_cast<int>(skeleton.nodes.size());
    return edge.source >= 0 && edge.destination >= 0 && edge.source < nodes && edge.destination < nodes &&
           edge.source != edge.destination &&
           std::find(skeleton.edges.begin(), skeleton.edges.end(), edge) == skeleton.edges.end();
}

}  // namespace

Outcome addSkeleton(const Labels& labels, Skeleton skeleton) {
    Outcome outcome = unchanged(labels);
    outcome.labels.editSkeletons().push_back(std::move(skeleton));
    outcome.extent.instances = false;
    outcome.changed = 1;
    return outcome;
}

Outcome renameSkeleton(const Labels& labels, std::size_t skeleton, const std::string& name) {
    const Skeleton* before = at(labels, skeleton);
    if (before == nullptr || before->name == name)
        return unchanged(labels);
    Skeleton next = *before;
    next.name = name;
    return withSkeleton(labels, skeleton, std::move(next));
}

Outcome addNode(const Labels& labels, std::size_t skeleton, const std::string& name) {
    const Skeleton* before = at(labels, skeleton);
    if (before == nullptr || name.empty() || before->nodeIndex(name))
        return unchanged(labels);
    Skeleton next = *before;
    std::vector<int> from(next.nodes.size());
    std::iota(from.begin(), from.end(), 0);
    from.push_back(-1);
    next.nodes.push_back(name);
    return withNodes(labels, skeleton, std::move(next), from);
}

Outcome removeNodes(const Labels& labels, std::size_t skeleton, std::span<const std::size_t> nodes) {
    const Skeleton* before = at(labels, skeleton);
    if (before == nullptr)
        return unchanged(labels);
    std::vector<int> from;
    for (std::size_t n = 0; n < before->nodes.size(); ++n)
        if (std::find(nodes.begin(), nodes.end(), n) == nodes.end())
            from.push_back(static_cast<int>(n));
    if (from.size() == before->nodes.size())
        return unchanged(labels);
    return rearranged(labels, skeleton, from);
}

Outcome renameNode(const Labels& labels, std::size_t skeleton, std::size_t node, const std::string& name) {
    const Skeleton* before = at(labels, skeleton);
    if (before == nullptr || node >= before->nodes.size() || name.empty() || before->nodeIndex(name))
        return unchanged(labels);
    Skeleton next = *before;
    next.nodes[node] = name;
    return withSkeleton(labels, skeleton, std::move(next));
}

Outcome moveNode(const Labels& labels, std::size_t skeleton, std::size_t node, std::size_t to) {
    const Skeleton* before = at(labels, skeleton);
    if (before == nullptr || node >= before->nodes.size() || to >= before->nodes.size() || node == to)
        return unchanged(labels);
    std::vector<int> from(before->nodes.size());
    std::iota(from.begin(), from.end(), 0);
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(node));
    from.insert(from.begin() + static_cast<std::ptrdiff_t>(to), static_cast<int>(node));
    return rearranged(labels, skeleton, from);
}

Outcome addEdge(const Labels& labels, std::size_t skeleton, Edge edge) {
    const Skeleton* before = at(labels, skeleton);
    if (before == nullptr || !isPossible(*before, edge))
        return unchanged(labels);
    Skeleton next = *before;
    next.edges.push_back(edge);
    return withSkeleton(labels, skeleton, std::move(next));
}

Outcome setEdge(const Labels& labels, std::size_t skeleton, std::size_t edge, Edge changed) {
    const Skeleton* before = at(labels, skeleton);
    if (before == nullptr || edge >= before->edges.size() || !isPossible(*before, changed))
        return unchanged(labels);
    Skeleton next = *before;
    next.edges[edge] = changed;
    return withSkeleton(labels, skeleton, std::move(next));
}

Outcome removeEdges(const Labels& labels, std::size_t skeleton, std::span<const std::size_t> edges) {
    const Skeleton* before = at(labels, skeleton);
    if (before == nullptr)
        return unchanged(labels);
    Skeleton next = *before;
    next.edges.clear();
    for (std::size_t e = 0; e < before->edges.size(); ++e)
        if (std::find(edges.begin(), edges.end(), e) == edges.end())
            next.edges.push_back(before->edges[e]);
    if (next.edges.size() == before->edges.size())
        return unchanged(labels);
    return withSkeleton(labels, skeleton, std::move(next));
}

std::optional<std::size_t> symmetryOf(const Skeleton& skeleton, std::size_t node) {
    for (const auto& pair : skeleton.symmetries)
        for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
            if (static_cast<std::size_t>(pair[side]) == node)
                return static_cast<std::size_t>(pair[1 - side]);
    return std::nullopt;
}

Outcome setSymmetry(const Labels& labels, std::size_t skeleton, std::size_t node, std::optional<std::size_t> other) {
    const Skeleton* before = at(labels, skeleton);
    if (before == nullptr || node >= before->nodes.size() ||
        (other && (*other >= before->nodes.size() || *other == node)) || symmetryOf(*before, node) == other)
        return unchanged(labels);
    Skeleton next = *before;
    std::erase_if(next.symmetries, [&](const std::array<int, 2>& pair) {
        return std::any_of(pair.begin(), pair.end(), [&](int n) {
            return static_cast<std::size_t>(n) == node || (other && static_cast<std::size_t>(n) == *other);
        });
    });
    if (other)
        next.symmetries.push_back({static_cast<int>(std::min(node, *other)), static_cast<int>(std::max(node, *other))});
    return withSkeleton(labels, skeleton, std::move(next));
}

Outcome replaceSkeleton(const Labels& labels, std::size_t skeleton, Skeleton next) {
    const Skeleton* before = at(labels, skeleton);
    if (before == nullptr)
        return unchanged(labels);
    std::vector<int> from;
    for (const std::string& node : next.nodes)
        from.push_back(before->nodeIndex(node).value_or(-1));
    const bool sameNodes = next.nodes == before->nodes;
    if (sameNodes && next.edges == before->edges && next.symmetries == before->symmetries && next.name == before->name)
        return unchanged(labels);
    return sameNodes ? withSkeleton(labels, skeleton, std::move(next))
                     : withNodes(labels, skeleton, std::move(next), from);
}

SkeletonLoss lossByReplacing(const Labels& labels, std::size_t skeleton, const Skeleton& next) {
    std::vector<std::size_t> nodes;
    if (const Skeleton* before = at(labels, skeleton))
        for (std::size_t n = 0; n < before->nodes.size(); ++n)
            if (!next.nodeIndex(before->nodes[n]))
                nodes.push_back(n);
    return lossOf(labels, skeleton, nodes);
}

SkeletonLoss lossByRemoving(const Labels& labels, std::size_t skeleton, std::span<const std::size_t> nodes) {
    std::vector<std::size_t> known;
    if (const Skeleton* before = at(labels, skeleton))
        for (const std::size_t node : nodes)
            if (node < before->nodes.size())
                known.push_back(node);
    return lossOf(labels, skeleton, known);
}

std::string freeNodeName(const Skeleton& skeleton) {
    for (std::size_t n = skeleton.nodes.size() + 1;; ++n) {
        std::string name = "node_" + std::to_string(n);
        if (!skeleton.nodeIndex(name))
            return name;
    }
}

}  // namespace skein::project::edit
