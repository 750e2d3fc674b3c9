// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/tracklet_linker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "engine/base/assignment.h"
#include "engine/tracking/detail/min_cost_flow.h"

namespace skein::tracking {

namespace {

constexpr double kOpenEnd = 6.0;  // of an end or a beginning without a partner
constexpr std::int64_t kStraight = 10;
constexpr std::int64_t kVelocityBelieved = 5;
// With a model of the movement: longest gap that it tells about, instances until a velocity is known, how old that is,
// and degrees of freedom of the likelihood's tails.
constexpr std::int64_t kMotionBelieved = 25;
constexpr std::int64_t kVelocityKnown = 3;
constexpr double kVelocityAge = 2;
constexpr double kMotionTails = 6;
constexpr double kLeastStep = 0.05;  // of a body a step: animals that rest must not shrink the search to nothing
constexpr double kResumed = 2.0;     // the tracker itself took the two for one
constexpr std::int64_t kIndependentSizes = 10;  // a posture lasts: more sizes than this tell no more
// Bounds the search where there are very many fragments; the nearest in time come first.
constexpr std::size_t kMostJoins = 24, kMostLooks = 2000;
// An assignment of more tracklets than this is made greedily.
constexpr std::size_t kLargestGroup = 1500;
// What a known number of animals gains by taking in a tracklet, and each of its instances.
constexpr double kTracklet = 4.0, kInstance = 1.0;

struct Join {
    std::size_t from = 0, to = 0;
    double cost = 0;
};

class Linker {
public:
    Linker(const PlacedVideo& video, const LinkOptions& options) : m_video(video), m_options(options) {}

    LinkOutcome run() {
        m_outcome.tracklets = cutTracklets(m_video, m_options.tracklets);
        m_step = std::isfinite(m_video.stepP95) ? m_video.stepP95 : usualStep(m_video);
        m_step = std::max(std::isfinite(m_step) ? m_step : 0.0, kLeastStep * m_video.bodySize);
        findJoins();
        m_next.assign(list().size(), -1);
        m_taken.assign(list().size(), true);
        if (m_options.animals)
            linkKnownNumber();
        else
            linkOpen();
        nameIdentities();
        return std::move(m_outcome);
    }

private:
    [[nodiscard]] const std::vector<Tracklet>& list() const { return m_outcome.tracklets.list; }

    [[nodiscard]] double radius(std::int64_t gap) const {
        const auto d = static_cast<double>(gap);
        return m_video.bodySize + 3 * m_step * (gap <= kStraight ? d : std::sqrt(static_cast<double>(kStraight) * d));
    }

    /// Whether the tracker took the two for one.
    [[nodiscard]] bool isSelf(const Tracklet& from, const Tracklet& to) const {
        return to.previous >= 0 && &from == &list()[static_cast<std::size_t>(to.previous)];
    }

    /// Infinite where a join is out of the question.
    [[nodiscard]] double joinCost(const Tracklet& from, const Tracklet& to) const {
        const std::int64_t gap = to.firstStep - from.lastStep;
        const double r = radius(gap);
        const double ahead = gap <= kVelocityBelieved ? static_cast<double>(gap) : 0.0;
        const double x = from.lastPlace[0] + from.velocity[0] * ahead - to.firstPlace[0];
        const double y = from.lastPlace[1] + from.velocity[1] * ahead - to.firstPlace[1];
        const double distance = std::hypot(x, y);
        if (!(distance <= r))
            return std::numeric_limits<double>::infinity();
        double z = 0;
        if (from.sizeCount > 0 && to.sizeCount > 0 && m_outcome.tracklets.sizeSpread > 0) {
            const auto weight = [](const Tracklet& t) {
                return 1.0 / static_cast<double>(std::min(t.sizeCount, kIndependentSizes));
            };
            z = std::min(4.0, std::abs(from.sizeMean - to.sizeMean) /
                                  (m_outcome.tracklets.sizeSpread * std::sqrt(weight(from) + weight(to))));
        }
        const double way = m_options.motion && gap <= kMotionBelieved && from.instances >= kVelocityKnown &&
                                   to.instances >= kVelocityKnown
                               ? motionCost(from, to, *m_options.motion)
                               : 4.5 * (distance / r) * (distance / r) + 2 * std::log(r / m_video.bodySize);
        const double cost = way + 0.5 * z * z;
        return isSelf(from, to) && !to.atMeeting ? cost - kResumed : cost;
    }

