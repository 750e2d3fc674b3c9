// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/model_names.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace skein::batch {
namespace fs = std::filesystem;
namespace {

/// The folder of a model by the look of its path: a checkpoint or a configuration lies in it.
fs::path folderOf(const fs::path& model) {
    constexpr std::array<std::string_view, 5> kFiles{".ckpt", ".yaml", ".yml", ".json", ".h5"};
    const fs::path plain = model.has_filename() ? model : model.parent_path();
    const std::string ending = plain.extension().string();
    return std::find(kFiles.begin(), kFiles.end(), ending) == kFiles.end() ? plain : plain.parent_path();
}

std::string joined(const ModelPaths& models, bool whole) {
    std::string text;
    for (const fs::path& model : models)
        text += (text.empty() ? "" : " + ") + (whole ? model : folderOf(model).filename()).string();
    return text;
}

/// What the models may be called, the shortest first; the last is all there is to say.
std::vector<std::string> candidates(const ModelPaths& models) {
    std::vector<std::string> names{folderOfModel(models)};
    if (models.size() > 1)
        names.push_back(joined(models, false));
    if (!models.empty()) {
        fs::path above = folderOf(models.back()).parent_path();
        for (std::string name = names.front(); above.has_filename(); above = above.parent_path())
            names.push_back(name = above.filename().string() + "/" + name);
    }
    names.push_back(joined(models, true));
    return names;
}

}  // namespace

std::string folderOfModel(const ModelPaths& models) {
    return models.empty() ? "model" : folderOf(models.back()).filename().string();
}

std::map<ModelPaths, std::string> modelNames(const std::set<ModelPaths>& models) {
    struct Choice {
        const ModelPaths* models;
        std::vector<std::string> names;
        std::size_t at = 0;
    };
    std::vector<Choice> choices;
    for (const ModelPaths& paths : models)
        choices.push_back({&paths, candidates(paths)});
    for (bool isClear = false; !isClear;) {
        isClear = true;
        std::map<std::string, int> counts;
        for (const Choice& choice : choices)
            ++counts[choice.names[choice.at]];
        for (Choice& choice : choices)
            if (counts[choice.names[choice.at]] > 1 && choice.at + 1 < choice.names.size()) {
                ++choice.at;
                isClear = false;
            }
    }
    std::map<ModelPaths, std::string> names;
    for (const Choice& choice : choices)
        names[*choice.models] = choice.names[choice.at];
    return names;
}

}  // namespace skein::batch
