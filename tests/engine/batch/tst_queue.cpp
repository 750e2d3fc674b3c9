// SPDX-License-Identifier: BSD-3-Clause
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <fstream>
#include <set>
#include <thread>

#include "engine/batch/entry_list.h"
#include "engine/batch/model_names.h"
#include "engine/batch/queue.h"
#include "engine/batch/queue_file.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp_diff.h"
#include "engine/pipeline/checkpoint.h"
#include "tests/support/bitmap_folder.h"
#include "tests/support/fake_runner.h"

using namespace skein;
using namespace skein::batch;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

struct Bench {
    QTemporaryDir dir;
    std::shared_ptr<test::FakeBehaviour> behaviour = std::make_shared<test::FakeBehaviour>();
    std::shared_ptr<std::atomic<int>> loads = std::make_shared<std::atomic<int>>(0);

    [[nodiscard]] fs::path path(const std::string& name) const { return fs::path(dir.path().toStdString()) / name; }
    [[nodiscard]] QueueParts parts() const {
        QueueParts parts;
        parts.readModel = [](const fs::path& path) -> Result<models::ModelSpec> {
            models::ModelSpec model = test::fakeModel();
            model.folder = path;
            model.weightsFile = path / "best.ckpt";
            return model;
        };
        parts.loadRunner = [b = behaviour, n = loads](
                               const pipeline::JobSpec&,
                               profile::Profiler& profiler) -> Result<std::unique_ptr<inference::InferenceRunner>> {
            ++*n;
            return std::unique_ptr<inference::InferenceRunner>(new test::FakeRunner(b, profiler));
        };
        return parts;
    }
    [[nodiscard]] Entry entry(const std::string& video, const std::string& output,
                              const std::string& model = "m") const {
        Entry entry;
        entry.data = path(video);
        entry.output = path(output);
        entry.settings.models = {path(model)};
        entry.settings.tracking.emplace();
        return entry;
    }
    /// Holds the next run once so many of its frames are done.
    void holdAt(int frames) const { behaviour->holdAfter(frames / 4); }
    /// From then on batch by batch, so that what was asked of a run reaches it in its middle, until `isOver`.
    void trickle(const std::function<bool()>& isOver) const {
        while (!isOver())
            ++behaviour->heldFrom;
        behaviour->release();
    }
    void finish(Queue& queue) const {
        trickle([&] { return queue.waitFor(kStep); });
    }
    static constexpr std::chrono::milliseconds kStep{150};  // a run looks ten times a second
    /// Frames of rising colours from `first` on.
    void makeVideo(const std::string& name, int frames, int first, const std::set<int>& broken = {}) const {
        std::vector<int> values;
        for (int i = 0; i < frames; ++i)
            values.push_back(broken.count(i) != 0 ? -1 : first + i);
        test::makeBitmapFolder(path(name), values);
    }
};

const Entry& entryOf(const QueueSnapshot& snapshot, std::int64_t id) {
    return *std::find_if(snapshot.entries.begin(), snapshot.entries.end(),
                         [id](const Entry& entry) { return entry.id == id; });
}

}  // namespace

