// SPDX-License-Identifier: BSD-3-Clause
#include "engine/evaluation/identity_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "engine/base/assignment.h"
#include "engine/evaluation/detail/similarity.h"
#include "engine/evaluation/frame_pairs.h"

namespace skein::evaluation {

namespace {

using project::InstanceKind;
using project::InstanceView;

constexpr double kSlack = std::numeric_limits<double>::epsilon();
constexpr double kSimilarEnough = 0.5;

/// Tracks of equal name are one identity.
class TrackNames {
public:
    explicit TrackNames(const project::Labels& labels) {
        std::map<std::string, int> known;
        for (const project::Track& track : labels.tracks())
            m_identity.push_back(known.try_emplace(track.name, static_cast<int>(known.size())).first->second);
        m_names.resize(known.size());
        for (const auto& [name, identity] : known)
            m_names[static_cast<std::size_t>(identity)] = name;
    }
    [[nodiscard]] const std::string& name(int identity) const { return m_names[static_cast<std::size_t>(identity)]; }
    /// -1 without a track.
    [[nodiscard]] int of(const InstanceView& instance) const {
        const auto track = static_cast<std::size_t>(instance.header->track);
        return instance.header->track < 0 || track >= m_identity.size() ? -1 : m_identity[track];
    }

private:
    std::vector<int> m_identity;
    std::vector<std::string> m_names;
};

class IdentityEvaluation {
public:
    IdentityEvaluation(const project::Labels& truth, const project::Labels& prediction, const IdentityOptions& options,
                       IdentityMetrics& metrics)
        : m_truth(truth),
          m_prediction(prediction),
          m_options(options),
          m_metrics(metrics),
          m_trueNames(truth),
          m_foundNames(prediction) {
        m_points = truth.skeletons().front().nodes.size() == 1 || prediction.skeletons().front().nodes.size() == 1;
        m_distance = options.matchThreshold.value_or(kPointMatchPixels);
        m_threshold = m_points ? kSimilarEnough : options.matchThreshold.value_or(kSimilarEnough);
    }

    Result<void> run(const FramePairs& pairs) {
        std::vector<IdentityScores> videos;
        for (std::size_t i = 0; i < pairs.frames.size();) {
            IdentitySequence sequence;
            m_trueSeen.clear();
            m_foundSeen.clear();
            m_places.clear();
            const std::uint32_t video = pairs.frames[i].video;
            const std::size_t first = i;
            for (; i < pairs.frames.size() && pairs.frames[i].video == video; ++i)
                if (auto added = add(pairs.frames[i], sequence); !added)
                    return added;
            videos.push_back(scoreSequence(sequence, m_threshold));
            for (const IdentitySwitch& s : videos.back().switchList)
                m_metrics.switches.push_back({video, pairs.frames[first + s.frame].frameIndex,
                                              m_trueNames.name(s.truth), m_foundNames.name(s.from),
                                              m_foundNames.name(s.to)});
            m_metrics.trueTracks += static_cast<std::int64_t>(m_trueSeen.size());
            m_metrics.predictedTracks += static_cast<std::int64_t>(m_foundSeen.size());
        }
        m_metrics.scores = combine(videos);
        m_metrics.frames = static_cast<std::int64_t>(pairs.frames.size());
        m_metrics.framesWithoutPrediction = m_metrics.frames - static_cast<std::int64_t>(pairs.shared);
        m_metrics.switchesPerThousand =
            1000.0 * static_cast<double>(m_metrics.scores.switches) / static_cast<double>(m_metrics.frames);
        std::sort(m_steps.begin(), m_steps.end());
        std::sort(m_sizes.begin(), m_sizes.end());
        if (!m_steps.empty() && percentile(m_sizes, 50) > 0)
            m_metrics.stepOverSize = percentile(m_steps, 50) / percentile(m_sizes, 50);
        return {};
    }

private:
    Result<void> add(const FramePair& pair, IdentitySequence& sequence) {
        collectTruth(m_truth.frame(pair.truth));
        m_found.clear();
        if (pair.prediction) {
            const project::FrameView frame = m_prediction.frame(*pair.prediction);
            for (std::size_t i = 0; i < frame.instanceCount(); ++i)
                if (m_foundNames.of(frame.instance(i)) >= 0)
                    m_found.push_back(frame.instance(i));
                else
                    ++m_metrics.untrackedPrediction;
        }
        compare();
        dropThoseOfUntrackedTruth();

        m_trueIds.clear();
        m_foundIds.clear();
        m_kept.clear();
        for (std::size_t column = 0; column < m_found.size(); ++column)
            if (m_keep[column])
                m_foundIds.push_back(m_foundNames.of(m_found[column]));
        for (std::size_t row = 0; row < m_true.size(); ++row) {
            if (m_trueNames.of(m_true[row]) < 0)
                continue;
            m_trueIds.push_back(m_trueNames.of(m_true[row]));
            measureStep(m_true[row], pair.frameIndex);
            for (std::size_t column = 0; column < m_found.size(); ++column)
                if (m_keep[column])
                    m_kept.push_back(m_similarity[row * m_found.size() + column]);
        }
        if (auto unique = checkUnique(m_trueIds, "truth", m_truth, pair); !unique)
            return unique;
        if (auto unique = checkUnique(m_foundIds, "prediction", m_prediction, pair); !unique)
            return unique;
        for (const int id : m_trueIds)
            m_trueSeen[id] = true;
        for (const int id : m_foundIds)
            m_foundSeen[id] = true;
        sequence.addFrame(m_trueIds, m_foundIds, m_kept);
        return {};
    }

