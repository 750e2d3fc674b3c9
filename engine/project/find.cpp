// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/find.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <utility>

namespace skein::project {

namespace {

constexpr std::size_t kRowsPerTask = 2048;
constexpr unsigned kMostThreads = 8;

/// A condition with its names looked up.
struct Test {
    FindCondition is;
    std::int32_t track = -1, otherTrack = -1;  ///< -1: unknown
    std::vector<int> node;                     ///< place of the node in each skeleton; -1: it has none
};

/// Points cost far more than headers: what needs none comes first.
int costOf(FindBy by) {
    switch (by) {
        case FindBy::SpeedAbove:
            return 3;
        case FindBy::Inside:
        case FindBy::TracksClose:
        case FindBy::NodeInvisible:
            return 2;
        default:
            return 1;
    }
}

struct Centre {
    std::int32_t track;
    double x, y;
};

/// False: no point is visible.
bool centreOf(const InstanceView& instance, Centre& centre) {
    double x = 0, y = 0;
    int count = 0;
    for (const Point& p : instance.points)
        if (p.exists()) {
            x += p.x;
            y += p.y;
            ++count;
        }
    if (count == 0)
        return false;
    centre = {instance.header->track, x / count, y / count};
    return true;
}

/// What lies on a frame, gathered at most once whatever the number of conditions. One for each thread.
class Look {
public:
    void at(const Labels& labels, std::size_t row) {
        if (std::exchange(m_row, row) == row)
            return;  // the frame before is mostly the one that was looked at last
        const FrameView frame = labels.frame(row);
        m_shown.clear();
        m_centresKnown = false;
        m_replaced.clear();
        m_users = 0;
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const InstanceHeader& header = *frame.instance(i).header;
            if (header.kind == InstanceKind::User) {
                ++m_users;
                if (header.fromPredicted != 0)
                    m_replaced.push_back(header.fromPredicted);
            }
        }
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const InstanceView instance = frame.instance(i);
            if (m_replaced.empty() || instance.header->kind == InstanceKind::User ||
                std::find(m_replaced.begin(), m_replaced.end(), instance.header->id) == m_replaced.end())
                m_shown.push_back(instance);
        }
    }
    [[nodiscard]] const std::vector<InstanceView>& shown() const { return m_shown; }
    [[nodiscard]] std::size_t users() const { return m_users; }
    [[nodiscard]] const std::vector<Centre>& centres() {
        if (!std::exchange(m_centresKnown, true)) {
            m_centres.clear();
            for (const InstanceView& instance : m_shown) {
                Centre centre{};
                if (centreOf(instance, centre))
                    m_centres.push_back(centre);
            }
        }
        return m_centres;
    }

private:
    std::vector<InstanceView> m_shown;
    std::vector<InstanceId> m_replaced;
    std::vector<Centre> m_centres;
    std::size_t m_users = 0;
    std::size_t m_row = static_cast<std::size_t>(-1);
    bool m_centresKnown = false;
};

/// One recorded frame and the one recorded before it in the same video, by row.
struct Place {
    std::size_t row, before;
    bool hasBefore;
};

class Finder {
public:
    Finder(const Labels& labels, const std::vector<FindCondition>& conditions) : m_labels(labels) {
        for (const FindCondition& condition : conditions) {
            Test test{condition, trackOf(condition.track), trackOf(condition.otherTrack), {}};
            for (const Skeleton& skeleton : labels.skeletons())
                test.node.push_back(skeleton.nodeIndex(condition.node).value_or(-1));
            m_tests.push_back(std::move(test));
        }
        std::stable_sort(m_tests.begin(), m_tests.end(),
                         [](const Test& a, const Test& b) { return costOf(a.is.by) < costOf(b.is.by); });
        m_negatives = labels.negativeFrames();
        std::sort(m_negatives.begin(), m_negatives.end());
    }

    /// `now` and `before` are work space.
    [[nodiscard]] bool holds(const Place& place, Look& now, Look& before) const {
        const FrameView frame = m_labels.frame(place.row);
        now.at(m_labels, place.row);
        return std::all_of(m_tests.begin(), m_tests.end(),
                           [&](const Test& test) { return isSo(test, frame, place, now, before) != test.is.negated; });
    }
    /// For a frame that nothing is recorded of.
    [[nodiscard]] bool holdsWithoutRecord() const {
        return std::all_of(m_tests.begin(), m_tests.end(), [](const Test& test) {
            const bool so =
                test.is.by == FindBy::Negative || (test.is.by == FindBy::InstanceCount && compares(test.is, 0));
            return so != test.is.negated;
        });
    }
    [[nodiscard]] const std::vector<std::pair<std::uint32_t, std::int64_t>>& negatives() const { return m_negatives; }

private:
    [[nodiscard]] std::int32_t trackOf(const std::string& name) const {
        const auto& tracks = m_labels.tracks();
        for (std::size_t t = 0; !name.empty() && t < tracks.size(); ++t)
            if (tracks[t].name == name)
                return static_cast<std::int32_t>(t);
        return -1;
    }
    static bool compares(const FindCondition& condition, std::int64_t count) {
        switch (condition.compare) {
            case Compare::Less:
                return count < condition.number;
            case Compare::Greater:
                return count > condition.number;
            case Compare::Equal:
                break;
        }
        return count == condition.number;
    }

