// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/project/edit/edit.h"
#include "engine/project/edit/pose.h"

/// Edits of single instances. A place without an instance, or a node that the instance lacks, gives an unchanged
/// project. Moving, turning and the like are for user instances: of a prediction nothing is changed either (a person
/// accepts it first; ghost dragging does both at once).
namespace skein::project::edit {

/// A node dropped at (x, y): it is confirmed (complete); visibility stays.
[[nodiscard]] Outcome moveNode(const Labels& labels, const Place& place, std::size_t node, double x, double y);
/// Everything about one point, as typed in. `complete` stays as given.
[[nodiscard]] Outcome setPoint(const Labels& labels, const Place& place, std::size_t node, const Point& point);
/// All points at once: what a drag of the whole instance ends with. Nodes keep their flags and scores.
[[nodiscard]] Outcome setPose(const Labels& labels, const Place& place, const Pose& pose);
[[nodiscard]] Outcome moveInstance(const Labels& labels, const Place& place, Vec by);
/// About the place of `node`.
[[nodiscard]] Outcome rotateInstance(const Labels& labels, const Place& place, std::size_t node, double degrees);
[[nodiscard]] Outcome scaleInstance(const Labels& labels, const Place& place, Vec fixed, double factorX,
                                    double factorY);

/// Flips `visible` of a node that has a place, and confirms it.
[[nodiscard]] Outcome toggleVisible(const Labels& labels, const Place& place, std::size_t node);
/// Confirms all nodes that have a place.
[[nodiscard]] Outcome markComplete(const Labels& labels, const Place& place);
/// Nodes without a place get one, not visible and incomplete: from the mean pose of labelled instances laid over this
/// one, else beside their neighbours, always inside `frame` (width and height; 0: no limit).
[[nodiscard]] Outcome addMissingNodes(const Labels& labels, const Place& place, int frameWidth, int frameHeight);

/// A user instance from a prediction: coordinates, visibility and track are kept, unless another user instance of the
/// frame has the track already. The prediction stays and is referred to. Not for predictions that were accepted before.
[[nodiscard]] Outcome acceptPrediction(const Labels& labels, const Place& place, bool complete);
/// The same with its points where a ghost drag has put them; `touched` is the node that was dragged: complete.
[[nodiscard]] Outcome acceptMoved(const Labels& labels, const Place& place, const Pose& pose, std::size_t touched);
/// All predictions of a frame that were not accepted yet.
[[nodiscard]] Outcome acceptFrame(const Labels& labels, std::uint32_t video, std::int64_t frame);
/// The same for every frame of a video.
[[nodiscard]] Outcome acceptVideo(const Labels& labels, std::uint32_t video);

/// Deletes instances of one frame. Deleting a user instance brings the prediction it was made from back into view.
[[nodiscard]] Outcome deleteInstances(const Labels& labels, std::uint32_t video, std::int64_t frame,
                                      std::span<const InstanceId> instances);
/// A user instance with these points; of no track, since its original has it.
[[nodiscard]] Outcome duplicate(const Labels& labels, const Place& place, const Pose& pose);
/// Makes one of several user instances of a frame: the first keeps its nodes, track and id, and takes from the others,
/// in order, the nodes that it lacks (absent, or not visible where the other's is visible). A track comes likewise.
[[nodiscard]] Outcome mergeInstances(const Labels& labels, std::uint32_t video, std::int64_t frame,
                                     std::span<const InstanceId> instances);

/// Marks the frame as pure background, or takes the mark away. changed: 1.
[[nodiscard]] Outcome toggleNegative(const Labels& labels, std::uint32_t video, std::int64_t frame);
[[nodiscard]] bool isNegative(const Labels& labels, std::uint32_t video, std::int64_t frame);

/// An instance that travels: to another frame, video or project with other nodes.
struct Clip {
    std::vector<std::string> nodes;
    Pose points;        ///< one per node
    std::string track;  ///< name; empty: none
};
[[nodiscard]] std::optional<Clip> copyInstance(const Labels& labels, const Place& place);
/// A user instance from the clip on that frame, of `skeleton`: nodes are matched by name, those that the clip lacks
/// stay absent. It has the clip's track if the project knows one of that name and nobody on the frame has it. Nothing
/// is pasted when no node's name is known. Pasting onto an equal instance shifts it by 10 px.
[[nodiscard]] Outcome pasteInstance(const Labels& labels, std::uint32_t video, std::int64_t frame,
                                    std::uint32_t skeleton, const Clip& clip);

}  // namespace skein::project::edit
