// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "engine/tracking/detail/candidate_motion.h"
#include "engine/tracking/detail/features.h"
#include "engine/tracking/detail/kalman_filter.h"

namespace skein::tracking {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr PointD kMissing{kNaN, kNaN};

bool exists(PointD point) {
    return !std::isnan(point.x) && !std::isnan(point.y);
}

double distance(PointD a, PointD b) {
    const double dx = a.x - b.x;
    const double dy = a.y - b.y;
    return std::sqrt(dx * dx + dy * dy);
}

/// Mean per axis of those that are there; NaN if none is.
PointD meanOf(std::span<const PointD> points) {
    double sumX = 0, sumY = 0, countX = 0, countY = 0;
    for (const PointD& point : points) {
        if (!std::isnan(point.x)) {
            sumX += point.x;
            ++countX;
        }
        if (!std::isnan(point.y)) {
            sumY += point.y;
            ++countY;
        }
    }
    return {countX > 0 ? sumX / countX : kNaN, countY > 0 ? sumY / countY : kNaN};
}

/// One filter per identity, fitted once enough frames in a row were seen. The candidate of an identity is its last
/// pose, shifted by a share of the predicted movement: a pose of independently predicted nodes would be no body any
/// more.
class KalmanMotion final : public CandidateMotion {
public:
    explicit KalmanMotion(const TrackerOptions& options) : m_options(options) {}

    void beginFrame(std::int64_t frameIndex, const Image* /*image*/) override { m_frame = frameIndex; }
    void move(CandidateTable& table) override;
    void endFrame(const CandidateStore& store) override;

private:
    struct Observation {
        std::int64_t frame = 0;
        std::vector<PointD> points;
    };
    struct Filter {
        ConstantVelocityFilter model;
        MotionState state;
        std::int64_t lastCorrected = 0, lastAccepted = 0;
        double usualStep = 0;
    };
    struct Identity {
        std::deque<Observation> history;  // the newest ones only: a fit looks no farther back
        StoredInstance newest;
        std::optional<Filter> filter;
        std::int64_t resetFrame = std::numeric_limits<std::int64_t>::min();
        std::vector<double> feature;  // of the moved candidate
    };

    [[nodiscard]] bool followsNodes() const { return m_options.kalmanFeature == KalmanFeature::Keypoints; }
    [[nodiscard]] PointD centroid(std::span<const PointD> points) const;
    void trackedPoints(std::span<const PointD> points, std::vector<double>& out) const;
    [[nodiscard]] double velocityCap(double usualStep) const {
        return std::max(m_options.kalmanMinVelocityCapPx, m_options.kalmanVelocityCapSteps * usualStep);
    }
    [[nodiscard]] std::vector<const Observation*> recentRun(const Identity& identity) const;
    [[nodiscard]] double usualStep(std::span<const Observation* const> run) const;
    void initialise();
    void fit(Identity& identity);
    void resetStale();
    void correct(Identity& identity);
    bool predictPose(Identity& identity);

