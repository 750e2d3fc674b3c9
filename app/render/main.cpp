// SPDX-License-Identifier: GPL-3.0-or-later
#include <QGuiApplication>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <thread>

#include "app/arguments.h"
#include "app/output_guard.h"
#include "app/run_progress.h"
#include "engine/formats/import/import_labels.h"
#include "engine/formats/project_video.h"
#include "engine/pipeline/frame_list.h"
#include "ui/render/render_video.h"

namespace {

using namespace skein;
namespace fs = std::filesystem;

struct RenderArguments {
    std::string input, output, frames, size, track;
    ui::RenderOptions options;
    bool onlyLabeledFrames = false, quiet = false, noEdges = false, noNodes = false;
    std::string background = "video", colorBy = "track", palette = "safe", shape = "kind", codec, preset = "veryfast",
                scaleBarText;
    std::vector<int> crop;
};

template <class T>
T chosen(const std::map<std::string, T>& known, const std::string& name) {
    return known.at(name);
}

template <class T>
CLI::Option* addChoice(CLI::App& app, const std::string& name, std::string& value,
                       const std::map<std::string, T>& known, const std::string& help) {
    std::vector<std::string> names;
    for (const auto& [key, unused] : known)
        names.push_back(key);
    return app::addOption(app, name, value, help)->check(CLI::IsMember(names));
}

const std::map<std::string, ui::ColorBy> kColors = {{"track", ui::ColorBy::Track}, {"instance", ui::ColorBy::Instance},
                                                    {"node", ui::ColorBy::Node},   {"edge", ui::ColorBy::Edge},
                                                    {"score", ui::ColorBy::Score}, {"speed", ui::ColorBy::Speed}};
const std::map<std::string, ui::theme::Palette> kPalettes = {{"safe", ui::theme::Palette::Safe},
                                                             {"standard", ui::theme::Palette::Standard},
                                                             {"five+", ui::theme::Palette::FivePlus},
                                                             {"solarized", ui::theme::Palette::Solarized},
                                                             {"alphabet", ui::theme::Palette::Alphabet}};
const std::map<std::string, ui::MarkerShape> kShapes = {
    {"kind", ui::MarkerShape::ByKind},     {"circle", ui::MarkerShape::Circle},     {"square", ui::MarkerShape::Square},
    {"diamond", ui::MarkerShape::Diamond}, {"triangle", ui::MarkerShape::Triangle}, {"cross", ui::MarkerShape::Cross}};
const std::map<std::string, ui::RenderBackground> kGrounds = {{"video", ui::RenderBackground::Video},
                                                              {"black", ui::RenderBackground::Black},
                                                              {"white", ui::RenderBackground::White},
                                                              {"grey", ui::RenderBackground::Gray},
                                                              {"transparent", ui::RenderBackground::Transparent}};
const std::map<std::string, ui::RenderCodec> kCodecs = {
    {"h264", ui::RenderCodec::H264},     {"h265", ui::RenderCodec::H265}, {"av1", ui::RenderCodec::Av1},
    {"prores", ui::RenderCodec::ProRes}, {"gif", ui::RenderCodec::Gif},   {"png", ui::RenderCodec::PngSequence}};

/// A folder means pictures, .gif a GIF, everything else H.264.
ui::RenderCodec codecFor(const RenderArguments& a) {
    if (!a.codec.empty())
        return chosen(kCodecs, a.codec);
    const std::string extension = fs::path(a.output).extension().string();
    return extension == ".gif" ? ui::RenderCodec::Gif
           : extension.empty() ? ui::RenderCodec::PngSequence
                               : ui::RenderCodec::H264;
}

Result<std::vector<std::int64_t>> framesFor(const RenderArguments& a, const project::Labels& labels) {
    auto source = formats::openProjectVideo(labels, a.options.video, a.input);
    if (!source)
        return fail(std::move(source.error()));
    const std::int64_t count = (*source)->frameCount();
    std::vector<std::int64_t> frames;
    if (!a.frames.empty()) {
        auto list = pipeline::parseFrameList(a.frames);
        if (!list)
            return fail(std::move(list.error()));
        std::int64_t outside = 0;
        frames = list->within(count, &outside);
        if (outside > 0)
            return fail(ErrorCode::InvalidArgument, "The video has frames 0 to " + std::to_string(count - 1) + "; " +
                                                        std::to_string(outside) + " of the chosen ones lie outside.");
    } else {
        frames.resize(static_cast<std::size_t>(count));
        std::iota(frames.begin(), frames.end(), std::int64_t{0});
    }
    if (a.onlyLabeledFrames)
        std::erase_if(frames, [&](std::int64_t frame) { return !labels.findFrame(a.options.video, frame); });
    return frames;
}

Result<void> fillOptions(RenderArguments& a, const project::Labels& labels) {
    ui::RenderOptions& o = a.options;
    o.style.colorBy = chosen(kColors, a.colorBy);
    o.style.palette = chosen(kPalettes, a.palette);
    o.look.shape = chosen(kShapes, a.shape);
    o.look.nodes = !a.noNodes;
    o.style.edges = !a.noEdges;
    o.background = chosen(kGrounds, a.background);
    o.codec = codecFor(a);
    o.preset = QString::fromStdString(a.preset);
    o.burnIn.scaleBarText = QString::fromStdString(a.scaleBarText);
    if (!a.crop.empty()) {
        o.crop = ui::RenderCrop::Rectangle;
        o.rectangle = QRect(a.crop[0], a.crop[1], a.crop[2], a.crop[3]);
    }
    if (!a.track.empty()) {
        o.crop = ui::RenderCrop::FollowTrack;
        o.track = -1;
        for (std::size_t t = 0; t < labels.tracks().size(); ++t)
            if (labels.tracks()[t].name == a.track)
                o.track = static_cast<std::int32_t>(t);
        if (o.track < 0)
            return fail(ErrorCode::InvalidArgument, "There is no track " + a.track + " in " + a.input + ".");
    }
    if (o.background == ui::RenderBackground::Transparent && o.codec != ui::RenderCodec::PngSequence)
        return fail(ErrorCode::InvalidArgument, "Only a sequence of pictures can be transparent; give --codec png.");
    return {};
}

Result<int> render(RenderArguments& a) {
    auto labels = formats::importLabels(a.input);
    if (!labels)
        return fail(std::move(labels.error()));
    if (a.options.video >= labels->videos().size())
        return fail(ErrorCode::InvalidArgument, a.input + " has no such video.");
    if (auto filled = fillOptions(a, *labels); !filled)
        return fail(std::move(filled.error()));
    auto frames = framesFor(a, *labels);
    if (!frames)
        return fail(std::move(frames.error()));
    a.options.frames = std::move(*frames);
    if (a.options.codec != ui::RenderCodec::PngSequence) {
        std::vector<fs::path> inputs{a.input};
        app::addFiles(inputs, labels->videos(), a.input);
        if (auto usable = app::guardOutputs({a.output}, inputs); !usable)
            return fail(std::move(usable.error()));
    }
    const app::InterruptGuard guard;
    const auto begin = std::chrono::steady_clock::now();
    ui::RenderJob job(*labels, a.input, a.options, a.output);
    app::RunProgress progress(a.quiet);
    while (!job.isFinished()) {
        if (app::InterruptGuard::interrupted())
            job.cancel();
        progress.showPhase("Rendering, frame " + app::withThousands(job.done()) + " of " +
                           app::withThousands(job.all()));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    progress.finish();
    const Result<ui::RenderReport>& result = job.result();
    if (!result && result.error().code() == ErrorCode::Cancelled) {
        app::printError(result.error());
        return app::kInterrupted;
    }
    if (!result)
        return fail(result.error());
    for (const std::string& warning : result->warnings)
        app::printWarning(warning);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("Wrote %s frames of %d x %d at %.4g frames a second to %s in %s (%s frames a second).\n",
                app::withThousands(result->frames).c_str(), result->size.width(), result->size.height(), result->fps,
                a.output.c_str(), app::asDuration(seconds).c_str(),
                app::asRate(static_cast<double>(result->frames) / seconds).c_str());
    if (!result->decoder.empty())
        std::printf("Decoded by %s\n", result->decoder.c_str());
    return app::kDone;
}

void addOptions(CLI::App& command, RenderArguments& a) {
    using app::addFlag;
    using app::addOption;
    ui::RenderOptions& o = a.options;
    command.add_option("input", a.input, "Labels file")->required();
    addOption(command, "-o,--output", a.output, "Video to write (.mp4, .mov, .mkv, .gif), or a new folder for pictures")
        ->required();
    addOption(command, "--frames", a.frames, "Frames, such as 0-99,150; all when absent");
    addFlag(command, "--only-labeled-frames", a.onlyLabeledFrames, "Leave out frames without labels");
    app::addDecoderOption(command, o.decoder);
    addOption(command, "--video", o.video, "Place of the video in the project, from 0");
    addChoice(command, "--color-by", a.colorBy, kColors, "What colours mean");
    addChoice(command, "--palette", a.palette, kPalettes, "Colours");
    addChoice(command, "--marker-shape", a.shape, kShapes,
              "Nodes; \"kind\": round for a person's, diamonds for predictions");
    addOption(command, "--marker-size", o.style.markerSize, "Radius of nodes, px")->check(CLI::Range(1, 100));
    addOption(command, "--line-width", o.look.lineWidth, "Of edges, px; as in the window when absent")
        ->check(CLI::Range(0.5, 50.0));
    addOption(command, "--opacity", o.opacity, "Of skeletons")->check(CLI::Range(0.0, 1.0));
    addFlag(command, "--no-nodes", a.noNodes, "Edges alone");
    addFlag(command, "--no-edges", a.noEdges, "Nodes alone");
    addFlag(command, "--names", o.style.names, "Names of nodes");
    addFlag(command, "--track-names", o.trackNames, "Names of tracks");
    addChoice(command, "--background", a.background, kGrounds, "What lies under the skeletons");
    addFlag(command, "--trails", o.trails.on, "Lines through where animals were before");
    addOption(command, "--trail-length", o.trails.length, "Frames")->check(CLI::Range(1, 10000));
    addOption(command, "--trail-node", o.trails.node, "Node by its place in the skeleton; the middle when absent");
    addOption(command, "--trail-width", o.trails.width, "px")->check(CLI::Range(0.5, 50.0));
    addOption(command, "--crop", a.crop, "Part of the video: left top width height")
        ->expected(4)
        ->check(CLI::NonNegativeNumber);
    addOption(command, "--follow-track", a.track, "Name of a track that stays in the middle");
    addOption(command, "--margin", o.margin, "px about the followed track")->check(CLI::Range(0, 10000));
    addFlag(command, "--burn-frame", o.burnIn.frameNumber, "Write the frame number into the picture");
    addFlag(command, "--burn-time", o.burnIn.time, "Write the time into the picture");
    addOption(command, "--scale-bar", o.burnIn.scaleBar, "Length of a scale bar in px of the video")
        ->check(CLI::Range(0.0, 1e5));
    addOption(command, "--scale-bar-text", a.scaleBarText, "What stands over it, such as \"1 mm\"");
    addOption(command, "--scale", o.scale, "Size of the pictures, 1 as the video")->check(CLI::Range(0.1, 2.0));
    addOption(command, "--fps", o.fps, "Frames a second; as the video when absent")->check(CLI::Range(0.1, 1000.0));
    addOption(command, "--speed", o.speed, "2: twice as fast")->check(CLI::Range(0.01, 100.0));
    addChoice(command, "--codec", a.codec, kCodecs, "By the output's name when absent");
    addOption(command, "--crf", o.crf, "Quality of H.264, H.265 and AV1, 0 is best")->check(CLI::Range(0, 63));
    addOption(command, "--preset", a.preset, "Speed of H.264 and H.265, ultrafast to veryslow")
        ->check(CLI::IsMember(
            {"ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow"}));
    addFlag(command, "--quiet", a.quiet, "No progress");
}

}  // namespace

int main(int argc, char** argv) {
    // Nothing is shown, so no display is needed.
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    // The encoder of AV1 tells of its settings otherwise.
    setenv("SVT_LOG", "1", 0);
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& message) {
        if (type != QtDebugMsg && !message.startsWith(QLatin1String("QStandardPaths")))
            std::fprintf(stderr, "skein: %s\n", qPrintable(message));
    });
    QGuiApplication application(argc, argv);
    CLI::App app("Draw labels into a video.", "skein render");
    auto arguments = std::make_shared<RenderArguments>();
    addOptions(app, *arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e, std::cout, std::cerr) == 0 ? app::kDone : app::kWrongUsage;
    }
    auto done = render(*arguments);
    if (done)
        return *done;
    app::printError(done.error());
    return done.error().code() == ErrorCode::InvalidArgument ? app::kWrongUsage : app::kFailed;
}
