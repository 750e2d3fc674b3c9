// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/detail/network.h"
#include "engine/models/model_spec.h"

namespace skein::inference {

/// How a run divides the processor: `lanes` threads that compute whole frames, with `threads` of LibTorch's each; no
/// lanes: the calling thread computes, with all of them.
struct LanePlan {
    int lanes = 0;
    int threads = 1;
};

/// LibTorch's threads for a wish (0: none in particular): never more than there are cores, which would only wait for
/// each other.
[[nodiscard]] int usableThreads(int wanted);

/// Lanes for these models: none on one core, or where the weights are so large that a copy of them for each lane costs
/// more memory than the lanes are worth (such networks have work enough for all cores in every layer).
[[nodiscard]] LanePlan planLanes(const std::vector<models::ModelSpec>& specs, int cpuThreads, int batchSize);

/// A network for the calling thread, and one for each lane: a network keeps its weights in the order that suits the
/// number of threads, and belongs to one thread at a time.
class LaneNetworks {
public:
    /// Errors: as Network::load().
    [[nodiscard]] static Result<LaneNetworks> load(const models::ModelSpec& spec, at::Device device,
                                                   models::ForwardWay way, int lanes,
                                                   at::ScalarType numbers = at::kFloat);

    /// `lane` from 0; -1: the calling thread.
    [[nodiscard]] models::Network& of(int lane) const { return *m_networks[static_cast<std::size_t>(lane + 1)]; }

private:
    std::vector<std::unique_ptr<models::Network>> m_networks;
};

}  // namespace skein::inference
