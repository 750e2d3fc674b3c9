// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the real window through the review of a tracked project and saves what it looks like: light and dark, small,
// and large at the ratio that QT_SCALE_FACTOR says.
#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QSpinBox>
#include <cstdio>
#include <functional>

#include "tests/support/event_loop.h"
#include "ui/main_window.h"
#include "ui/review/review_report.h"
#include "ui/theme.h"
#include "ui/tracks/fill_gaps_dialog.h"
#include "ui/tracks/join_dialog.h"
#include "ui/tracks/proofreading.h"
#include "ui/tracks/smooth_dialog.h"
#include "ui/tracks/track_plot_panel.h"
#include "ui/tracks/tracks_panel.h"

namespace test = skein::test;
using namespace skein::ui;
namespace proofread = skein::proofread;

namespace {

void settle() {
    QElapsedTimer clock;
    clock.start();
    test::waitUntil([&clock] { return clock.elapsed() > 500; });
}

using Save = std::function<void(const char*, QWidget*)>;

/// Drawing a sample, a question, the end, and the report.
void takeReview(MainWindow& window, const Save& save, const QDir& folder) {
    SampleReview& review = window.proofreading().review();
    review.forget();
    window.actions().get("reviewStart")->trigger();
    save("review-draw", &window);
    window.findChild<QSpinBox*>(QStringLiteral("reviewEncounters"))->setValue(12);
    window.findChild<QSpinBox*>(QStringLiteral("reviewFrames"))->setValue(20);
    window.findChild<QAbstractButton*>(QStringLiteral("reviewDraw"))->click();
    if (!test::waitUntil([&] { return review.sample().has_value(); }, 20'000))
        return;
    review.answer(proofread::Verdict::Right);
    review.answer(proofread::Verdict::Wrong);
    window.playback().stop();
    save("review-question", &window);
    while (review.answered() < static_cast<int>(review.sample()->items.size()))
        review.answer(proofread::Verdict::Right);
    window.playback().stop();
    save("review-end", &window);
    if (!writeReviewReport(folder.filePath(QStringLiteral("review.pdf")), window.document().labels(), *review.sample(),
                           {window.document().displayName().toStdString(), "2 May 2026", "0.1.0", 1}))
        std::fprintf(stderr, "take_proofread_screenshots: the report was not written\n");
    review.forget();
}

/// The dialogs for joins, gaps and smoothing, each beside what it shows.
void takePoints(MainWindow& window, const Save& save) {
    window.actions().get("trackJoinBroken")->trigger();
    auto* joins = window.findChild<JoinDialog*>();
    test::waitUntil([&] { return joins->isUpToDate(); });
    joins->findChild<QAbstractButton*>(QStringLiteral("joinNext"))->click();
    test::waitUntil([&] { return !window.presenter().isPending(); });
    save("joins", &window);
    save("joins-dialog", joins);
    joins->reject();
    window.actions().get("trackFillGaps")->trigger();
    auto* gaps = window.findChild<FillGapsDialog*>();
    test::waitUntil([&] { return gaps->isUpToDate(); });
    gaps->findChild<QAbstractButton*>(QStringLiteral("gapsNext"))->click();
    test::waitUntil([&] { return !window.presenter().isPending(); });
    save("gaps", &window);
    save("gaps-dialog", gaps);
    gaps->reject();
    window.actions().get("trackSmooth")->trigger();
    auto* smooth = window.findChild<SmoothDialog*>();
    test::waitUntil([&] { return window.proofreading().smoothed().result().has_value(); });
    save("smooth", &window);
    save("smooth-dialog", smooth);
    smooth->reject();
}

bool take(const QString& project, theme::Mode mode, QSize size, const QString& name, const QDir& folder) {
    theme::apply(mode);
    MainWindow window;
    window.resize(size);
    window.show();
    const auto trigger = [&](const char* id) { window.actions().get(id)->trigger(); };
    const auto saveOf = [&](const char* what, QWidget* widget) {
        settle();
        widget->grab().save(folder.filePath(name + QLatin1Char('-') + QLatin1String(what) + QStringLiteral(".png")));
    };
    const auto save = [&](const char* what) { saveOf(what, &window); };
    trigger("windowProofread");
    save("nothing-open");
    window.openPaths({project});
    if (!test::waitUntil(
            [&] { return !window.presenter().shown().instances.empty() && !window.presenter().isPending(); }, 20'000)) {
        std::fprintf(stderr, "take_proofread_screenshots: the project did not open\n");
        return false;
    }
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
    window.view().setFrame(window.view().frame() + 4);  // of its loop: the animals are marked there too
    test::waitUntil([&] { return !window.presenter().isPending(); });
    save("issue-loop");
    window.findChild<QDockWidget*>(QStringLiteral("dockTracks"))->raise();
    proof.plotPanel().setKind(TrackPlotPanel::Kind::Occupancy);
    trigger("viewFitFrame");
    test::waitUntil([&] { return proof.tracksPanel().isUpToDate(); });
    save("tracks");
    proof.plotPanel().setKind(TrackPlotPanel::Kind::Position);
    takeReview(window, saveOf, folder);
    takePoints(window, saveOf);
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
