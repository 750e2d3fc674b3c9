// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <span>
#include <vector>

#include "engine/base/assignment.h"
#include "engine/base/result.h"
#include "engine/inference/host_batch.h"
#include "engine/project/skeleton.h"

// From scored candidate lines to instances, step by step as sleap-nn 0.3.5 does it (its order of edges, its ties).
// Pure host code without LibTorch. Peaks of a node are numbered in raster order.
namespace skein::inference {

/// A chosen connection: the source-th peak of the edge's source node to the destination-th of its destination node.
struct Match {
    int edge = 0;
    int source = 0;
    int destination = 0;
    float score = 0;
};

/// The order in which edges are used: breadth-first from the first node without incoming edges, in which each node is
/// reached once. Edges outside that tree (a second edge into a node, other roots, duplicates) are left out and never
/// used. Errors: Model, when there is no edge, or no node without incoming edges (a cycle).
[[nodiscard]] Result<std::vector<int>> edgeOrder(std::span<const project::Edge> edges);

/// Pairs sources with destinations of one edge so that the total score is largest. `scores` is row-major with
/// `stride` floats between rows; NaN forbids a pair. Appends the pairs in ascending order of the source.
void matchEdge(Assigner& assigner, std::vector<double>& costs, int edge, const float* scores, std::size_t stride,
               std::size_t sources, std::size_t destinations, std::vector<Match>& out);

/// A peak that belongs to an instance.
struct Member {
    int node = 0;
    int peak = 0;
    int instance = 0;
};

/// Gathers connected peaks into instances. `connections[k]` are the matches of `order[k]`, in the order in which they
/// are to be used; `peaksPerNode` tells how many peaks each node has. Instances with fewer than `minPeaks` peaks vanish
/// (their numbers stay unused). Members come in the order in which peaks were first connected.
[[nodiscard]] std::vector<Member> assembleInstances(std::span<const project::Edge> edges, std::span<const int> order,
                                                    std::span<const std::vector<Match>> connections,
                                                    std::span<const int> peaksPerNode, int minPeaks);

/// Peaks of one frame by node: x, y in network input pixels, and value.
struct NodePeaks {
    std::vector<float> x, y, value;
};

struct GroupingOptions {
    float minLineScore = 0.25F;  ///< matches below are dropped
    int minPeaks = 0;
};

/// One frame: from the matches of all edges (any order of edges; within an edge their order counts) to instances in
/// order of creation. Points stay in the pixels of `peaks`; an instance's score is the sum of its matches'.
[[nodiscard]] FrameDetections groupFrame(std::span<const project::Edge> edges, std::span<const int> order,
                                         std::span<const NodePeaks> peaks, std::span<const Match> matches,
                                         const GroupingOptions& options);

/// Smallest number of peaks an instance may have. sleap-nn's command line reads every value as a share of the nodes,
/// even 2; Skein counts from 1 up unless `matchSleapNn`.
[[nodiscard]] int minInstancePeaks(double value, int nodes, bool matchSleapNn);

/// Keeps the `most` instances with the highest scores, highest first, equal ones later first; leaves the frame alone
/// when it has no more than that. 0: no limit.
void limitInstances(FrameDetections& frame, int most);

}  // namespace skein::inference
