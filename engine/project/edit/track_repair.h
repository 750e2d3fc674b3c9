// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "engine/project/edit/tracks.h"

/// Edits that repair tracks. What tracks.h says of uniqueness and of user instances and their predictions holds here
/// too.
namespace skein::project::edit {

/// A frame on which two tracks both have an instance of one kind, so that they cannot be one there.
struct JoinConflict {
    std::uint32_t video = 0;
    std::int64_t frame = 0;
    InstanceId from = 0, into = 0;  ///< user instances where both are, else predictions
};

/// In row order; of all videos unless one is given. Cost: all headers.
[[nodiscard]] std::vector<JoinConflict> joinConflicts(const Labels& labels, std::int32_t from, std::int32_t into,
                                                      std::optional<std::uint32_t> video = {});

/// Who has the track on a frame with a conflict.
enum class JoinRule {
    Leave,        ///< both stay as they are: a person decides later
    BetterScore,  ///< the better instance score; of user instances, and of equals, that of `into`
    UserFirst     ///< a user instance before a prediction, then the better score
};

/// All of `from` becomes `into`, in all videos unless one is given. On a conflict the loser of the rule has no track
/// afterwards. A track that nothing is left of leaves the list: indices above it move down. changed: instances.
[[nodiscard]] Outcome joinTracks(const Labels& labels, std::int32_t from, std::int32_t into, JoinRule rule,
                                 std::optional<std::uint32_t> video = {});

/// Many joins at once: in video v every track t becomes become[v][t] (nothing is done in videos whose list is empty).
/// On a frame where several that become one have an instance, the one that is it already or else has the lowest index
/// gets it, and the others stay what they are. Tracks that nothing is left of leave the list. changed: instances.
[[nodiscard]] Outcome joinAll(const Labels& labels, std::span<const std::vector<std::int32_t>> become);

/// Takes the track away on the frames of the span of one video, or deletes its instances there.
[[nodiscard]] Outcome clearTrack(const Labels& labels, std::uint32_t video, std::int32_t track, FrameSpan span,
                                 bool withInstances);
/// Keeps the track on the frames of `keep` alone.
[[nodiscard]] Outcome trimTrack(const Labels& labels, std::uint32_t video, std::int32_t track, FrameSpan keep,
                                bool withInstances);

/// Exchanges the points of the skeleton's symmetric nodes in each instance of the track in the span.
[[nodiscard]] Outcome flipSides(const Labels& labels, std::uint32_t video, std::int32_t track, FrameSpan span);

/// Deletes instances of the frames of a span; `instances` ascending.
[[nodiscard]] Outcome deleteInstancesIn(const Labels& labels, std::uint32_t video, FrameSpan span,
                                        std::span<const InstanceId> instances);

}  // namespace skein::project::edit
