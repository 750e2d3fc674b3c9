// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "engine/batch/cluster_run.h"
#include "engine/batch/slurm.h"
#include "engine/batch/slurm_words.h"
#include "engine/pipeline/checkpoint.h"
#include "tests/app/command_runner.h"

using namespace skein;
using test::differenceOf;
using test::Outcome;
using test::runCommand;
using test::text;
namespace fs = std::filesystem;

namespace {

const fs::path kVideo = test::samplePath("synthetic_6.mp4");
const fs::path kModel = test::samplePath("synthetic_bottomup");

/// Runs a program of Slurm; what it prints, or nothing when it fails.
QString slurm(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    process.waitForFinished(test::kPatienceMs);
    return process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
}

}  // namespace

/// Against a real cluster, which is this machine alone.
class TestCluster : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (::geteuid() != 0)
            QSKIP("a cluster of its own can be started by root alone");
        for (const char* program : {"slurmctld", "slurmd", "munged"})
            if (QStandardPaths::findExecutable(program).isEmpty() &&
                QStandardPaths::findExecutable(program, {"/usr/sbin", "/sbin"}).isEmpty())
                QSKIP("Slurm is not installed (Debian: slurm-wlm and munge)");
        qputenv("PATH", qgetenv("PATH") + ":/usr/sbin:/sbin");
        QProcess start;
        start.start(m_script, {"start", m_dir.filePath("cluster")});
        QVERIFY(start.waitForFinished(test::kPatienceMs));
        m_isStarted = start.exitCode() == 0;
        const QByteArray configuration = start.readAllStandardOutput().trimmed();
        QVERIFY2(m_isStarted, start.readAllStandardError().constData());
        qputenv("SLURM_CONF", configuration);
        // What the run is without a cluster; slow enough that a shard can be caught at work.
        m_whole = m_dir.filePath("whole.slp").toStdString();
        const Outcome run = runCommand(QStringList{"predict", "-i", text(kVideo)} + m_options +
                                       QStringList{"-o", text(m_whole), "--quiet"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
    }
    void cleanupTestCase() {
        if (m_isStarted)
            QProcess::execute(m_script, {"stop", m_dir.filePath("cluster")});
    }

    void fourShardsAreTheWholeRun() {
        const Outcome run = runCommand(command("plain"));
        QVERIFY2(run.exitCode == 0, qPrintable(run.err + run.out));
        const auto json = nlohmann::json::parse(run.out.toStdString());
        QCOMPARE(json.at("entries")[0].at("state").get<std::string>(), std::string("done"));
        QCOMPARE(json.at("entries")[0].at("frames_done").get<int>(), 150);
        QCOMPARE(differenceOf(m_whole, folder("plain") / "synthetic_6.predictions.slp"), QString());
        const auto plan = batch::ClusterRun::reopen(folder("plain") / "cluster");
        QVERIFY(plan);
        QCOMPARE(plan->tasks().size(), std::size_t{4});
        for (const batch::ClusterTask& task : plan->tasks())
            QVERIFY(!fs::exists(task.shard.file));
    }

    void aShardThatIsKilledAndPutBackChangesNothing() {
        const Outcome submitted = runCommand(command("requeued") + QStringList{"--no_wait"});
        QVERIFY2(submitted.exitCode == 0, qPrintable(submitted.err));
        const auto plan = batch::ClusterRun::reopen(folder("requeued") / "cluster");
        QVERIFY(plan);
        const auto& shard = plan->tasks()[1].shard;
        const auto found = [&] { return pipeline::checkpointProgress(shard.file).value_or(0); };
        QTRY_VERIFY(found() > 0);
        QVERIFY(found() < shard.end - shard.first);
        const QString task = QString::fromStdString(plan->job()) + "_1";
        QProcess requeue;
        requeue.start("scontrol", {"requeue", task});
        QVERIFY(requeue.waitForFinished(test::kPatienceMs));
        QCOMPARE(requeue.exitCode(), 0);
        QVERIFY2(test::await([&] {
                     return slurm("scontrol", {"show", "job", task}).contains("Restarts=1");
                 }),
                 qPrintable(slurm("scontrol", {"show", "job", task})));
        const Outcome run = runCommand(command("requeued") + QStringList{"--resume"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err + run.out));
        QCOMPARE(differenceOf(m_whole, folder("requeued") / "synthetic_6.predictions.slp"), QString());
    }

    void aQueueOnTheClusterTellsWhatFailedAndIsMendedByResuming() {
        const fs::path videos = folder("videos");
        fs::create_directories(videos);
        fs::copy_file(kVideo, videos / "a.mp4");
        fs::copy_file(kVideo, videos / "b.mp4");
        test::writeText(videos / "c.mp4", "no video");
        QStringList arguments = command("queue");
        arguments[1] = text(videos);
        const fs::path model = folder("model");
        fs::copy(kModel, model, fs::copy_options::recursive);
        arguments[arguments.indexOf(text(kModel))] = text(model);
        arguments[arguments.indexOf("0-149")] = "0-29";
        arguments[arguments.indexOf("4", arguments.indexOf("--shards"))] = "1";
        // The weights vanish between the submission and the work.
        fs::rename(model / "best.ckpt", folder("kept.ckpt"));
        test::writeText(model / "best.ckpt", "no weights");
        const Outcome broken = runCommand(arguments);
        QVERIFY2(broken.exitCode == 1, qPrintable(broken.err + broken.out));
        const auto first = nlohmann::json::parse(broken.out.toStdString()).at("entries");
        for (const auto& entry : first)
            QCOMPARE(entry.at("state").get<std::string>(), std::string("failed"));
        QVERIFY2(first[0].at("reason").get<std::string>().find("best.ckpt") != std::string::npos,
                 first[0].at("reason").get<std::string>().c_str());
        QVERIFY(first[2].at("reason").get<std::string>().find("c.mp4") != std::string::npos);
        fs::remove(model / "best.ckpt");
        fs::rename(folder("kept.ckpt"), model / "best.ckpt");
        const Outcome mended = runCommand(arguments);
        QVERIFY2(mended.exitCode == 1, qPrintable(mended.err + mended.out));
        const auto second = nlohmann::json::parse(mended.out.toStdString()).at("entries");
        QCOMPARE(second[0].at("state").get<std::string>(), std::string("done"));
        QCOMPARE(second[1].at("state").get<std::string>(), std::string("done"));
        QCOMPARE(second[2].at("state").get<std::string>(), std::string("failed"));
    }

private:
    [[nodiscard]] fs::path folder(const char* name) const { return fs::path(m_dir.path().toStdString()) / name; }
    [[nodiscard]] QStringList command(const char* out) const {
        const fs::path preset = folder("preset.json");
        test::writeText(preset, R"({"cpus": 1, "memory": "500M", "time": "00:20:00"})");
        return QStringList{"batch", text(kVideo)} + m_options +
               QStringList{"-o", text(folder(out)), "--slurm", "--slurm_preset", text(preset), "--shards",
                           "4",  "--json",          "--quiet"};
    }

    const QString m_script = text(fs::path(SKEIN_SOURCE_DIR) / "tests" / "app" / "one_node_cluster");
    QTemporaryDir m_dir;
    bool m_isStarted = false;
    fs::path m_whole;
    const QStringList m_options{"-m",         text(kModel),    "--frames", "0-149",         "-b", "5",
                                "--tracking", "--input_scale", "1.0",      "--cpu_threads", "1"};
};

