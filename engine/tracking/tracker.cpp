// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/tracker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "engine/base/assignment.h"
#include "engine/profile/profiler.h"
#include "engine/tracking/culling.h"
#include "engine/tracking/detail/candidate_motion.h"
#include "engine/tracking/detail/candidates.h"
#include "engine/tracking/detail/features.h"
#include "engine/tracking/detail/mot/mot_tracker.h"
#include "engine/tracking/detail/scores.h"
#include "engine/tracking/detail/skein/skein_tracker.h"

namespace skein::tracking {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The tracker of sleap-nn's `tracking/tracker.py`: each detection is scored against the candidates of each identity
/// and the scores are matched. The order of every addition and of every search follows it, since exact ties are common
/// (far pairs score exactly 0) and decide which lost identity a newcomer takes over.
class ClassicTracker final : public Tracker {
public:
    explicit ClassicTracker(const TrackerOptions& options)
        : m_options(options),
          m_store(options.candidates == CandidateMethod::FixedWindow ? makeFixedWindow(options)
                                                                     : makeLocalQueues(options)),
          m_scorer(options.scoring, options.oksStddev.value_or(0.025)) {
        if (options.useKalman)
            m_motion = makeKalmanMotion(options);
        else if (options.useFlow)
            m_motion = makeFlowMotion(options);
    }

    std::vector<Assignment> update(std::int64_t frameIndex, std::span<const Detection> detections,
                                   const Image* image) override;

private:
    void take(std::int64_t frameIndex, std::span<const Detection> detections);
    void score();
    [[nodiscard]] double withAppearance(double geometry, const StoredInstance& instance, const CandidateColumn& column);
    void match();
    void dropInfeasible(std::span<const AssignedPair> pairs);

    TrackerOptions m_options;
    std::unique_ptr<CandidateStore> m_store;
    std::unique_ptr<CandidateMotion> m_motion;
    Scorer m_scorer;
    Scorer m_appearance{ScoringMethod::CosineSimilarity, 0};
    Assigner m_assigner;
    std::optional<std::int64_t> m_lastFrame;