    /// How odd it would be to go on as `to`: place and velocity behind the gap against those before it.
    [[nodiscard]] double motionCost(const Tracklet& from, const Tracklet& to, const LinkMotion& motion) const {
        const auto d = static_cast<double>(to.firstStep - from.lastStep);
        const double q = motion.acceleration * motion.acceleration;
        const double place = motion.noise * motion.noise;
        // A velocity is that of some steps ago, or of some steps ahead.
        const double velocity = q * kVelocityAge + place / kVelocityAge;
        const double placeVariance = q * d * d * d / 3 + 2 * place + velocity * d * d;
        const double covariance = q * d * d / 2 + velocity * d;
        const double velocityVariance = q * d + 2 * velocity;
        const double determinant = placeVariance * velocityVariance - covariance * covariance;
        double odds = 0;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const double off = to.firstPlace[axis] - from.lastPlace[axis] - from.velocity[axis] * d;
            const double change = to.firstVelocity[axis] - from.velocity[axis];
            odds += (velocityVariance * off * off - 2 * covariance * off * change + placeVariance * change * change) /
                    determinant;
        }
        const double likely = m_video.bodySize * m_step / 9;  // as the plain cost, of the body and of the step
        return (kMotionTails + 4) / 2 * std::log1p(odds / kMotionTails) + std::log(determinant / (likely * likely));
    }

    void findJoins() {
        m_joinsFrom.assign(list().size(), {});
        m_joinsTo.assign(list().size(), {});
        for (std::size_t i = 0; i < list().size(); ++i) {
            const Tracklet& from = list()[i];
            // The list is sorted by first step.
            auto start = std::upper_bound(list().begin(), list().end(), from.lastStep,
                                          [](std::int64_t step, const Tracklet& t) { return step < t.firstStep; });
            for (std::size_t looks = 0;
                 start != list().end() && looks < kMostLooks && m_joinsFrom[i].size() < kMostJoins &&
                 start->firstStep - from.lastStep <= m_options.longestGap;
                 ++start, ++looks) {
                const double cost = joinCost(from, *start);
                if (!(cost < 2 * kOpenEnd))
                    continue;
                const auto to = static_cast<std::size_t>(start - list().begin());
                m_joinsFrom[i].push_back(m_joins.size());
                m_joinsTo[to].push_back(m_joins.size());
                m_joins.push_back({i, to, cost});
            }
        }
    }

    // ---- the number of animals is not known

