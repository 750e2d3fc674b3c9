// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/read_models.h"

#include <utility>

#include "engine/inference/model_set.h"
#include "engine/models/model_folder.h"

namespace skein::pipeline {

Result<std::vector<models::ModelSpec>> readModels(const std::vector<std::filesystem::path>& paths,
                                                  const ModelReader& read) {
    std::vector<models::ModelSpec> specs;
    for (const std::filesystem::path& path : paths) {
        auto spec = read ? read(path) : models::readModelSpec(path);
        if (!spec)
            return fail(std::move(spec.error()));
        specs.push_back(std::move(*spec));
    }
    return inference::arrangeModels(std::move(specs));
}

}  // namespace skein::pipeline
