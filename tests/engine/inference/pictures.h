// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/image.h"

namespace skein::test {

/// A picture with some structure, different for each number.
inline ImagePtr picture(int number, int height = 64, int width = 80, int channels = 1) {
    auto image = std::make_shared<Image>();
    image->height = height;
    image->width = width;
    image->channels = channels;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c)
                image->pixels.push_back(static_cast<std::uint8_t>(
                    128 + 100 * std::sin(0.3 * x + 0.7 * number) * std::cos(0.23 * y * (1 + 0.1 * number) + c)));
    return image;
}

inline std::vector<ImagePtr> pictures(int count, int height = 64, int width = 80, int channels = 1) {
    std::vector<ImagePtr> images;
    for (int i = 0; i < count; ++i)
        images.push_back(picture(i, height, width, channels));
    return images;
}

}  // namespace skein::test
