// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

#include "engine/project/labels.h"
#include "ui/canvas/overlay_style.h"
#include "ui/shown_frame.h"

/// What a project has on a frame, as views and rendered videos show it. Any thread; each with its own copy of Labels.
namespace skein::ui {

/// Appends the instances of shown.video and shown.frame. Predictions that a person has gone over are left out unless
/// the style asks for them; `withPredictions` false: all of them are. `shown.skeletons` must be set.
void addStored(ShownFrame& shown, const project::Labels& labels, const OverlayStyle& style, bool withPredictions);

/// Speeds from the same track on the frame before or, where it is not there, on the one after: the mean way of the
/// nodes that are on both.
void addSpeeds(ShownFrame& shown, const project::Labels& labels);

/// The colours that the style gives to the instances, after addSpeeds() where colours mean speed.
void addInks(ShownFrame& shown, const project::Labels& labels, const OverlayStyle& style);

/// All of it.
[[nodiscard]] ShownFrame storedFrame(const project::Labels& labels,
                                     std::shared_ptr<const std::vector<project::Skeleton>> skeletons,
                                     std::uint32_t video, std::int64_t frame, const OverlayStyle& style);

}  // namespace skein::ui
