// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/formats/slp_diff.h"
#include "engine/pipeline/checkpoint.h"
#include "engine/pipeline/options_json.h"
#include "engine/pipeline/prediction_run.h"
#include "tests/support/bitmap_folder.h"
#include "tests/support/fake_runner.h"

using namespace skein;
using namespace skein::pipeline;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

FrameResult frameOf(std::int64_t sequence, int instances) {
    FrameResult result{sequence, {}};
    result.frame.frameIndex = 100 + sequence;
    result.frame.video = 1;
    for (int i = 0; i < instances; ++i) {
        project::InstanceData instance;
        instance.header.score = 0.25F * static_cast<float>(i + 1);
        instance.header.trackingScore = i == 0 ? 0.5F : std::numeric_limits<float>::quiet_NaN();
        instance.header.track = i - 1;
        instance.points = {{1.5 + i, 2.25, 0.75, true, false}, {}};
        instance.points[1].score = 0.125;
        result.frame.instances.push_back(instance);
    }
    return result;
}

bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool same(const FrameResult& a, const FrameResult& b) {
    if (a.sequence != b.sequence || a.frame.frameIndex != b.frame.frameIndex || a.frame.video != b.frame.video ||
        a.frame.instances.size() != b.frame.instances.size())
        return false;
    for (std::size_t i = 0; i < a.frame.instances.size(); ++i) {
        const project::InstanceData &x = a.frame.instances[i], &y = b.frame.instances[i];
        if (x.header.score != y.header.score || x.header.track != y.header.track ||
            !same(static_cast<double>(x.header.trackingScore), static_cast<double>(y.header.trackingScore)) ||
            x.points.size() != y.points.size())
            return false;
        for (std::size_t n = 0; n < x.points.size(); ++n)
            if (!same(x.points[n].x, y.points[n].x) || !same(x.points[n].y, y.points[n].y) ||
                !same(x.points[n].score, y.points[n].score) || x.points[n].visible != y.points[n].visible)
                return false;
    }
    return true;
}

/// A file of two records; returns the frames.
std::vector<FrameResult> writeTwo(const fs::path& file) {
    std::vector<FrameResult> frames{frameOf(0, 2), frameOf(1, 0), frameOf(3, 1)};
    auto writer = CheckpointWriter::create(file, "{\"run\":1}");
    if (!writer || !writer->add(std::span(frames).first(2), 2) || !writer->add(std::span(frames).subspan(2), 5))
        return {};
    return frames;
}

/// A run over a folder of pictures by the fake model.
struct Bench {
    QTemporaryDir dir;
    std::shared_ptr<test::FakeBehaviour> behaviour = std::make_shared<test::FakeBehaviour>();
    std::vector<int> values;

    explicit Bench(int frames) {
        // Positions that walk, jump and vanish, so that tracks end, begin and are taken up again.
        for (int i = 0; i < frames; ++i)
            values.push_back(i % 11 == 7 ? -1 : i % 13 < 3 ? 0 : 20 + (i * 3) % 60 + (i % 17 == 5 ? 100 : 0));
        test::makeBitmapFolder(path("video"), values);
    }
    [[nodiscard]] fs::path path(const char* name) const { return fs::path(dir.path().toStdString()) / name; }
    /// The run gets three batches further with every look at it, so that it never runs away from who watches.
    [[nodiscard]] RunObserver paced(RunObserver observe) const {
        behaviour->holdAfter(2);
        return [b = behaviour, observe = std::move(observe)](const RunStatus& status) {
            b->holdAfter(2);
            return observe(status);
        };
    }
    /// Goes on until so many frames are done in all, then asks to stop.
    [[nodiscard]] RunObserver stopAfter(std::int64_t frames) const {
        return paced([frames](const RunStatus& status) {
            // A broken frame is done as soon as it is met, before those in front of it have been predicted.
            const std::int64_t predicted = status.job->framesDone - std::ssize(status.job->unreadable);
            return predicted >= frames ? RunWish::Cancel : RunWish::GoOn;
        });
    }
    [[nodiscard]] PredictionRequest request(const char* output, const tracking::TrackerOptions* tracker) const {
        PredictionRequest request;
        request.models = {test::fakeModel()};
        request.input.data = path("video");
        request.output = path(output);
        request.inference.batchSize = 4;
        if (tracker != nullptr) {
            tracking::TrackingFacts facts;
            facts.skeletonNodeCounts = {2};
            auto resolved = tracking::resolveOptions(*tracker, facts);
            if (resolved)
                request.tracking = *resolved;
        }
        request.makeRunner = [b = behaviour](
                                 const JobSpec&,
                                 profile::Profiler& profiler) -> Result<std::unique_ptr<inference::InferenceRunner>> {
            return std::unique_ptr<inference::InferenceRunner>(new test::FakeRunner(b, profiler));
        };
        return request;
    }
};

