// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/run_results.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "engine/tracking/track_labels.h"

namespace skein::ui {
namespace {

using project::FrameData;
using project::InstanceKind;
using project::Labels;

/// Track numbers from here on mean the tracks of RunResults::m_splitNames.
constexpr std::int32_t kSplit = 1 << 28;

/// `wanted`, or a name like it that is not in `taken`: "track_3" counts on, others get a number.
std::string freeName(const std::string& wanted, const std::unordered_set<std::string>& taken) {
    if (!taken.contains(wanted))
        return wanted;
    const std::size_t underscore = wanted.rfind('_');
    std::string stem = wanted + "_";
    std::int64_t number = 2;
    if (underscore != std::string::npos && underscore + 1 < wanted.size()) {
        const char* first = wanted.data() + underscore + 1;
        const char* last = wanted.data() + wanted.size();
        std::int64_t parsed = 0;
        if (const auto [end, error] = std::from_chars(first, last, parsed); error == std::errc() && end == last) {
            stem = wanted.substr(0, underscore + 1);
            number = parsed + 1;
        }
    }
    while (taken.contains(stem + std::to_string(number)))
        ++number;
    return stem + std::to_string(number);
}

FrameData predictionsOf(const Labels& labels, std::uint32_t video, std::int64_t frame) {
    FrameData data{video, frame, {}, -1};
    if (const auto row = labels.findFrame(video, frame)) {
        data = labels.frame(*row).toData();
        std::erase_if(data.instances, [](const auto& i) { return i.header.kind == InstanceKind::User; });
    }
    return data;
}

}  // namespace

std::vector<bool> tracksUsedElsewhere(const Labels& labels, std::uint32_t video,
                                      const std::vector<std::int64_t>& frames) {
    std::vector<bool> used(labels.tracks().size(), false);
    if (used.empty())
        return used;
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        const bool predictedAnew =
            frame.video() == video && std::binary_search(frames.begin(), frames.end(), frame.frameIndex());
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceHeader& header = *frame.instance(i).header;
            if (header.track < 0 || static_cast<std::size_t>(header.track) >= used.size())
                continue;
            if (!predictedAnew || header.kind == InstanceKind::User)
                used[static_cast<std::size_t>(header.track)] = true;
        }
    }
    return used;
}

RunResults::RunResults(Setup setup, const Labels& now) : m_setup(std::move(setup)), m_before(now), m_lastApplied(now) {}

std::vector<std::int64_t> RunResults::add(const std::vector<pipeline::FrameResult>& results,
                                          const std::vector<std::string>& trackNames, double nowSeconds) {
    if (m_lastCheckpoint < 0)
        m_lastCheckpoint = nowSeconds;
    for (std::size_t i = m_tracks.size(); i < trackNames.size(); ++i)
        m_tracks.push_back({trackNames[i], -1, {}});
    std::vector<std::int64_t> frames;
    frames.reserve(results.size());
    for (const pipeline::FrameResult& result : results) {
        const std::int64_t frame = result.frame.frameIndex;
        m_pending.insert_or_assign(frame, result.frame);
        m_order.push_back(frame);
        frames.push_back(frame);
        addFinished(frame);
    }
    std::sort(frames.begin(), frames.end());
    return frames;
}

void RunResults::addFinished(std::int64_t frame) {
    const auto after = std::upper_bound(m_finished.begin(), m_finished.end(), frame,
                                        [](std::int64_t f, const FrameRange& r) { return f < r.first; });
    if (after != m_finished.begin() && std::prev(after)->last >= frame)
        return;
    ++m_finishedCount;
    const bool joinsBefore = after != m_finished.begin() && std::prev(after)->last + 1 == frame;
    const bool joinsAfter = after != m_finished.end() && after->first == frame + 1;
    if (joinsBefore && joinsAfter) {
        std::prev(after)->last = after->last;
        m_finished.erase(after);
    } else if (joinsBefore) {
        std::prev(after)->last = frame;
    } else if (joinsAfter) {
        after->first = frame;
    } else {
        m_finished.insert(after, {frame, frame});
    }
}

