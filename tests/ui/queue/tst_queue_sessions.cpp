// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of the real window over its start and end, beside other processes and runs.
#include <QAbstractButton>
#include <QRadioButton>

#include "engine/batch/queue.h"
#include "engine/batch/queue_file.h"
#include "tests/ui/queue/queue_fixture.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/run_controller.h"

using namespace skein;
using namespace skein::ui;
using batch::EntryState;
using test::Bench;
namespace fs = std::filesystem;

class TestQueueSessions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetQueue();
        m_bench = std::make_unique<Bench>();
    }
    void cleanup() { m_bench.reset(); }

    void whatIsLeftIsOfferedAndNotBegun() {
        Bench& b = *m_bench;
        b.makeClips(3);
        QVERIFY(b.add(3, false));
        b.select({0});
        b.window->trigger("queueCancel");
        b.window.reset();
        b.window = std::make_unique<test::Window>();
        QVERIFY(b.until([&] { return b.window->sentences().contains("2 of 3 rows are left in the queue."); }));
        QVERIFY(!b.queue()->isStarted());
        QCOMPARE(b.queue()->counts().waiting, 2);
        // Opening a project does not take the offer away.
        QVERIFY(b.window->open(test::sample("synthetic_6.mp4")));
        QVERIFY(b.until([&] { return b.window->sentences().contains("2 of 3 rows are left in the queue."); }));
        const auto press = [&](const QString& words) {
            for (auto* button : (*b.window)->messages().findChildren<QAbstractButton*>())
                if (button->text() == words)
                    return button->click();
            QFAIL(qPrintable("no button " + words));
        };
        press("Later");
        QVERIFY(b.until([&] { return !b.window->sentences().contains("2 of 3 rows are left in the queue."); }));
        QCOMPARE(b.queue()->counts().waiting, 2);
        b.window.reset();
        b.window = std::make_unique<test::Window>();
        QVERIFY(b.until([&] { return b.window->sentences().contains("2 of 3 rows are left in the queue."); }));
        press("Go On");
        QVERIFY(b.isOver());
        QCOMPARE(b.queue()->counts().done, 2);
    }

    // As when a cluster has taken them.
    void theOfferGoesWithTheLastEntryThatIsLeft() {
        Bench& b = *m_bench;
        b.makeClips(2, 4);
        QVERIFY(b.add(2, false));
        b.window.reset();
        b.window = std::make_unique<test::Window>();
        QVERIFY(b.until([&] { return b.window->sentences().contains("2 of 2 rows are left in the queue."); }));
        b.queue()->remove(QueueRow(b.queue()->rows().front()));
        QVERIFY(b.until([&] { return b.window->sentences().contains("1 of 1 row is left in the queue."); }));
        b.queue()->remove(QueueRow(b.queue()->rows().front()));
        QVERIFY(b.until([&] { return b.window->sentences().isEmpty(); }));
    }

    void closingDuringAQueueAsksAndWhatWasInWorkGoesOn() {
        Bench& b = *m_bench;
        test::makeClip(b.path("videos") / "long.mp4", 0, test::kLong);
        QVERIFY(b.add(1, true));
        const auto& row = [&]() -> const batch::Entry& { return *b.queue()->rows().front().entry; };
        QVERIFY(b.until([&] { return row().state == EntryState::Running && row().framesDone >= 8; }));
        b.window->answers.choice = -1;
        (*b.window)->close();
        QCOMPARE(b.window->answers.choiceAsked, 1);
        QVERIFY((*b.window)->isVisible() && b.queue()->isWorking());
        b.window->answers.choice = 0;  // go on next time
        (*b.window)->close();
        QVERIFY(b.until([&] { return !(*b.window)->isVisible(); }));
        const auto kept = batch::readQueue(text::toPath(QueueController::defaultFolder()) / "skein-queue.json");
        QVERIFY(kept && kept->size() == 1);
        QCOMPARE(kept->front().state, EntryState::Waiting);
        QVERIFY(kept->front().resume);
        b.window.reset();
        b.window = std::make_unique<test::Window>();
        QVERIFY(b.until([&] { return b.queue()->counts().waiting == 1; }));
        b.window->trigger("queueStart");
        QVERIFY(b.isOver());
        QCOMPARE(b.state(0), EntryState::Done);
        QCOMPARE(test::differenceToCommand(row(), b.path("alone.slp"), {"--tracking"}), QString());
    }

    void theQueueAndARunOfTheProjectTakeTurns() {
        Bench& b = *m_bench;
        for (int i = 0; i < 2; ++i)
            test::makeClip(b.path("videos") / ("v" + std::to_string(i) + ".mp4"), 0, i == 0 ? test::kLong : 20);
        QVERIFY(b.window->open(test::sample("synthetic_6.mp4")));
        RunController& run = (*b.window)->run();
        (*b.window)->view().setRange(FrameRange{0, 39});
        QVERIFY(b.add(2, false));
        b.window->trigger("predictRun");
        run.dialog()->modelPicker()->setPath(test::text(test::sampleModel()));
        QVERIFY(b.until([&] { return run.dialog()->plan().canRun; }));
        run.dialog()->findChild<QRadioButton*>("inferenceTargetRange")->click();
        QVERIFY(b.until([&] { return run.dialog()->plan().canRun; }));
        b.window->trigger("queueStart");
        QVERIFY(b.until([&] { return b.state(0) == EntryState::Running; }));
        run.dialog()->findChild<QPushButton*>("inferenceRun")->click();
        QVERIFY(b.until([&] { return run.awaitsQueue(); }));
        QCOMPARE(run.jobsPanel()->findChild<QLabel*>("jobsPhase")->text(), QString("Waiting for the queue"));
        // They never compute at once, and the queue's second row comes after the run.
        bool together = false;
        EntryState second = EntryState::Waiting;
        QVERIFY(b.until([&] {
            const bool computes = run.isRunning() && !run.awaitsQueue();
            together = together || (computes && run.run().framesDone() > 0 && b.queue()->isComputing());
            if (computes)
                second = b.state(1);
            return !run.isRunning();
        }));
        QVERIFY(!together);
        QCOMPARE(second, EntryState::Waiting);
        QCOMPARE(run.run().state, RunState::Finished);
        QCOMPARE(run.run().framesDone(), std::int64_t{40});
        QVERIFY(b.isOver());
        QCOMPARE(b.queue()->counts().done, 2);
        // The other way round: the queue waits for the run, and says so.
        b.showQueue();
        b.window->trigger("predictRun");
        QVERIFY(b.until([&] { return run.dialog()->plan().canRun; }));
        run.dialog()->findChild<QPushButton*>("inferenceRun")->click();
        QVERIFY(b.until([&] { return run.run().framesDone() > 0; }));
        for (const QueueRow& row : std::vector<QueueRow>(b.queue()->rows()))
            b.queue()->remove(row);
        for (int i = 0; i < 2; ++i)
            fs::remove(b.path("videos") / ("v" + std::to_string(i) + ".predictions.slp"));
        QVERIFY(b.add(2, true));
        b.showQueue();
        if (run.isRunning()) {
            QCOMPARE(b.state(0), EntryState::Waiting);
            QCOMPARE(b.side().panel()->findChild<QLabel*>("queueNow")->text(),
                     QString("Waits until the run of the open project has ended."));
        }
        QVERIFY(b.isOver());
        QVERIFY(!run.isRunning());
    }

    void afterTheQueueTheWindowCloses() {
        Bench& b = *m_bench;
        b.makeClips(1, 4);
        b.side().setGraceMs(200);
        b.queue()->setAfter(AfterQueue::Quit);
        QVERIFY(b.add(1, true));
        QVERIFY(b.until([&] { return !(*b.window)->isVisible(); }));
        QCOMPARE(b.state(0), EntryState::Done);
    }

    void aQueueThatCannotBeReadIsToldAndPutAside() {
        Bench& b = *m_bench;
        b.makeClips(1, 4);
        const QString folder = QueueController::defaultFolder();
        b.window.reset();
        QDir().mkpath(folder);
        test::writeText(text::toPath(folder) / "skein-queue.json", "{ damaged");
        b.window = std::make_unique<test::Window>();
        QVERIFY(b.until([&] { return !b.queue()->problem().isEmpty(); }));
        QVERIFY2(b.queue()->problem().contains("skein-queue.json"), qPrintable(b.queue()->problem()));
        b.showQueue();
        auto* fresh = b.side().panel()->findChild<QPushButton*>("queueFresh");
        QVERIFY(fresh->isVisible());
        fresh->click();
        QVERIFY(b.until([&] { return b.queue()->problem().isEmpty(); }));
        QVERIFY(fs::exists(text::toPath(folder) / "skein-queue.damaged.json"));
        QVERIFY(b.add(1, true));
        QVERIFY(b.isOver());
    }

    void anotherProcessThatHasTheQueueIsToldAndWaitedFor() {
        Bench& b = *m_bench;
        b.makeClips(1, 4);
        const fs::path file = text::toPath(QueueController::defaultFolder()) / "skein-queue.json";
        fs::create_directories(file.parent_path());
        auto other = batch::Queue::open(file);
        QVERIFY(other);
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 1));
        QVERIFY(test::chooseModel(b.dialog(), test::sampleModel(), false));
        QVERIFY(test::press(b.dialog(), "batchStart"));
        QVERIFY(b.until([&] { return b.queue()->problem().contains("Another run of Skein"); }));
        QVERIFY(b.queue()->rows().empty());
        other->reset();
        // What was to be queued is, once the other one is gone.
        QVERIFY(b.isOver());
        QCOMPARE(b.queue()->counts().done, 1);
        QCOMPARE(b.queue()->problem(), QString());
    }

private:
    std::unique_ptr<Bench> m_bench;
};

QTEST_MAIN(TestQueueSessions)
#include "tst_queue_sessions.moc"
