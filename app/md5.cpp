// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/md5.h"

extern "C" {
#include <libavutil/md5.h>
#include <libavutil/mem.h>
}

#include <array>
#include <cstdio>

namespace skein::app {

std::string md5Hex(std::span<const std::uint8_t> bytes) {
    std::array<std::uint8_t, 16> digest{};
    av_md5_sum(digest.data(), bytes.data(), bytes.size());
    std::string text;
    for (const std::uint8_t byte : digest) {
        std::array<char, 3> pair{};
        std::snprintf(pair.data(), pair.size(), "%02x", byte);
        text += pair.data();
    }
    return text;
}

}  // namespace skein::app