RunResults::Plan RunResults::plan(const Labels& now) const {
    Plan plan;
    const auto& tracks = now.tracks();
    // Candidates for reuse by name; a track that was placed before is found by its place.
    std::unordered_map<std::string, int> reusable;
    std::unordered_set<std::string> taken;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        taken.insert(tracks[i].name);
        // Tracks that came after the run had begun belong to somebody else.
        const bool free = i < m_setup.trackTaken.size() && !m_setup.trackTaken[i];
        if (free && m_setup.existing != ExistingPredictions::Keep)
            reusable.emplace(tracks[i].name, static_cast<int>(i));
    }
    for (const RunTrack& track : m_tracks) {
        if (track.place >= 0 && static_cast<std::size_t>(track.place) < tracks.size() &&
            tracks[static_cast<std::size_t>(track.place)].name == track.placeName) {
            plan.places.push_back(track.place);
        } else if (const auto it = reusable.find(track.name); it != reusable.end()) {
            plan.places.push_back(it->second);
            reusable.erase(it);
        } else {
            plan.places.push_back(static_cast<int>(tracks.size() + plan.newNames.size()));
            plan.newNames.push_back(freeName(track.name, taken));
            taken.insert(plan.newNames.back());
        }
    }
    const auto& skeletons = now.skeletons();
    const auto same = std::find_if(skeletons.begin(), skeletons.end(),
                                   [this](const project::Skeleton& s) { return s.sameStructure(m_setup.skeleton); });
    plan.skeleton = static_cast<int>(same - skeletons.begin());
    return plan;
}

const RunResults::Plan& RunResults::shownPlan(const Labels& now) const {
    // Asked for every repaint: made anew only when the tracks here or there have changed.
    if (m_shownFor != now.tracks().data() || m_shownTracks != now.tracks().size() ||
        m_shownRunTracks != m_tracks.size() + 1) {
        m_shownPlan = plan(now);
        m_shownFor = now.tracks().data();
        m_shownTracks = now.tracks().size();
        m_shownRunTracks = m_tracks.size() + 1;  // 0: never made
    }
    return m_shownPlan;
}

void RunResults::translate(FrameData& frame, const Plan& plan) const {
    frame.video = m_setup.video;
    for (project::InstanceData& instance : frame.instances) {
        project::InstanceHeader& header = instance.header;
        header.skeleton = static_cast<std::uint32_t>(plan.skeleton);
        const bool known = header.track >= 0 && static_cast<std::size_t>(header.track) < plan.places.size();
        header.track = known ? plan.places[static_cast<std::size_t>(header.track)] : -1;
    }
}

void RunResults::keepOld(FrameData& frame, const Labels& now) const {
    if (m_setup.existing != ExistingPredictions::Keep)
        return;
    FrameData old = predictionsOf(now, m_setup.video, frame.frameIndex);
    frame.instances.insert(frame.instances.begin(), std::make_move_iterator(old.instances.begin()),
                           std::make_move_iterator(old.instances.end()));
}

const FrameData* RunResults::pending(std::int64_t frame, const Labels& now) const {
    const auto it = m_pending.find(frame);
    if (it == m_pending.end())
        return nullptr;
    m_shown = it->second;
    translate(m_shown, shownPlan(now));
    keepOld(m_shown, now);
    return &m_shown;
}

QString RunResults::trackName(int track, const Labels& now) const {
    if (track < 0)
        return {};
    const auto place = static_cast<std::size_t>(track);
    const auto& tracks = now.tracks();
    if (place < tracks.size())
        return QString::fromStdString(tracks[place].name);
    const Plan& plan = shownPlan(now);
    return place - tracks.size() < plan.newNames.size() ? QString::fromStdString(plan.newNames[place - tracks.size()])
                                                        : QString();
}

Result<RunResults::Tracked> RunResults::trackWhole(const tracking::TrackerOptions& options,
                                                   std::stop_token stop) const {
    Labels labels;
    labels.editVideos().resize(std::size_t{m_setup.video} + 1);
    labels.editSkeletons().push_back(m_setup.skeleton);
    for (const RunTrack& track : m_tracks)
        labels.editTracks().push_back({track.name});
    std::vector<std::int64_t> order;
    order.reserve(m_pending.size());
    for (const auto& [frame, data] : m_pending)
        order.push_back(frame);
    std::sort(order.begin(), order.end());
    for (const std::int64_t frame : order)
        labels.appendFrame(m_pending.at(frame));
    if (auto done = tracking::finishTracking(labels, options, {}, std::move(stop)); !done)
        return fail(std::move(done.error()));
    Tracked tracked;
    for (const project::Track& track : labels.tracks())
        tracked.trackNames.push_back(track.name);
    tracked.frames.reserve(labels.frameCount());
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        FrameData data = labels.frame(row).toData();
        tracked.instances += static_cast<std::int64_t>(data.instances.size());
        tracked.frames.emplace(data.frameIndex, std::move(data));
    }
    return tracked;
}

