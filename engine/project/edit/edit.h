// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/project/labels.h"

/// Every edit a person can make, as a function from one project to the next. None of them keeps a state, asks a
/// question or draws a number from the clock, so that an edit can be tested, repeated and taken back by keeping the
/// Labels value from before (a copy of some pointers). A one-frame edit costs one chunk of 64 frames, whatever the size
/// of the project.
///
/// Where a file holds several records of one frame, one-frame edits work on the first, as the views show it; edits over
/// ranges work on all of them.
namespace skein::project::edit {

/// Frames `first` to `last`, both included.
struct FrameSpan {
    std::int64_t first = 0;
    std::int64_t last = 0;
    friend bool operator==(const FrameSpan&, const FrameSpan&) = default;
};

/// Where an instance is found.
struct Place {
    std::uint32_t video = 0;
    std::int64_t frame = 0;
    InstanceId instance = 0;
};

/// What an edit touched, for views that refresh only that.
struct Extent {
    bool everywhere = false;  ///< all frames of all videos; else those of `span`
    std::uint32_t video = 0;
    FrameSpan span;
    bool tracks = false;    ///< the list of tracks
    bool instances = true;  ///< instances came, went or changed
};

struct Outcome {
    Labels labels;
    Extent extent;
    std::vector<InstanceId> made;  ///< new instances, in order; the last is the one to select
    /// Instances (or tracks, or frames, as the function says) that differ now. 0: nothing was to be done, and `labels`
    /// is the project as it was.
    std::size_t changed = 0;
};

/// The frame's instances by value; empty when nothing is recorded there.
[[nodiscard]] FrameData frameAt(const Labels& labels, std::uint32_t video, std::int64_t frame);

/// The instance, or null. Valid as long as `labels`.
[[nodiscard]] InstanceView find(const Labels& labels, const Place& place);

/// Whether a user instance of that frame was made from the prediction `id`.
[[nodiscard]] bool isReplaced(const FrameData& frame, InstanceId id);

/// Puts `frame` back in place of what is recorded there, or appends it.
[[nodiscard]] Labels withFrame(const Labels& labels, FrameData frame);

/// All rows of a project, ascending.
[[nodiscard]] std::vector<std::size_t> allRows(const Labels& labels);

/// The edit that changes nothing.
[[nodiscard]] Outcome unchanged(const Labels& labels);

/// Outcome for one changed frame.
[[nodiscard]] Outcome onFrame(const Labels& labels, FrameData frame, std::size_t changed,
                              std::vector<InstanceId> made = {});

}  // namespace skein::project::edit
