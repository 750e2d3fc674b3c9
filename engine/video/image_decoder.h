// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <span>

#include "engine/base/image.h"
#include "engine/base/result.h"

namespace skein::video {

/// Decodes one still picture (PNG, JPEG, BMP, TIFF, WebP; told apart by its first bytes) to `[height, width, 1]` for
/// files that store grey and `[height, width, 3]` RGB for all others. 16-bit values v become v >> 8 (full range kept),
/// alpha is dropped without blending, palettes are resolved. Zero bytes after the picture's end are ignored, as in
/// packages that pad their rows. PNG, BMP and TIFF give exactly the stored values, JPEG what OpenCV gives within 3
/// levels. `page`: page of a multi-page TIFF, from 0; other files have page 0 only. Thread-safe. Errors: Format (not a
/// picture, cut short, more than 2^28 pixels), Unsupported (no decoder), InvalidArgument (no such page).
[[nodiscard]] Result<Image> decodeImage(std::span<const std::uint8_t> bytes, int page = 0);

/// Pages of a TIFF file, 1 for every other kind. A damaged page list ends at the damage.
[[nodiscard]] int countPages(std::span<const std::uint8_t> bytes);

}  // namespace skein::video
