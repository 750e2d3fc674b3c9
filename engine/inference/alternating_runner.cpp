// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/alternating_runner.h"

#include <utility>

namespace skein::inference {

AlternatingRunner::AlternatingRunner(std::vector<std::unique_ptr<InferenceRunner>> runners)
    : m_runners(std::move(runners)) {
    SKEIN_EXPECTS(!m_runners.empty(), "at least one runner");
}

Result<std::unique_ptr<PendingBatch>> AlternatingRunner::submit(std::span<const ImagePtr> images) {
    auto pending = m_runners[m_next]->submit(images);
    // A batch that was refused is tried again on the same device, which its predecessors have left by then.
    if (pending)
        m_next = (m_next + 1) % m_runners.size();
    return pending;
}

Result<std::unique_ptr<PendingBatch>> AlternatingRunner::submitAround(
    std::span<const ImagePtr> images, std::span<const std::vector<CentroidPoint>> centroids) {
    auto pending = m_runners[m_next]->submitAround(images, centroids);
    if (pending)
        m_next = (m_next + 1) % m_runners.size();
    return pending;
}

Result<void> AlternatingRunner::warmUp(int height, int width, int channels) {
    for (const auto& runner : m_runners)
        if (auto done = runner->warmUp(height, width, channels); !done)
            return done;
    return {};
}

Result<double> AlternatingRunner::secondsFor(int frames, int height, int width, int channels) {
    return m_runners.front()->secondsFor(frames, height, width, channels);
}

void AlternatingRunner::profileInto(profile::Profiler& profiler) {
    for (const auto& runner : m_runners)
        runner->profileInto(profiler);
}

std::string AlternatingRunner::device() const {
    std::string all;
    for (const auto& runner : m_runners)
        all += (all.empty() ? "" : ", ") + runner->device();
    return all;
}

}  // namespace skein::inference
