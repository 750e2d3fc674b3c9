// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/local_time.h"

#include <array>
#include <ctime>

namespace skein {

std::string localTime() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    return text.data();
}

}  // namespace skein
