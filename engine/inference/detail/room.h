// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>

namespace skein::inference {

/// Room of a packed buffer.
struct Room {
    std::int64_t slots = 0;  ///< peaks of one node in one frame
    std::int64_t crops = 0;  ///< crops of the batch
    friend bool operator==(const Room&, const Room&) = default;
};

}  // namespace skein::inference
