// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/training_config.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/models/keras/keras_config.h"

namespace skein::models {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{16} << 20;
constexpr int kMaxDepth = 200;

/// Thrown inside this file only; readTrainingConfig() adds the file's name and returns it.
struct Problem {
    ErrorCode code;
    std::string message;
};

YAML::Node fromJson(const nlohmann::ordered_json& json, int depth = 0) {
    if (depth > kMaxDepth)
        throw Problem{ErrorCode::Format, "it nests more than two hundred levels deep"};
    YAML::Node node;
    if (json.is_object()) {
        node = YAML::Node(YAML::NodeType::Map);
        for (const auto& [key, value] : json.items())
            node.force_insert(key, fromJson(value, depth + 1));
    } else if (json.is_array()) {
        node = YAML::Node(YAML::NodeType::Sequence);
        for (const auto& value : json)
            node.push_back(fromJson(value, depth + 1));
    } else if (json.is_string()) {
        node = json.get<std::string>();
    } else if (!json.is_null()) {
        node = json.dump();
    }
    return node;
}

/// Child of a map; an undefined node where the parent is no map or lacks the key.
YAML::Node child(const YAML::Node& node, const std::string& key) {
    if (!node.IsDefined() || !node.IsMap())
        return YAML::Node(YAML::NodeType::Undefined);
    return node[key];
}

bool isSet(const YAML::Node& node) {
    return node.IsDefined() && !node.IsNull();
}

template <class T>
std::optional<T> optional(const YAML::Node& parent, const std::string& key) {
    const YAML::Node node = child(parent, key);
    if (!isSet(node))
        return std::nullopt;
    if constexpr (std::is_same_v<T, int>) {
        // Numbers that are whole but written as floats occur ("16.0").
        if (double value = 0; node.IsScalar() && YAML::convert<double>::decode(node, value) &&
                              value == std::floor(value) && std::abs(value) < 1e9)
            return static_cast<int>(value);
        throw Problem{ErrorCode::Format, "'" + key + "' should be a whole number"};
    } else if constexpr (std::is_same_v<T, double>) {
        if (double value = 0; node.IsScalar() && YAML::convert<double>::decode(node, value) && std::isfinite(value))
            return value;
        throw Problem{ErrorCode::Format, "'" + key + "' should be a number"};
    } else if constexpr (std::is_same_v<T, bool>) {
        if (bool value = false; node.IsScalar() && YAML::convert<bool>::decode(node, value))
            return value;
        throw Problem{ErrorCode::Format, "'" + key + "' should be true or false"};
    } else {
        if (!node.IsScalar())
            throw Problem{ErrorCode::Format, "'" + key + "' should be text"};
        return node.Scalar();
    }
}

template <class T>
T value(const YAML::Node& parent, const std::string& key, T otherwise) {
    return optional<T>(parent, key).value_or(otherwise);
}

std::vector<std::string> names(const YAML::Node& node, const std::string& what) {
    std::vector<std::string> result;
    if (!isSet(node))
        return result;
    if (!node.IsSequence())
        throw Problem{ErrorCode::Format, "'" + what + "' should be a list of names"};
    for (const YAML::Node& item : node) {
        if (!item.IsScalar())
            throw Problem{ErrorCode::Format, "'" + what + "' should be a list of names"};
        result.push_back(item.Scalar());
    }
    return result;
}

std::vector<int> numbers(const YAML::Node& node, const std::string& what, std::size_t count) {
    std::vector<int> result;
    if (isSet(node) && node.IsSequence())
        for (const YAML::Node& item : node)
            if (int number = 0; item.IsScalar() && YAML::convert<int>::decode(item, number))
                result.push_back(number);
    if (result.size() != count)
        throw Problem{ErrorCode::Format,
                      "'" + what + "' should be a list of " + std::to_string(count) + " whole numbers"};
    return result;
}

/// First key, in file order, whose value is not null: how sleap-nn tells head and backbone.
std::pair<std::string, YAML::Node> firstSet(const YAML::Node& map, const char* what) {
    if (map.IsDefined() && map.IsMap())
        for (const auto& entry : map)
            if (isSet(entry.second) && entry.first.IsScalar())
                return {entry.first.Scalar(), entry.second};
    throw Problem{ErrorCode::Format, std::string("it names no ") + what};
}

// --- backbones

UNetConfig readUNet(const YAML::Node& node) {
    UNetConfig c;
    c.inChannels = value(node, "in_channels", c.inChannels);
    c.kernelSize = value(node, "kernel_size", c.kernelSize);
    c.filters = value(node, "filters", c.filters);
    c.filtersRate = value(node, "filters_rate", c.filtersRate);
    c.maxStride = value(node, "max_stride", c.maxStride);
    c.stemStride = optional<int>(node, "stem_stride");
    c.middleBlock = value(node, "middle_block", c.middleBlock);
    c.upInterpolate = value(node, "up_interpolate", c.upInterpolate);
    c.stacks = value(node, "stacks", c.stacks);
    c.convsPerBlock = value(node, "convs_per_block", c.convsPerBlock);
    c.outputStride = value(node, "output_stride", c.outputStride);
    return c;
}

struct ConvNextPreset {
    std::array<int, 4> depths, channels;
};
struct SwinPreset {
    int embed;
    std::array<int, 4> depths, heads;
};

std::optional<ConvNextPreset> convNextPreset(std::string_view type) {
    if (type == "tiny")
        return ConvNextPreset{{3, 3, 9, 3}, {96, 192, 384, 768}};
    if (type == "small")
        return ConvNextPreset{{3, 3, 27, 3}, {96, 192, 384, 768}};
    if (type == "base")
        return ConvNextPreset{{3, 3, 27, 3}, {128, 256, 512, 1024}};
    if (type == "large")
        return ConvNextPreset{{3, 3, 27, 3}, {192, 384, 768, 1536}};
    return std::nullopt;
}

std::optional<SwinPreset> swinPreset(std::string_view type) {
    if (type == "tiny")
        return SwinPreset{96, {2, 2, 6, 2}, {3, 6, 12, 24}};
    if (type == "small")
        return SwinPreset{96, {2, 2, 18, 2}, {3, 6, 12, 24}};
    if (type == "base")
        return SwinPreset{128, {2, 2, 18, 2}, {4, 8, 16, 32}};
    return std::nullopt;
}

TransformerConfig readTransformer(const YAML::Node& node, BackboneType type) {
    TransformerConfig c;
    c.inChannels = value(node, "in_channels", c.inChannels);
    c.patchSize = value(node, type == BackboneType::ConvNext ? "stem_patch_kernel" : "patch_size", c.patchSize);
    c.stemPatchStride = value(node, "stem_patch_stride", c.stemPatchStride);
    c.windowSize = value(node, "window_size", c.windowSize);
    c.kernelSize = value(node, "kernel_size", c.kernelSize);
    c.filtersRate = value(node, "filters_rate", c.filtersRate);
    c.convsPerBlock = value(node, "convs_per_block", c.convsPerBlock);
    c.upInterpolate = value(node, "up_interpolate", c.upInterpolate);
    c.blockContraction = value(node, "block_contraction", c.blockContraction);
    c.outputStride = value(node, "output_stride", c.outputStride);
    c.maxStride = value(node, "max_stride", c.maxStride);
    // A known model_type wins over arch; an unknown one leaves the choice to arch, and without it to the smallest.
    const std::string modelType = value<std::string>(node, "model_type", "tiny");
    const YAML::Node arch = child(node, "arch");
    if (type == BackboneType::ConvNext) {
        auto preset = convNextPreset(modelType);
        if (!preset && isSet(arch)) {
            c.depths = numbers(child(arch, "depths"), "arch.depths", 4);
            c.channels = numbers(child(arch, "channels"), "arch.channels", 4);
            return c;
        }
        preset = preset ? preset : convNextPreset("tiny");
        c.depths.assign(preset->depths.begin(), preset->depths.end());
        c.channels.assign(preset->channels.begin(), preset->channels.end());
        return c;
    }
    auto preset = swinPreset(modelType);
    if (!preset && isSet(arch)) {
        c.embed = value(arch, "embed", 0);
        c.depths = numbers(child(arch, "depths"), "arch.depths", 4);
        c.numHeads = numbers(child(arch, "num_heads"), "arch.num_heads", 4);
        return c;
    }
    preset = preset ? preset : swinPreset("tiny");
    c.embed = preset->embed;
    c.depths.assign(preset->depths.begin(), preset->depths.end());
    c.numHeads.assign(preset->heads.begin(), preset->heads.end());
    return c;
}

void readBackbone(const YAML::Node& model, ModelSpec& spec) {
    const auto [name, node] = firstSet(child(model, "backbone_config"), "backbone");
    if (name == "unet") {
        spec.backbone = BackboneType::UNet;
        spec.unet = readUNet(node);
    } else if (name == "convnext" || name == "swint") {
        spec.backbone = name == "convnext" ? BackboneType::ConvNext : BackboneType::SwinT;
        spec.transformer = readTransformer(node, spec.backbone);
    } else {
        throw Problem{ErrorCode::Unsupported, "it has the backbone '" + name +
                                                  "', which Skein does not run; unet, convnext and swint it knows"};
    }
}

// --- skeleton and heads

project::Skeleton readSkeleton(const YAML::Node& data) {
    project::Skeleton skeleton;
    const YAML::Node list = child(data, "skeletons");
    if (!isSet(list) || !list.IsSequence() || list.size() == 0)
        return skeleton;
    const YAML::Node first = list[0];
    skeleton.name = value<std::string>(first, "name", "");
    const auto nodeName = [](const YAML::Node& node) -> std::string {
        if (isSet(node) && node.IsScalar())
            return node.Scalar();
        return value<std::string>(node, "name", "");
    };
    if (const YAML::Node nodes = child(first, "nodes"); isSet(nodes) && nodes.IsSequence())
        for (const YAML::Node& node : nodes)
            skeleton.nodes.push_back(nodeName(node));
    const auto find = [&](const std::string& name) {
        const auto index = skeleton.nodeIndex(name);
        if (!index)
            throw Problem{ErrorCode::Format, "its skeleton connects the unknown node '" + name + "'"};
        return *index;
    };
    if (const YAML::Node edges = child(first, "edges"); isSet(edges) && edges.IsSequence())
        for (const YAML::Node& edge : edges) {
            if (edge.IsMap())
                skeleton.edges.push_back(
                    {find(nodeName(child(edge, "source"))), find(nodeName(child(edge, "destination")))});
            else if (edge.IsSequence() && edge.size() == 2)
                skeleton.edges.push_back({find(nodeName(edge[0])), find(nodeName(edge[1]))});
        }
    if (const YAML::Node symmetries = child(first, "symmetries"); isSet(symmetries) && symmetries.IsSequence())
        for (const YAML::Node& entry : symmetries) {
            const YAML::Node pair = entry.IsMap() ? child(entry, "nodes") : entry;
            if (isSet(pair) && pair.IsSequence() && pair.size() == 2)
                skeleton.symmetries.push_back({find(nodeName(pair[0])), find(nodeName(pair[1]))});
        }
    return skeleton;
}

HeadSpec mapHead(HeadKind kind, const YAML::Node& node, std::size_t channels) {
    HeadSpec head;
    head.kind = kind;
    head.channels = static_cast<int>(channels);
    head.outputStride = value(node, "output_stride", 1);
    return head;
}

void readParts(const YAML::Node& confmaps, ModelSpec& spec) {
    spec.partNames = names(child(confmaps, "part_names"), "part_names");
    if (spec.partNames.empty())
        spec.partNames = spec.skeleton.nodes;
    if (spec.partNames.empty())
        throw Problem{ErrorCode::Format, "it names no body parts (part_names)"};
    if (spec.skeleton.nodes.empty())
        spec.skeleton.nodes = spec.partNames;
    if (spec.skeleton.nodes.size() != spec.partNames.size())
        throw Problem{ErrorCode::Model, "its head has " + std::to_string(spec.partNames.size()) +
                                            " body parts but its skeleton " +
                                            std::to_string(spec.skeleton.nodes.size()) + " nodes"};
}

void readPafEdges(const YAML::Node& pafs, ModelSpec& spec) {
    const YAML::Node edges = child(pafs, "edges");
    if (!isSet(edges)) {
        spec.pafEdges = spec.skeleton.edges;
        return;
    }
    const auto find = [&](const YAML::Node& name) {
        if (name.IsScalar()) {
            const auto it = std::find(spec.partNames.begin(), spec.partNames.end(), name.Scalar());
            if (it != spec.partNames.end())
                return static_cast<int>(it - spec.partNames.begin());
        }
        throw Problem{ErrorCode::Format, "its PAF head connects a part that is not among part_names"};
    };
    if (!edges.IsSequence())
        throw Problem{ErrorCode::Format, "'pafs.edges' should be a list of pairs"};
    for (const YAML::Node& edge : edges) {
        if (!edge.IsSequence() || edge.size() != 2)
            throw Problem{ErrorCode::Format, "'pafs.edges' should be a list of pairs"};
        spec.pafEdges.push_back({find(edge[0]), find(edge[1])});
    }
}

std::optional<ModelType> modelType(const std::string& name) {
    for (const ModelType type : {ModelType::SingleInstance, ModelType::Centroid, ModelType::CenteredInstance,
                                 ModelType::BottomUp, ModelType::MultiClassBottomUp, ModelType::MultiClassTopDown})
        if (name == modelTypeName(type))
            return type;
    return std::nullopt;
}

void readHeads(const YAML::Node& model, ModelSpec& spec) {
    const auto [name, node] = firstSet(child(model, "head_configs"), "head");
    const auto type = modelType(name);
    if (!type)
        throw Problem{ErrorCode::Unsupported, "it is a model of the type '" + name +
                                                  "', which Skein does not run; it runs pose models (single_instance, "
                                                  "centroid, centered_instance, bottomup and the multi_class ones)"};
    spec.type = *type;
    const YAML::Node confmaps = child(node, "confmaps");
    if (!isSet(confmaps))
        throw Problem{ErrorCode::Format, "its head '" + name + "' has no confmaps"};
    spec.anchorPart = optional<std::string>(confmaps, "anchor_part");
    spec.centroidMethod = optional<std::string>(confmaps, "centroid_method");
    spec.centroidFallback = optional<std::string>(confmaps, "centroid_fallback");
    if (spec.type == ModelType::Centroid) {
        HeadSpec head = mapHead(HeadKind::CentroidConfmaps, confmaps, 1);
        head.sigmoid = value(confmaps, "use_sigmoid_activation", false);
        spec.heads.push_back(head);
        spec.partNames = {"centroid"};
        return;
    }
    readParts(confmaps, spec);
    const std::size_t parts = spec.partNames.size();
    const auto classes = [&](const YAML::Node& head) {
        spec.classNames = names(child(head, "classes"), "classes");
        if (spec.classNames.empty())
            throw Problem{ErrorCode::Format, "its class head names no classes"};
        if (const std::string output = value<std::string>(head, "class_output", "track");
            output != "track" && output != "identity")
            throw Problem{ErrorCode::Unsupported,
                          "its class head gives '" + output + "', neither tracks nor identities"};
    };
    switch (spec.type) {
        case ModelType::SingleInstance:
            spec.heads.push_back(mapHead(HeadKind::SingleInstanceConfmaps, confmaps, parts));
            break;
        case ModelType::CenteredInstance:
            spec.heads.push_back(mapHead(HeadKind::CenteredInstanceConfmaps, confmaps, parts));
            break;
        case ModelType::BottomUp: {
            const YAML::Node pafs = child(node, "pafs");
            if (!isSet(pafs))
                throw Problem{ErrorCode::Format, "its bottom-up head has no pafs"};
            readPafEdges(pafs, spec);
            if (spec.pafEdges.empty())
                throw Problem{ErrorCode::Model, "its skeleton has no edges, so that peaks cannot be grouped"};
            spec.heads.push_back(mapHead(HeadKind::MultiInstanceConfmaps, confmaps, parts));
            spec.heads.push_back(mapHead(HeadKind::PartAffinityFields, pafs, 2 * spec.pafEdges.size()));
            break;
        }
        case ModelType::MultiClassBottomUp: {
            const YAML::Node maps = child(node, "class_maps");
            classes(maps);
            spec.heads.push_back(mapHead(HeadKind::MultiInstanceConfmaps, confmaps, parts));
            spec.heads.push_back(mapHead(HeadKind::ClassMaps, maps, spec.classNames.size()));
            spec.heads.back().sigmoid = true;
            break;
        }
        case ModelType::MultiClassTopDown: {
            const YAML::Node vectors = child(node, "class_vectors");
            classes(vectors);
            spec.heads.push_back(mapHead(HeadKind::CenteredInstanceConfmaps, confmaps, parts));
            HeadSpec head = mapHead(HeadKind::ClassVectors, vectors, spec.classNames.size());
            head.fcLayers = value(vectors, "num_fc_layers", head.fcLayers);
            head.fcUnits = value(vectors, "num_fc_units", head.fcUnits);
            head.globalPool = value(vectors, "global_pool", head.globalPool);
            spec.heads.push_back(head);
            break;
        }
        case ModelType::Centroid:
            break;
    }
}

void readPreprocessing(const YAML::Node& data, ModelSpec& spec) {
    const YAML::Node node = child(data, "preprocessing");
    PreprocessSpec& p = spec.preprocess;
    p.ensureRgb = value(node, "ensure_rgb", p.ensureRgb);
    p.ensureGrayscale = value(node, "ensure_grayscale", p.ensureGrayscale);
    p.maxHeight = optional<int>(node, "max_height");
    p.maxWidth = optional<int>(node, "max_width");
    p.scale = value(node, "scale", p.scale);
    p.cropSize = optional<int>(node, "crop_size");
    const auto positive = [](const std::optional<int>& size) { return !size || (*size > 0 && *size < (1 << 20)); };
    if (!positive(p.maxHeight) || !positive(p.maxWidth) || !positive(p.cropSize) || !(p.scale > 0 && p.scale < 1e3))
        throw Problem{ErrorCode::Model, "its preprocessing has an impossible size or scale"};
    if (const auto mode = optional<std::string>(node, "crop_mode"); mode && *mode != "fixed")
        throw Problem{ErrorCode::Unsupported,
                      "it crops around boxes (crop_mode '" + *mode + "'), which Skein does not do"};
    if (value(child(node, "tiling"), "enabled", false))
        throw Problem{ErrorCode::Unsupported, "it was trained on tiles of frames (tiling), which Skein does not do"};
}

void addFact(ModelSpec& spec, const char* title, const YAML::Node& node) {
    if (!isSet(node))
        return;
    std::string text;
    if (node.IsScalar())
        text = node.Scalar();
    else if (node.IsSequence())
        for (const YAML::Node& item : node)
            if (item.IsScalar())
                text += (text.empty() ? "" : ", ") + item.Scalar();
    if (!text.empty())
        spec.trainingFacts.emplace_back(title, text);
}

void readFacts(const YAML::Node& root, const YAML::Node& data, const YAML::Node& model, ModelSpec& spec) {
    const YAML::Node trainer = child(root, "trainer_config");
    addFact(spec, "Run name", child(trainer, "run_name"));
    addFact(spec, "Training labels", child(data, "train_labels_path"));
    addFact(spec, "Validation labels", child(data, "val_labels_path"));
    addFact(spec, "Parameters", child(model, "total_params"));
    addFact(spec, "Largest number of epochs", child(trainer, "max_epochs"));
    addFact(spec, "Batch size", child(child(trainer, "train_data_loader"), "batch_size"));
    addFact(spec, "Optimizer", child(trainer, "optimizer_name"));
    addFact(spec, "Learning rate", child(child(trainer, "optimizer"), "lr"));
    addFact(spec, "Seed", child(trainer, "seed"));
    addFact(spec, "sleap-nn version", child(root, "sleap_nn_version"));
    addFact(spec, "SLEAP version", child(root, "sleap_version"));
}

/// The settings in sleap-nn's form; `keras` says whether they were in that of SLEAP <= 1.4.
YAML::Node load(const std::filesystem::path& file, bool& keras) {
    std::error_code ec;
    if (std::filesystem::file_size(file, ec) > kMaxFileBytes || ec)
        throw Problem{ErrorCode::Format, "it is larger than 16 MiB, too large for a configuration"};
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in)
        throw Problem{ErrorCode::Io, "it cannot be read"};
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (extension != ".json")
        return YAML::Load(text);
    auto json = nlohmann::ordered_json::parse(text);
    // Converting walks the tree and would follow it to any depth.
    YAML::Node root = fromJson(json);
    keras = isKerasConfig(json);
    if (!keras)
        return root;
    auto converted = fromKerasConfig(json);
    if (!converted)
        throw Problem{converted.error().code(), converted.error().message()};
    return fromJson(*converted);
}

