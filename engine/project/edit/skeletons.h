// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/project/edit/edit.h"

/// Edits of skeletons. Every instance of a skeleton whose nodes change keeps its points with their nodes: it gets an
/// absent point where a node is new and loses the point of one that goes. Outcome::changed is 1 when the skeleton
/// differs now. Asked for something that cannot be (no such skeleton or node, a name that is taken or empty, an edge
/// that is there already or leads from a node to itself), the project is unchanged.
namespace skein::project::edit {

/// What a change takes away.
struct SkeletonLoss {
    std::vector<std::string> nodes;  ///< that are not in the new skeleton
    std::size_t instances = 0;       ///< with a placed point on one of them
    std::size_t points = 0;          ///< placed points on them
};

[[nodiscard]] Outcome addSkeleton(const Labels& labels, Skeleton skeleton);
[[nodiscard]] Outcome renameSkeleton(const Labels& labels, std::size_t skeleton, const std::string& name);

/// At the end of the list.
[[nodiscard]] Outcome addNode(const Labels& labels, std::size_t skeleton, const std::string& name);
/// Edges and symmetries of the nodes go with them.
[[nodiscard]] Outcome removeNodes(const Labels& labels, std::size_t skeleton, std::span<const std::size_t> nodes);
[[nodiscard]] Outcome renameNode(const Labels& labels, std::size_t skeleton, std::size_t node, const std::string& name);
/// The node stands at place `to` of the list afterwards.
[[nodiscard]] Outcome moveNode(const Labels& labels, std::size_t skeleton, std::size_t node, std::size_t to);

[[nodiscard]] Outcome addEdge(const Labels& labels, std::size_t skeleton, Edge edge);
[[nodiscard]] Outcome setEdge(const Labels& labels, std::size_t skeleton, std::size_t edge, Edge next);
[[nodiscard]] Outcome removeEdges(const Labels& labels, std::size_t skeleton, std::span<const std::size_t> edges);

/// Makes the two nodes mirror images of each other; what either was before ends. nullopt: of nobody.
[[nodiscard]] Outcome setSymmetry(const Labels& labels, std::size_t skeleton, std::size_t node,
                                  std::optional<std::size_t> other);
/// Node that is the mirror image; nullopt none.
[[nodiscard]] std::optional<std::size_t> symmetryOf(const Skeleton& skeleton, std::size_t node);

/// Puts another skeleton in the place of this one; nodes of one name are one node.
[[nodiscard]] Outcome replaceSkeleton(const Labels& labels, std::size_t skeleton, Skeleton next);
[[nodiscard]] SkeletonLoss lossByReplacing(const Labels& labels, std::size_t skeleton, const Skeleton& next);
[[nodiscard]] SkeletonLoss lossByRemoving(const Labels& labels, std::size_t skeleton,
                                          std::span<const std::size_t> nodes);

/// "node_7", the first such name that is free.
[[nodiscard]] std::string freeNodeName(const Skeleton& skeleton);

}  // namespace skein::project::edit
