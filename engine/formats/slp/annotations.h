// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/base/result.h"
#include "engine/formats/json/json.h"
#include "engine/project/labels.h"

namespace skein::formats::slp {

/// What a project carries beyond poses, described for the neutral dump; every member is absent (null, empty) where
/// there is nothing. References are indices of the project as it is now.
struct Annotations {
    std::map<std::pair<std::uint32_t, std::int64_t>, Json> frames;  ///< of (video, frame): boxes, centroids, masks ...
    std::unordered_map<std::int64_t, Json> instances;  ///< of an instance's origin row: identity, category, vectors
    Json identities, categories, eventTypes, events, staticRegions, sessions;
};

[[nodiscard]] Result<Annotations> describeAnnotations(const project::Labels& labels);

}  // namespace skein::formats::slp
