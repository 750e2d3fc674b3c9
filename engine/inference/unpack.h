// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <vector>

#include "engine/inference/host_batch.h"
#include "engine/inference/options.h"
#include "engine/models/model_spec.h"

// From the packed buffer to instances, one function for each kind of model. Pure host code without LibTorch. Points are
// left in the pixels of the buffer; Grouper undoes the scales. Bottom-up lies in bottomup_grouping.h.
namespace skein::inference {

/// One instance a frame, score 0: it is the sum of the points' values, and made after the filters.
[[nodiscard]] std::vector<FrameDetections> unpackSingle(const HostBatch& batch);

/// An instance of one node for each centroid, the best `most` of them by descending value if there are more (0: no
/// limit), else in raster order; score and point score are the centroid's value.
[[nodiscard]] std::vector<FrameDetections> unpackCentroids(const HostBatch& batch, int most);

/// An instance for each crop; its score is the centroid's value. With class probabilities each frame's crops are given
/// to classes (see classifyCrops); the tracking score is the probability.
[[nodiscard]] std::vector<FrameDetections> unpackCrops(const HostBatch& batch);

/// An instance for each class that got a peak, in order of classes: score is the mean of its points' values, tracking
/// score the mean of their class probabilities. Of more than `most` (0: no limit) the best by score stay.
/// With `matchSleapNn` a class without peaks counts as the best one when the number is limited, as the peer's sort has
/// it, so that real instances can be lost to it.
[[nodiscard]] std::vector<FrameDetections> unpackClasses(const HostBatch& batch, int most, bool matchSleapNn);

}  // namespace skein::inference
