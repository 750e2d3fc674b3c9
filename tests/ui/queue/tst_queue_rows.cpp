// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the queue in the real window: their order, their states, and what a person does with them.
#include <QMimeData>
#include <QPlainTextEdit>
#include <algorithm>

#include "tests/support/worked_time.h"
#include "tests/ui/queue/queue_fixture.h"

using namespace skein;
using namespace skein::ui;
using batch::EntryState;
using test::Bench;
namespace fs = std::filesystem;

class TestQueueRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetQueue();
        m_bench = std::make_unique<Bench>();
    }
    void cleanup() { m_bench.reset(); }

    void rowsAreMovedCancelledAndTriedAgain() {
        Bench& b = *m_bench;
        b.makeClips(4);
        test::makeClip(b.path("videos") / "z.mp4", 0, test::kLong);
        QVERIFY(b.add(5, false));
        QCOMPARE(b.names(), QStringList({"v0", "v1", "v2", "v3", "z"}));
        b.showQueue();
        QueueTableModel* model = b.side().panel()->model();
        // As a person drags the long one to the second place.
        const std::unique_ptr<QMimeData> dragged(model->mimeData({model->index(4, 0), model->index(4, 1)}));
        QVERIFY(model->dropMimeData(dragged.get(), Qt::MoveAction, 1, 0, {}));
        QCOMPARE(b.names(), QStringList({"v0", "z", "v1", "v2", "v3"}));
        b.select({4});
        b.window->trigger("queueUp");
        QCOMPARE(b.names(), QStringList({"v0", "z", "v1", "v3", "v2"}));
        b.select({2, 3});
        b.window->trigger("queueFirst");
        QCOMPARE(b.names(), QStringList({"v1", "v3", "v0", "z", "v2"}));
        b.select({0});
        b.window->trigger("queueDown");
        QCOMPARE(b.names(), QStringList({"v3", "v1", "v0", "z", "v2"}));
        // What waits is cancelled, and does not run; what runs is cancelled, and what it has stays.
        b.select({1});
        b.window->trigger("queueCancel");
        QCOMPARE(b.state(1), EntryState::Cancelled);
        b.window->trigger("queueStart");
        const auto& z = [&]() -> const batch::Entry& { return *b.queue()->rows()[3].entry; };
        QVERIFY(b.until([&] { return z().state == EntryState::Running && z().framesDone >= 8; }));
        QVERIFY(!fs::exists(b.path("videos") / "v1.predictions.slp"));
        b.select({3});
        b.window->answers.choice = 0;  // keep
        b.window->trigger("queueCancel");
        QVERIFY(b.until([&] { return z().state == EntryState::Cancelled; }));
        const auto done = z().framesDone;
        QVERIFY(done >= 8 && done < test::kLong);
        QVERIFY(fs::exists(z().output));
        QVERIFY(b.isOver());
        QCOMPARE(b.state(4), EntryState::Done);
        // Tried again it goes on, and ends as if nothing had been.
        b.select({1, 3});
        b.window->trigger("queueRetry");
        QVERIFY(b.isOver());
        QCOMPARE(b.queue()->counts().done, 5);
        QCOMPARE(test::differenceToCommand(z(), b.path("alone.slp"), {"--tracking"}), QString());
        b.select({0});
        b.window->trigger("queueRemove");
        QCOMPARE(b.names(), QStringList({"v1", "v0", "z", "v2"}));
        b.window->trigger("queueClear");
        QCOMPARE(b.queue()->counts().total, 0);
    }

    // gui.md 10.4: asked once, kept or discarded, or not at all.
    void theFramesOfACancelledRunAreKeptOrDiscardedAsAPersonSays() {
        Bench& b = *m_bench;
        test::makeClip(b.path("videos") / "long.mp4", 0, test::kLong);
        QVERIFY(b.add(1, true));
        const auto row = [&]() -> const batch::Entry& { return *b.queue()->rows().front().entry; };
        const auto runs = [&] {
            return b.until([&] { return row().state == EntryState::Running && row().framesDone >= 8; });
        };
        QVERIFY(runs());
        b.select({0});
        b.window->answers.choice = -1;
        b.window->trigger("queueCancel");
        QCOMPARE(b.window->answers.choiceAsked, 1);
        QVERIFY2(b.window->answers.question.contains("It goes on until you choose."),
                 qPrintable(b.window->answers.question));
        QCOMPARE(row().state, EntryState::Running);
        b.window->answers.choice = 1;  // discard
        b.window->trigger("queueCancel");
        QVERIFY(b.isOver());
        QCOMPARE(row().state, EntryState::Cancelled);
        QCOMPARE(row().framesDone, std::int64_t{0});
        QVERIFY(!fs::exists(row().output));
        // From now on they are kept, and nobody asks.
        for (const int asked : {3, 3}) {
            b.select({0});
            b.window->trigger("queueRetry");
            QVERIFY(runs());
            b.select({0});
            b.window->answers.choice = 0;
            b.window->answers.always = true;
            b.window->trigger("queueCancel");
            QVERIFY(b.isOver());
            QCOMPARE(b.window->answers.choiceAsked, asked);
            QVERIFY(row().framesDone >= 8 && fs::exists(row().output));
            // What became of them is said, and what the file beside the result is for.
            const QString remarks = rowRemarks(b.queue()->rows().front());
            QVERIFY2(remarks.contains("were kept in the result") && remarks.contains(".unfinished"),
                     qPrintable(remarks));
            QVERIFY(rowDetails(b.queue()->rows().front()).contains(".unfinished"));
        }
    }

    void aRowIsPausedByItself() {
        Bench& b = *m_bench;
        test::makeClip(b.path("videos") / "long.mp4", 0, test::kLong);
        test::makeClip(b.path("videos") / "short.mp4", 0, 8);
        QVERIFY(b.add(2, true));
        QVERIFY(
            b.until([&] { return b.state(0) == EntryState::Running && b.queue()->rows()[0].entry->framesDone >= 8; }));
        b.select({0});
        QVERIFY(!(*b.window)->actions().get("queueResumeRows")->isEnabled());
        b.window->trigger("queuePauseRows");
        QVERIFY(b.until([&] { return b.state(1) == EntryState::Done; }));
        QCOMPARE(b.state(0), EntryState::Waiting);
        QCOMPARE(b.side().panel()->model()->index(0, QueueTableModel::State).data().toString(), QString("Paused"));
        QVERIFY(!b.queue()->isWorking());
        b.select({0});
        b.window->trigger("queueResumeRows");
        QVERIFY(b.isOver());
        QCOMPARE(b.state(0), EntryState::Done);
        QCOMPARE(test::differenceToCommand(*b.queue()->rows()[0].entry, b.path("alone.slp"), {"--tracking"}),
                 QString());
    }

    void aQueueThatHasEndedWaitsForItsNextStart() {
        Bench& b = *m_bench;
        b.makeClips(1, 8);
        QVERIFY(b.add(1, true));
        QVERIFY(b.isOver());
        QVERIFY(b.until([&] { return !b.queue()->isStarted(); }));
        fs::create_directories(b.path("more"));
        test::makeClip(b.path("more") / "later.mp4", 0, 8);
        b.dialog()->showFor({test::text(b.path("more"))});
        QVERIFY(test::looked(b.dialog(), 1) && test::chooseModel(b.dialog(), test::sampleModel(), false));
        QVERIFY(test::press(b.dialog(), "batchAdd"));
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 2; }));
        QTest::qWait(200);
        QCOMPARE(b.state(1), EntryState::Waiting);
        // Start means a paused row too where no other is left.
        b.select({1});
        b.window->trigger("queuePauseRows");
        QVERIFY(b.until([&] { return b.queue()->rows()[1].entry->paused; }));
        b.window->trigger("queueStart");
        QVERIFY(b.isOver());
        QCOMPARE(b.state(1), EntryState::Done);
    }

    void rowsOfTwoModelsAreToldApart() {
        Bench& b = *m_bench;
        std::vector<batch::Entry> entries(2);
        for (std::size_t i = 0; i < 2; ++i) {
            entries[i].data = b.path("videos") / "v.mp4";
            entries[i].output = b.path("v" + std::to_string(i) + ".slp");
            entries[i].settings.models = {b.path(i == 0 ? "may/bottomup" : "june/bottomup")};
        }
        b.queue()->add({entries[0]}, false);
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 1; }));
        b.showQueue();
        const auto what = [&](int row) {
            return b.side().panel()->model()->index(row, QueueTableModel::What).data().toString();
        };
        QCOMPARE(what(0), QString("v.mp4"));
        b.queue()->add({entries[1]}, false);
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 2; }));
        b.showQueue();
        QCOMPARE(what(0), QString("v.mp4 · may"));
        QCOMPARE(what(1), QString("v.mp4 · june"));
    }

    void pausedItStandsStillAndALogTellsWhatWas() {
        Bench& b = *m_bench;
        test::makeClip(b.path("videos") / "long.mp4", 0, test::kLong);
        QVERIFY(b.add(1, true));
        const auto& row = [&]() -> const QueueRow& { return b.queue()->rows().front(); };
        QVERIFY(b.until([&] { return row().entry->framesDone >= 8; }));
        b.window->trigger("queuePause");
        QVERIFY(b.until([&] { return row().paused; }));
        QVERIFY(!b.queue()->isComputing());
        b.window->trigger("queuePause");
        QVERIFY(b.isOver());
        QCOMPARE(b.state(0), EntryState::Done);
        b.showQueue();
        b.select({0});
        b.window->trigger("queueLog");
        auto* log = b.window->window->findChild<QPlainTextEdit*>("queueLogText");
        QVERIFY(log != nullptr);
        QTRY_VERIFY2(log->toPlainText().contains("long.mp4") && log->toPlainText().contains("done"),
                     qPrintable(log->toPlainText()));
    }

    void aThousandRowsDoNotHoldTheWindowUp() {
        Bench& b = *m_bench;
        std::vector<batch::Entry> entries(1000);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            entries[i].data = b.path("videos") / ("v" + std::to_string(i) + ".mp4");
            entries[i].output = b.path("videos") / ("v" + std::to_string(i) + ".slp");
            entries[i].settings.models = {test::sampleModel()};
            entries[i].settings.tracking.emplace();
        }
        b.queue()->add(std::move(entries), false);
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 1000; }));
        b.showQueue();
        std::vector<double> took;
        for (int i = 0; i < 9; ++i) {
            const test::WorkedTime time;
            b.queue()->setPaused(i % 2 == 0);  // everything is read and shown anew
            QCoreApplication::sendPostedEvents();
            took.push_back(time.ms());
        }
        std::sort(took.begin(), took.end());
        qInfo("median %.1f ms, most %.1f ms", took[4], took[8]);
        QVERIFY2(took[4] <= 32, qPrintable(QString::number(took[4])));
    }

private:
    std::unique_ptr<Bench> m_bench;
};

QTEST_MAIN(TestQueueRows)
#include "tst_queue_rows.moc"
