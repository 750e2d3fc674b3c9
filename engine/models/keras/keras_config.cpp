// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/keras/keras_config.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace skein::models {
namespace {

using Json = nlohmann::ordered_json;

const Json& child(const Json& object, const char* key) {
    static const Json none;
    if (!object.is_object())
        return none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

/// Copies values under other names, where there are any.
Json renamed(const Json& from, std::initializer_list<std::pair<const char*, const char*>> names) {
    Json out = Json::object();
    for (const auto& [oldName, newName] : names)
        if (const Json& value = child(from, oldName); !value.is_null())
            out[newName] = value;
    return out;
}

/// The skeleton as a graph written by jsonpickle: an object is spelled out where it first occurs, and later named by
/// its number among the objects so far. Nodes and edge types count; links are read in the order source, target, type.
class PickledSkeleton {
public:
    Result<Json> convert(const Json& graph) {
        const Json& inner = child(graph, "nx_graph").is_object() ? child(graph, "nx_graph") : graph;
        Json edges = Json::array();
        Json symmetries = Json::array();
        std::set<std::pair<std::string, std::string>> seen;
        for (const Json& link : child(inner, "links")) {
            const auto source = node(child(link, "source"));
            const auto target = node(child(link, "target"));
            const auto type = edgeType(child(link, "type"));
            if (!source || !target || !type)
                return fail(ErrorCode::Format, "a connection of its skeleton cannot be read");
            if (*type == 1) {
                edges.push_back({{"source", {{"name", *source}}}, {"destination", {{"name", *target}}}});
            } else if (seen.insert(std::minmax(*source, *target)).second) {
                symmetries.push_back(Json::array({{{"name", *source}}, {{"name", *target}}}));
            }
        }
        Json nodes = Json::array();
        for (const Json& entry : child(inner, "nodes")) {
            const auto name = node(child(entry, "id"));
            if (!name)
                return fail(ErrorCode::Format, "a node of its skeleton cannot be read");
            nodes.push_back({{"name", *name}});
        }
        return Json{{"name", child(child(inner, "graph"), "name")},
                    {"nodes", std::move(nodes)},
                    {"edges", std::move(edges)},
                    {"symmetries", std::move(symmetries)}};
    }

private:
    using Object = std::variant<std::string, int>;

    /// The object that a reference names, if it is of that kind.
    template <class T>
    [[nodiscard]] std::optional<T> referred(const Json& value) const {
        const Json& id = child(value, "py/id");
        if (!id.is_number_integer() || id.get<std::int64_t>() < 1 ||
            id.get<std::int64_t>() > static_cast<std::int64_t>(m_objects.size()))
            return std::nullopt;
        const T* object = std::get_if<T>(&m_objects[static_cast<std::size_t>(id.get<std::int64_t>() - 1)]);
        return object == nullptr ? std::nullopt : std::optional<T>(*object);
    }

    std::optional<std::string> node(const Json& value) {
        if (!child(value, "py/object").is_string())
            return referred<std::string>(value);
        const Json& state = child(value, "py/state");
        const Json& tuple = child(state, "py/tuple");
        const Json& name = tuple.is_array() && !tuple.empty() ? tuple[0]
                           : state.is_object()                ? child(state, "name")
                                                              : child(value, "name");
        if (!name.is_string())
            return std::nullopt;
        // Spelled out a second time it is the same node and gets no number.
        if (m_nodes.insert(name.get<std::string>()).second)
            m_objects.emplace_back(name.get<std::string>());
        return name.get<std::string>();
    }

    /// 1: an edge, 2: a symmetry.
    std::optional<int> edgeType(const Json& value) {
        if (value.is_null())
            return 1;
        const Json& reduce = child(value, "py/reduce");
        if (!reduce.is_array() || reduce.size() < 2)
            return referred<int>(value);
        const Json& tuple = child(reduce[1], "py/tuple");
        if (!tuple.is_array() || tuple.empty() || (tuple[0] != 1 && tuple[0] != 2))
            return std::nullopt;
        m_objects.emplace_back(tuple[0].get<int>());
        return tuple[0].get<int>();
    }

    std::vector<Object> m_objects;
    std::set<std::string> m_nodes;
};

Result<Json> headsOf(const Json& heads) {
    const auto only = [](const char* type, Json parts) { return Json{{type, std::move(parts)}}; };
    // In the order in which sleap-nn asks.
    if (const Json& head = child(heads, "centroid"); !head.is_null())
        return only(
            "centroid",
            {{"confmaps", renamed(head, {{"anchor_part", "anchor_part"}, {"output_stride", "output_stride"}})}});
    for (const char* type : {"centered_instance", "single_instance"})
        if (const Json& head = child(heads, type); !head.is_null())
            return only(type, {{"confmaps", renamed(head, {{"anchor_part", "anchor_part"},
                                                           {"part_names", "part_names"},
                                                           {"output_stride", "output_stride"}})}});
    if (const Json& head = child(heads, "multi_instance"); !head.is_null())
        return only("bottomup", head);
    if (const Json& head = child(heads, "multi_class_topdown"); !head.is_null()) {
        Json made = head;
        if (Json& vectors = made["class_vectors"]; vectors.is_object()) {
            // Defaults of SLEAP's own, which differ from sleap-nn's.
            for (const auto& [key, otherwise] :
                 {std::pair<const char*, Json>("num_fc_layers", 2), {"num_fc_units", 1024}, {"global_pool", true}})
                if (child(vectors, key).is_null())
                    vectors[key] = otherwise;
        }
        return only("multi_class_topdown", std::move(made));
    }
    if (const Json& head = child(heads, "multi_class_bottomup"); !head.is_null())
        return only("multi_class_bottomup", head);
    if (heads.is_object())
        for (const auto& [name, head] : heads.items())
            if (!head.is_null())
                return fail(ErrorCode::Unsupported,
                            "it is a Keras model of the type '" + name + "', which neither sleap-nn nor Skein runs");
    return fail(ErrorCode::Format, "it names no head");
}

Result<Json> backboneOf(const Json& backbone) {
    const Json& unet = child(backbone, "unet");
    if (unet.is_null()) {
        if (backbone.is_object())
            for (const auto& [name, options] : backbone.items())
                if (!options.is_null())
                    return fail(ErrorCode::Unsupported,
                                "it is a Keras model with the backbone '" + name +
                                    "', which neither sleap-nn nor Skein runs; those with a unet they run");
        return fail(ErrorCode::Format, "it names no backbone");
    }
    Json made = renamed(unet, {{"filters", "filters"},
                               {"filters_rate", "filters_rate"},
                               {"max_stride", "max_stride"},
                               {"stem_stride", "stem_stride"},
                               {"middle_block", "middle_block"},
                               {"up_interpolate", "up_interpolate"},
                               {"stacks", "stacks"},
                               {"output_stride", "output_stride"}});
    return Json{{"unet", std::move(made)}};
}

}  // namespace

bool isKerasConfig(const Json& config) {
    return child(config, "model_config").is_null() && child(child(config, "model"), "backbone").is_object();
}

Result<Json> fromKerasConfig(const Json& config) {
    const Json& data = child(config, "data");
    const Json& model = child(config, "model");
    auto backbone = backboneOf(child(model, "backbone"));
    if (!backbone)
        return backbone;
    auto heads = headsOf(child(model, "heads"));
    if (!heads)
        return heads;
    Json preprocessing = renamed(child(data, "preprocessing"), {{"ensure_rgb", "ensure_rgb"},
                                                                {"ensure_grayscale", "ensure_grayscale"},
                                                                {"target_height", "max_height"},
                                                                {"target_width", "max_width"},
                                                                {"input_scaling", "scale"}});
    preprocessing.update(renamed(child(data, "instance_cropping"), {{"crop_size", "crop_size"}}));
    const Json& labels = child(data, "labels");
    Json skeletons = Json::array();
    if (const Json& list = child(labels, "skeletons"); list.is_array() && !list.empty()) {
        auto skeleton = PickledSkeleton().convert(list[0]);
        if (!skeleton)
            return skeleton;
        skeletons.push_back(std::move(*skeleton));
    }
    Json dataConfig =
        renamed(labels, {{"training_labels", "train_labels_path"}, {"validation_labels", "val_labels_path"}});
    dataConfig["preprocessing"] = std::move(preprocessing);
    dataConfig["skeletons"] = std::move(skeletons);

    const Json& training = child(config, "optimization");
    Json trainer = renamed(training, {{"epochs", "max_epochs"}, {"optimizer", "optimizer_name"}});
    trainer.update(renamed(child(config, "outputs"), {{"run_name", "run_name"}}));
    trainer["train_data_loader"] = renamed(training, {{"batch_size", "batch_size"}});
    trainer["optimizer"] = renamed(training, {{"initial_learning_rate", "lr"}});
    Json made{{"data_config", std::move(dataConfig)},
              {"model_config", {{"backbone_config", std::move(*backbone)}, {"head_configs", std::move(*heads)}}},
              {"trainer_config", std::move(trainer)}};
    made.update(renamed(config, {{"sleap_version", "sleap_version"}}));
    return made;
}

}  // namespace skein::models
