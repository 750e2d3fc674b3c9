// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace skein::video::detail {

/// Whether a file of `sizeBytes` is shorter than its own outermost parts say, so that data which was once to be there
/// is missing at its end: MP4's boxes, AVI's lists, Matroska's segment, the packets of a transport stream. False where
/// the format (libav's name) says nothing of the kind, or the file was written without its lengths.
[[nodiscard]] bool isShorterThanItSays(const std::filesystem::path& path, std::string_view formatName,
                                       std::int64_t sizeBytes);

}  // namespace skein::video::detail
