// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace skein::video::detail {

/// Whether the data of an H.264 or HEVC packet holds a run of zero bytes that no encoder writes. Both codecs break up
/// three zeros in a row by an inserted 3 (ITU-T H.264 7.4.1, H.265 7.4.2). Longer runs occur only as filling before a
/// start code or at a packet's end, and not even there where units are prefixed by their length (`isLengthPrefixed`:
/// MP4, Matroska). Sectors lost on disk or in an interrupted copy read as zeros, and decoders make pictures of them
/// that look like the one before, without complaint.
[[nodiscard]] bool hasForbiddenZeros(std::span<const std::uint8_t> data, bool isLengthPrefixed) noexcept;

}  // namespace skein::video::detail