    void linkOpen() {
        // Tracklets without a possible join in common do not concern each other.
        std::vector<std::size_t> parent(list().size());
        std::iota(parent.begin(), parent.end(), std::size_t{0});
        const auto root = [&parent](std::size_t node) {
            while (parent[node] != node)
                node = parent[node] = parent[parent[node]];
            return node;
        };
        for (const Join& join : m_joins)
            parent[root(join.from)] = root(join.to);
        std::map<std::size_t, std::vector<std::size_t>> groups;
        for (std::size_t j = 0; j < m_joins.size(); ++j)
            groups[root(m_joins[j].from)].push_back(j);
        m_chosen.assign(m_joins.size(), false);
        for (const auto& [name, joins] : groups)
            chooseAmong(joins);

        std::vector<std::optional<std::size_t>> joinTo(list().size()), joinFrom(list().size());
        for (std::size_t j = 0; j < m_joins.size(); ++j)
            if (m_chosen[j]) {
                joinFrom[m_joins[j].from] = j;
                joinTo[m_joins[j].to] = j;
            }
        for (std::size_t j = 0; j < m_joins.size(); ++j) {
            if (!m_chosen[j])
                continue;
            const double margin = marginOf(m_joins[j], joinFrom, joinTo);
            // A track that was cut must go on as someone; the cheapest way is no bolder than any other.
            const Tracklet& from = list()[m_joins[j].from];
            const Tracklet& to = list()[m_joins[j].to];
            const bool mustGoOn =
                isSelf(from, to) || (to.atMeeting && to.firstStep - from.lastStep <= m_options.tracklets.longestPause);
            if (mustGoOn || margin >= m_options.safeMargin)
                accept(m_joins[j], margin);
        }
        std::vector<bool> hasPrevious(list().size(), false);
        for (const int next : m_next)
            if (next >= 0)
                hasPrevious[static_cast<std::size_t>(next)] = true;
        for (std::size_t to = 0; to < list().size(); ++to) {
            const int previous = list()[to].previous;
            if (previous >= 0 && !hasPrevious[to] && m_next[static_cast<std::size_t>(previous)] < 0)
                m_next[static_cast<std::size_t>(previous)] = static_cast<int>(to);  // as the tracker had it
        }
    }

    void chooseAmong(const std::vector<std::size_t>& joins) {
        std::map<std::size_t, std::size_t> rows, columns;
        for (const std::size_t j : joins) {
            rows.try_emplace(m_joins[j].from, rows.size());
            columns.try_emplace(m_joins[j].to, columns.size());
        }
        if (rows.size() > kLargestGroup || columns.size() > kLargestGroup) {
            chooseGreedily(joins);
            return;
        }
        // What a join saves against two open ends; not to join saves nothing.
        std::vector<double> cost(rows.size() * columns.size(), 0.0);
        std::vector<std::size_t> joinAt(cost.size(), m_joins.size());
        for (const std::size_t j : joins) {
            const std::size_t cell = rows[m_joins[j].from] * columns.size() + columns[m_joins[j].to];
            cost[cell] = m_joins[j].cost - 2 * kOpenEnd;
            joinAt[cell] = j;
        }
        for (const AssignedPair& pair : m_assigner.minimise(cost, rows.size(), columns.size())) {
            const std::size_t cell =
                static_cast<std::size_t>(pair.row) * columns.size() + static_cast<std::size_t>(pair.column);
            if (joinAt[cell] < m_joins.size())
                m_chosen[joinAt[cell]] = true;
        }
    }

    void chooseGreedily(std::vector<std::size_t> joins) {
        std::sort(joins.begin(), joins.end(),
                  [this](std::size_t a, std::size_t b) { return m_joins[a].cost < m_joins[b].cost; });
        std::set<std::size_t> from, to;
        for (const std::size_t j : joins)
            if (from.count(m_joins[j].from) == 0 && to.count(m_joins[j].to) == 0) {
                from.insert(m_joins[j].from);
                to.insert(m_joins[j].to);
                m_chosen[j] = true;
            }
    }

    /// How much the total grows when `join` is forbidden and its two sides look elsewhere: stay open, take an open
    /// partner, or change partners with another join.
    [[nodiscard]] double marginOf(const Join& join, const std::vector<std::optional<std::size_t>>& joinFrom,
                                  const std::vector<std::optional<std::size_t>>& joinTo) const {
        double end = kOpenEnd;
        double beginning = kOpenEnd;
        double change = std::numeric_limits<double>::infinity();
        for (const std::size_t j : m_joinsFrom[join.from]) {
            const Join& other = m_joins[j];
            if (other.to == join.to)
                continue;
            if (!joinTo[other.to]) {
                end = std::min(end, other.cost - kOpenEnd);
                continue;
            }
            const Join& broken = m_joins[*joinTo[other.to]];
            for (const std::size_t k : m_joinsTo[join.to])
                if (m_joins[k].from == broken.from)
                    change = std::min(change, other.cost + m_joins[k].cost - broken.cost);
        }
        for (const std::size_t j : m_joinsTo[join.to])
            if (m_joins[j].from != join.from && !joinFrom[m_joins[j].from])
                beginning = std::min(beginning, m_joins[j].cost - kOpenEnd);
        return std::min(end + beginning, change) - join.cost;
    }

