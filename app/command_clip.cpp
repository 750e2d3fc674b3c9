// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/arguments.h"
#include "app/output_guard.h"
#include "app/run_progress.h"
#include "engine/formats/extract_clip.h"
#include "engine/formats/import/import_labels.h"
#include "engine/pipeline/frame_list.h"

namespace skein::app {
namespace {

namespace fs = std::filesystem;

struct ClipArguments {
    std::string input, output, labels, frames;
    unsigned video = 0;
    int crf = formats::ClipOptions().crf;
};

Result<void> extract(const ClipArguments& a) {
    auto list = pipeline::parseFrameList(a.frames);
    if (!list)
        return fail(std::move(list.error()));
    if (list->ranges.size() != 1)
        return fail(ErrorCode::InvalidArgument, "A clip is one range of frames, such as --frames 100-299.");
    const std::string ending = fs::path(a.output).extension().string();
    if (ending != ".mp4" && ending != ".mkv" && ending != ".mov")
        return fail(ErrorCode::InvalidArgument,
                    "The output " + a.output +
                        " is to be a video: give a name that ends in .mp4, .mkv or .mov. The labels are written beside "
                        "it, with the ending .slp.");
    auto labels = formats::importLabels(a.input);
    if (!labels)
        return fail(std::move(labels.error()));
    const fs::path labelsPath = a.labels.empty() ? fs::path(a.output).replace_extension(".slp") : fs::path(a.labels);
    if (auto named = checkLabelsName(labelsPath); !named)
        return named;
    std::vector<fs::path> inputs{a.input};
    addFiles(inputs, labels->videos(), a.input);
    if (auto usable = guardOutputs({a.output, labelsPath}, inputs); !usable)
        return usable;
    formats::ClipOptions options;
    options.video = a.video;
    options.first = list->ranges[0].first;
    options.last = list->ranges[0].last;
    options.crf = a.crf;
    if (auto written = formats::extractClip(*labels, a.input, a.output, labelsPath, options); !written)
        return written;
    std::printf("Wrote %s frames to %s and their labels to %s.\n",
                withThousands(options.last - options.first + 1).c_str(), a.output.c_str(), labelsPath.c_str());
    return {};
}

}  // namespace

void addClipCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("clip", "Cut a range of frames out as a video of its own with its labels");
    auto arguments = std::make_shared<ClipArguments>();
    command->add_option("input", arguments->input, "Labels file")->required();
    addOption(*command, "-o,--output", arguments->output, "Video to write (.mp4, .mkv, .mov)")->required();
    addOption(*command, "--frames", arguments->frames, "First and last frame: 100-299")->required();
    addOption(*command, "--labels", arguments->labels, "Labels file to write; beside the video when absent");
    addOption(*command, "--video", arguments->video, "Place of the video in the project, from 0");
    addOption(*command, "--crf", arguments->crf, "Quality, 0 (best) to 51")->check(CLI::Range(0, 51));
    whenGiven(*command, exitCode, [arguments]() -> Result<int> {
        if (auto done = extract(*arguments); !done)
            return fail(std::move(done.error()));
        return kDone;
    });
}

}  // namespace skein::app
