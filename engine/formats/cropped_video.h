// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/base/result.h"
#include "engine/project/labels.h"
#include "engine/video/video_source.h"

namespace skein::formats {

/// Part of a video that a project shows and measures instead of the whole: points are in its coordinates. Pixels of the
/// full frame, left and top included, right and bottom not; it may reach beyond the frame.
struct VideoCrop {
    int left = 0, top = 0, right = 0, bottom = 0;
    std::uint8_t fill = 0;  ///< value of pixels beyond the frame

    [[nodiscard]] int width() const noexcept { return right - left; }
    [[nodiscard]] int height() const noexcept { return bottom - top; }
};

/// The crop that a labels file states for one of its videos (`/video_crops`); nullopt: none, or one that makes no
/// sense.
[[nodiscard]] std::optional<VideoCrop> cropOf(const project::Labels& labels, std::uint32_t videoIndex);

/// The same video, each frame cut to `crop`.
[[nodiscard]] std::shared_ptr<video::VideoSource> croppedVideo(std::shared_ptr<video::VideoSource> whole,
                                                               const VideoCrop& crop);

}  // namespace skein::formats
