// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace skein::app {

/// MD5 in hexadecimal, as other tools print it for the same bytes; a fingerprint, not a protection.
[[nodiscard]] std::string md5Hex(std::span<const std::uint8_t> bytes);

}  // namespace skein::app
