// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/project/labels.h"

namespace skein::video {
class VideoSource;
}

namespace skein::ui {

/// Frames `first` to `last`, both included, 0-based.
struct FrameRange {
    std::int64_t first = 0;
    std::int64_t last = -1;
    [[nodiscard]] std::int64_t count() const { return last < first ? 0 : last - first + 1; }
    friend bool operator==(const FrameRange&, const FrameRange&) = default;
};

/// A video of the project as a run sees it.
struct RunVideo {
    std::uint32_t index = 0;                     ///< into Labels::videos()
    QString name;                                ///< file name, for people
    std::shared_ptr<video::VideoSource> source;  ///< null while it cannot be read; `problem` then says why
    QString problem;
    std::int64_t frameCount = 0;
    int width = 0;
    int height = 0;
};

/// One step of a run that enters the project.
struct RunChange {
    quint64 run = 0;  ///< steps of one run carry one number and may be folded into one undo step
    QString text;     ///< "Predict frames 1-1,100 of fly.mp4"
    std::uint32_t video = 0;
    std::vector<std::int64_t> frames;  ///< frames whose predictions changed, ascending
    bool discarded = false;            ///< the run's predictions were taken out again
};

/// What a run asks of the window. GUI thread only; every call returns within a frame.
class RunHost {
public:
    virtual ~RunHost() = default;

    /// Empty while no video is open.
    [[nodiscard]] virtual std::optional<RunVideo> currentVideo() const = 0;
    [[nodiscard]] virtual std::int64_t currentFrame() const = 0;  ///< 0-based
    /// Selected range of the timeline, if there is one.
    [[nodiscard]] virtual std::optional<FrameRange> selection() const = 0;
    /// All videos of the project, in their order; those that are not open have no source, and may have no frame count.
    [[nodiscard]] virtual std::vector<RunVideo> videos() const {
        const auto shown = currentVideo();
        return shown ? std::vector<RunVideo>{*shown} : std::vector<RunVideo>();
    }
    /// Those that the person has selected in the list of videos.
    [[nodiscard]] virtual std::vector<std::uint32_t> selectedVideos() const { return {}; }
    /// Opens a video in the background; the controller's hostChanged() tells when it is there, or why not.
    virtual void wantVideo(std::uint32_t /*video*/) {}
    /// Frames of a video that an open issue touches, ascending and merged; nullopt: nobody has looked for issues.
    [[nodiscard]] virtual std::optional<std::vector<FrameRange>> issueFrames(std::uint32_t /*video*/) const {
        return std::nullopt;
    }
    /// False: the window shows frame numbers from 1.
    [[nodiscard]] virtual bool countFramesFromZero() const = 0;

    /// The project as it is now.
    [[nodiscard]] virtual const project::Labels& labels() const = 0;
    /// Makes `next` the project, as one undoable step. `next` was made from what labels() returned in the same call of
    /// the event loop, so nothing in between is lost.
    virtual void applyRun(project::Labels next, const RunChange& change) = 0;

    /// Shows a frame, as if the person had gone there, but without ending "follow".
    virtual void showFrame(std::uint32_t video, std::int64_t frame) = 0;
};

}  // namespace skein::ui
