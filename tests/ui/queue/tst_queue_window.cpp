// SPDX-License-Identifier: GPL-3.0-or-later
// The queue in the real window, with the real engine on short pieces of the sample.
#include <QAbstractItemModelTester>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QTabBar>
#include <ctime>
#include <set>

#include "engine/batch/queue.h"
#include "engine/batch/queue_file.h"
#include "tests/support/worked_time.h"
#include "tests/ui/queue/queue_fixture.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/panels/jobs_panel.h"
#include "ui/queue/queue_panel.h"
#include "ui/queue/queue_table_model.h"
#include "ui/widgets/plain_table.h"

using namespace skein;
using namespace skein::ui;
using batch::EntryState;
using test::Bench;
namespace fs = std::filesystem;

namespace {

/// Frames of a video that is not done before the window has done something else, however busy the machine is.
constexpr int kLong = 300;

/// What the command makes of the same video with the same options.
QString differenceToCommand(const batch::Entry& entry, const fs::path& output, const QStringList& options) {
    const test::Outcome run =
        test::runCommand(QStringList{"predict", "-i", test::text(entry.data), "-m",
                                     test::text(entry.settings.models.front()), "-o", test::text(output), "--quiet"} +
                         options);
    if (run.exitCode != 0)
        return run.err;
    const QString difference = test::differenceOf(output, entry.output);
    fs::remove(output);
    return difference;
}

}  // namespace

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
            QCOMPARE(differenceToCommand(entry, b.path("alone.slp"), {"--tracking"}), QString());
        }
        QCOMPARE(outputs.size(), std::size_t{10});
    }

    void rowsAreMovedCancelledAndTriedAgain() {
        Bench& b = *m_bench;
        b.makeClips(4);
        test::makeClip(b.path("videos") / "z.mp4", 0, kLong);
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
        QVERIFY(done >= 8 && done < kLong);
        QVERIFY(fs::exists(z().output));
        QVERIFY(b.isOver());
        QCOMPARE(b.state(4), EntryState::Done);
        // Tried again it goes on, and ends as if nothing had been.
        b.select({1, 3});
        b.window->trigger("queueRetry");
        QVERIFY(b.isOver());
        QCOMPARE(b.queue()->counts().done, 5);
        QCOMPARE(differenceToCommand(z(), b.path("alone.slp"), {"--tracking"}), QString());
        b.select({0});
        b.window->trigger("queueRemove");
        QCOMPARE(b.names(), QStringList({"v1", "v0", "z", "v2"}));
        b.window->trigger("queueClear");
        QCOMPARE(b.queue()->counts().total, 0);
    }

    // gui.md 10.4: asked once, kept or discarded, or not at all.
    void theFramesOfACancelledRunAreKeptOrDiscardedAsAPersonSays() {
        Bench& b = *m_bench;
        test::makeClip(b.path("videos") / "long.mp4", 0, kLong);
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
        QVERIFY2(b.window->answers.question.contains(" finished frames"), qPrintable(b.window->answers.question));
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
        }
    }

    void aRowIsPausedByItself() {
        Bench& b = *m_bench;
        test::makeClip(b.path("videos") / "long.mp4", 0, kLong);
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
        QCOMPARE(differenceToCommand(*b.queue()->rows()[0].entry, b.path("alone.slp"), {"--tracking"}), QString());
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

    void whatIsLeftIsOfferedAndNotBegun() {
        Bench& b = *m_bench;
        b.makeClips(3);
        QVERIFY(b.add(3, false));
        b.select({0});
        b.window->trigger("queueCancel");
        b.window.reset();
        b.window = std::make_unique<test::Window>();
        QVERIFY(b.until([&] { return b.window->sentences().contains("2 of 3 entries are left in the queue."); }));
        QVERIFY(!b.queue()->isStarted());
        QCOMPARE(b.queue()->counts().waiting, 2);
        // Opening a project does not take the offer away.
        QVERIFY(b.window->open(test::sample("synthetic_6.mp4")));
        QVERIFY(b.until([&] { return b.window->sentences().contains("2 of 3 entries are left in the queue."); }));
        const auto press = [&](const QString& words) {
            for (auto* button : (*b.window)->messages().findChildren<QAbstractButton*>())
                if (button->text() == words)
                    return button->click();
            QFAIL(qPrintable("no button " + words));
        };
        press("Later");
        QVERIFY(b.until([&] { return !b.window->sentences().contains("2 of 3 entries are left in the queue."); }));
        QCOMPARE(b.queue()->counts().waiting, 2);
        b.window.reset();
        b.window = std::make_unique<test::Window>();
        QVERIFY(b.until([&] { return b.window->sentences().contains("2 of 3 entries are left in the queue."); }));
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
        QVERIFY(b.until([&] { return b.window->sentences().contains("2 of 2 entries are left in the queue."); }));
        b.queue()->remove(QueueRow(b.queue()->rows().front()));
        QVERIFY(b.until([&] { return b.window->sentences().contains("1 of 1 entry is left in the queue."); }));
        b.queue()->remove(QueueRow(b.queue()->rows().front()));
        QVERIFY(b.until([&] { return b.window->sentences().isEmpty(); }));
    }

    void closingDuringAQueueAsksAndWhatWasInWorkGoesOn() {
        Bench& b = *m_bench;
        test::makeClip(b.path("videos") / "long.mp4", 0, kLong);
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
        QCOMPARE(differenceToCommand(row(), b.path("alone.slp"), {"--tracking"}), QString());
    }

    void theQueueAndARunOfTheProjectTakeTurns() {
        Bench& b = *m_bench;
        for (int i = 0; i < 2; ++i)
            test::makeClip(b.path("videos") / ("v" + std::to_string(i) + ".mp4"), 0, i == 0 ? kLong : 20);
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

    void pausedItStandsStillAndALogTellsWhatWas() {
        Bench& b = *m_bench;
        test::makeClip(b.path("videos") / "long.mp4", 0, kLong);
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
