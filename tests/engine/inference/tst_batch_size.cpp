// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <memory>

#include "engine/inference/batch_size.h"
#include "tests/support/fake_runner.h"

namespace skein {
namespace {

struct Outcome {
    Result<int> size;
    std::vector<int> timed;
};

Outcome choose(std::function<double(int)> secondsFor, std::size_t memoryFrames = 0) {
    const auto behaviour = std::make_shared<test::FakeBehaviour>();
    behaviour->secondsFor = std::move(secondsFor);
    behaviour->memoryFrames = memoryFrames;
    profile::Profiler profiler;
    test::FakeRunner runner(behaviour, profiler);
    Result<int> size = inference::fastestBatchSize(runner, 64, 64, 1);
    return {std::move(size), behaviour->timedBatches};
}

}  // namespace

class TestBatchSize : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSmallestOfEquallyFastSizesIsTaken() {
        const Outcome outcome = choose([](int frames) { return 0.01 * frames; });
        QCOMPARE(outcome.size.value(), 1);
        QCOMPARE(outcome.timed.back(), 4);  // twice nothing gained: enough
    }
    void aDeviceThatWantsManyFramesGetsThem() {
        // Up to 16 frames cost what one costs.
        const Outcome outcome = choose([](int frames) { return 0.002 * std::max(16, frames); });
        QCOMPARE(outcome.size.value(), 16);
    }
    void memoryBoundsTheSize() {
        const Outcome outcome = choose([](int) { return 0.002; }, 5);
        QCOMPARE(outcome.size.value(), 4);
    }
    void aSlowDeviceIsNotMeasuredForMinutes() {
        const Outcome outcome = choose([](int frames) { return 2.0 * std::max(8, frames) / 8; });
        QCOMPARE(outcome.size.value(), 1);
        QCOMPARE(outcome.timed.size(), std::size_t{3});
    }
    void whereOneFrameFitsOneIsTaken() {
        const Outcome outcome = choose([](int) { return 0.002; }, 1);
        QCOMPARE(outcome.size.value(), 1);
    }
};

}  // namespace skein

QTEST_GUILESS_MAIN(skein::TestBatchSize)
#include "tst_batch_size.moc"
