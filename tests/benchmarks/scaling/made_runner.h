// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/inference/runner.h"
#include "tests/support/made_batch.h"

namespace skein::bench {

/// A device that takes no time: hands over batches that were made before, so that a run's cost is that of everything
/// beside the network.
class MadeRunner : public inference::InferenceRunner {
public:
    /// `frames`: animals found in each frame, repeated for as long as the run goes on.
    MadeRunner(models::ModelSpec spec, std::vector<std::vector<std::vector<tracking::PointD>>> frames, int batchSize)
        : m_spec(std::move(spec)) {
        const auto step = static_cast<std::size_t>(batchSize);
        for (std::size_t f = 0; f + step <= frames.size(); f += step)
            m_batches.push_back(test::madeBatch(m_spec, {frames.begin() + static_cast<std::ptrdiff_t>(f),
                                                         frames.begin() + static_cast<std::ptrdiff_t>(f + step)}));
    }

    Result<std::unique_ptr<inference::PendingBatch>> submit(std::span<const ImagePtr> images) override {
        const inference::HostBatch& batch = m_batches[m_next++ % m_batches.size()];
        if (images.size() != static_cast<std::size_t>(batch.frames))
            return fail(ErrorCode::Internal, "The number of frames is no multiple of the batch.");
        return std::unique_ptr<inference::PendingBatch>(new Ready(batch));
    }
    Result<void> warmUp(int, int, int) override { return {}; }
    Result<double> secondsFor(int, int, int, int) override { return 0; }
    [[nodiscard]] const models::ModelSpec& spec() const override { return m_spec; }
    [[nodiscard]] const models::PreprocessSpec& preprocess() const override { return m_spec.preprocess; }
    [[nodiscard]] std::string device() const override { return "made up"; }

private:
    class Ready : public inference::PendingBatch {
    public:
        explicit Ready(inference::HostBatch batch) : m_batch(std::move(batch)) {}
        Result<inference::HostBatch> wait() override { return std::move(m_batch); }

    private:
        inference::HostBatch m_batch;
    };

    models::ModelSpec m_spec;
    std::vector<inference::HostBatch> m_batches;
    std::size_t m_next = 0;
};

}  // namespace skein::bench
