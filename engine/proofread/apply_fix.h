// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/project/edit/edit.h"
#include "engine/proofread/issues.h"

namespace skein::proofread {

/// The edit that the issue proposes, for one undo step. Nothing changes where it proposes none, or where what it speaks
/// of is gone. Of several swaps of one video the later ones are to be applied first: then each still means what it
/// says.
[[nodiscard]] project::edit::Outcome applyFix(const project::Labels& labels, const Issue& issue);

}  // namespace skein::proofread
