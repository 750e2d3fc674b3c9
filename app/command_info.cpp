// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/arguments.h"
#include "engine/formats/slp.h"
#include "engine/inference/runner.h"
#include "engine/models/model_folder.h"
#include "engine/pipeline/prediction_input.h"
#include "engine/pipeline/versions.h"
#include "engine/video/video_source.h"

namespace skein::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// "name: value" lines, objects indented, short lists on one line.
void printText(const Json& json, const std::string& indent = {}) {
    for (const auto& [key, value] : json.items()) {
        if (value.is_object() || (value.is_array() && !value.empty() && value.front().is_structured())) {
            std::printf("%s%s:\n", indent.c_str(), key.c_str());
            printText(value, indent + "  ");
            continue;
        }
        std::string text;
        if (value.is_array()) {
            for (const Json& item : value)
                text += (text.empty() ? "" : ", ") + (item.is_string() ? item.get<std::string>() : item.dump());
        } else {
            text = value.is_string() ? value.get<std::string>() : value.dump();
        }
        std::printf("%s%s: %s\n", indent.c_str(), key.c_str(), text.c_str());
    }
}

Json describeSkeleton(const project::Skeleton& skeleton) {
    Json edges = Json::array();
    for (const project::Edge& edge : skeleton.edges)
        edges.push_back(skeleton.nodes[static_cast<std::size_t>(edge.source)] + " -> " +
                        skeleton.nodes[static_cast<std::size_t>(edge.destination)]);
    return {{"name", skeleton.name}, {"nodes", skeleton.nodes}, {"edges", edges}};
}

Result<Json> describeSystem() {
    Json json;
    Json& versions = json["versions"] = Json::object();
    for (const auto& [name, version] : pipeline::libraryVersions(true))
        versions[name] = version;
    json["cores"] = std::thread::hardware_concurrency();
    auto backend = inference::openBackend();
    if (!backend)
        return fail(std::move(backend.error()));
    const inference::DeviceInfo devices = (*backend)->devices();
    json["devices"] = devices.devices;
    json["inference_device"] = devices.cudaReason.empty() && devices.devices.size() > 1 ? devices.devices[1] : "cpu";
    if (!devices.cudaReason.empty())
        json["why_not_cuda"] = devices.cudaReason;
    if (const std::string why = video::whyNoGpuDecoding(); !why.empty())
        json["why_no_gpu_decoding"] = why;
    return json;
}

Result<Json> describeModel(const fs::path& path) {
    auto spec = models::readModelSpec(path);
    if (!spec)
        return fail(std::move(spec.error()));
    Json json = {{"kind", "model"},
                 {"folder", spec->folder.string()},
                 {"type", models::modelTypeName(spec->type)},
                 {"backbone", models::backboneName(spec->backbone)},
                 {"input_channels", spec->inChannels()},
                 {"input_scale", spec->preprocess.scale},
                 {"max_stride", spec->maxStride()}};
    if (spec->preprocess.maxHeight)
        json["max_height"] = *spec->preprocess.maxHeight;
    if (spec->preprocess.maxWidth)
        json["max_width"] = *spec->preprocess.maxWidth;
    if (spec->preprocess.cropSize)
        json["crop_size"] = *spec->preprocess.cropSize;
    Json& heads = json["heads"] = Json::object();
    for (const models::HeadSpec& head : spec->heads)
        heads[models::headName(head.kind)] =
            std::to_string(head.channels) + " channels, stride " + std::to_string(head.outputStride);
    json["skeleton"] = describeSkeleton(spec->skeleton);
    if (!spec->classNames.empty())
        json["classes"] = spec->classNames;
    Json facts = Json::object();
    for (const auto& [name, value] : spec->trainingFacts)
        facts[name] = value;
    if (!facts.empty())
        json["training"] = facts;
    return json;
}

Result<Json> describeLabels(const fs::path& path) {
    formats::LoadReport report;
    auto labels = formats::readSlp(path, &report);
    if (!labels)
        return fail(std::move(labels.error()));
    Json json = {{"kind", "labels"},
                 {"file", path.string()},
                 {"format", report.formatId},
                 {"frames", labels->frameCount()},
                 {"instances", labels->instanceCount()},
                 {"predicted_instances", labels->predictedInstanceCount()},
                 {"tracks", labels->tracks().size()},
                 {"suggestions", labels->suggestions().size()}};
    Json videos = Json::array();
    for (const project::Video& video : labels->videos())
        videos.push_back(video.filename);
    json["videos"] = videos;
    Json& skeletons = json["skeletons"] = Json::array();
    for (const project::Skeleton& skeleton : labels->skeletons())
        skeletons.push_back(describeSkeleton(skeleton));
    json["warnings"] = report.warnings;
    return json;
}

Result<Json> describeVideoFile(const fs::path& path) {
    auto source = video::openVideo(path);
    if (!source)
        return fail(std::move(source.error()));
    const video::VideoSource& v = **source;
    const std::int64_t last = v.frameCount() - 1;
    return Json{{"kind", "video"},
                {"file", path.string()},
                {"frames", v.frameCount()},
                {"width", v.width()},
                {"height", v.height()},
                {"channels", v.channels()},
                {"fps", v.fps()},
                {"variable_rate", v.isVariableRate()},
                {"first_time", v.timeOf(0)},
                {"last_time", v.timeOf(last)},
                {"codec", v.codecName()},
                {"warnings", v.warnings()}};
}

/// What a path is, by what lies there: a model folder has a training configuration.
Result<Json> describe(const fs::path& path) {
    std::error_code ec;
    if (!fs::exists(path, ec))
        return fail(ErrorCode::NotFound, "There is no file or folder " + path.string() + ".");
    const std::string extension = path.extension().string();
    const bool isFolder = fs::is_directory(path, ec);
    if (extension == ".slp" || (!isFolder && pipeline::isHdf5(path)))
        return describeLabels(path);
    if (extension == ".ckpt" || extension == ".yaml" || extension == ".yml" || extension == ".json" ||
        (isFolder && video::imagesIn(path).empty()))
        return describeModel(path);
    return describeVideoFile(path);
}

}  // namespace

void addInfoCommand(CLI::App& app, int& exitCode) {
    struct Arguments {
        std::string path;
        bool json = false, system = false;
    };
    CLI::App* command = app.add_subcommand("info", "Say what a video, a model folder or a labels file holds");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("path", arguments->path, "Video, model folder or labels file");
    addFlag(*command, "--json", arguments->json, "Print JSON");
    addFlag(*command, "--system", arguments->system,
            "Versions, devices, and why CUDA and GPU decoding are not used if they are not");
    command->callback([arguments, &exitCode] {
        if (arguments->system == !arguments->path.empty()) {
            printError(Error(ErrorCode::InvalidArgument, "Give either a path or --system."));
            exitCode = kWrongUsage;
            return;
        }
        auto json = arguments->system ? describeSystem() : describe(arguments->path);
        if (!json) {
            printError(json.error());
            exitCode = kFailed;
        } else if (arguments->json) {
            std::printf("%s\n", json->dump(2, ' ', false, Json::error_handler_t::replace).c_str());
        } else {
            printText(*json);
        }
    });
}

}  // namespace skein::app
