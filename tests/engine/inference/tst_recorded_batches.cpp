// SPDX-License-Identifier: BSD-3-Clause
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <c10/util/Exception.h>

#include <QtTest>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "engine/inference/detail/recorded_batches.h"

using namespace skein::inference;

namespace {

/// What a recording of the stand-in device does wrong.
enum class Fault { None, CannotRecord, Differs, NoMemory };

/// A device on the host: what is recorded is done again by each replay().
class StandIn final : public CudaQueue {
public:
    void enter() override {}
    at::Tensor pinned(std::int64_t bytes) override { return at::empty({bytes}, at::TensorOptions().dtype(at::kByte)); }
    at::Tensor upload(const at::Tensor& host) override { return host.clone(); }
    std::unique_ptr<CudaDownload> download(const at::Tensor&, const at::Tensor&) override { return nullptr; }
    std::unique_ptr<CudaRecording> record(const std::function<void()>& work) override {
        ++records;
        if (fault == Fault::CannotRecord)
            throw std::runtime_error("no recording\nsecond line");
        if (fault == Fault::NoMemory)
            throw c10::OutOfMemoryError({__func__, __FILE__, __LINE__}, "no memory");
        return std::make_unique<Again>(*this, work);
    }

    Fault fault = Fault::None;
    int records = 0;
    int replays = 0;

private:
    struct Again final : CudaRecording {
        Again(StandIn& q, std::function<void()> w) : queue(q), work(std::move(w)) {}
        void replay() override {
            ++queue.replays;
            work();
        }
        StandIn& queue;
        std::function<void()> work;
    };
};

at::Tensor frame(int value) {
    return at::full({1, 2, 2, 1}, value, at::TensorOptions().dtype(at::kByte));
}

}  // namespace

/// Batches on a GPU are recorded once and started as a whole. Here the device is a stand-in on the host; that CUDA
/// records and starts is checked by benchmarks/gpu.
class TestRecordedBatches : public QObject {
    Q_OBJECT
    StandIn m_queue;
    int m_computed = 0;
    RecordedBatches::Compute m_compute;

    std::unique_ptr<RecordedBatches> made() {
        return std::make_unique<RecordedBatches>([] { return std::vector<at::Tensor>(); });
    }
    float run(RecordedBatches& batches, int value, std::int64_t slots = 8) {
        const at::Tensor out = batches.run(m_queue, {{1, 2, 2, 1}, {slots, 0}}, frame(value), m_compute);
        return out.const_data_ptr<float>()[0];
    }

private Q_SLOTS:
    void init() {
        m_queue = StandIn();
        m_computed = 0;
        m_compute = [this](const at::Tensor& uploaded) {
            ++m_computed;
            const float wrong = m_queue.fault == Fault::Differs && m_queue.replays > 0 ? 1e-6F : 0;
            return uploaded.to(at::kFloat).view(-1) * 2 + wrong;
        };
    }

    /// The first two batches of a shape are queued kernel by kernel, the third is recorded, all others are replayed,
    /// and each has its own result.
    void aShapeThatComesAgainIsRecorded() {
        const auto batches = made();
        for (int value = 1; value <= 3; ++value)
            QCOMPARE(run(*batches, value), 2.0F * static_cast<float>(value));
        QCOMPARE(m_queue.records, 1);
        QCOMPARE(batches->recorded(), std::size_t{1});
        const int replays = m_queue.replays;
        for (int value = 4; value <= 9; ++value)
            QCOMPARE(run(*batches, value), 2.0F * static_cast<float>(value));
        QCOMPARE(m_queue.replays, replays + 6);
        QVERIFY(batches->remark().find("recorded") != std::string::npos);
    }

    /// A result that is still being copied away is not overwritten by the next batch.
    void eachResultIsItsOwn() {
        const auto batches = made();
        for (int i = 0; i < 4; ++i)
            run(*batches, 1);
        const RecordedBatches::Shape shape{{1, 2, 2, 1}, {8, 0}};
        const at::Tensor first = batches->run(m_queue, shape, frame(5), m_compute);
        const at::Tensor second = batches->run(m_queue, shape, frame(6), m_compute);
        QCOMPARE(first.const_data_ptr<float>()[0], 10.0F);
        QCOMPARE(second.const_data_ptr<float>()[0], 12.0F);
    }

