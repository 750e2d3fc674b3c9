// SPDX-License-Identifier: BSD-3-Clause
#include <torch/headeronly/version.h>

#include <cstdint>
#include <string>

#include "engine/inference/detail/device.h"
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
        if (specs.empty())
            return fail(ErrorCode::InvalidArgument, "No model was given.");
        if (specs.size() > 1)
            return fail(ErrorCode::Unsupported, "Runs with two models cannot be made yet; give one bottom-up model.");
        const models::ModelSpec& spec = specs.front();
        if (spec.type != models::ModelType::BottomUp)
            return fail(ErrorCode::Unsupported, std::string("Models of the type ") + models::modelTypeTitle(spec.type) +
                                                    " cannot be run yet; bottom-up models can.");
        const auto device = chooseDevice(options.device);
        if (!device)
            return fail(device.error());
        return makeBottomUpRunner(spec, options, *device, profiler);
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
