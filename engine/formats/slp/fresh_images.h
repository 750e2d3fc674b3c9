// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/hdf5/output_file.h"
#include "engine/formats/slp.h"

namespace skein::formats::slp {

/// Encoded pictures of one video that wait in a file, to become a group of a package.
struct FreshImages {
    std::string group;                                            ///< "video3"
    std::vector<std::int64_t> frames;                             ///< frame numbers, ascending
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places;  ///< offset and size of each in the file
    std::int64_t sourceFrames = 0;
    int height = 0, width = 0, channels = 0;
    double fps = 0;
    std::string sourceRow;  ///< the original's row, as JSON text
};

/// Writes the group of one video. Use inside a Session. Errors: Io, Cancelled.
[[nodiscard]] Result<void> writeFreshImages(h5::OutputFile& file, const FreshImages& images,
                                            const std::filesystem::path& spool, const std::stop_token& stop);

/// writeSlp with something more in the file.
[[nodiscard]] Result<void> writeSlpWith(const project::Labels& labels, const std::filesystem::path& path,
                                        const SlpWriteOptions& options, SaveReport* report,
                                        const std::function<Result<void>(h5::OutputFile&)>& more);

}  // namespace skein::formats::slp
