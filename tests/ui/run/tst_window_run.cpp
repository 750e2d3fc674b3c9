// SPDX-License-Identifier: GPL-3.0-or-later
// The whole path in the real window with the real engine: open, run, watch, cancel, save, open again.
#include <QComboBox>
#include <QLabel>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <filesystem>
#include <fstream>

#include "engine/formats/slp.h"
#include "tests/support/worked_time.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/dialogs/evaluation_dialog.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/preview_window.h"
#include "ui/models/run_history_model.h"
#include "ui/panels/jobs_panel.h"

using namespace skein;
using namespace skein::ui;
namespace fs = std::filesystem;

namespace {

fs::path sampleFolder() {
    return fs::path(SKEIN_SOURCE_DIR) / "resources" / "sample";
}

/// Frames of the project that hold at least one instance.
std::size_t framesWithInstances(const project::Labels& labels) {
    std::size_t count = 0;
    for (std::size_t row = 0; row < labels.frameCount(); ++row)
        count += labels.frame(row).instanceCount() > 0 ? 1 : 0;
    return count;
}

}  // namespace

class TestWindowRun : public QObject {
    Q_OBJECT

    std::unique_ptr<test::Window> m_window;

    template <class T>
    T* dialogChild(const char* name) {
        return (*m_window)->run().dialog()->findChild<T*>(QLatin1String(name));
    }
    template <class T>
    T* jobsChild(const char* name) {
        return (*m_window)->run().jobsPanel()->findChild<T*>(QLatin1String(name));
    }
    [[nodiscard]] bool until(const std::function<bool()>& condition) { return test::await(condition); }

    /// Opens the inference dialog as soon as a person could: on a busy machine the window needs a moment.
    [[nodiscard]] bool showDialog() {
        if (!until([this] { return (*m_window)->actions().get("predictRun")->isEnabled(); }))
            return false;
        m_window->trigger("predictRun");
        return (*m_window)->run().dialog()->isVisible();
    }