    void collectTruth(const project::FrameView& frame) {
        m_true.clear();
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const InstanceView instance = frame.instance(i);
            if (instance.header->kind == InstanceKind::Predicted &&
                (m_options.userLabelsOnly || replaced(frame, instance)))
                continue;
            m_true.push_back(instance);
            if (m_trueNames.of(instance) < 0)
                ++m_metrics.untrackedTruth;
        }
    }

    /// Whether a person's label in the frame stands for this prediction.
    static bool replaced(const project::FrameView& frame, const InstanceView& prediction) {
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const InstanceView other = frame.instance(i);
            if (other.header->kind == InstanceKind::User &&
                ((prediction.header->track >= 0 && other.header->track == prediction.header->track) ||
                 (prediction.header->id != 0 && other.header->fromPredicted == prediction.header->id)))
                return true;
        }
        return false;
    }

    void compare() {
        m_similarity.clear();
        for (const InstanceView& truth : m_true)
            for (const InstanceView& found : m_found) {
                double s = 0;
                if (m_points) {
                    const auto a = centroidOf(truth.points);
                    const auto b = centroidOf(found.points);
                    s = std::max(0.0, 1.0 - std::hypot(a[0] - b[0], a[1] - b[1]) / (2 * m_distance));
                } else {
                    s = poseSimilarity(truth.points, found.points, m_options.oksStddev);
                }
                m_similarity.push_back(std::isnan(s) ? 0.0 : s);
            }
    }

    /// A true animal without a track can be found, but not kept: what finds it is taken out of the count.
    void dropThoseOfUntrackedTruth() {
        m_keep.assign(m_found.size(), true);
        if (std::all_of(m_true.begin(), m_true.end(),
                        [this](const InstanceView& instance) { return m_trueNames.of(instance) >= 0; }))
            return;
        m_cost.clear();
        for (const double s : m_similarity)
            m_cost.push_back(s >= m_threshold - kSlack ? -s : 0.0);
        for (const AssignedPair& pair : m_assigner.minimise(m_cost, m_true.size(), m_found.size())) {
            const auto row = static_cast<std::size_t>(pair.row);
            const auto column = static_cast<std::size_t>(pair.column);
            if (-m_cost[row * m_found.size() + column] > kSlack && m_trueNames.of(m_true[row]) < 0) {
                m_keep[column] = false;
                ++m_metrics.ignored;
            }
        }
    }

    Result<void> checkUnique(std::vector<int> ids, const char* side, const project::Labels& labels,
                             const FramePair& pair) {
        std::sort(ids.begin(), ids.end());
        const auto twice = std::adjacent_find(ids.begin(), ids.end());
        if (twice == ids.end())
            return {};
        const TrackNames& names = &labels == &m_truth ? m_trueNames : m_foundNames;
        std::string name;
        for (const InstanceView& instance : &labels == &m_truth ? m_true : m_found)
            if (names.of(instance) == *twice)
                name = labels.tracks()[static_cast<std::size_t>(instance.header->track)].name;
        return fail(ErrorCode::InvalidArgument, "In the " + std::string(side) + " the track \"" + name +
                                                    "\" occurs twice in frame " + std::to_string(pair.frameIndex) +
                                                    " of video " + std::to_string(pair.video) +
                                                    "; a track can be in one place only, so correct the tracks first.");
    }

