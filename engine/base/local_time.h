// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>

namespace skein {

/// Now: ISO 8601, local time, to the second. Any thread.
[[nodiscard]] std::string localTime();

}  // namespace skein
