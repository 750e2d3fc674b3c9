// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/batch_size.h"

#include <algorithm>

namespace skein::inference {
namespace {

constexpr int kMostFrames = 64;
constexpr int kTries = 2;
// A GPU records the third batch of a shape and starts the fourth as it will start all others.
constexpr int kTriesOnGpu = 3;
// Less than this is chance, or not worth the memory.
constexpr double kWorthwhile = 1.03;
constexpr double kMostSeconds = 3;

}  // namespace

Result<int> fastestBatchSize(InferenceRunner& runner, int height, int width, int channels) {
    int best = 1;
    double bestRate = 0;
    double spent = 0;
    const int tries = runner.device().starts_with("cuda") ? kTriesOnGpu : kTries;
    for (int frames = 1, disappointments = 0; frames <= kMostFrames && disappointments < 2; frames *= 2) {
        double least = 0;
        // The first batch of a size chooses kernels and makes buffers.
        for (int attempt = 0; attempt <= tries; ++attempt) {
            const Result<double> seconds = runner.secondsFor(frames, height, width, channels);
            if (!seconds) {
                if (frames == 1)
                    return fail(seconds.error());
                return best;
            }
            spent += *seconds;
            if (attempt > 0)
                least = attempt == 1 ? *seconds : std::min(least, *seconds);
        }
        const double rate = frames / std::max(least, 1e-9);
        if (rate > bestRate * kWorthwhile) {
            best = frames;
            bestRate = rate;
            disappointments = 0;
        } else {
            ++disappointments;
        }
        // The next size takes at least twice as long.
        if (spent > kMostSeconds)
            break;
    }
    return best;
}

}  // namespace skein::inference