    void measureStep(const InstanceView& instance, std::int64_t frameIndex) {
        const auto at = centroidOf(instance.points);
        if (std::isnan(at[0]))
            return;
        const auto [known, isNew] = m_places.try_emplace(m_trueNames.of(instance), Place{at, frameIndex});
        if (isNew)
            return;
        double left = project::kNaN;
        double right = left;
        double top = left;
        double bottom = left;
        for (const project::Point& point : instance.points)
            if (point.exists()) {
                left = std::fmin(left, point.x);
                right = std::fmax(right, point.x);
                top = std::fmin(top, point.y);
                bottom = std::fmax(bottom, point.y);
            }
        const double size = std::hypot(right - left, bottom - top);
        const auto frames = static_cast<double>(frameIndex - known->second.frameIndex);
        if (frames > 0) {
            m_steps.push_back(std::hypot(at[0] - known->second.at[0], at[1] - known->second.at[1]) / frames);
            m_sizes.push_back(size);
        }
        known->second = {at, frameIndex};
    }

    struct Place {
        std::array<double, 2> at{};
        std::int64_t frameIndex = 0;
    };

    const project::Labels& m_truth;
    const project::Labels& m_prediction;
    const IdentityOptions& m_options;
    IdentityMetrics& m_metrics;
    TrackNames m_trueNames, m_foundNames;
    bool m_points = false;
    double m_distance = 0, m_threshold = 0;
    std::unordered_map<int, bool> m_trueSeen, m_foundSeen;
    std::unordered_map<int, Place> m_places;
    std::vector<double> m_steps, m_sizes;
    // Of one frame.
    std::vector<InstanceView> m_true, m_found;
    std::vector<int> m_trueIds, m_foundIds;
    std::vector<bool> m_keep;
    std::vector<double> m_similarity, m_kept, m_cost;
    Assigner m_assigner;
};

}  // namespace

bool hasTracks(const project::Labels& labels) {
    if (labels.tracks().empty())
        return false;
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            if (frame.instance(i).header->track >= 0)
                return true;
    }
    return false;
}

Result<IdentityMetrics> identityMetrics(const project::Labels& truth, const project::Labels& prediction,
                                        const IdentityOptions& options) {
    if (!(options.oksStddev > 0) || !std::isfinite(options.oksStddev))
        return fail(ErrorCode::InvalidArgument, "--oks_stddev must be greater than 0.");
    if (options.matchThreshold && !(*options.matchThreshold > 0 && std::isfinite(*options.matchThreshold)))
        return fail(ErrorCode::InvalidArgument, "The match threshold of tracks must be greater than 0.");
    auto pairs = pairFrames(truth, prediction);
    if (!pairs)
        return fail(std::move(pairs.error()));
    if (!hasTracks(truth))
        return fail(ErrorCode::InvalidArgument,
                    "The truth has no tracks, so nothing can be said about identities; give its instances tracks.");
    if (!hasTracks(prediction))
        return fail(ErrorCode::InvalidArgument,
                    "The prediction has no tracks; track it first (skein track, or skein predict --tracking).");
    IdentityMetrics metrics;
    metrics.notes = std::move(pairs->notes);
    if (auto done = IdentityEvaluation(truth, prediction, options, metrics).run(*pairs); !done)
        return fail(std::move(done.error()));
    if (metrics.framesWithoutPrediction > 0)
        metrics.notes.push_back(std::to_string(metrics.framesWithoutPrediction) +
                                " frames of the truth have no prediction; their animals count as missed.");
    if (metrics.untrackedPrediction > 0)
        metrics.notes.push_back(std::to_string(metrics.untrackedPrediction) +
                                " predicted instances have no track and are left out of the track scores.");
    if (metrics.untrackedTruth > 0)
        metrics.notes.push_back(std::to_string(metrics.untrackedTruth) +
                                " true instances have no track; they and the " + std::to_string(metrics.ignored) +
                                " predictions that found them are left out of the track scores.");
    if (metrics.stepOverSize > 1)
        metrics.notes.push_back(
            "The animals of the truth move more than their own length from one labelled frame to the next; track "
            "scores of such sparse frames mean little.");
    return metrics;
}

}  // namespace skein::evaluation
