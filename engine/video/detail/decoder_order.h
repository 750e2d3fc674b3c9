// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "engine/base/result.h"
#include "engine/video/detail/index_data.h"

namespace skein::video::detail {

/// What a decoder put out for the packets from the start of a file.
struct DecoderOrder {
    std::vector<std::int32_t> ordinals;  ///< packets of the pictures, in the order they came out, hidden ones left out
    std::vector<std::int32_t> damaged;   ///< packets at which the decoder complained
    bool isComplete = false;             ///< the whole file was decoded and the decoder drained
};

/// Decodes from the start until at least `packets` packets went in and one picture came out (whole file: a number
/// beyond its end). Errors: as FrameIndex::build.
[[nodiscard]] Result<DecoderOrder> decodeOrder(const IndexData& index, std::size_t packets, int threads,
                                               const std::function<void(double)>& progress, std::stop_token stop);

}  // namespace skein::video::detail
