// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "engine/project/find.h"
#include "ui/frame_steps.h"
#include "ui/models/found_table_model.h"
#include "ui/models/instance_table_model.h"
#include "ui/theme.h"
#include "ui/timeline/timeline_data.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/table_order.h"

// N-07, N-09, D-01 and D-03 of the window's specification in figures: median and 95th percentile of some repeats.
namespace {

using namespace skein;

constexpr int kFrames = 20'000, kInstances = 50, kNodes = 20;

project::Labels generated() {
    project::Labels labels;
    labels.editVideos().resize(1);
    labels.editVideos()[0].frameCount = kFrames;
    project::Skeleton skeleton;
    for (int n = 0; n < kNodes; ++n)
        skeleton.nodes.push_back("node" + std::to_string(n));
    labels.editSkeletons().push_back(skeleton);
    for (int t = 0; t < kInstances; ++t)
        labels.editTracks().push_back({"track_" + std::to_string(t), 0, -1});
    project::LabelsBuilder builder(std::move(labels));
    for (int f = 0; f < kFrames; ++f) {
        builder.beginFrame(0, f);
        for (int i = 0; i < kInstances; ++i) {
            project::InstanceHeader header;
            header.track = i;
            header.score = 0.2F + 0.001F * static_cast<float>((f * 7 + i) % 800);
            const auto points = builder.addInstance(header, kNodes);
            for (int n = 0; n < kNodes; ++n)
                points[static_cast<std::size_t>(n)] = {20.0 + (i * 37 + n * 9 + f) % 960, 30.0 + (i * 53 + n * 5) % 940,
                                                       0.9, (f + i + n) % 97 != 0, false};
        }
    }
    return builder.finish();
}

void report(const char* what, double budgetMs, int repeats, const std::function<void()>& run) {
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        QElapsedTimer timer;
        timer.start();
        run();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2], p95 = times[times.size() * 95 / 100];
    std::printf("%-58s %9.3f %9.3f %9.1f %7.2f\n", what, median, p95, budgetMs, median / budgetMs);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    ui::theme::apply(ui::theme::Mode::Light);
    std::printf("%d frames x %d instances x %d nodes; times in ms\n", kFrames, kInstances, kNodes);
    std::printf("%-58s %9s %9s %9s %7s\n", "", "median", "p95", "budget", "factor");
    const project::Labels labels = generated();

    using project::FindBy;
    const std::pair<const char*, FindBy> filters[] = {{"find: instances = 50 (N-09)", FindBy::InstanceCount},
                                                      {"find: score < 0.3 (N-09)", FindBy::ScoreBelow},
                                                      {"find: node not visible (N-09)", FindBy::NodeInvisible},
                                                      {"find: track present (N-09)", FindBy::Track},
                                                      {"find: speed > 20 (N-09)", FindBy::SpeedAbove},
                                                      {"find: two tracks closer than 30 (N-09)", FindBy::TracksClose},
                                                      {"find: inside a region (N-09)", FindBy::Inside}};
    for (const auto& [name, by] : filters) {
        project::FindCondition condition;
        condition.by = by;
        condition.number = kInstances;
        condition.limit = by == FindBy::ScoreBelow ? 0.3 : by == FindBy::SpeedAbove ? 20 : 30;
        condition.node = "node7";
        condition.track = "track_3";
        condition.otherTrack = "track_11";
        condition.region = {0, 0, 10, 10};
        report(name, 300, 5, [&] { (void)project::findFrames(labels, {condition}).value(); });
    }

    // A table of a million rows.
    auto found = std::make_shared<std::vector<project::FoundFrame>>();
    for (std::uint32_t i = 0; i < 1'000'000; ++i)
        found->push_back({0, static_cast<std::int64_t>(i), (i * 7919U) % 51U});
    ui::Document document;
    ui::FoundTableModel model(&document, nullptr);
    ui::PlainTable table(QStringLiteral("benchmarkTable"), QStringLiteral("rows"), nullptr);
    table.setModel(&model);
    model.setFrames(found, 1);
    table.setColumnWidths({20, 10, 10}, 0);
    table.resize(600, 800);
    table.show();
    QApplication::processEvents();
    int column = 1;
    double longestTurn = 0;
    report("table of 1,000,000 rows: sort (D-01)", 1000, 4, [&] {
        column = 3 - column;
        bool done = false;
        const auto connection =
            QObject::connect(table.order(), &ui::TableOrder::ordered, &table, [&done] { done = true; });
        QElapsedTimer turn;
        turn.start();
        table.sortByColumn(column, Qt::DescendingOrder);
        while (!done) {
            QApplication::processEvents(QEventLoop::AllEvents, 5);
            longestTurn = std::max(longestTurn, static_cast<double>(turn.nsecsElapsed()) / 1e6);
            turn.restart();
        }
        QObject::disconnect(connection);
    });
    std::printf("%-58s %9.3f\n", "longest turn of the window's thread meanwhile", longestTurn);
    int at = 0;
    report("table of 1,000,000 rows: scroll by a page and paint (D-01)", 16.7, 200, [&] {
        table.verticalScrollBar()->setValue(at += 700);
        table.viewport()->repaint();
    });

    // One more frame in the Instances dock.
    ui::ShownFrame frames[2];
    auto skeletons = std::make_shared<const std::vector<project::Skeleton>>(labels.skeletons());
    for (int f = 0; f < 2; ++f) {
        frames[f].frame = f;
        frames[f].skeletons = skeletons;
        const project::FrameView view = labels.frame(static_cast<std::size_t>(f));
        for (std::size_t i = 0; i < view.instanceCount(); ++i) {
            ui::ShownInstance instance;
            instance.header = *view.instance(i).header;
            instance.points.assign(view.instance(i).points.begin(), view.instance(i).points.end());
            instance.place = static_cast<int>(i);
            instance.skeleton = &skeletons->front();
            frames[f].instances.push_back(std::move(instance));
        }
    }
    ui::InstanceTableModel instances(nullptr);
    ui::PlainTable instanceTable(QStringLiteral("benchmarkInstances"), QStringLiteral("instances"), nullptr);
    instanceTable.setModel(&instances);
    instanceTable.resize(440, 500);
    instanceTable.show();
    QApplication::processEvents();
    int turn = 0;
    report("Instances dock: another frame of 50 instances (D-03)", 2, 200,
           [&] { instances.setFrame(frames[++turn % 2]); });

    // The next labelled frame among a million.
    std::vector<std::int64_t> user, predicted;
    for (std::int64_t f = 0; f < 1'000'000; ++f)
        (f % 3 == 0 ? user : predicted).push_back(f);
    std::int64_t frame = 0;
    report("next labelled frame of 1,000,000 (N-07)", 1, 1000, [&] {
        frame = ui::stepAmong({&user, &predicted}, frame, 1)->frame;
    });
    ui::TimelineData data = ui::timelineOf(labels, 0);
    report("index after one edited frame (N-07)", 16, 200, [&] { data.refreshFrame(labels, (frame += 97) % kFrames); });
    return 0;
}
