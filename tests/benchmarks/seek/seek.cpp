// SPDX-License-Identifier: GPL-3.0-or-later
// N-01 to N-04: seeks in the real window, from the change of the frame to the painted picture, for pictures in the
// cache and for those that are not; and what of a video is shown while it plays forward and backward.
//   seek [--factor F] [--decoder cpu|gpu] VIDEO...
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "engine/video/video_source.h"
#include "tests/support/event_loop.h"
#include "ui/main_window.h"
#include "ui/theme.h"

namespace test = skein::test;
using namespace skein::ui;

namespace {

constexpr int kSeeks = 60;
constexpr std::size_t kTinyCache = std::size_t{1} << 20U;
constexpr qint64 kPlayMs = 4000;
constexpr double kCachedMs = 16.7, kUncachedMs = 150, kShownShare = 0.98;

double g_factor = 1;
bool g_good = true;
skein::video::DecoderChoice g_decoder = skein::video::DecoderChoice::Processor;

bool seekTo(MainWindow& window, std::int64_t frame, std::vector<double>* ms) {
    QElapsedTimer clock;
    clock.start();
    window.view().setFrame(frame);
    if (!test::waitUntil(
            [&] { return window.canvas().lastShownFrame() == frame && !window.presenter().isPending(); })) {
        std::fprintf(stderr, "seek: frame %lld was not shown\n", static_cast<long long>(frame));
        return false;
    }
    if (ms != nullptr)
        ms->push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
    return true;
}

void report(const char* what, std::vector<double> ms, double p95Budget) {
    if (ms.empty())
        return;
    std::sort(ms.begin(), ms.end());
    const double median = ms[ms.size() / 2], p95 = ms[std::min(ms.size() - 1, ms.size() * 95 / 100)];
    const bool held = p95 <= p95Budget * g_factor;
    g_good = g_good && held;
    std::printf("  %-38s %9.1f %9.1f %9.1f %9.2f  %s\n", what, median, p95, p95Budget, p95 / p95Budget,
                held ? "held" : "NOT held");
}

void play(MainWindow& window, int direction, const char* what) {
    const std::int64_t count = window.view().frameCount();
    if (!seekTo(window, direction > 0 ? 0 : count - 1, nullptr))
        return;
    const auto& source = window.document().videoState(window.view().video()).source;
    const std::uint64_t before = window.canvas().framesShown();
    QElapsedTimer clock;
    clock.start();
    window.playback().toggle(direction);
    test::waitUntil([&] { return clock.elapsed() >= kPlayMs || !window.playback().isPlaying(); });
    const double seconds = static_cast<double>(clock.elapsed()) / 1000;
    window.playback().stop();
    const double due = std::min(seconds * source->fps(), static_cast<double>(count - 1));
    const double shown = static_cast<double>(window.canvas().framesShown() - before);
    const double share = due > 0 ? std::min(1.0, shown / due) : 1;
    const bool held = share >= kShownShare || g_factor > 1;
    g_good = g_good && held;
    std::printf("  %-38s %8.1f%% %9s %8.0f%% %9s  %s\n", what, 100 * share, "", 100 * kShownShare, "",
                share >= kShownShare ? "held" : "NOT held");
}

bool measure(const QString& path) {
    MainWindow window;
    window.resize(1600, 1000);
    window.document().setDecoder(g_decoder);
    window.show();
    window.openPaths({path});
    if (!test::waitUntil([&] { return window.canvas().hasPicture() && !window.presenter().isPending(); })) {
        std::fprintf(stderr, "seek: %s did not open\n", qPrintable(path));
        return false;
    }
    const std::int64_t count = window.view().frameCount();
    const auto& source = window.document().videoState(0).source;
    std::printf("%s: %lld frames, %d x %d, %s\n", qPrintable(path), static_cast<long long>(count), source->width(),
                source->height(), source->codecName().c_str());
    if (!source->decoderNote().empty())
        std::printf("decoded by %s\n", source->decoderNote().c_str());
    std::mt19937 random(7);
    std::uniform_int_distribution<std::int64_t> any(0, count - 1);
    std::vector<double> ms;
    {
        // A cache that holds next to nothing, and a decoder that is open, as it is while a person works.
        FrameService service(kTinyCache);
        VideoCanvas canvas;
        canvas.resize(window.canvas().size());
        std::int64_t arrived = -1;
        QObject::connect(&service, &FrameService::frameReady, &canvas,
                         [&](quint64, qint64 frame, const skein::ImagePtr& image) {
                             canvas.showFrame(image, {});
                             canvas.grab();
                             arrived = frame;
                         });
        for (int i = 0; i <= kSeeks; ++i) {
            const std::int64_t frame = any(random);
            if (frame == arrived)
                continue;
            QElapsedTimer clock;
            clock.start();
            if (service.request({source, 1, frame, 0}) != nullptr)
                continue;
            if (!test::waitUntil([&] { return arrived == frame; }))
                return false;
            if (i > 0)  // the first one opens the file
                ms.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
        }
    }
    report("uncached seek, ms (N-04)", std::exchange(ms, {}), kUncachedMs);
    // A stretch that is in the cache, visited again in any order.
    const std::int64_t stretch = std::min<std::int64_t>(count, 40);
    for (std::int64_t f = 0; f < stretch; ++f)
        if (!seekTo(window, f, nullptr))
            return false;
    std::uniform_int_distribution<std::int64_t> near(0, stretch - 1);
    for (int i = 0; i < kSeeks && stretch > 1; ++i) {
        std::int64_t frame = near(random);
        if (frame == window.view().frame())
            frame = (frame + 1) % stretch;
        if (!seekTo(window, frame, &ms))
            return false;
    }
    report("cached seek, ms (N-03)", std::exchange(ms, {}), kCachedMs);
    if (source->fps() > 0 && count > 10) {
        play(window, 1, "shown of due frames, forward (N-01)");
        play(window, -1, "shown of due frames, backward (N-02)");
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    theme::apply(theme::Mode::Dark);
    std::printf("  %-38s %9s %9s %9s %9s\n", "", "median", "p95", "budget", "factor");
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--factor" && i + 1 < argc) {
            g_factor = std::max(1.0, std::atof(argv[++i]));
            continue;
        }
        if (std::string(argv[i]) == "--decoder" && i + 1 < argc) {
            g_decoder = std::string(argv[++i]) == "gpu" ? skein::video::DecoderChoice::Gpu
                                                        : skein::video::DecoderChoice::Processor;
            continue;
        }
        if (!measure(QString::fromLocal8Bit(argv[i])))
            return 2;
    }
    return g_good ? 0 : 1;
}