    // ---- the number of animals is known

    void linkKnownNumber() {
        // An animal that is not seen waits in a pool, which has a node for each step at which a tracklet begins.
        std::map<std::int64_t, std::size_t> pool;
        for (const Tracklet& tracklet : list())
            pool.try_emplace(tracklet.firstStep, 0);
        struct Event {
            std::int64_t step = 0;
            int phase = 0;  // pool, beginning, end
            std::size_t which = 0;
        };
        std::vector<Event> events;
        for (const auto& [step, node] : pool)
            events.push_back({step, 0, 0});
        for (std::size_t i = 0; i < list().size(); ++i) {
            events.push_back({list()[i].firstStep, 1, i});
            events.push_back({list()[i].lastStep, 2, i});
        }
        std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
            return a.step != b.step ? a.step < b.step : a.phase < b.phase;
        });
        std::vector<std::size_t> beginning(list().size()), end(list().size());
        for (std::size_t e = 0; e < events.size(); ++e)
            (events[e].phase == 0 ? pool[events[e].step] : (events[e].phase == 1 ? beginning : end)[events[e].which]) =
                e;
        const std::size_t last = events.size();
        if (list().empty())
            return;

        MinCostFlow flow(last + 1);
        const auto animals = static_cast<std::int64_t>(*m_options.animals);
        for (auto node = pool.begin(); node != pool.end(); ++node)
            flow.addEdge(node->second, std::next(node) == pool.end() ? last : std::next(node)->second, animals, 0);
        std::vector<std::size_t> through(list().size()), joined(m_joins.size());
        for (std::size_t i = 0; i < list().size(); ++i) {
            const Tracklet& tracklet = list()[i];
            flow.addEdge(pool[tracklet.firstStep], beginning[i], 1, kOpenEnd);
            through[i] =
                flow.addEdge(beginning[i], end[i], 1, -kTracklet - kInstance * static_cast<double>(tracklet.instances));
            const auto after = pool.upper_bound(tracklet.lastStep);
            flow.addEdge(end[i], after == pool.end() ? last : after->second, 1, kOpenEnd);
        }
        for (std::size_t j = 0; j < m_joins.size(); ++j)
            joined[j] = flow.addEdge(end[m_joins[j].from], beginning[m_joins[j].to], 1, m_joins[j].cost);
        flow.send(animals);

