// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/image.h"
#include "engine/inference/detail/stage_probe.h"
#include "tests/support/h5_data.h"

// What the recorded stages are compared by.
namespace skein::test {

inline float at(const H5Array& array, std::size_t index) {
    return static_cast<float>(array.values[index]);
}

/// Frames [n, h, w, c] of a file as images.
inline std::vector<ImagePtr> imagesOf(const H5Array& frames, std::size_t height, std::size_t width,
                                      std::size_t channels) {
    std::vector<ImagePtr> images;
    const std::size_t size = height * width * channels;
    for (std::size_t f = 0; f * size < frames.values.size(); ++f) {
        auto image = std::make_shared<Image>();
        image->height = static_cast<int>(height);
        image->width = static_cast<int>(width);
        image->channels = static_cast<int>(channels);
        for (std::size_t i = 0; i < size; ++i)
            image->pixels.push_back(static_cast<std::uint8_t>(frames.values[f * size + i]));
        images.push_back(std::move(image));
    }
    return images;
}

inline float largestDifference(const inference::probe::Array& got, const H5Array& expected) {
    if (got.values.size() != expected.values.size())
        return 1e9F;
    float largest = 0;
    for (std::size_t i = 0; i < got.values.size(); ++i)
        largest = std::max(largest, std::abs(got.values[i] - at(expected, i)));
    return largest;
}

}  // namespace skein::test
