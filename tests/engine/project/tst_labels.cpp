// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "engine/base/result.h"
#include "engine/project/labels.h"
#include "tests/support/worked_time.h"

using namespace skein::project;

namespace {

/// What Labels must be equal to: plain frames in a vector.
using Model = std::vector<FrameData>;

InstanceData instanceOf(double x, InstanceKind kind = InstanceKind::Predicted, std::size_t nodes = 3) {
    InstanceData instance;
    instance.header.kind = kind;
    instance.points.resize(nodes);
    for (std::size_t i = 0; i < nodes; ++i)
        instance.points[i] = {x + static_cast<double>(i), 2 * x, 0.5, true, kind == InstanceKind::User};
    return instance;
}

FrameData frameOf(std::uint32_t video, std::int64_t index, std::vector<InstanceData> instances = {}) {
    return {video, index, std::move(instances), -1};
}

bool samePoints(std::span<const Point> a, std::span<const Point> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Point& p, const Point& q) {
        return p.x == q.x && p.y == q.y && p.visible == q.visible && p.complete == q.complete;
    });
}

/// First difference; ids are given by Labels and compared by being unique only.
QString difference(const Labels& labels, const Model& model) {
    if (labels.frameCount() != model.size())
        return QString("%1 frames against %2").arg(labels.frameCount()).arg(model.size());
    std::size_t instances = 0, predicted = 0;
    std::set<InstanceId> ids;
    for (std::size_t row = 0; row < model.size(); ++row) {
        const FrameView frame = labels.frame(row);
        if (frame.video() != model[row].video || frame.frameIndex() != model[row].frameIndex ||
            frame.instanceCount() != model[row].instances.size())
            return QString("frame row %1").arg(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const InstanceView view = frame.instance(i);
            if (view.header->kind != model[row].instances[i].header.kind ||
                !samePoints(view.points, model[row].instances[i].points))
                return QString("instance %1 of row %2").arg(i).arg(row);
            if (view.header->id == 0 || !ids.insert(view.header->id).second)
                return QString("id of instance %1 of row %2").arg(i).arg(row);
            ++instances;
            predicted += view.header->kind == InstanceKind::Predicted ? 1U : 0U;
        }
    }
    if (labels.instanceCount() != instances || labels.predictedInstanceCount() != predicted)
        return "counts";
    return {};
}

/// Rows of a video in the order of navigation, found by looking at everything.
std::vector<std::size_t> naiveRows(const Model& model, std::uint32_t video) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < model.size(); ++row)
        if (model[row].video == video)
            rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::size_t a, std::size_t b) { return model[a].frameIndex < model[b].frameIndex; });
    return rows;
}

QString navigationDifference(const Labels& labels, const Model& model) {
    for (std::uint32_t video = 0; video < 4; ++video) {
        const auto rows = naiveRows(model, video);
        if (labels.rowsOf(video) != rows)
            return QString("rows of video %1").arg(video);
        for (std::int64_t index = -1; index < 45; ++index) {
            std::optional<std::size_t> next, previous, found;
            for (const std::size_t row : rows) {
                if (model[row].frameIndex >= index && !next)
                    next = row;
                if (model[row].frameIndex <= index)
                    previous = row;
                if (model[row].frameIndex == index && !found)
                    found = row;
            }
            if (labels.nextFrame(video, index) != next || labels.previousFrame(video, index) != previous ||
                labels.findFrame(video, index) != found)
                return QString("navigation in video %1 at %2").arg(video).arg(index);
        }
    }
    return {};
}

}  // namespace