    /// Chooses the model, the selected range and the tracker as a person does, and presses Run.
    void run(const fs::path& model, FrameRange range, bool track) {
        (*m_window)->view().setRange(range);
        QVERIFY(showDialog());
        (*m_window)->run().dialog()->modelPicker()->setPath(test::fromPath(model));
        QVERIFY(until([&] { return (*m_window)->run().dialog()->plan().canRun; }));
        dialogChild<QRadioButton>("inferenceTargetRange")->click();
        auto* tracker = dialogChild<QComboBox>("inferenceTracker");
        tracker->setCurrentIndex(track ? 1 : 0);
        Q_EMIT tracker->activated(track ? 1 : 0);
        auto* button = dialogChild<QPushButton>("inferenceRun");
        QVERIFY(button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
    }

private Q_SLOTS:
    void initTestCase() {
        if (const auto backend = inference::openBackend(); !backend)
            QFAIL(("LibTorch cannot be used here: " + backend.error().message()).c_str());
        theme::apply(theme::Mode::Light);
    }
    void init() {
        test::forgetSettings();
        m_window = std::make_unique<test::Window>();
        QVERIFY(m_window->open(test::sample("synthetic_6.mp4")));
    }
    void cleanup() { m_window.reset(); }

    void runWatchSaveReopen() {
        test::Window& w = *m_window;
        RunController& controller = w->run();
        run(sampleFolder() / "synthetic_bottomup", {0, 59}, true);
        // Live: skeletons are on the canvas while the project does not hold them yet.
        QVERIFY(until([&] { return !w->canvas().contents().instances.empty(); }));
        QVERIFY(controller.isFollowing());
        QVERIFY(controller.isRunning() || framesWithInstances(w->document().labels()) == 60);
        QVERIFY(until([&] { return !controller.isRunning(); }));
        QCOMPARE(controller.run().state, RunState::Finished);
        const project::Labels labels = w->document().labels();
        QCOMPARE(labels.frameCount(), std::size_t{60});
        QVERIFY(w->document().isModified());
        QVERIFY(!labels.tracks().empty());

        // The same as the sample's recorded result, frame by frame.
        const auto expected = formats::readSlp(sampleFolder() / "expected.slp");
        QVERIFY(expected);
        for (std::int64_t frame = 0; frame < 60; ++frame) {
            const auto ours = labels.findFrame(0, frame);
            const auto theirs = expected->findFrame(0, frame);
            QVERIFY(ours && theirs);
            QCOMPARE(labels.frame(*ours).instanceCount(), expected->frame(*theirs).instanceCount());
        }
        // One copy per batch, in the run and on the card.
        const profile::Summary& profile = controller.run().progress->profile;
        QCOMPARE(profile.batches, std::uint64_t{15});
        QCOMPARE(profile.deviceToHost.count, profile.batches);

        // The run is one step of undo.
        QCOMPARE(w->document().undoStack()->count(), 1);
        w.trigger("editUndo");
        QCOMPARE(w->document().labels().frameCount(), std::size_t{0});
        w.trigger("editRedo");
        QCOMPARE(w->document().labels().frameCount(), std::size_t{60});

        const QTemporaryDir folder;
        const QString file = folder.filePath("result.slp");
        w->document().save(file);
        QVERIFY(until([&] { return !w->document().isSaving() && !w->document().isModified(); }));
        test::Window again;
        QVERIFY(again.open(file));
        QVERIFY(test::sameContent(again->document().labels(), labels));
    }

    // Every kind of run in the window gives what the command gives: a top-down pair, identities by class, and a tracker
    // that has the last word at the end.
    void runsEqualTheCommand_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<int>("tracker");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("last");
        const auto none = static_cast<int>(TrackerChoice::None);
        QTest::newRow("top-down") << "centered_instance"
                                  << "centroid" << none << QStringList() << 11;
        QTest::newRow("multi-class bottom-up") << "multiclass_bottomup"
                                               << "" << none << QStringList() << 11;
        QTest::newRow("top-down, OC-SORT") << "centroid"
                                           << "centered_instance" << static_cast<int>(TrackerChoice::OcSort)
                                           << QStringList{"--tracking", "--tracker", "ocsort"} << 39;
    }
    void runsEqualTheCommand() {
        SKEIN_NEEDS_REFERENCE(reference);
        QFETCH(const QString, first);
        QFETCH(const QString, second);
        QFETCH(const int, tracker);
        QFETCH(const QStringList, options);
        QFETCH(const int, last);
        const auto folder = [&reference](const QString& name) {
            return test::fromPath(reference / "models/ckpt" / ("minimal_instance_" + name.toStdString()));
        };
        const QString video = test::fromPath(reference / "media/centered_pair_small.mp4");
        // A window of its own: the sample would stay beside the video.
        m_window = std::make_unique<test::Window>();
        test::Window& w = *m_window;
        QVERIFY(w.open(video));
        w->view().setRange(FrameRange{0, last});
        QVERIFY(showDialog());
        InferenceDialog* dialog = w->run().dialog();
        second.isEmpty() ? dialog->modelPicker()->setPath(folder(first))
                         : dialog->modelPicker()->setPair(folder(first), folder(second));
        const bool canRun = until([&] { return dialog->plan().canRun; });
        QVERIFY2(canRun, qPrintable(dialog->plan().summary));
        dialogChild<QRadioButton>("inferenceTargetRange")->click();
        auto* choice = dialogChild<QComboBox>("inferenceTracker");
        choice->setCurrentIndex(choice->findData(tracker));
        Q_EMIT choice->activated(choice->currentIndex());
        QTest::mouseClick(dialogChild<QPushButton>("inferenceRun"), Qt::LeftButton);
        QVERIFY(until([&] { return w->run().run().info.id != 0 && !w->run().isRunning(); }));
        QVERIFY2(w->run().run().state == RunState::Finished, qPrintable(w->run().run().error.message));
        QCOMPARE(w->document().undoStack()->count(), 1);
        const profile::Summary& profile = w->run().run().progress->profile;
        QCOMPARE(profile.deviceToHost.count, profile.batches);

        const QTemporaryDir results;
        const QString output = results.filePath("command.slp");
        QStringList arguments{"predict", "-i",   video,     "-m",       folder(first),
                              "-o",      output, "--quiet", "--frames", "0-" + QString::number(last)};
        if (!second.isEmpty())
            arguments << "-m" << folder(second);
        QProcess command;
        command.start(QStringLiteral(SKEIN_BINARY_DIR "/bin/skein"), arguments + options);
        QVERIFY(command.waitForFinished(test::kPatienceMs));
        QVERIFY2(command.exitCode() == 0, command.readAllStandardError().constData());
        const auto expected = formats::readSlp(output.toStdString());
        QVERIFY(expected);
        const project::Labels& ours = w->document().labels();
        QVERIFY(expected->instanceCount() > static_cast<std::size_t>(last));
        const auto trackName = [](const project::Labels& labels, std::int32_t track) {
            return track < 0 ? std::string() : labels.tracks()[static_cast<std::size_t>(track)].name;
        };
        for (std::int64_t frame = 0; frame <= last; ++frame) {
            QVERIFY(ours.findFrame(0, frame) && expected->findFrame(0, frame));
            const auto a = ours.frame(*ours.findFrame(0, frame)), b = expected->frame(*expected->findFrame(0, frame));
            QCOMPARE(a.instanceCount(), b.instanceCount());
            for (std::size_t i = 0; i < a.instanceCount(); ++i) {
                QCOMPARE(trackName(ours, a.instance(i).header->track),
                         trackName(*expected, b.instance(i).header->track));
                for (std::size_t n = 0; n < a.instance(i).points.size(); ++n) {
                    const project::Point &p = a.instance(i).points[n], &q = b.instance(i).points[n];
                    QCOMPARE(p.visible, q.visible);
                    if (p.exists())
                        QVERIFY2(std::abs(p.x - q.x) < 1e-3 && std::abs(p.y - q.y) < 1e-3,
                                 qPrintable(QStringLiteral("frame %1").arg(frame)));
                }
            }
        }
    }

