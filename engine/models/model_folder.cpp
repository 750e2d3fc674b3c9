// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/model_folder.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>

#include "engine/models/keras/keras_weights.h"
#include "engine/models/network_plan.h"
#include "engine/models/training_config.h"
#include "engine/models/training_log.h"

namespace skein::models {
namespace {

std::string lowerExtension(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

bool isFile(const std::filesystem::path& path) {
    std::error_code ec;
    return std::filesystem::is_regular_file(path, ec);
}

/// Facts that the configuration does not hold, or not always.
void addFacts(ModelSpec& spec, const NetworkPlan& plan) {
    const auto has = [&](const char* name) {
        return std::any_of(spec.trainingFacts.begin(), spec.trainingFacts.end(),
                           [&](const auto& fact) { return fact.first == name; });
    };
    if (!has("Parameters")) {
        std::int64_t count = 0;
        for (const ParameterPlan& parameter : plan.parameters())
            if (!parameter.integer)
                count += std::accumulate(parameter.shape.begin(), parameter.shape.end(), std::int64_t{1},
                                         std::multiplies<>());
        spec.trainingFacts.emplace_back("Parameters", std::to_string(count));
    }
    if (const auto log = readTrainingLog(spec.folder / "training_log.csv")) {
        char loss[32];
        std::snprintf(loss, sizeof loss, "%.3g", log->bestLoss);
        spec.trainingFacts.emplace_back("Epochs trained", std::to_string(log->epochs));
        spec.trainingFacts.emplace_back("Best validation loss",
                                        std::string(loss) + " in epoch " + std::to_string(log->bestEpoch));
    }
}

}  // namespace

Result<std::filesystem::path> resolveModelFolder(const std::filesystem::path& given) {
    std::error_code ec;
    if (std::filesystem::is_directory(given, ec))
        return given;
    if (!std::filesystem::exists(given, ec))
        return fail(ErrorCode::NotFound, "There is no model folder at " + given.string() + ".");
    const std::string extension = lowerExtension(given);
    for (const char* known : {".yaml", ".yml", ".json", ".ckpt", ".h5"})
        if (extension == known)
            return given.has_parent_path() ? given.parent_path() : std::filesystem::path(".");
    return fail(ErrorCode::NotFound,
                given.string() +
                    " is not a model: give the folder that training wrote, its training_config.yaml (or .json), its "
                    "best.ckpt or its best_model.h5.");
}

Result<ModelSpec> readModelSpec(const std::filesystem::path& given) {
    const auto folder = resolveModelFolder(given);
    if (!folder)
        return fail(folder.error());
    const std::string extension = lowerExtension(given);
    const bool named = isFile(given);
    std::optional<std::filesystem::path> config;
    for (const char* name : {"training_config.yaml", "training_config.yml", "training_config.json"})
        if (!config && isFile(*folder / name))
            config = *folder / name;
    // A configuration under another name serves where there is none under its own.
    if (!config && named && (extension == ".yaml" || extension == ".yml" || extension == ".json"))
        config = given;
    if (!config)
        return fail(ErrorCode::NotFound, folder->string() +
                                             " is not a model folder: it has neither training_config.yaml nor "
                                             "training_config.json.");
    auto spec = readTrainingConfig(*config);
    if (!spec)
        return spec;
    spec->folder = *folder;
    spec->configFile = *config;
    const bool keras = spec->weightsFormat == WeightsFormat::KerasH5;
    const char* const usual = keras ? "best_model.h5" : "best.ckpt";
    spec->weightsFile = *folder / usual;
    if (named && extension == (keras ? ".h5" : ".ckpt"))
        spec->weightsFile = given;
    if (!isFile(spec->weightsFile))
        return fail(ErrorCode::NotFound, "The model folder " + folder->string() + " has no " + usual +
                                             ", so its trained weights are missing; copy the file from where the "
                                             "model was trained.");
    if (keras) {
        const auto channels = kerasInputChannels(spec->weightsFile);
        if (!channels)
            return fail(channels.error());
        spec->unet.inChannels = *channels;
    }
    // Options that no network can have are reported now, not when the weights are read.
    const auto plan = planNetwork(*spec);
    if (!plan)
        return fail(Error(plan.error()).withContext("in " + config->string()));
    addFacts(*spec, *plan);
    if (keras)
        spec->hostWeights = [file = spec->weightsFile, parameters = plan->parameters()] {
            return readKerasWeights(file, parameters);
        };
    return spec;
}

}  // namespace skein::models
