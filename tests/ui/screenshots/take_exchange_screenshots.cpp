// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the dialogs through which results go out, a rendering under way, and the profile of a run, and saves what they
// look like: light and dark, in the size that is given.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <cstdio>

#include "engine/pipeline/run_report.h"
#include "tests/support/event_loop.h"
#include "ui/exchange/render_dialog.h"
#include "ui/main_window.h"
#include "ui/models/profile_table_model.h"
#include "ui/panels/profiling_panel.h"
#include "ui/theme.h"

namespace test = skein::test;
using namespace skein;
using namespace skein::ui;

namespace {

void settle() {
    QElapsedTimer clock;
    clock.start();
    test::waitUntil([&clock] { return clock.elapsed() > 400; });
}

/// Answers where to write to; everything else stays unanswered.
class Place : public WindowDialogs {
public:
    QString path;
    void chooseNewFile(QWidget*, const QString&, const QString&, const QString&,
                       std::function<void(const QString&)> then) override {
        then(path);
    }
};

/// A run with figures as a slow network has them.
RunSnapshot slowRun(double seconds) {
    using profile::Stage;
    profile::Profiler profiler;
    for (int batch = 0; batch < 138; ++batch) {
        for (int frame = 0; frame < 8; ++frame) {
            profiler.record(Stage::Decode, std::chrono::microseconds(1900 + batch % 7 * 40));
            profiler.record(Stage::FrameBufferGet, std::chrono::microseconds(40));
            profiler.record(Stage::Postprocess, std::chrono::microseconds(90));
            profiler.record(Stage::TrackerTrack, std::chrono::microseconds(800));
        }
        profiler.record(Stage::BatchPrepare, std::chrono::microseconds(20));
        profiler.record(Stage::BatchAssemble, std::chrono::microseconds(600));
        profiler.record(Stage::Forward, std::chrono::milliseconds(84 + batch % 20));
        profiler.record(Stage::PafScorer, std::chrono::milliseconds(6 + batch % 3));
        profiler.record(Stage::Write, std::chrono::microseconds(30));
        profiler.countBatch(8, batch % 40 == 39);
        profiler.countCopyToDevice(8 * 384 * 384);
        profiler.countCopyToHost(65536);
    }
    profiler.record(Stage::LoadModel, std::chrono::milliseconds(640));
    RunSnapshot run;
    run.info.id = 1;
    run.info.queueMaxsize = 16;
    run.info.started = QDateTime(QDate(2026, 3, 1), QTime(12, 30));
    run.state = RunState::Running;
    auto progress = std::make_shared<pipeline::JobProgress>();
    progress->phase = pipeline::JobPhase::Predicting;
    progress->framesDone = static_cast<std::int64_t>(seconds * 84);
    progress->framesTotal = 5000;
    progress->framesPerSecond = 84.1;
    progress->secondsElapsed = 13.1;
    progress->device = "cpu";
    progress->decodedQueue.depth = 14;
    progress->decodedQueue.maxDepth = 16;
    progress->hostQueue.depth = 1;
    progress->hostQueue.maxDepth = 2;
    progress->profile = profiler.summary();
    run.progress = std::move(progress);
    return run;
}

void takeProfile(const QString& name, const QDir& folder) {
    for (const int width : {420, 760}) {
        ProfilingPanel panel;
        panel.setRun(slowRun(1));
        panel.resize(width, 760);
        panel.show();
        QElapsedTimer clock;
        clock.start();
        double second = 1;
        // Some seconds of a run, so that there is a history.
        test::waitUntil([&] {
            if (static_cast<double>(clock.elapsed()) / 1000 > second) {
                panel.setRun(slowRun(second));
                second += 1;
            }
            return second > 5;
        });
        panel.grab().save(folder.filePath(QStringLiteral("%1-profile-%2.png").arg(name).arg(width)));
        panel.model()->toggle(3);
        panel.model()->toggle(0);
        profile::Summary other = panel.model()->profile().summary;
        other.stages[3].avgMs *= 0.8;
        other.stages[4].p95Ms *= 1.5;
        const std::string file = folder.filePath("before.json").toStdString();
        pipeline::JobProgress before = *slowRun(1).progress;
        before.profile = other;
        (void)pipeline::writeProfile(file, before, {13, 16, {}});
        class Files : public WindowDialogs {
        public:
            QString path;
            void chooseFiles(QWidget*, const QString&, const QString&, const QString&,
                             std::function<void(const QStringList&)> then) override {
                then({path});
            }
        } files;
        files.path = QString::fromStdString(file);
        panel.setControls({{}, {}, {}, [&files]() -> DialogService& { return files; }});
        panel.findChild<QPushButton*>("profilingCompare")->click();
        settle();
        panel.grab().save(folder.filePath(QStringLiteral("%1-profile-compared-%2.png").arg(name).arg(width)));
    }
}

bool take(const QString& project, theme::Mode mode, QSize size, const QString& name, const QDir& folder) {
    theme::apply(mode);
    MainWindow window;
    window.resize(size);
    window.show();
    window.openPaths({project});
    if (!test::waitUntil([&] { return window.presenter().shown().frame >= 0 && !window.presenter().isPending(); },
                         20'000)) {
        std::fprintf(stderr, "take_exchange_screenshots: the project did not open\n");
        return false;
    }
    test::waitUntil([&] { return window.digest().isUpToDate(); });
    const auto save = [&](QWidget* widget, const char* what) {
        settle();
        widget->grab().save(folder.filePath(name + QLatin1Char('-') + QLatin1String(what) + QStringLiteral(".png")));
    };
    for (QMenu* menu : window.menuBar()->findChildren<QMenu*>())
        if (QString title = menu->title().remove(QLatin1Char('&'));
            title == QLatin1String("File") || title == QLatin1String("Export") || title == QLatin1String("Import"))
            save(menu, qPrintable(QStringLiteral("menu") + title));
    for (const char* id : {"fileExportAnalysisAll", "fileExportCoco", "fileExportCsvTidy", "fileExportPackageUser"}) {
        window.actions().get(id)->trigger();
        auto* dialog = window.findChild<QDialog*>(QStringLiteral("exportDialog"));
        save(dialog, id);
        dialog->reject();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    window.view().setRange(FrameRange{20, 219});
    window.actions().get("fileRender")->trigger();
    auto* dialog = window.findChild<RenderDialog*>();
    save(dialog, "render");
    dialog->findChild<QCheckBox*>("renderTrails")->setChecked(true);
    dialog->findChild<QComboBox*>("renderCrop")->setCurrentIndex(2);
    dialog->findChild<QCheckBox*>("renderScaleBar")->setChecked(true);
    dialog->findChild<QCheckBox*>("renderBurnTime")->setChecked(true);
    dialog->findChild<QComboBox*>("renderPreset")->setCurrentIndex(3);
    settle();
    auto* scroll = dialog->findChild<QScrollArea*>();
    scroll->verticalScrollBar()->setValue(scroll->verticalScrollBar()->maximum());
    save(dialog, "render-all");
    dialog->findChild<QComboBox*>("renderCrop")->setCurrentIndex(0);
    dialog->findChild<QDoubleSpinBox*>("renderScale")->setValue(2);
    Place place;
    place.path = folder.filePath("pictures");
    window.session().setDialogs(&place);
    dialog->findChild<QComboBox*>("renderCodec")
        ->setCurrentIndex(dialog->findChild<QComboBox*>("renderCodec")->findData(int(RenderCodec::PngSequence)));
    auto* button = dialog->findChild<QPushButton*>("renderButton");
    test::waitUntil([&] { return button->isEnabled(); }, 20'000);
    button->click();
    QElapsedTimer clock;
    clock.start();
    test::waitUntil([&] { return clock.elapsed() > 2600; });
    dialog->close();
    save(&window, "window-rendering");
    window.findChild<QPushButton*>("jobBarStop")->click();
    settle();
    // Nothing is half written, but a fast machine may have finished it.
    QDir(place.path).removeRecursively();
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    if (argc != 5) {
        std::fprintf(stderr, "usage: take_exchange_screenshots PROJECT.slp FOLDER WIDTH HEIGHT\n");
        return 2;
    }
    const QDir folder(QString::fromLocal8Bit(argv[2]));
    const QSize size(QString::fromLatin1(argv[3]).toInt(), QString::fromLatin1(argv[4]).toInt());
    const QString project = QString::fromLocal8Bit(argv[1]);
    for (const auto& [mode, word] : {std::pair(theme::Mode::Light, "light"), std::pair(theme::Mode::Dark, "dark")}) {
        const QString name = QStringLiteral("%1x%2-%3").arg(size.width()).arg(size.height()).arg(QLatin1String(word));
        if (!take(project, mode, size, name, folder))
            return 1;
        takeProfile(name, folder);
    }
    return 0;
}