class TestQueue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // I-08: one of twenty videos cannot be read, three models.
    void twentyVideosTimesThreeModels() {
        const Bench bench;
        for (int v = 0; v < 20; ++v)
            if (v != 7)
                bench.makeVideo("v" + std::to_string(v), 6, 10 + v);
        std::ofstream(bench.path("v7")) << "no video";
        auto queue = Queue::open(bench.path("queue.json"), bench.parts());
        QVERIFY(queue);
        for (int v = 0; v < 20; ++v)
            for (int m = 0; m < 3; ++m)
                (*queue)->add(bench.entry("v" + std::to_string(v),
                                          "v" + std::to_string(v) + "." + std::to_string(m) + ".slp",
                                          "m" + std::to_string(m)));
        (*queue)->start();
        (*queue)->wait();
        const QueueSnapshot snapshot = (*queue)->snapshot();
        int done = 0, failed = 0;
        for (const Entry& entry : snapshot.entries) {
            if (entry.state == EntryState::Done) {
                ++done;
                const auto labels = formats::readSlp(entry.output);
                QVERIFY(labels);
                QCOMPARE(labels->frameCount(), std::size_t{6});
                QCOMPARE(entry.framesDone, std::int64_t{6});
            } else {
                ++failed;
                QCOMPARE(entry.state, EntryState::Failed);
                QVERIFY2(entry.reason.find("v7") != std::string::npos, entry.reason.c_str());
                QVERIFY(!fs::exists(entry.output));
            }
            QVERIFY(fs::exists(entry.log));
        }
        QCOMPARE(done, 57);
        QCOMPARE(failed, 3);
        // Loaded once for the queue, whatever the order of videos and models.
        QCOMPARE(bench.loads->load(), 3);
        QCOMPARE(snapshot.problem, std::string());
    }

    void severalVideosAreOneEntryAndTheUnreadableAreNamed() {
        const Bench bench;
        bench.makeVideo("a", 6, 10);
        bench.makeVideo("c", 4, 40);
        std::ofstream(bench.path("b.mp4")) << "no video";
        auto queue = Queue::open(bench.path("queue.json"), bench.parts());
        QVERIFY(queue);
        Entry all = bench.entry("a", "all.slp");
        all.more = {bench.path("b.mp4"), bench.path("c")};
        const auto id = (*queue)->add(all);
        (*queue)->start();
        (*queue)->wait();
        const Entry entry = entryOf((*queue)->snapshot(), id);
        QCOMPARE(entry.state, EntryState::Partly);
        QCOMPARE(entry.framesDone, std::int64_t{10});
        QVERIFY2(entry.reason.find("b.mp4") != std::string::npos, entry.reason.c_str());
        const auto labels = formats::readSlp(entry.output);
        QVERIFY(labels);
        QCOMPARE(labels->videos().size(), std::size_t{2});
        QVERIFY(labels->findFrame(0, 5) && labels->findFrame(1, 3) && !labels->findFrame(1, 4));
        const auto kept = readQueue(bench.path("queue.json"));
        QVERIFY(kept && kept->front().more == all.more);
    }

    void aHeldQueueEndsItsRunAndBeginsNothing() {
        const Bench bench;
        bench.makeVideo("a", 60, 10);
        bench.makeVideo("b", 6, 10);
        bench.holdAt(4);
        auto queue = Queue::open(bench.path("queue.json"), bench.parts());
        QVERIFY(queue);
        (*queue)->add(bench.entry("a", "a.slp"));
        (*queue)->add(bench.entry("b", "b.slp"));
        (*queue)->start();
        QTRY_VERIFY((*queue)->glance().runningId != 0);
        (*queue)->setHeld(true);
        bench.behaviour->release();
        QTRY_VERIFY((*queue)->glance().runningId == 0);
        const QueueSnapshot held = (*queue)->snapshot();
        QCOMPARE(held.entries[0].state, EntryState::Done);
        QCOMPARE(held.entries[1].state, EntryState::Waiting);
        QVERIFY(!(*queue)->waitFor(50ms));
        (*queue)->setHeld(false);
        (*queue)->wait();
        QCOMPARE((*queue)->snapshot().entries[1].state, EntryState::Done);
    }

    void unreadableFramesMakeAnEntryPartlyDone() {
        const Bench bench;
        bench.makeVideo("tail", 12, 10, {9, 10, 11});
        auto queue = Queue::open(bench.path("queue.json"), bench.parts());
        QVERIFY(queue);
        const auto id = (*queue)->add(bench.entry("tail", "tail.slp"));
        (*queue)->start();
        (*queue)->wait();
        const Entry entry = entryOf((*queue)->snapshot(), id);
        // What it cost can still be looked at.
        QCOMPARE((*queue)->glance().lastId, id);
        QVERIFY((*queue)->glance().last.job);
        QCOMPARE((*queue)->glance().last.job->framesDone, entry.framesTotal);
        QVERIFY((*queue)->glance().last.job->profile.threads > 0);
        QCOMPARE(entry.state, EntryState::Partly);
        QVERIFY(entry.reachedEnd);
        QTRY_VERIFY(readQueue(bench.path("queue.json"))->front().reachedEnd);
        QCOMPARE(entry.framesDone, std::int64_t{9});
        QCOMPARE(entry.framesTotal, std::int64_t{12});
        const std::string line = describe(entry);
        QVERIFY2(line.find("partly done 9 of 12: 3 frames could not be read") != std::string::npos &&
                     line.find("9-11") != std::string::npos,
                 line.c_str());
    }

    void theQueueSurvivesARestart() {
        const Bench bench;
        bench.makeVideo("a", 6, 10);
        bench.makeVideo("b", 200, 10);
        bench.makeVideo("c", 6, 10);
        // What it would be without interruption.
        {
            auto queue = Queue::open(bench.path("other.json"), bench.parts());
            QVERIFY(queue);
            (*queue)->add(bench.entry("b", "whole.slp"));
            (*queue)->start();
            (*queue)->wait();
        }
        bench.holdAt(8 + 40);  // two batches of a, ten of b
        {
            auto queue = Queue::open(bench.path("queue.json"), bench.parts());
            QVERIFY(queue);
            for (const char* name : {"a", "b", "c"})
                (*queue)->add(bench.entry(name, std::string(name) + ".slp"));
            // A second process finds it taken.
            const auto second = Queue::open(bench.path("queue.json"), bench.parts());
            QVERIFY(!second);
            QVERIFY2(second.error().message().find("Another run") != std::string::npos,
                     second.error().message().c_str());
            (*queue)->start();
            QTRY_VERIFY((*queue)->snapshot().entries[1].framesDone >= 40);
            // As the file stands now, the process might die.
            const auto stored = readQueue(bench.path("queue.json"));
            QVERIFY(stored);
            QCOMPARE((*stored)[0].state, EntryState::Done);
            QCOMPARE((*stored)[1].state, EntryState::Running);
            QCOMPARE((*stored)[2].state, EntryState::Waiting);
            fs::copy_file(bench.path("queue.json"), bench.path("killed.json"));
            std::atomic<bool> isStopped{false};
            std::thread stopping([&] {
                (*queue)->stop();
                isStopped = true;
            });
            bench.trickle([&] {
                std::this_thread::sleep_for(Bench::kStep);
                return isStopped.load();
            });
            stopping.join();
        }
        auto queue = Queue::open(bench.path("killed.json"), bench.parts());
        QVERIFY(queue);
        QCOMPARE((*queue)->snapshot().entries[1].state, EntryState::Waiting);
        (*queue)->start();
        (*queue)->wait();
        for (const Entry& entry : (*queue)->snapshot().entries)
            QCOMPARE(entry.state, EntryState::Done);
        QVERIFY(!fs::exists(pipeline::checkpointPath(bench.path("b.slp"))));
        const auto difference = formats::diffSlp(bench.path("whole.slp"), bench.path("b.slp"), {.tolerance = 0});
        QVERIFY(difference);
        QVERIFY2(difference->equal, difference->text().c_str());
        std::ifstream log((*queue)->snapshot().entries[1].log);
        const std::string text((std::istreambuf_iterator<char>(log)), {});
        QVERIFY2(text.find("Went on after") != std::string::npos, text.c_str());
    }

    void entriesArePausedCancelledRetriedAndMoved() {
        const Bench bench;
        bench.makeVideo("a", 200, 10);
        bench.makeVideo("b", 6, 10);
        bench.holdAt(12);
        auto opened = Queue::open(bench.path("queue.json"), bench.parts());
        QVERIFY(opened);
        Queue& queue = **opened;
        const auto a = queue.add(bench.entry("a", "a.slp")), b = queue.add(bench.entry("b", "b.slp")),
                   c = queue.add(bench.entry("b", "c.slp")), d = queue.add(bench.entry("b", "d.slp"));
        QVERIFY(queue.move(d, 1));
        QVERIFY(queue.move(d, 0));
        QCOMPARE(queue.snapshot().entries.front().id, d);
        QVERIFY(queue.move(d, 9));
        QCOMPARE(queue.snapshot().entries.back().id, d);
        QVERIFY(queue.remove(c));
        QVERIFY(!queue.remove(c));
        queue.start();
        QTRY_VERIFY(entryOf(queue.snapshot(), a).framesDone >= 12);
        QVERIFY(!queue.remove(a));
        queue.setPaused(true);
        QTRY_VERIFY(queue.snapshot().running.job && queue.snapshot().running.job->paused);
        queue.setPaused(false);
        QVERIFY(queue.cancel(a));
        QVERIFY(queue.cancel(d));
        bench.finish(queue);
        QCOMPARE(entryOf(queue.snapshot(), a).state, EntryState::Cancelled);
        QCOMPARE(entryOf(queue.snapshot(), b).state, EntryState::Done);
        QCOMPARE(entryOf(queue.snapshot(), d).state, EntryState::Cancelled);
        QVERIFY(!fs::exists(bench.path("d.slp")));
        // What was done is saved, and a retry goes on with it.
        const auto part = formats::readSlp(bench.path("a.slp"));
        QVERIFY(part);
        QVERIFY(part->frameCount() >= 12 && part->frameCount() < 200);
        const int batches = bench.behaviour->batches;
        bench.behaviour->perBatch = 5ms;  // long enough in all for a rate
        QVERIFY(queue.retry(a));
        queue.wait();
        QCOMPARE(entryOf(queue.snapshot(), a).state, EntryState::Done);
        QVERIFY(bench.behaviour->batches - batches < 50);
        QCOMPARE(formats::readSlp(bench.path("a.slp"))->frameCount(), std::size_t{200});
        // Its rate is of what the second part has computed.
        const Entry whole = entryOf(queue.snapshot(), a);
        QCOMPARE(whole.framesDone, std::int64_t{200});
        QCOMPARE(whole.framesResumed, static_cast<std::int64_t>(part->frameCount()));
        QCOMPARE(meanRate(whole), static_cast<double>(200 - whole.framesResumed) / whole.seconds);
        QTRY_COMPARE(readQueue(bench.path("queue.json"))->front().framesResumed, whole.framesResumed);
    }

    void ofADiscardedRunNothingStays() {
        const Bench bench;
        bench.makeVideo("a", 200, 10);
        bench.holdAt(12);
        auto opened = Queue::open(bench.path("queue.json"), bench.parts());
        QVERIFY(opened);
        Queue& queue = **opened;
        const auto a = queue.add(bench.entry("a", "a.slp"));
        queue.start();
        QTRY_VERIFY(entryOf(queue.snapshot(), a).framesDone >= 12);
        QVERIFY(queue.cancel(a, Queue::Finished::Discard));
        bench.finish(queue);
        QCOMPARE(entryOf(queue.snapshot(), a).state, EntryState::Cancelled);
        QCOMPARE(entryOf(queue.snapshot(), a).framesDone, std::int64_t{0});
        QVERIFY(!fs::exists(bench.path("a.slp")));
        QVERIFY(!fs::exists(pipeline::checkpointPath(bench.path("a.slp"))));
        // What an earlier part of the same run has saved goes with it.
        bench.holdAt(12);
        QVERIFY(queue.retry(a));
        QTRY_VERIFY(entryOf(queue.snapshot(), a).framesDone >= 12);
        QVERIFY(queue.cancel(a));
        bench.finish(queue);
        QVERIFY(fs::exists(bench.path("a.slp")));
        const auto kept = entryOf(queue.snapshot(), a).framesDone;
        bench.holdAt(12);
        QVERIFY(queue.retry(a));
        QTRY_VERIFY(entryOf(queue.snapshot(), a).framesDone > kept);
        QVERIFY(queue.cancel(a, Queue::Finished::Discard));
        bench.finish(queue);
        QVERIFY(!fs::exists(bench.path("a.slp")));
        // The result of another run is not its own: it stays.
        std::ofstream(bench.path("a.slp")) << "mine";
        Entry other = bench.entry("a", "a.slp");
        other.existing = ExistingOutput::Overwrite;
        bench.holdAt(12);
        const auto b = queue.add(other);
        QTRY_VERIFY(entryOf(queue.snapshot(), b).framesDone >= 12);
        QVERIFY(queue.cancel(b, Queue::Finished::Discard));
        bench.finish(queue);
        QCOMPARE(fs::file_size(bench.path("a.slp")), std::uintmax_t{4});
    }

    void anEntryThatIsStoppedBeforeItGoesOnKeepsOrLosesWhatItHad() {
        const Bench bench;
        bench.makeVideo("a", 200, 10);
        bench.holdAt(12);
        QueueParts parts = bench.parts();
        const auto isOpen = std::make_shared<std::atomic<bool>>(true);
        parts.readModel = [isOpen, read = parts.readModel](const fs::path& path) {
            while (!*isOpen)
                std::this_thread::sleep_for(1ms);
            return read(path);
        };
        auto opened = Queue::open(bench.path("queue.json"), parts);
        QVERIFY(opened);
        Queue& queue = **opened;
        const auto a = queue.add(bench.entry("a", "a.slp"));
        queue.start();
        QTRY_VERIFY(entryOf(queue.snapshot(), a).framesDone >= 12);
        QVERIFY(queue.cancel(a));
        bench.finish(queue);
        const auto kept = entryOf(queue.snapshot(), a).framesDone;
        const auto stopWhileItsModelIsRead = [&](Queue::Finished finished) {
            *isOpen = false;
            const bool began = queue.retry(a) && test::await([&] { return queue.snapshot().runningId == a; }) &&
                               queue.cancel(a, finished);
            *isOpen = true;
            queue.wait();
            return began && entryOf(queue.snapshot(), a).state == EntryState::Cancelled;
        };
        QVERIFY(stopWhileItsModelIsRead(Queue::Finished::Keep));
        QVERIFY(entryOf(queue.snapshot(), a).framesDone >= kept);
        QVERIFY(fs::exists(bench.path("a.slp")) && fs::exists(pipeline::checkpointPath(bench.path("a.slp"))));
        QVERIFY(stopWhileItsModelIsRead(Queue::Finished::Discard));
        QCOMPARE(entryOf(queue.snapshot(), a).framesDone, std::int64_t{0});
        QVERIFY(!fs::exists(bench.path("a.slp")) && !fs::exists(pipeline::checkpointPath(bench.path("a.slp"))));
    }

    void anEntryIsPausedByItselfAndOthersGoOn() {
        const Bench bench;
        bench.makeVideo("a", 200, 10);
        bench.makeVideo("b", 6, 10);
        bench.holdAt(12);
        std::int64_t a = 0, c = 0;
        {
            auto opened = Queue::open(bench.path("queue.json"), bench.parts());
            QVERIFY(opened);
            Queue& queue = **opened;
            a = queue.add(bench.entry("a", "a.slp"));
            const auto b = queue.add(bench.entry("b", "b.slp"));
            c = queue.add(bench.entry("b", "c.slp"));
            QVERIFY(queue.setEntryPaused(c, true));
            queue.start();
            QTRY_VERIFY(entryOf(queue.snapshot(), a).framesDone >= 12);
            QVERIFY(queue.setEntryPaused(a, true));
            bench.finish(queue);
            const QueueSnapshot snapshot = queue.snapshot();
            QCOMPARE(entryOf(snapshot, a).state, EntryState::Waiting);
            QVERIFY(entryOf(snapshot, a).paused && entryOf(snapshot, a).framesDone >= 12);
            QCOMPARE(entryOf(snapshot, b).state, EntryState::Done);
            QVERIFY(!queue.setEntryPaused(b, true));
            QCOMPARE(entryOf(snapshot, c).state, EntryState::Waiting);
        }
        // They stay so over a restart, and go on where they were.
        auto opened = Queue::open(bench.path("queue.json"), bench.parts());
        QVERIFY(opened);
        Queue& queue = **opened;
        queue.start();
        queue.wait();
        QVERIFY(entryOf(queue.snapshot(), a).paused);
        const int batches = bench.behaviour->batches;
        for (const auto id : {a, c})
            QVERIFY(queue.setEntryPaused(id, false));
        queue.wait();
        for (const auto id : {a, c})
            QCOMPARE(entryOf(queue.snapshot(), id).state, EntryState::Done);
        QVERIFY(bench.behaviour->batches - batches < 52);
        QCOMPARE(formats::readSlp(bench.path("a.slp"))->frameCount(), std::size_t{200});
    }

    void outputsThatAreThere_data() {
        QTest::addColumn<int>("existing");
        QTest::newRow("skip") << 0;
        QTest::newRow("overwrite") << 1;
        QTest::newRow("number") << 2;
    }
    void outputsThatAreThere() {
        QFETCH(const int, existing);
        const Bench bench;
        bench.makeVideo("a", 6, 10);
        std::ofstream(bench.path("a.predictions.slp")) << "mine";
        auto queue = Queue::open(bench.path("queue.json"), bench.parts());
        QVERIFY(queue);
        Entry entry = bench.entry("a", "a.predictions.slp");
        entry.existing = static_cast<ExistingOutput>(existing);
        (*queue)->add(entry);
        (*queue)->start();
        (*queue)->wait();
        const Entry after = (*queue)->snapshot().entries.front();
        QCOMPARE(after.state, existing == 0 ? EntryState::Skipped : EntryState::Done);
        QCOMPARE(fs::file_size(bench.path("a.predictions.slp")) == 4, existing != 1);
        QCOMPARE(after.output.filename().string(),
                 std::string(existing == 2 ? "a.predictions.2.slp" : "a.predictions.slp"));
        QVERIFY(existing == 0 || formats::readSlp(after.output));
    }

    void whatAnUnfinishedRunHasLeftIsNoResult() {
        const Bench bench;
        bench.makeVideo("a", 6, 10);
        std::ofstream(bench.path("a.predictions.slp")) << "a part";
        std::ofstream(pipeline::checkpointPath(bench.path("a.predictions.slp"))) << "of it";
        auto queue = Queue::open(bench.path("queue.json"), bench.parts());
        QVERIFY(queue);
        (*queue)->add(bench.entry("a", "a.predictions.slp"));
        (*queue)->start();
        (*queue)->wait();
        const Entry after = (*queue)->snapshot().entries.front();
        QVERIFY2(after.state == EntryState::Done, after.reason.c_str());
        QCOMPARE(formats::readSlp(after.output)->frameCount(), std::size_t{6});
    }

    void aRunnerThatFailedIsNotUsedAgain() {
        const Bench bench;
        bench.makeVideo("a", 12, 10);
        bench.behaviour->failAtBatch = 1;
        auto queue = Queue::open(bench.path("queue.json"), bench.parts());
        QVERIFY(queue);
        (*queue)->add(bench.entry("a", "a.slp"));
        (*queue)->add(bench.entry("a", "b.slp"));
        (*queue)->start();
        (*queue)->wait();
        const QueueSnapshot snapshot = (*queue)->snapshot();
        QVERIFY2(snapshot.entries[0].reason.find("fell off") != std::string::npos, snapshot.entries[0].reason.c_str());
        QVERIFY(!snapshot.entries[0].reachedEnd && snapshot.entries[1].reachedEnd);
        QCOMPARE(snapshot.entries[1].state, EntryState::Done);
        QCOMPARE(bench.loads->load(), 2);
    }

    void outputsAreNamedApart() {
        std::vector<Entry> entries(5);
        const char* data[] = {"/v/a.mp4", "/v/b.mp4", "/v/b.avi", "/w/c.mp4", "/v/c.mp4"};
        for (std::size_t i = 0; i < entries.size(); ++i) {
            entries[i].data = data[i];
            entries[i].settings.models = {"/models/m"};
        }
        QVERIFY(nameOutputs(entries, "/out"));
        const auto name = [&](std::size_t i) { return entries[i].output.filename().string(); };
        QCOMPARE(name(0), std::string("a.predictions.slp"));
        QCOMPARE(name(1), std::string("b.mp4.predictions.slp"));
        QCOMPARE(name(2), std::string("b.avi.predictions.slp"));
        QCOMPARE(name(3), std::string("c.w.predictions.slp"));
        QCOMPARE(name(4), std::string("c.v.predictions.slp"));
        // As many folders as it takes, and a number where nothing else differs.
        std::vector<Entry> days(4);
        const char* cameras[] = {"/may/left/c.mp4", "/may/right/c.mp4", "/june/left/c.mp4", "/may/left/c.mp4"};
        for (std::size_t i = 0; i < days.size(); ++i)
            days[i].data = cameras[i];
        QVERIFY(nameOutputs(days, "/out"));
        std::set<std::string> apart;
        for (const Entry& entry : days)
            apart.insert(entry.output.filename().string());
        QCOMPARE(apart, (std::set<std::string>{"c.may-left.1.predictions.slp", "c.may-right.predictions.slp",
                                               "c.june-left.predictions.slp", "c.may-left.2.predictions.slp"}));
        std::vector<Entry> models(2);
        models[0].data = models[1].data = "/v/a.mp4";
        models[0].settings.models = {"/models/one/best.ckpt"};
        models[1].settings.models = {"/models/two"};
        QVERIFY(nameOutputs(models, "/out"));
        QCOMPARE(models[1].output.filename().string(), std::string("a.two.predictions.slp"));
        // Never over what is read.
        std::vector<Entry> own(1);
        own[0].data = own[0].output = "/v/a.slp";
        QVERIFY(!nameOutputs(own, "/out"));
        QVERIFY(!nameOutputs(models, "/out", "results.slp"));
    }

    void unknownPlaceholdersAreRefusedWithTheKnownOnes() {
        std::vector<Entry> entries(1);
        entries[0].data = "/v/day {model}.mp4";
        entries[0].settings.models = {"/models/m"};
        for (const char* pattern : {"{video}.{date}.slp", "{Video}.slp", "{}{video}.slp"}) {
            const auto named = nameOutputs(entries, "/out", pattern);
            QVERIFY2(!named, pattern);
            const std::string& said = named.error().message();
            QVERIFY2(said.find("{video}") != std::string::npos && said.find("{model}") != std::string::npos,
                     said.c_str());
        }
        // A name of a video is no pattern.
        QVERIFY(nameOutputs(entries, "/out", "{model}.{video}.slp"));
        QCOMPARE(entries[0].output.string(), std::string("/out/m.day {model}.slp"));
    }

    void modelsAreNamedAsShortAsTellsThemApart() {
        const auto names = modelNames({{"/may/bottomup"},
                                       {"/june/bottomup/best.ckpt"},
                                       {"/may/centroid"},
                                       {"/may/centroid", "/may/instance"},
                                       {"/june/centroid", "/may/instance"}});
        QCOMPARE(names.at({"/may/bottomup"}), std::string("may/bottomup"));
        QCOMPARE(names.at({"/june/bottomup/best.ckpt"}), std::string("june/bottomup"));
        QCOMPARE(names.at({"/may/centroid"}), std::string("centroid"));
        std::set<std::string> apart;
        for (const auto& [paths, name] : names)
            apart.insert(name);
        QCOMPARE(apart.size(), names.size());
        QCOMPARE(modelNames({{"/may/bottomup"}}).begin()->second, std::string("bottomup"));
    }

    void videosOfSubfoldersAreTakenOrCounted() {
        const Bench bench;
        for (const char* folder : {"videos/b/deep", "videos/a", "videos/.hidden"})
            fs::create_directories(bench.path(folder));
        for (const char* file : {"videos/top.mp4", "videos/b/deep/one.MP4", "videos/a/one.avi", "videos/a/notes.txt",
                                 "videos/.hidden/not.mp4"})
            std::ofstream(bench.path(file)) << "x";
        fs::create_directory_symlink(bench.path("videos"), bench.path("videos/a/again"));
        const auto top = videosIn(bench.path("videos"), Subfolders::LeaveOut);
        QVERIFY(top);
        QCOMPARE(top->videos, (std::vector<fs::path>{bench.path("videos/top.mp4")}));
        QCOMPARE(top->leftOut, std::int64_t{2});
        const auto all = videosIn(bench.path("videos"), Subfolders::Take);
        QVERIFY(all);
        QCOMPARE(all->videos, (std::vector<fs::path>{bench.path("videos/top.mp4"), bench.path("videos/a/one.avi"),
                                                     bench.path("videos/b/deep/one.MP4")}));
        QCOMPARE(all->leftOut, std::int64_t{0});
        QVERIFY(!videosIn(bench.path("none"), Subfolders::Take));
    }

    void filesThatAPersonWrites() {
        const QTemporaryDir dir;
        const fs::path file = dir.filePath("jobs.json").toStdString();
        const auto read = [&](const std::string& text, const Entry& usual = {}) {
            std::ofstream(file) << text;
            return readQueue(file, usual);
        };
        Entry usual;
        usual.settings.models = {"/m"};
        const auto entries = read(R"([{"data": "a.mp4"}, {"video": "/b.mp4", "models": ["x", "/y"],
            "inference": {"batch_size": 8}, "tracking": {"features": "centroids"}, "existing": "number",
            "decoder": "gpu"}])",
                                  usual);
        QVERIFY2(entries, entries ? "" : entries.error().describe().c_str());
        QCOMPARE(entries->size(), std::size_t{2});
        QCOMPARE(entries->at(0).data, fs::path(dir.path().toStdString()) / "a.mp4");
        QCOMPARE(entries->at(0).settings.models.front(), fs::path("/m"));
        QCOMPARE(entries->at(1).settings.models.size(), std::size_t{2});
        QCOMPARE(entries->at(1).settings.inference.batchSize, 8);
        QVERIFY(entries->at(1).settings.tracking->feature == tracking::Feature::Centroids);
        QCOMPARE(entries->at(1).existing, ExistingOutput::Number);
        QVERIFY(entries->at(0).settings.decoder == video::DecoderChoice::Processor);
        QVERIFY(entries->at(1).settings.decoder == video::DecoderChoice::Gpu);
        const std::pair<const char*, const char*> wrong[] = {
            {"no json", "JSON"},
            {"{}", "entries"},
            {"3", "entries"},
            {R"([{"models": []}])", "\"data\""},
            {R"([{"data": "a", "inference": {"batch": 4}}])", "batch"},
            {R"([{"data": "a", "inference": {"batch_size": -1}}])", "batch_size"},
            {R"([{"data": 3}])", "entry 1"},
            {R"([{"data": "a", "decoder": "magic"}])", "magic"},
            {R"([{"data": "a"}, {"data": "b", "existing": "ask"}])", "ask"},
            {R"({"format": "skein-queue", "version": 99, "entries": []})", "another version"},
        };
        for (const auto& [text, said] : wrong) {
            const auto refused = read(text);
            QVERIFY2(!refused, text);
            QVERIFY2(refused.error().describe().find(said) != std::string::npos, refused.error().describe().c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestQueue)
#include "tst_queue.moc"
