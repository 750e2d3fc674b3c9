// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/evaluation/identity_metrics.h"
#include "engine/evaluation/pose_metrics.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp_diff.h"
#include "engine/video/decoder_choice.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/reference.h"

using namespace skein;
namespace fs = std::filesystem;

namespace {

const fs::path kSample = fs::path(SKEIN_SOURCE_DIR) / "resources" / "sample";

QString sampleVideo() {
    return QString::fromStdString((kSample / "synthetic_6.mp4").string());
}
QString sampleModel() {
    return QString::fromStdString((kSample / "synthetic_bottomup").string());
}

struct Outcome {
    int exitCode = -1;
    QString out, err;
};

/// Waits until a run has told this; false when it ended before.
bool awaitWords(QProcess& process, const QString& pattern, QString* err) {
    const QRegularExpression words(pattern);
    if (!process.waitForStarted(test::kPatienceMs))
        return false;
    const bool told = test::await([&] {
        *err += QString::fromUtf8(process.readAllStandardError());
        return words.match(*err).hasMatch() || process.state() != QProcess::Running;
    });
    return told && process.state() == QProcess::Running;
}

Outcome skein_(const QStringList& arguments) {
    QProcess process;
    process.start(QString::fromStdString((fs::path(SKEIN_BINARY_DIR) / "bin" / "skein").string()), arguments);
    process.waitForFinished(test::kPatienceMs);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

}  // namespace

class TestCommandLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noOutputIsWrittenOverTheProjectOrItsVideo() {
        const QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        fs::copy_file(kSample / "expected.slp", folder / "labels.slp");
        fs::copy_file(kSample / "synthetic_6.mp4", folder / "synthetic_6.mp4");
        for (const char* name : {"labels.slp", "synthetic_6.mp4"}) {
            const auto size = fs::file_size(folder / name);
            for (const QStringList& command :
                 {QStringList{"render", "--frames", "0-3"}, QStringList{"clip", "--frames", "0-3"},
                  QStringList{"convert"}, QStringList{"track", "-i"}}) {
                const Outcome run = skein_(command + QStringList{dir.filePath("labels.slp"), "-o", dir.filePath(name)});
                QVERIFY2(run.exitCode != 0, qPrintable(command.front() + " " + name));
                QVERIFY2(!run.err.trimmed().isEmpty(), qPrintable(command.front()));
                QCOMPARE(fs::file_size(folder / name), size);
            }
        }
    }
    void mainJobOnTheSampleGivesTheRecordedResult() {
        const QTemporaryDir dir;
        const QString output = dir.filePath("out.slp"), profile = dir.filePath("run.json");
        const Outcome run = skein_({"predict", "-i", sampleVideo(), "-m", sampleModel(), "-o", output, "--tracking",
                                    "--batch-size", "8", "--profile", profile});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        QVERIFY(run.out.contains("Frames      300"));
        const auto difference = formats::diffSlp(kSample / "expected.slp", output.toStdString(),
                                                 {.tolerance = 1e-3, .scoreTolerance = 1e-4});
        QVERIFY(difference);
        QVERIFY2(difference->equal, difference->text().c_str());

        std::ifstream file(profile.toStdString());
        const auto json = nlohmann::json::parse(file);
        QCOMPARE(json.at("batches").get<int>(), 38);
        QCOMPARE(json.at("device_copies").at("device_to_host").at("count").get<int>(), 38);
        QCOMPARE(json.at("device_copies").at("host_to_device").at("count").get<int>(), 38);
        QCOMPARE(json.at("frames").get<int>(), 300);
        QStringList names;
        for (const auto& stage : json.at("stages")) {
            names << QString::fromStdString(stage.at("name").get<std::string>());
            QVERIFY2(stage.at("count").get<int>() > 0, qPrintable(names.last()));
            QVERIFY(stage.at("p95_ms").get<double>() >= stage.at("p50_ms").get<double>());
        }
        QCOMPARE(names, (QStringList{"frame_buffer.get", "BatchPrepare", "BatchAssemble", "Forward",
                                     "PAFScorer.predict", "Postprocess", "Tracker.track", "Write"}));
        QVERIFY(json.at("peak_rss_mb").get<double>() < 1500);
        QVERIFY(json.at("wall_s").get<double>() > 0);
    }

