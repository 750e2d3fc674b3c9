// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says of a queue: with which options it runs, what it costs, and why something failed.
#include <QDateTime>
#include <QDockWidget>
#include <QFileInfo>
#include <QScrollArea>
#include <QSettings>

#include "tests/ui/queue/queue_fixture.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/preset_bar.h"
#include "ui/dialogs/run_settings.h"
#include "ui/models/profile_table_model.h"
#include "ui/panels/profiling_panel.h"
#include "ui/run_controller.h"
#include "ui/widgets/metric_card.h"
#include "ui/widgets/progress_line.h"

using namespace skein;
using namespace skein::ui;
using batch::EntryState;
using test::Bench;
namespace fs = std::filesystem;

class TestQueueWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetQueue();
        m_bench = std::make_unique<Bench>();
    }
    void cleanup() { m_bench.reset(); }

    void theProfilingDockShowsWhatTheQueueComputes() {
        Bench& b = *m_bench;
        test::makeClip(b.path("videos") / "v0.mp4", 0, 120);
        MainWindow& window = *b.window->window;
        auto* dock = window.findChild<QDockWidget*>("dockProfiling");
        ProfilingPanel* panel = window.run().profilingPanel();
        const auto batches = [panel] {
            return panel->model()
                ->index(int(profile::Stage::Forward), ProfileTableModel::Count)
                .data()
                .toString()
                .toInt();
        };
        auto* outcome = panel->findChild<QLabel*>("profilingOutcome");
        QVERIFY(b.add(1, true));
        // What was queued is shown in the dock Jobs, in front of it.
        dock->show();
        dock->raise();
        QTRY_VERIFY(panel->isVisible());
        // Live, and then its last figures, with its name.
        QVERIFY(b.until([&] { return batches() > 0 && outcome->text() == QLatin1String("Predicting"); }));
        QCOMPARE(panel->findChild<ElidedLabel*>("profilingRun")->fullText(), QStringLiteral("v0.mp4 (of the queue)"));
        QVERIFY(b.isOver());
        QTRY_VERIFY2(outcome->text().startsWith("Finished: 120 frames"), qPrintable(outcome->text()));
        QTRY_VERIFY(batches() >= 30);
        QVERIFY(panel->findChild<MetricCard*>("profilingThreads")->note().contains("in stages"));
        // What was measured is what the next summary goes by.
        b.dialog()->showFor({test::text(b.path("videos") / "v0.mp4")});
        QVERIFY(test::looked(b.dialog(), 1));
        QVERIFY2(b.until([&] { return test::summary(b.dialog()).contains("on this device (CPU)"); }),
                 qPrintable(test::summary(b.dialog())));
    }

    void theDialogSaysWhichOptionsItTakesAndLetsThemBeChosen() {
        Bench& b = *m_bench;
        b.makeClips(1, 4);
        {
            // The last run was made with a preset that was changed.
            QSettings file(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("skein"),
                           QStringLiteral("skein"));
            RunSettings last;
            applyPreset(last, builtInPresets()[1]);
            last.inference.peakThreshold = 0.35;
            saveRunSettings(file, last);
            PresetStore(&file).setLast(builtInPresets()[1].name);
        }
        b.dialog()->showFor({test::text(b.path("videos"))});
        auto* list = b.dialog()->findChild<QComboBox*>("batchPreset");
        auto* note = b.dialog()->findChild<QLabel*>("batchOptionsNote");
        QCOMPARE(list->currentText(), builtInPresets()[1].name);
        QVERIFY2(note->text().contains(QString::fromUtf8("Peak threshold 0.2 → 0.35")), qPrintable(note->text()));
        // None that finds nothing: a queue is for predictions.
        for (int i = 0; i < list->count(); ++i)
            QVERIFY(list->itemText(i) != QLatin1String("Re-track only"));
        // Another preset, and the tracking that goes with it.
        list->setCurrentIndex(list->findText("Two mice"));
        Q_EMIT list->activated(list->currentIndex());
        QCOMPARE(note->text(), QStringLiteral("As the preset says."));
        QVERIFY(test::looked(b.dialog(), 1));
        b.dialog()->modelPicker()->setPath(test::text(test::sampleModel()));
        QVERIFY2(b.until([&] { return test::summary(b.dialog()).contains("as 2 animals"); }),
                 qPrintable(test::summary(b.dialog())));
        auto* kind = b.dialog()->findChild<QComboBox*>("batchTrackingPreset");
        kind->setCurrentIndex(kind->findData("none"));
        Q_EMIT kind->activated(kind->currentIndex());
        QVERIFY2(test::summary(b.dialog()).contains("not tracked"), qPrintable(test::summary(b.dialog())));
        QVERIFY2(note->text().contains("tracking"), qPrintable(note->text()));
        QVERIFY(test::press(b.dialog(), "batchAdd"));
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 1; }));
        QVERIFY(!b.queue()->rows().front().entry->settings.tracking);
    }

    void withoutATickOnePressTicksAll() {
        Bench& b = *m_bench;
        b.makeClips(2, 4);
        auto* fix = b.dialog()->findChild<QPushButton*>("batchFix");
        b.dialog()->showFor({});
        QCOMPARE(fix->text(), QString::fromUtf8("Choose a folder…"));
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 2));
        for (int row = 0; row < 2; ++row)
            b.dialog()->found()->setUsed(row, false);
        QCOMPARE(test::summary(b.dialog()), QStringLiteral("No video is ticked."));
        QCOMPARE(fix->text(), QStringLiteral("Tick all"));
        fix->click();
        QCOMPARE(b.dialog()->found()->used().size(), std::size_t{2});
    }

    void videosThatCannotBeReadAreNotCountedAsProjects() {
        Bench& b = *m_bench;
        b.makeClips(2, 4);
        test::writeText(b.path("videos") / "never.mp4", "This was never a video.");
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 3));
        QVERIFY(test::chooseModel(b.dialog(), test::sampleModel(), false));
        QVERIFY2(b.until([&] { return test::summary(b.dialog()).contains("Saved as 2 projects, "); }),
                 qPrintable(test::summary(b.dialog())));
        QVERIFY(!test::summary(b.dialog()).contains("cannot be read"));
        for (int row = 0; row < 3; ++row)
            b.dialog()->found()->setUsed(row, true);
        QVERIFY2(test::summary(b.dialog()).contains("Saved as 2 projects, ") &&
                     test::summary(b.dialog()).contains("1 video that is ticked cannot be read."),
                 qPrintable(test::summary(b.dialog())));
    }

    void withSubfoldersStaysAsItWasChosen() {
        Bench& b = *m_bench;
        for (const char* folder : {"videos", "more"}) {
            fs::create_directories(b.path(folder) / "june");
            for (const char* name : {"june/clip.mp4", "top.mp4"})
                test::makeClip(b.path(folder) / name, 0, 4);
        }
        auto* tick = b.dialog()->findChild<QCheckBox*>("batchSubfolders");
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 1));
        tick->click();
        QVERIFY(test::looked(b.dialog(), 2));
        b.dialog()->showFor({test::text(b.path("more"))});
        QVERIFY(test::looked(b.dialog(), 2) && tick->isChecked());
        // In the next session too, and until it is taken back.
        b.window.reset();
        b.window = std::make_unique<test::Window>();
        tick = b.dialog()->findChild<QCheckBox*>("batchSubfolders");
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 2) && tick->isChecked());
        tick->click();
        QVERIFY(test::looked(b.dialog(), 1));
        // That a folder holds nothing else is no choice of a person.
        fs::remove(b.path("more") / "top.mp4");
        b.dialog()->showFor({test::text(b.path("more"))});
        QVERIFY(b.until([&] { return tick->isChecked(); }));
        QVERIFY(test::looked(b.dialog(), 1));
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 1) && !tick->isChecked());
    }

    void whatTheQueueHasWrittenIsNotTakenForAnotherProgramsWork() {
        Bench& b = *m_bench;
        b.makeClips(1, 8);
        QVERIFY(b.add(1, true));
        QVERIFY(b.isOver());
        const QString result = test::text(b.queue()->rows().front().entry->output);
        QVERIFY(b.window->open(result));
        // Its time is known to the second.
        const QDateTime written = QFileInfo(result).lastModified();
        QVERIFY(b.until([&] { return QDateTime::currentDateTime().toSecsSinceEpoch() > written.toSecsSinceEpoch(); }));
        QVERIFY(!b.queue()->hasWritten(result, QDateTime::currentDateTime()));
        b.select({0});
        // The same again would be the same file.
        batch::Entry other = *b.queue()->rows().front().entry;
        other.state = EntryState::Waiting;
        other.existing = batch::ExistingOutput::Overwrite;
        other.settings.frames = "0-3";
        b.queue()->add({other}, true);
        QVERIFY(
            b.until([&] { return b.window->sentences().contains("The queue has written v0.predictions.slp anew."); }));
    }

    void aLongSummaryDoesNotWidenTheDock() {
        Bench& b = *m_bench;
        std::vector<batch::Entry> entries(12);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            entries[i].data = b.path("videos") / ("v" + std::to_string(i) + ".mp4");
            entries[i].output = b.path("v" + std::to_string(i) + ".slp");
            entries[i].settings.models = {test::sampleModel()};
        }
        const batch::Entry first = entries.front();
        b.queue()->add({first}, false);
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 1; }));
        b.showQueue();
        const int before = b.side().panel()->minimumSizeHint().width();
        b.queue()->add({entries.begin() + 1, entries.end()}, true);
        QVERIFY(b.until([&] { return b.queue()->counts().failed == 12; }));
        b.queue()->add(entries, false);
        QVERIFY(b.until([&] { return b.queue()->counts().left() == 12; }));
        b.select({12, 13});
        b.window->trigger("queueCancel");
        const auto* counts = b.side().panel()->findChild<QLabel*>("queueCounts");
        QTRY_COMPARE(counts->text(), QString("0 of 24 done, 12 with problems, 2 cancelled, 10 left"));
        QCOMPARE(b.side().panel()->minimumSizeHint().width(), before);
    }

    void noColumnIsCutOffInASmallWindow() {
        Bench& b = *m_bench;
        b.makeClips(1, 4);
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 1));
        QVERIFY(test::chooseModel(b.dialog(), test::sampleModel(), true));
        InferenceDialog* inference = b.window->window->run().dialog();
        inference->show();
        for (QDialog* dialog : {static_cast<QDialog*>(b.dialog()), static_cast<QDialog*>(inference)}) {
            QVERIFY(QTest::qWaitForWindowExposed(dialog, test::kPatienceMs));
            dialog->resize(dialog->minimumSizeHint());
            QTRY_VERIFY2(dialog->minimumSizeHint().width() <= 1240,
                         qPrintable(QString::number(dialog->minimumSizeHint().width())));
            for (const QScrollArea* area : dialog->findChildren<QScrollArea*>())
                QTRY_VERIFY2(area->widget()->minimumSizeHint().width() <= area->viewport()->width(),
                             qPrintable(QStringLiteral("%1: %2 of %3")
                                            .arg(dialog->objectName())
                                            .arg(area->viewport()->width())
                                            .arg(area->widget()->minimumSizeHint().width())));
        }
    }

    void everyReasonCanBeReadInFull() {
        Bench& b = *m_bench;
        b.makeClips(1, 4);
        const std::string longName = "session_of_the_12th_of_march_open_field_camera_above_mouse_";
        for (const char* n : {"1", "2"})
            test::writeText(b.path("videos") / (longName + n + ".mp4"), "This was never a video.");
        b.dialog()->showFor({test::text(b.path("videos"))});
        QVERIFY(test::looked(b.dialog(), 3));
        auto* why = b.dialog()->findChild<QLabel*>("batchProblems");
        auto* videos = b.dialog()->findChild<PlainTable*>("batchVideos");
        const auto& found = b.dialog()->found()->videos();
        QTRY_VERIFY(why->isVisible() && why->text().contains("2 cannot be read"));
        for (int row = 0; row < 3; ++row) {
            if (found[std::size_t(row)].problem.isEmpty())
                continue;
            videos->selectRow(videos->fromModel(b.dialog()->found()->index(row, 0)).row());
            QTRY_VERIFY2(why->text().startsWith(found[std::size_t(row)].problem), qPrintable(why->text()));
        }
        QVERIFY(why->wordWrap());
        // In the queue too, of the selected row.
        for (int row = 0; row < 3; ++row)
            b.dialog()->found()->setUsed(row, true);
        QVERIFY(test::chooseModel(b.dialog(), test::sampleModel(), false));
        QVERIFY(test::press(b.dialog(), "batchStart"));
        QVERIFY(b.until([&] { return b.queue()->rows().size() == 3; }));
        QVERIFY(b.isOver());
        b.showQueue();
        auto* detail = b.side().panel()->findChild<QLabel*>("queueDetail");
        std::vector<QString> reasons;
        for (int row = 0; row < 3; ++row) {
            const batch::Entry& entry = *b.queue()->rows()[std::size_t(row)].entry;
            reasons.push_back(QString::fromStdString(entry.reason));
            b.select({row});
            QTRY_COMPARE(detail->text().contains(reasons.back()) && !reasons.back().isEmpty(),
                         entry.state == EntryState::Failed);
        }
        b.select({});
        QTRY_VERIFY(!detail->isVisible());
        QVERIFY(b.side().panel()->findChild<QLabel*>("queueNow")->text().startsWith("Select a row"));
    }

private:
    std::unique_ptr<Bench> m_bench;
};

QTEST_MAIN(TestQueueWords)
#include "tst_queue_words.moc"
