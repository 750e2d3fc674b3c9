// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/track_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "engine/tracking/culling.h"
#include "engine/tracking/detail/delayed_tracker.h"
#include "engine/tracking/detail/whole_video.h"

namespace skein::tracking {

namespace {

using project::InstanceData;
using project::InstanceKind;

// Identities of instances while a frame is worked on: what they had before (an index into the existing tracks), or new.
constexpr std::int64_t kNoTrack = -1;
constexpr std::int64_t kFirstNew = std::int64_t{1} << 40;  // + number in the track's name

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Frames between two reports of progress.
constexpr std::int64_t kReportEvery = 64;

void appendPoints(const InstanceData& instance, std::vector<PointD>& out, std::vector<double>& scores) {
    for (const project::Point& point : instance.points) {
        const bool usable = point.exists() && std::isfinite(point.x) && std::isfinite(point.y);
        out.push_back(usable ? PointD{point.x, point.y} : PointD{kNaN, kNaN});
        scores.push_back(point.score);
    }
}

}  // namespace

OnlineTracking::OnlineTracking(TrackerOptions options, std::vector<project::Track> existing)
    : m_options(std::move(options)), m_existing(std::move(existing)), m_tracker(makeTracker(m_options)) {}
OnlineTracking::~OnlineTracking() = default;
OnlineTracking::OnlineTracking(OnlineTracking&&) noexcept = default;
OnlineTracking& OnlineTracking::operator=(OnlineTracking&&) noexcept = default;

void OnlineTracking::beginVideo(std::uint32_t video) {
    if (m_video >= 0) {
        // An identity lives in one video: what is remembered must not reach into the next.
        m_nameOffset += m_largestId + 1;
        m_largestId = -1;
        m_tracker = makeTracker(m_options);
        m_connector.reset();
    }
    m_video = video;
}

std::int32_t OnlineTracking::placeOf(Identity identity) {
    const bool isNew = identity >= kFirstNew;
    if (identity == kNoTrack || (!isNew && static_cast<std::size_t>(identity) >= m_existing.size()))
        return -1;
    const auto [entry, added] = m_places.try_emplace(identity, static_cast<std::int32_t>(m_tracks.size()));
    if (added)
        m_tracks.push_back(isNew ? project::Track{"track_" + std::to_string(identity - kFirstNew), 0}
                                 : m_existing[static_cast<std::size_t>(identity)]);
    return entry->second;
}

/// Fills m_detections for those of `instances` that `takesPart`; positions in `instances` go to m_rows.
template <class Predicate>
void OnlineTracking::collect(std::span<const InstanceData> instances, Predicate takesPart) {
    m_rows.clear();
    m_points.clear();
    m_pointScores.clear();
    for (std::size_t i = 0; i < instances.size(); ++i)
        if (takesPart(instances[i])) {
            m_rows.push_back(i);
            appendPoints(instances[i], m_points, m_pointScores);
        }
    m_detections.clear();
    std::size_t begin = 0;
    for (const std::size_t i : m_rows) {
        const std::size_t count = instances[i].points.size();
        m_detections.push_back(
            {std::span(m_points).subspan(begin, count), static_cast<double>(instances[i].header.score),
             instances[i].header.kind == InstanceKind::User, std::span(m_pointScores).subspan(begin, count)});
        begin += count;
    }
}

void OnlineTracking::collectTracked(const project::FrameData& frame) {
    const bool byHand = std::any_of(frame.instances.begin(), frame.instances.end(), [](const InstanceData& instance) {
        return instance.header.kind == InstanceKind::User;
    });
    const InstanceKind kind = byHand ? InstanceKind::User : InstanceKind::Predicted;
    collect(frame.instances, [kind](const InstanceData& instance) { return instance.header.kind == kind; });
    m_decisions.clear();
    // A track from before means nothing among those of a tracker that gives every instance its own.
    const int passing = m_options.tracker == TrackerKind::Classic ? Decision::kAsItWas : Decision::kNone;
    for (std::size_t i = 0; i < frame.instances.size(); ++i)
        if (frame.instances[i].header.kind != kind)
            m_decisions.push_back({i, passing, static_cast<double>(frame.instances[i].header.trackingScore), -1});
}

void OnlineTracking::decide(const project::FrameData& frame, const Image* image) {
    collectTracked(frame);
    const std::vector<Assignment> assignments = m_tracker->update(frame.frameIndex, m_detections, image);
    const auto* delayed = dynamic_cast<const DelayedTracker*>(m_tracker.get());
    for (std::size_t k = 0; k < assignments.size(); ++k) {
        const Assignment& assignment = assignments[k];
        const int without = delayed == nullptr ? Decision::kAsItWas : Decision::kNone;
        m_decisions.push_back({m_rows[assignment.detection], assignment.trackId < 0 ? without : assignment.trackId,
                               assignment.score, delayed == nullptr ? assignment.trackId : delayed->lastKeys()[k]});
    }
}

void OnlineTracking::apply(project::FrameData& frame, std::span<const Decision> decisions) {
    m_output.clear();
    m_identities.clear();
    for (const Decision& decision : decisions) {
        InstanceData& instance = frame.instances[decision.instance];
        if (decision.identity == Decision::kAsItWas) {
            m_identities.push_back(instance.header.track);
        } else {
            instance.header.trackingScore = static_cast<float>(decision.identity < 0 ? 0.0 : decision.score);
            m_identities.push_back(decision.identity < 0 ? kNoTrack : kFirstNew + m_nameOffset + decision.identity);
            m_largestId = std::max<std::int64_t>(m_largestId, decision.identity);
        }
        m_output.push_back(std::move(instance));
    }
    m_dropped += static_cast<std::int64_t>(frame.instances.size() - m_output.size());

    if (m_options.cleanInstanceCount > 0)
        clean();
    // Joining whoever is new with whoever is missing is left to linking where that is wanted, and has no place with
    // trackers that leave instances without a track.
    if (m_options.connectSingleBreaks ||
        (m_options.cleanInstanceCount > 0 && m_options.tracker == TrackerKind::Classic && !m_options.linkTracklets))
        m_connector.connect(m_identities);
    for (std::size_t i = 0; i < m_output.size(); ++i) {
        m_output[i].header.track = placeOf(m_identities[i]);
        if (m_output[i].header.track >= 0)
            ++m_tracked;
    }
    std::swap(frame.instances, m_output);
}

void OnlineTracking::track(project::FrameData& frame, const Image* image) {
    if (m_video != static_cast<std::int64_t>(frame.video))
        beginVideo(frame.video);
    decide(frame, image);
    apply(frame, m_decisions);
}

void OnlineTracking::clean() {
    collect(m_output, [](const InstanceData&) { return true; });
    const std::vector<std::size_t> culled =
        beyondCount(m_detections, static_cast<std::size_t>(m_options.cleanInstanceCount), m_options.cleanIou);
    for (auto it = culled.rbegin(); it != culled.rend(); ++it) {
        const auto place = static_cast<std::ptrdiff_t>(*it);
        m_output.erase(m_output.begin() + place);
        m_identities.erase(m_identities.begin() + place);
    }
    m_dropped += static_cast<std::int64_t>(culled.size());
}

bool needsWholeVideo(const TrackerOptions& options) {
    return options.tracker != TrackerKind::Classic || options.linkTracklets;
}

namespace {

enum class Task { TrackAnew, LinkOnly };

Result<TrackingOutcome> run(project::Labels& labels, const TrackerOptions& options, Task task,
                            const TrackingProgress& progress, const std::stop_token& stop, const FrameImages& images) {
    std::uint32_t videos = static_cast<std::uint32_t>(labels.videos().size());
    for (std::size_t row = 0; row < labels.frameCount(); ++row)
        videos = std::max(videos, labels.frame(row).video() + 1);  // frames of an unlisted video come last

    // Frames go into a copy, so that the project stays whole if the run is stopped.
    project::Labels tracked = labels;
    std::vector<std::size_t> all(labels.frameCount());
    std::iota(all.begin(), all.end(), std::size_t{0});
    tracked.removeFrames(all);

    OnlineTracking online(options, labels.tracks());
    const auto total = static_cast<std::int64_t>(labels.frameCount());
    std::int64_t done = 0;
    for (std::uint32_t video = 0; video < videos; ++video) {
        const std::vector<std::size_t> rows = labels.rowsOf(video);
        WholeVideo whole(online, options);
        const auto goOn = [&] {
            if (progress && (options.useFlow || done % kReportEvery == 0))
                progress(done, total);
            return !stop.stop_requested();
        };
        const auto cancelled = [] {
            return fail(ErrorCode::Cancelled, "Tracking was cancelled; the tracks are as before.");
        };
        if (needsWholeVideo(options)) {
            for (const std::size_t row : rows) {
                if (!goOn())
                    return cancelled();
                whole.measure(labels.frame(row).toData());
            }
            whole.begin(video);
            for (const std::size_t row : rows) {
                if (!goOn())
                    return cancelled();
                const project::FrameData frame = labels.frame(row).toData();
                const bool flow = options.useFlow && task == Task::TrackAnew;
                const ImagePtr image = flow ? images(video, frame.frameIndex) : nullptr;
                if (task == Task::TrackAnew)
                    whole.track(frame, image.get());
                else
                    whole.keep(frame);
            }
            whole.conclude();
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!goOn())
                return cancelled();
            project::FrameData frame = labels.frame(rows[i]).toData();
            if (needsWholeVideo(options)) {
                whole.apply(i, frame);
            } else {
                const ImagePtr image = options.useFlow ? images(video, frame.frameIndex) : nullptr;
                online.track(frame, image.get());
            }
            tracked.appendFrame(std::move(frame));
            ++done;
        }
    }
    if (progress)
        progress(done, total);

