// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/prediction_input.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <numeric>

#include "engine/formats/project_video.h"
#include "engine/formats/slp.h"
#include "engine/pipeline/frame_list.h"

namespace skein::pipeline {
namespace fs = std::filesystem;
namespace {

std::string plural(std::int64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Result<PredictionInput> fromVideo(const fs::path& data, const FrameList* list, std::stop_token stop) {
    video::OpenOptions options;
    options.stop = std::move(stop);
    auto source = video::openVideo(data, std::move(options));
    if (!source)
        return fail(std::move(source.error()));
    PredictionInput input;
    input.videos.push_back(describeVideo(data, **source));
    input.warnings = (*source)->warnings();
    JobSource job{0, *source, {}, data.filename().string()};
    const std::int64_t count = (*source)->frameCount();
    if (list != nullptr) {
        std::int64_t outside = 0;
        job.frames = list->within(count, &outside);
        if (outside > 0)
            input.warnings.push_back(plural(outside, "chosen frame") + " lie outside " + job.name + ", which has " +
                                     plural(count, "frame") + "; they are left out.");
    } else {
        job.frames.resize(static_cast<std::size_t>(count));
        std::iota(job.frames.begin(), job.frames.end(), std::int64_t{0});
    }
    input.sources.push_back(std::move(job));
    return input;
}

Result<PredictionInput> fromLabels(const fs::path& data, const FrameList* list, std::stop_token stop) {
    formats::SlpReadOptions options;
    options.stop = std::move(stop);
    formats::LoadReport report;
    auto labels = formats::readSlp(data, &report, options);
    if (!labels)
        return fail(std::move(labels.error()));
    PredictionInput input;
    input.warnings = report.warnings;
    std::vector<std::int64_t> rows;
    if (list != nullptr) {
        rows = list->within(static_cast<std::int64_t>(labels->frameCount()));
    } else {
        rows.resize(labels->frameCount());
        std::iota(rows.begin(), rows.end(), std::int64_t{0});
    }
    std::map<std::uint32_t, std::vector<std::int64_t>> frames;
    for (const std::int64_t row : rows) {
        const project::FrameView frame = labels->frame(static_cast<std::size_t>(row));
        frames[frame.video()].push_back(frame.frameIndex());
    }
    if (frames.empty())
        return fail(ErrorCode::InvalidArgument,
                    data.string() + " holds no labelled frame to predict on; give a video instead.");
    for (auto& [index, list_] : frames) {
        std::sort(list_.begin(), list_.end());
        list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
        auto source = formats::openProjectVideo(*labels, index, data);
        if (!source)
            return fail(std::move(source.error())
                            .withContext("while opening video " + std::to_string(index + 1) + " of " + data.string()));
        input.sources.push_back({index, *source, std::move(list_), labels->videos()[index].filename});
    }
    input.videos = formats::externalVideos(*labels, data);
    return input;
}

}  // namespace

bool isHdf5(const fs::path& path) {
    std::array<char, 8> head{};
    std::ifstream file(path, std::ios::binary);
    return file.read(head.data(), head.size()) && std::string_view(head.data(), head.size()) == "\x89HDF\r\n\x1a\n";
}

project::Video describeVideo(const fs::path& path, const video::VideoSource& source) {
    project::Video video;
    video.filename = path.generic_string();
    video.frameCount = source.frameCount();
    video.height = source.height();
    video.width = source.width();
    video.channels = source.channels();
    video.grayscale = source.isGray();
    video.fps = source.fps();
    std::error_code ec;
    if (fs::is_directory(path, ec))
        for (const fs::path& image : video::imagesIn(path))
            video.imageFiles.push_back(image.generic_string());
    if (!video.imageFiles.empty())
        video.filename = video.imageFiles.front();
    return video;
}

Result<PredictionInput> openPredictionInput(const fs::path& data, const std::string& frames, std::stop_token stop) {
    std::error_code ec;
    if (!fs::exists(data, ec))
        return fail(ErrorCode::NotFound, "There is no file or folder " + data.string() + ".");
    Result<FrameList> list = parseFrameList(frames);
    if (!list)
        return fail(std::move(list.error()));
    const FrameList* chosen = list->ranges.empty() ? nullptr : &*list;
    return isHdf5(data) || data.extension() == ".slp" ? fromLabels(data, chosen, std::move(stop))
                                                      : fromVideo(data, chosen, std::move(stop));
}

Result<void> checkOutput(const fs::path& output, const fs::path& input) {
    std::error_code ec;
    const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ec))
        return fail(ErrorCode::NotFound, "The folder " + folder.string() + " for the output does not exist.");
    if (fs::is_directory(output, ec))
        return fail(ErrorCode::Io, "The output " + output.string() + " is a folder; give the name of a file.");
    if (::access(folder.c_str(), W_OK) != 0)
        return fail(ErrorCode::Io, "The folder " + folder.string() + " is not writable; choose another output.");
    if (fs::exists(output, ec) && fs::equivalent(output, input, ec))
        return fail(ErrorCode::InvalidArgument,
                    "The output " + output.string() + " is the input itself; choose another name.");
    return {};
}

}  // namespace skein::pipeline