    // A model for crops around the instances that are in the project.
    void aroundInstancesThatAreThere() {
        SKEIN_NEEDS_REFERENCE(reference);
        m_window = std::make_unique<test::Window>();
        test::Window& w = *m_window;
        QVERIFY(w.open(test::fromPath(reference / "media/minimal_instance.pkg.slp")));
        QCOMPARE(w->document().labels().frameCount(), std::size_t{1});
        QVERIFY(showDialog());
        InferenceDialog* dialog = w->run().dialog();
        dialog->modelPicker()->setPath(test::fromPath(reference / "models/ckpt/minimal_instance_centered_instance"));
        QVERIFY(until([&] { return !dialog->modelPicker()->isReading(); }));
        QVERIFY(!dialog->plan().canRun);
        dialog->modelPicker()->setAlone();
        dialogChild<QRadioButton>("inferenceTargetLabelled")->click();
        QVERIFY2(until([&] { return dialog->plan().canRun; }), qPrintable(dialog->plan().summary));
        QTest::mouseClick(dialogChild<QPushButton>("inferenceRun"), Qt::LeftButton);
        QVERIFY(until([&] { return w->run().run().info.id != 0 && !w->run().isRunning(); }));
        QVERIFY2(w->run().run().state == RunState::Finished, qPrintable(w->run().run().error.message));
        // Both animals that a person labelled were found again, close to where they are.
        const project::Labels& labels = w->document().labels();
        QCOMPARE(labels.frameCount(), std::size_t{1});
        QCOMPARE(labels.predictedInstanceCount(), std::size_t{2});

        // And the window says how close.
        w.trigger("predictMetrics");
        auto* evaluation = w->findChild<EvaluationDialog*>("evaluationDialog");
        QVERIFY(evaluation != nullptr && evaluation->isVisible());
        QVERIFY(until([&] { return !evaluation->isComputing(); }));
        QVERIFY(evaluation->result().has_value());
        QCOMPARE(evaluation->result()->poses.matched, std::int64_t{2});
        QVERIFY2(evaluation->result()->poses.distance.p50 < 5,
                 qPrintable(QString::number(evaluation->result()->poses.distance.p50)));
    }

