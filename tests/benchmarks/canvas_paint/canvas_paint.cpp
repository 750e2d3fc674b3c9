// SPDX-License-Identifier: GPL-3.0-or-later
// V-04: how long the skeletons of a frame take to paint at 1920 x 1080 on the software rasteriser. With --factor 2 the
// budgets are twice as large, for machines that are shared or slower than the reference.
#include <QApplication>
#include <QElapsedTimer>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/made_frame.h"
#include "ui/canvas/ink.h"
#include "ui/canvas/video_canvas.h"
#include "ui/theme.h"

using namespace skein;
using namespace skein::ui;

namespace {

constexpr int kWidth = 1920, kHeight = 1080;
constexpr int kSets = 5, kRounds = 41;  ///< the middle one of the sets counts

/// Animals that fill the frame, each a curved chain some 150 px long; every eighth node is not visible.
ShownFrame crowd(int instances, int nodes, int moved) {
    auto skeletons = std::make_shared<std::vector<project::Skeleton>>(1, test::chainSkeleton(nodes));
    ShownFrame frame;
    frame.frame = moved;
    frame.skeletons = skeletons;
    for (int i = 0; i < instances; ++i) {
        ShownInstance instance;
        instance.header.id = static_cast<project::InstanceId>(i + 1);
        instance.header.kind = i % 4 == 0 ? project::InstanceKind::User : project::InstanceKind::Predicted;
        instance.header.track = i;
        instance.header.score = 0.7F;
        instance.place = i;
        instance.color = i;
        instance.skeleton = &skeletons->front();
        const double x = 60 + (i % 10) * 185 + moved % 7, y = 60 + (i / 10) * 210 + moved % 5;
        for (int n = 0; n < nodes; ++n) {
            project::Point p;
            p.x = x + n * 150.0 / nodes;
            p.y = y + 40 * std::sin(n * 0.5 + i);
            p.score = (n % 10) / 10.0;
            p.visible = n % 8 != 7;
            p.complete = n % 3 == 0;
            instance.points.push_back(p);
        }
        frame.instances.push_back(std::move(instance));
    }
    return frame;
}

double g_factor = 1;
bool g_good = true;

void report(const char* what, double medianBudget, double p95Budget, const std::function<void(int)>& paint) {
    std::vector<double> medians, p95s;
    paint(0);  // sprites are made once
    for (int set = 0; set < kSets; ++set) {
        std::vector<double> ms;
        for (int i = 1; i <= kRounds; ++i) {
            QElapsedTimer clock;
            clock.start();
            paint(i);
            ms.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
        }
        std::sort(ms.begin(), ms.end());
        medians.push_back(ms[ms.size() / 2]);
        p95s.push_back(ms[ms.size() * 95 / 100]);
    }
    std::sort(medians.begin(), medians.end());
    std::sort(p95s.begin(), p95s.end());
    const double median = medians[kSets / 2], p95 = p95s[kSets / 2];
    const bool held =
        (medianBudget == 0 || median <= medianBudget * g_factor) && (p95Budget == 0 || p95 <= p95Budget * g_factor);
    g_good = g_good && held;
    std::printf("%-44s %9.2f %9.2f %12.0f %9.0f %9.2f  %s\n", what, median, p95, medianBudget, p95Budget,
                medianBudget > 0 ? median / medianBudget : 0.0, held ? "held" : "NOT held");
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    for (int i = 1; i + 1 < argc; ++i)
        if (std::string(argv[i]) == "--factor")
            g_factor = std::max(1.0, std::atof(argv[i + 1]));
    theme::apply(theme::Mode::Dark);
    QImage target(kWidth, kHeight, QImage::Format_RGB32), ground(kWidth, kHeight, QImage::Format_RGB32);
    ground.fill(QColor(90, 90, 90));
    std::printf("%-44s %9s %9s %12s %9s %9s\n", "ms at 1920 x 1080", "median", "p95", "budget", "p95", "factor");
    OverlayPainter overlay;
    const auto painted = [&](OverlayStyle style, int instances, int nodes) {
        std::vector<ShownFrame> frames;
        for (int round = 0; round <= kRounds; ++round) {
            frames.push_back(crowd(instances, nodes, round));
            applyFocus(frames.back(), style, {});
        }
        return [&, style, frames = std::move(frames)](int round) {
            QPainter painter(&target);
            overlay.paint(painter, frames[static_cast<std::size_t>(round)], {}, style, ground, 0);
        };
    };
    OverlayStyle plain;
    report("50 x 20, names off (V-04)", 4, 8, painted(plain, 50, 20));
    OverlayStyle names = plain;
    names.names = true;
    report("50 x 20, names on (V-04)", 16, 0, painted(names, 50, 20));
    OverlayStyle scores = names;
    scores.scores = true;
    report("50 x 20, names and scores", 16, 0, painted(scores, 50, 20));
    OverlayStyle byNode = plain;
    byNode.colorBy = ColorBy::Node;
    report("50 x 20, coloured by node", 4, 8, painted(byNode, 50, 20));
    OverlayStyle wedges = plain;
    wedges.edgeStyle = EdgeStyle::Wedge;
    report("50 x 20, wedges", 16, 0, painted(wedges, 50, 20));
    report("5 x 13, names on", 5, 0, painted(names, 5, 13));

    // The whole view, picture included: what a frame step costs.
    VideoCanvas canvas;
    canvas.resize(kWidth, kHeight);
    auto picture = std::make_shared<Image>();
    picture->width = 1280;
    picture->height = 1024;
    picture->channels = 4;
    picture->pixels.assign(std::size_t{1280} * 1024 * 4, 90);
    const ImagePtr shown = picture;
    const auto stepped = [&](int round) {
        canvas.showFrame(shown, crowd(50, 20, round));
        canvas.render(&target);
    };
    report("whole view, 1280 x 1024, 50 x 20", 0, 0, stepped);
    PictureAdjustment brighter;
    brighter.gamma = 2;
    canvas.setAdjustment(brighter);
    report("whole view, brightened", 0, 0, stepped);
    return g_good ? 0 : 1;
}
