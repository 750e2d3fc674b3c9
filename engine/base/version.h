// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skein {

/// Skein's own version, e.g. "0.1.0".
[[nodiscard]] constexpr const char* version() {
    return SKEIN_VERSION;
}

}  // namespace skein