    // All videos of a project, one after another: the second is opened when its turn comes. Each is a step of undo.
    void allVideosOfAProjectAreRun() {
        const QTemporaryDir folder;
        const QStringList files{folder.filePath("a.mp4"), folder.filePath("b.mp4")};
        for (const QString& file : files)
            QVERIFY(QFile::copy(test::sample("synthetic_6.mp4"), file));
        test::Window& w = *m_window;
        w.answers.unsaved = DialogService::Unsaved::Discard;
        w->openPaths(files);
        QVERIFY(until([&] { return w->document().videoCount() == 2 && w->run().blockedReason().isEmpty(); }));
        QVERIFY(showDialog());
        InferenceDialog* dialog = w->run().dialog();
        dialog->modelPicker()->setPath(test::fromPath(sampleFolder() / "synthetic_bottomup"));
        dialogChild<QRadioButton>("inferenceTargetAllVideos")->click();
        QVERIFY2(until([&] { return dialog->plan().canRun && dialog->plan().videos == 2; }),
                 qPrintable(dialog->plan().summary));
        dialogChild<QPushButton>("inferenceRun")->click();
        const auto frames = [&w](std::uint32_t video) {
            std::size_t count = 0;
            for (const std::size_t row : w->document().labels().rowsOf(video))
                count += w->document().labels().frame(row).instanceCount() > 0 ? 1 : 0;
            return count;
        };
        QVERIFY(until([&] { return frames(1) == 300 && !w->run().isRunning(); }));
        QCOMPARE(frames(0), std::size_t{300});
        QVERIFY2(w->run().run().info.title.contains("b.mp4 (video 2 of 2)"), qPrintable(w->run().run().info.title));
        QCOMPARE(w->document().undoStack()->count(), 2);
    }

    // What the preview shows is what the run then writes; once the model is loaded it is there within a second.
    void thePreviewIsWhatTheRunFinds() {
        test::Window& w = *m_window;
        QVERIFY(showDialog());
        InferenceDialog* dialog = w->run().dialog();
        dialog->modelPicker()->setPath(test::fromPath(sampleFolder() / "synthetic_bottomup"));
        QVERIFY(until([&] { return dialog->plan().canRun; }));
        const auto look = [&]() -> const PreviewWindow* {
            dialogChild<QPushButton>("inferencePreview")->click();
            auto* preview = dialog->findChild<PreviewWindow*>();
            return until([&] { return !preview->isBusy(); }) ? preview : nullptr;
        };
        QVERIFY(look() != nullptr);
        const test::WorkedTime time(test::WorkedTime::Of::Program);
        const PreviewWindow* window = look();
        QVERIFY(window != nullptr);
        QVERIFY2(time.ms() < 5000, qPrintable(QString::number(time.ms())));  // a second of several threads
        const auto preview = window->now().preview();
        QVERIFY(preview != nullptr);
        QVERIFY(!preview->peaks.empty() && !preview->links.empty());
        dialogChild<QRadioButton>("inferenceTargetFrame")->click();
        dialogChild<QPushButton>("inferenceRun")->click();
        QVERIFY(until([&] { return w->run().run().info.id != 0 && !w->run().isRunning(); }));
        const project::Labels& labels = w->document().labels();
        QCOMPARE(labels.frameCount(), std::size_t{1});
        const project::FrameView found = labels.frame(0), shown = preview->labels.frame(0);
        QCOMPARE(shown.instanceCount(), found.instanceCount());
        for (std::size_t i = 0; i < found.instanceCount(); ++i)
            for (std::size_t n = 0; n < found.instance(i).points.size(); ++n) {
                const project::Point &a = found.instance(i).points[n], &b = shown.instance(i).points[n];
                QCOMPARE(a.exists(), b.exists());
                if (!a.exists())
                    continue;
                QVERIFY(std::abs(a.x - b.x) < 1e-3 && std::abs(a.y - b.y) < 1e-3);
                // Each node of an instance is one of the peaks.
                QVERIFY(std::any_of(preview->peaks.begin(), preview->peaks.end(), [&](const FramePreview::Peak& peak) {
                    return peak.node == static_cast<int>(n) && std::abs(peak.at.x() - b.x) < 1e-3 &&
                           std::abs(peak.at.y() - b.y) < 1e-3;
                }));
            }
    }

