// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/base/result.h"
#include "engine/inference/options.h"
#include "engine/models/model_spec.h"

namespace skein::inference {

struct Size {
    int height = 0;
    int width = 0;
    friend bool operator==(const Size&, const Size&) = default;
};

/// What happens to a frame's size on its way into the network. Steps whose sizes are equal do nothing.
struct InputGeometry {
    Size frame;
    Size resized;  ///< by the size matcher
    Size matched;  ///< then padded with zeros at the right and bottom to the size matcher's target
    Size scaled;   ///< then resized by the input scale
    Size padded;   ///< then padded with zeros at the right and bottom to multiples of the network's largest stride
    /// Of the size matcher; results are divided by it last.
    float effScale = 1;
};

/// Rounding as in sleap-nn: the size matcher rounds halves to even, the input scale truncates.
[[nodiscard]] InputGeometry inputGeometry(Size frame, const models::PreprocessSpec& preprocess, int maxStride);

/// The model's preprocessing with a run's overrides in place. Errors: InvalidArgument (grey and colour at once, sizes
/// or a scale that make no sense).
[[nodiscard]] Result<models::PreprocessSpec> effectivePreprocess(const models::PreprocessSpec& trained,
                                                                 const InferenceOptions& options);

}  // namespace skein::inference
