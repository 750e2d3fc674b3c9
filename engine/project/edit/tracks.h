// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "engine/project/edit/edit.h"

/// Edits of identities. A user instance and the prediction it was made from change track together, and after each of
/// these edits no frame has two instances of one kind with one track, if none had before.
namespace skein::project::edit {

/// The last frame there can be: "to the end of the video".
inline constexpr std::int64_t kToEnd = std::numeric_limits<std::int64_t>::max();

/// Name for one more track: the next number after the tracks that are called "track_<n>" (else plain numbers, if the
/// project names its tracks so).
[[nodiscard]] std::string newTrackName(const Labels& labels);

/// Gives the instance the track (SLEAP's rule). Without `propagate`, or if the instance has no track: on this frame
/// only, and whoever had the track here loses it. With it: the two tracks are exchanged on all frames of the span.
/// track -1 takes the track away, on this frame only.
[[nodiscard]] Outcome setTrack(const Labels& labels, const Place& place, std::int32_t track,
                               std::optional<FrameSpan> propagate);
/// The same with a track that is made for it.
[[nodiscard]] Outcome setNewTrack(const Labels& labels, const Place& place, std::optional<FrameSpan> propagate);

/// Exchanges two tracks on all frames of the span of one video. Either may be absent on any of them.
[[nodiscard]] Outcome transposeTracks(const Labels& labels, std::uint32_t video, FrameSpan span, std::int32_t a,
                                      std::int32_t b);
/// Exchanges the tracks of two instances of a frame; with `propagate`, and if both have one, over the span.
[[nodiscard]] Outcome transposeInstances(const Labels& labels, std::uint32_t video, std::int64_t frame, InstanceId a,
                                         InstanceId b, std::optional<FrameSpan> propagate);

/// This and all later instances of the instance's track, up to the frame `last`, get a new track; unchanged where
/// nothing of it would stay.
[[nodiscard]] Outcome splitTrack(const Labels& labels, const Place& place, std::int64_t last = kToEnd);

[[nodiscard]] Outcome renameTrack(const Labels& labels, std::int32_t track, const std::string& name);

/// Deletes every instance of the instance's track in its video, on the frames of the span if there is one, and the
/// track itself when nothing of it is left. An instance without track is deleted alone.
[[nodiscard]] Outcome deleteInstanceAndTrack(const Labels& labels, const Place& place,
                                             std::optional<FrameSpan> span = std::nullopt);
/// Takes tracks out of the project, ascending and without duplicates: their instances lose their track, or go with it.
/// changed: tracks.
[[nodiscard]] Outcome deleteTracks(const Labels& labels, std::span<const std::int32_t> tracks, bool withInstances);
/// A copy with nothing but the instances of these tracks (ascending, without duplicates), for export.
[[nodiscard]] Labels onlyTracks(const Labels& labels, std::span<const std::int32_t> tracks);
/// Tracks that no instance has, ascending. Cost: all headers.
[[nodiscard]] std::vector<std::int32_t> unusedTracks(const Labels& labels);

}  // namespace skein::project::edit
