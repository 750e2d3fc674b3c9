// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/formats/slp.h"
#include "engine/pipeline/checkpoint.h"
#include "tests/app/command_runner.h"
#include "tests/support/video_maker.h"

using namespace skein;
using test::commandPath;
using test::differenceOf;
using test::killWhen;
using test::Outcome;
using test::runCommand;
using test::text;
namespace fs = std::filesystem;

namespace {

const fs::path kVideo = test::samplePath("synthetic_6.mp4");
const fs::path kModel = test::samplePath("synthetic_bottomup");

/// Makes the packets of the last `frames` frames unreadable, and leaves the rest of the file as it is.
void breakTail(const fs::path& video, std::size_t frames) {
    auto packets = test::packetPlaces(video);
    std::sort(packets.begin(), packets.end(), [](const auto& a, const auto& b) { return a.pos < b.pos; });
    for (std::size_t i = packets.size() - frames; i < packets.size(); ++i)
        test::overwrite(video, packets[i].pos, packets[i].size);
}

std::int64_t framesKept(const fs::path& output) {
    return pipeline::checkpointProgress(pipeline::checkpointPath(output)).value_or(0);
}

}  // namespace

class TestBatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // I-06: killed at a random time, three times over, a run that is resumed ends as one that was left alone.
    void aKilledRunGoesOnAsIfNothingHadHappened() {
        const QTemporaryDir dir;
        const fs::path whole = dir.filePath("whole.slp").toStdString(), part = dir.filePath("part.slp").toStdString();
        const QStringList run{"predict",       "-i",  text(kVideo), "-m", text(kModel), "--frames", "0-119",
                              "--input_scale", "1.0", "--tracking", "-b", "4",          "--quiet",  "-o"};
        const Outcome undisturbed = runCommand(run + QStringList{text(whole)});
        QVERIFY2(undisturbed.exitCode == 0, qPrintable(undisturbed.err));
        const auto seed = std::random_device{}();
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        std::int64_t kept = 0;
        for (int kill = 0; kill < 3; ++kill) {
            const std::int64_t until = kept + 1 + static_cast<std::int64_t>(random() % 30);
            if (until > 90)
                break;  // it would be over, or about to be saved, by the time that it is killed
            if (!killWhen(run + QStringList{text(part), "--resume"}, [&] { return framesKept(part) >= until; }))
                break;  // it was faster
            QVERIFY(framesKept(part) >= until);
            kept = framesKept(part);
            QVERIFY(!fs::exists(part));
        }
        QVERIFY(kept > 0);
        QStringList loud = run;
        loud.removeAll("--quiet");
        const Outcome resumed = runCommand(loud + QStringList{text(part), "--resume"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err));
        if (fs::exists(part) && kept < 120)
            QVERIFY2(resumed.out.contains("Resumed     after"), qPrintable(resumed.out));
        QCOMPARE(differenceOf(whole, part), QString());
        QVERIFY(!fs::exists(pipeline::checkpointPath(part)));
    }

    // Acceptance: twenty videos (three unreadable, one with a broken tail, one of no frames) and two models; killed in
    // the middle and started again.
    void aNightOfTwentyVideosAndTwoModels() {
        const QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString(), videos = folder / "videos", out = folder / "out";
        fs::create_directories(videos);
        for (int i = 0; i < 20; ++i)
            fs::copy_file(kVideo, videos / ("v" + std::to_string(i) + ".mp4"));
        for (const char* name : {"v3.mp4", "v7.mp4", "v11.mp4", "v14.mp4", "v16.mp4"})
            fs::permissions(videos / name, fs::perms::owner_write, fs::perm_options::add);
        fs::resize_file(videos / "v3.mp4", 0);
        test::writeText(videos / "v7.mp4", "This was never a video.");
        test::cutTo(videos / "v11.mp4", 0.4);  // the index was at the end
        breakTail(videos / "v14.mp4", 8);
        test::VideoSpec none;
        none.frames = 0;
        if (!test::makeVideo(videos / "v16.mp4", none))
            QSKIP("this FFmpeg has no H.264 encoder");
        const fs::path second = folder / "second_model";
        fs::copy(kModel, second, fs::copy_options::recursive);

        nlohmann::json list = nlohmann::json::array();
        const auto framesOf = [](int video) {
            // Of the broken one, those at its end.
            const int first = video == 14 ? 284 : 14 * video;
            return std::to_string(first) + "-" + std::to_string(video == 14 ? 299 : first + 13);
        };
        for (int model = 0; model < 2; ++model)
            for (int i = 0; i < 20; ++i) {
                nlohmann::json entry{{"data", (videos / ("v" + std::to_string(i) + ".mp4")).string()},
                                     {"models", {(model == 0 ? kModel : second).string()}},
                                     {"frames", framesOf(i)}};
                if (model == 1)
                    entry["inference"] = {{"peak_threshold", 0.3}, {"batch_size", 3}};
                list.push_back(std::move(entry));
            }
        const fs::path jobs = folder / "jobs.json";
        test::writeText(jobs, list.dump());

        const QStringList command{"batch", text(jobs), "-o", text(out), "--tracking", "--quiet", "--json"};
        const auto slpCount = [&] {
            std::error_code ec;
            int count = 0;
            for (fs::directory_iterator it(out, ec), end; !ec && it != end; it.increment(ec))
                count += it->path().extension() == ".slp" ? 1 : 0;
            return count;
        };
        QVERIFY(killWhen(command, [&] { return slpCount() >= 9; }));
        const int before = slpCount();
        QVERIFY(before >= 9 && before < 34);
        const Outcome rest = runCommand(command + QStringList{"--resume"});
        QVERIFY2(rest.exitCode == 1, qPrintable(QString::number(rest.exitCode) + rest.err));
        const auto json = nlohmann::json::parse(rest.out.toStdString());
        QCOMPARE(json.at("entries").size(), std::size_t{40});
        int index = 0, done = 0, failed = 0, part = 0;
        for (const auto& entry : json.at("entries")) {
            const int video = index % 20, model = index++ / 20;
            const std::string state = entry.at("state"), reason = entry.at("reason");
            const fs::path output = entry.at("output").get<std::string>();
            if (video == 3 || video == 7 || video == 11 || video == 16) {
                QCOMPARE(state, std::string("failed"));
                QVERIFY2(reason.find("v" + std::to_string(video) + ".mp4") != std::string::npos && reason.size() > 20,
                         reason.c_str());
                QVERIFY(!fs::exists(output));
                ++failed;
                continue;
            }
            QVERIFY2(state == (video == 14 ? "partly done" : "done"), (state + reason).c_str());
            if (video == 14) {
                ++part;
                QVERIFY2(reason.find("could not be read") != std::string::npos, reason.c_str());
                QVERIFY(entry.at("frames_done").get<int>() >= 8 && entry.at("frames_done").get<int>() < 16);
                QCOMPARE(entry.at("frames_total").get<int>(), 16);
            } else {
                ++done;
            }
            // I-09: equal to a run of its own.
            const fs::path alone = folder / "alone.slp";
            QStringList single{"predict",
                               "-i",
                               text(videos / ("v" + std::to_string(video) + ".mp4")),
                               "-m",
                               text(model == 0 ? kModel : second),
                               "--frames",
                               QString::fromStdString(framesOf(video)),
                               "--tracking",
                               "--quiet",
                               "-o",
                               text(alone)};
            if (model == 1)
                single << "--peak_threshold"
                       << "0.3"
                       << "-b"
                       << "3";
            // Every other one: each takes the start of a program.
            if (video % 2 == 0) {
                const Outcome run = runCommand(single);
                QVERIFY2(run.exitCode == 0, qPrintable(run.err));
                QCOMPARE(differenceOf(alone, output), QString());
            }
        }
        QCOMPARE(done, 30);
        QCOMPARE(part, 2);
        QCOMPARE(failed, 8);
        for (fs::directory_iterator it(out), end; it != end; ++it)
            QVERIFY2(it->path().extension() != ".unfinished", it->path().c_str());
    }

    void aFolderBecomesATableWithAnExitCode() {
        const QTemporaryDir dir;
        const fs::path videos = fs::path(dir.path().toStdString()) / "videos", out = videos / "results";
        fs::create_directories(videos);
        fs::copy_file(kVideo, videos / "good one.mp4");
        test::writeText(videos / "notes.txt", "not a video");
        const QStringList command{"batch",   text(videos), "-m",  text(kModel), "-o",
                                  text(out), "--frames",   "0-9", "--quiet"};
        const Outcome good = runCommand(command);
        QVERIFY2(good.exitCode == 0, qPrintable(good.err));
        QVERIFY2(good.out.contains("done") && good.out.contains("10 of 10") && good.out.contains("1 done"),
                 qPrintable(good.out));
        const auto labels = formats::readSlp(out / "good one.predictions.slp");
        QVERIFY(labels);
        QCOMPARE(labels->frameCount(), std::size_t{10});
        QVERIFY(fs::exists(out / "logs" / "good one.predictions.slp.log"));
        // Another video that is none: the first is left as it is, the other is told.
        test::writeText(videos / "bad.mp4", "no");
        const Outcome mixed = runCommand(command);
        QVERIFY2(mixed.exitCode == 1, qPrintable(mixed.err));
        QVERIFY2(mixed.out.contains("skipped") && mixed.out.contains("failed") && mixed.out.contains("bad.mp4"),
                 qPrintable(mixed.out));
    }

    // P19, P54: what a file announces and no longer holds is missing, in the table as in the exit code.
    void aVideoThatWasCutOffIsPartlyDone() {
        const QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString(), videos = folder / "videos", out = folder / "out";
        fs::create_directories(videos);
        fs::copy_file(kVideo, videos / "whole.mp4");
        test::VideoSpec spec;
        spec.frames = 60;
        spec.bFrames = 0;  // none of those before the end is missing
        if (!test::makeVideo(videos / "cut.mkv", spec))
            QSKIP("this FFmpeg has no H.264 encoder");
        test::cutTo(videos / "cut.mkv", 0.6);
        const QStringList command{"batch", text(videos), "-m", text(kModel), "--quiet", "--json", "-o"};
        const Outcome table = runCommand(command + QStringList{text(out), "--frames", "0-59"});
        QVERIFY2(table.exitCode == 1, qPrintable(table.err));
        const auto json = nlohmann::json::parse(table.out.toStdString());
        const auto &cut = json.at("entries").at(0), &whole = json.at("entries").at(1);
        QCOMPARE(whole.at("state").get<std::string>(), std::string("done"));
        QCOMPARE(cut.at("state").get<std::string>(), std::string("partly done"));
        QCOMPARE(cut.at("frames_total").get<int>(), 60);
        const int there = cut.at("frames_done");
        QVERIFY(there > 20 && there < 60);
        const std::string reason = cut.at("reason");
        QVERIFY2(reason.find(std::to_string(there) + " of 60 announced frames are readable") != std::string::npos,
                 reason.c_str());
        for (const auto& note : cut.at("notes"))
            QVERIFY(note.get<std::string>().find("announced") == std::string::npos);
        // Nothing is left to compute of it until the video is another one, which a copy of the same age may be.
        const fs::path output = cut.at("output").get<std::string>();
        const auto again = [&] {
            const Outcome resumed = runCommand(command + QStringList{text(out), "--frames", "0-59", "--resume"});
            return nlohmann::json::parse(resumed.out.toStdString()).at("entries").at(0);
        };
        const auto before = fs::last_write_time(output);
        const auto left = again();
        QCOMPARE(left.at("state").get<std::string>(), std::string("partly done"));
        QCOMPARE(left.at("reason").get<std::string>(), reason);
        QVERIFY(fs::last_write_time(output) == before);
        const auto age = fs::last_write_time(videos / "cut.mkv");
        fs::copy_file(videos / "cut.mkv", folder / "same.mkv");
        fs::rename(folder / "same.mkv", videos / "cut.mkv");
        fs::last_write_time(videos / "cut.mkv", age);
        QCOMPARE(again().at("frames_done").get<int>(), there);
        QVERIFY(fs::last_write_time(output) > before);
        // Where none of the wanted frames is missing, all is done.
        const Outcome start = runCommand(command + QStringList{text(folder / "start"), "--frames", "0-9"});
        QVERIFY2(start.exitCode == 0, qPrintable(start.out + start.err));
        const Outcome one =
            runCommand({"predict", "-i", text(videos / "cut.mkv"), "-m", text(kModel), "-o", text(folder / "one.slp")});
        QCOMPARE(one.exitCode, 0);
        QVERIFY2(one.err.contains("of 60 announced frames are readable"), qPrintable(one.err));
        QVERIFY2(one.out.contains(QStringLiteral("Missing     %1 frames").arg(60 - there)), qPrintable(one.out));
    }

    // What is done stays done; that it was done otherwise than it is asked for now is no secret.
    void resultsOfOtherOptionsAreToldWhenABatchGoesOn() {
        const QTemporaryDir dir;
        const auto run = [&](const fs::path& model, const QStringList& options) {
            const Outcome outcome = runCommand(QStringList{"batch", text(kVideo), "-m", text(model), "-o",
                                                           dir.filePath("out"), "--frames", "0-3", "--quiet"} +
                                               options);
            return outcome.exitCode == 0 ? outcome.err : QStringLiteral("failed: ") + outcome.err;
        };
        const auto said = [&](const QStringList& options) { return run(kModel, options + QStringList{"--resume"}); };
        QCOMPARE(run(kModel, {}), QString());
        QCOMPARE(said({}), QString());
        QCOMPARE(said({"-b", "2", "-d", "cpu"}), QString());
        const QString options = said({"--peak_threshold", "0.5"});
        QVERIFY2(options.contains("1 result was made with other options (peak_threshold) and stays"),
                 qPrintable(options));
        const QString tracking = said({"--tracking"});
        QVERIFY2(tracking.contains("made with other tracking"), qPrintable(tracking));
        const fs::path second = fs::path(dir.path().toStdString()) / "second";
        fs::copy(kModel, second, fs::copy_options::recursive);
        const QString model = run(second, {"--resume"});
        QVERIFY2(model.contains("made with another model"), qPrintable(model));
    }

    void wrongUsageIsToldBeforeAnyWork_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        const QStringList model{"-m", text(kModel)}, out{"-o", "/tmp/skein-never"};
        QTest::newRow("no model") << (QStringList{text(kVideo)} + out) << 2 << "model";
        QTest::newRow("no folder for results") << (QStringList{text(kVideo)} + model) << 2 << "output_folder";
        QTest::newRow("nothing there") << (QStringList{"/no/such"} + model + out) << 1 << "/no/such";
        QTest::newRow("no video") << (QStringList{text(kModel)} + model + out) << 2 << "no video";
        QTest::newRow("frames") << (QStringList{text(kVideo), "--frames", "x"} + model + out) << 2 << "x";
        QTest::newRow("pattern") << (QStringList{text(kVideo), "--pattern", "a.slp"} + model + out) << 2 << "{video}";
        QTest::newRow("existing") << (QStringList{text(kVideo), "--existing", "ask"} + model + out) << 2 << "ask";
        QTest::newRow("shards of no cluster")
            << (QStringList{text(kVideo), "--shards", "4"} + model + out) << 2 << "--slurm";
        QTest::newRow("no wait for no cluster")
            << (QStringList{text(kVideo), "--no_wait"} + model + out) << 2 << "--slurm";
        QTest::newRow("preset") << (QStringList{text(kVideo), "--slurm", "--slurm_preset", "big"} + model + out) << 2
                                << "big";
    }
    void wrongUsageIsToldBeforeAnyWork() {
        QFETCH(const QStringList, arguments);
        QFETCH(const int, code);
        QFETCH(const QString, said);
        const Outcome run = runCommand(QStringList{"batch"} + arguments);
        QVERIFY2(run.exitCode == code, qPrintable(QString::number(run.exitCode) + run.err));
        QVERIFY2(run.err.contains(said), qPrintable(run.err));
        fs::remove_all("/tmp/skein-never");
    }

    void profilesAreShownAndCompared() {
        const QTemporaryDir dir;
        const QString a = dir.filePath("a.json"), b = dir.filePath("b.json"), trace = dir.filePath("trace.json");
        const QStringList run{"predict",  "-i",   text(kVideo), "-m", text(kModel),         "--tracking",
                              "--frames", "0-39", "--quiet",    "-o", dir.filePath("o.slp")};
        QCOMPARE(runCommand(run + QStringList{"--profile", a, "--trace", trace}).exitCode, 0);
        QCOMPARE(runCommand(run + QStringList{"--profile", b, "-b", "8"}).exitCode, 0);
        const Outcome one = runCommand({"profile", a});
        QVERIFY2(one.exitCode == 0, qPrintable(one.err));
        const QStringList stages{"frame_buffer.get",  "BatchPrepare", "BatchAssemble", "Forward",
                                 "PAFScorer.predict", "Postprocess",  "Tracker.track", "Write"};
        for (const QString& stage : stages)
            QVERIFY2(one.out.contains(stage), qPrintable(one.out));
        QVERIFY2(one.out.contains("Copies per batch: 1.00 device-to-host"), qPrintable(one.out));
        const Outcome two = runCommand({"profile", a, b, "--markdown"});
        QVERIFY2(two.exitCode == 0 && two.out.contains("Change of p95") && two.out.contains("| Forward"),
                 qPrintable(two.out + two.err));
        QCOMPARE(runCommand({"profile", trace}).exitCode, 1);
        QCOMPARE(runCommand({"profile", "/no/run.json"}).exitCode, 1);

        std::ifstream file(trace.toStdString());
        const auto json = nlohmann::json::parse(file);
        std::map<std::string, int> turns;
        std::map<int, double> ends;
        for (const auto& event : json.at("traceEvents")) {
            if (event.at("ph") != "X")
                continue;
            ++turns[event.at("name").get<std::string>()];
            // On one thread, one after another.
            double& end = ends[event.at("tid").get<int>()];
            QVERIFY(event.at("ts").get<double>() >= end - 0.002);
            end = event.at("ts").get<double>() + event.at("dur").get<double>();
        }
        QCOMPARE(turns["Forward"], 10);
        QCOMPARE(turns["Tracker.track"], 40);
        QCOMPARE(turns["decode"], 41);  // each frame, and the opening
        QVERIFY(ends.size() >= 4);
    }
};

QTEST_GUILESS_MAIN(TestBatch)
#include "tst_batch.moc"
