// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "engine/project/labels.h"
#include "ui/document.h"

namespace skein::ui {

/// Where a project's video lies on this disk: Found with its path, or Missing with a sentence. Touches the disk: for
/// worker threads. `projectFile` may be empty.
[[nodiscard]] VideoState findVideo(const project::Labels& labels, std::uint32_t video, const QString& projectFile);

}  // namespace skein::ui
