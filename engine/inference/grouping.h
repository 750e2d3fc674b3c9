// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/host_batch.h"
#include "engine/inference/options.h"
#include "engine/models/model_spec.h"
#include "engine/profile/profiler.h"

namespace skein::inference {

/// Turns a batch's packed results into instances: on the host only, without LibTorch. Pure; any thread.
class Grouper {
public:
    /// Prepares what depends on the model alone (for bottom-up: the order of edges). `spec`: the run's last model.
    /// Errors: Model, when the skeleton's edges allow no grouping (none, or a cycle without a root).
    [[nodiscard]] static Result<Grouper> create(const models::ModelSpec& spec, const InferenceOptions& options);

    /// One entry per frame of the batch, in order: instances in image pixels, filtered, each with a point at least.
    /// Records PafScorer and Postprocess spans.
    [[nodiscard]] std::vector<FrameDetections> group(const HostBatch& batch, profile::Profiler& profiler) const;

    /// Sentences for the person, e.g. edges that can never be used.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return m_warnings; }

private:
    Grouper(models::ModelSpec spec, InferenceOptions options)
        : m_spec(std::move(spec)), m_options(std::move(options)) {}
    [[nodiscard]] std::vector<FrameDetections> unpack(const HostBatch& batch) const;

    models::ModelSpec m_spec;
    InferenceOptions m_options;
    std::vector<int> m_edgeOrder;
    std::vector<std::string> m_warnings;
};

}  // namespace skein::inference
