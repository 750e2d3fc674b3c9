// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <vector>

#include "ui/bridge/run_snapshot.h"
#include "ui/dialogs/run_plan.h"

namespace skein::ui {

/// Both models of a pair, as one name for what is remembered of them.
[[nodiscard]] QString modelKey(const QString& model, const QString& partner);

/// A run on one video that somebody asked for.
struct RunRequest {
    pipeline::JobSpec job;
    RunInfo info;  ///< without number and start
    ExistingPredictions existing = ExistingPredictions::Replace;
    bool trackOnly = false;  ///< the job has no models: the predictions that are there get new tracks
    /// The same for other videos, one after another. Their requests are made when their turn comes, since a video is
    /// opened only then.
    struct Later {
        std::uint32_t video = 0;
        RunSettings settings;
        RunSituation situation;
    };
    std::vector<Later> later;
};

/// Errors: InvalidArgument, the reason why it cannot run.
[[nodiscard]] Result<RunRequest> makeRequest(const RunSettings& settings, const RunSituation& situation);

}  // namespace skein::ui
