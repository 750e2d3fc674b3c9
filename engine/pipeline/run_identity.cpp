// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/run_identity.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "engine/base/file_stamp.h"
#include "engine/base/version.h"
#include "engine/pipeline/options_json.h"

namespace skein::pipeline {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

/// Size and hash; null for what is no file (a folder of images).
Json contentOf(const fs::path& path) {
    const auto stamp = stampOf(path);
    return stamp ? Json{stamp->size, stamp->hash} : Json();
}

template <class T>
std::uint64_t hashOfAll(const std::vector<T>& values) {
    return hashOf({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

Json describe(const models::ModelSpec& model) {
    Json files = Json::array();
    for (const fs::path& file : {model.configFile, model.weightsFile, model.backboneWeightsFile, model.headWeightsFile})
        if (!file.empty())
            files.push_back(contentOf(file));
    return files;
}

Json describe(const JobSource& source) {
    Json json{{"frames", source.frames.size()},
              {"list", hashOfAll(source.frames)},
              {"length", source.source->frameCount()},
              {"size", {source.source->width(), source.source->height()}}};
    if (!source.centroids.empty()) {
        std::vector<float> places;
        for (const auto& frame : source.centroids) {
            places.push_back(static_cast<float>(frame.size()));
            for (const inference::CentroidPoint& point : frame) {
                places.push_back(point.x);
                places.push_back(point.y);
            }
        }
        json["places"] = hashOfAll(places);
    }
    return json;
}

}  // namespace

std::string runIdentity(const JobSpec& spec, const fs::path& data, const std::vector<fs::path>& more) {
    Json json;
    json["version"] = version();
    Json& models = json["models"] = Json::array();
    for (const models::ModelSpec& model : spec.models)
        models.push_back(describe(model));
    json["options"] = resultOptionsJson(spec.inference);
    json["data"] = contentOf(data);
    for (const fs::path& video : more)
        json["more"].push_back(contentOf(video));
    Json& sources = json["frames"] = Json::array();
    for (const JobSource& source : spec.sources)
        sources.push_back(describe(source));
    return json.dump();
}

std::string identityDifference(const std::string& before, const std::string& now) {
    if (before == now)
        return {};
    const Json a = Json::parse(before, nullptr, false), b = Json::parse(now, nullptr, false);
    if (!a.is_object() || !b.is_object())
        return "another version of Skein";
    const auto differs = [&](const char* key) {
        return a.contains(key) != b.contains(key) || (a.contains(key) && a[key] != b[key]);
    };
    if (differs("version"))
        return "another version of Skein";
    if (differs("models"))
        return "another model";
    if (differs("data") || differs("more"))
        return "other data";
    if (differs("options") && a.contains("options") && b.contains("options"))
        return "other options (" + changedOptions(a["options"], b["options"]) + ")";
    return "other frames";
}

}  // namespace skein::pipeline
