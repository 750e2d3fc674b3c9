// SPDX-License-Identifier: GPL-3.0-or-later
// Frames a second of a rendered video of 1024 x 1024 with 2 x 13 nodes at preset veryfast: over a video of that
// size, which is made first, and on black.
#include <QGuiApplication>
#include <QTemporaryDir>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <thread>

#include "tests/support/big_project.h"
#include "ui/render/render_video.h"

using namespace skein;
namespace fs = std::filesystem;

namespace {

constexpr int kFrames = 600, kSize = 1024;
constexpr double kLeast = 200;

void makeSource(const fs::path& path) {
    video::VideoWriterOptions options;
    options.width = options.height = kSize;
    auto writer = video::VideoWriter::create(path, options);
    if (!writer)
        throw std::runtime_error(writer.error().message());
    std::vector<std::uint8_t> pixels(std::size_t{4} * kSize * kSize);
    for (int frame = 0; frame < kFrames; ++frame) {
        for (int y = 0; y < kSize; ++y)
            for (int x = 0; x < kSize; ++x) {
                const double d =
                    std::hypot(x - 512 - 300 * std::cos(frame * 0.02), y - 512 - 300 * std::sin(frame * 0.02));
                const auto level = static_cast<std::uint8_t>(d < 40 ? 60 : 180 + (x * 7 + y * 13) % 8);
                std::fill_n(pixels.begin() + (std::ptrdiff_t{y} * kSize + x) * 4, 3, level);
            }
        if (auto added = (*writer)->add(pixels.data()); !added)
            throw std::runtime_error(added.error().message());
    }
    if (auto done = (*writer)->finish(); !done)
        throw std::runtime_error(done.error().message());
}

}  // namespace

int main(int argc, char** argv) {
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    const QGuiApplication application(argc, argv);
    const QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    makeSource(folder / "source.mp4");
    test::BigProject spec;
    spec.frames = kFrames;
    spec.animals = 2;
    spec.nodes = 13;
    spec.tracksEach = 1;
    spec.video = (folder / "source.mp4").string();
    const project::Labels labels = test::makeBigProject(spec);
    std::printf("%d frames of %d x %d, 2 x 13 nodes, veryfast, %u cores; at least %.0f frames a second on 4\n\n",
                kFrames, kSize, kSize, std::thread::hardware_concurrency(), kLeast);
    for (const bool overVideo : {true, false}) {
        ui::RenderOptions options;
        options.frames.resize(kFrames);
        std::iota(options.frames.begin(), options.frames.end(), std::int64_t{0});
        options.background = overVideo ? ui::RenderBackground::Video : ui::RenderBackground::Black;
        const auto begin = std::chrono::steady_clock::now();
        const auto report = ui::renderVideo(labels, folder / "p.slp", options, folder / "out.mp4");
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (!report) {
            std::printf("%s\n", report.error().describe().c_str());
            return 1;
        }
        std::printf("%-10s %6.0f frames a second\n", overVideo ? "on video" : "on black", kFrames / seconds);
    }
    return 0;
}
