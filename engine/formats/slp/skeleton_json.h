// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/json/json.h"
#include "engine/project/skeleton.h"

namespace skein::formats::slp {

/// Decodes the skeletons of a labels file's metadata: node-link graphs whose node ids point into the file's global node
/// list, with edge kinds spelled by jsonpickle (the first use in full, later ones by number). Edges keep the order of
/// the links; symmetries stored in both directions count once. Skeleton::extraJson keeps the entry as it was. Errors:
/// Format, naming the skeleton.
[[nodiscard]] Result<std::vector<project::Skeleton>> decodeSkeletons(const Json& metadata);

/// Puts `skeletons` into `metadata` ("skeletons" and "nodes"). When they are what `metadata` already says, the texts
/// stay as they are, so that nothing that Skein does not know is lost or reordered.
void encodeSkeletons(const std::vector<project::Skeleton>& skeletons, Json& metadata);

}  // namespace skein::formats::slp
