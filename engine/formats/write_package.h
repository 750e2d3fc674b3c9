// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/formats/slp.h"

namespace skein::formats {

/// Whose pictures go into a package; the labels are all in it in any case.
enum class PackageContent {
    User,                   ///< frames with a user instance or marked as negative
    UserAndSuggested,       ///< and the suggested ones
    UserSuggestedPredicted  ///< and every other labelled frame
};

struct PackageReport {
    std::vector<std::string> warnings;
    std::size_t embedded = 0;  ///< pictures that were written
    std::size_t missing = 0;   ///< that could not be read
};

/// Frames of the project whose pictures are embedded: (video, frame index), ascending.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::int64_t>> packageFrames(const project::Labels& labels,
                                                                                PackageContent content);

/// Writes a labels package (`.pkg.slp`): the labels file with the pictures in it as PNG, RGB or grey as the engine sees
/// them. Each video keeps its original as its source. Pictures that lie in the project's own file already are copied
/// unchanged. Frames are read one by one and wait in a temporary file beside the target, so that memory does not grow
/// with their number and other readers of HDF5 files are held up only while that file is copied. A frame that cannot be
/// read is left out and counted; a video of which none can be read stays as it is.
/// `projectFile`: where the project lies. Progress phases are "pictures" (up to 0.8) and those of writeSlp.
/// Errors: as writeSlp; in all of them `path` is as it was. Belongs on a worker thread.
[[nodiscard]] Result<PackageReport> writePackage(const project::Labels& labels,
                                                 const std::filesystem::path& projectFile,
                                                 const std::filesystem::path& path, PackageContent content,
                                                 const SlpWriteOptions& options = {});

}  // namespace skein::formats
