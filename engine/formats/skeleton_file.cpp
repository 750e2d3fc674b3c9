// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/skeleton_file.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/atomic_file.h"
#include "engine/formats/json/json.h"
#include "engine/formats/slp.h"

namespace skein::formats {

namespace {

constexpr int kEdge = 1;
constexpr int kSymmetry = 2;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{16} << 20;  // a skeleton of thousands of nodes is far smaller

/// Reads the graph in the order of the text, since objects are numbered as they are met. A Node and an EdgeType count,
/// tuples do not.
class Reader {
public:
    /// nullopt: `problem` says why.
    std::optional<project::Skeleton> read(const Json& graph) {
        project::Skeleton skeleton;
        skeleton.name = stringMember(member(graph, "graph"), "name");
        struct Link {
            std::string from, to;
            int kind;
        };
        std::vector<Link> links;
        std::vector<std::string> nodes;
        // Files may have nodes before links or after them; what is referred to is what came earlier in the text.
        for (const auto& [key, value] : graph.items()) {
            if (key == "links") {
                for (const Json& link : value) {
                    Link read{{}, {}, kEdge};
                    for (const auto& [part, what] : link.items()) {
                        if (part != "source" && part != "target" && part != "type")
                            continue;
                        const auto object = decode(what);
                        if (part == "type") {
                            const int* kind = object ? std::get_if<int>(&*object) : nullptr;
                            if (kind == nullptr)
                                return no("the kind of an edge cannot be read");
                            read.kind = *kind;
                        } else {
                            const std::string* name = object ? std::get_if<std::string>(&*object) : nullptr;
                            if (name == nullptr)
                                return no("an end of an edge cannot be read");
                            (part == "source" ? read.from : read.to) = *name;
                        }
                    }
                    links.push_back(std::move(read));
                }
            } else if (key == "nodes") {
                for (const Json& node : value) {
                    const auto object = decode(member(node, "id").is_null() ? node : member(node, "id"));
                    const std::string* name = object ? std::get_if<std::string>(&*object) : nullptr;
                    if (name == nullptr || name->empty())
                        return no("a node cannot be read");
                    nodes.push_back(*name);
                }
            }
        }
        if (nodes.empty())
            return no("it has no nodes");
        for (const std::string& node : nodes) {
            if (skeleton.nodeIndex(node))
                return no("two of its nodes are called " + node);
            skeleton.nodes.push_back(node);
        }
        std::set<std::pair<int, int>> pairs;
        for (const Link& link : links) {
            const auto from = skeleton.nodeIndex(link.from), to = skeleton.nodeIndex(link.to);
            if (!from || !to)
                return no("an edge leads to a node that it does not have");
            if (link.kind == kSymmetry) {
                if (pairs.insert(std::minmax(*from, *to)).second)
                    skeleton.symmetries.push_back({*from, *to});
            } else {
                skeleton.edges.push_back({*from, *to});
            }
        }
        return skeleton;
    }
    std::string problem;

private:
    using Object = std::variant<std::string, int>;

    std::optional<project::Skeleton> no(std::string why) {
        problem = std::move(why);
        return std::nullopt;
    }

    std::optional<Object> decode(const Json& value) {
        if (value.is_string())
            return value.get<std::string>();
        if (value.is_null())
            return Object(kEdge);
        if (const Json& id = member(value, "py/id"); id.is_number_integer()) {
            const auto number = id.get<std::int64_t>();
            if (number < 1 || number > static_cast<std::int64_t>(m_objects.size()))
                return std::nullopt;
            return m_objects[static_cast<std::size_t>(number - 1)];
        }
        if (const Json& reduce = member(value, "py/reduce"); reduce.is_array()) {
            for (const Json& part : reduce)
                if (const Json& tuple = member(part, "py/tuple");
                    tuple.is_array() && !tuple.empty() && tuple.front().is_number_integer()) {
                    m_objects.emplace_back(tuple.front().get<std::int64_t>() == kSymmetry ? kSymmetry : kEdge);
                    return m_objects.back();
                }
            return std::nullopt;
        }
        const Json& tuple = member(member(value, "py/state"), "py/tuple");
        std::string name = tuple.is_array() && !tuple.empty() && tuple.front().is_string()
                               ? tuple.front().get<std::string>()
                               : stringMember(member(value, "py/state"), "name", stringMember(value, "name"));
        if (name.empty())
            return std::nullopt;
        m_objects.emplace_back(std::move(name));
        return m_objects.back();
    }