    TrackerOptions m_options;
    std::int64_t m_frame = 0;
    int m_framesSeen = 0;
    bool m_initialised = false;
    std::size_t m_nodeCount = 0;       // of the first instance recorded
    std::vector<std::size_t> m_nodes;  // that are followed
    std::map<int, Identity> m_identities;
    CandidateTable m_moved;
    std::vector<PointD> m_pose, m_followed, m_shift;
};

/// A point of those nodes that are followed; missing when fewer than half of them are there, since a mean over a few
/// changing nodes jumps.
PointD KalmanMotion::centroid(std::span<const PointD> points) const {
    std::vector<PointD> followed;
    std::size_t visible = 0;
    for (const std::size_t node : m_nodes) {
        followed.push_back(node < points.size() ? points[node] : kMissing);
        if (exists(followed.back()))
            ++visible;
    }
    return visible == 0 || visible * 2 < followed.size() ? kMissing : meanOf(followed);
}

void KalmanMotion::trackedPoints(std::span<const PointD> points, std::vector<double>& out) const {
    out.clear();
    if (!followsNodes()) {
        const PointD centre = centroid(points);
        out.assign({centre.x, centre.y});
        return;
    }
    for (const std::size_t node : m_nodes) {
        const PointD point = node < points.size() ? points[node] : kMissing;
        out.push_back(point.x);
        out.push_back(point.y);
    }
}

/// The newest observations without a gap, since the last reset; oldest first.
std::vector<const KalmanMotion::Observation*> KalmanMotion::recentRun(const Identity& identity) const {
    std::vector<const Observation*> run;
    for (auto it = identity.history.rbegin(); it != identity.history.rend(); ++it) {
        if (it->frame <= identity.resetFrame || (!run.empty() && run.back()->frame - it->frame != 1))
            break;
        run.push_back(&*it);
    }
    std::reverse(run.begin(), run.end());
    return run;
}

/// Pixels per frame from the first to the last centroid: noise of single frames averages out.
double KalmanMotion::usualStep(std::span<const Observation* const> run) const {
    std::optional<std::pair<std::int64_t, PointD>> first;
    std::optional<std::pair<std::int64_t, PointD>> last;
    for (const Observation* observation : run) {
        const PointD centre = centroid(observation->points);
        if (!exists(centre))
            continue;
        if (!first)
            first = {observation->frame, centre};
        last = {observation->frame, centre};
    }
    if (!first || last->first <= first->first)
        return 0;
    return distance(last->second, first->second) / static_cast<double>(last->first - first->first);
}

void KalmanMotion::fit(Identity& identity) {
    std::vector<const Observation*> run = recentRun(identity);
    if (run.size() < 3)
        return;
    const auto most = static_cast<std::size_t>(m_options.kalmanInitFrameCount);
    if (run.size() > most)
        run.erase(run.begin(), run.end() - static_cast<std::ptrdiff_t>(most));
    const std::size_t coordinates = followsNodes() ? 2 * m_nodes.size() : 2;
    Matrix rows(run.size(), coordinates);
    std::vector<double> row;
    std::size_t usable = 0;
    for (std::size_t t = 0; t < run.size(); ++t) {
        trackedPoints(run[t]->points, row);
        std::copy(row.begin(), row.end(), rows.values().begin() + static_cast<std::ptrdiff_t>(t * coordinates));
        if (std::any_of(row.begin(), row.end(), [](double value) { return !std::isnan(value); }))
            ++usable;
    }
    if (usable < 2)
        return;

    const double step = usualStep(run);
    const double cap = velocityCap(step);
    std::vector<double> start(2 * coordinates, 0.0);  // position and velocity of each coordinate
    std::vector<bool> known(coordinates, false);
    double sum[2] = {0, 0};
    double count[2] = {0, 0};
    for (std::size_t c = 0; c < coordinates; ++c) {
        bool moving = false;
        for (std::size_t t = 0; t < rows.rows() && !(known[c] && moving); ++t) {
            if (std::isnan(rows(t, c)))
                continue;
            if (!known[c]) {
                start[2 * c] = rows(t, c);
                known[c] = true;
            }
            if (t + 1 < rows.rows() && !std::isnan(rows(t + 1, c))) {
                start[2 * c + 1] = std::clamp(rows(t + 1, c) - rows(t, c), -cap, cap);
                moving = true;
            }
        }
        if (known[c]) {
            sum[c % 2] += start[2 * c];
            ++count[c % 2];
        }
    }
    for (std::size_t c = 0; c < coordinates; ++c)
        if (!known[c] && count[c % 2] > 0)
            start[2 * c] = sum[c % 2] / count[c % 2];

    auto model = ConstantVelocityFilter::fit(rows, std::move(start));
    if (!model)
        return;
    MotionState state = model->fitted();
    state.limitVelocity(cap);
    const std::int64_t last = run.back()->frame;
    identity.filter = Filter{*std::move(model), std::move(state), last, last, step};
}

void KalmanMotion::initialise() {
    m_nodes.clear();
    if (m_options.kalmanNodes.empty()) {
        for (std::size_t node = 0; node < m_nodeCount; ++node)
            m_nodes.push_back(node);
    } else {
        for (const int node : m_options.kalmanNodes)
            if (static_cast<std::size_t>(node) < m_nodeCount)
                m_nodes.push_back(static_cast<std::size_t>(node));
    }
    if (!m_nodes.empty())
        for (auto& [id, identity] : m_identities)
            fit(identity);
    m_initialised = true;
}

void KalmanMotion::resetStale() {
    for (auto& [id, identity] : m_identities)
        if (identity.filter && m_frame - identity.filter->lastAccepted > m_options.kalmanResetGap) {
            identity.filter.reset();
            identity.resetFrame = m_frame;
        }
}

void KalmanMotion::correct(Identity& identity) {
    Filter& filter = *identity.filter;
    const double cap = velocityCap(filter.usualStep);
    const double gate = std::max(m_options.kalmanMinGatePx, m_options.kalmanGateSteps * filter.usualStep);
    std::vector<double> observed;
    for (const Observation& observation : identity.history) {
        if (observation.frame <= filter.lastCorrected)
            continue;
        MotionState state = filter.state;
        for (std::int64_t missed = observation.frame - filter.lastCorrected - 1; missed > 0; --missed) {
            filter.model.predict(state);
            state.limitVelocity(cap);
        }
        MotionState predicted = state;
        filter.model.predict(predicted);
        m_followed.clear();
        for (std::size_t p = 0; 4 * p < predicted.mean.size(); ++p)
            m_followed.push_back({predicted.x(p), predicted.y(p)});
        const PointD expected = meanOf(m_followed);
        const PointD centre = centroid(observation.points);
        const bool rejected = exists(expected) && exists(centre) && distance(expected, centre) > gate;
        if (rejected) {
            state = std::move(predicted);
        } else {
            trackedPoints(observation.points, observed);
            filter.model.update(state, observed);
        }
        state.limitVelocity(cap);
        filter.state = std::move(state);
        filter.lastCorrected = observation.frame;
        if (!rejected)
            filter.lastAccepted = observation.frame;
    }
}

/// Fills m_pose with the expected pose of an identity that has a filter.
bool KalmanMotion::predictPose(Identity& identity) {
    if (!identity.filter || identity.history.empty())
        return false;
    const Filter& filter = *identity.filter;
    const double cap = velocityCap(filter.usualStep);
    MotionState state = filter.state;
    for (std::int64_t steps = std::max<std::int64_t>(1, m_frame - filter.lastCorrected); steps > 0; --steps) {
        filter.model.predict(state);
        state.limitVelocity(cap);
    }
    m_pose = identity.history.back().points;
    m_followed.clear();
    for (std::size_t p = 0; 4 * p < state.mean.size(); ++p)
        m_followed.push_back({state.x(p), state.y(p)});
    const PointD expected = meanOf(m_followed);
    const PointD last = centroid(m_pose);
    if (!exists(expected) || !exists(last))
        return true;  // holds the last pose

    const double blend = m_options.kalmanBlend;
    if (!followsNodes()) {
        const PointD shift{blend * (expected.x - last.x), blend * (expected.y - last.y)};
        for (PointD& point : m_pose) {
            point.x += shift.x;
            point.y += shift.y;
        }
        return true;
    }
    m_shift.clear();
    std::vector<bool> followed(m_pose.size(), false);
    for (std::size_t k = 0; k < m_nodes.size() && m_nodes[k] < m_pose.size(); ++k) {
        const PointD old = identity.history.back().points[m_nodes[k]];
        const PointD predicted = m_followed[k];
        const PointD shift{predicted.x - old.x, predicted.y - old.y};
        PointD& point = m_pose[m_nodes[k]];
        point.x = std::isnan(old.x) ? predicted.x : old.x + blend * shift.x;
        point.y = std::isnan(old.y) ? predicted.y : old.y + blend * shift.y;
        m_shift.push_back(shift);
        followed[m_nodes[k]] = true;
    }
    const PointD common = meanOf(m_shift);
    if (exists(common))
        for (std::size_t node = 0; node < m_pose.size(); ++node)
            if (!followed[node]) {
                m_pose[node].x += blend * common.x;
                m_pose[node].y += blend * common.y;
            }
    return true;
}

void KalmanMotion::move(CandidateTable& table) {
    if (!m_initialised) {
        ++m_framesSeen;
        if (m_framesSeen < m_options.kalmanInitFrameCount)
            return;
        initialise();
    }
    resetStale();
    for (auto& [id, identity] : m_identities)
        if (identity.filter)
            correct(identity);
    if (m_nodes.empty())
        return;
    for (const CandidateColumn& column : table.columns) {
        const auto known = m_identities.find(column.trackId);
        if (known != m_identities.end() && !known->second.filter &&
            recentRun(known->second).size() >= static_cast<std::size_t>(m_options.kalmanInitFrameCount))
            fit(known->second);
    }

    m_moved.clear();
    for (const CandidateColumn& column : table.columns) {
        CandidateColumn moved{column.trackId, m_moved.candidates.size(), 0};
        const auto known = m_identities.find(column.trackId);
        if (known != m_identities.end() && predictPose(known->second)) {
            computeFeature(m_options.feature, m_pose, known->second.feature);
            m_moved.candidates.push_back({&known->second.newest, known->second.feature});
        } else {
            for (std::size_t i = column.begin; i < column.end; ++i)
                m_moved.candidates.push_back(table.candidates[i]);
        }
        moved.end = m_moved.candidates.size();
        m_moved.columns.push_back(moved);
    }
    std::swap(table, m_moved);
}

void KalmanMotion::endFrame(const CandidateStore& store) {
    store.list(m_moved, false);
    for (const CandidateColumn& column : m_moved.columns) {
        const StoredInstance* newest = nullptr;
        for (std::size_t i = column.begin; i < column.end; ++i)
            if (newest == nullptr || m_moved.candidates[i].source->frameIndex > newest->frameIndex)
                newest = m_moved.candidates[i].source;
        if (newest == nullptr)
            continue;
        Identity& identity = m_identities[column.trackId];
        if (!identity.history.empty() && identity.history.back().frame >= newest->frameIndex)
            continue;
        if (m_nodeCount == 0)
            m_nodeCount = newest->points.size();
        identity.history.push_back({newest->frameIndex, newest->points});
        if (identity.history.size() > static_cast<std::size_t>(m_options.kalmanInitFrameCount))
            identity.history.pop_front();
        identity.newest = *newest;
    }
    // Identities that the store has forgotten never come back.
    std::erase_if(m_identities, [this](const auto& entry) {
        return entry.first != kUntracked && !entry.second.filter &&
               std::none_of(m_moved.columns.begin(), m_moved.columns.end(),
                            [&entry](const CandidateColumn& column) { return column.trackId == entry.first; });
    });
}

}  // namespace

std::unique_ptr<CandidateMotion> makeKalmanMotion(const TrackerOptions& options) {
    return std::make_unique<KalmanMotion>(options);
}

}  // namespace skein::tracking