    tracked.editTracks() = online.tracks();
    labels = std::move(tracked);
    return TrackingOutcome{done, online.trackedInstances(), online.droppedInstances(),
                           static_cast<std::int64_t>(labels.tracks().size())};
}

}  // namespace

Result<TrackingOutcome> trackLabels(project::Labels& labels, const TrackerOptions& options,
                                    const TrackingProgress& progress, std::stop_token stop, const FrameImages& images) {
    if (options.useFlow && !images)
        return fail(ErrorCode::InvalidArgument, "--use_flow needs the images of the video, which are not at hand.");
    return run(labels, options, Task::TrackAnew, progress, stop, images);
}

Result<TrackingOutcome> finishTracking(project::Labels& labels, const TrackerOptions& options,
                                       const TrackingProgress& progress, std::stop_token stop) {
    if (!needsWholeVideo(options)) {
        std::int64_t instances = static_cast<std::int64_t>(labels.instanceCount());
        return TrackingOutcome{static_cast<std::int64_t>(labels.frameCount()), instances, 0,
                               static_cast<std::int64_t>(labels.tracks().size())};
    }
    const bool anew = options.tracker != TrackerKind::Classic;
    return run(labels, options, anew ? Task::TrackAnew : Task::LinkOnly, progress, stop, {});
}

}  // namespace skein::tracking