    std::vector<Object> m_objects;
};

/// Writes objects in full when they are first met and by number after that.
class Writer {
public:
    Json node(const std::string& name) {
        if (const auto number = known("n" + name))
            return reference(*number);
        Json tuple = Json::object();
        tuple["py/tuple"] = Json::array({name, 1.0});
        Json object = Json::object();
        object["py/object"] = "sleap.skeleton.Node";
        object["py/state"] = std::move(tuple);
        return object;
    }
    Json kind(int value) {
        if (const auto number = known("k" + std::to_string(value)))
            return reference(*number);
        Json type = Json::object(), tuple = Json::object();
        type["py/type"] = "sleap.skeleton.EdgeType";
        tuple["py/tuple"] = Json::array({value});
        Json object = Json::object();
        object["py/reduce"] = Json::array({std::move(type), std::move(tuple)});
        return object;
    }

private:
    /// The number of what was met before; otherwise it gets the next one.
    std::optional<std::size_t> known(const std::string& key) {
        for (std::size_t i = 0; i < m_met.size(); ++i)
            if (m_met[i] == key)
                return i + 1;
        m_met.push_back(key);
        return std::nullopt;
    }
    static Json reference(std::size_t number) {
        Json object = Json::object();
        object["py/id"] = number;
        return object;
    }
    std::vector<std::string> m_met;
};

}  // namespace

Result<project::Skeleton> readSkeletonFile(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return fail(ErrorCode::NotFound, "There is no file " + path.string() + ".");
    const std::string extension = path.extension().string();
    if (extension == ".slp" || extension == ".h5") {
        auto labels = readSlp(path);
        if (!labels)
            return fail(std::move(labels.error()));
        if (labels->skeletons().empty())
            return fail(ErrorCode::Format, name + " has no skeleton.");
        return labels->skeletons().front();
    }
    if (std::filesystem::file_size(path, error) > kMostBytes || error)
        return fail(ErrorCode::Format, name + " is too large to be a skeleton.");
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file && !file.eof())
        return fail(ErrorCode::Io, name + " cannot be read.");
    auto json = parseJson(text, name);
    if (!json)
        return fail(std::move(json.error()));
    const Json& graph = member(*json, "nx_graph").is_object() ? member(*json, "nx_graph") : *json;
    if (!member(graph, "nodes").is_array())
        return fail(ErrorCode::Format, name + " is no skeleton that SLEAP saved: it has no list of nodes.");
    Reader reader;
    if (auto skeleton = reader.read(graph))
        return std::move(*skeleton);
    return fail(ErrorCode::Format, "The skeleton in " + name + " is damaged: " + reader.problem + ".");
}

Result<void> writeSkeletonFile(const project::Skeleton& skeleton, const std::filesystem::path& path) {
    Writer writer;
    const auto nodeAt = [&](int node) { return writer.node(skeleton.nodes[static_cast<std::size_t>(node)]); };
    Json links = Json::array();
    const auto addLink = [&](int from, int to, int kind) {
        Json link = Json::object();
        if (kind == kEdge)
            link["edge_insert_idx"] = links.size();
        link["key"] = 0;
        link["source"] = nodeAt(from);
        link["target"] = nodeAt(to);
        link["type"] = writer.kind(kind);
        links.push_back(std::move(link));
    };
    for (const project::Edge& edge : skeleton.edges)
        addLink(edge.source, edge.destination, kEdge);
    // SLEAP has a symmetry in both directions.
    for (const auto& pair : skeleton.symmetries) {
        addLink(pair[0], pair[1], kSymmetry);
        addLink(pair[1], pair[0], kSymmetry);
    }
    Json nodes = Json::array();
    for (const std::string& name : skeleton.nodes) {
        Json node = Json::object();
        node["id"] = writer.node(name);
        nodes.push_back(std::move(node));
    }
    Json graph = Json::object();
    graph["directed"] = true;
    graph["graph"] = Json::object();
    graph["graph"]["name"] = skeleton.name;
    graph["graph"]["num_edges_inserted"] = skeleton.edges.size();
    graph["links"] = std::move(links);
    graph["multigraph"] = true;
    graph["nodes"] = std::move(nodes);
    return writeAtomically(path, [&](const std::filesystem::path& temporary) -> Result<void> {
        std::ofstream file(temporary, std::ios::binary);
        file << writeStrictJson(graph) << '\n';
        if (!file.flush())
            return fail(ErrorCode::Io, path.filename().string() + " cannot be written. Is there room on the disk?");
        return {};
    });
}

}  // namespace skein::formats