        for (std::size_t i = 0; i < list().size(); ++i)
            m_taken[i] = flow.carries(through[i]);
        for (std::size_t j = 0; j < m_joins.size(); ++j)
            if (flow.carries(joined[j]))
                accept(m_joins[j], 0);
        fetchFromPool(animals);
    }

    /// Who comes out of the pool: an animal that was not there yet while there are such, then the nearest that waits.
    void fetchFromPool(std::int64_t animals) {
        std::vector<bool> hasPrevious(list().size(), false);
        for (const int next : m_next)
            if (next >= 0)
                hasPrevious[static_cast<std::size_t>(next)] = true;
        std::vector<std::size_t> ends;
        for (std::size_t i = 0; i < list().size(); ++i)
            if (m_taken[i] && m_next[i] < 0)
                ends.push_back(i);
        std::int64_t unseen = animals;
        std::vector<std::size_t> waiting;
        std::sort(ends.begin(), ends.end(),
                  [this](std::size_t a, std::size_t b) { return list()[a].lastStep < list()[b].lastStep; });
        std::size_t ended = 0;
        for (std::size_t begin = 0; begin < list().size();) {
            std::vector<std::size_t> arriving;
            std::size_t stop = begin;
            for (; stop < list().size() && list()[stop].firstStep == list()[begin].firstStep; ++stop)
                if (m_taken[stop] && !hasPrevious[stop])
                    arriving.push_back(stop);
            for (; ended < ends.size() && list()[ends[ended]].lastStep < list()[begin].firstStep; ++ended)
                waiting.push_back(ends[ended]);
            std::vector<double> cost;
            for (const std::size_t to : arriving)
                for (const std::size_t from : waiting)
                    cost.push_back(std::hypot(list()[from].lastPlace[0] - list()[to].firstPlace[0],
                                              list()[from].lastPlace[1] - list()[to].firstPlace[1]) /
                                   radius(list()[to].firstStep - list()[from].lastStep));
            std::vector<std::size_t> left = waiting;
            const auto newcomers = static_cast<std::int64_t>(arriving.size());
            // As many as can are new; the rest, those nearest to one that waits, come back.
            std::int64_t returning = std::max<std::int64_t>(0, newcomers - unseen);
            unseen -= newcomers - returning;
            std::vector<AssignedPair> pairs;
            for (const AssignedPair& pair : m_assigner.minimise(cost, arriving.size(), waiting.size()))
                pairs.push_back(pair);
            const auto costOf = [&](const AssignedPair& p) {
                return cost[static_cast<std::size_t>(p.row) * waiting.size() + static_cast<std::size_t>(p.column)];
            };
            std::sort(pairs.begin(), pairs.end(),
                      [&](const AssignedPair& a, const AssignedPair& b) { return costOf(a) < costOf(b); });
            for (const AssignedPair& pair : pairs) {
                if (returning-- <= 0)
                    break;
                const std::size_t from = waiting[static_cast<std::size_t>(pair.column)];
                const std::size_t to = arriving[static_cast<std::size_t>(pair.row)];
                m_next[from] = static_cast<int>(to);
                left.erase(std::remove(left.begin(), left.end(), from), left.end());
            }
            waiting = std::move(left);
            begin = stop;
        }
    }

    void accept(const Join& join, double margin) {
        m_next[join.from] = static_cast<int>(join.to);
        m_outcome.joins.push_back({static_cast<int>(join.from), static_cast<int>(join.to), join.cost, margin});
    }

    /// Each chain of tracklets becomes one identity: the track that its first tracklet had, or a new number where
    /// another chain has that already.
    void nameIdentities() {
        int next = 0;
        for (const Tracklet& tracklet : list())
            next = std::max(next, tracklet.track + 1);
        std::vector<int> identity(list().size(), -1);
        std::set<int> used;
        for (std::size_t i = 0; i < list().size(); ++i) {
            if (!m_taken[i])
                continue;
            if (identity[i] < 0)
                identity[i] = used.insert(list()[i].track).second ? list()[i].track : next++;
            if (m_next[i] >= 0)
                identity[static_cast<std::size_t>(m_next[i])] = identity[i];
        }
        m_outcome.identity.assign(m_video.instances.size(), -1);
        for (std::size_t i = 0; i < m_video.instances.size(); ++i) {
            const int tracklet = m_outcome.tracklets.ofInstance[i];
            if (tracklet < 0)
                continue;
            m_outcome.identity[i] = identity[static_cast<std::size_t>(tracklet)];
            m_outcome.untracked += m_outcome.identity[i] < 0 ? 1 : 0;
        }
    }

    const PlacedVideo& m_video;
    const LinkOptions& m_options;
    LinkOutcome m_outcome;
    double m_step = 0;
    std::vector<Join> m_joins;
    std::vector<std::vector<std::size_t>> m_joinsFrom, m_joinsTo;
    std::vector<bool> m_chosen;
    std::vector<int> m_next;    // tracklet that continues each; -1 none
    std::vector<bool> m_taken;  // belongs to an animal
    Assigner m_assigner;
};

}  // namespace

LinkOutcome linkTracklets(const PlacedVideo& video, const LinkOptions& options) {
    return Linker(video, options).run();
}

}  // namespace skein::tracking
