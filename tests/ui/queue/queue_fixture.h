// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <stdexcept>

#include "engine/formats/extract_clip.h"
#include "engine/formats/slp.h"
#include "tests/app/command_runner.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/dialogs/model_picker.h"
#include "ui/queue/batch_dialog.h"
#include "ui/queue/found_videos.h"
#include "ui/queue/queue_controller.h"
#include "ui/queue/queue_side.h"
#include "ui/text.h"

// Short videos of the sample, for queues of runs by the real engine.
namespace skein::test {

inline constexpr int kQueuePatienceMs = 240000;

inline std::filesystem::path sampleModel() {
    return samplePath("synthetic_bottomup");
}

/// Frames `first` to `first + count - 1` of the sample as a video of its own.
inline void makeClip(const std::filesystem::path& path, int first, int count) {
    const auto project = samplePath("expected.slp");
    const auto labels = formats::readSlp(project);
    if (!labels)
        throw std::runtime_error(labels.error().describe());
    formats::ClipOptions options;
    options.first = first;
    options.last = first + count - 1;
    const auto written = formats::extractClip(*labels, project, path, path.string() + ".slp", options);
    if (!written)
        throw std::runtime_error(written.error().describe());
    std::filesystem::remove(path.string() + ".slp");
}

/// The queue as an earlier session left it; none.
inline void forgetQueue() {
    forgetSettings();
    QDir(ui::QueueController::defaultFolder()).removeRecursively();
}

/// Chooses model and tracker, and waits until the runs can be queued.
inline bool chooseModel(ui::BatchDialog* dialog, const std::filesystem::path& model, bool track) {
    dialog->modelPicker()->setPath(ui::text::fromPath(model));
    auto* tracker = dialog->findChild<QComboBox*>("batchTracker");
    tracker->setCurrentIndex(track ? 1 : 0);
    Q_EMIT tracker->activated(track ? 1 : 0);
    return QTest::qWaitFor([=] { return !dialog->modelPicker()->isReading() && dialog->modelPicker()->model(); },
                           kQueuePatienceMs);
}
inline bool looked(ui::BatchDialog* dialog, int videos) {
    return QTest::qWaitFor(
        [=] { return !dialog->found()->isLooking() && static_cast<int>(dialog->found()->videos().size()) == videos; },
        kQueuePatienceMs);
}
/// Presses a button of the dialog once it can be pressed.
inline bool press(ui::BatchDialog* dialog, const char* name) {
    auto* button = dialog->findChild<QPushButton*>(name);
    if (!QTest::qWaitFor([=] { return button->isEnabled() && button->isVisible(); }, kQueuePatienceMs))
        return false;
    button->click();
    return true;
}
inline QString summary(ui::BatchDialog* dialog) {
    return dialog->findChild<QLabel*>("batchSummary")->text();
}

}  // namespace skein::test
