// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace skein::pipeline {

/// A list of frame numbers as a person writes it: "0-99,150". Ranges include both ends; numbers and ranges may be
/// mixed; order and repetition are kept. A range that runs backwards is empty, as in sleap-nn.
struct FrameList {
    struct Range {
        std::int64_t first = 0;
        std::int64_t last = 0;  ///< included
    };
    std::vector<Range> ranges;

    /// The numbers within 0 <= n < frameCount, in order; `outside` counts the others.
    [[nodiscard]] std::vector<std::int64_t> within(std::int64_t frameCount, std::int64_t* outside = nullptr) const;
};

/// Errors: InvalidArgument, naming the part that is no number or range.
[[nodiscard]] Result<FrameList> parseFrameList(std::string_view text);

/// "0-99, 150": the shortest way to write the numbers in their order.
[[nodiscard]] std::string formatFrameList(const std::vector<std::int64_t>& frames);

/// "1 frame", "12 frames".
[[nodiscard]] std::string countOfFrames(std::int64_t frames);

}  // namespace skein::pipeline
