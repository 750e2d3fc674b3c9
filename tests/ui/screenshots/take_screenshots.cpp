// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the real window through a run, as a person would, and saves what it looks like half way: light and dark, in
// two sizes. packaging/screenshots calls it.
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QPushButton>
#include <QRadioButton>
#include <cstdio>
#include <functional>

#include "tests/support/event_loop.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/main_window.h"
#include "ui/run_controller.h"
#include "ui/theme.h"

namespace test = skein::test;
using namespace skein::ui;

namespace {

/// Frames that are done when the picture is taken: late enough for trails and rates, well before the end.
constexpr std::int64_t kFramesDone = 150;

bool give(const char* sentence) {
    std::fprintf(stderr, "take_screenshots: %s\n", sentence);
    return false;
}

std::int64_t framesDone(const MainWindow& window) {
    std::int64_t done = 0;
    for (const FrameRange& range : const_cast<MainWindow&>(window).run().finishedRanges())
        done += range.count();
    return done;
}

/// Picks model, tracker and the whole video in the dialog and presses its button.
bool startRun(MainWindow& window, const QString& model) {
    window.run().openModel(model);
    InferenceDialog* dialog = window.run().dialog();
    auto* run = dialog->findChild<QPushButton*>(QStringLiteral("inferenceRun"));
    auto* tracker = dialog->findChild<QComboBox*>(QStringLiteral("inferenceTracker"));
    auto* whole = dialog->findChild<QRadioButton*>(QStringLiteral("inferenceTargetVideo"));
    if (run == nullptr || tracker == nullptr || whole == nullptr)
        return give("the inference dialog has other controls than expected");
    if (!test::waitUntil([&] { return run->isEnabled(); }))
        return give("the model did not become ready to run");
    whole->click();
    tracker->setCurrentIndex(1);
    Q_EMIT tracker->activated(1);
    if (!test::waitUntil([&] { return run->isEnabled(); }))
        return give("the dialog does not offer to run");
    run->click();
    dialog->hide();
    return true;
}

bool take(const QString& video, const QString& model, theme::Mode mode, QSize size, const QString& file) {
    theme::apply(mode);
    MainWindow window;
    window.resize(size);
    window.show();
    window.openPaths({video});
    if (!test::waitUntil([&] {
            return window.document().videoCount() == 1 && !window.presenter().isPending() &&
                   window.canvas().hasPicture();
        }))
        return give("the video did not open");
    window.findChild<QDockWidget*>(QStringLiteral("dockInstances"))->raise();
    if (!startRun(window, model))
        return false;
    if (!test::waitUntil(
            [&] { return framesDone(window) >= kFramesDone || (framesDone(window) > 0 && !window.run().isRunning()); }))
        return give("the run did not get far enough");
    window.run().setPaused(true);
    test::waitUntil([&] { return !window.presenter().isPending(); });
    window.run().setPaused(false);
    const bool saved = window.grab().save(file);
    if (!window.run().finishBeforeClosing([] {})) {
        window.run().cancel();
        test::waitUntil([&] { return !window.run().isRunning(); });
    }
    if (!saved)
        return give("the picture could not be saved");
    std::printf("%s\n", qPrintable(file));
    std::fflush(stdout);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() != 4) {
        std::fprintf(stderr, "Usage: take_screenshots VIDEO MODEL FOLDER\n");
        return 2;
    }
    const QDir folder(arguments[3]);
    for (const auto& [mode, name] : {std::pair{theme::Mode::Light, "light"}, std::pair{theme::Mode::Dark, "dark"}})
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
            if (!take(arguments[1], arguments[2], mode, size,
                      folder.filePath(QStringLiteral("run-%1-%2.png").arg(QLatin1String(name)).arg(size.width()))))
                return 1;
    return 0;
}