Result<PredictionOutcome> execute(PredictionRequest request, const RunObserver& observe = {}) {
    auto run = PredictionRun::open(std::move(request));
    if (!run)
        return fail(run.error());
    return (*run)->execute(observe);
}

std::string differenceOf(const fs::path& a, const fs::path& b) {
    const auto difference = formats::diffSlp(a, b, {.tolerance = 0, .scoreTolerance = 0});
    if (!difference)
        return difference.error().describe();
    return difference->equal ? std::string() : difference->text();
}

}  // namespace

class TestResume : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsReadBack() {
        const QTemporaryDir dir;
        const fs::path file = dir.filePath("run.unfinished").toStdString();
        const auto frames = writeTwo(file);
        QCOMPARE(frames.size(), std::size_t{3});
        const auto read = readCheckpoint(file);
        QVERIFY(read);
        QCOMPARE(read->identity, std::string("{\"run\":1}"));
        QCOMPARE(read->through, std::int64_t{5});
        QCOMPARE(read->validBytes, fs::file_size(file));
        QCOMPARE(read->frames.size(), frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i)
            QVERIFY(same(read->frames[i], frames[i]));
        QCOMPARE(checkpointProgress(file).value_or(-1), std::int64_t{5});
    }

    // A crash may end the file anywhere: what was whole before stays, and the next writer goes on behind it.
    void aFileThatEndsAnywhereKeepsItsWholeRecords() {
        const QTemporaryDir dir;
        const fs::path whole = dir.filePath("whole").toStdString(), cut = dir.filePath("cut").toStdString();
        const auto frames = writeTwo(whole);
        const auto size = fs::file_size(whole);
        std::set<std::int64_t> seen;
        for (std::uintmax_t at = 0; at < size; ++at) {
            fs::copy_file(whole, cut, fs::copy_options::overwrite_existing);
            fs::resize_file(cut, at);
            const auto read = readCheckpoint(cut);
            if (!read) {
                QCOMPARE(read.error().code(), ErrorCode::Format);
                continue;
            }
            seen.insert(read->through);
            QVERIFY(read->validBytes <= at);
            auto writer = CheckpointWriter::resume(cut, *read);
            QVERIFY(writer);
            const FrameResult next = frameOf(7, 1);
            QVERIFY(writer->add({&next, 1}, 8));
            const auto again = readCheckpoint(cut);
            QVERIFY(again);
            QCOMPARE(again->through, std::int64_t{8});
            QCOMPARE(again->frames.size(), read->frames.size() + 1);
        }
        QCOMPARE(seen, (std::set<std::int64_t>{0, 2}));
    }

    void damagedBytesAreNotBelieved() {
        const QTemporaryDir dir;
        const fs::path whole = dir.filePath("whole").toStdString(), bent = dir.filePath("bent").toStdString();
        const auto frames = writeTwo(whole);
        const auto size = fs::file_size(whole);
        for (std::uintmax_t at = 0; at < size; ++at) {
            fs::copy_file(whole, bent, fs::copy_options::overwrite_existing);
            {
                std::fstream file(bent, std::ios::binary | std::ios::in | std::ios::out);
                file.seekg(static_cast<std::streamoff>(at));
                const int byte = file.get();
                file.seekp(static_cast<std::streamoff>(at));
                file.put(static_cast<char>(byte ^ 0x55));
            }
            const auto read = readCheckpoint(bent);
            if (!read)
                continue;
            QVERIFY(read->frames.size() <= frames.size());
            for (std::size_t i = 0; i < read->frames.size(); ++i)
                QVERIFY(same(read->frames[i], frames[i]));
        }
    }

    void optionsSurviveAsJson() {
        inference::InferenceOptions options;
        options.peakThreshold = 0.1 + 0.2;
        options.cropSize = 160;
        options.anchorPart = "thorax";
        options.filters.overlapMethod = inference::OverlapMethod::Oks;
        const auto json = optionsJson(options);
        const auto back = inferenceOptionsFrom(json);
        QVERIFY(back);
        QCOMPARE(optionsJson(*back).dump(), json.dump());
        QCOMPARE(back->peakThreshold, options.peakThreshold);
        QVERIFY(!back->maxHeight);

        tracking::TrackerOptions tracker;
        tracker.tracker = tracking::TrackerKind::OcSort;
        tracker.kalmanNodes = {0, 3};
        tracker.maxTracks = 4;
        tracker.mot.similarity = tracking::MotSimilarity::Centroid;
        tracker.mot.useByte = true;
        tracker.scoring = tracking::ScoringMethod::EuclideanDistance;
        const auto trackerBack = trackerOptionsFrom(optionsJson(tracker));
        QVERIFY(trackerBack);
        QVERIFY(*trackerBack == tracker);

        for (const char* wrong : {R"({"batch_size": "four"})", R"({"batch_size": 99999999999})", R"({"bach_size": 4})",
                                  R"({"filter_overlapping_method": "ios"})", "[]"})
            QVERIFY(!inferenceOptionsFrom(nlohmann::ordered_json::parse(wrong)));
    }

    // I-06: stopped anywhere and resumed, a run ends as if nothing had happened, whatever the tracker.
    void resumeEqualsAnUninterruptedRun_data() {
        QTest::addColumn<QString>("tracker");
        for (const char* tracker : {"none", "classic", "queues", "flow", "kalman", "sort", "linked"})
            QTest::newRow(tracker) << tracker;
    }
    void resumeEqualsAnUninterruptedRun() {
        QFETCH(const QString, tracker);
        tracking::TrackerOptions options;
        if (tracker == "queues") {
            options.candidates = tracking::CandidateMethod::LocalQueues;
            options.maxTracks = 3;
        } else if (tracker == "flow") {
            options.useFlow = true;
        } else if (tracker == "kalman") {
            options.useKalman = true;
            options.targetInstanceCount = 1;
        } else if (tracker == "sort") {
            options.tracker = tracking::TrackerKind::Sort;
            options.mot.similarity = tracking::MotSimilarity::Centroid;
            options.mot.bodySize = 60;
            options.mot.minHits = 1;
        } else if (tracker == "linked") {
            options.linkTracklets = true;
            options.maxTracks = 2;
        }
        const tracking::TrackerOptions* used = tracker == "none" ? nullptr : &options;
        const Bench bench(120);
        const auto whole = execute(bench.request("whole.slp", used));
        QVERIFY2(whole, whole ? "" : whole.error().describe().c_str());
        QVERIFY(used == nullptr || whole->tracks > 0);
        QVERIFY(!fs::exists(checkpointPath(bench.path("whole.slp"))));
        std::int64_t resumed = 0;
        for (const int stopAt : {1, 30, 77}) {
            auto request = bench.request("part.slp", used);
            request.resume = true;
            const auto part = execute(request, bench.stopAfter(stopAt));
            QVERIFY2(part, part ? "" : part.error().describe().c_str());
            QCOMPARE(part->state, JobState::Cancelled);
            QVERIFY(part->progress->framesResumed >= resumed);
            resumed = part->progress->framesResumed;
            QVERIFY(fs::exists(checkpointPath(bench.path("part.slp"))));
        }
        bench.behaviour->release();
        const int before = bench.behaviour->batches;
        auto request = bench.request("part.slp", used);
        request.resume = true;
        const auto last = execute(request);
        QVERIFY(last);
        QCOMPARE(last->state, JobState::Finished);
        QVERIFY(last->progress->framesResumed >= 77);
        QCOMPARE(last->progress->framesDone, std::int64_t{120});
        QVERIFY(bench.behaviour->batches - before < 12);
        QCOMPARE(last->progress->unreadable, whole->progress->unreadable);
        QCOMPARE(differenceOf(bench.path("whole.slp"), bench.path("part.slp")), std::string());
        QVERIFY(!fs::exists(checkpointPath(bench.path("part.slp"))));
    }

    // At most a poll old: far within 30 seconds or 5,000 frames.
    void whatIsFoundIsOnDiskAtOnce() {
        const Bench bench(80);
        const fs::path file = checkpointPath(bench.path("out.slp"));
        std::int64_t before = 0;
        int looked = 0;
        const auto look = [&](const RunStatus& status) {
            if (status.job->state == JobState::Running && before > 0) {
                // What was done one poll ago.
                const auto kept = checkpointProgress(file);
                if (!kept || *kept < before)
                    return RunWish::Cancel;
                ++looked;
            }
            // Frames that could not be read count as done before their batch is.
            before = std::max<std::int64_t>(0, status.job->framesDone - 8);
            return RunWish::GoOn;
        };
        const auto outcome = execute(bench.request("out.slp", nullptr), bench.paced(look));
        QVERIFY(outcome);
        QCOMPARE(outcome->state, JobState::Finished);
        QVERIFY(looked >= 2);
    }

    void aFailedRunKeepsWhatIsDoneAndGoesOn() {
        const Bench bench(60);
        const auto whole = execute(bench.request("whole.slp", nullptr));
        QVERIFY(whole);
        bench.behaviour->batches = 0;
        bench.behaviour->failAtBatch = 5;
        // What is still on its way when it fails is computed again: it fails once something is done.
        bench.behaviour->heldFrom = 5;
        const auto failed = execute(bench.request("part.slp", nullptr), [&](const RunStatus& status) {
            if (status.job->instances > 0)
                bench.behaviour->release();
            return RunWish::GoOn;
        });
        QVERIFY(failed);
        QCOMPARE(failed->state, JobState::Failed);
        QVERIFY(failed->error);
        QVERIFY(failed->frames > 0);
        bench.behaviour->failAtBatch = -1;
        auto request = bench.request("part.slp", nullptr);
        request.resume = true;
        const auto last = execute(request);
        QVERIFY(last);
        QVERIFY(last->progress->framesResumed > 0);
        QCOMPARE(differenceOf(bench.path("whole.slp"), bench.path("part.slp")), std::string());
    }

    void anUnfinishedRunOfOtherOptionsIsNotGoneOnWith() {
        const Bench bench(60);
        QVERIFY(execute(bench.request("part.slp", nullptr), bench.stopAfter(20)));
        bench.behaviour->release();
        auto request = bench.request("part.slp", nullptr);
        request.resume = true;
        request.inference.peakThreshold = 0.3;
        request.inference.device = "cpu";
        const auto other = execute(request);
        QVERIFY(other);
        QCOMPARE(other->progress->framesResumed, std::int64_t{0});
        QVERIFY(!other->notes.empty());
        QVERIFY2(other->notes.front().find("other options (peak_threshold)") != std::string::npos,
                 other->notes.front().c_str());
    }

    // Stretches computed apart and tracked together are one run.
    void shardsTogetherEqualTheWholeRun() {
        const Bench bench(100);
        tracking::TrackerOptions options;
        const auto whole = execute(bench.request("whole.slp", &options));
        QVERIFY(whole);
        const std::vector<Shard> shards{
            {bench.path("a"), 0, 32}, {bench.path("b"), 32, 64}, {bench.path("c"), 64, 100}};
        for (const Shard& shard : shards) {
            auto run = PredictionRun::open(bench.request("never.slp", &options));
            QVERIFY(run);
            if (&shard == &shards[1]) {
                // Killed once, and begun again: it goes on where it was.
                auto first = PredictionRun::open(bench.request("never.slp", &options));
                QVERIFY(first);
                QVERIFY((*first)->executeShard(shard, bench.stopAfter(8)));
                bench.behaviour->release();
                auto early = PredictionRun::open(bench.request("sharded.slp", &options));
                const auto refused = (*early)->takeShards(shards);
                QVERIFY(!refused);
                QVERIFY2(refused.error().message().find("not complete") != std::string::npos,
                         refused.error().message().c_str());
            }
            const auto outcome = (*run)->executeShard(shard, {});
            QVERIFY2(outcome, outcome ? "" : outcome.error().describe().c_str());
            QCOMPARE(outcome->state, JobState::Finished);
            QCOMPARE(outcome->progress->framesResumed > 0, &shard == &shards[1]);
        }
        bench.behaviour->failAtBatch = bench.behaviour->batches;  // gathering needs no model
        auto run = PredictionRun::open(bench.request("sharded.slp", &options));
        QVERIFY(run);
        const auto taken = (*run)->takeShards(shards);
        QVERIFY2(taken, taken ? "" : taken.error().describe().c_str());
        const auto outcome = (*run)->execute({});
        QVERIFY(outcome);
        QCOMPARE(outcome->state, JobState::Finished);
        QCOMPARE(differenceOf(bench.path("whole.slp"), bench.path("sharded.slp")), std::string());
        QVERIFY(!fs::exists(bench.path("never.slp")));
    }
};

QTEST_GUILESS_MAIN(TestResume)
#include "tst_resume.moc"
