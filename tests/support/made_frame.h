// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <string>

#include "engine/project/labels.h"

namespace skein::test {

/// A skeleton of `nodes` nodes in a chain, called node0, node1, ...
inline project::Skeleton chainSkeleton(int nodes) {
    project::Skeleton skeleton;
    skeleton.name = "chain";
    for (int n = 0; n < nodes; ++n) {
        skeleton.nodes.push_back("node" + std::to_string(n));
        if (n > 0)
            skeleton.edges.push_back({n - 1, n});
    }
    return skeleton;
}

}  // namespace skein::test
