// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/model_folder.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <system_error>

#include "engine/models/network_plan.h"
#include "engine/models/training_config.h"

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
                    " is not a model: give the folder that training wrote, its training_config.yaml "
                    "or its best.ckpt.");
}

Result<ModelSpec> readModelSpec(const std::filesystem::path& given) {
    const auto folder = resolveModelFolder(given);
    if (!folder)
        return fail(folder.error());
    std::optional<std::filesystem::path> config;
    for (const char* name : {"training_config.yaml", "training_config.yml", "training_config.json"})
        if (!config && isFile(*folder / name))
            config = *folder / name;
    if (!config)
        return fail(ErrorCode::NotFound, folder->string() +
                                             " is not a model folder: it has neither training_config.yaml nor "
                                             "training_config.json.");
    auto spec = readTrainingConfig(*config);
    if (!spec)
        return spec;
    spec->folder = *folder;
    spec->configFile = *config;
    if (spec->weightsFormat == WeightsFormat::LightningCheckpoint) {
        spec->weightsFile = *folder / "best.ckpt";
        if (!isFile(spec->weightsFile))
            return fail(ErrorCode::NotFound, "The model folder " + folder->string() +
                                                 " has no best.ckpt, so its trained weights are missing; copy the file "
                                                 "from where the model was trained.");
    }
    // Options that no network can have are reported now, not when the weights are read.
    if (const auto plan = planNetwork(*spec); !plan)
        return fail(Error(plan.error()).withContext("in " + config->string()));
    return spec;
}

}  // namespace skein::models
