// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>

#include "engine/formats/extract_clip.h"
#include "engine/formats/slp.h"
#include "tests/app/command_runner.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/dialogs/model_picker.h"
#include "ui/panels/jobs_panel.h"
#include "ui/queue/batch_dialog.h"
#include "ui/queue/found_videos.h"
#include "ui/queue/queue_controller.h"
#include "ui/queue/queue_panel.h"
#include "ui/queue/queue_side.h"
#include "ui/queue/queue_table_model.h"
#include "ui/text.h"
#include "ui/widgets/plain_table.h"

// Short videos of the sample, for queues of runs by the real engine.
namespace skein::test {

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
    return await([=] { return !dialog->modelPicker()->isReading() && dialog->modelPicker()->model(); });
}
inline bool looked(ui::BatchDialog* dialog, int videos) {
    return await(
        [=] { return !dialog->found()->isLooking() && static_cast<int>(dialog->found()->videos().size()) == videos; });
}
/// Presses a button of the dialog once it can be pressed.
inline bool press(ui::BatchDialog* dialog, const char* name) {
    auto* button = dialog->findChild<QPushButton*>(name);
    if (!await([=] { return button->isEnabled() && button->isVisible(); }))
        return false;
    button->click();
    return true;
}
inline QString summary(ui::BatchDialog* dialog) {
    return dialog->findChild<QLabel*>("batchSummary")->text();
}

/// A window on a folder of its own, in which videos lie.
struct Bench {
    QTemporaryDir dir;
    std::unique_ptr<Window> window;

    Bench() {
        std::filesystem::create_directories(path("videos"));
        window = std::make_unique<Window>();
    }
    [[nodiscard]] std::filesystem::path path(const std::string& name) const {
        return std::filesystem::path(dir.path().toStdString()) / name;
    }
    void makeClips(int count, int frames = 10) const {
        for (int i = 0; i < count; ++i)
            makeClip(path("videos") / ("v" + std::to_string(i) + ".mp4"), 20 * i, frames);
    }
    ui::QueueSide& side() { return (*window)->queue(); }
    ui::QueueController* queue() { return side().queue(); }
    ui::BatchDialog* dialog() { return side().batchDialog(); }
    void drop(const QStringList& paths) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window->window.get(), &enter);
        QDropEvent event({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window->window.get(), &event);
    }
    /// Queues all videos of the folder, which are `count`.
    [[nodiscard]] bool add(int count, bool start, const std::filesystem::path& model = sampleModel(),
                           bool track = true) {
        dialog()->showFor({text(path("videos"))});
        const std::size_t before = queue()->rows().size();
        return looked(dialog(), count) && chooseModel(dialog(), model, track) &&
               press(dialog(), start ? "batchStart" : "batchAdd") &&
               until([&] { return queue()->rows().size() > before; });
    }
    /// Only a table that is seen follows the queue.
    void select(const QList<int>& rows) {
        showQueue();
        auto* table = side().panel()->findChild<ui::PlainTable*>("queueTable");
        table->clearSelection();
        for (const int row : rows)
            table->selectionModel()->select(table->fromModel(side().panel()->model()->index(row, 0)),
                                            QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QCoreApplication::processEvents();
    }
    void showQueue() {
        (*window)->run().jobsPanel()->showQueue();
        Q_EMIT side().jobsWanted();
        QVERIFY(until([this] {
            return side().panel()->isVisible() &&
                   side().panel()->model()->rowCount() == static_cast<int>(queue()->rows().size());
        }));
    }
    [[nodiscard]] QStringList names() {
        QStringList names;
        for (const ui::QueueRow& row : queue()->rows())
            names << text(row.entry->data.stem());
        return names;
    }
    batch::EntryState state(int row) { return queue()->rows()[static_cast<std::size_t>(row)].entry->state; }
    [[nodiscard]] bool until(const std::function<bool()>& condition) { return await(condition); }
    [[nodiscard]] bool isOver() {
        return until([this] { return queue()->counts().total > 0 && queue()->counts().left() == 0; });
    }
};

/// Frames of a video that is not done before the window has done something else, however busy the machine is.
inline constexpr int kLong = 300;

/// What the command makes of the same video with the same options.
inline QString differenceToCommand(const batch::Entry& entry, const std::filesystem::path& output,
                                   const QStringList& options) {
    const Outcome run = runCommand(QStringList{"predict", "-i", text(entry.data), "-m",
                                               text(entry.settings.models.front()), "-o", text(output), "--quiet"} +
                                   options);
    if (run.exitCode != 0)
        return run.err;
    const QString difference = differenceOf(output, entry.output);
    std::filesystem::remove(output);
    return difference;
}

}  // namespace skein::test
