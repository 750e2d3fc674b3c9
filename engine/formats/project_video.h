// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "engine/base/image.h"
#include "engine/base/result.h"
#include "engine/project/labels.h"
#include "engine/video/video_source.h"

namespace skein::formats {

/// Opens the pictures of one of the project's videos, whatever they are: a video file, a list of images, images
/// embedded in the labels file or in another package, an array in an HDF5 file. `projectFile` is where the project
/// lies; paths are looked for from there (see resolveVideoPath). A video that the file says to crop comes cropped. The
/// stored grey choice of the video goes before that of `options`. Errors: NotFound (video missing; the sentence names
/// it and says where it was looked for) and those of the opener.
[[nodiscard]] Result<std::shared_ptr<video::VideoSource>> openProjectVideo(const project::Labels& labels,
                                                                           std::uint32_t videoIndex,
                                                                           const std::filesystem::path& projectFile,
                                                                           video::OpenOptions options = {});

/// Whether all images of a video lie in an HDF5 file (a package or an array), so that its path alone does not open it.
[[nodiscard]] bool isEmbedded(const project::Video& video);

/// The project's videos as another labels file refers to them: images embedded in `projectFile` are named by its path,
/// and nothing refers to rows of `projectFile` any more.
[[nodiscard]] std::vector<project::Video> externalVideos(const project::Labels& labels,
                                                         const std::filesystem::path& projectFile);

/// A function that reads frames of the project's videos in the channels that the engine wants, opening each video when
/// it is first asked for; nullptr for what cannot be read. One thread at a time.
[[nodiscard]] std::function<ImagePtr(std::uint32_t video, std::int64_t frameIndex)> frameImages(
    const project::Labels& labels, const std::filesystem::path& projectFile);

}  // namespace skein::formats