    // I-06 in the window, with the real engine and a tracker: the window goes in the middle of a run, the next one is
    // offered to go on, and the outcome is that of a run that nothing disturbed.
    void I_06_aRunOfTheWindowGoesOnAfterACrash() {
        run(sampleFolder() / "synthetic_bottomup", {0, 299}, true);
        QVERIFY(until([&] { return (*m_window)->run().run().framesDone() >= 60; }));
        m_window.reset();
        m_window = std::make_unique<test::Window>();
        test::Window& w = *m_window;
        QVERIFY(w.open(test::sample("synthetic_6.mp4")));
        const auto banner = [&w] { return w->messages().find(QStringLiteral("resumeRun")); };
        QVERIFY(until([&] { return banner() != nullptr; }));
        QVERIFY2(banner()->sentence().contains("of 300 frames were done"), qPrintable(banner()->sentence()));
        w->run().resumeRun();
        QVERIFY(until([&] { return w->run().isRunning(); }));
        QVERIFY(w->run().run().info.framesTotal == 300);
        QVERIFY(until([&] { return !w->run().isRunning(); }));
        QCOMPARE(w->run().run().state, RunState::Finished);
        QVERIFY(w->run().run().progress->framesResumed >= 40);
        QVERIFY(banner() == nullptr);
        const auto expected = formats::readSlp(sampleFolder() / "expected.slp");
        QVERIFY(expected);
        const project::Labels& labels = w->document().labels();
        QCOMPARE(labels.frameCount(), expected->frameCount());
        QCOMPARE(labels.tracks().size(), expected->tracks().size());
        for (std::int64_t frame = 0; frame < 300; ++frame) {
            const project::FrameView ours = labels.frame(*labels.findFrame(0, frame));
            const project::FrameView theirs = expected->frame(*expected->findFrame(0, frame));
            QCOMPARE(ours.instanceCount(), theirs.instanceCount());
        }
    }

    void cancelWithinABatch() {
        test::Window& w = *m_window;
        RunController& controller = w->run();
        run(sampleFolder() / "synthetic_bottomup", {0, 299}, false);
        QVERIFY(until([&] { return controller.run().framesDone() >= 8; }));
        const test::WorkedTime time(test::WorkedTime::Of::Program);
        w.trigger("predictCancel");
        QVERIFY(until([&] { return !controller.isRunning(); }));
        QVERIFY2(time.ms() <= 3000, qPrintable(QString::number(time.ms())));
        QCOMPARE(controller.run().state, RunState::Cancelled);
        const auto done = controller.run().framesDone();
        QVERIFY(done >= 8 && done < 300);
        QCOMPARE(w->document().labels().frameCount(), static_cast<std::size_t>(done));
        jobsChild<QPushButton>("jobsDiscard")->click();
        QVERIFY(until([&] { return !controller.isRunning(); }));
        QCOMPARE(w->document().labels().frameCount(), std::size_t{0});
    }

