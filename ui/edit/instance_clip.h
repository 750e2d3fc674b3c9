// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <optional>

#include "engine/project/edit/instances.h"

class QMimeData;

namespace skein::ui {

/// An instance on the clipboard: as JSON for other windows of Skein, and as a table of tab-separated text for everybody
/// else.
[[nodiscard]] QMimeData* toMime(const project::edit::Clip& clip);  ///< owned by the caller
/// Nothing when the clipboard holds something else, or damaged data.
[[nodiscard]] std::optional<project::edit::Clip> clipFrom(const QMimeData* data);
[[nodiscard]] bool hasClip(const QMimeData* data);
/// node, x, y, visible, score: one line a node, with a header.
[[nodiscard]] QString poseText(const project::edit::Clip& clip);

}  // namespace skein::ui