    void optionNamesMayBeWrittenEitherWay() {
        const QTemporaryDir dir;
        for (const char* spelling : {"--batch_size", "--batch-size"}) {
            const Outcome run = skein_({"predict", "--video", sampleVideo(), "--model", sampleModel(), "-o",
                                        dir.filePath("o.slp"), "--frames", "3", spelling, "1", "--quiet"});
            QVERIFY2(run.exitCode == 0, qPrintable(run.err));
            QVERIFY(run.out.isEmpty());
        }
    }

    void eitherDecoderGivesTheSameLabelsAndTheRunSaysWhoDecoded() {
        const QTemporaryDir dir;
        const auto predict = [&](const QString& decoder) {
            return skein_({"predict", "-i", sampleVideo(), "-m", sampleModel(), "-o", dir.filePath(decoder + ".slp"),
                           "--frames", "0-5", "--decoder", decoder, "--profile", dir.filePath(decoder + ".json")});
        };
        const auto profiled = [&](const QString& decoder) {
            std::ifstream file(dir.filePath(decoder + ".json").toStdString());
            return nlohmann::json::parse(file).value("decoder", std::string());
        };
        const Outcome cpu = predict("cpu"), gpu = predict("gpu");
        QVERIFY2(cpu.exitCode == 0 && gpu.exitCode == 0, qPrintable(cpu.err + gpu.err));
        QVERIFY(!cpu.out.contains("Decoder"));
        QVERIFY(profiled("cpu").empty());
        const std::string note = profiled("gpu");
        QVERIFY2(gpu.out.contains(QString::fromStdString("Decoder     " + note + "\n")), qPrintable(gpu.out));
        if (const std::string why = video::whyNoGpuDecoding(); !why.empty())
            QCOMPARE(note, "the processor. " + why);
        const Outcome render = skein_({"render", QString::fromStdString((kSample / "expected.slp").string()), "-o",
                                       dir.filePath("o.mp4"), "--frames", "0-3", "--decoder", "gpu", "--quiet"});
        QVERIFY2(render.out.contains("Decoded by " + QString::fromStdString(note)), qPrintable(render.err));
        const Outcome same = skein_({"diff", dir.filePath("cpu.slp"), dir.filePath("gpu.slp"), "--tol", "0"});
        QVERIFY2(same.exitCode == 0, qPrintable(same.out));
    }