    std::vector<StoredInstance> m_instances;  // the first m_count are this frame's, the others spare storage
    std::size_t m_count = 0;
    CandidateTable m_table;
    std::vector<double> m_cost;    // [rows, columns]; +infinity: no common ground
    std::vector<double> m_filled;  // m_cost without infinities
    std::vector<double> m_scores;
    std::vector<Extent> m_extents;  // of the table's candidates
    std::vector<Match> m_matches;
    std::vector<bool> m_paired;
};

/// Copies the detections that take part into m_instances.
void ClassicTracker::take(std::int64_t frameIndex, std::span<const Detection> detections) {
    std::vector<std::size_t> culled;
    if (m_options.preCullToTarget)
        culled = beyondCount(detections, static_cast<std::size_t>(m_options.targetInstanceCount.value_or(0)),
                             m_options.preCullIou);
    if (m_instances.size() < detections.size())
        m_instances.resize(detections.size());
    m_count = 0;
    auto nextCulled = culled.begin();
    for (std::size_t i = 0; i < detections.size(); ++i) {
        if (nextCulled != culled.end() && *nextCulled == i) {
            ++nextCulled;
            continue;
        }
        StoredInstance& instance = m_instances[m_count++];
        instance.detection = i;
        instance.points.assign(detections[i].points.begin(), detections[i].points.end());
        if (m_options.appearanceOnly)
            instance.feature.assign(detections[i].embedding.begin(), detections[i].embedding.end());
        else
            computeFeature(m_options.feature, instance.points, instance.feature);
        if (m_options.appearanceWeight > 0)
            instance.embedding.assign(detections[i].embedding.begin(), detections[i].embedding.end());
        instance.visible = visibleNodes(instance.points);
        instance.extent = m_scorer.usesExtents() ? extentOf(instance.feature) : Extent();
        instance.trackId = kUntracked;
        instance.score = 0;
        instance.frameIndex = frameIndex;
        instance.image = m_motion ? m_motion->currentImage() : nullptr;
    }
}

void ClassicTracker::score() {
    const std::size_t columns = m_table.columns.size();
    m_extents.clear();
    if (m_scorer.usesExtents())
        for (const Candidate& candidate : m_table.candidates)
            m_extents.push_back(candidate.feature.data() == candidate.source->feature.data()
                                    ? candidate.source->extent
                                    : extentOf(candidate.feature));
    else
        m_extents.resize(m_table.candidates.size());
    m_cost.resize(m_count * columns);
    for (std::size_t row = 0; row < m_count; ++row) {
        m_scorer.setDetection(m_instances[row].feature);
        for (std::size_t column = 0; column < columns; ++column) {
            m_scores.clear();
            for (std::size_t i = m_table.columns[column].begin; i < m_table.columns[column].end; ++i)
                if (m_table.candidates[i].source->visible > m_options.minMatchPoints)
                    m_scores.push_back(m_scorer.score(m_table.candidates[i].feature, m_extents[i]));
            double reduced = reduceScores(m_options.reduction, m_options.robustQuantile, m_scores);
            if (m_options.appearanceWeight > 0)
                reduced = withAppearance(reduced, m_instances[row], m_table.columns[column]);
            m_cost[row * columns + column] = std::isnan(reduced) ? kInfinity : -reduced;
        }
    }
}

/// Blends the likeness of appearance in where both sides have a vector.
double ClassicTracker::withAppearance(double geometry, const StoredInstance& instance, const CandidateColumn& column) {
    if (m_options.scoring == ScoringMethod::EuclideanDistance)
        geometry = std::exp(geometry / m_options.euclideanScale.value_or(1.0));
    m_appearance.setDetection(instance.embedding);
    m_scores.clear();
    for (std::size_t i = column.begin; i < column.end; ++i)
        if (m_table.candidates[i].source->visible > m_options.minMatchPoints)
            m_scores.push_back(m_appearance.score(m_table.candidates[i].source->embedding, {}));
    const double likeness = reduceScores(m_options.reduction, m_options.robustQuantile, m_scores);
    if (!std::isfinite(geometry) || !std::isfinite(likeness))
        return geometry;
    return (1.0 - m_options.appearanceWeight) * geometry + m_options.appearanceWeight * likeness;
}

void ClassicTracker::match() {
    const profile::PartSpan part(profile::Part::Assignment);
    const std::size_t columns = m_table.columns.size();
    if (m_options.matching == MatchingMethod::Greedy) {
        dropInfeasible(m_assigner.greedy(m_cost, m_count, columns));
        return;
    }
    // Pairs without common ground take part at a price above all others, so that every row gets a partner if it can.
    double largest = 0;
    bool anyFinite = false;
    bool anyInfinite = false;
    for (const double cost : m_cost) {
        if (std::isfinite(cost)) {
            largest = std::max(largest, std::abs(cost));
            anyFinite = true;
        } else {
            anyInfinite = true;
        }
    }
    if (!anyInfinite) {
        dropInfeasible(m_assigner.minimise(m_cost, m_count, columns));
        return;
    }
    const double price = anyFinite ? largest * 10 + 1 : 1e6;
    m_filled = m_cost;
    std::replace_if(
        m_filled.begin(), m_filled.end(), [](double cost) { return !std::isfinite(cost); }, price);
    dropInfeasible(m_assigner.minimise(m_filled, m_count, columns));
}

/// A pair without common ground is given up if the detection can have a new identity instead; otherwise it stays, with
/// a score of -infinity, since the detection would vanish from the frame.
void ClassicTracker::dropInfeasible(std::span<const AssignedPair> pairs) {
    const std::size_t columns = m_table.columns.size();
    const auto supported = [this](std::size_t row) { return m_instances[row].visible > m_options.minNewTrackPoints; };
    std::optional<int> slots = m_store->freeIdentities();
    if (slots) {
        // Rows without a partner get theirs first.
        m_paired.assign(m_count, false);
        for (const AssignedPair& pair : pairs)
            m_paired[static_cast<std::size_t>(pair.row)] = true;
        for (std::size_t row = 0; row < m_count; ++row)
            if (!m_paired[row] && supported(row))
                slots = std::max(0, *slots - 1);
    }
    m_matches.clear();
    int used = 0;
    for (const AssignedPair& pair : pairs) {
        const auto row = static_cast<std::size_t>(pair.row);
        const auto column = static_cast<std::size_t>(pair.column);
        const double cost = m_cost[row * columns + column];
        if (!std::isfinite(cost) && supported(row) && (!slots || used < *slots)) {
            ++used;
            continue;
        }
        m_matches.push_back({row, column, -cost});
    }
}

std::vector<Assignment> ClassicTracker::update(std::int64_t frameIndex, std::span<const Detection> detections,
                                               const Image* image) {
    SKEIN_EXPECTS(!m_lastFrame || frameIndex >= *m_lastFrame, "frames must be tracked in ascending order");
    m_lastFrame = frameIndex;
    if (m_motion)
        m_motion->beginFrame(frameIndex, image);
    take(frameIndex, detections);
    const std::span<StoredInstance> instances(m_instances.data(), m_count);

    std::vector<Assignment> out;
    out.reserve(m_count);
    if (m_store->empty()) {
        m_store->start(instances, out);
    } else {
        m_store->list(m_table, m_motion && m_motion->wantsAllUntracked());
        if (m_motion)
            m_motion->move(m_table);
        score();
        match();
        m_store->update(instances, m_matches, m_table, out);
    }
    if (m_motion)
        m_motion->endFrame(*m_store);
    return out;
}

}  // namespace

std::unique_ptr<Tracker> makeTracker(const TrackerOptions& options) {
    if (options.tracker == TrackerKind::Skein)
        return std::make_unique<SkeinTracker>(options);
    if (options.tracker != TrackerKind::Classic)
        return std::make_unique<MotTracker>(options);
    SKEIN_EXPECTS(options.oksStddev.has_value() && options.windowSize >= 1,
                  "tracker options must come from resolveOptions()");
    SKEIN_EXPECTS(!options.maxTracks || options.candidates == CandidateMethod::LocalQueues,
                  "tracker options must come from resolveOptions()");
    return std::make_unique<ClassicTracker>(options);
}

}  // namespace skein::tracking
