// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <vector>

#include "engine/proofread/detail/life_cycle.h"
#include "engine/proofread/detail/scan.h"

namespace skein::proofread {

/// Makes issues of signs and doubts: what lies within some frames and concerns the same tracks is one issue. Appends
/// to `issues`, in no order.
void assemble(const project::Labels& labels, std::uint32_t video, const Columns& columns, const Scale& scale,
              const IssueOptions& options, const LifeCycle& life, const Found& found, std::vector<Issue>& issues);

}  // namespace skein::proofread
