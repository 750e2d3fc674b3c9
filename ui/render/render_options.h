// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QRect>
#include <QString>
#include <cstdint>
#include <vector>

#include "engine/video/decoder_choice.h"
#include "engine/video/video_writer.h"
#include "ui/canvas/overlay_painter.h"
#include "ui/canvas/overlay_style.h"

namespace skein::ui {

enum class RenderBackground { Video, Black, White, Gray, Transparent };
enum class RenderCrop { None, Rectangle, FollowTrack };
enum class RenderCodec { H264, H265, Av1, ProRes, Gif, PngSequence };

/// The way that an animal came: a line through where it was on the frames before.
struct RenderTrails {
    bool on = false;
    int length = 10;   ///< frames
    int node = -1;     ///< -1: the middle of its nodes
    double width = 2;  ///< px of the picture
    double opacity = 1;
    bool fade = true;  ///< older parts are fainter
    QColor color;      ///< invalid: that of the instance
};

struct RenderBurnIn {
    bool frameNumber = false;
    int firstNumber = 0;  ///< what frame index 0 is called
    bool time = false;
    double scaleBar = 0;   ///< length in px of the video; 0: none
    QString scaleBarText;  ///< what stands beside it, "1 mm"
};

/// What a rendered video shows and how it is written. Sizes of markers and lines are pixels of the picture that is
/// written. Everything is in the window's own colours.
struct RenderOptions {
    std::uint32_t video = 0;
    video::DecoderChoice decoder = video::DecoderChoice::Processor;
    std::vector<std::int64_t> frames;  ///< in the order in which they are shown, with and without labels

    OverlayStyle style;
    OverlayLook look;
    /// Where a person gave tracks colours of their own: for each track its place in the palette. Empty: their numbers.
    std::vector<int> trackInks;
    double opacity = 1;  ///< of skeletons and names
    bool trackNames = false;
    RenderBackground background = RenderBackground::Video;
    RenderTrails trails;
    RenderBurnIn burnIn;

    RenderCrop crop = RenderCrop::None;
    QRect rectangle;         ///< pixels of the video; also the size of what follows a track
    std::int32_t track = 0;  ///< to be followed
    int margin = 40;         ///< px about the track's largest extent

    double scale = 1;  ///< 0.1 to 2
    double fps = 0;    ///< 0: as the video, with its true times where they are uneven
    double speed = 1;  ///< 2: twice as fast
    RenderCodec codec = RenderCodec::H264;
    int crf = 23;
    QString preset = QStringLiteral("veryfast");
    int threads = 0;  ///< that draw; 0: the machine's cores
};

}  // namespace skein::ui
