// SPDX-License-Identifier: GPL-3.0-or-later
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/arguments.h"
#include "app/md5.h"
#include "app/output_guard.h"
#include "engine/pipeline/frame_list.h"
#include "engine/video/video_source.h"

namespace skein::app {
namespace {

struct FramesArguments {
    std::string video, frames, order, dump;
    bool json = false;
};

Result<int> listFrames(const FramesArguments& a) {
    if (auto usable = guardOutputs({a.dump}, {a.video}); !usable)
        return fail(std::move(usable.error()));
    auto list = pipeline::parseFrameList(a.order.empty() ? a.frames : a.order);
    if (!list)
        return fail(std::move(list.error()));
    auto source = video::openVideo(a.video);
    if (!source)
        return fail(std::move(source.error()));
    const std::int64_t count = (*source)->frameCount();
    std::int64_t outside = 0;
    std::vector<std::int64_t> frames = list->within(count, &outside);
    if (outside > 0)
        return fail(ErrorCode::InvalidArgument, a.video + " has " + std::to_string(count) + " frames (0 to " +
                                                    std::to_string(count - 1) + "); " + std::to_string(outside) +
                                                    " of the chosen ones lie outside.");
    if (list->ranges.empty()) {
        frames.resize(static_cast<std::size_t>(count));
        std::iota(frames.begin(), frames.end(), std::int64_t{0});
    }
    std::ofstream dump;
    if (!a.dump.empty()) {
        dump.open(a.dump, std::ios::binary | std::ios::app);
        if (!dump)
            return fail(ErrorCode::Io, "Cannot write to " + a.dump + ".");
    }

    nlohmann::ordered_json json = {{"frames", count}, {"width", (*source)->width()}, {"height", (*source)->height()}};
    nlohmann::ordered_json& items = json["items"] = nlohmann::ordered_json::array();
    std::vector<std::int64_t> unreadable;
    if (!a.json)
        std::printf("%" PRId64 " frames, %d x %d\n", count, (*source)->width(), (*source)->height());
    for (const std::int64_t frame : frames) {
        auto image = (*source)->read(frame, video::PixelFormat::Rgb24);
        if (!image) {
            if (image.error().code() != ErrorCode::Decode)
                return fail(std::move(image.error()));
            unreadable.push_back(frame);
            continue;
        }
        const std::vector<std::uint8_t>& pixels = (*image)->pixels;
        const double mean = pixels.empty()
                                ? 0
                                : static_cast<double>(std::accumulate(pixels.begin(), pixels.end(), std::uint64_t{0})) /
                                      static_cast<double>(pixels.size());
        const std::string md5 = md5Hex(pixels);
        const double time = (*source)->timeOf(frame);
        if (a.json)
            items.push_back({{"index", frame}, {"time", time}, {"md5", md5}, {"mean", mean}});
        else
            std::printf("%8" PRId64 "  %12.6f s  %s  %8.4f\n", frame, time, md5.c_str(), mean);
        if (dump.is_open() &&
            !dump.write(reinterpret_cast<const char*>(pixels.data()), static_cast<std::streamsize>(pixels.size())))
            return fail(ErrorCode::Io, "Cannot write to " + a.dump + "; is the disk full?");
    }
    if (a.json)
        std::printf("%s\n", json.dump(1).c_str());
    const std::vector<std::string> warnings = (*source)->warnings();
    for (const std::string& warning : warnings)
        printWarning(warning);
    if (!unreadable.empty() && warnings.empty())
        printWarning(std::to_string(unreadable.size()) + " of " + std::to_string(frames.size()) +
                     " frames cannot be decoded: " + pipeline::formatFrameList(unreadable) + ".");
    if (!frames.empty() && unreadable.size() == frames.size())
        return fail(ErrorCode::Decode, "None of the chosen frames of " + a.video + " can be decoded.");
    return kDone;
}

}  // namespace

void addFramesCommand(CLI::App& app, int& exitCode) {
    CLI::App* command =
        app.add_subcommand("frames", "Count a video's frames and describe each: time, MD5 of its RGB pixels, mean");
    auto arguments = std::make_shared<FramesArguments>();
    command->add_option("video", arguments->video, "Video, image or folder of images")->required();
    addOption(*command, "--frames", arguments->frames, "Frames to describe, e.g. 0-99,150 [all]");
    addOption(*command, "--order", arguments->order, "Frames in the order in which they shall be read, e.g. 39,0,20")
        ->excludes(command->get_option("--frames"));
    addOption(*command, "--dump", arguments->dump, "Append the RGB pixels of each frame to this file");
    addFlag(*command, "--json", arguments->json, "Print JSON");
    whenGiven(*command, exitCode, [arguments] { return listFrames(*arguments); });
}

}  // namespace skein::app
