// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <vector>

#include "engine/base/image.h"
#include "engine/base/result.h"

namespace skein::video {

/// The picture as a PNG file: grey for one channel, RGB for three; decodeImage() gives the same pixels back.
/// Thread-safe. Errors: InvalidArgument (another number of channels, no pixels), Unsupported (no encoder).
[[nodiscard]] Result<std::vector<std::uint8_t>> encodePng(const Image& image);

}  // namespace skein::video
