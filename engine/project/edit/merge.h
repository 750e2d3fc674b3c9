// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <vector>

#include "engine/project/edit/edit.h"

/// Another project merged into this one. Nothing of this project is lost but what a conflict explicitly gives up.
///
/// - Videos: as `MergeOptions::videos` says; the others are added.
/// - Skeletons are the same when they have the same node names, in whatever order; points follow the names. Others are
///   added.
/// - Tracks are the same when they have the same name, the n-th of a name being the n-th of that name; others are
/// added.
/// - Frames that only the other project has are appended. On frames of both:
///   - an instance that is here already (kind, skeleton, track and every point) is left out;
///   - user instances are in conflict when they have one track, or lie on one another (mean distance of common nodes
///     below a tenth of the size); those that are not are added;
///   - a prediction that lies on a user instance of either project is what that instance was made from: it is added,
///     unless there is one already, and linked;
///   - other predictions are in conflict when both projects have some on the frame.
/// - Suggestions and negative frames are united; a frame with user instances is not negative.
namespace skein::project::edit {

enum class Prefer { Mine, Theirs, Both };

struct MergeOptions {
    /// For each video of the other project the video here that it is, or -1 for one that is to be added.
    std::vector<std::int32_t> videos;
    Prefer users = Prefer::Mine;
    Prefer predictions = Prefer::Mine;
};

struct MergeCounts {
    std::size_t videosAdded = 0, videosMatched = 0;
    std::size_t skeletonsAdded = 0, tracksAdded = 0;
    std::size_t framesAdded = 0, framesOfBoth = 0;
    std::size_t usersAdded = 0, predictionsAdded = 0;
    std::size_t duplicates = 0;           ///< here already
    std::size_t userConflicts = 0;        ///< pairs of user instances
    std::size_t predictionConflicts = 0;  ///< frames with predictions of both
    std::size_t replaced = 0;             ///< instances of this project that gave way
    std::size_t suggestionsAdded = 0, negativesAdded = 0;
};

struct Merged {
    Labels labels;
    MergeCounts counts;
    [[nodiscard]] bool nothing() const {
        return counts.videosAdded + counts.skeletonsAdded + counts.tracksAdded + counts.framesAdded +
                   counts.usersAdded + counts.predictionsAdded + counts.replaced + counts.suggestionsAdded +
                   counts.negativesAdded ==
               0;
    }
};

/// `theirs` as its file would be read from elsewhere (formats::externalVideos). options.videos has one entry for each
/// of its videos. Cost: the frames of both, once.
[[nodiscard]] Merged mergeProjects(const Labels& mine, const Labels& theirs, const MergeOptions& options);

}  // namespace skein::project::edit
