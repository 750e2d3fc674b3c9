// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <memory>

#include "engine/base/result.h"
#include "ui/render/render_options.h"
#include "ui/render/render_video.h"
#include "ui/run_host.h"

namespace skein::ui {

enum class RenderRange { Labelled, Selection, Custom };

/// What a person chose in the render dialog: the options but for their frames, and which frames those are.
struct RenderSettings {
    RenderOptions options;
    RenderRange range = RenderRange::Labelled;
    QString custom;              ///< frames as people number them: "1-100, 200"
    bool withoutLabels = false;  ///< frames without labels too
    bool openWhenDone = true;
};

/// Sizes of pictures with a name: as people look at a video first, show it, and publish it.
struct RenderPreset {
    const char* name;
    double scale;
};
inline constexpr RenderPreset kRenderPresets[] = {{QT_TRANSLATE_NOOP("RenderSettings", "Preview (quarter size)"), 0.25},
                                                  {QT_TRANSLATE_NOOP("RenderSettings", "Draft (half size)"), 0.5},
                                                  {QT_TRANSLATE_NOOP("RenderSettings", "Final (full size)"), 1.0}};

/// The frames, ascending. `firstNumber`: what frame index 0 is called. Errors: InvalidArgument, in a sentence.
[[nodiscard]] Result<std::vector<std::int64_t>> framesToRender(const RenderSettings& settings,
                                                               const project::Labels& labels, std::int64_t frameCount,
                                                               const std::optional<FrameRange>& selection,
                                                               int firstNumber);

/// File name ending of what the codec writes; empty: a folder of pictures.
[[nodiscard]] QString endingOf(RenderCodec codec);

/// The options with their frames, and what would be written.
struct RenderPlan {
    RenderOptions options;
    RenderReport promise;
};
/// May go through all labels: for a worker.
[[nodiscard]] Result<RenderPlan> planRender(const RenderSettings& settings, const project::Labels& labels,
                                            const video::VideoSource& source,
                                            const std::optional<FrameRange>& selection, int firstNumber);

}  // namespace skein::ui
