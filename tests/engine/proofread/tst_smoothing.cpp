// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>

#include "engine/proofread/smoothing.h"
#include "tests/engine/proofread/made_tracks.h"

using namespace skein;
using namespace skein::test;
using proofread::SmoothMethod;

namespace {

/// Root of the mean squared distance from `clean`, of the layer or (null) of the raw points.
double error(const project::Labels& clean, const project::Labels& noisy, const proofread::PointLayer* layer) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t row = 20; row + 20 < clean.frameCount(); ++row)
        for (std::size_t i = 0; i < clean.frame(row).instanceCount(); ++i) {
            const auto real = clean.frame(row).instance(i), raw = noisy.frame(row).instance(i);
            const auto points = layer == nullptr ? raw.points : layer->pointsOf(raw.header->id);
            for (std::size_t n = 0; n < real.points.size(); ++n) {
                const double dx = points[n].x - real.points[n].x, dy = points[n].y - real.points[n].y;
                sum += dx * dx + dy * dy;
                ++count;
            }
        }
    return std::sqrt(sum / double(count));
}

/// The mean step of a node: what jitter makes longer.
double meanStep(const project::Labels& labels, const proofread::PointLayer& layer) {
    double sum = 0;
    for (std::size_t row = 21; row < labels.frameCount(); ++row) {
        const auto a = layer.pointsOf(labels.frame(row - 1).instance(0).header->id);
        const auto b = layer.pointsOf(labels.frame(row).instance(0).header->id);
        sum += std::hypot(a[0].x - b[0].x, a[0].y - b[0].y);
    }
    return sum;
}

}  // namespace

