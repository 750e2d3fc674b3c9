// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <array>
#include <numeric>

#include "engine/inference/packed_layout.h"
#include "engine/inference/peak_store.h"
#include "engine/pipeline/compose_labels.h"
#include "engine/pipeline/job.h"
#include "tests/support/fake_runner.h"
#include "tests/support/fake_video.h"

using namespace skein;
using namespace skein::pipeline;
using namespace std::chrono_literals;

namespace {

struct Bench {
    std::shared_ptr<test::FakeVideo> video;
    std::shared_ptr<test::FakeBehaviour> behaviour = std::make_shared<test::FakeBehaviour>();

    explicit Bench(std::int64_t frames) : video(std::make_shared<test::FakeVideo>(frames)) {}

    [[nodiscard]] JobSpec spec(int batchSize = 4) const {
        JobSpec spec;
        spec.models = {test::fakeModel()};
        JobSource source{0, video, std::vector<std::int64_t>(static_cast<std::size_t>(video->frameCount())), "fake"};
        std::iota(source.frames.begin(), source.frames.end(), 0);
        spec.sources.push_back(std::move(source));
        spec.inference.batchSize = batchSize;
        spec.makeRunner = [b = behaviour](
                              const JobSpec&,
                              profile::Profiler& profiler) -> Result<std::unique_ptr<inference::InferenceRunner>> {
            return std::unique_ptr<inference::InferenceRunner>(new test::FakeRunner(b, profiler));
        };
        return spec;
    }
};

/// Answers with one instance for each place: node A at the place, node B at (pixel value, 2).
class AroundRunner : public inference::InferenceRunner {
public:
    explicit AroundRunner(models::ModelSpec spec) : m_spec(std::move(spec)) {}
    Result<std::unique_ptr<inference::PendingBatch>> submit(std::span<const ImagePtr>) override {
        return fail(ErrorCode::Internal, "Places are wanted.");
    }
    Result<std::unique_ptr<inference::PendingBatch>> submitAround(
        std::span<const ImagePtr> images, std::span<const std::vector<inference::CentroidPoint>> centroids) override {
        std::size_t slots = 1, crops = 0;
        for (const auto& list : centroids) {
            slots = std::max(slots, list.size());
            crops += list.size();
        }
        auto batch = inference::emptyBatch(models::ModelType::CenteredInstance, images.size(), 2, 0, slots, 0, crops);
        const inference::PackedLayout layout = inference::layoutOf(*batch);
        std::size_t crop = 0;
        for (std::size_t f = 0; f < images.size(); ++f)
            for (std::size_t k = 0; k < centroids[f].size(); ++k, ++crop) {
                const inference::CentroidPoint& at = centroids[f][k];
                const std::array<float, 3> peak = {at.x, at.y, 1};
                const std::array<float, 6> points = {at.x, at.y, 1, static_cast<float>(images[f]->pixels[0]), 2, 1};
                std::copy(peak.begin(), peak.end(),
                          batch->packed.begin() + static_cast<std::ptrdiff_t>(layout.peak(f, 0, k)));
                std::copy(points.begin(), points.end(),
                          batch->packed.begin() + static_cast<std::ptrdiff_t>(layout.cropPoint(crop, 0)));
            }
        return std::unique_ptr<inference::PendingBatch>(std::make_unique<Ready>(std::move(*batch)));
    }
    Result<void> warmUp(int, int, int) override { return {}; }
    Result<double> secondsFor(int, int, int, int) override { return 0.001; }
    const models::ModelSpec& spec() const override { return m_spec; }
    const models::PreprocessSpec& preprocess() const override { return m_spec.preprocess; }
    std::string device() const override { return "fake"; }

private:
    struct Ready final : inference::PendingBatch {
        explicit Ready(inference::HostBatch b) : batch(std::move(b)) {}
        Result<inference::HostBatch> wait() override { return std::move(batch); }
        inference::HostBatch batch;
    };
    models::ModelSpec m_spec;
};

tracking::TrackerOptions trackerOptions() {
    tracking::TrackingFacts facts;
    facts.skeletonNodeCounts = {2};
    auto options = tracking::resolveOptions({}, facts);
    return options ? *options : tracking::TrackerOptions();
}

std::vector<std::int64_t> framesOf(const std::vector<FrameResult>& results) {
    std::vector<std::int64_t> frames;
    for (const FrameResult& result : results)
        frames.push_back(result.frame.frameIndex);
    return frames;
}

/// The picture value that the fake model saw in each result; 0 where nothing was found.
std::vector<int> seenIn(const std::vector<FrameResult>& results) {
    std::vector<int> seen;
    for (const FrameResult& result : results)
        seen.push_back(result.frame.instances.empty() ? 0 : static_cast<int>(result.frame.instances[0].points[0].x));
    return seen;
}

}  // namespace

