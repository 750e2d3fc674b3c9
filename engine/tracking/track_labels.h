// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/base/image.h"
#include "engine/base/result.h"
#include "engine/project/labels.h"
#include "engine/tracking/break_connector.h"
#include "engine/tracking/tracker.h"

namespace skein::tracking {

/// Tracks the frames of a project one after another: which instances of a frame are tracked, how tracks are named, and
/// the cleaning after the tracker. The same code serves tracking while inference runs and trackLabels(), so both give
/// the same. Thread-compatible.
///
/// Feed the frames of one video in ascending order, frames without instances included, before those of the next video.
/// A frame with user instances has these tracked, and its predicted ones pass unchanged, placed before them; otherwise
/// the predicted ones are tracked. Tracks are named "track_<n>"; n counts on from video to video.
///
/// Box trackers and linking look at a whole video: what they give here is for watching, without identities for the
/// first detections of a track and without joins, until finishTracking() has the last word (see needsWholeVideo()).
class OnlineTracking {
public:
    /// `options` from resolveOptions(). `existing`: the tracks that the frames' instances refer to before tracking;
    /// those still in use afterwards are kept.
    explicit OnlineTracking(TrackerOptions options, std::vector<project::Track> existing = {});
    ~OnlineTracking();
    OnlineTracking(OnlineTracking&&) noexcept;
    OnlineTracking& operator=(OnlineTracking&&) noexcept;

    /// Tracks `frame` in place: its instances are put in order, dropped where they get no track, and given `track`
    /// (an index into tracks()) and `trackingScore`. A change of `frame.video` begins the next video.
    /// `image` as in Tracker::update().
    void track(project::FrameData& frame, const Image* image = nullptr);

    /// Tracks in use so far, in order of first appearance. Indices stay valid while it grows.
    [[nodiscard]] const std::vector<project::Track>& tracks() const noexcept { return m_tracks; }

    /// Instances that got no track and were dropped, and those removed by culling, since the start.
    [[nodiscard]] std::int64_t droppedInstances() const noexcept { return m_dropped; }
    [[nodiscard]] std::int64_t trackedInstances() const noexcept { return m_tracked; }

private:
    // A track that may not have a place in m_tracks yet: an existing one, a new one by its number, or none.
    using Identity = std::int64_t;
    friend class WholeVideo;
    /// What becomes of one instance of a frame.
    struct Decision {
        static constexpr int kAsItWas = -2, kNone = -1;
        std::size_t instance = 0;  ///< position in the frame
        int identity = kAsItWas;   ///< of the current video; or one of the above
        double score = 0;
        int key = -1;  ///< box trackers: tells a track before it is confirmed
    };
    void beginVideo(std::uint32_t video);
    template <class Predicate>
    void collect(std::span<const project::InstanceData> instances, Predicate takesPart);
    /// Fills m_detections and m_rows with those that are tracked, and m_decisions with those that pass.
    void collectTracked(const project::FrameData& frame);
    /// Runs the tracker; fills m_decisions.
    void decide(const project::FrameData& frame, const Image* image);
    /// Puts the frame in the order of `decisions`, then cleans and connects.
    void apply(project::FrameData& frame, std::span<const Decision> decisions);
    void clean();
    [[nodiscard]] std::int32_t placeOf(Identity identity);

    TrackerOptions m_options;
    std::vector<project::Track> m_existing;
    std::vector<project::Track> m_tracks;
    std::map<Identity, std::int32_t> m_places;
    std::unique_ptr<Tracker> m_tracker;
    BreakConnector m_connector;
    std::int64_t m_video = -1;
    std::int64_t m_nameOffset = 0;  // number of the current video's track 0
    std::int64_t m_largestId = -1;  // in the current video
    std::int64_t m_dropped = 0, m_tracked = 0;
    std::vector<PointD> m_points;
    std::vector<double> m_pointScores;
    std::vector<Detection> m_detections;
    std::vector<std::size_t> m_rows;  // of m_detections in the frame
    std::vector<Decision> m_decisions;
    std::vector<project::InstanceData> m_output;
    std::vector<Identity> m_identities;
};

struct TrackingOutcome {
    std::int64_t frames = 0;
    std::int64_t trackedInstances = 0;
    std::int64_t droppedInstances = 0;  ///< culled, or left without a track and therefore removed
    std::int64_t tracks = 0;
};

/// Frames done and frames there are; called on the calling thread.
using TrackingProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Image of a frame, for optical flow; nullptr where it cannot be read.
using FrameImages = std::function<ImagePtr(std::uint32_t video, std::int64_t frameIndex)>;

/// Whether tracking with these options has to see a video to its end: OnlineTracking alone does not give the result.
[[nodiscard]] bool needsWholeVideo(const TrackerOptions& options);

/// Tracks a whole project anew: per video in order of frame index with a fresh tracker. On success `labels` holds its
/// frames in tracking order and exactly the tracks that instances refer to, in order of first appearance; on an error
/// it is unchanged. `options` from resolveOptions(). Errors: Cancelled; InvalidArgument (optical flow without
/// `images`).
[[nodiscard]] Result<TrackingOutcome> trackLabels(project::Labels& labels, const TrackerOptions& options,
                                                  const TrackingProgress& progress = {}, std::stop_token stop = {},
                                                  const FrameImages& images = {});

/// The last word after OnlineTracking, for options that need it (needsWholeVideo()): box trackers track again with the
/// whole video known, then tracks are linked. Does nothing for other options. As trackLabels(), but without images.
[[nodiscard]] Result<TrackingOutcome> finishTracking(project::Labels& labels, const TrackerOptions& options,
                                                     const TrackingProgress& progress = {}, std::stop_token stop = {});

}  // namespace skein::tracking
