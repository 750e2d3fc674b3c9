// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/torch_runner.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/inference/detail/device.h"
#include "engine/inference/detail/device_setup.h"
#include "engine/inference/detail/guard.h"
#include "engine/inference/detail/runner_base.h"
#include "engine/inference/model_set.h"
#include "engine/models/network_plan.h"

namespace skein::inference {
namespace {

/// Such as ConvNeXt. A model that cannot be planned is refused when it is loaded, with its reason.
bool hasOtherBackbone(const models::ModelSpec& spec) {
    const auto plan = models::planNetwork(spec);
    return plan && plan->stages;
}

}  // namespace

Result<std::unique_ptr<InferenceRunner>> makeRunner(const std::vector<models::ModelSpec>& specs, RunnerContext context,
                                                    profile::Profiler& profiler) {
    return guarded("loading the model", [&]() -> Result<std::unique_ptr<InferenceRunner>> {
        const InferenceOptions& options = context.options;
        const TorchThread thread(options.cpuThreads);
        if (options.integralPatchSize < 1 || options.integralPatchSize > 255)
            return fail(ErrorCode::InvalidArgument, "The refinement patch size must be from 1 to 255.");
        if (options.nPoints < 1 || options.nPoints > 100000)
            return fail(ErrorCode::InvalidArgument, "The number of points along an edge must be from 1 to 100000.");
        auto models = arrangeModels(specs);
        if (!models)
            return fail(models.error());
        // sleap-nn puts the weights of Keras models into transposed convolutions that lie one pixel off.
        if (options.matchSleapNn)
            for (models::ModelSpec& spec : *models)
                spec.kerasTransposeAlignment = false;
        setUpDevice(context.device, options.precision);
        context.numbers = numbersFor(options.precision, context.device);
        if (options.precision == Precision::Half) {
            std::string reason = context.numbers == at::kFloat ? "this processor does not compute with it" : "";
            if (std::any_of(models->begin(), models->end(), hasOtherBackbone))
                reason = "only UNet models can";
            if (!reason.empty()) {
                context.numbers = at::kFloat;
                context.warning = "Exact numbers are used in place of half precision: " + reason + ".";
            }
        }
        if (context.queue == nullptr)
            context.lanes = planLanes(*models, options.cpuThreads, options.batchSize);
        if (models->size() == 2 || needsCentroids(*models))
            return makeTopDownRunner(*models, std::move(context), profiler);
        return makeOneStageRunner(models->front(), std::move(context), profiler);
    });
}

}  // namespace skein::inference
