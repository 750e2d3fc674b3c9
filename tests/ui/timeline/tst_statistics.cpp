// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "engine/project/edit/tracks.h"
#include "ui/document.h"
#include "ui/timeline/statistic.h"
#include "ui/timeline/statistic_series.h"
#include "ui/view_state.h"

using namespace skein;
using namespace skein::ui;
using project::InstanceKind;
using project::kNaN;

namespace {

constexpr std::int64_t kFrames = 120;
constexpr int kTracks = 5, kNodes = 4;

/// Instances with holes of every sort: frames without a record, tracks that pause, nodes that are missing, instances
/// without a track, user instances beside the prediction they came from.
project::Labels randomLabels(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    project::Labels labels;
    labels.editVideos().resize(2);
    labels.editVideos()[0].frameCount = kFrames;
    project::Skeleton skeleton;
    for (int n = 0; n < kNodes; ++n)
        skeleton.nodes.push_back(std::to_string(n));
    labels.editSkeletons().push_back(skeleton);
    for (int t = 0; t < kTracks; ++t)
        labels.editTracks().push_back({"t" + std::to_string(t), 0, -1});
    for (std::int64_t f = 0; f < kFrames; ++f) {
        if (unit(random) < 0.15)
            continue;
        project::FrameData frame;
        frame.frameIndex = f;
        for (int t = -1; t < kTracks; ++t) {
            if (unit(random) < 0.3)
                continue;
            project::InstanceData instance;
            instance.header.id = labels.newInstanceId();
            instance.header.track = t;
            instance.header.score = static_cast<float>(unit(random));
            if (unit(random) < 0.7)
                instance.header.trackingScore = static_cast<float>(unit(random));
            for (int n = 0; n < kNodes; ++n) {
                project::Point p;
                if (unit(random) > 0.15)
                    p = {100.0 * t + 30 * unit(random), 50 * unit(random), unit(random), true, false};
                instance.points.push_back(p);
            }
            frame.instances.push_back(instance);
            if (unit(random) < 0.2) {  // a person corrected it
                project::InstanceData user = instance;
                user.header.id = labels.newInstanceId();
                user.header.kind = InstanceKind::User;
                user.header.fromPredicted = unit(random) < 0.7 ? instance.header.id : 0;
                user.header.score = 0;
                user.header.trackingScore = std::numeric_limits<float>::quiet_NaN();
                for (project::Point& p : user.points)
                    p.x += 5 * unit(random);
                frame.instances.push_back(user);
            }
        }
        labels.appendFrame(frame);
    }
    project::FrameData elsewhere;
    elsewhere.video = 1;
    elsewhere.frameIndex = 3;
    labels.appendFrame(elsewhere);
    return labels;
}

// The statistics said again as plainly as can be: whole lists of frames, loops over everything, nothing kept.
struct Plain {
    std::map<std::int64_t, std::vector<project::InstanceData>> frames;

