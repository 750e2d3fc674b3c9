// SPDX-License-Identifier: GPL-3.0-or-later
// Queued runs that are sent to a cluster: a real one where it can be started, which is this machine alone.
#include <unistd.h>

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QSpinBox>
#include <QStandardPaths>

#include "engine/batch/cluster_run.h"
#include "tests/ui/queue/queue_fixture.h"
#include "ui/queue/cluster_dialog.h"
#include "ui/queue/queue_panel.h"

using namespace skein;
using namespace skein::ui;
using batch::EntryState;
namespace fs = std::filesystem;

class TestQueueCluster : public QObject {
    Q_OBJECT

    const QString m_script = test::text(fs::path(SKEIN_SOURCE_DIR) / "tests" / "app" / "one_node_cluster");
    QTemporaryDir m_dir;
    bool m_isStarted = false;
    const QByteArray m_path = qgetenv("PATH");

    [[nodiscard]] fs::path path(const std::string& name) const { return fs::path(m_dir.path().toStdString()) / name; }
    [[nodiscard]] QString startCluster() {
        if (::geteuid() != 0)
            return "a cluster of its own can be started by root alone";
        for (const char* program : {"slurmctld", "slurmd", "munged"})
            if (QStandardPaths::findExecutable(program).isEmpty() &&
                QStandardPaths::findExecutable(program, {"/usr/sbin", "/sbin"}).isEmpty())
                return "Slurm is not installed (Debian: slurm-wlm and munge)";
        qputenv("PATH", m_path + ":/usr/sbin:/sbin");
        QProcess start;
        start.start(m_script, {"start", m_dir.filePath("cluster")});
        start.waitForFinished(test::kPatienceMs);
        m_isStarted = start.exitCode() == 0;
        qputenv("SLURM_CONF", start.readAllStandardOutput().trimmed());
        return m_isStarted ? QString() : QString::fromUtf8(start.readAllStandardError());
    }
    /// Queues the videos of a folder and opens the dialog for them.
    ClusterDialog* openDialog(test::Window& window, const fs::path& videos, int count) {
        window->queue().queue()->setProgram(test::commandPath());
        BatchDialog* batch = window->queue().batchDialog();
        batch->showFor({test::text(videos)});
        if (!test::looked(batch, count) || !test::chooseModel(batch, test::sampleModel(), true) ||
            !test::press(batch, "batchAdd") ||
            !test::await([&] { return window->queue().queue()->rows().size() == std::size_t(count); }))
            return nullptr;
        QCoreApplication::processEvents();
        window.trigger("queueCluster");
        return window->findChild<ClusterDialog*>("clusterDialog");
    }

private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() { test::forgetQueue(); }
    void cleanupTestCase() {
        if (m_isStarted)
            QProcess::execute(m_script, {"stop", m_dir.filePath("cluster")});
    }

