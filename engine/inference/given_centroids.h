// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/host_batch.h"
#include "engine/models/model_spec.h"
#include "engine/project/labels.h"
#include "engine/project/skeleton.h"

namespace skein::inference {

/// What stands for the middle of an instance.
enum class CentroidMethod { CenterOfMass, BboxCenter, GeometricMedian, Anchor };
/// From sleap-nn's words: center_of_mass, bbox_center, geometric_median, anchor. Errors: InvalidArgument.
[[nodiscard]] Result<CentroidMethod> parseCentroidMethod(std::string_view name);
[[nodiscard]] const char* toString(CentroidMethod method);

struct CentroidRule {
    CentroidMethod method = CentroidMethod::CenterOfMass;
    std::optional<int> anchor;                               ///< node, for Anchor
    CentroidMethod fallback = CentroidMethod::CenterOfMass;  ///< where the anchor is not visible; not Anchor
};

/// What a model's configuration (or a person) means by the centroid of an instance.
struct CentroidDefinition {
    CentroidMethod method = CentroidMethod::CenterOfMass;
    std::string anchorNode;  ///< for Anchor
    CentroidMethod fallback = CentroidMethod::CenterOfMass;

    /// For instances of this skeleton; without the anchor's node the fallback does.
    [[nodiscard]] CentroidRule on(const project::Skeleton& skeleton) const;
    /// As sleap-nn tags predicted centroids: "anchor:thorax", "center_of_mass".
    [[nodiscard]] std::string tag() const;
};

/// Of the run's models in the order of work: the last one's anchor and method, else the first one's; `anchorPart`
/// overrides them. Errors: InvalidArgument (no such node, or a word that is no method).
[[nodiscard]] Result<CentroidDefinition> centroidDefinition(const std::vector<models::ModelSpec>& models,
                                                            const std::optional<std::string>& anchorPart);

/// Middle of the points that exist; nullopt when none does. Image pixels.
[[nodiscard]] std::optional<CentroidPoint> centroidOf(std::span<const project::Point> points, const CentroidRule& rule);

}  // namespace skein::inference
