// SPDX-License-Identifier: GPL-3.0-or-later
// What a person edits while a run goes on (U-03).
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QTest>
#include <QUndoStack>

#include "engine/project/edit/edit.h"
#include "tests/ui/run/run_fakes.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/edit/editor.h"
#include "ui/frame_contents.h"

using namespace skein;
using namespace skein::ui;
using project::InstanceKind;

class TestEditDuringRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Mode::Light); }
    void init() {
        test::forgetSettings();
        m_engine = std::make_unique<test::FakeEngine>();
        m_window = std::make_unique<test::Window>(m_engine->starter());
        QVERIFY(m_window->open(test::sample("synthetic_6.mp4")));
    }
    void cleanup() {
        if (m_engine->isStarted() && (*m_window)->run().isRunning())
            m_engine->end(pipeline::JobState::Cancelled);
        QTRY_VERIFY(!(*m_window)->run().isRunning());
        m_window.reset();
    }

    void U_03_aPredictionThatJustArrivedIsAcceptedAtOnce() {
        QVERIFY(start(false));
        m_engine->finishFrames(20);
        QVERIFY(showLive(5));
        const ShownInstance second = (*m_window)->presenter().shown().instances.at(1);
        QVERIFY((second.header.id & kLiveId) != 0);
        (*m_window)->view().setSelected(second.header.id);
        (*m_window)->editor().accept(second.header.id, false);
        const project::FrameData frame = project::edit::frameAt(labels(), 0, 5);
        QCOMPARE(count(frame, InstanceKind::User), 1);
        QCOMPARE(count(frame, InstanceKind::Predicted), 2);
        const project::InstanceData& own = *std::find_if(frame.instances.begin(), frame.instances.end(),
                                                         [](auto& i) { return i.header.kind == InstanceKind::User; });
        QCOMPARE(own.points.at(0).x, second.points.at(0).x);
        QVERIFY(own.header.fromPredicted != 0);
        // Only that frame came in early; the others follow at the end, and the edit stays.
        QVERIFY(!labels().findFrame(0, 6));
        m_engine->finishFrames(300);
        m_engine->end(pipeline::JobState::Finished);
        QTRY_VERIFY(!(*m_window)->run().isRunning());
        QCOMPARE(count(project::edit::frameAt(labels(), 0, 5), InstanceKind::User), 1);
        QCOMPARE(count(project::edit::frameAt(labels(), 0, 200), InstanceKind::Predicted), 2);
    }

    void U_03_theRunsRowsAreOneStepAfterTheEdit() {
        QVERIFY(start(false));
        m_engine->finishFrames(20);
        QVERIFY(showLive(5));
        (*m_window)->editor().acceptFrame();
        const int edited = steps();
        m_engine->finishFrames(300);
        m_engine->end(pipeline::JobState::Finished);
        QTRY_VERIFY(!(*m_window)->run().isRunning());
        QCOMPARE(steps(), edited + 1);
        (*m_window)->document().undoStack()->undo();
        // Never half a frame: all or nothing of each.
        for (std::int64_t f = 0; f < 300; ++f) {
            const project::FrameData frame = project::edit::frameAt(labels(), 0, f);
            QCOMPARE(count(frame, InstanceKind::Predicted), f == 5 ? 2 : 0);
            QCOMPARE(count(frame, InstanceKind::User), f == 5 ? 2 : 0);
        }
        (*m_window)->document().undoStack()->setIndex(0);
        QCOMPARE(labels().instanceCount(), std::size_t{0});
    }

    void U_03_anInstanceOfOnesOwnOnALiveFrameStays() {
        QVERIFY(start(false));
        m_engine->finishFrames(20);
        QVERIFY(showLive(5));
        (*m_window)->editor().accept((*m_window)->presenter().shown().instances.at(0).header.id, false);
        (*m_window)->editor().deletePredictionsOnFrame();
        m_engine->finishFrames(300);
        m_engine->end(pipeline::JobState::Finished);
        QTRY_VERIFY(!(*m_window)->run().isRunning());
        const project::FrameData frame = project::edit::frameAt(labels(), 0, 5);
        QCOMPARE(count(frame, InstanceKind::User), 1);
        QCOMPARE(count(frame, InstanceKind::Predicted), 0);
    }

    // While frames arrive that the project does not hold yet, "Predicted 0 (0%)" would be wrong.
    void theStatusBarCountsPredictedFramesOnceTheRunIsOver() {
        auto* predicted = m_window->window->findChild<QLabel*>("statusPredicted");
        QTRY_VERIFY(predicted->isVisible());
        QVERIFY(start(false));
        m_engine->finishFrames(20);
        QVERIFY(showLive(5));
        QTRY_VERIFY(!predicted->isVisible());
        m_engine->end(pipeline::JobState::Cancelled);
        QTRY_VERIFY(predicted->isVisible() && predicted->text().startsWith("Predicted 20 "));
    }

    void theVideoOfARunIsNotUndoneMeanwhile() {
        (*m_window)->document().addVideos({test::sample("synthetic_6.mp4")});
        QTRY_VERIFY((*m_window)->document().videoCount() == 2);
        QVERIFY(start(false));
        m_window->trigger("editUndo");
        QCOMPARE((*m_window)->document().videoCount(), 2);
        m_engine->end(pipeline::JobState::Cancelled);
        QTRY_VERIFY(!(*m_window)->run().isRunning());
        m_window->trigger("editUndo");
        QCOMPARE((*m_window)->document().videoCount(), 1);
    }

private:
    [[nodiscard]] const project::Labels& labels() { return (*m_window)->document().labels(); }
    [[nodiscard]] int steps() { return (*m_window)->document().undoStack()->index(); }
    static int count(const project::FrameData& frame, InstanceKind kind) {
        return static_cast<int>(std::count_if(frame.instances.begin(), frame.instances.end(),
                                              [kind](const auto& i) { return i.header.kind == kind; }));
    }
    template <class T>
    T* dialogChild(const char* name) {
        return (*m_window)->run().dialog()->findChild<T*>(QLatin1String(name));
    }
    bool start(bool track) {
        m_window->trigger("predictRun");
        InferenceDialog* dialog = (*m_window)->run().dialog();
        dialog->modelPicker()->setPath(QStringLiteral(SKEIN_SOURCE_DIR "/resources/sample/synthetic_bottomup"));
        if (!test::await([&] { return dialog->plan().canRun; }))
            return false;
        dialogChild<QRadioButton>("inferenceTargetVideo")->click();
        auto* tracker = dialogChild<QComboBox>("inferenceTracker");
        tracker->setCurrentIndex(track ? 1 : 0);
        Q_EMIT tracker->activated(track ? 1 : 0);
        dialogChild<QPushButton>("inferenceRun")->click();
        return test::await([this] { return m_engine->isStarted() && (*m_window)->run().isRunning(); });
    }
    bool showLive(std::int64_t frame) {
        (*m_window)->run().personMoved();
        (*m_window)->view().setFrame(frame);
        return test::await([this, frame] {
            const ShownFrame& shown = (*m_window)->presenter().shown();
            return shown.frame == frame && shown.instances.size() == 2;
        });
    }

    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<test::Window> m_window;
};

QTEST_MAIN(TestEditDuringRun)
#include "tst_edit_during_run.moc"
