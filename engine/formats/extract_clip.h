// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>

#include "engine/base/result.h"
#include "engine/formats/slp.h"
#include "engine/project/labels.h"

namespace skein::formats {

/// Which part of a project becomes one of its own.
struct ClipOptions {
    std::uint32_t video = 0;
    std::int64_t first = 0, last = 0;  ///< frames, both included
    int crf = 17;                      ///< quality of the H.264 video; 17 shows no loss
    std::stop_token stop;
    FileProgress progress;
};

/// Writes frames `first` to `last` of a video as a video of its own, and beside it the labels of these frames, numbered
/// anew from 0. Instances keep their tracks and links; suggestions and negative marks follow. Either both files appear
/// complete or none. Belongs on a worker thread.
/// Errors: InvalidArgument (no such frames), NotFound (the video), Decode (a frame that cannot be read, named), those
/// of VideoWriter and writeSlp, Cancelled.
[[nodiscard]] Result<void> extractClip(const project::Labels& labels, const std::filesystem::path& projectFile,
                                       const std::filesystem::path& videoPath, const std::filesystem::path& labelsPath,
                                       const ClipOptions& options);

}  // namespace skein::formats
