// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/base/result.h"
#include "engine/inference/runner.h"

namespace skein::inference {

/// The number of frames of a batch at which the runner computes most frames a second: 1, 2, 4, ... are tried for frames
/// of this size (pixels, channels 1 or 3) until more brings nothing, memory runs out, or a few seconds are over. Of
/// sizes that are about equal the smallest is taken: it waits less and needs less memory. On the runner's thread.
/// Errors: as InferenceRunner::submit(), if not even a single frame can be computed.
[[nodiscard]] Result<int> fastestBatchSize(InferenceRunner& runner, int height, int width, int channels);

}  // namespace skein::inference
