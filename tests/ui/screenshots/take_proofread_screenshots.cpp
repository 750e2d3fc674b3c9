// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the real window through the review of a tracked project and saves what it looks like: light and dark, small,
// and large at the ratio that QT_SCALE_FACTOR says.
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <cstdio>

#include "tests/support/event_loop.h"
#include "ui/main_window.h"
#include "ui/theme.h"
#include "ui/tracks/proofreading.h"
#include "ui/tracks/track_plot_panel.h"
#include "ui/tracks/tracks_panel.h"

namespace test = skein::test;
using namespace skein::ui;

namespace {

void settle() {
    QElapsedTimer clock;
    clock.start();
    test::waitUntil([&clock] { return clock.elapsed() > 500; });
}

bool take(const QString& project, theme::Mode mode, QSize size, const QString& name, const QDir& folder) {
    theme::apply(mode);
    MainWindow window;
    window.resize(size);
    window.show();
    window.openPaths({project});
    if (!test::waitUntil(
            [&] { return !window.presenter().shown().instances.empty() && !window.presenter().isPending(); }, 20'000)) {
        std::fprintf(stderr, "take_proofread_screenshots: the project did not open\n");
        return false;
    }
    const auto trigger = [&](const char* id) { window.actions().get(id)->trigger(); };
    const auto save = [&](const char* what) {
        settle();
        window.grab().save(folder.filePath(name + QLatin1Char('-') + QLatin1String(what) + QStringLiteral(".png")));
    };
    trigger("windowProofread");
    trigger("viewTrailLength50");
    if (!window.actions().get("timelineStack")->isChecked())
        trigger("timelineStack");
    for (const char* id : {"timelineProximity", "timelineSwap"})
        if (!window.actions().get(id)->isChecked())
            trigger(id);
    window.view().setFrame(window.view().frameCount() / 2);
    test::waitUntil([&] { return !window.presenter().isPending(); });
    trigger("analyzeIssues");
    Proofreading& proof = window.proofreading();
    test::waitUntil([&] { return proof.issues().isUpToDate(); });
    std::vector<skein::project::InstanceId> all;
    for (const ShownInstance& instance : window.presenter().shown().instances)
        if (all.size() < 2)
            all.push_back(instance.header.id);
    window.view().setSelection(all);
    proof.plotPanel().setKind(TrackPlotPanel::Kind::Distance);
    save("proofread");
    QApplication::processEvents();
    trigger("goNextIssue");
    test::waitUntil([&] { return !window.presenter().isPending(); });
    save("issue");
    window.findChild<QDockWidget*>(QStringLiteral("dockTracks"))->raise();
    proof.plotPanel().setKind(TrackPlotPanel::Kind::Occupancy);
    trigger("viewFitFrame");
    test::waitUntil([&] { return proof.tracksPanel().isUpToDate(); });
    save("tracks");
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    if (argc != 5) {
        std::fprintf(stderr, "usage: take_proofread_screenshots PROJECT.slp FOLDER WIDTH HEIGHT\n");
        return 2;
    }
    const QDir folder(QString::fromLocal8Bit(argv[2]));
    const QSize size(QString::fromLatin1(argv[3]).toInt(), QString::fromLatin1(argv[4]).toInt());
    const QString project = QString::fromLocal8Bit(argv[1]);
    const QString name = QStringLiteral("%1x%2").arg(size.width()).arg(size.height());
    return take(project, theme::Mode::Light, size, name + QStringLiteral("-light"), folder) &&
                   take(project, theme::Mode::Dark, size, name + QStringLiteral("-dark"), folder)
               ? 0
               : 1;
}