    void scrubWhileItRuns() {
        test::Window& w = *m_window;
        RunController& controller = w->run();
        run(sampleFolder() / "synthetic_bottomup", {0, 199}, true);
        QVERIFY(until([&] { return controller.run().framesDone() >= 20; }));
        w.trigger("goFirst");
        QVERIFY(!controller.isFollowing());
        // A frame that is done shows its skeletons at once, wherever they are kept.
        QVERIFY(until([&] { return w->canvas().contents().frame == 0 && !w->canvas().contents().instances.empty(); }));
        const auto before = controller.run().framesDone();
        QVERIFY(until([&] { return controller.run().framesDone() > before || !controller.isRunning(); }));
        QCOMPARE(w->view().frame(), std::int64_t{0});
        controller.cancel();
        QVERIFY(until([&] { return !controller.isRunning(); }));
    }

    void closingDuringARunAsks() {
        test::Window& w = *m_window;
        w.answers.unsaved = DialogService::Unsaved::Discard;
        RunController& controller = w->run();
        run(sampleFolder() / "synthetic_bottomup", {0, 299}, false);
        QVERIFY(until([&] { return controller.run().framesDone() >= 4; }));
        w->close();
        QVERIFY(w->isVisible());
        auto* question = w->findChild<QMessageBox*>("runLeaveQuestion");
        QVERIFY(question != nullptr);
        QVERIFY(question->parentWidget() != nullptr);
        // The run goes on behind it: what is told grows with it, and no button promises a number.
        const QString said = question->informativeText();
        QVERIFY(until([&] { return question->informativeText() != said; }));
        for (QAbstractButton* button : question->buttons())
            QVERIFY2(!button->text().contains(QRegularExpression("[0-9]")), qPrintable(button->text()));
        for (QAbstractButton* button : question->buttons())
            if (button->text().contains("keep"))
                button->click();
        QVERIFY(until([&] { return !w->isVisible(); }));
        QVERIFY(!controller.isRunning());
    }

    // A model that looks right and cannot be loaded: the run fails with a sentence that names the file.
    void unusableWeights_data() {
        QTest::addColumn<QString>("damage");
        QTest::addColumn<QString>("words");
        QTest::newRow("truncated") << "truncated"
                                   << "best.ckpt";
        QTest::newRow("not a checkpoint") << "text"
                                          << "best.ckpt";
        QTest::newRow("empty") << "empty"
                               << "best.ckpt";
    }
    void unusableWeights() {
        QFETCH(const QString, damage);
        QFETCH(const QString, words);
        const QTemporaryDir folder;
        const fs::path model = fs::path(folder.path().toStdString());
        fs::copy_file(sampleFolder() / "synthetic_bottomup" / "training_config.yaml", model / "training_config.yaml");
        const fs::path weights = model / "best.ckpt";
        if (damage == "truncated") {
            fs::copy_file(sampleFolder() / "synthetic_bottomup" / "best.ckpt", weights);
            fs::permissions(weights, fs::perms::owner_write, fs::perm_options::add);
            fs::resize_file(weights, fs::file_size(weights) / 2);
        } else {
            std::ofstream(weights) << (damage == "text" ? "weights, they said" : "");
        }
        test::Window& w = *m_window;
        run(model, {0, 9}, false);
        QVERIFY(until([&] { return w->run().run().info.id != 0 && !w->run().isRunning(); }));
        QCOMPARE(w->run().run().state, RunState::Failed);
        const QString sentence = jobsChild<QLabel>("jobsMessage")->text();
        QVERIFY2(sentence.contains(words), qPrintable(sentence));
        QVERIFY(w->run().status().text.contains(sentence));
        QCOMPARE(w->document().labels().frameCount(), std::size_t{0});
        // The window goes on: a good model runs afterwards.
        run(sampleFolder() / "synthetic_bottomup", {0, 3}, false);
        QVERIFY(until([&] { return w->run().run().state == RunState::Finished; }));
        QCOMPARE(w->run().jobsPanel()->history()->rowCount(), 2);
    }
};

QTEST_MAIN(TestWindowRun)
#include "tst_window_run.moc"
