// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>

#include "engine/inference/grouping.h"
#include "engine/project/labels.h"

namespace skein::pipeline {

/// What was found in a frame as a project holds it; classes become track indices.
[[nodiscard]] project::FrameData toFrameData(const inference::FrameDetections& found, std::uint32_t video,
                                             std::int64_t frameIndex);

}  // namespace skein::pipeline