    explicit Plain(const project::Labels& labels) {
        for (std::size_t row = 0; row < labels.frameCount(); ++row)
            if (labels.frame(row).video() == 0) {
                const project::FrameData data = labels.frame(row).toData();
                auto& list = frames[data.frameIndex];
                list.insert(list.end(), data.instances.begin(), data.instances.end());
            }
    }
    static double nodeDistance(const project::Point& a, const project::Point& b) {
        return a.exists() && b.exists() ? std::hypot(a.x - b.x, a.y - b.y) : kNaN;
    }
    static std::pair<double, double> mean(const project::InstanceData& i) {
        double x = 0, y = 0, n = 0;
        for (const auto& p : i.points)
            if (p.exists()) {
                x += p.x;
                y += p.y;
                ++n;
            }
        return n > 0 ? std::pair(x / n, y / n) : std::pair(kNaN, kNaN);
    }
    static double median(std::vector<double> v) {
        std::sort(v.begin(), v.end());
        const std::size_t n = v.size();
        return n == 0 ? kNaN : n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
    }
    /// Of a track on a frame: the user instance first; NaN: it is not there.
    [[nodiscard]] std::pair<double, double> place(int track, std::int64_t frame) const {
        const auto it = frames.find(frame);
        if (it == frames.end())
            return {kNaN, kNaN};
        for (const bool user : {true, false})
            for (const auto& i : it->second)
                if (i.header.track == track && (i.header.kind == InstanceKind::User) == user)
                    if (const auto c = mean(i); !std::isnan(c.first))
                        return c;
        return {kNaN, kNaN};
    }
    [[nodiscard]] double value(const StatisticRequest& request, std::int64_t f) const {
        using S = Statistic;
        const auto it = frames.find(f);
        if (request.statistic == S::PrimaryDisplacementSum || request.statistic == S::PrimaryDisplacementMax)
            return primary(request, f);
        if (it == frames.end())
            return kNaN;
        const auto& here = it->second;
        std::vector<double> scores, points, tracking;
        for (const auto& i : here) {
            if (!std::isnan(i.header.trackingScore))
                tracking.push_back(double(i.header.trackingScore));
            if (i.header.kind != InstanceKind::Predicted)
                continue;
            scores.push_back(double(i.header.score));
            for (const auto& p : i.points)
                if (p.exists())
                    points.push_back(p.score);
        }
        const auto sum = [](const std::vector<double>& v) {
            double s = 0;
            for (const double x : v)
                s += x;
            return s;
        };
        const auto least = [](const std::vector<double>& v, double none) {
            return v.empty() ? none : *std::min_element(v.begin(), v.end());
        };
        const auto average = [&sum](const std::vector<double>& v) {
            return v.empty() ? kNaN : sum(v) / static_cast<double>(v.size());
        };
        const auto replaced = [&here](const project::InstanceData& i) {
            for (const auto& j : here)
                if (j.header.kind == InstanceKind::User && j.header.fromPredicted == i.header.id)
                    return true;
            return false;
        };
        const auto besideUser = [&here](const project::InstanceData& i) {
            for (const auto& j : here)
                if (i.header.kind == InstanceKind::Predicted && j.header.kind == InstanceKind::User &&
                    j.header.track >= 0 && j.header.track == i.header.track)
                    return true;
            return false;
        };
        switch (request.statistic) {
            case S::InstanceCount: {
                double count = 0;
                for (const auto& i : here)
                    count += replaced(i) ? 0 : 1;
                return count;
            }
            case S::TrackingScoreMean:
                return average(tracking);
            case S::TrackingScoreMin:
                return least(tracking, kNaN);
            case S::InstanceScoreSum:
                return sum(scores);
            case S::InstanceScoreMin:
                return least(scores, 0);
            case S::InstanceScoreMean:
                return average(scores);
            case S::PointScoreSum:
                return sum(points);
            case S::PointScoreMin:
                return least(points, 0);
            case S::PointScoreMean:
                return average(points);
            case S::PredictedPoints:
                return static_cast<double>(points.size());
            case S::PointDisplacementSum:
            case S::PointDisplacementMean:
            case S::PointDisplacementMax: {
                if (it == frames.begin())
                    return 0;
                const auto& before = std::prev(it)->second;
                double total = 0;
                for (const auto& i : here)
                    for (const auto& j : before) {
                        if (j.header.track != i.header.track)
                            continue;
                        double s = 0, most = 0, n = 0, all = 0;
                        for (std::size_t k = 0; k < i.points.size(); ++k) {
                            const double d = nodeDistance(i.points[k], j.points[k]);
                            all += d;  // not a number as soon as one is not
                            if (!std::isnan(d)) {
                                s += d;
                                ++n;
                                most = std::max(most, d);
                            }
                        }
                        if (request.statistic == S::PointDisplacementMean)
                            total += n > 0 ? s / n : 0;
                        else if (!std::isnan(all))
                            total += request.statistic == S::PointDisplacementSum ? all : most;
                        break;  // the first of that track
                    }
                return total;
            }
            case S::MinCentroidDistance: {
                std::vector<std::pair<double, double>> centroids;
                for (const auto& i : here) {
                    std::vector<double> x, y;
                    for (const auto& p : i.points)
                        if (p.exists() && !replaced(i) && !besideUser(i)) {
                            x.push_back(p.x);
                            y.push_back(p.y);
                        }
                    if (!x.empty())
                        centroids.emplace_back(median(x), median(y));
                }
                double nearest = kNaN;
                for (std::size_t a = 0; a < centroids.size(); ++a)
                    for (std::size_t b = 0; b < centroids.size(); ++b)
                        if (a != b) {
                            const double d = std::hypot(centroids[a].first - centroids[b].first,
                                                        centroids[a].second - centroids[b].second);
                            nearest = std::isnan(nearest) ? d : std::min(nearest, d);
                        }
                return nearest;
            }
            case S::TrackSpeed: {
                const auto now = place(request.track, f);
                for (std::int64_t g = f - 1; g >= 0 && !std::isnan(now.first); --g)
                    if (const auto then = place(request.track, g); !std::isnan(then.first))
                        return std::hypot(now.first - then.first, now.second - then.second) /
                               static_cast<double>(f - g);
                return kNaN;
            }
            case S::SwapSuspicion:
                return swap(f);
            case S::UserPredictionDistance: {
                std::vector<double> pairs;
                for (const auto& u : here) {
                    if (u.header.kind != InstanceKind::User)
                        continue;
                    const project::InstanceData* partner = nullptr;
                    for (const auto& p : here)
                        if (p.header.kind == InstanceKind::Predicted && u.header.fromPredicted == p.header.id)
                            partner = &p;
                    for (const auto& p : here)
                        if (partner == nullptr && p.header.kind == InstanceKind::Predicted && u.header.track >= 0 &&
                            p.header.track == u.header.track)
                            partner = &p;
                    std::vector<double> nodes;
                    for (std::size_t k = 0; partner != nullptr && k < u.points.size(); ++k)
                        if (const double d = nodeDistance(u.points[k], partner->points[k]); !std::isnan(d))
                            nodes.push_back(d);
                    if (!nodes.empty())
                        pairs.push_back(average(nodes));
                }
                return average(pairs);
            }
            default:
                return kNaN;
        }
    }
    /// Matrix of places as SLEAP fills it, for one step: where a track is not there it stays where it was last.
    [[nodiscard]] double primary(const StatisticRequest& request, std::int64_t f) const {
        const auto matrix = [&](int track, std::int64_t frame) -> std::pair<double, double> {
            for (std::int64_t g = frame; g >= 0; --g) {
                const auto it = frames.find(g);
                if (it == frames.end())
                    continue;
                std::pair<double, double> found{kNaN, kNaN};
                bool there = false, any = false;
                std::pair<double, double> lastPlace;
                for (const auto& i : it->second)
                    if (i.header.track == track) {
                        const auto& p = i.points[static_cast<std::size_t>(request.primaryNode)];
                        there = true;
                        found = p.exists() ? std::pair(p.x, p.y) : std::pair(kNaN, kNaN);
                        if (p.exists()) {
                            lastPlace = found;
                            any = true;
                        }
                    }
                if (there && g == frame)
                    return found;
                if (any)
                    return lastPlace;
            }
            return {-1e9, -1e9};  // not seen yet
        };
        double sum = 0, most = 0;
        for (int t = 0; t < kTracks; ++t) {
            const auto now = matrix(t, f), before = f > 0 ? matrix(t, f - 1) : std::pair(-1e9, -1e9);
            if (std::isnan(now.first) || std::isnan(before.first))
                return 0;
            if (before.first == -1e9 || now.first == -1e9)
                continue;
            const double d = std::hypot(now.first - before.first, now.second - before.second);
            sum += d;
            most = std::max(most, d);
        }
        return request.statistic == Statistic::PrimaryDisplacementSum ? sum : most;
    }
    [[nodiscard]] double swap(std::int64_t f) const {
        std::vector<int> present;
        for (int t = 0; t < kTracks; ++t)
            if (!std::isnan(place(t, f).first))
                present.push_back(t);
        if (present.size() < 2)
            return kNaN;
        const auto expected = [&](int t) -> std::pair<double, double> {
            for (std::int64_t g = f - 1; g >= std::max<std::int64_t>(0, f - 5); --g) {
                const auto last = place(t, g);
                if (std::isnan(last.first))
                    continue;
                const auto earlier = place(t, g - 1);
                const double steps = static_cast<double>(f - g);
                return std::isnan(earlier.first) ? last
                                                 : std::pair(last.first + steps * (last.first - earlier.first),
                                                             last.second + steps * (last.second - earlier.second));
            }
            return {kNaN, kNaN};
        };
        double most = 0;
        for (const int a : present)
            for (const int b : present) {
                const auto p = expected(a), q = expected(b), now = place(a, f), other = place(b, f);
                if (a == b || std::isnan(p.first) || std::isnan(q.first))
                    continue;
                const double keep = std::hypot(p.first - now.first, p.second - now.second) +
                                    std::hypot(q.first - other.first, q.second - other.second);
                const double change = std::hypot(p.first - other.first, p.second - other.second) +
                                      std::hypot(q.first - now.first, q.second - now.second);
                if (change < keep)
                    most = std::max(most, (keep - change) / (keep + change));
            }
        return most;
    }
};

std::vector<StatisticRequest> requests() {
    std::vector<StatisticRequest> all;
    for (int s = 0; s < kStatistics; ++s) {
        StatisticRequest request;
        request.statistic = static_cast<Statistic>(s);
        request.track = 2;
        request.primaryNode = 1;
        all.push_back(request);
    }
    return all;
}

bool same(double a, double b) {
    return std::isnan(a) || std::isnan(b) ? std::isnan(a) && std::isnan(b) : std::fabs(a - b) <= 1e-9;
}

/// Changes one frame: takes an instance away, moves one, or gives one another track.
project::Labels edited(const project::Labels& labels, std::mt19937& random, std::int64_t& frame) {
    project::Labels next = labels;
    const std::size_t row = random() % (labels.frameCount() - 1);
    project::FrameData data = labels.frame(row).toData();
    frame = data.frameIndex;
    if (data.instances.empty())
        return next;
    const std::size_t which = random() % data.instances.size();
    switch (random() % 3) {
        case 0:
            data.instances.erase(data.instances.begin() + static_cast<std::ptrdiff_t>(which));
            break;
        case 1:
            data.instances[which].points[1] = {double(random() % 500), double(random() % 500), 0.5, true, false};
            break;
        default:
            data.instances[which].header.track = static_cast<int>(random() % (kTracks + 1)) - 1;
    }
    next.replaceFrame(row, data);
    return next;
}

}  // namespace

