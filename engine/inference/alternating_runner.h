// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/inference/runner.h"

namespace skein::inference {

/// The same models on several devices, which take the batches in turn: of two, the second gets every other one. Results
/// come out in the order of submission, since each batch is waited for by itself. Thread-compatible.
class AlternatingRunner final : public InferenceRunner {
public:
    /// `runners`: at least one, all of the same models and options.
    explicit AlternatingRunner(std::vector<std::unique_ptr<InferenceRunner>> runners);

    [[nodiscard]] Result<std::unique_ptr<PendingBatch>> submit(std::span<const ImagePtr> images) override;
    [[nodiscard]] Result<std::unique_ptr<PendingBatch>> submitAround(
        std::span<const ImagePtr> images, std::span<const std::vector<CentroidPoint>> centroids) override;
    [[nodiscard]] Result<void> warmUp(int height, int width, int channels) override;
    /// Of the first device.
    [[nodiscard]] Result<double> secondsFor(int frames, int height, int width, int channels) override;
    void profileInto(profile::Profiler& profiler) override;
    [[nodiscard]] const models::ModelSpec& spec() const override { return m_runners.front()->spec(); }
    [[nodiscard]] const models::PreprocessSpec& preprocess() const override { return m_runners.front()->preprocess(); }
    [[nodiscard]] std::string device() const override;
    [[nodiscard]] int batchesAtOnce() const override { return static_cast<int>(m_runners.size()); }
    [[nodiscard]] std::string warning() const override { return m_runners.front()->warning(); }
    [[nodiscard]] std::string remark() const override { return m_runners.front()->remark(); }

private:
    std::vector<std::unique_ptr<InferenceRunner>> m_runners;
    std::size_t m_next = 0;  // whose turn it is
};

}  // namespace skein::inference
