// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/lane_networks.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>

#include "engine/inference/options.h"
#include "engine/models/network_plan.h"

namespace skein::inference {
namespace {

constexpr std::int64_t kMostWeightBytes = std::int64_t{64} << 20;

std::int64_t weightBytes(const models::ModelSpec& spec) {
    const auto plan = models::planNetwork(spec);
    if (!plan)
        return 0;  // loading will say why
    std::int64_t numbers = 0;
    for (const models::ParameterPlan& parameter : plan->parameters()) {
        std::int64_t size = 1;
        for (const std::int64_t side : parameter.shape)
            size *= side;
        numbers += size;
    }
    return numbers * static_cast<std::int64_t>(sizeof(float));
}

}  // namespace

int usableThreads(int wanted) {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return wanted > 0 ? std::min(wanted, cores) : cores;
}

LanePlan planLanes(const std::vector<models::ModelSpec>& specs, int cpuThreads, int batchSize) {
    const int threads = usableThreads(cpuThreads);
    std::int64_t bytes = 0;
    for (const models::ModelSpec& spec : specs)
        bytes += weightBytes(spec);
    // One frame at a time still has several crops.
    const int wanted = specs.back().preprocess.cropSize
                           ? threads
                           : std::min(threads, batchSize == kAutomaticBatch ? threads : batchSize);
    if (wanted < 2 || bytes * wanted > kMostWeightBytes)
        return {0, threads};
    return {wanted, std::max(1, threads / wanted)};
}

Result<LaneNetworks> LaneNetworks::load(const models::ModelSpec& spec, at::Device device, models::ForwardWay way,
                                        int lanes, at::ScalarType numbers) {
    LaneNetworks networks;
    for (int i = 0; i < lanes + 1; ++i) {
        auto network = models::Network::load(spec, device, way, numbers);
        if (!network)
            return fail(network.error());
        networks.m_networks.push_back(std::move(*network));
    }
    return networks;
}

}  // namespace skein::inference