class TestLabels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void randomEditsAgreeWithPlainVectors_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 8; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    void randomEditsAgreeWithPlainVectors() {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
        const auto randomFrame = [&] {
            std::vector<InstanceData> instances;
            for (std::size_t i = below(4); i > 0; --i)
                instances.push_back(instanceOf(static_cast<double>(below(1000)),
                                               below(3) == 0 ? InstanceKind::User : InstanceKind::Predicted));
            return frameOf(static_cast<std::uint32_t>(below(3)), static_cast<std::int64_t>(below(40)),
                           std::move(instances));
        };
        Labels labels;
        Model model;
        // Old values must never change, whatever happens to newer copies of them.
        std::vector<std::pair<Labels, Model>> snapshots;
        for (int step = 0; step < 400; ++step) {
            switch (below(10)) {
                case 0:
                    if (!model.empty()) {
                        std::vector<std::size_t> rows;
                        for (std::size_t row = 0; row < model.size(); ++row)
                            if (below(8) == 0)
                                rows.push_back(row);
                        std::shuffle(rows.begin(), rows.end(), random);
                        labels.removeFrames(rows);
                        std::sort(rows.rbegin(), rows.rend());
                        for (const std::size_t row : rows)
                            model.erase(model.begin() + static_cast<std::ptrdiff_t>(row));
                    }
                    break;
                case 1:
                case 2:
                case 3:
                    if (!model.empty()) {
                        const std::size_t row = below(model.size());
                        const FrameData frame = randomFrame();
                        labels.replaceFrame(row, frame);
                        model[row] = frame;
                    }
                    break;
                case 4: {
                    LabelsBuilder builder(labels);
                    for (std::size_t i = below(100); i > 0; --i) {
                        const FrameData frame = randomFrame();
                        builder.beginFrame(frame.video, frame.frameIndex);
                        for (const InstanceData& instance : frame.instances) {
                            const auto points = builder.addInstance(instance.header, instance.points.size());
                            std::copy(instance.points.begin(), instance.points.end(), points.begin());
                        }
                        model.push_back(frame);
                    }
                    labels = builder.finish();
                    break;
                }
                default: {
                    const FrameData frame = randomFrame();
                    QCOMPARE(labels.appendFrame(frame), model.size());
                    model.push_back(frame);
                }
            }
            if (step % 40 == 0)
                snapshots.emplace_back(labels, model);
            if (step % 20 == 0) {
                const QString found = difference(labels, model) + navigationDifference(labels, model);
                QVERIFY2(found.isEmpty(), qPrintable(found));
            }
        }
        for (const auto& [snapshot, expected] : snapshots) {
            const QString found = difference(snapshot, expected) + navigationDifference(snapshot, expected);
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
    }

    void pitfall_P43_aRunReplacesPredictionsAndKeepsWhatAPersonMade() {
        Labels labels;
        auto user = instanceOf(1, InstanceKind::User);
        const std::size_t first = labels.appendFrame(frameOf(0, 5, {instanceOf(10), user}));
        user.header.fromPredicted = labels.frame(first).instance(0).header->id;
        auto frame = labels.frame(first).toData();
        frame.instances[1].header.fromPredicted = frame.instances[0].header.id;
        labels.replaceFrame(first, frame);
        labels.appendFrame(frameOf(0, 9, {instanceOf(20)}));
        labels.appendFrame(frameOf(0, 5, {instanceOf(30)}));  // a second record of frame 5, as files have them
        const Labels before = labels;

        const auto run = [] {
            return std::vector<FrameData>{frameOf(0, 5, {instanceOf(11), instanceOf(12)}),
                                          frameOf(0, 7, {instanceOf(13)}), frameOf(1, 5, {instanceOf(14)}),
                                          frameOf(0, 2, {})};
        };
        labels.mergePredictions(run());
        const Model expected = {frameOf(0, 5, {instanceOf(1, InstanceKind::User), instanceOf(11), instanceOf(12)}),
                                frameOf(0, 9, {instanceOf(20)}),
                                frameOf(0, 5, {}),
                                frameOf(0, 7, {instanceOf(13)}),
                                frameOf(1, 5, {instanceOf(14)}),
                                frameOf(0, 2, {})};
        QString found = difference(labels, expected) + navigationDifference(labels, expected);
        QVERIFY2(found.isEmpty(), qPrintable(found));
        QCOMPARE(labels.frame(0).instance(0).header->fromPredicted, InstanceId{0});

        // Again: nothing grows.
        labels.mergePredictions(run());
        found = difference(labels, expected) + navigationDifference(labels, expected);
        QVERIFY2(found.isEmpty(), qPrintable(found));
        QCOMPARE(before.frameCount(), std::size_t{3});
        QCOMPARE(before.instanceCount(), std::size_t{4});
    }