    void withoutSlurmTheScriptIsSavedAndTheWayOutTold() {
        fs::create_directories(path("few"));
        test::makeClip(path("few") / "a.mp4", 0, 12);
        qputenv("PATH", "/nowhere");
        test::Window window;
        ClusterDialog* dialog = openDialog(window, path("few"), 1);
        QVERIFY(dialog != nullptr);
        const auto words = [&] { return dialog->findChild<QLabel*>("clusterWords")->text(); };
        auto* submit = dialog->findChild<QPushButton*>("clusterSubmit");
        auto* save = dialog->findChild<QPushButton*>("clusterSave");
        QVERIFY(!submit->isEnabled() && !save->isEnabled());
        QVERIFY2(words().contains("share"), qPrintable(words()));
        dialog->findChild<QLineEdit*>("cluster_folder")->setText(test::text(path("shared")));
        dialog->findChild<QLineEdit*>("cluster_partition")->setText("long");
        dialog->findChild<QLineEdit*>("cluster_gpus")->setText("a100:1");
        dialog->findChild<QSpinBox*>("cluster_shards")->setValue(3);
        QVERIFY2(words().contains("sbatch"), qPrintable(words()));
        QVERIFY(!submit->isEnabled() && save->isEnabled());
        const QString script = dialog->findChild<QPlainTextEdit*>("clusterScript")->toPlainText();
        QVERIFY2(script.contains("#SBATCH --partition=long\n") && script.contains("#SBATCH --gpus-per-task=a100:1\n"),
                 qPrintable(script));
        // What Slurm cannot be given is refused in words.
        dialog->findChild<QLineEdit*>("cluster_account")->setText("a\"b");
        QVERIFY2(words().contains("a\"b") && !save->isEnabled(), qPrintable(words()));
        dialog->findChild<QLineEdit*>("cluster_account")->clear();
        dialog->findChild<QLineEdit*>("cluster_time")->setText("8 hours");
        QVERIFY2(words().contains("8 hours") && words().contains("08:00:00") && !save->isEnabled(),
                 qPrintable(words()));
        dialog->findChild<QLineEdit*>("cluster_time")->setText("00:20:00");
        // A preset fills in what it says, also what the dialog has no field for.
        const QString before = dialog->findChild<QPlainTextEdit*>("clusterScript")->toPlainText();
        test::writeText(path("lab.json"),
                        R"({"partition": "lab", "time": "2-00", "memory": "900M", "qos": "night", "cpus": 6})");
        auto* presets = dialog->findChild<QComboBox*>("cluster_preset");
        const auto choose = [&](int index) {
            presets->setCurrentIndex(index);
            Q_EMIT presets->activated(index);
        };
        window.answers.files = {test::text(path("lab.json"))};
        choose(presets->count() - 1);
        const auto shown = [&] { return dialog->findChild<QPlainTextEdit*>("clusterScript")->toPlainText(); };
        QVERIFY2(test::await([&] { return shown().contains("--qos=night"); }), qPrintable(shown()));
        QVERIFY2(shown().contains("--partition=lab") && shown().contains("--time=2-00") &&
                     shown().contains("--mem=900M") && shown().contains("--cpus-per-task=6"),
                 qPrintable(shown()));
        window.answers.files = {test::text(path("no.json"))};
        choose(presets->count() - 1);
        QVERIFY2(test::await([&] { return words().contains("no.json"); }), qPrintable(words()));
        choose(1);
        QTRY_VERIFY(!shown().contains("--qos"));
        save->click();
        QVERIFY2(test::await([&] { return words().contains("skein batch"); }), qPrintable(words()));
        // What was saved is what was shown, and a plan that the command takes.
        fs::path folder;
        for (const auto& item : fs::directory_iterator(path("shared")))
            folder = item.path() / "cluster";
        QFile saved(test::text(folder / "job.sh"));
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QVERIFY(shown() != before && shown() != script);
        QCOMPARE(QString::fromUtf8(saved.readAll()), shown());
        const auto plan = batch::ClusterRun::reopen(folder);
        QVERIFY(plan);
        QCOMPARE(plan->tasks().size(), std::size_t{3});
        // Nothing was sent: the entry still waits here.
        QCOMPARE(window->queue().queue()->counts().waiting, 1);
        dialog->close();
        qputenv("PATH", m_path);
    }

    void whatIsSentIsFollowedGatheredAndEqualToARunHere() {
        if (const QString why = startCluster(); !why.isEmpty() && !m_isStarted)
            QSKIP(qPrintable(why));
        fs::create_directories(path("videos"));
        test::makeClip(path("videos") / "a.mp4", 0, 40);
        test::makeClip(path("videos") / "b.mp4", 100, 40);
        fs::path entryOutput;
        {
            test::Window window;
            ClusterDialog* dialog = openDialog(window, path("videos"), 2);
            QVERIFY(dialog != nullptr);
            dialog->findChild<QLineEdit*>("cluster_folder")->setText(test::text(path("shared")));
            dialog->findChild<QLineEdit*>("cluster_partition")->clear();
            dialog->findChild<QLineEdit*>("cluster_gpus")->clear();
            dialog->findChild<QLineEdit*>("cluster_memory")->setText("500M");
            dialog->findChild<QSpinBox*>("cluster_cpus")->setValue(1);
            dialog->findChild<QSpinBox*>("cluster_shards")->setValue(2);
            auto* submit = dialog->findChild<QPushButton*>("clusterSubmit");
            QVERIFY(submit->isEnabled());
            submit->click();
            QueueController* queue = window->queue().queue();
            // The dialog closes itself once all is sent.
            const bool sent = test::await([&] { return !queue->rows().empty() && !queue->rows().front().isHere(); });
            QVERIFY2(sent, sent ? "" : qPrintable(dialog->findChild<QLabel*>("clusterWords")->text()));
            QCOMPARE(queue->rows().size(), std::size_t{2});
            QVERIFY2(test::await([&] { return queue->rows().front().phase.contains("tasks"); }),
                     qPrintable(queue->rows().front().phase));
            // The window goes; the job stays.
        }
        test::Window window;
        QueueController* queue = window->queue().queue();
        QTRY_VERIFY(queue->rows().size() == 2);
        QTRY_VERIFY(queue->counts().left() == 0);
        for (const QueueRow& row : queue->rows()) {
            QVERIFY2(row.entry->state == EntryState::Done, batch::describe(*row.entry).c_str());
            const fs::path alone = path("alone.slp");
            const test::Outcome run =
                test::runCommand({"predict", "-i", test::text(row.entry->data), "-m", test::text(test::sampleModel()),
                                  "-o", test::text(alone), "--tracking", "--quiet"});
            QVERIFY2(run.exitCode == 0, qPrintable(run.err));
            QCOMPARE(test::differenceOf(alone, row.entry->output), QString());
        }
        // Rows of a run that is over can go.
        queue->removeOver();
        QCOMPARE(queue->counts().total, 0);
    }
};

QTEST_MAIN(TestQueueCluster)
#include "tst_queue_cluster.moc"
