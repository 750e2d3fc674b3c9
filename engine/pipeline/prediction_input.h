// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/given_centroids.h"
#include "engine/pipeline/frame_selection.h"
#include "engine/pipeline/job.h"
#include "engine/project/labels.h"

namespace skein::pipeline {

/// What a run shall read, and the videos its results refer to.
struct PredictionInput {
    std::vector<project::Video> videos;
    std::vector<JobSource> sources;
    std::vector<std::string> warnings;  ///< sentences: frames outside the video, what is wrong with the file
    std::vector<std::string> leftOut;   ///< sentences: of several videos those that cannot be read, and why
    std::vector<std::string>
        cutShort;              ///< of the warnings, those about files whose end, and wanted frames, are missing
    std::int64_t missing = 0;  ///< wanted frames that those files announce beyond their end
};

/// Which data, and which frames of it.
struct InputRequest {
    std::filesystem::path data;  ///< a video, an image, a folder of images, an HDF5 array, or a labels file
    std::vector<std::filesystem::path> more;  ///< `data` is a video: further ones, after it
    std::string frames;                       ///< as parseFrameList() reads it; empty: all
    FrameKind kind = FrameKind::Any;          ///< labels files only
    std::optional<int> videoIndex;  ///< labels files: all frames of this video instead of the labelled frames of all
    std::string videoDataset;       ///< HDF5 without labels: the array; empty: the only one
    bool channelsFirst = false;     ///< that array is [frames, channels, width, height]
    video::DecoderChoice decoder = video::DecoderChoice::Processor;
    /// Set for a run that has to be told where instances are: their centroids are taken from the instances that a
    /// person made, and frames without one are left out.
    std::optional<inference::CentroidDefinition> around;
};

/// Opens the data of a run. Frame numbers select frames of a video; of a labels file without `videoIndex` they select
/// positions in the list of its frames, as in sleap-nn. Of several videos those that cannot be read are left out.
/// Errors: those of openVideo and readSlp; InvalidArgument (frame list, nothing to predict, and why); NotFound (a video
/// of the labels file).
[[nodiscard]] Result<PredictionInput> openPredictionInput(const InputRequest& request, std::stop_token stop = {});

/// The facts of an open video as a project stores them.
[[nodiscard]] project::Video describeVideo(const std::filesystem::path& path, const video::VideoSource& source);

/// Whether the file's content is HDF5, whatever its name.
[[nodiscard]] bool isHdf5(const std::filesystem::path& path);

}  // namespace skein::pipeline
