// SPDX-License-Identifier: GPL-3.0-or-later
// How long the timeline takes from a mouse or wheel event until it is painted, with very many frames and tracks, and
// how long its lists take to be made. Median and 95th percentile; the limits are those of the window's specification.
#include <QApplication>
#include <QElapsedTimer>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

#include "ui/theme.h"
#include "ui/timeline/statistic.h"
#include "ui/timeline/timeline.h"
#include "ui/tracks/track_summary.h"
#include "ui/tracks/trail_layer.h"
#include "ui/view_state.h"

namespace {

using namespace skein;
using namespace skein::ui;

double milliseconds(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

void report(const char* what, double budget, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2], p95 = times[times.size() * 95 / 100];
    std::printf("  %-52s %9.2f %9.2f %9.1f  %s\n", what, median, p95, budget, p95 <= budget ? "" : "over");
    std::fflush(stdout);
}

/// `tracks` tracks over `frames` frames, `atOnce` of them at a time, each with pauses; two nodes.
project::Labels generated(std::int64_t frames, int tracks, int atOnce) {
    project::Labels labels;
    labels.editVideos().resize(1);
    labels.editVideos()[0].frameCount = frames;
    project::Skeleton skeleton;
    skeleton.nodes = {"head", "tail"};
    labels.editSkeletons().push_back(skeleton);
    for (int t = 0; t < tracks; ++t)
        labels.editTracks().push_back({"track_" + std::to_string(t), 0, -1});
    project::LabelsBuilder builder(std::move(labels));
    const std::int64_t turns = std::max(1, tracks / atOnce);
    const std::int64_t each = std::max<std::int64_t>(1, frames / turns);
    for (std::int64_t f = 0; f < frames; ++f) {
        builder.beginFrame(0, f);
        for (int i = 0; i < atOnce; ++i) {
            if ((f + 37 * i) % 211 < 7)
                continue;  // a pause
            const std::int64_t turn = std::min(turns - 1, f / each);
            project::InstanceHeader header;
            header.track = static_cast<std::int32_t>(turn * atOnce + i);
            header.score = 0.5F + 0.4F * std::sin(0.01F * static_cast<float>(f + i));
            if (f % 5000 == 0)
                header.kind = project::InstanceKind::User;
            const auto points = builder.addInstance(header, 2);
            const double angle = 0.01 * static_cast<double>(f) + i;
            points[0] = {500 + 300 * std::cos(angle), 400 + 300 * std::sin(angle), 0.9, true, false};
            points[1] = {510 + 300 * std::cos(angle), 405 + 300 * std::sin(angle), 0.8, true, false};
        }
    }
    return builder.finish();
}

void send(Timeline& timeline, QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons buttons,
          Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QMouseEvent event(type, at, timeline.mapToGlobal(at), button, buttons, modifiers);
    QApplication::sendEvent(&timeline, &event);
}

void wheel(Timeline& timeline, QPointF at, int delta, Qt::KeyboardModifiers modifiers) {
    QWheelEvent event(at, timeline.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&timeline, &event);
}

void scene(const char* title, std::int64_t frames, int tracks, int atOnce) {
    std::printf("%s: %lld frames, %d tracks, %d at a time\n", title, static_cast<long long>(frames), tracks, atOnce);
    const project::Labels labels = generated(frames, tracks, atOnce);
    QElapsedTimer clock;
    std::vector<double> times;
    std::shared_ptr<TimelineData> data;
    for (int i = 0; i < 3; ++i) {
        clock.start();
        data = std::make_shared<TimelineData>(timelineOf(labels, 0));
        times.push_back(milliseconds(clock));
    }
    report("lists of frames and spans (worker)", 1000, times);
    times.clear();
    std::vector<TimelineStrip> strips;
    for (const auto& [name, statistic] :
         {std::pair("count", Statistic::InstanceCount), std::pair("displacement", Statistic::PointDisplacementSum),
          std::pair("swap", Statistic::SwapSuspicion)}) {
        clock.start();
        StatisticRequest request;
        request.statistic = statistic;
        auto values = std::make_shared<MinMaxPyramid>(statisticOf(labels, request, 0, frames - 1));
        std::printf("  statistic %-42s %9.2f\n", name, milliseconds(clock));
        strips.push_back({QLatin1String(name), QLatin1String(name), {}, std::move(values)});
    }
    clock.start();
    (void)summarizeTracks(labels, 0);
    std::printf("  %-52s %9.2f\n", "figures of all tracks (worker)", milliseconds(clock));

    ViewState view;
    Timeline timeline(&view, nullptr);
    timeline.resize(1600, 340);
    timeline.show();
    QApplication::processEvents();
    view.setVideo(0, frames);
    timeline.setStrips(strips);
    clock.start();
    timeline.setData(data);
    timeline.repaint();
    report("first paint (T-01)", 50, {milliseconds(clock)});

    std::mt19937 random(7);
    const auto measure = [&](const char* what, double budget, int count, const std::function<void(int)>& event) {
        times.clear();
        for (int i = 0; i < count; ++i) {
            clock.start();
            event(i);
            QApplication::sendPostedEvents();
            timeline.repaint();
            times.push_back(milliseconds(clock));
        }
        report(what, budget, times);
    };
    measure("wheel zooms about the pointer (T-01)", 16.7, 120, [&](int i) {
        wheel(timeline, {200.0 + static_cast<double>(random() % 1200), 200}, i % 40 < 20 ? 120 : -120,
              Qt::ControlModifier);
    });
    timeline.showRange({frames / 3, frames / 3 + frames / 50});
    measure("wheel pans (T-01)", 16.7, 120, [&](int i) { wheel(timeline, {800, 200}, i < 60 ? -120 : 120, {}); });
    timeline.showAll();
    const double y = timeline.height() - 30;
    send(timeline, QEvent::MouseButtonPress, {100, y}, Qt::LeftButton, Qt::LeftButton);
    measure("drag scrubs", 16.7, 200, [&](int i) {
        send(timeline, QEvent::MouseMove, {100.0 + 7 * i, y}, Qt::NoButton, Qt::LeftButton);
    });
    send(timeline, QEvent::MouseButtonRelease, {1500, y}, Qt::LeftButton, Qt::NoButton);
    // A run that tells of its progress thirty times a second while somebody drags (T-03).
    auto live = std::make_shared<TimelineData>();
    send(timeline, QEvent::MouseButtonPress, {100, y}, Qt::LeftButton, Qt::LeftButton);
    measure("drag scrubs while a run goes on (T-03)", 20, 200, [&](int i) {
        if (i % 2 == 0) {
            live->add(i, {}, {0, 1}, false, true);
            timeline.setLive(live);
            timeline.setRun({{0, i}}, {{0, frames - 1}});
        }
        send(timeline, QEvent::MouseMove, {100.0 + 7 * i, y}, Qt::NoButton, Qt::LeftButton);
    });
    send(timeline, QEvent::MouseButtonRelease, {1500, y}, Qt::LeftButton, Qt::NoButton);
    measure("an edited frame is taken in and painted (T-02)", 16.7, 60, [&](int) {
        data->refreshFrame(labels, static_cast<std::int64_t>(random() % static_cast<unsigned>(frames)));
        timeline.setData(data);
    });
}

void trails() {
    constexpr int kTracks = 50, kLength = 500;
    std::printf("trails: %d tracks x %d frames on 1280 x 900\n", kTracks, kLength);
    const auto skeletons = std::make_shared<const std::vector<project::Skeleton>>(1);
    TrailLayer layer;
    layer.contents = [&skeletons](std::uint32_t, std::int64_t frame) {
        ShownFrame shown;
        shown.frame = frame;
        shown.skeletons = skeletons;
        for (int t = 0; t < kTracks; ++t) {
            ShownInstance instance;
            instance.header.track = instance.color = t;
            instance.skeleton = &skeletons->front();
            const double angle = 0.013 * static_cast<double>(frame) + t;
            for (int n = 0; n < 13; ++n)
                instance.points.push_back(
                    {640 + (150 + 5 * t) * std::cos(angle) + n, 450 + (100 + 6 * t) * std::sin(angle), 1, true, false});
            shown.instances.push_back(instance);
        }
        return shown;
    };
    TrailStyle style;
    style.length = kLength;
    layer.setStyle(style);
    QImage picture(1280, 900, QImage::Format_RGB32);
    picture.fill(Qt::darkGray);
    QPainter painter(&picture);
    QElapsedTimer clock;
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) {
        const ShownFrame shown = layer.contents(0, 2000 + i);
        clock.start();
        layer.paint(painter, QTransform(), picture.rect(), shown);
        if (i == 0)
            std::printf("  %-52s %9.2f\n", "the first time", milliseconds(clock));
        else
            times.push_back(milliseconds(clock));
    }
    report("each further frame (P-01)", 4, times);
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    theme::apply(theme::Mode::Light);
    std::printf("times in ms\n  %-52s %9s %9s %9s\n", "", "median", "p95", "limit");
    scene("long", 1'000'000, 4, 4);
    scene("long and crowded", 1'000'000, 500, 4);
    scene("many tracks", 200'000, 10'000, 10);
    trails();
    return 0;
}
