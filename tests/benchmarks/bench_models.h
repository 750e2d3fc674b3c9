// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/models/model_folder.h"
#include "engine/models/network_plan.h"
#include "engine/video/video_source.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/reference.h"

// The models that benchmarks run: the bundled sample, those of the reference pack where it is there, and networks of
// the other backbones with weights by a formula, whose speed is that of trained ones.
namespace skein::bench {

template <class T>
T orThrow(Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().describe());
    return std::move(*result);
}

/// A folder that goes with the program.
class ScratchFolder {
public:
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "skein-bench-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("No folder can be made in " + name);
        m_path = name;
    }
    ~ScratchFolder() {
        std::error_code ec;
        std::filesystem::remove_all(m_path, ec);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

struct BenchModel {
    std::string name;
    std::vector<std::filesystem::path> folders;  ///< one, or the two stages
    std::filesystem::path video;                 ///< with what it was trained for

    [[nodiscard]] std::vector<models::ModelSpec> specs() const {
        std::vector<models::ModelSpec> result;
        for (const auto& folder : folders)
            result.push_back(orThrow(models::readModelSpec(folder)));
        return result;
    }
};

/// The sample first.
inline std::vector<BenchModel> trainedModels() {
    const std::filesystem::path sample = std::filesystem::path(SKEIN_SOURCE_DIR) / "resources/sample";
    std::vector<BenchModel> result = {{"sample", {sample / "synthetic_bottomup"}, sample / "synthetic_6.mp4"}};
    if (const auto pack = test::referenceDir()) {
        const std::filesystem::path flies = *pack / "media/centered_pair_small.mp4";
        const auto folder = [&](const char* name) {
            return *pack / "models/ckpt" / (std::string("minimal_instance_") + name);
        };
        result.push_back({"bottomup", {folder("bottomup")}, flies});
        result.push_back({"topdown", {folder("centroid"), folder("centered_instance")}, flies});
        result.push_back({"single_instance", {folder("single_instance")}, *pack / "media/small_robot.mp4"});
        result.push_back({"multiclass_bottomup", {folder("multiclass_bottomup")}, flies});
        result.push_back({"multiclass_topdown", {folder("centroid"), folder("multiclass_centered_instance")}, flies});
    }
    return result;
}

/// A network of one of the presets of tests/data/networks ("convnext tiny", "swint tiny"), written into `folder`.
inline BenchModel madeModel(const std::string& preset, const std::filesystem::path& folder) {
    std::ifstream file(std::filesystem::path(SKEIN_SOURCE_DIR) / "tests/data/networks/cases.json");
    const nlohmann::json cases = nlohmann::json::parse(file);
    for (const auto& one : cases["presets"])
        if (one["tag"] == preset) {
            std::filesystem::create_directories(folder);
            test::writeFile(folder / "training_config.json",
                            nlohmann::json{{"model_config", one["model_config"]}}.dump());
            test::writeFile(folder / "best.ckpt", "");
            const auto spec = orThrow(models::readModelSpec(folder));
            test::writeFile(folder / "best.ckpt",
                            test::checkpointBytes(orThrow(models::planNetwork(spec)).parameters()));
            return {preset, {folder}, trainedModels().front().video};
        }
    throw std::runtime_error("There is no preset " + preset + ".");
}

/// The first frames of a video, decoded, as inference gets them; fewer when the video is shorter.
inline std::vector<ImagePtr> framesInMemory(const std::filesystem::path& video, int count) {
    const auto source = orThrow(video::openVideo(video));
    std::vector<ImagePtr> frames;
    for (video::FrameNumber f = 0; f < std::min<video::FrameNumber>(count, source->frameCount()); ++f)
        frames.push_back(orThrow(source->read(f, source->engineFormat())));
    return frames;
}

}  // namespace skein::bench
