// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skein::project {

/// Directed connection between two nodes, by their position in Skeleton::nodes.
struct Edge {
    int source = 0;
    int destination = 0;
    friend bool operator==(const Edge&, const Edge&) = default;
};

/// Named landmarks and how they connect. The order of `nodes` is the order of the points of every instance.
struct Skeleton {
    std::string name;
    std::vector<std::string> nodes;  ///< unique within one skeleton
    std::vector<Edge> edges;
    std::vector<std::array<int, 2>> symmetries;  ///< unordered pairs, each once
    std::string extraJson;                       ///< what the file said beyond this, as JSON text; kept on save

    [[nodiscard]] std::optional<int> nodeIndex(std::string_view node) const {
        const auto it = std::find(nodes.begin(), nodes.end(), node);
        if (it == nodes.end())
            return std::nullopt;
        return static_cast<int>(it - nodes.begin());
    }

    /// Same nodes in the same order and same edges; name and extras do not count.
    [[nodiscard]] bool sameStructure(const Skeleton& other) const {
        return nodes == other.nodes && edges == other.edges;
    }
};

}  // namespace skein::project
