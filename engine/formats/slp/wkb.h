// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "engine/base/result.h"

namespace skein::formats::slp {

/// A geometry in OGC well-known binary form (both byte orders, 2-D and 3-D, with or without a reference system) as
/// well-known text, e.g. "POLYGON ((0 0, 10 0, 10 10, 0 0))". Errors: Format (cut short, unknown kind).
[[nodiscard]] Result<std::string> wkbToText(std::span<const std::uint8_t> bytes);

}  // namespace skein::formats::slp
