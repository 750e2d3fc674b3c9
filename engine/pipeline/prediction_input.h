// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/pipeline/job.h"
#include "engine/project/labels.h"

namespace skein::pipeline {

/// What a run shall read, and the videos its results refer to.
struct PredictionInput {
    std::vector<project::Video> videos;
    std::vector<JobSource> sources;
    std::vector<std::string> warnings;  ///< sentences: frames outside the video, what is wrong with the file
};

/// Opens the data of a run: a video, an image or a folder of images (`frames` selects frame numbers; empty: all), or a
/// labels file, whose labelled frames are predicted (`frames` then selects positions in that list, as in sleap-nn).
/// Errors: those of openVideo and readSlp; InvalidArgument (frame list); NotFound (a video of the labels file).
[[nodiscard]] Result<PredictionInput> openPredictionInput(const std::filesystem::path& data, const std::string& frames,
                                                          std::stop_token stop = {});

/// The facts of an open video as a project stores them.
[[nodiscard]] project::Video describeVideo(const std::filesystem::path& path, const video::VideoSource& source);

/// Whether the file's content is HDF5, whatever its name.
[[nodiscard]] bool isHdf5(const std::filesystem::path& path);

/// Refuses an output before hours of work: its folder must exist and be writable, and it must not be the input itself.
[[nodiscard]] Result<void> checkOutput(const std::filesystem::path& output, const std::filesystem::path& input);

}  // namespace skein::pipeline