    void wrongUsageIsExitCodeTwoAndNamesTheReason_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        const QStringList base{"predict", "-i", sampleVideo(), "-m", sampleModel(), "-o", "/tmp/skein-never.slp"};
        QTest::newRow("unknown option") << (base + QStringList{"--no-such-thing"}) << "no-such-thing";
        QTest::newRow("no model") << QStringList{"predict", "-i", sampleVideo()} << "model";
        QTest::newRow("frame list") << (base + QStringList{"--frames", "abc"}) << "abc";
        QTest::newRow("batch size") << (base + QStringList{"-b", "0"}) << "batch_size";
        QTest::newRow("empty frame list") << (base + QStringList{"--frames", ""}) << "frames";
        QTest::newRow("not a number") << (base + QStringList{"--peak_threshold", "nan"}) << "no ordinary number";
        QTest::newRow("negative threshold") << (base + QStringList{"--peak_threshold", "-1"}) << "peak_threshold";
        QTest::newRow("refinement") << (base + QStringList{"--integral_refinement", "foo"}) << "integral or none";
        QTest::newRow("mistyped file") << QStringList{"nope.slp"} << "nope.slp";
        QTest::newRow("decoder") << (base + QStringList{"--decoder", "magic"}) << "decoder";
        QTest::newRow("threads") << (base + QStringList{"--paf_workers", "100000"}) << "paf_workers";
        QTest::newRow("huge batch") << (base + QStringList{"-b", "2000000000"}) << "batch_size";
        QTest::newRow("tracker pair") << (base + QStringList{"-t", "--features", "bboxes", "--scoring_method", "oks"})
                                      << "oks";
        const QString labels = QString::fromStdString((kSample / "expected.slp").string());
        QTest::newRow("COCO in a file of another format")
            << QStringList{"convert", labels, "--to", "coco", "-o", "/tmp/skein-never.nwb"} << "/tmp/skein-never.json";
        QTest::newRow("a clip that is no video")
            << QStringList{"clip", labels, "--frames", "0-4", "-o", "/tmp/skein-never.slp"} << "is to be a video";
        for (const char* name : {"/tmp/skein-never.gif", "/tmp/skein-never.xyz"})
            QTest::newRow(name) << QStringList{"clip", labels, "--frames", "0-4", "-o", name} << ".mkv";
        QTest::newRow("results in a table")
            << QStringList{"predict", "-i", sampleVideo(), "-m", sampleModel(), "-o", "/tmp/skein-never.csv"} << ".slp";
        QTest::newRow("tracks in a text") << QStringList{"track", "-i", labels, "-o", "/tmp/skein-never.txt"} << ".slp";
        QTest::newRow("repairs in a text")
            << QStringList{"fix", labels, "--gaps", "1", "-o", "/tmp/skein-never.txt"} << ".slp";
        QTest::newRow("no severity") << QStringList{"issues", labels, "--least_severity", "nan"}
                                     << "no ordinary number";
        const QStringList film{"render", labels, "-o", "/tmp/skein-never.mp4", "--frames", "0-4"};
        for (const char* crop : {"1000 1000 10 10", "0 0 0 0", "0 0 -5 5"})
            QTest::newRow(crop) << (film + QStringList{"--crop"} + QString(crop).split(' ')) << "";
        QTest::newRow("speed of the encoder") << (film + QStringList{"--preset", "foo"}) << "foo";
        QTest::newRow("node of trails") << (film + QStringList{"--trails", "--trail-node", "99"}) << "99";
        QTest::newRow("unknown command") << QStringList{"pedict"} << "pedict";
    }
    void wrongUsageIsExitCodeTwoAndNamesTheReason() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        const Outcome run = skein_(arguments);
        QVERIFY2(run.exitCode == 2, qPrintable(QString::number(run.exitCode) + run.err));
        QVERIFY2(run.err.contains(said), qPrintable(run.err));
        for (const char* never :
             {"/tmp/skein-never.slp", "/tmp/skein-never.nwb", "/tmp/skein-never.gif", "/tmp/skein-never.xyz",
              "/tmp/skein-never.csv", "/tmp/skein-never.txt", "/tmp/skein-never.mp4"})
            QVERIFY(!fs::exists(never));
    }

    // Nobody may ever write to a pipe that was given for a file.
    void aPipeIsRefusedAndNotWaitedFor() {
        const QTemporaryDir dir;
        for (const char* ending : {"mp4", "slp"}) {
            const QString pipe = dir.filePath(QStringLiteral("pipe.") + ending);
            QCOMPARE(mkfifo(qPrintable(pipe), 0600), 0);
            for (const QStringList& arguments :
                 {QStringList{"info", pipe}, QStringList{"convert", pipe, "-o", dir.filePath("o.json")},
                  QStringList{"predict", "-i", pipe, "-m", sampleModel(), "-o", dir.filePath("o.slp")}}) {
                const Outcome run = skein_(arguments);
                QVERIFY2(run.exitCode == 1 && run.err.contains("a pipe or a device"), qPrintable(run.err));
            }
        }
    }

    void optionsOfTrackersWithoutTrackingAreTold() {
        const QTemporaryDir dir;
        const QStringList run{"predict", "-i",      sampleVideo(),  "-m", sampleModel(), "--frames",
                              "0-1",     "--quiet", "--max_tracks", "2",  "-o",          dir.filePath("o.slp")};
        const Outcome plain = skein_(run);
        QCOMPARE(plain.exitCode, 0);
        QVERIFY2(plain.err.contains("do nothing: --max_tracks."), qPrintable(plain.err));
        const Outcome tracked = skein_(run + QStringList{"-t"});
        QVERIFY2(!tracked.err.contains("do nothing"), qPrintable(tracked.err));
    }

    void failureIsExitCodeOneWithASentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        const QStringList o{"-o", "/tmp/skein-never.slp"};
        QTest::newRow("no video") << (QStringList{"predict", "-i", "/no/such.mp4", "-m", sampleModel()} + o)
                                  << "/no/such.mp4";
        QTest::newRow("no model folder") << (QStringList{"predict", "-i", sampleVideo(), "-m", "/no/model"} + o)
                                         << "/no/model";
        QTest::newRow("video as model") << (QStringList{"predict", "-i", sampleVideo(), "-m", sampleVideo()} + o)
                                        << "synthetic_6.mp4";
        QTest::newRow("no output folder")
            << QStringList{"predict", "-i", sampleVideo(), "-m", sampleModel(), "-o", "/no/folder/x.slp"}
            << "/no/folder";
        QTest::newRow("text as video")
            << QStringList{"frames", QString::fromStdString((fs::path(SKEIN_SOURCE_DIR) / "README.md").string())}
            << "README.md";
    }
    void failureIsExitCodeOneWithASentence() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        const Outcome run = skein_(arguments);
        QVERIFY2(run.exitCode == 1, qPrintable(QString::number(run.exitCode) + run.err));
        QVERIFY2(run.err.contains(said), qPrintable(run.err));
        QVERIFY2(!run.err.contains("what()") && !run.err.contains("c10"), qPrintable(run.err));
        QVERIFY(!fs::exists("/tmp/skein-never.slp"));
    }

    // A stranger's model folder: one sentence that says what is wrong and where, whatever it is.
    void unusableModelsGetASentence_data() {
        QTest::addColumn<QString>("damage");
        QTest::addColumn<QStringList>("said");
        QTest::newRow("no configuration") << "no configuration" << QStringList{"training_config"};
        QTest::newRow("no checkpoint") << "no checkpoint" << QStringList{"best.ckpt"};
        QTest::newRow("truncated checkpoint") << "truncated" << QStringList{"best.ckpt"};
        QTest::newRow("text as checkpoint") << "text" << QStringList{"best.ckpt"};
        QTest::newRow("foreign pickle global") << "foreign" << QStringList{"best.ckpt", "os system"};
        QTest::newRow("unsupported head") << "head" << QStringList{"training_config.yaml", "keypoint_regression"};
        QTest::newRow("broken configuration") << "yaml" << QStringList{"training_config.yaml"};
    }
    void unusableModelsGetASentence() {
        QFETCH(QString, damage);
        QFETCH(QStringList, said);
        const QTemporaryDir dir;
        const fs::path model = dir.path().toStdString(), sample = kSample / "synthetic_bottomup";
        const fs::path config = model / "training_config.yaml", weights = model / "best.ckpt";
        std::string text;
        {
            std::ifstream in(sample / "training_config.yaml");
            text.assign(std::istreambuf_iterator<char>(in), {});
        }
        if (damage == "head") {
            const auto at = text.find("bottomup:");
            QVERIFY(at != std::string::npos);
            text.replace(at, 9, "keypoint_regression:");
        } else if (damage == "yaml") {
            text += "\n\t- [unclosed";
        }
        if (damage != "no configuration")
            test::writeFile(config, text);
        if (damage == "foreign") {
            test::PickleWriter evil;
            evil.raw("}(").text("state_dict").orderedDict().raw("(").text("model.a.weight");
            evil.global("os", "system").raw("(").text("touch " + (model / "never").string()).raw("tR").raw("uu");
            test::ZipWriter zip;
            zip.add("best/data.pkl", evil.finish());
            test::writeFile(weights, zip.finish());
        } else if (damage == "text") {
            test::writeFile(weights, "weights, they said");
        } else if (damage != "no checkpoint") {
            fs::copy_file(sample / "best.ckpt", weights);
            fs::permissions(weights, fs::perms::owner_write, fs::perm_options::add);
            if (damage == "truncated")
                fs::resize_file(weights, fs::file_size(weights) / 2);
        }
        const QString output = dir.filePath("out.slp");
        const Outcome run =
            skein_({"predict", "-i", sampleVideo(), "-m", QString::fromStdString(model.string()), "-o", output});
        QVERIFY2(run.exitCode == 1, qPrintable(QString::number(run.exitCode) + run.err));
        for (const QString& words : said)
            QVERIFY2(run.err.contains(words), qPrintable(run.err));
        QCOMPARE(run.err.count("skein: "), 1);
        QVERIFY2(!run.err.contains("what()") && !run.err.contains("c10") && !run.err.contains("Exception"),
                 qPrintable(run.err));
        QVERIFY(!fs::exists(model / "never"));
        QVERIFY(!QFile::exists(output));
    }

    void aFullDiskAtSavingKeepsTheResultsElsewhere() {
        const QTemporaryDir dir, home;
        const QString output = dir.filePath("out.slp");
        QVERIFY(QFile(output).open(QIODevice::WriteOnly));
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", home.path());
        process.setProcessEnvironment(environment);
        // No room for any file beyond 4 KiB, as on a full disk; so the rescue fails too, and the old file stays.
        process.setChildProcessModifier([] {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit small{4096, 4096};
            setrlimit(RLIMIT_FSIZE, &small);
        });
        const QStringList arguments{"predict", "-i",   sampleVideo(), "-m",   sampleModel(),
                                    "-o",      output, "--frames",    "0-19", "--quiet"};
        const QString program = QString::fromStdString((fs::path(SKEIN_BINARY_DIR) / "bin" / "skein").string());
        process.start(program, arguments);
        QVERIFY(process.waitForFinished(test::kPatienceMs));
        const QString err = QString::fromUtf8(process.readAllStandardError());
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 1, qPrintable(err));
        QVERIFY2(err.contains("out.slp") && !err.contains("were kept"), qPrintable(err));
        QCOMPARE(QFileInfo(output).size(), 0);
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"out.slp"});

        // Where only the folder is the trouble (here: it goes away during the run), the results are kept elsewhere.
        const QString doomed = dir.filePath("doomed");
        QVERIFY(QDir().mkdir(doomed));
        QProcess other;
        other.setProcessEnvironment(environment);
        other.start(program, {"predict", "-i", sampleVideo(), "-m", sampleModel(), "-o", doomed + "/run.slp", "-b", "1",
                              "--input_scale", "1.5", "--frames", "0-39"});
        QString said;
        QVERIFY2(awaitWords(other, "Loading the model", &said), qPrintable(said));
        QVERIFY(QDir(doomed).removeRecursively());
        QVERIFY(other.waitForFinished(test::kPatienceMs));
        said += QString::fromUtf8(other.readAllStandardError());
        QVERIFY2(other.exitCode() == 1, qPrintable(said));
        const QString kept = home.filePath("run.kept-1.slp");
        QVERIFY2(said.contains("The results were kept in " + kept), qPrintable(said));
        const auto labels = formats::readSlp(kept.toStdString());
        QVERIFY(labels);
        QCOMPARE(labels->frameCount(), std::size_t{40});
    }

    // No output destroys what is read, whatever name it is given by.
    void outputsNeverReplaceWhatIsRead() {
        const QTemporaryDir dir;
        const auto copyOf = [&](const fs::path& from, const char* name) {
            const fs::path to = fs::path(dir.path().toStdString()) / name;
            fs::copy_file(from, to);
            return QString::fromStdString(to.string());
        };
        const QString video = copyOf(kSample / "synthetic_6.mp4", "own.mp4");
        QVERIFY(QDir(dir.path()).mkdir("model"));
        const QString weights = copyOf(kSample / "synthetic_bottomup" / "best.ckpt", "model/best.ckpt");
        const QString config =
            copyOf(kSample / "synthetic_bottomup" / "training_config.yaml", "model/training_config.yaml");
        const QString model = dir.filePath("model"), out = dir.filePath("out.slp"), made = dir.filePath("made.slp");
        const auto bytes = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray videoBefore = bytes(video), weightsBefore = bytes(weights), configBefore = bytes(config);
        const QStringList run{"predict", "-i", video, "-m", model, "--frames", "0-1", "--quiet"};
        QCOMPARE(skein_(run + QStringList{"-o", made}).exitCode, 0);
        const QByteArray madeBefore = bytes(made);
        const QStringList again{"predict", "-i", made, "-m", model, "--quiet"};
        for (const QStringList& arguments :
             {run + QStringList{"-o", video}, run + QStringList{"-o", weights}, run + QStringList{"-o", config},
              run + QStringList{"-o", out, "--profile", video}, run + QStringList{"-o", out, "--profile", out},
              run + QStringList{"-o", dir.filePath("model/../own.mp4")}, again + QStringList{"-o", video},
              again + QStringList{"-o", made}, QStringList{"frames", video, "--frames", "0", "--dump", video},
              QStringList{"convert", made, "-o", made}, QStringList{"track", "-i", made, "-o", video}}) {
            const Outcome outcome = skein_(arguments);
            QVERIFY2(outcome.exitCode == 2, qPrintable(arguments.join(' ') + outcome.err));
        }
        QCOMPARE(skein_(run + QStringList{"-o", "/dev/null"}).exitCode, 1);
        QVERIFY(fs::is_character_file("/dev/null"));
        QCOMPARE(skein_(run + QStringList{"-o", out, "--profile", "/no/folder/p.json"}).exitCode, 1);
        QVERIFY(!QFile::exists(out));
        QCOMPARE(bytes(video), videoBefore);
        QCOMPARE(bytes(weights), weightsBefore);
        QCOMPARE(bytes(config), configBefore);
        QCOMPARE(bytes(made), madeBefore);
    }

    void interruptionSavesWhatIsDoneAndSaysWhere() {
        const QTemporaryDir dir;
        const QString output = dir.filePath("part.slp");
        QProcess process;
        process.start(QString::fromStdString((fs::path(SKEIN_BINARY_DIR) / "bin" / "skein").string()),
                      {"predict", "-i", sampleVideo(), "-m", sampleModel(), "-o", output, "-b", "1", "--input_scale",
                       "2", "--frames", "0-299,0-299,0-299,0-299,0-299"});
        // This deliberately enlarged run is not through once it has told of finished frames, after some seconds.
        QString err;
        QVERIFY2(awaitWords(process, " [1-9][\\d,]* of 1,500 frames", &err), qPrintable(err));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(test::kPatienceMs));
        err += QString::fromUtf8(process.readAllStandardError());
        QVERIFY2(process.exitCode() == 130, qPrintable(err));
        QVERIFY2(err.contains(output), qPrintable(err));
        const auto labels = formats::readSlp(output.toStdString());
        QVERIFY(labels);
        QVERIFY(labels->frameCount() > 0 && labels->frameCount() < 1500);
    }

    void retrackingAFileEqualsTrackingWhileInferring() {
        const QTemporaryDir dir;
        const QString plain = dir.filePath("plain.slp"), tracked = dir.filePath("tracked.slp"),
                      retracked = dir.filePath("retracked.slp");
        const QStringList base{"predict",  "-i",   sampleVideo(), "-m", sampleModel(),
                               "--frames", "0-99", "--quiet",     "-o"};
        QCOMPARE(skein_(base + QStringList{plain}).exitCode, 0);
        QCOMPARE(skein_(base + QStringList{tracked, "--tracking"}).exitCode, 0);
        const Outcome run = skein_({"track", "-i", plain, "-o", retracked});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        const auto difference = formats::diffSlp(tracked.toStdString(), retracked.toStdString());
        QVERIFY(difference);
        QVERIFY2(difference->equal, difference->text().c_str());
    }

    // Trackers by boxes and linking have the last word when the video has been seen to its end: while inferring as
    // well as after the fact.
    void wholeVideoTrackersGiveTheSameWhileInferringAndAfterwards_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QStringList>("told");
        QTest::newRow("sort") << QStringList{"--tracker", "sort"}
                              << QStringList{"\"tracker\":\"sort\"", "\"link_tracklets\":false"};
        QTest::newRow("bytetrack, linked")
            << QStringList{"--tracker", "bytetrack", "--max_tracks", "6", "--min_hits", "4"}
            << QStringList{"\"tracker\":\"bytetrack\"", "\"link_tracklets\":true", "\"min_hits\":4",
                           "\"max_tracks\":6"};
        QTest::newRow("the preset Skein") << QStringList{"--tracking_preset", "skein", "--max_tracks", "6"}
                                          << QStringList{"\"tracker\":\"skein\"", "\"max_tracks\":6"};
        QTest::newRow("classic, linked") << QStringList{"--link_tracklets", "--max_tracks", "6"}
                                         << QStringList{"\"tracker\":\"classic\"", "\"link_tracklets\":true"};
    }
    void wholeVideoTrackersGiveTheSameWhileInferringAndAfterwards() {
        QFETCH(const QStringList, options);
        QFETCH(const QStringList, told);
        const QTemporaryDir dir;
        const QString plain = dir.filePath("plain.slp"), tracked = dir.filePath("tracked.slp"),
                      retracked = dir.filePath("retracked.slp");
        const QStringList base{"predict",  "-i",    sampleVideo(), "-m", sampleModel(),
                               "--frames", "0-119", "--quiet",     "-o"};
        QCOMPARE(skein_(base + QStringList{plain}).exitCode, 0);
        const Outcome live = skein_(base + QStringList{tracked, "--tracking"} + options);
        QVERIFY2(live.exitCode == 0, qPrintable(live.err));
        const Outcome run = skein_(QStringList{"track", "-i", plain, "-o", retracked, "--quiet"} + options);
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        const auto difference = formats::diffSlp(tracked.toStdString(), retracked.toStdString());
        QVERIFY(difference);
        QVERIFY2(difference->equal, difference->text().c_str());
        const auto labels = formats::readSlp(tracked.toStdString());
        QVERIFY(labels);
        QVERIFY(!labels->tracks().empty());
        // The file says what made its tracks.
        const QString provenance = QString::fromStdString(labels->provenanceJson()).remove(' ');
        for (const QString& words : told)
            QVERIFY2(provenance.contains(words), qPrintable(provenance));
    }

    void evalPrintsTheScoresAsTableAndAsJson() {
        const QTemporaryDir dir;
        // The truth: what a person would have labelled, here the recorded result of the sample as user instances.
        const auto recorded = formats::readSlp(kSample / "expected.slp");
        QVERIFY(recorded);
        project::Labels truth = *recorded;
        for (std::size_t row = 0; row < truth.frameCount(); ++row) {
            project::FrameData frame = truth.frame(row).toData();
            for (project::InstanceData& instance : frame.instances)
                instance.header.kind = project::InstanceKind::User;
            truth.replaceFrame(row, std::move(frame));
        }
        const fs::path truthFile = dir.filePath("truth.slp").toStdString();
        QVERIFY(formats::writeSlp(truth, truthFile));
        const QString t = QString::fromStdString(truthFile.string()), p = dir.filePath("prediction.slp");
        QCOMPARE(skein_({"predict", "-i", sampleVideo(), "-m", sampleModel(), "--integral_refinement", "none",
                         "--tracking", "--quiet", "-o", p})
                     .exitCode,
                 0);

        const Outcome table = skein_({"eval", "-g", t, "-p", p});
        QVERIFY2(table.exitCode == 0, qPrintable(table.err));
        for (const char* line : {"Poses", "distance, p95", "mAP (OKS)", "PCK@5px", "visibility recall", "Tracks",
                                 "HOTA", "IDF1", "MOTA", "identity switches"})
            QVERIFY2(table.out.contains(line), line);

        const Outcome listed = skein_({"eval", "-g", t, "-p", p, "--switches"});
        QVERIFY2(listed.out.contains("from track"), qPrintable(listed.out));

        const Outcome run = skein_({"eval", "-g", t, "-p", p, "--json"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        const auto json = nlohmann::json::parse(run.out.toStdString());
        const auto readTruth = formats::readSlp(truthFile), prediction = formats::readSlp(p.toStdString());
        QVERIFY(readTruth && prediction);
        const auto poses = evaluation::poseMetrics(*readTruth, *prediction);
        const auto tracks = evaluation::identityMetrics(*readTruth, *prediction);
        QVERIFY(poses && tracks);
        QVERIFY(poses->matched > 1000 && poses->distance.p50 > 0 && poses->distance.p50 < 2);
        QCOMPARE(json.at("poses").at("matched").get<std::int64_t>(), poses->matched);
        QCOMPARE(json.at("poses").at("distance").at("p95").get<double>(), poses->distance.p95);
        QCOMPARE(json.at("poses").at("oks_voc").at("mAP").get<double>(), poses->oksVoc.mAP);
        QCOMPARE(json.at("poses").at("PCK").size(), std::size_t{10});
        QCOMPARE(json.at("tracks").at("IDF1").get<double>(), tracks->scores.idf1);
        QCOMPARE(json.at("tracks").at("HOTA").get<double>(), tracks->scores.hota);
        QCOMPARE(json.at("tracks").at("IDSW").get<std::int64_t>(), tracks->scores.switches);
        QCOMPARE(static_cast<std::int64_t>(json.at("tracks").at("switches").size()), tracks->scores.switches);
        // The table says the same in four digits.
        QVERIFY2(table.out.contains(QString::number(tracks->scores.idf1, 'f', 4)), qPrintable(table.out));
    }

    void evalRefusesFilesThatCannotBeCompared_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        const QString expected = QString::fromStdString((kSample / "expected.slp").string());
        QTest::newRow("no truth file") << QStringList{"-g", "/no/truth.slp", "-p", expected} << 1 << "/no/truth.slp";
        QTest::newRow("a video") << QStringList{"-g", sampleVideo(), "-p", expected} << 1 << "synthetic_6.mp4";
        // Predictions on both sides: nothing that a person labelled.
        QTest::newRow("no user labels") << QStringList{"-g", expected, "-p", expected} << 2 << "label";
        QTest::newRow("one file only") << QStringList{"-g", expected} << 2 << "predicted_path";
        QTest::newRow("unknown metrics") << QStringList{"-g", expected, "-p", expected, "--metrics", "beauty"} << 2
                                         << "beauty";
    }
    void evalRefusesFilesThatCannotBeCompared() {
        QFETCH(const QStringList, arguments);
        QFETCH(const int, code);
        QFETCH(const QString, said);
        const Outcome run = skein_(QStringList{"eval"} + arguments);
        QVERIFY2(run.exitCode == code, qPrintable(QString::number(run.exitCode) + run.err + run.out));
        QVERIFY2(run.err.contains(said), qPrintable(run.err));
        QVERIFY(run.out.isEmpty());
    }

    void framesPrintsOneItemForEachAskedFrameInTheAskedOrder() {
        const QTemporaryDir dir;
        const QString dump = dir.filePath("pixels.rgb");
        const Outcome run = skein_({"frames", sampleVideo(), "--order", "39,0,20", "--json", "--dump", dump});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        const auto json = nlohmann::json::parse(run.out.toStdString());
        QCOMPARE(json.at("frames").get<int>(), 300);
        QCOMPARE(json.at("items").size(), std::size_t{3});
        QCOMPARE(json.at("items")[0].at("index").get<int>(), 39);
        QCOMPARE(json.at("items")[2].at("index").get<int>(), 20);
        QCOMPARE(fs::file_size(dump.toStdString()), std::uintmax_t{3 * 384 * 384 * 3});
        QFile pixels(dump);
        QVERIFY(pixels.open(QIODevice::ReadOnly));
        const QByteArray first = pixels.read(384 * 384 * 3);
        QCOMPARE(QCryptographicHash::hash(first, QCryptographicHash::Md5).toHex().toStdString(),
                 json.at("items")[0].at("md5").get<std::string>());
    }

    void convertKeepsTheContentAndDumpsReadableText() {
        const QTemporaryDir dir;
        const QString expected = QString::fromStdString((kSample / "expected.slp").string());
        QCOMPARE(skein_({"convert", expected, "-o", dir.filePath("copy.slp")}).exitCode, 0);
        QCOMPARE(skein_({"diff", expected, dir.filePath("copy.slp"), "--tol", "0"}).exitCode, 0);
        QCOMPARE(skein_({"convert", expected, "-o", dir.filePath("dump.json")}).exitCode, 0);
        std::ifstream file(dir.filePath("dump.json").toStdString());
        QCOMPARE(nlohmann::json::parse(file).at("dump").get<std::string>(), std::string("slp-dump-1"));
    }

    void diffTellsDifferentFilesByExitCodeOne() {
        const QTemporaryDir dir;
        const QString a = dir.filePath("a.slp"), b = dir.filePath("b.slp");
        const QStringList base{"predict", "-i", sampleVideo(), "-m", sampleModel(), "--quiet", "-o"};
        QCOMPARE(skein_(base + QStringList{a, "--frames", "0-4"}).exitCode, 0);
        QCOMPARE(skein_(base + QStringList{b, "--frames", "0-4", "--integral_refinement", "none"}).exitCode, 0);
        const Outcome run = skein_({"diff", a, b, "--tol", "0.01"});
        QCOMPARE(run.exitCode, 1);
        QVERIFY(!run.out.isEmpty());
    }

    void infoTellsVideosModelsAndLabelsApart() {
        const auto kind = [](const QString& path) {
            const Outcome run = skein_({"info", path, "--json"});
            return run.exitCode == 0 ? nlohmann::json::parse(run.out.toStdString()).at("kind").get<std::string>()
                                     : run.err.toStdString();
        };
        QCOMPARE(kind(sampleVideo()), std::string("video"));
        QCOMPARE(kind(sampleModel()), std::string("model"));
        QCOMPARE(kind(QString::fromStdString((kSample / "expected.slp").string())), std::string("labels"));
    }

    void systemInformationSaysWhyCudaIsNotUsed() {
        const Outcome run = skein_({"info", "--system", "--json"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        const auto json = nlohmann::json::parse(run.out.toStdString());
        QVERIFY(json.at("versions").contains("libtorch"));
        QVERIFY(json.at("inference_device").get<std::string>() != "cpu" ||
                !json.at("why_not_cuda").get<std::string>().empty());
        QCOMPARE(json.value("why_no_gpu_decoding", std::string()), video::whyNoGpuDecoding());
    }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
