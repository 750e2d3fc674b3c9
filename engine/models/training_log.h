// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <optional>

namespace skein::models {

/// What the log of a training says in the end.
struct TrainingResult {
    int epochs = 0;       ///< that were run
    double bestLoss = 0;  ///< smallest loss on the validation data; the weights are of that epoch
    int bestEpoch = 0;    ///< counted from 1
};

/// Reads `training_log.csv` of sleap-nn (columns `epoch` and `val_loss` or `val/loss`) or SLEAP; for display, so that a
/// log that is missing, damaged or larger than 16 MiB is just nothing.
[[nodiscard]] std::optional<TrainingResult> readTrainingLog(const std::filesystem::path& file);

}  // namespace skein::models
