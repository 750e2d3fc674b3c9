// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/detail/torch_runner.h"
#include "engine/inference/map_probe.h"

namespace skein::inference {

/// Errors: as Backend::loadProbe(). Of `context` the options and the device count.
[[nodiscard]] Result<std::unique_ptr<MapProbe>> makeProbe(const std::vector<models::ModelSpec>& specs,
                                                          const RunnerContext& context);

}  // namespace skein::inference
