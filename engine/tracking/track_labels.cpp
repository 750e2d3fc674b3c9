// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/track_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "engine/tracking/culling.h"

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

void appendPoints(const InstanceData& instance, std::vector<PointD>& out) {
    for (const project::Point& point : instance.points) {
        const bool usable = point.exists() && std::isfinite(point.x) && std::isfinite(point.y);
        out.push_back(usable ? PointD{point.x, point.y} : PointD{kNaN, kNaN});
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
    for (std::size_t i = 0; i < instances.size(); ++i)
        if (takesPart(instances[i])) {
            m_rows.push_back(i);
            appendPoints(instances[i], m_points);
        }
    m_detections.clear();
    std::size_t begin = 0;
    for (const std::size_t i : m_rows) {
        const std::size_t count = instances[i].points.size();
        m_detections.push_back({std::span(m_points).subspan(begin, count),
                                static_cast<double>(instances[i].header.score),
                                instances[i].header.kind == InstanceKind::User});
        begin += count;
    }
}

void OnlineTracking::track(project::FrameData& frame, const Image* image) {
    if (m_video != static_cast<std::int64_t>(frame.video))
        beginVideo(frame.video);
    const bool byHand = std::any_of(frame.instances.begin(), frame.instances.end(), [](const InstanceData& instance) {
        return instance.header.kind == InstanceKind::User;
    });
    const InstanceKind kind = byHand ? InstanceKind::User : InstanceKind::Predicted;
    collect(frame.instances, [kind](const InstanceData& instance) { return instance.header.kind == kind; });

    m_output.clear();
    m_identities.clear();
    const auto put = [this](InstanceData& instance, Identity identity) {
        m_output.push_back(std::move(instance));
        m_identities.push_back(identity);
    };
    for (InstanceData& instance : frame.instances)
        if (instance.header.kind != kind)
            put(instance, instance.header.track);
    for (const Assignment& assignment : m_tracker->update(frame.frameIndex, m_detections, image)) {
        InstanceData& instance = frame.instances[m_rows[assignment.detection]];
        if (assignment.trackId < 0) {
            put(instance, instance.header.track);
            continue;
        }
        instance.header.trackingScore = static_cast<float>(assignment.score);
        put(instance, kFirstNew + m_nameOffset + assignment.trackId);
        m_largestId = std::max<std::int64_t>(m_largestId, assignment.trackId);
    }
    m_dropped += static_cast<std::int64_t>(frame.instances.size() - m_output.size());

    if (m_options.cleanInstanceCount > 0)
        clean();
    if (m_options.connectSingleBreaks || m_options.cleanInstanceCount > 0)
        m_connector.connect(m_identities);
    for (std::size_t i = 0; i < m_output.size(); ++i) {
        m_output[i].header.track = placeOf(m_identities[i]);
        if (m_output[i].header.track >= 0)
            ++m_tracked;
    }
    std::swap(frame.instances, m_output);
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

Result<TrackingOutcome> trackLabels(project::Labels& labels, const TrackerOptions& options,
                                    const TrackingProgress& progress, std::stop_token stop, const FrameImages& images) {
    if (options.useFlow && !images)
        return fail(ErrorCode::InvalidArgument, "--use_flow needs the images of the video, which are not at hand.");

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
    for (std::uint32_t video = 0; video < videos; ++video)
        for (const std::size_t row : labels.rowsOf(video)) {
            if (stop.stop_requested())
                return fail(ErrorCode::Cancelled, "Tracking was cancelled; the tracks are as before.");
            if (progress && (options.useFlow || done % kReportEvery == 0))
                progress(done, total);
            project::FrameData frame = labels.frame(row).toData();
            const ImagePtr image = options.useFlow ? images(video, frame.frameIndex) : nullptr;
            online.track(frame, image.get());
            tracked.appendFrame(std::move(frame));
            ++done;
        }
    if (progress)
        progress(done, total);

    tracked.editTracks() = online.tracks();
    labels = std::move(tracked);
    return TrackingOutcome{done, online.trackedInstances(), online.droppedInstances(),
                           static_cast<std::int64_t>(labels.tracks().size())};
}

}  // namespace skein::tracking
