// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/output_guard.h"

#include <unistd.h>

#include <cstddef>
#include <system_error>

namespace skein::app {

namespace fs = std::filesystem;

namespace {

bool sameFile(const fs::path& a, const fs::path& b) {
    std::error_code ec;
    if (fs::equivalent(a, b, ec))
        return true;
    std::error_code other;
    const fs::path first = fs::weakly_canonical(a, ec), second = fs::weakly_canonical(b, other);
    return !ec && !other && first == second;
}

Result<void> guardOne(const fs::path& output) {
    std::error_code ec;
    const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ec))
        return fail(ErrorCode::NotFound,
                    "The folder " + folder.string() + " for the output " + output.string() + " does not exist.");
    const fs::file_status status = fs::status(output, ec);
    if (fs::is_directory(status))
        return fail(ErrorCode::Io, "The output " + output.string() + " is a folder; give the name of a file.");
    if (fs::exists(status) && !fs::is_regular_file(status))
        return fail(ErrorCode::Io, "The output " + output.string() + " is no ordinary file; choose another name.");
    if (::access(folder.c_str(), W_OK) != 0)
        return fail(ErrorCode::Io, "The folder " + folder.string() + " is not writable; choose another output.");
    return {};
}

}  // namespace

Result<void> guardOutputs(const std::vector<fs::path>& outputs, const std::vector<fs::path>& inputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].empty())
            continue;
        if (auto usable = guardOne(outputs[i]); !usable)
            return usable;
        for (const fs::path& input : inputs)
            if (!input.empty() && sameFile(outputs[i], input))
                return fail(ErrorCode::InvalidArgument,
                            "The output " + outputs[i].string() + " would take the place of " +
                                (outputs[i] == input ? "what" : input.string() + ", which") +
                                " is read here; choose another name.");
        for (std::size_t j = 0; j < i; ++j)
            if (!outputs[j].empty() && sameFile(outputs[i], outputs[j]))
                return fail(ErrorCode::InvalidArgument,
                            "Two outputs have the name " + outputs[i].string() + "; choose another for one of them.");
    }
    return {};
}

Result<void> checkLabelsName(const fs::path& output) {
    if (output.extension() == ".slp")
        return {};
    return fail(ErrorCode::InvalidArgument, "The output " + output.string() +
                                                " is to be a labels file: give a name that ends in .slp. \"skein "
                                                "convert\" makes other formats of it.");
}

void addFiles(std::vector<fs::path>& inputs, const std::vector<models::ModelSpec>& models) {
    for (const models::ModelSpec& model : models)
        for (const fs::path& file :
             {model.configFile, model.weightsFile, model.backboneWeightsFile, model.headWeightsFile})
            if (!file.empty())
                inputs.push_back(file);
}

void addFiles(std::vector<fs::path>& inputs, const std::vector<project::Video>& videos, const fs::path& project) {
    const auto add = [&](const std::string& name) {
        const fs::path path(name);
        inputs.push_back(path);
        inputs.push_back(project.parent_path() / (path.is_absolute() ? path.filename() : path));
    };
    for (const project::Video& video : videos) {
        add(video.filename);
        for (const std::string& image : video.imageFiles)
            add(image);
    }
}

}  // namespace skein::app