void RunResults::replaceResults(Tracked tracked) {
    SKEIN_EXPECTS(m_written.empty() && m_work.empty(), "nothing of the run is in the project yet");
    m_pending = std::move(tracked.frames);
    m_tracks.clear();
    for (std::string& name : tracked.trackNames)
        m_tracks.push_back({std::move(name), -1, {}});
    m_shownRunTracks = 0;
}

bool RunResults::checkpointDue(double nowSeconds) const {
    if (m_setup.wholeVideo)
        return false;
    return m_pending.size() >= kCheckpointFrames ||
           (!m_pending.empty() && m_lastCheckpoint >= 0 && nowSeconds - m_lastCheckpoint >= kCheckpointSeconds);
}

bool RunResults::beginFrame(std::int64_t frame) {
    if (m_setup.wholeVideo)
        return false;
    if (m_pending.count(frame) != 0)
        m_work.push_front({frame, true, {}});
    return true;
}

void RunResults::beginCheckpoint(double nowSeconds) {
    m_lastCheckpoint = nowSeconds;
    for (const std::int64_t frame : std::exchange(m_order, {}))
        m_work.push_back({frame, true, {}});
}

void RunResults::beginEnd(bool complete, const Labels& now) {
    beginCheckpoint(m_lastCheckpoint);
    if (!complete)
        splitReusedTracks(now);
}

void RunResults::splitReusedTracks(const Labels& now) {
    const Plan current = plan(now);
    // Old place -> number of the track that takes the old instances over.
    std::unordered_map<int, std::int32_t> moved;
    std::unordered_set<int> reused;
    for (const int place : current.places)
        if (static_cast<std::size_t>(place) < m_setup.trackTaken.size())
            reused.insert(place);
    if (reused.empty())
        return;
    std::unordered_set<std::string> taken;
    for (const project::Track& track : now.tracks())
        taken.insert(track.name);
    taken.insert(current.newNames.begin(), current.newNames.end());

    for (const std::int64_t frame : m_setup.frames) {
        const auto range = std::upper_bound(m_finished.begin(), m_finished.end(), frame,
                                            [](std::int64_t f, const FrameRange& r) { return f < r.first; });
        if (range != m_finished.begin() && std::prev(range)->last >= frame)
            continue;
        const auto row = now.findFrame(m_setup.video, frame);
        if (!row)
            continue;
        const project::FrameView view = now.frame(*row);
        bool touched = false;
        for (std::size_t i = 0; i < view.instanceCount() && !touched; ++i) {
            const project::InstanceHeader& header = *view.instance(i).header;
            touched = header.kind == InstanceKind::Predicted && reused.contains(header.track);
        }
        if (!touched)
            continue;
        FrameData data = predictionsOf(now, m_setup.video, frame);
        for (project::InstanceData& instance : data.instances) {
            std::int32_t& track = instance.header.track;
            if (!reused.contains(track))
                continue;
            auto [it, isNew] = moved.try_emplace(track, kSplit + static_cast<std::int32_t>(m_splitNames.size()));
            if (isNew) {
                m_splitNames.push_back(freeName(now.tracks()[static_cast<std::size_t>(track)].name, taken));
                m_splitPlaces.push_back(-1);
                taken.insert(m_splitNames.back());
            }
            track = it->second;
        }
        m_work.push_back({frame, false, std::move(data)});
    }
}

void RunResults::clearOtherFrames(const Labels& now) {
    m_cleared = true;
    for (const std::size_t row : now.rowsOf(m_setup.video)) {
        const project::FrameView view = now.frame(row);
        const std::int64_t frame = view.frameIndex();
        if (std::binary_search(m_setup.frames.begin(), m_setup.frames.end(), frame))
            continue;
        bool hasPrediction = false;
        for (std::size_t i = 0; i < view.instanceCount(); ++i)
            hasPrediction = hasPrediction || view.instance(i).header->kind == InstanceKind::Predicted;
        if (!hasPrediction)
            continue;
        m_work.push_back({frame, false, FrameData{m_setup.video, frame, {}, -1}});
        m_maybeEmpty.push_back(frame);
    }
}