    /// What cannot be recorded goes on kernel by kernel, and is not tried again.
    void aDeviceThatCannotRecordComputesAllTheSame() {
        m_queue.fault = Fault::CannotRecord;
        const auto batches = made();
        for (int value = 1; value <= 8; ++value)
            QCOMPARE(run(*batches, value), 2.0F * static_cast<float>(value));
        QCOMPARE(m_queue.records, 1);
        QCOMPARE(batches->recorded(), std::size_t{0});
        QCOMPARE(batches->remark(), std::string("Batches were queued kernel by kernel, since recording them failed: "
                                                "no recording."));
    }

    /// A recording whose result is not the same to the last bit is thrown away before anybody saw it.
    void aRecordingThatDiffersIsNotUsed() {
        m_queue.fault = Fault::Differs;
        const auto batches = made();
        for (int value = 1; value <= 3; ++value)
            QCOMPARE(run(*batches, value), 2.0F * static_cast<float>(value));
        QCOMPARE(m_queue.records, 1);
        QCOMPARE(batches->recorded(), std::size_t{0});
        QVERIFY(batches->remark().find("differed") != std::string::npos);
    }

    /// Not a number is equal to itself here: absent peaks are written so.
    void absentPeaksAreNoDifference() {
        m_compute = [](const at::Tensor& uploaded) { return uploaded.to(at::kFloat).view(-1) / 0 * 0; };
        const auto batches = made();
        for (int i = 0; i < 4; ++i)
            run(*batches, 1);
        QCOMPARE(batches->recorded(), std::size_t{1});
    }

    /// Recordings hold memory: a few are kept, those used last; a shape that was dropped is recorded anew.
    void fewRecordingsAreKept() {
        const auto batches = made();
        for (std::int64_t slots = 8; slots <= 128; slots *= 2)
            for (int value = 1; value <= 4; ++value)
                QCOMPARE(run(*batches, value, slots), 2.0F * static_cast<float>(value));
        QCOMPARE(m_queue.records, 5);
        QCOMPARE(batches->recorded(), std::size_t{3});
        for (int value = 1; value <= 4; ++value)
            QCOMPARE(run(*batches, value, 8), 2.0F * static_cast<float>(value));
        QCOMPARE(m_queue.records, 6);
    }

    /// Where the memory does not suffice for a batch beside the recordings, the batch gets it.
    void recordingsGiveTheirMemoryToABatch() {
        const auto batches = made();
        for (int i = 0; i < 4; ++i)
            run(*batches, 1);
        QCOMPARE(batches->recorded(), std::size_t{1});
        bool isFull = true;
        const RecordedBatches::Compute greedy = [&](const at::Tensor& uploaded) {
            if (batches->recorded() > 0 && isFull)
                throw c10::OutOfMemoryError({__func__, __FILE__, __LINE__}, "no memory");
            return m_compute(uploaded);
        };
        const at::Tensor out = batches->run(m_queue, {{2, 2, 2, 1}, {8, 0}}, frame(7), greedy);
        QCOMPARE(out.const_data_ptr<float>()[0], 14.0F);
        QCOMPARE(batches->recorded(), std::size_t{0});
        // And keeps it.
        for (int value = 1; value <= 4; ++value)
            QCOMPARE(run(*batches, value), 2.0F * static_cast<float>(value));
        QCOMPARE(batches->recorded(), std::size_t{0});
        // Without recordings there is nothing to give.
        const RecordedBatches::Compute hopeless = [](const at::Tensor&) -> at::Tensor {
            throw c10::OutOfMemoryError({__func__, __FILE__, __LINE__}, "no memory");
        };
        const auto fresh = made();
        QVERIFY_THROWS_EXCEPTION(c10::OutOfMemoryError,
                                 (void)fresh->run(m_queue, {{1, 2, 2, 1}, {8, 0}}, frame(1), hopeless));
    }

    /// Too little memory for the recording itself is no misfortune of the batch.
    void aRecordingWithoutMemoryIsDoneWithout() {
        m_queue.fault = Fault::NoMemory;
        const auto batches = made();
        for (int value = 1; value <= 5; ++value)
            QCOMPARE(run(*batches, value), 2.0F * static_cast<float>(value));
        QCOMPARE(m_queue.records, 1);
    }

    /// What kernels read without owning it stays as long as the recording.
    void tablesStayWithTheRecording() {
        at::Tensor table = at::full({4}, 1.0F, at::TensorOptions().dtype(at::kFloat));
        const auto batches = std::make_unique<RecordedBatches>([&] { return std::vector<at::Tensor>{table}; });
        for (int i = 0; i < 3; ++i)
            run(*batches, 1);
        QCOMPARE(table.use_count(), std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(TestRecordedBatches)
#include "tst_recorded_batches.moc"
