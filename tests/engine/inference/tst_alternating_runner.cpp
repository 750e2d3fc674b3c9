// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <deque>
#include <memory>
#include <vector>

#include "engine/inference/alternating_runner.h"
#include "tests/support/fake_runner.h"

using namespace skein;
using namespace skein::inference;

/// Several devices with the same models take the batches in turn.
class TestAlternatingRunner : public QObject {
    Q_OBJECT
    std::vector<std::shared_ptr<test::FakeBehaviour>> m_behaviours;
    profile::Profiler m_profiler;

    std::unique_ptr<AlternatingRunner> made(int devices) {
        m_behaviours.clear();
        std::vector<std::unique_ptr<InferenceRunner>> runners;
        for (int i = 0; i < devices; ++i) {
            m_behaviours.push_back(std::make_shared<test::FakeBehaviour>());
            runners.push_back(std::make_unique<test::FakeRunner>(m_behaviours.back(), m_profiler));
        }
        return std::make_unique<AlternatingRunner>(std::move(runners));
    }

    static std::vector<ImagePtr> batch(std::uint8_t value) {
        auto image = std::make_shared<Image>();
        image->width = image->height = 2;
        image->channels = 1;
        image->pixels.assign(4, value);
        return {image};
    }

private Q_SLOTS:
    void everyOtherBatchGoesToTheSecondDevice() {
        const auto runner = made(2);
        QCOMPARE(runner->batchesAtOnce(), 2);
        QCOMPARE(runner->device(), std::string("fake, fake"));
        std::deque<std::unique_ptr<PendingBatch>> pending;
        for (std::uint8_t value = 1; value <= 5; ++value) {
            auto next = runner->submit(batch(value));
            QVERIFY(next.has_value());
            pending.push_back(std::move(*next));
        }
        QCOMPARE(m_behaviours[0]->batches.load(), 3);
        QCOMPARE(m_behaviours[1]->batches.load(), 2);
        // Whatever device a batch was on, it is the batch that was submitted at its place.
        for (std::uint8_t value = 1; value <= 5; ++value) {
            const auto host = pending.front()->wait();
            pending.pop_front();
            QVERIFY(host.has_value());
            QCOMPARE(host->packed[2], static_cast<float>(value));
        }
    }

    /// A batch that is too large is tried again, in parts, where it was refused.
    void aRefusedBatchStaysWithItsDevice() {
        const auto runner = made(2);
        m_behaviours[0]->memoryFrames = 1;
        std::vector<ImagePtr> two = batch(1);
        two.push_back(batch(2).front());
        QCOMPARE(runner->submit(two).error().code(), ErrorCode::OutOfMemory);
        QVERIFY(runner->submit(batch(1)).has_value());
        QCOMPARE(m_behaviours[0]->batches.load(), 2);
        QCOMPARE(m_behaviours[1]->batches.load(), 0);
        QVERIFY(runner->submit(batch(2)).has_value());
        QCOMPARE(m_behaviours[1]->batches.load(), 1);
    }

    void oneDeviceIsAsIfItWereAlone() {
        const auto runner = made(1);
        QCOMPARE(runner->batchesAtOnce(), 1);
        QCOMPARE(runner->device(), std::string("fake"));
        QVERIFY(runner->warmUp(2, 2, 1).has_value());
        QCOMPARE(*runner->secondsFor(4, 2, 2, 1), 0.004);
    }
};

QTEST_GUILESS_MAIN(TestAlternatingRunner)
#include "tst_alternating_runner.moc"