void RunResults::beginDiscard(const Labels& now) {
    m_onlyOurs = m_onlyOurs && now.isUnchangedCopyOf(m_lastApplied);
    m_work.clear();
    m_pending.clear();
    m_order.clear();
    m_maybeEmpty.clear();
    if (m_onlyOurs) {
        m_restoreWhole = !m_written.empty();
        return;
    }
    // A person has edited meanwhile: only the predictions of the frames that the run has written go back.
    std::sort(m_written.begin(), m_written.end());
    m_written.erase(std::unique(m_written.begin(), m_written.end()), m_written.end());
    for (const std::int64_t frame : m_written) {
        if (!m_before.findFrame(m_setup.video, frame))
            m_maybeEmpty.push_back(frame);
        m_work.push_back({frame, false, predictionsOf(m_before, m_setup.video, frame)});
    }
}

void RunResults::removeEmptied(Labels& next, std::vector<std::int64_t>& frames) {
    std::vector<std::size_t> rows;
    for (const std::int64_t frame : std::exchange(m_maybeEmpty, {})) {
        const auto row = next.findFrame(m_setup.video, frame);
        if (row && next.frame(*row).instanceCount() == 0) {
            rows.push_back(*row);
            frames.push_back(frame);
        }
    }
    if (!rows.empty())
        next.removeFrames(rows);
}

RunResults::Step RunResults::step(const Labels& now, std::size_t pointBudget) {
    SKEIN_EXPECTS(hasWork(), "there is a step to make");
    Step step{now, {}};
    if (!now.isUnchangedCopyOf(m_lastApplied))
        m_onlyOurs = false;
    if (m_restoreWhole) {
        m_restoreWhole = false;
        step.labels = m_before;
        step.frames = std::exchange(m_written, {});
        std::sort(step.frames.begin(), step.frames.end());
        m_lastApplied = step.labels;
        return step;
    }
    if (m_setup.existing == ExistingPredictions::Clear && !m_cleared)
        clearOtherFrames(now);

    const Plan plan = this->plan(now);
    Labels& next = step.labels;
    const bool bringsResults = !m_work.empty() && m_work.front().fromPending;
    if (bringsResults) {
        if (static_cast<std::size_t>(plan.skeleton) == next.skeletons().size())
            next.editSkeletons().push_back(m_setup.skeleton);
        for (const std::string& name : plan.newNames)
            next.editTracks().push_back({name});
        for (std::size_t i = 0; i < m_tracks.size(); ++i) {
            m_tracks[i].place = plan.places[i];
            m_tracks[i].placeName = next.tracks()[static_cast<std::size_t>(plan.places[i])].name;
        }
    }

    std::vector<FrameData> frames;
    std::size_t points = 0;
    // One kind of work a step, so that the tracks above are those that its frames refer to.
    while (!m_work.empty() && m_work.front().fromPending == bringsResults && points < pointBudget) {
        Work work = std::move(m_work.front());
        m_work.pop_front();
        FrameData data;
        if (work.fromPending) {
            const auto it = m_pending.find(work.frame);
            if (it == m_pending.end())
                continue;  // the same frame came twice and is written already
            data = std::move(it->second);
            m_pending.erase(it);
            translate(data, plan);
            keepOld(data, now);
        } else {
            data = std::move(work.data);
            for (project::InstanceData& instance : data.instances) {
                std::int32_t& track = instance.header.track;
                if (track < kSplit)
                    continue;
                const auto split = static_cast<std::size_t>(track - kSplit);
                if (m_splitPlaces[split] < 0) {
                    m_splitPlaces[split] = static_cast<int>(next.tracks().size());
                    next.editTracks().push_back({m_splitNames[split]});
                }
                track = m_splitPlaces[split];
            }
        }
        // An empty frame costs about as much as a few points.
        points += 8;
        for (const project::InstanceData& instance : data.instances)
            points += instance.points.size();
        m_written.push_back(work.frame);
        step.frames.push_back(work.frame);
        frames.push_back(std::move(data));
    }
    next.mergePredictions(std::move(frames));
    if (m_work.empty() && !m_maybeEmpty.empty())
        removeEmptied(next, step.frames);
    std::sort(step.frames.begin(), step.frames.end());
    step.frames.erase(std::unique(step.frames.begin(), step.frames.end()), step.frames.end());
    m_lastApplied = next;
    return step;
}

}  // namespace skein::ui
