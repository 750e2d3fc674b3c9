// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/inference/packed_layout.h"
#include "engine/inference/peak_store.h"
#include "tests/support/walking_animals.h"

namespace skein::test {

/// A bottom-up model of `nodes` nodes, each joined to one before it as in a binary tree.
inline models::ModelSpec treeModel(int nodes) {
    models::ModelSpec spec;
    spec.type = models::ModelType::BottomUp;
    spec.skeleton.name = "tree";
    for (int node = 0; node < nodes; ++node) {
        spec.skeleton.nodes.push_back("node " + std::to_string(node + 1));
        if (node > 0)
            spec.skeleton.edges.push_back({(node - 1) / 2, node});
    }
    spec.partNames = spec.skeleton.nodes;
    spec.pafEdges = spec.skeleton.edges;
    spec.heads = {{.kind = models::HeadKind::MultiInstanceConfmaps, .channels = nodes, .outputStride = 1},
                  {.kind = models::HeadKind::PartAffinityFields, .channels = 2 * (nodes - 1), .outputStride = 1}};
    return spec;
}

/// What a device would hand over for frames in which these animals were found, [frame][animal][node]: peaks of a node
/// from top to bottom; the lines of one animal score well, those between two hardly.
inline inference::HostBatch madeBatch(const models::ModelSpec& spec,
                                      const std::vector<std::vector<std::vector<tracking::PointD>>>& frames) {
    std::size_t animals = 1;
    for (const auto& frame : frames)
        animals = std::max(animals, frame.size());
    auto batch =
        inference::emptyBatch(models::ModelType::BottomUp, frames.size(), static_cast<int>(spec.partNames.size()),
                              static_cast<int>(spec.pafEdges.size()), animals, 0)
            .value();
    batch.effScale.assign(frames.size(), 1.0F);
    const inference::PackedLayout layout = inference::layoutOf(batch);
    std::mt19937 random(5);
    std::uniform_real_distribution<float> unit(0, 1);
    std::vector<std::vector<std::size_t>> owner(layout.channels);  // [node][slot]
    for (std::size_t f = 0; f < frames.size(); ++f) {
        for (std::size_t node = 0; node < layout.channels; ++node) {
            owner[node].clear();
            for (std::size_t a = 0; a < frames[f].size(); ++a)
                if (!std::isnan(frames[f][a][node].x))
                    owner[node].push_back(a);
            std::sort(owner[node].begin(), owner[node].end(),
                      [&](std::size_t a, std::size_t b) { return frames[f][a][node].y < frames[f][b][node].y; });
            batch.packed[layout.count(f, node)] = inference::countAsWord(static_cast<int>(owner[node].size()));
            for (std::size_t slot = 0; slot < owner[node].size(); ++slot) {
                const tracking::PointD& point = frames[f][owner[node][slot]][node];
                float* peak = batch.packed.data() + layout.peak(f, node, slot);
                peak[0] = static_cast<float>(point.x);
                peak[1] = static_cast<float>(point.y);
                peak[2] = 0.5F + 0.5F * unit(random);
            }
        }
        for (std::size_t e = 0; e < layout.edges; ++e) {
            const auto& sources = owner[static_cast<std::size_t>(spec.pafEdges[e].source)];
            const auto& destinations = owner[static_cast<std::size_t>(spec.pafEdges[e].destination)];
            for (std::size_t s = 0; s < sources.size(); ++s)
                for (std::size_t d = 0; d < destinations.size(); ++d)
                    batch.packed[layout.score(f, e, s, d)] =
                        sources[s] == destinations[d] ? 0.7F + 0.3F * unit(random) : 0.2F * unit(random) - 0.1F;
        }
    }
    return batch;
}

/// So many frames of a walk that a cycle through them never jumps: there and back again.
inline std::vector<std::vector<std::vector<tracking::PointD>>> walkAndBack(int animals, int nodes, int frames) {
    WalkingAnimals walk(animals, nodes, 7);
    std::vector<std::vector<std::vector<tracking::PointD>>> result;
    for (int f = 0; f < (frames + 1) / 2; ++f)
        result.push_back(walk.next());
    for (int f = static_cast<int>(result.size()); f < frames; ++f)
        result.push_back(result[static_cast<std::size_t>(frames - 1 - f)]);
    return result;
}

}  // namespace skein::test