class TestSmoothing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachMethodComesNearerToTheTruth_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<double>("most");
        QTest::newRow("Savitzky-Golay") << int(SmoothMethod::SavitzkyGolay) << 0.7;
        QTest::newRow("Kalman RTS") << int(SmoothMethod::KalmanRts) << 0.7;
    }
    void eachMethodComesNearerToTheTruth() {
        QFETCH(const int, method);
        QFETCH(const double, most);
        const project::Labels clean = makeTracks({2, 600, 3, 40, 200, 0, 0.01});
        const project::Labels noisy = makeTracks({2, 600, 3, 40, 200, 3, 0.01});
        proofread::SmoothOptions options;
        options.method = static_cast<SmoothMethod>(method);
        const auto layer = proofread::smooth(noisy, 0, options);
        QVERIFY(layer);
        QCOMPARE(layer->instanceCount(), noisy.instanceCount());
        const double raw = error(clean, noisy, nullptr), calm = error(clean, noisy, &*layer);
        qInfo("raw %.2f px, smoothed %.2f px", raw, calm);
        QVERIFY(calm < most * raw);
    }

    void oneEuroCalmsAPoseAtRestAndFollowsAFastOne() {
        const auto shortened = [](double speed, double beta) {
            const project::Labels noisy = makeTracks({1, 400, 3, 40, 200, 2, speed});
            proofread::SmoothOptions options;
            options.method = SmoothMethod::OneEuro;
            options.beta = beta;
            const auto layer = proofread::smooth(noisy, 0, options);
            proofread::SmoothOptions raw;
            raw.window = 3;
            raw.order = 2;  // three points and a parabola: as they were
            return meanStep(noisy, *layer) / meanStep(noisy, *proofread::smooth(noisy, 0, raw));
        };
        QVERIFY(shortened(0.0005, 0.001) < 0.3);
        QVERIFY(shortened(0.05, 0.05) > 0.8);
        // Its first value is the first measurement, and a constant stays one.
        project::Labels still = makeTracks({1, 100, 3, 40, 200, 0, 0});
        proofread::SmoothOptions options;
        options.method = SmoothMethod::OneEuro;
        const auto layer = *proofread::smooth(still, 0, options);
        const auto last = still.frame(99).instance(0);
        QCOMPARE(layer.pointsOf(last.header->id)[0].x, last.points[0].x);
    }

    void aPolynomialOfTheOrderPassesUnchanged() {
        project::Labels labels = makeTracks({1, 60, 3, 40, 200, 0, 0.01});
        for (std::int64_t f = 0; f < 60; ++f) {
            project::FrameData frame = edit::frameAt(labels, 0, f);
            frame.instances[0].points[0].x = 3 + 2.0 * double(f) - 0.25 * double(f * f);
            labels = edit::withFrame(labels, frame);
        }
        const std::size_t gone[] = {20, 21, 40};  // the window is not whole everywhere
        labels.removeFrames(gone);
        const auto layer = *proofread::smooth(labels, 0);
        for (std::size_t row = 0; row < labels.frameCount(); ++row) {
            const auto raw = labels.frame(row).instance(0);
            QVERIFY(std::abs(layer.pointsOf(raw.header->id)[0].x - raw.points[0].x) < 1e-6);
        }
    }

    void rawPointsAndAbsentNodesStayAsTheyAre() {
        project::Labels labels = makeTracks({2, 100, 3, 40, 200, 1, 0.03});
        project::FrameData frame = edit::frameAt(labels, 0, 50);
        frame.instances[0].points[2] = {project::kNaN, project::kNaN, 0, false, false};
        frame.instances[1].header.track = -1;
        labels = edit::withFrame(labels, frame);
        const project::Labels copy = labels;
        const auto layer = *proofread::smooth(labels, 0);
        QVERIFY(labels.isUnchangedCopyOf(copy));
        const project::Labels smoothed = proofread::withLayer(labels, 0, layer);
        const project::FrameData before = edit::frameAt(labels, 0, 50), after = edit::frameAt(smoothed, 0, 50);
        QVERIFY(!after.instances[0].points[2].exists());
        QVERIFY(after.instances[0].points[1].x != before.instances[0].points[1].x);
        QCOMPARE(after.instances[0].points[1].score, before.instances[0].points[1].score);
        QCOMPARE(after.instances[1].points[1].x, before.instances[1].points[1].x);
        QVERIFY(layer.pointsOf(before.instances[1].header.id).empty());
    }

    void onlyTheChosenTracksAreSmoothed() {
        const project::Labels noisy = makeTracks({2, 60, 3, 40, 200, 3, 0.01});
        proofread::SmoothOptions options;
        options.tracks = {noisy.tracks()[1].name};
        const auto layer = proofread::smooth(noisy, 0, options);
        QVERIFY(layer);
        QCOMPARE(layer->instanceCount(), std::size_t{60});
        for (std::size_t i = 0; i < noisy.frame(20).instanceCount(); ++i) {
            const auto instance = noisy.frame(20).instance(i);
            QCOMPARE(layer->pointsOf(instance.header->id).empty(), instance.header->track != 1);
        }
    }

    void theEffectOfALayerIsMeasured() {
        const project::Labels noisy = makeTracks({2, 300, 3, 40, 200, 3, 0.01});
        const auto layer = proofread::smooth(noisy, 0);
        QVERIFY(layer);
        const proofread::SmoothEffect effect = proofread::effectOf(noisy, 0, *layer);
        QCOMPARE(effect.points, std::size_t{2 * 300 * 4});
        double sum = 0, most = 0;
        for (std::size_t row = 0; row < noisy.frameCount(); ++row)
            for (std::size_t i = 0; i < noisy.frame(row).instanceCount(); ++i) {
                const auto raw = noisy.frame(row).instance(i);
                const auto calm = layer->pointsOf(raw.header->id);
                for (std::size_t n = 0; n < raw.points.size(); ++n) {
                    const double move = std::hypot(calm[n].x - raw.points[n].x, calm[n].y - raw.points[n].y);
                    sum += move;
                    most = std::max(most, move);
                }
            }
        QVERIFY(std::fabs(effect.meanMove - sum / 2400) < 1e-9);
        QCOMPARE(effect.mostMove, most);
        QVERIFY(effect.move95 > effect.meanMove && effect.move95 < most);
        QVERIFY(effect.restlessAfter < 0.3 * effect.restlessBefore);
        // An empty layer changes nothing.
        QCOMPARE(proofread::effectOf(noisy, 0, {}).points, std::size_t{0});
    }

    void aWholeProjectIsSmoothedForExport() {
        project::Labels noisy = makeTracks({2, 100, 3, 40, 200, 3, 0.01});
        const auto smoothed = proofread::smoothedProject(noisy);
        QVERIFY(smoothed);
        const auto layer = proofread::smooth(noisy, 0);
        const auto instance = smoothed->frame(50).instance(1);
        QCOMPARE(instance.points[2].x, layer->pointsOf(instance.header->id)[2].x);
        QVERIFY(noisy.frame(50).instance(1).points[2].x != instance.points[2].x);
        QCOMPARE(noisy.frame(50).instance(1).points[2].score, instance.points[2].score);
    }

    void methodsHaveNames() {
        for (const SmoothMethod method : {SmoothMethod::SavitzkyGolay, SmoothMethod::OneEuro, SmoothMethod::KalmanRts})
            QCOMPARE(*proofread::smoothMethodNamed(proofread::nameOf(method)), method);
        QVERIFY(!proofread::smoothMethodNamed("none"));
    }

    void badOptionsAreNamed() {
        const project::Labels labels = makeTracks({1, 20, 3, 40, 200, 1, 0.03});
        proofread::SmoothOptions even;
        even.window = 8;
        proofread::SmoothOptions steep;
        steep.order = 9;
        proofread::SmoothOptions frozen;
        frozen.minCutoff = 0;
        proofread::SmoothOptions timeless;
        timeless.timeConstant = -1;
        for (const auto& options : {even, steep, frozen, timeless}) {
            const auto layer = proofread::smooth(labels, 0, options);
            QVERIFY(!layer);
            QCOMPARE(layer.error().code(), ErrorCode::InvalidArgument);
        }
    }
};

QTEST_APPLESS_MAIN(TestSmoothing)
#include "tst_smoothing.moc"
