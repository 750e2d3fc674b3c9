// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <vector>

#include "engine/project/skeleton.h"

namespace skein::ui {

struct SkeletonTemplate {
    QString name;  ///< in words, with the number of nodes
    project::Skeleton skeleton;
};

/// Skeletons to begin with, from simple to rich.
[[nodiscard]] const std::vector<SkeletonTemplate>& skeletonTemplates();

}  // namespace skein::ui