    [[nodiscard]] bool isSo(const Test& test, const FrameView& frame, const Place& place, Look& now,
                            Look& before) const {
        const std::vector<InstanceView>& shown = now.shown();
        switch (test.is.by) {
            case FindBy::InstanceCount:
                return compares(test.is, static_cast<std::int64_t>(shown.size()));
            case FindBy::ScoreBelow:
                return std::any_of(shown.begin(), shown.end(), [&](const InstanceView& i) {
                    return i.header->kind == InstanceKind::Predicted && double(i.header->score) < test.is.limit;
                });
            case FindBy::NodeInvisible:
                return std::any_of(shown.begin(), shown.end(), [&](const InstanceView& i) {
                    const int node = i.header->skeleton < test.node.size() ? test.node[i.header->skeleton] : -1;
                    return node >= 0 && (static_cast<std::size_t>(node) >= i.points.size() ||
                                         !i.points[static_cast<std::size_t>(node)].exists());
                });
            case FindBy::Track:
                return test.track >= 0 && std::any_of(shown.begin(), shown.end(), [&](const InstanceView& i) {
                           return i.header->track == test.track;
                       });
            case FindBy::SpeedAbove:
                return isFast(test, frame, place, now, before);
            case FindBy::TracksClose:
                return areClose(test, shown);
            case FindBy::Inside:
                return std::any_of(now.centres().begin(), now.centres().end(),
                                   [&](const Centre& c) { return test.is.region.contains(c.x, c.y); });
            case FindBy::User:
                return now.users() > 0;
            case FindBy::Predicted:
                return shown.size() > now.users();
            case FindBy::Empty:
                return frame.instanceCount() == 0;
            case FindBy::Negative:
                return std::binary_search(m_negatives.begin(), m_negatives.end(),
                                          std::pair(frame.video(), frame.frameIndex()));
        }
        return false;
    }

    [[nodiscard]] bool isFast(const Test& test, const FrameView& frame, const Place& place, Look& now,
                              Look& before) const {
        if (!place.hasBefore)
            return false;
        const FrameView earlier = m_labels.frame(place.before);
        const auto gap = static_cast<double>(frame.frameIndex() - earlier.frameIndex());
        if (gap <= 0)
            return false;
        before.at(m_labels, place.before);
        const std::vector<Centre>& old = before.centres();
        return std::any_of(now.centres().begin(), now.centres().end(), [&](const Centre& c) {
            if (c.track < 0)
                return false;
            const auto was = std::find_if(old.begin(), old.end(), [&](const Centre& o) { return o.track == c.track; });
            return was != old.end() && std::hypot(c.x - was->x, c.y - was->y) > test.is.limit * gap;
        });
    }

    /// Of the two tracks alone: most instances need not be looked into.
    static bool areClose(const Test& test, const std::vector<InstanceView>& shown) {
        Centre a{}, b{};
        for (const InstanceView& one : shown)
            if (test.track >= 0 && one.header->track == test.track && centreOf(one, a))
                for (const InstanceView& other : shown)
                    if (test.otherTrack >= 0 && other.header->track == test.otherTrack && &one != &other &&
                        centreOf(other, b) && std::hypot(a.x - b.x, a.y - b.y) < test.is.limit)
                        return true;
        return false;
    }

    const Labels& m_labels;
    std::vector<Test> m_tests;
    std::vector<std::pair<std::uint32_t, std::int64_t>> m_negatives;
};

std::vector<Place> placesOf(const Labels& labels, std::optional<std::uint32_t> only) {
    std::vector<Place> places;
    places.reserve(labels.frameCount());
    for (std::uint32_t video = only.value_or(0); video < (only ? *only + 1 : labels.videos().size()); ++video) {
        bool first = true;
        std::size_t before = 0;
        for (const std::size_t row : labels.rowsOf(video)) {
            places.push_back({row, before, !first});
            before = row;
            first = false;
        }
    }
    return places;
}

}  // namespace

Result<std::vector<FoundFrame>> findFrames(const Labels& labels, const std::vector<FindCondition>& conditions,
                                           std::optional<std::uint32_t> video, std::stop_token stop) {
    std::vector<FoundFrame> found;
    if (conditions.empty())
        return found;
    const Finder finder(labels, conditions);
    const std::vector<Place> places = placesOf(labels, video);
    const std::size_t tasks = (places.size() + kRowsPerTask - 1) / kRowsPerTask;
    std::vector<std::vector<FoundFrame>> parts(tasks);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        Look now, before;
        for (std::size_t task = next++; task < tasks && !stop.stop_requested(); task = next++)
            for (std::size_t p = task * kRowsPerTask; p < std::min(places.size(), (task + 1) * kRowsPerTask); ++p) {
                if (finder.holds(places[p], now, before)) {
                    const FrameView frame = labels.frame(places[p].row);
                    parts[task].push_back(
                        {frame.video(), frame.frameIndex(), static_cast<std::uint32_t>(now.shown().size())});
                }
                std::swap(now, before);
            }
    };
    {
        const std::size_t threads =
            std::min<std::size_t>(std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads), tasks);
        std::vector<std::jthread> helpers;
        for (std::size_t t = 1; t < threads; ++t)
            helpers.emplace_back(work);
        work();
    }
    if (stop.stop_requested())
        return fail(ErrorCode::Cancelled, "The search was stopped.");
    for (const std::vector<FoundFrame>& part : parts)
        found.insert(found.end(), part.begin(), part.end());
    if (finder.holdsWithoutRecord())
        for (const auto& [v, frame] : finder.negatives())
            if ((!video || *video == v) && !labels.findFrame(v, frame))
                found.push_back({v, frame, 0});
    const auto key = [](const FoundFrame& f) { return std::pair(f.video, f.frame); };
    std::stable_sort(found.begin(), found.end(),
                     [&](const FoundFrame& a, const FoundFrame& b) { return key(a) < key(b); });
    found.erase(std::unique(found.begin(), found.end(),
                            [&](const FoundFrame& a, const FoundFrame& b) { return key(a) == key(b); }),
                found.end());
    return found;
}

}  // namespace skein::project
