// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <stop_token>
#include <vector>

#include "engine/formats/moved_videos.h"
#include "engine/project/labels.h"

namespace skein::ui {

/// A video of the project and the file that it may be now.
struct LostVideo {
    int index = 0;
    project::Video video;  ///< as the project has it
    QString found;         ///< empty: not found yet
    bool checked = false;  ///< `warning` says how the file differs, or is empty
    QString warning;
};

/// Looks for those that were not found yet. Touches the disk: for workers, as the next one.
[[nodiscard]] std::vector<LostVideo> lookFor(std::vector<LostVideo> lost, const QString& projectFile,
                                             const std::vector<formats::PathChange>& changes);

/// Opens the file and says in words what does not fit; empty: it is as the project says.
[[nodiscard]] QString differenceOf(const LostVideo& lost, std::stop_token stop);

}  // namespace skein::ui