/// Without a cluster.
class TestSlurmScript : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void scriptAsksForThePresetsResources() {
        batch::SlurmScript script;
        script.name = "skein";
        script.log = "/data of mine/logs/task-%a.log";
        script.command = {"/opt/skein", "batch", "/it's here", "--slurm_task"};
        script.preset.partition = "gpu";
        script.preset.gpus = "1";
        script.preset.options = {"--constraint=a100"};
        script.preset.setup = "module load cuda";
        const auto made = batch::scriptText(script);
        QVERIFY(made);
        for (const char* line : {"#!/bin/bash\n", "#SBATCH --output=\"/data of mine/logs/task-%a.log\"\n",
                                 "#SBATCH --partition=gpu\n", "#SBATCH --gpus-per-task=1\n", "#SBATCH --requeue\n",
                                 "#SBATCH --constraint=a100\n", "\nmodule load cuda\n",
                                 "exec '/opt/skein' 'batch' '/it'\\''s here' '--slurm_task' \"$SLURM_ARRAY_TASK_ID\""})
            QVERIFY2(made->find(line) != std::string::npos, made->c_str());
        script.preset.account = "a\nrm -rf x";
        QVERIFY(!batch::scriptText(script));
    }
    void whatSlurmWouldNotTakeIsRefusedBeforeItIsSent() {
        batch::SlurmScript script;
        const auto said = [&] {
            const auto made = batch::scriptText(script);
            return made ? std::string() : made.error().message();
        };
        for (const char* time : {"00:20:00", "90", "90:30", "2-12", "1-00:30", "1-00:30:00", "UNLIMITED", ""}) {
            script.preset.time = time;
            QVERIFY2(said().empty(), time);
        }
        for (const char* time :
             {"8h", "00:20:00:00:00", "20 minutes", "-1", "1:2:3:4", "zwei", "25:99", "1:60:00", "1-24"}) {
            script.preset.time = time;
            QVERIFY2(
                said().find(time) != std::string::npos && said().find("hours:minutes:seconds") != std::string::npos,
                said().c_str());
        }
        script.preset.time = "1";
        for (const char* memory : {"900M", "16g", "0", "4096", ""}) {
            script.preset.memory = memory;
            QVERIFY2(said().empty(), memory);
        }
        for (const char* memory : {"16 G", "16GB", "much", "-4G", "1.5G"}) {
            script.preset.memory = memory;
            QVERIFY2(said().find(memory) != std::string::npos && said().find("16G") != std::string::npos,
                     said().c_str());
        }
    }
    void whatSbatchComplainsOfBecomesASentence_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("todo");
        QTest::newRow("partition") << "sbatch: error: invalid partition specified: lang\nsbatch: error: Batch job "
                                      "submission failed: Invalid partition name specified\n"
                                   << "sinfo";
        QTest::newRow("cores") << "sbatch: error: Batch job submission failed: Requested node configuration is not "
                                  "available"
                               << "fewer cores";
        QTest::newRow("controller") << "sbatch: error: Batch job submission failed: Unable to contact slurm controller "
                                       "(connect failure)"
                                    << "try again";
        QTest::newRow("no cluster") << "sbatch: error: fetch_config: DNS SRV lookup failed\nsbatch: error: "
                                       "_establish_config_source: failed to fetch config\nsbatch: fatal: Could not "
                                       "establish a configuration source"
                                    << "No cluster is known here";
        QTest::newRow("anything else") << "sbatch: error: The moon is in the wrong house."
                                       << "administrators";
    }
    void whatSbatchComplainsOfBecomesASentence() {
        QFETCH(QString, words);
        QFETCH(QString, todo);
        const QString said = QString::fromStdString(batch::complaintOf("sbatch", words.toStdString()));
        QVERIFY2(said.contains(todo) && said.endsWith(".)") && !said.contains('\n'), qPrintable(said));
        // sbatch's own words come last, without its name before each.
        QVERIFY2(said.contains(" (sbatch: ") && !said.contains("error:"), qPrintable(said));
    }
    void aClusterThatIsNotThereIsToldAndLeavesNothingBehind_data() {
        QTest::addColumn<QString>("sbatch");
        QTest::addColumn<QString>("said");
        QTest::newRow("no Slurm") << QString() << "Slurm is not installed here";
        QTest::newRow("no cluster") << "[ \"$1\" = --version ] && exit 0\n"
                                       "echo 'sbatch: fatal: Could not establish a configuration source' >&2; exit 1\n"
                                    << "No cluster is known here";
    }
    void aClusterThatIsNotThereIsToldAndLeavesNothingBehind() {
        QFETCH(const QString, sbatch);
        QFETCH(const QString, said);
        const QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString(), program = folder / "bin" / "sbatch";
        fs::create_directories(program.parent_path());
        if (!sbatch.isEmpty()) {
            test::writeText(program, "#!/bin/sh\n" + sbatch.toStdString());
            fs::permissions(program, fs::perms::owner_all);
        }
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", QByteArray::fromStdString(program.parent_path().string()));
        const auto send = [&](const fs::path& out) {
            return runCommand({"batch", text(kVideo), "-m", text(kModel), "-o", text(out), "--slurm", "--quiet"});
        };
        const Outcome fresh = send(folder / "new" / "out");
        fs::create_directories(folder / "mine");
        test::writeText(folder / "mine" / "notes.txt", "mine");
        const Outcome kept = send(folder / "mine");
        qputenv("PATH", path);
        for (const Outcome& run : {fresh, kept}) {
            QCOMPARE(run.exitCode, 1);
            QVERIFY2(run.err.contains(said) && !run.err.contains("did not take"), qPrintable(run.err));
        }
        QVERIFY(!fs::exists(folder / "new" / "out"));
        QVERIFY(fs::exists(folder / "mine" / "notes.txt") && !fs::exists(folder / "mine" / "cluster"));
    }
    void whyATaskWaitsIsSaidInWords() {
        for (const char* word : {"PartitionConfig", "ReqNodeNotAvail, May be reserved for other job"}) {
            const std::string said = batch::waitingReason(word);
            QVERIFY2(said.find("node") < said.find(word), said.c_str());
        }
        QCOMPARE(batch::waitingReason("Priority"), std::string("Priority"));
    }
    void presetsAreReadAndWrongOnesRefused() {
        const QTemporaryDir dir;
        const QString file = dir.filePath("p.json");
        test::writeText(file.toStdString(), R"({"partition": "long", "cpus": 8, "options": ["--nice"]})");
        const auto preset = batch::readSlurmPreset(file.toStdString());
        QVERIFY(preset);
        QCOMPARE(preset->cpus, 8);
        QCOMPARE(preset->partition, std::string("long"));
        QVERIFY(batch::readSlurmPreset("gpu")->gpus == "1");
        for (const char* wrong : {"[]", "no json", R"({"cpus": "many"})", R"({"cpu": 3})", R"({"cpus": 0})"}) {
            test::writeText(file.toStdString(), wrong);
            QVERIFY2(!batch::readSlurmPreset(file.toStdString()), wrong);
        }
        QVERIFY(!batch::readSlurmPreset("/no/preset.json"));
    }
};

int main(int argc, char** argv) {
    QCoreApplication app(argc, argv);
    TestSlurmScript script;
    TestCluster cluster;
    return QTest::qExec(&script, argc, argv) | QTest::qExec(&cluster, argc, argv);
}
#include "tst_cluster.moc"