class TestJob : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pitfall_P10_everyResultBelongsToThePictureItNames_data() {
        QTest::addColumn<int>("batchSize");
        for (const int size : {1, 3, 8})
            QTest::newRow(std::to_string(size).c_str()) << size;
    }
    void pitfall_P10_everyResultBelongsToThePictureItNames() {
        QFETCH(int, batchSize);
        const Bench bench(40);
        JobSpec spec = bench.spec(batchSize);
        spec.sources[0].frames = {5, 6, 30, 2};
        auto job = Job::start(spec);
        QVERIFY(job);
        QCOMPARE((*job)->wait().state, JobState::Finished);
        const auto results = (*job)->takeResults();
        QCOMPARE(framesOf(results), (std::vector<std::int64_t>{5, 6, 30, 2}));
        QCOMPARE(seenIn(results), (std::vector<int>{5, 6, 30, 2}));
    }

    void oneCopyPerBatchAndPartialBatchesCountedApart() {
        const Bench bench(22);
        auto job = Job::start(bench.spec(8));
        QVERIFY(job);
        (*job)->wait();
        const auto progress = (*job)->progress();
        QCOMPARE(progress->profile.batches, std::uint64_t{3});
        QCOMPARE(progress->profile.partialBatches, std::uint64_t{1});
        QCOMPARE(progress->profile.deviceToHost.count, std::uint64_t{3});
        QCOMPARE(progress->profile.frames, std::uint64_t{22});
    }

    void outcomeDoesNotDependOnTheNumberOfHostThreads() {
        const Bench bench(200);
        std::vector<std::vector<FrameResult>> runs;
        for (const int threads : {1, 4}) {
            JobSpec spec = bench.spec(3);
            spec.groupThreads = threads;
            spec.tracking = trackerOptions();
            auto job = Job::start(spec);
            QVERIFY(job);
            QCOMPARE((*job)->wait().state, JobState::Finished);
            runs.push_back((*job)->takeResults());
        }
        QCOMPARE(framesOf(runs[0]), framesOf(runs[1]));
        QCOMPARE(seenIn(runs[0]), seenIn(runs[1]));
        for (std::size_t i = 1; i < runs[0].size(); ++i)
            QCOMPARE(runs[0][i].frame.instances[0].header.track, runs[1][i].frame.instances[0].header.track);
    }

    void framesWithoutInstancesAreResultsToo() {
        const Bench bench(3);
        auto job = Job::start(bench.spec());
        QVERIFY(job);
        (*job)->wait();
        const auto results = (*job)->takeResults();
        QCOMPARE(results.size(), std::size_t{3});
        QVERIFY(results[0].frame.instances.empty());
        QCOMPARE(results[1].frame.instances.size(), std::size_t{1});
    }

    void pitfall_P54_brokenFrameKeepsItsNumberAndTheRunGoesOn() {
        const Bench bench(10);
        bench.video->broken = {0, 4, 9};
        auto job = Job::start(bench.spec());
        QVERIFY(job);
        QCOMPARE((*job)->wait().state, JobState::Finished);
        const auto results = (*job)->takeResults();
        QCOMPARE(framesOf(results), (std::vector<std::int64_t>{1, 2, 3, 5, 6, 7, 8}));
        QCOMPARE(seenIn(results), (std::vector<int>{1, 2, 3, 5, 6, 7, 8}));
        const auto progress = (*job)->progress();
        QCOMPARE(progress->unreadable.size(), std::size_t{3});
        QCOMPARE(progress->framesDone, std::int64_t{10});
    }

    void batchIsCutWhereThePictureSizeChanges() {
        const Bench bench(10);
        bench.video->growsAt = 6;
        auto job = Job::start(bench.spec(4));
        QVERIFY(job);
        (*job)->wait();
        // 4 + 2 of one size, 4 of the other.
        QCOMPARE((*job)->progress()->profile.batches, std::uint64_t{3});
        QCOMPARE((*job)->takeResults().size(), std::size_t{10});
    }

    void pitfall_P57_outOfMemoryHalvesTheBatchAndLosesNothing() {
        const Bench bench(20);
        bench.behaviour->memoryFrames = 2;
        auto job = Job::start(bench.spec(8));
        QVERIFY(job);
        QCOMPARE((*job)->wait().state, JobState::Finished);
        const auto results = (*job)->takeResults();
        QCOMPARE(results.size(), std::size_t{20});
        for (std::size_t i = 0; i < results.size(); ++i)
            QCOMPARE(results[i].frame.frameIndex, static_cast<std::int64_t>(i));
        QVERIFY(!(*job)->progress()->warnings.empty());
    }

    void failureKeepsWhatWasDoneAndNamesTheFirstCause_data() {
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("message");
        QTest::newRow("opening the video") << "open"
                                           << "The file has gone.";
        QTest::newRow("submitting") << "submit"
                                    << "The device fell off.";
        QTest::newRow("fetching") << "wait"
                                  << "The download failed.";
        QTest::newRow("loading the model") << "load"
                                           << "No such model.";
        QTest::newRow("an exception") << "throw"
                                      << "thrown by the device";
    }
    void failureKeepsWhatWasDoneAndNamesTheFirstCause() {
        QFETCH(QString, where);
        QFETCH(QString, message);
        const Bench bench(40);
        JobSpec spec = bench.spec(4);
        std::size_t expected = 0;
        if (where == "open") {
            bench.video->failsToOpen = true;
        } else if (where == "submit") {
            bench.behaviour->failAtBatch = 3;
            expected = 12;
        } else if (where == "wait") {
            bench.behaviour->failWaitAtBatch = 3;
            expected = 12;
        } else if (where == "throw") {
            bench.behaviour->throwing = true;
        } else {
            spec.makeRunner = [](const JobSpec&,
                                 profile::Profiler&) -> Result<std::unique_ptr<inference::InferenceRunner>> {
                return fail(ErrorCode::Model, "No such model.");
            };
        }
        auto job = Job::start(spec);
        QVERIFY(job);
        const JobOutcome outcome = (*job)->wait();
        QCOMPARE(outcome.state, JobState::Failed);
        QVERIFY(outcome.error);
        QVERIFY2(outcome.error->message().find(message.toStdString()) != std::string::npos,
                 outcome.error->message().c_str());
        // A stop may drop batches that were still on their way, never frames in between.
        const auto results = (*job)->takeResults();
        QVERIFY(results.size() <= expected);
        for (std::size_t i = 0; i < results.size(); ++i)
            QCOMPARE(results[i].sequence, static_cast<std::int64_t>(i));
    }

    void pitfall_P53_cancelEndsWithinOneBatchAndKeepsWhatIsDone() {
        const Bench bench(100000);
        bench.behaviour->holdAfter(2);
        auto job = Job::start(bench.spec(4));
        QVERIFY(job);
        QTRY_COMPARE((*job)->progress()->framesDone, std::int64_t{8});
        const int begun = bench.behaviour->batches;
        (*job)->cancel();
        bench.behaviour->release();
        QCOMPARE((*job)->wait().state, JobState::Cancelled);
        QVERIFY((*job)->takeResults().size() >= 8);
        job->reset();
        // The batch on the device may end, another one does not begin.
        QCOMPARE(bench.behaviour->batches.load(), begun);
    }

    void pausedJobStandsStillAndGoesOnWithoutLoss() {
        const Bench bench(2000);
        bench.behaviour->holdAfter(2);
        auto job = Job::start(bench.spec(4));
        QVERIFY(job);
        QTRY_COMPARE((*job)->progress()->framesDone, std::int64_t{8});
        (*job)->setPaused(true);
        bench.behaviour->release();
        // The two batches that are on their way come to rest, and then there is no frame more.
        QTRY_COMPARE((*job)->progress()->framesDone, std::int64_t{16});
        QTest::qWait(100);
        QCOMPARE((*job)->progress()->framesDone, std::int64_t{16});
        QCOMPARE(bench.behaviour->batches.load(), 4);
        QVERIFY((*job)->progress()->paused);
        (*job)->setPaused(false);
        QCOMPARE((*job)->wait().state, JobState::Finished);
        QCOMPARE((*job)->takeResults().size(), std::size_t{2000});
    }

    void pausedJobCanBeCancelledAndDestroyed() {
        const Bench bench(1000);
        bench.behaviour->perBatch = 2ms;
        auto job = Job::start(bench.spec(4));
        QVERIFY(job);
        (*job)->setPaused(true);
        job->reset();
        QVERIFY(true);
    }

    void slowDeviceMakesTheDecoderWait() {
        const Bench bench(1000);
        bench.behaviour->holdAfter(2);
        JobSpec spec = bench.spec(4);
        spec.queueMaxsize = 5;
        auto job = Job::start(spec);
        QVERIFY(job);
        QTRY_COMPARE((*job)->progress()->framesDone, std::int64_t{8});
        // It reads as much as it may, and then no more.
        QTRY_COMPARE((*job)->progress()->decodedQueue.depth, std::size_t{5});
        QTest::qWait(100);
        // Queue, the two batches on the way, and the one frame in the decoder's hand.
        const std::int64_t reads = *bench.video->reads;
        QVERIFY(reads <= (*job)->progress()->framesDone + 5 + 4 * 6 + 1);
        QVERIFY((*job)->progress()->decodedQueue.maxDepth <= 5);
        (*job)->cancel();
        bench.behaviour->release();
    }

    void endIsAnnouncedOnceAfterTheLastResult() {
        const Bench bench(10);
        std::atomic<int> ends{0};
        auto job = Job::start(bench.spec(4), [&ends] { ++ends; });
        QVERIFY(job);
        QTRY_COMPARE(ends.load(), 1);
        QCOMPARE((*job)->takeResults().size(), std::size_t{10});
        job->reset();
        QCOMPARE(ends.load(), 1);
    }

    void impossibleJobsAreRefusedBeforeAnyWork() {
        const Bench bench(10);
        JobSpec none = bench.spec();
        none.sources[0].frames.clear();
        QVERIFY(!Job::start(none));
        JobSpec outside = bench.spec();
        outside.sources[0].frames = {10};
        QVERIFY(!Job::start(outside));
        JobSpec unordered = bench.spec();
        unordered.sources[0].frames = {3, 1};
        unordered.tracking = trackerOptions();
        QVERIFY(!Job::start(unordered));
        JobSpec noModel = bench.spec();
        noModel.models.clear();
        QVERIFY(!Job::start(noModel));
        QCOMPARE(bench.behaviour->batches.load(), 0);
    }

    /// A centered-instance model alone: each frame goes to the runner with its own list of places.
    void givenCentroidsReachTheRunner() {
        const Bench bench(20);
        JobSpec spec = bench.spec(3);
        spec.models[0].type = models::ModelType::CenteredInstance;
        spec.models[0].pafEdges.clear();
        spec.sources[0].frames = {4, 9, 2, 7};
        const auto refused = Job::start(spec);
        QVERIFY(!refused && refused.error().message().find("Give a centroid model too") != std::string::npos);
        spec.sources[0].centroids = {{{4, 1}}, {}, {{2, 1}, {2.5F, 1}}, {{7, 1}}};
        spec.makeRunner = [model = spec.models[0]](const JobSpec&, profile::Profiler&) {
            return Result<std::unique_ptr<inference::InferenceRunner>>(std::make_unique<AroundRunner>(model));
        };
        auto job = Job::start(spec);
        QVERIFY(job);
        QCOMPARE((*job)->wait().state, JobState::Finished);
        const auto results = (*job)->takeResults();
        QCOMPARE(framesOf(results), (std::vector<std::int64_t>{4, 9, 2, 7}));
        QCOMPARE(seenIn(results), (std::vector<int>{4, 0, 2, 7}));
        QCOMPARE(results[2].frame.instances.size(), std::size_t{2});
        QCOMPARE(results[2].frame.instances[1].points[0].x, 2.5);
        QCOMPARE(results[0].frame.instances[0].points[1].x, 4.0);  // the picture that went with it
    }

    void modelsThatDoNotBelongTogether() {
        const Bench bench(5);
        JobSpec spec = bench.spec();
        spec.models.push_back(spec.models[0]);
        const auto job = Job::start(spec);
        QVERIFY(!job && job.error().message().find("Both models are of the type") != std::string::npos);
    }

    void composedLabelsHoldTheUsedTracksInOrderOfFirstUse() {
        std::vector<FrameResult> results(3);
        for (std::size_t i = 0; i < 3; ++i) {
            results[i].frame.frameIndex = static_cast<std::int64_t>(i);
            if (i == 1)
                continue;
            project::InstanceData instance;
            instance.header.track = i == 0 ? 2 : 0;
            instance.points.resize(2);
            results[i].frame.instances.push_back(instance);
        }
        const auto labels = composeLabels({project::Video{}}, test::fakeModel().skeleton, results, {"a", "b", "c"});
        QCOMPARE(labels.frameCount(), std::size_t{3});
        QCOMPARE(labels.tracks().size(), std::size_t{2});
        QCOMPARE(labels.tracks()[0].name, std::string("c"));
        QCOMPARE(labels.frame(2).instance(0).header->track, 1);
        const auto full =
            composeLabels({project::Video{}}, test::fakeModel().skeleton, results, {"a", "b", "c"}, false);
        QCOMPARE(full.frameCount(), std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(TestJob)
#include "tst_job.moc"
