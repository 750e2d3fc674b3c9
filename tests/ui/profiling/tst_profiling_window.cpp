// SPDX-License-Identifier: GPL-3.0-or-later
// The dock Profiling in the real window, with a real run.
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/window/window_fixture.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/models/profile_table_model.h"
#include "ui/panels/profiling_panel.h"
#include "ui/widgets/metric_card.h"

using namespace skein;
using namespace skein::ui;

class TestProfilingWindow : public QObject {
    Q_OBJECT

    std::unique_ptr<test::Window> m_window;
    QTemporaryDir m_folder;

    [[nodiscard]] ProfilingPanel& panel() const { return *(*m_window)->run().profilingPanel(); }
    [[nodiscard]] bool until(const std::function<bool()>& condition) { return test::await(condition); }
    template <class T>
    T* part(const char* name) {
        return panel().findChild<T*>(QLatin1String(name));
    }
    void press(const char* name) { QTest::mouseClick(part<QPushButton>(name), Qt::LeftButton); }

    void startRun(FrameRange range) {
        (*m_window)->view().setRange(range);
        // On a busy machine the window needs a moment.
        QVERIFY(until([this] { return (*m_window)->actions().get("predictRun")->isEnabled(); }));
        m_window->trigger("predictRun");
        InferenceDialog* dialog = (*m_window)->run().dialog();
        dialog->modelPicker()->setPath(test::sample("synthetic_bottomup"));
        QVERIFY(until([&] { return dialog->plan().canRun; }));
        dialog->findChild<QRadioButton*>("inferenceTargetRange")->click();
        QTest::mouseClick(dialog->findChild<QPushButton*>("inferenceRun"), Qt::LeftButton);
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

    void oneCopyABatchAndATraceOfTheRun() {
        test::Window& w = *m_window;
        w.trigger("windowPredict");
        w->findChild<QDockWidget*>("dockProfiling")->raise();
        press("profilingRecord");
        startRun({0, 59});
        QVERIFY(until([&] { return w->run().isRunning(); }));
        QVERIFY(until([&] { return !w->run().isRunning(); }));
        auto* copies = part<MetricCard>("profilingCopiesToHost");
        QTRY_VERIFY2(copies->note().contains(QLatin1String("15 copies in 15 batches")), qPrintable(copies->note()));
        QCOMPARE(copies->value(), QStringLiteral("1"));
        QCOMPARE(copies->state(), MetricCard::State::Good);
        // All time of all threads is in the table or beside it.
        const profile::Summary& s = w->run().run().progress->profile;
        QVERIFY(s.threads > 0);
        QTRY_COMPARE(part<MetricCard>("profilingThreads")->value(), QString::number(s.threads));
        const QString accounted = part<MetricCard>("profilingThreads")->note();
        const double share = accounted.section(QChar(0x2009), 0, 0).toDouble();
        QVERIFY2(share >= 95 && share <= 105, qPrintable(accounted));

        // The network's peaks and lines, and what was paired, are timed within their stages.
        using profile::Part;
        const ShownProfile& shown = panel().model()->profile();
        for (const auto& [stage, inner] :
             {std::pair(profile::Stage::Forward, Part::Peaks), std::pair(profile::Stage::Forward, Part::Lines),
              std::pair(profile::Stage::PafScorer, Part::Assignment)}) {
            const profile::StageSummary* times = shown.find(stage, inner);
            QVERIFY2(times != nullptr && times->count > 0, profile::partName(inner));
            QVERIFY(times->totalMs <= shown.find(stage)->totalMs);
        }

        w.answers.savePath = m_folder.filePath("run.trace.json");
        press("profilingRecord");
        QTRY_VERIFY(QFile::exists(w.answers.savePath));
        QFile file(w.answers.savePath);
        QVERIFY(file.open(QIODevice::ReadOnly));
        int forward = 0;
        for (const auto& event : QJsonDocument::fromJson(file.readAll()).object()["traceEvents"].toArray())
            forward += event.toObject()["name"].toString() == QLatin1String("Forward") ? 1 : 0;
        QCOMPARE(forward, 15);
    }

    void F_04_behindAnotherDockItDoesNothingWhileTheRunIsCounted() {
        test::Window& w = *m_window;
        w->findChild<QDockWidget*>("dockJobs")->raise();
        QTRY_VERIFY(!panel().isVisible());
        const int refreshed = panel().refreshCount();
        startRun({0, 29});
        QVERIFY(until([&] { return w->run().isRunning(); }));
        QVERIFY(until([&] { return !w->run().isRunning(); }));
        QCOMPARE(panel().refreshCount(), refreshed);
        w->findChild<QDockWidget*>("dockProfiling")->raise();
        QTRY_VERIFY(panel().isVisible());
        QCOMPARE(
            panel().model()->index(int(profile::Stage::FrameBufferGet), ProfileTableModel::Count).data().toString(),
            QString::number(w->run().run().progress->profile.stages.front().count));
    }
};

QTEST_MAIN(TestProfilingWindow)
#include "tst_profiling_window.moc"
