// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/inference/local_peaks.h"
#include "tests/support/case_file.h"

namespace skein::test {

/// Maps given as [frame][channel][row][column], held as the engine wants them: [frame][row][column][channel].
struct Maps {
    int frames = 0;
    int channels = 0;
    int height = 0;
    int width = 0;
    std::vector<float> data;

    Maps(int f, int c, int h, int w, const std::vector<float>& channelsFirst)
        : frames(f), channels(c), height(h), width(w), data(channelsFirst.size()) {
        std::size_t i = 0;
        for (int frame = 0; frame < f; ++frame)
            for (int channel = 0; channel < c; ++channel)
                for (int y = 0; y < h; ++y)
                    for (int x = 0; x < w; ++x)
                        data[static_cast<std::size_t>(((frame * h + y) * w + x) * c + channel)] = channelsFirst[i++];
    }
    explicit Maps(const nlohmann::json& json)
        : Maps(size(json, 0), size(json, 1), size(json, 2), size(json, 3), numbers(json)) {}

    [[nodiscard]] inference::MapView view(int frame) const {
        return {data.data() + static_cast<std::ptrdiff_t>(frame) * height * width * channels, height, width, channels};
    }

private:
    static int size(const nlohmann::json& json, std::size_t dimension) {
        const auto shape = shapeOf(json);
        return dimension < shape.size() ? static_cast<int>(shape[dimension]) : 0;
    }
};

}  // namespace skein::test
