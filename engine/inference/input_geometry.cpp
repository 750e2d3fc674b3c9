// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/input_geometry.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace skein::inference {
namespace {

int roundUp(int value, int multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

InputGeometry inputGeometry(Size frame, const models::PreprocessSpec& preprocess, int maxStride) {
    InputGeometry g;
    g.frame = g.resized = g.matched = frame;
    const Size target = {preprocess.maxHeight.value_or(frame.height), preprocess.maxWidth.value_or(frame.width)};
    if (target != frame) {
        const double ratio = std::min(static_cast<double>(target.height) / frame.height,
                                      static_cast<double>(target.width) / frame.width);
        // nearbyint rounds halves to even in the default rounding mode.
        const auto side = [&](int length, int limit) {
            return std::clamp(static_cast<int>(std::nearbyint(length * ratio)), 1, limit);
        };
        g.resized = {side(frame.height, target.height), side(frame.width, target.width)};
        g.matched = target;
        g.effScale = static_cast<float>(ratio);
    }
    g.scaled = g.matched;
    if (preprocess.scale != 1) {
        const auto side = [&](int length) { return std::max(1, static_cast<int>(length * preprocess.scale)); };
        g.scaled = {side(g.matched.height), side(g.matched.width)};
    }
    g.padded = {roundUp(g.scaled.height, maxStride), roundUp(g.scaled.width, maxStride)};
    return g;
}

Result<models::PreprocessSpec> effectivePreprocess(const models::PreprocessSpec& trained,
                                                   const InferenceOptions& options) {
    models::PreprocessSpec p = trained;
    p.ensureRgb = options.ensureRgb.value_or(p.ensureRgb);
    p.ensureGrayscale = options.ensureGrayscale.value_or(p.ensureGrayscale);
    p.maxHeight = options.maxHeight ? options.maxHeight : p.maxHeight;
    p.maxWidth = options.maxWidth ? options.maxWidth : p.maxWidth;
    p.scale = options.inputScale.value_or(p.scale);
    if (p.ensureRgb && p.ensureGrayscale)
        return fail(ErrorCode::InvalidArgument, "Frames cannot be turned into both colour and grey; choose one.");
    constexpr int kLargest = 1 << 16;
    for (const auto& side : {p.maxHeight, p.maxWidth})
        if (side && (*side < 1 || *side > kLargest))
            return fail(ErrorCode::InvalidArgument,
                        "A largest frame size of " + std::to_string(*side) + " pixels is outside 1 to 65536.");
    if (!(p.scale > 0) || p.scale > 100)
        return fail(ErrorCode::InvalidArgument,
                    "An input scale of " + std::to_string(p.scale) + " is outside 0 to 100.");
    return p;
}

}  // namespace skein::inference
