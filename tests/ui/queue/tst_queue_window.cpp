// SPDX-License-Identifier: GPL-3.0-or-later
// Videos that are queued by the dialog of the real window, with the real engine on short pieces of the sample.
#include <QAbstractItemModelTester>
#include <set>

#include "tests/ui/queue/queue_fixture.h"
#include "ui/dialogs/inference_dialog.h"

using namespace skein;
using namespace skein::ui;
using batch::EntryState;
using test::Bench;
namespace fs = std::filesystem;

class TestQueueWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetQueue();
        m_bench = std::make_unique<Bench>();
    }
    void cleanup() { m_bench.reset(); }

    void I_08_I_09_everyResultOfTwoModelsAndTheUnreadableByName() {
        Bench& b = *m_bench;
        b.makeClips(5);
        test::writeText(b.path("videos") / "never.mp4", "This was never a video.");
        fs::copy(test::sampleModel(), b.path("second"), fs::copy_options::recursive);
        b.window->answers.choice = 1;  // predict, not open
        b.drop({test::text(b.path("videos"))});
        QVERIFY(b.until([&] { return b.dialog()->isVisible(); }));
        QCOMPARE(b.window->answers.choiceAsked, 1);
        QVERIFY(test::looked(b.dialog(), 6));
        const auto unreadable = [&] {
            const auto& videos = b.dialog()->found()->videos();
            return std::find_if(videos.begin(), videos.end(), [](const FoundVideo& v) { return !v.problem.isEmpty(); });
        };
        const FoundVideo never = *unreadable();
        QVERIFY2(never.problem.contains("never.mp4") && !never.use, qPrintable(never.problem));
        const auto tickAll = [&] {
            for (int row = 0; row < 6; ++row)
                b.dialog()->found()->setData(b.dialog()->found()->index(row, 0), Qt::Checked, Qt::CheckStateRole);
        };
        // It may become readable until its turn comes.
        tickAll();
        QVERIFY(test::chooseModel(b.dialog(), test::sampleModel(), true));
        QVERIFY2(b.until([&] { return test::summary(b.dialog()).contains("6 videos"); }),
                 qPrintable(test::summary(b.dialog())));
        QVERIFY(test::press(b.dialog(), "batchAdd"));
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 6; }));
        QVERIFY(!b.queue()->isStarted());
        // The second model would write the same files: that is said, and one press helps.
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 6));
        tickAll();
        QVERIFY(test::chooseModel(b.dialog(), b.path("second"), true));
        QVERIFY2(b.until([&] { return test::summary(b.dialog()).contains("waits in the queue"); }),
                 qPrintable(test::summary(b.dialog())));
        QVERIFY(!b.dialog()->findChild<QPushButton*>("batchStart")->isEnabled());
        QVERIFY(test::press(b.dialog(), "batchFix"));
        QVERIFY(test::press(b.dialog(), "batchStart"));
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 12; }));
        QVERIFY(b.isOver());
        const QueueCounts counts = b.queue()->counts();
        QCOMPARE(counts.done, 10);
        QCOMPARE(counts.failed, 2);
        std::set<fs::path> outputs;
        for (const QueueRow& row : b.queue()->rows()) {
            const batch::Entry& entry = *row.entry;
            if (entry.data.filename() == "never.mp4") {
                QCOMPARE(entry.state, EntryState::Failed);
                QVERIFY2(entry.reason.find("never.mp4") != std::string::npos, entry.reason.c_str());
                continue;
            }
            QCOMPARE(entry.state, EntryState::Done);
            QCOMPARE(entry.framesDone, std::int64_t{10});
            outputs.insert(entry.output);
            // I-09
            QCOMPARE(test::differenceToCommand(entry, b.path("alone.slp"), {"--tracking"}), QString());
        }
        QCOMPARE(outputs.size(), std::size_t{10});
    }

    void subfoldersAreOfferedAndEqualNamesAreNoClash() {
        Bench& b = *m_bench;
        for (const char* day : {"may", "june"}) {
            fs::create_directories(b.path("videos") / day);
            test::makeClip(b.path("videos") / day / "clip.mp4", 0, 4);
        }
        test::makeClip(b.path("videos") / "top.mp4", 0, 4);
        auto* tick = b.dialog()->findChild<QCheckBox*>("batchSubfolders");
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 1));
        QVERIFY(tick->isVisible() && !tick->isChecked());
        QVERIFY2(tick->text().contains("2 videos"), qPrintable(tick->text()));
        tick->click();
        QVERIFY(test::looked(b.dialog(), 3));
        b.dialog()->findChild<QLineEdit*>("batchFolder")->setText(test::text(b.path("out")));
        QVERIFY(test::chooseModel(b.dialog(), test::sampleModel(), false));
        QVERIFY(test::press(b.dialog(), "batchAdd"));
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 3; }));
        std::set<std::string> names;
        for (const QueueRow& row : b.queue()->rows())
            names.insert(row.entry->output.filename().string());
        QCOMPARE(names, (std::set<std::string>{"top.predictions.slp", "clip.may.predictions.slp",
                                               "clip.june.predictions.slp"}));
        // A folder of folders is taken with them at once.
        fs::remove(b.path("videos") / "top.mp4");
        b.drop({test::text(b.path("videos")), test::text(test::sampleModel())});
        QVERIFY(b.until([&] { return b.dialog()->isVisible() && tick->isChecked(); }));
        QVERIFY(test::looked(b.dialog(), 2));
    }

    void aFolderAndAModelDroppedTogetherAreMeantForTheQueue() {
        Bench& b = *m_bench;
        b.makeClips(2);
        b.drop({test::text(b.path("videos")), test::text(test::sampleModel())});
        QVERIFY(b.until([&] { return b.dialog()->isVisible(); }));
        QCOMPARE(b.window->answers.choiceAsked, 0);
        QVERIFY(test::looked(b.dialog(), 2));
        QVERIFY2(b.until([&] { return test::summary(b.dialog()).contains("2 videos, 20 frames"); }),
                 qPrintable(test::summary(b.dialog())));
        b.dialog()->hide();
        // One video is opened as ever; several are, when a person says so.
        b.drop({test::text(b.path("videos") / "v0.mp4")});
        QVERIFY(b.until([&] { return (*b.window)->document().videoCount() == 1; }));
        b.window->answers.choice = 0;
        b.drop({test::text(b.path("videos"))});
        QVERIFY(b.until([&] { return (*b.window)->document().videoCount() >= 2; }));
        QVERIFY(!b.dialog()->isVisible());
    }

    void oneProjectForAllLeavesOutWhatCannotBeRead() {
        Bench& b = *m_bench;
        b.makeClips(2);
        test::writeText(b.path("videos") / "v00.mp4", "no video");
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 3));
        for (int row = 0; row < 3; ++row)
            b.dialog()->found()->setUsed(row, true);
        QVERIFY(test::chooseModel(b.dialog(), test::sampleModel(), false));
        auto* together = b.dialog()->findChild<QComboBox*>("batchTogether");
        together->setCurrentIndex(1);
        Q_EMIT together->activated(1);
        QVERIFY(test::press(b.dialog(), "batchStart"));
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 1; }));
        QVERIFY(b.isOver());
        const batch::Entry& entry = *b.queue()->rows().front().entry;
        QCOMPARE(entry.state, EntryState::Partly);
        QVERIFY2(entry.reason.find("v00.mp4") != std::string::npos, entry.reason.c_str());
        QCOMPARE(entry.output.filename().string(), std::string("videos.predictions.slp"));
        const auto labels = formats::readSlp(entry.output);
        QVERIFY(labels);
        QCOMPARE(labels->videos().size(), std::size_t{2});
        QCOMPARE(labels->frameCount(), std::size_t{20});
        for (std::uint32_t video = 0; video < 2; ++video) {
            // Each video's frames are those of a run of its own.
            const fs::path alone = b.path("alone.slp");
            const test::Outcome run = test::runCommand(
                {"predict", "-i", test::text(b.path("videos") / ("v" + std::to_string(video) + ".mp4")), "-m",
                 test::text(test::sampleModel()), "-o", test::text(alone), "--quiet"});
            QVERIFY2(run.exitCode == 0, qPrintable(run.err));
            const auto single = formats::readSlp(alone);
            QVERIFY(single);
            for (std::int64_t frame = 0; frame < 10; ++frame) {
                const auto a = labels->frame(*labels->findFrame(video, frame));
                const auto c = single->frame(*single->findFrame(0, frame));
                QCOMPARE(a.instanceCount(), c.instanceCount());
                for (std::size_t i = 0; i < a.instanceCount(); ++i)
                    for (std::size_t n = 0; n < a.instance(i).points.size(); ++n)
                        if (a.instance(i).points[n].exists())
                            QVERIFY(a.instance(i).points[n].x == c.instance(i).points[n].x);
            }
        }
        b.select({0});
        QVERIFY((*b.window)->actions().get("queueResult")->isEnabled());
        b.window->trigger("queueResult");
        QVERIFY(b.until([&] { return (*b.window)->document().videoCount() == 2; }));
    }

    void resultsThatAreThereAreSkippedReplacedOrNumbered() {
        Bench& b = *m_bench;
        b.makeClips(1);
        const fs::path result = b.path("videos") / "v0.predictions.slp";
        test::writeText(result, "somebody's work");
        QVERIFY(b.add(1, true));
        QVERIFY(b.isOver());
        QCOMPARE(b.state(0), EntryState::Skipped);
        const auto again = [&](batch::ExistingOutput existing) {
            b.window->trigger("queueClear");
            b.dialog()->showFor({test::text(b.path("videos"))});
            auto* choice = b.dialog()->findChild<QComboBox*>("batchExisting");
            choice->setCurrentIndex(choice->findData(static_cast<int>(existing)));
            Q_EMIT choice->activated(choice->currentIndex());
            return test::looked(b.dialog(), 1) &&
                   b.until([&] { return test::summary(b.dialog()).contains("1 result is there already"); }) &&
                   test::press(b.dialog(), "batchStart") && b.until([&] { return b.queue()->rows().size() == 1; }) &&
                   b.isOver();
        };
        QVERIFY(again(batch::ExistingOutput::Number));
        QCOMPARE(b.state(0), EntryState::Done);
        QVERIFY(fs::exists(b.path("videos") / "v0.predictions.2.slp"));
        QCOMPARE(fs::file_size(result), std::uintmax_t{15});
        QVERIFY(again(batch::ExistingOutput::Overwrite));
        QCOMPARE(b.state(0), EntryState::Done);
        QVERIFY(formats::readSlp(result));
    }

    void theInferenceDialogHandsItsModelToTheQueue() {
        Bench& b = *m_bench;
        b.makeClips(1);
        QVERIFY(b.window->open(test::text(b.path("videos") / "v0.mp4")));
        b.window->trigger("predictRun");
        InferenceDialog* inference = (*b.window)->run().dialog();
        inference->modelPicker()->setPath(test::text(test::sampleModel()));
        QVERIFY(b.until([&] { return inference->plan().canRun; }));
        inference->findChild<QPushButton*>("inferenceQueue")->click();
        QVERIFY(b.dialog()->isVisible() && !inference->isVisible());
        QVERIFY(test::looked(b.dialog(), 1));
        QCOMPARE(b.dialog()->modelPicker()->path(), test::text(test::sampleModel()));
        QVERIFY2(b.until([&] { return test::summary(b.dialog()).contains("1 video, 10 frames"); }),
                 qPrintable(test::summary(b.dialog())));
    }

    void modelsKeepTheRules() {
        QueueTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        std::vector<QueueRow> rows;
        for (const EntryState state :
             {EntryState::Waiting, EntryState::Running, EntryState::Done, EntryState::Failed}) {
            batch::Entry entry;
            entry.id = static_cast<std::int64_t>(rows.size()) + 1;
            entry.data = "/videos/a.mp4";
            entry.state = state;
            entry.reason = state == EntryState::Failed ? "It broke." : "";
            QueueRow row;
            row.id = entry.id;
            row.entry = std::make_shared<const batch::Entry>(entry);
            rows.push_back(row);
            model.setRows(rows);
        }
        QCOMPARE(model.index(3, QueueTableModel::Output).data().toString(), QString("It broke."));
        std::swap(rows[0], rows[3]);
        model.setRows(rows);
        rows.pop_back();
        model.setRows(rows);
        QCOMPARE(model.rowCount(), 3);
        FoundVideos found;
        const QAbstractItemModelTester other(&found, QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_bench->makeClips(1, 2);
        found.look({test::text(m_bench->path("videos"))}, false);
        QTRY_VERIFY(!found.isLooking() && found.videos().size() == 1);
        QCOMPARE(found.videos().front().frames, qint64{2});
        found.look({test::text(m_bench->path("."))}, false);
        QTRY_VERIFY(!found.isLooking());
        QVERIFY(found.problem().contains("holds no video"));
    }

private:
    std::unique_ptr<Bench> m_bench;
};

QTEST_MAIN(TestQueueWindow)
#include "tst_queue_window.moc"