    void mergingAFrameTwiceInOneRunKeepsTheLast() {
        Labels labels;
        labels.mergePredictions({frameOf(0, 3, {instanceOf(1)}), frameOf(0, 3, {instanceOf(2), instanceOf(3)})});
        const QString found = difference(labels, {frameOf(0, 3, {instanceOf(2), instanceOf(3)})});
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }

    void mergingARunIntoALargeProjectCostsByTheRun() {
        LabelsBuilder builder;
        constexpr std::int64_t kFrames = 100000;
        for (std::int64_t i = 0; i < kFrames; ++i) {
            builder.beginFrame(0, 2 * i);
            (void)builder.addInstance({}, 3);
        }
        Labels labels = builder.finish();
        std::vector<FrameData> run;
        for (std::int64_t i = 0; i < 5000; ++i)
            run.push_back(frameOf(0, 20 * i + 1, {instanceOf(1)}));
        const skein::test::WorkedTime time;
        labels.mergePredictions(std::move(run));
        // Inserting each into the sorted index by itself would take many seconds.
        QVERIFY(time.ms() < 2000);
        QCOMPARE(labels.frameCount(), std::size_t{kFrames + 5000});
        QCOMPARE(labels.nextFrame(0, 1), std::optional<std::size_t>(kFrames));
        QCOMPARE(labels.previousFrame(0, 1), std::optional<std::size_t>(kFrames));
    }

    void copiesAreReadWhileTheOriginalIsEdited() {
        Labels labels;
        for (int i = 0; i < 300; ++i)
            labels.appendFrame(frameOf(0, i, {instanceOf(i)}));
        const Labels copy = labels;
        std::atomic<bool> wrong{false};
        std::jthread reader([&copy, &wrong](const std::stop_token& stop) {
            while (!stop.stop_requested())
                for (std::size_t row = 0; row < 300; ++row)
                    if (copy.frame(row).instance(0).points[0].x != static_cast<double>(row))
                        wrong = true;
        });
        for (int round = 0; round < 200; ++round)
            labels.replaceFrame(static_cast<std::size_t>(round), frameOf(0, round, {instanceOf(-1)}));
        reader.request_stop();
        reader.join();
        QVERIFY(!wrong);
        QCOMPARE(copy.frame(7).instance(0).points[0].x, 7.0);
        QCOMPARE(labels.frame(7).instance(0).points[0].x, -1.0);
    }

    void movedFromProjectIsEmptyAndUsable() {
        Labels labels;
        labels.appendFrame(frameOf(0, 1));
        const Labels other = std::move(labels);
        QCOMPARE(other.frameCount(), std::size_t{1});
        QCOMPARE(labels.frameCount(), std::size_t{0});  // NOLINT(bugprone-use-after-move): that is the promise
        labels.appendFrame(frameOf(0, 2));
        QCOMPARE(labels.frameCount(), std::size_t{1});
    }

    void rowsOutsideTheProjectAreDefects() {
        Labels labels;
        QVERIFY_EXCEPTION_THROWN((void)labels.frame(0), std::logic_error);
        QVERIFY_EXCEPTION_THROWN(labels.replaceFrame(0, {}), std::logic_error);
        const std::vector<std::size_t> rows = {3};
        QVERIFY_EXCEPTION_THROWN(labels.removeFrames(rows), std::logic_error);
    }

    void idsAreNeverUsedTwice() {
        Labels labels;
        labels.appendFrame(frameOf(0, 1, {instanceOf(1)}));
        const InstanceId id = labels.newInstanceId();
        const std::vector<std::size_t> rows = {0};
        labels.removeFrames(rows);
        labels.appendFrame(frameOf(0, 1, {instanceOf(1)}));
        QVERIFY(labels.frame(0).instance(0).header->id > id);
    }
};

QTEST_APPLESS_MAIN(TestLabels)
#include "tst_labels.moc"
