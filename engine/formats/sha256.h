// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace skein::formats {

/// SHA-256 (FIPS 180-4) of `bytes` as lower-case hexadecimal text of 64 characters.
[[nodiscard]] std::string sha256(std::span<const std::uint8_t> bytes);

}  // namespace skein::formats