class TestStatistics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void T_04_equalAPlainImplementation() {
        for (const unsigned seed : {1U, 2U, 3U, 4U}) {
            const project::Labels labels = randomLabels(seed);
            const Plain plain(labels);
            for (const StatisticRequest& request : requests()) {
                const std::vector<double> values = statisticOf(labels, request, 0, kFrames - 1);
                QCOMPARE(values.size(), std::size_t{kFrames});
                int numbers = 0;
                for (std::int64_t f = 0; f < kFrames; ++f) {
                    const double want = plain.value(request, f), got = values[static_cast<std::size_t>(f)];
                    numbers += std::isnan(want) ? 0 : 1;
                    QVERIFY2(same(want, got), qPrintable(QStringLiteral("seed %1, statistic %2, frame %3: %4, not %5")
                                                             .arg(seed)
                                                             .arg(static_cast<int>(request.statistic))
                                                             .arg(f)
                                                             .arg(got)
                                                             .arg(want)));
                }
                QVERIFY(numbers > 10);
            }
        }
    }

    void anAnimalHasNoDistanceToThePredictionThatWasAccepted() {
        project::Labels labels;
        labels.editVideos().resize(1);
        labels.editSkeletons().resize(1);
        labels.editSkeletons()[0].nodes = {"a"};
        project::FrameData frame;
        for (const double x : {10.0, 50.0}) {
            project::InstanceData instance;
            instance.header.kind = InstanceKind::Predicted;
            instance.points = {{x, 0, 0.9, true, false}};
            frame.instances.push_back(instance);
        }
        labels.appendFrame(frame);
        frame = labels.frame(0).toData();
        project::InstanceData user = frame.instances[0];
        user.header.kind = InstanceKind::User;
        user.header.id = 0;
        user.header.fromPredicted = frame.instances[0].header.id;
        frame.instances.push_back(user);
        labels.replaceFrame(0, frame);
        StatisticRequest request;
        request.statistic = Statistic::MinCentroidDistance;
        QCOMPARE(statisticOf(labels, request, 0, 0), std::vector<double>{40.0});
    }

    void anyStretchHasTheValuesOfTheWhole() {
        const project::Labels labels = randomLabels(9);
        for (const StatisticRequest& request : requests()) {
            const std::vector<double> whole = statisticOf(labels, request, 0, kFrames - 1);
            for (std::int64_t first = 0; first < kFrames; first += 7)
                for (const std::int64_t length : {1, 2, 15}) {
                    const std::int64_t last = std::min(kFrames - 1, first + length - 1);
                    const std::vector<double> part = statisticOf(labels, request, first, last);
                    for (std::int64_t f = first; f <= last; ++f)
                        QVERIFY2(same(part[static_cast<std::size_t>(f - first)], whole[static_cast<std::size_t>(f)]),
                                 qPrintable(QStringLiteral("statistic %1 at %2 from %3")
                                                .arg(static_cast<int>(request.statistic))
                                                .arg(f)
                                                .arg(first)));
                }
        }
    }

    // T-02, T-04: what an edit does not concern is not computed again, and the result is that of a fresh start.
    void editsConcernFewFrames() {
        std::mt19937 random(21);
        project::Labels labels = randomLabels(5);
        std::map<int, std::vector<double>> kept;
        for (const StatisticRequest& request : requests())
            kept[static_cast<int>(request.statistic)] = statisticOf(labels, request, 0, kFrames - 1);
        for (int step = 0; step < 150; ++step) {
            std::int64_t frame = 0;
            const project::Labels next = edited(labels, random, frame);
            for (const StatisticRequest& request : requests()) {
                const auto [first, last] = framesConcerned(labels, next, request, frame, frame, kFrames);
                QVERIFY(first <= frame && last >= frame && last < kFrames);
                auto& values = kept[static_cast<int>(request.statistic)];
                const std::vector<double> part = statisticOf(next, request, first, last);
                std::copy(part.begin(), part.end(), values.begin() + first);
                const std::vector<double> fresh = statisticOf(next, request, 0, kFrames - 1);
                for (std::size_t f = 0; f < fresh.size(); ++f)
                    QVERIFY2(same(values[f], fresh[f]), qPrintable(QStringLiteral("statistic %1, step %2, frame %3")
                                                                       .arg(static_cast<int>(request.statistic))
                                                                       .arg(step)
                                                                       .arg(f)));
            }
            labels = next;
        }
    }

    void theServiceFollowsEditsWithoutStartingAfresh() {
        Document document;
        ViewState view;
        StatisticSeries series(&document, &view, nullptr);
        project::Labels labels = randomLabels(6);
        document.replaceAll(QStringLiteral("start"), labels);
        view.setVideo(0, kFrames);
        series.show({Statistic::InstanceCount, Statistic::PointDisplacementSum, Statistic::SwapSuspicion,
                     Statistic::TrackSpeed});
        QCOMPARE(series.series().size(), StatisticSeries::kMost);
        QTRY_VERIFY(series.isUpToDate() && series.series()[0].values != nullptr);
        const std::int64_t before = series.framesComputed();
        project::FrameData data = labels.frame(10).toData();
        data.instances.pop_back();
        labels.replaceFrame(10, data);
        Change change;
        change.kinds = ChangeKind::Frames;
        change.first = change.last = data.frameIndex;
        document.commit(QStringLiteral("one less"), labels, change);
        QTRY_VERIFY(series.isUpToDate() && series.framesComputed() > before);
        QVERIFY(series.framesComputed() - before < 3 * 20);
        for (const auto& one : series.series()) {
            const std::vector<double> fresh = statisticOf(labels, one.request, 0, kFrames - 1);
            for (std::size_t f = 0; f < fresh.size(); ++f)
                QVERIFY(same(one.values->values()[f], fresh[f]));
        }
        document.undoStack()->undo();
        QTRY_VERIFY(series.isUpToDate());
        series.show({});
        QVERIFY(series.series().empty());
    }
};

QTEST_MAIN(TestStatistics)
#include "tst_statistics.moc"
