// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/skeleton_json.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/formats/try.h"

namespace skein::formats::slp {
namespace {

constexpr std::int64_t kEdge = 1;
constexpr std::int64_t kSymmetry = 2;

std::optional<std::int64_t> integer(const Json& value) {
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    return std::nullopt;
}

/// The number that jsonpickle stored for an edge kind, or nullopt when it is a reference.
std::optional<std::int64_t> spelledKind(const Json& type) {
    const Json& reduce = member(type, "py/reduce");
    if (reduce.is_array())
        for (const Json& part : reduce) {
            const Json& tuple = member(part, "py/tuple");
            if (tuple.is_array() && !tuple.empty())
                return integer(tuple.front());
        }
    return std::nullopt;
}

Error broken(std::size_t index, const std::string& what) {
    return Error(ErrorCode::Format, "Skeleton " + std::to_string(index) + " of the file is damaged: " + what + ".");
}

/// Name of a node of the global list, which may be an object or a bare text.
std::string nodeName(const Json& node) {
    return node.is_string() ? node.get<std::string>() : stringMember(node, "name");
}

Result<project::Skeleton> decodeOne(const Json& entry, const Json& globalNodes, std::size_t index) {
    const Json& wrapped = member(entry, "nx_graph");
    const Json& graph = wrapped.is_object() ? wrapped : entry;
    if (!graph.is_object())
        return fail(broken(index, "it is no graph"));

    project::Skeleton skeleton;
    skeleton.name = stringMember(member(graph, "graph"), "name");
    std::map<std::int64_t, int> position;
    Json ownNodes = Json::array();
    for (const Json& node : member(graph, "nodes")) {
        const auto id = integer(member(node, "id"));
        if (!id || *id < 0 || !globalNodes.is_array() || static_cast<std::size_t>(*id) >= globalNodes.size())
            return fail(broken(index, "one of its nodes is not in the file's list of nodes"));
        position.emplace(*id, static_cast<int>(skeleton.nodes.size()));
        const Json& global = globalNodes[static_cast<std::size_t>(*id)];
        skeleton.nodes.push_back(nodeName(global));
        ownNodes.push_back(global);
    }

    std::map<std::int64_t, std::int64_t> kinds;
    std::set<std::pair<int, int>> symmetries;
    for (const Json& link : member(graph, "links")) {
        const auto source = integer(member(link, "source"));
        const auto target = integer(member(link, "target"));
        const auto from = source ? position.find(*source) : position.end();
        const auto to = target ? position.find(*target) : position.end();
        if (from == position.end() || to == position.end())
            return fail(broken(index, "one of its edges leads to a node that it does not have"));
        std::int64_t kind = kEdge;
        const Json& type = member(link, "type");
        if (const auto spelled = spelledKind(type)) {
            kind = *spelled;
            kinds.emplace(static_cast<std::int64_t>(kinds.size()) + 1, kind);
        } else if (const auto reference = integer(member(type, "py/id"))) {
            const auto known = kinds.find(*reference);
            kind = known != kinds.end() ? known->second : *reference;
        }
        if (kind != kSymmetry)
            skeleton.edges.push_back({from->second, to->second});
        else if (symmetries.insert(std::minmax(from->second, to->second)).second)
            skeleton.symmetries.push_back({from->second, to->second});
    }
    Json extra = Json::object();
    extra["entry"] = entry;
    extra["nodes"] = std::move(ownNodes);
    skeleton.extraJson = writeJson(extra);
    return skeleton;
}

std::vector<std::array<int, 2>> sortedPairs(const project::Skeleton& skeleton) {
    std::vector<std::array<int, 2>> pairs = skeleton.symmetries;
    for (auto& pair : pairs)
        std::sort(pair.begin(), pair.end());
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

bool saysTheSame(const std::vector<project::Skeleton>& a, const std::vector<project::Skeleton>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.name == y.name && x.sameStructure(y) && sortedPairs(x) == sortedPairs(y);
    });
}

Json spellKind(std::int64_t kind) {
    Json type = Json::object();
    Json name = Json::object();
    name["py/type"] = "sleap.skeleton.EdgeType";
    Json tuple = Json::object();
    tuple["py/tuple"] = Json::array({kind});
    type["py/reduce"] = Json::array({std::move(name), std::move(tuple)});
    return type;
}

Json encodeOne(const project::Skeleton& skeleton, Json& globalNodes) {
    Json extra = Json::object();
    if (!skeleton.extraJson.empty())
        if (auto parsed = parseJson(skeleton.extraJson, "A skeleton"); parsed && parsed->is_object())
            extra = std::move(*parsed);
    Json entry = member(extra, "entry").is_object() ? extra["entry"] : Json::object();
    const bool wrapped = member(entry, "nx_graph").is_object();
    Json graph = wrapped ? entry["nx_graph"] : entry;

    const auto base = static_cast<std::int64_t>(globalNodes.size());
    Json ids = Json::array();
    for (std::size_t i = 0; i < skeleton.nodes.size(); ++i) {
        Json node = Json::object();
        for (const Json& known : member(extra, "nodes"))
            if (known.is_object() && nodeName(known) == skeleton.nodes[i])
                node = known;
        node["name"] = skeleton.nodes[i];
        if (!node.contains("weight"))
            node["weight"] = 1.0;
        globalNodes.push_back(std::move(node));
        Json id = Json::object();
        id["id"] = base + static_cast<std::int64_t>(i);
        ids.push_back(std::move(id));
    }

    Json links = Json::array();
    const auto addLink = [&](int from, int to, std::int64_t kind, bool spelled) -> Json& {
        Json link = Json::object();
        if (kind == kEdge)
            link["edge_insert_idx"] = links.size();
        link["key"] = 0;
        link["source"] = base + from;
        link["target"] = base + to;
        if (spelled) {
            link["type"] = spellKind(kind);
        } else {
            link["type"] = Json::object();
            link["type"]["py/id"] = kind;
        }
        links.push_back(std::move(link));
        return links.back();
    };
    for (std::size_t i = 0; i < skeleton.edges.size(); ++i)
        addLink(skeleton.edges[i].source, skeleton.edges[i].destination, kEdge, i == 0);
    // Without edges before them, "the second kind met" would be read in two ways.
    for (std::size_t i = 0; i < skeleton.symmetries.size(); ++i)
        addLink(skeleton.symmetries[i][0], skeleton.symmetries[i][1], kSymmetry, i == 0 || skeleton.edges.empty());

    graph["directed"] = true;
    if (!member(graph, "graph").is_object())
        graph["graph"] = Json::object();
    // Without a name the file has none either; an empty text that was stored stays one.
    Json& name = graph["graph"]["name"];
    if (!skeleton.name.empty() || name.is_string())
        name = skeleton.name;
    else
        name = nullptr;
    graph["graph"]["num_edges_inserted"] = skeleton.edges.size();
    graph["links"] = std::move(links);
    graph["multigraph"] = true;
    graph["nodes"] = std::move(ids);
    if (!wrapped)
        return graph;
    entry["nx_graph"] = std::move(graph);
    return entry;
}

}  // namespace

Result<std::vector<project::Skeleton>> decodeSkeletons(const Json& metadata) {
    std::vector<project::Skeleton> skeletons;
    for (const Json& entry : member(metadata, "skeletons")) {
        SKEIN_TRY(skeleton, decodeOne(entry, member(metadata, "nodes"), skeletons.size()));
        skeletons.push_back(std::move(skeleton));
    }
    return skeletons;
}

void encodeSkeletons(const std::vector<project::Skeleton>& skeletons, Json& metadata) {
    if (const auto known = decodeSkeletons(metadata);
        known && saysTheSame(*known, skeletons) && metadata.contains("skeletons") && metadata.contains("nodes"))
        return;
    Json nodes = Json::array();
    Json entries = Json::array();
    for (const project::Skeleton& skeleton : skeletons)
        entries.push_back(encodeOne(skeleton, nodes));
    metadata["skeletons"] = std::move(entries);
    metadata["nodes"] = std::move(nodes);
}

}  // namespace skein::formats::slp
