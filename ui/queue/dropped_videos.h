// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>

namespace skein::ui {

/// What was dropped, as far as the queue is concerned.
struct DroppedVideos {
    int videos = 0;
    int deeper = 0;  ///< in subfolders of dropped folders
    QStringList models;
    bool other = false;  ///< a project, or something else that is opened
};

/// Touches the disk: for a worker.
[[nodiscard]] DroppedVideos lookThrough(const QStringList& paths);

}  // namespace skein::ui
