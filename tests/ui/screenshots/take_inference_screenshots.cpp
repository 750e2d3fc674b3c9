// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the inference dialog, the preview and the comparison of trackers in the real window with the bundled sample,
// and saves what they look like: light and dark, small and large.
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <cstdio>

#include "tests/support/event_loop.h"
#include "ui/dialogs/compare_presets_dialog.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/preview_window.h"
#include "ui/main_window.h"
#include "ui/run_controller.h"
#include "ui/theme.h"

namespace test = skein::test;
using namespace skein::ui;

namespace {

const QString kSample = QStringLiteral(SKEIN_SOURCE_DIR "/resources/sample/");

void settle() {
    QElapsedTimer clock;
    clock.start();
    test::waitUntil([&clock] { return clock.elapsed() > 300; });
}

struct Shots {
    QDir folder;
    QString name;
    bool save(QWidget& widget, const char* what) const {
        settle();
        const QString file = folder.filePath(QStringLiteral("inference-%1-%2.png").arg(name, QLatin1String(what)));
        std::printf("%s\n", qPrintable(file));
        return widget.grab().save(file);
    }
};

bool take(theme::Mode mode, const QSize& size, const Shots& shots) {
    theme::apply(mode);
    MainWindow window;
    window.resize(1280, 720);
    window.show();
    InferenceDialog* dialog = window.run().dialog();
    window.run().showDialog();
    dialog->resize(size);
    bool good = shots.save(*dialog, "empty");
    window.openPaths({kSample + QStringLiteral("expected.slp")});
    if (!test::waitUntil([&] { return window.run().blockedReason().isEmpty() && !window.presenter().isPending(); }))
        return false;
    dialog->modelPicker()->setPath(kSample + QStringLiteral("synthetic_bottomup"));
    window.run().hostChanged();
    if (!test::waitUntil([&] { return dialog->plan().canRun; }))
        return false;
    good = good && shots.save(*dialog, "ready");
    const auto find = [dialog](auto* type, const char* id) {
        return dialog->findChild<std::remove_pointer_t<decltype(type)>*>(QLatin1String(id));
    };
    const auto choose = [&](const char* box, int index) {
        auto* list = find(static_cast<QComboBox*>(nullptr), box);
        list->setCurrentIndex(index);
        Q_EMIT list->activated(index);
    };
    choose("inferencePreset", 2);
    find(static_cast<QRadioButton*>(nullptr), "inferenceTargetList")->click();
    auto* list = find(static_cast<QLineEdit*>(nullptr), "inferenceFrameList");
    list->setText(QStringLiteral("1-100, 250"));
    Q_EMIT list->textEdited(list->text());
    find(static_cast<QToolButton*>(nullptr), "inferenceTrackerFold")->click();
    good = good && shots.save(*dialog, "two-mice");
    for (QScrollArea* area : dialog->findChildren<QScrollArea*>())
        area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
    good = good && shots.save(*dialog, "scrolled");
    for (QScrollArea* area : dialog->findChildren<QScrollArea*>())
        area->verticalScrollBar()->setValue(0);
    QMenu* menu = find(static_cast<QToolButton*>(nullptr), "inferencePresetMenu")->menu();
    menu->popup(QPoint(50, 50));
    good = good && shots.save(*menu, "menu");
    menu->close();
    choose("inferencePreset", 4);
    good = good && shots.save(*dialog, "retrack");
    choose("inferencePreset", 0);
    find(static_cast<QRadioButton*>(nullptr), "inferenceTargetVideo")->click();

    find(static_cast<QPushButton*>(nullptr), "inferenceCompare")->click();
    auto* compare = dialog->findChild<ComparePresetsDialog*>();
    good = good && test::waitUntil([&] { return !compare->isComparing(); }) && shots.save(*compare, "compare");
    compare->close();

    auto* button = find(static_cast<QPushButton*>(nullptr), "inferencePreview");
    button->click();
    auto* preview = dialog->findChild<PreviewWindow*>();
    good = good && test::waitUntil([&] { return !preview->isBusy(); }) && shots.save(*preview, "preview");
    find(static_cast<QDoubleSpinBox*>(nullptr), "inferencePeakThreshold")->setValue(0.9);
    button->click();
    good = good && test::waitUntil([&] { return !preview->isBusy(); }) && shots.save(*preview, "before-after");
    preview->close();

    window.messages().post(
        QStringLiteral("resumeRun"), Severity::Warning,
        {QStringLiteral("The run “Frames 1–162,000 of a_very_long_name_of_a_video.mp4” was ended by a "
                        "crash: 12,400 of 162,000 frames were done."),
         {}},
        {{QStringLiteral("Resume at frame 12,401"), [] {}}, {QStringLiteral("Discard"), [] {}}});
    dialog->close();
    return good && shots.save(window, "resume");
}

}  // namespace

/// Arguments: folder for the pictures.
int main(int argc, char** argv) {
    QApplication app(argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "usage: take_inference_screenshots FOLDER\n");
        return 2;
    }
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    return take(theme::Mode::Light, {1040, 640}, {folder, QStringLiteral("light")}) &&
                   take(theme::Mode::Dark, {1600, 1000}, {folder, QStringLiteral("dark")})
               ? 0
               : 1;
}
