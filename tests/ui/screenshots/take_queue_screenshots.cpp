// SPDX-License-Identifier: GPL-3.0-or-later
// The queue as a person sees it: the dialog that fills it, the dock while it works and afterwards, and the dialog for
// clusters, light and dark, in two sizes. To be looked at.
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLineEdit>
#include <cstdio>

#include "tests/support/event_loop.h"
#include "tests/ui/queue/queue_fixture.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/panels/jobs_panel.h"
#include "ui/queue/cluster_dialog.h"
#include "ui/queue/queue_panel.h"

using namespace skein;
using namespace skein::ui;
namespace fs = std::filesystem;

namespace {

QString g_folder;

void save(QWidget* widget, const QString& name) {
    QCoreApplication::processEvents();
    const QString file = QDir(g_folder).filePath(name + QStringLiteral(".png"));
    widget->grab().save(file);
    std::printf("%s\n", qPrintable(file));
    std::fflush(stdout);
}

void settle(int ms) {
    QElapsedTimer clock;
    clock.start();
    test::waitUntil([&] { return clock.elapsed() > ms; });
}

void take(const QString& name, theme::Mode mode, QSize size, const fs::path& videos, int count) {
    test::forgetQueue();
    theme::apply(mode);
    test::Window w;
    w->resize(size);
    QueueSide& side = w->queue();
    BatchDialog* dialog = side.batchDialog();
    dialog->showFor({});
    settle(300);
    save(dialog, QStringLiteral("batch-empty-") + name);
    w->findChild<QDockWidget*>(QStringLiteral("dockJobs"))->raise();
    w->run().jobsPanel()->showQueue();
    settle(100);
    save(w.window.get(), QStringLiteral("queue-empty-") + name);
    dialog->showFor({test::text(videos)});
    test::looked(dialog, count);
    test::chooseModel(dialog, test::sampleModel(), true);
    settle(800);
    save(dialog, QStringLiteral("batch-") + name);
    for (int row = 0; row < count; ++row)
        dialog->found()->setUsed(row, true);
    test::press(dialog, "batchAdd");
    test::waitUntil([&] { return static_cast<int>(side.queue()->rows().size()) == count; });
    // One of them once more, by a model whose folder is called alike.
    batch::Entry other = *side.queue()->rows().front().entry;
    other.settings.models = {videos.parent_path() / "retrained" / test::sampleModel().filename()};
    other.output.replace_extension(".retrained.slp");
    side.queue()->add({other}, false);
    test::waitUntil([&] { return static_cast<int>(side.queue()->rows().size()) > count; });
    w.trigger("queueCluster");
    if (auto* cluster = w->findChild<ClusterDialog*>(QStringLiteral("clusterDialog"))) {
        settle(200);
        save(cluster, QStringLiteral("cluster-") + name);
        cluster->findChild<QLineEdit*>(QStringLiteral("cluster_folder"))->setText(QStringLiteral("/data/lab/shared"));
        settle(100);
        save(cluster, QStringLiteral("cluster-ready-") + name);
        cluster->close();
    }
    w.trigger("queueStart");
    const auto& long3 = [&]() -> const batch::Entry& { return *side.queue()->rows()[2].entry; };
    test::waitUntil([&] { return long3().state == batch::EntryState::Running && long3().framesDone > 60; }, 60000);
    save(w.window.get(), QStringLiteral("queue-working-") + name);
    w->findChild<QDockWidget*>(QStringLiteral("dockJobs"))->setFloating(true);
    w->findChild<QDockWidget*>(QStringLiteral("dockJobs"))->resize(1100, 400);
    settle(200);
    save(side.panel(), QStringLiteral("queue-panel-working-") + name);
    // The run of a project that has to wait, and what is said where a queue was left.
    w->findChild<QDockWidget*>(QStringLiteral("dockJobs"))->setFloating(false);
    w->openPaths({test::sample("synthetic_6.mp4")});
    (void)w.waitForFrame();
    w->run().openModel(test::text(test::sampleModel()));
    auto* run = w->run().dialog()->findChild<QPushButton*>(QStringLiteral("inferenceRun"));
    test::waitUntil([&] { return run->isEnabled(); });
    save(w->run().dialog(), QStringLiteral("inference-") + name);
    run->click();
    test::waitUntil([&] { return w->run().awaitsQueue() || !w->run().isRunning(); });
    save(w.window.get(), QStringLiteral("run-waits-") + name);
    w->run().cancel();
    test::waitUntil([&] { return side.queue()->counts().left() == 0; });
    settle(300);
    w->run().jobsPanel()->showQueue();
    w->findChild<QDockWidget*>(QStringLiteral("dockJobs"))->setFloating(true);
    w->findChild<QDockWidget*>(QStringLiteral("dockJobs"))->resize(1100, 400);
    settle(200);
    save(side.panel(), QStringLiteral("queue-panel-over-") + name);
    for (const int row : {4, 5})
        side.queue()->retry(side.queue()->rows()[static_cast<std::size_t>(row)]);
    side.queue()->setPaused(true);
    w.answers.unsaved = DialogService::Unsaved::Discard;
    w->close();
    w.window.reset();
    test::Window again;
    again->resize(size);
    test::waitUntil([&] { return !again.sentences().isEmpty(); });
    save(again.window.get(), QStringLiteral("offer-") + name);
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() != 2) {
        std::fprintf(stderr, "Usage: take_queue_screenshots FOLDER\n");
        return 2;
    }
    g_folder = arguments[1];
    const QTemporaryDir dir;
    const fs::path videos = fs::path(dir.path().toStdString()) / "session of 12 March";
    fs::create_directories(videos);
    for (int i = 0; i < 6; ++i)
        test::makeClip(videos / ("mouse_" + std::to_string(i + 1) + "_open_field.mp4"), i == 2 ? 10 : 40 * i,
                       i == 2 ? 280 : 24);
    test::writeText(videos / "mouse_7_open_field.mp4", "no video");
    test::makeClip(videos / "mouse_8_cut_off.mkv", 0, 60);
    fs::resize_file(videos / "mouse_8_cut_off.mkv", fs::file_size(videos / "mouse_8_cut_off.mkv") * 6 / 10);
    fs::create_directories(videos / "habituation");
    test::makeClip(videos / "habituation" / "mouse_1_open_field.mp4", 0, 24);
    fs::create_directories(videos.parent_path() / "retrained");
    fs::copy(test::sampleModel(), videos.parent_path() / "retrained" / test::sampleModel().filename(),
             fs::copy_options::recursive);
    take(QStringLiteral("light-1280"), theme::Mode::Light, QSize(1280, 720), videos, 8);
    for (const auto& entry : fs::directory_iterator(videos))
        if (entry.path().extension() == ".slp" && entry.path().string().find("_1_") == std::string::npos)
            fs::remove(entry.path());
    take(QStringLiteral("dark-1920"), theme::Mode::Dark, QSize(1920, 1080), videos, 8);
    return 0;
}