ModelSpec parse(const std::filesystem::path& file) {
    bool keras = false;
    const YAML::Node root = load(file, keras);
    if (!root.IsMap())
        throw Problem{ErrorCode::Format, "it holds no settings"};
    const YAML::Node model = child(root, "model_config");
    if (!isSet(model))
        throw Problem{ErrorCode::Format, "it has no model_config, so it does not describe a trained model"};
    const YAML::Node data = child(root, "data_config");
    ModelSpec spec;
    spec.configFile = file;
    spec.weightsFormat = keras ? WeightsFormat::KerasH5 : WeightsFormat::LightningCheckpoint;
    spec.kerasTransposeAlignment = keras;
    spec.skeleton = readSkeleton(data);
    readBackbone(model, spec);
    readHeads(model, spec);
    readPreprocessing(data, spec);
    readFacts(root, data, model, spec);
    return spec;
}

}  // namespace

Result<ModelSpec> readTrainingConfig(const std::filesystem::path& file) {
    try {
        return parse(file);
    } catch (const Problem& problem) {
        return fail(problem.code,
                    "The model configuration " + file.string() + " cannot be used: " + problem.message + ".");
    } catch (const YAML::Exception& e) {
        return fail(ErrorCode::Format,
                    "The model configuration " + file.string() + " is not readable YAML: " + e.what() + ".");
    } catch (const nlohmann::json::exception& e) {
        return fail(ErrorCode::Format,
                    "The model configuration " + file.string() + " is not readable JSON: " + e.what() + ".");
    }
}

}  // namespace skein::models
