// SPDX-License-Identifier: BSD-3-Clause
#include <torch/headeronly/version.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/inference/alternating_runner.h"
#include "engine/inference/detail/device.h"
#include "engine/inference/detail/guard.h"
#include "engine/inference/detail/torch_probe.h"
#include "engine/inference/detail/torch_runner.h"
#include "engine/inference/runner.h"

namespace skein::inference {
namespace {

class TorchBackend final : public Backend {
public:
    DeviceInfo devices() override {
        DeviceInfo info;
        info.torchVersion = TORCH_VERSION;
        info.devices.emplace_back("cpu");
        const CudaSupport& cuda = cudaSupport();
        info.cudaReason = cuda.reason;
        if (cuda.bridge != nullptr) {
            int number = 0;
            for (const std::string& name : cuda.bridge->deviceNames())
                info.devices.push_back("cuda:" + std::to_string(number++) + " (" + name + ")");
        }
        return info;
    }

    Result<std::unique_ptr<InferenceRunner>> loadRunner(const std::vector<models::ModelSpec>& specs,
                                                        const InferenceOptions& options,
                                                        profile::Profiler& profiler) override {
        const auto devices = chooseDevices(options.device);
        if (!devices)
            return fail(devices.error());
        std::vector<std::unique_ptr<InferenceRunner>> runners;
        for (const at::Device& device : *devices) {
            auto runner = guarded("starting the device", [&] {
                RunnerContext context;
                context.options = options;
                context.device = device;
                if (device.is_cuda())
                    context.queue = cudaSupport().bridge->makeQueue(device.index());
                return makeRunner(specs, std::move(context), profiler);
            });
            if (!runner)
                return runner;
            runners.push_back(std::move(*runner));
        }
        if (runners.size() == 1)
            return std::move(runners.front());
        return std::unique_ptr<InferenceRunner>(std::make_unique<AlternatingRunner>(std::move(runners)));
    }

    Result<std::unique_ptr<MapProbe>> loadProbe(const std::vector<models::ModelSpec>& specs,
                                                const InferenceOptions& options) override {
        const auto devices = chooseDevices(options.device);
        if (!devices)
            return fail(devices.error());
        RunnerContext context;
        context.options = options;
        context.device = devices->front();
        return makeProbe(specs, context);
    }
};

}  // namespace
}  // namespace skein::inference

/// The library's one door; found by name after dlopen. Null for a caller built against other headers.
extern "C" __attribute__((visibility("default"))) skein::inference::Backend* skeinTorchBackend(std::uint64_t stamp) {
    if (stamp != skein::inference::kBackendStamp)
        return nullptr;
    static skein::inference::TorchBackend backend;
    return &backend;
}
