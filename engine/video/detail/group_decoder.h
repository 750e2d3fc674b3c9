// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <stop_token>

#include "engine/base/result.h"
#include "engine/video/damage_map.h"
#include "engine/video/detail/index_data.h"

namespace skein::video::detail {

/// Finds out which frames of the group of pictures that starts at key packet `key` are damaged and marks them. Decodes
/// the group once more on its own, one packet at a time on one thread, so that each complaint belongs to one packet
/// whatever was read before. From the first damaged packet on, all pictures are unreadable until the decoder can start
/// anew: they build on what is missing, and libav would conceal rather than refuse them.
/// Thread-safe. Errors: Io, Cancelled.
[[nodiscard]] Result<void> markDamageInGroup(const IndexData& index, std::int32_t key, DamageMap& damage,
                                             std::stop_token stop);

}  // namespace skein::video::detail
