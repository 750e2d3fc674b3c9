// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/zero_run.h"

namespace skein::video::detail {
namespace {

// Longer than anything that length fields and start codes make up, with a margin for careless writers.
constexpr std::size_t kLongestLegal = 8;

}  // namespace

bool hasForbiddenZeros(std::span<const std::uint8_t> data, bool isLengthPrefixed) noexcept {
    // Every run longer than that covers a multiple of it, so looking at every eighth byte misses none.
    for (std::size_t i = kLongestLegal; i < data.size(); i += kLongestLegal) {
        if (data[i] != 0)
            continue;
        std::size_t begin = i;
        while (begin > 0 && data[begin - 1] == 0)
            --begin;
        std::size_t end = i;
        while (end < data.size() && data[end] == 0)
            ++end;
        const bool isFilling = !isLengthPrefixed && (end == data.size() || data[end] == 1);
        if (end - begin > kLongestLegal && !isFilling)
            return true;
        i = end / kLongestLegal * kLongestLegal;
    }
    return false;
}

}  // namespace skein::video::detail
