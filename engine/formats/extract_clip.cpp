// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/extract_clip.h"

#include <algorithm>

#include "engine/base/atomic_file.h"
#include "engine/base/frame_number.h"
#include "engine/formats/project_video.h"
#include "engine/formats/try.h"
#include "engine/video/video_writer.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

constexpr double kUnknownFps = 30;

/// The labels of the part, of one video that lies at `videoPath`.
project::Labels part(const project::Labels& labels, const fs::path& videoPath, const video::VideoSource& source,
                     const ClipOptions& options) {
    project::Labels clip;
    project::Video video;
    video.filename = videoPath.generic_string();
    video.frameCount = options.last - options.first + 1;
    video.width = source.width();
    video.height = source.height();
    video.channels = source.channels();
    video.fps = source.fps();
    video.grayscale = source.isGray();
    clip.editVideos().push_back(std::move(video));
    clip.editSkeletons() = labels.skeletons();
    for (const project::Track& track : labels.tracks())
        clip.editTracks().push_back({track.name, track.spawnedOn, -1});
    clip.setProvenanceJson(labels.provenanceJson());
    const auto isInside = [&options](std::uint32_t of, std::int64_t frame) {
        return of == options.video && frame >= options.first && frame <= options.last;
    };
    for (project::Suggestion suggestion : labels.suggestions())
        if (isInside(suggestion.video, suggestion.frameIndex)) {
            suggestion.video = 0;
            suggestion.frameIndex -= options.first;
            suggestion.rowJson.clear();
            clip.editSuggestions().push_back(std::move(suggestion));
        }
    for (const auto& [of, frame] : labels.negativeFrames())
        if (isInside(of, frame))
            clip.editNegativeFrames().emplace_back(0, frame - options.first);
    project::LabelsBuilder builder(std::move(clip));
    for (const std::size_t row : labels.rowsBetween(options.video, options.first, options.last)) {
        const project::FrameView frame = labels.frame(row);
        builder.beginFrame(0, frame.frameIndex() - options.first);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceView instance = frame.instance(i);
            project::InstanceHeader header = *instance.header;
            header.originRow = -1;
            const auto points = builder.addInstance(header, instance.points.size());
            std::copy(instance.points.begin(), instance.points.end(), points.begin());
        }
    }
    return builder.finish();
}

Result<void> writeVideo(const fs::path& path, video::VideoSource& source, const ClipOptions& options) {
    video::VideoWriterOptions settings;
    settings.width = source.width();
    settings.height = source.height();
    settings.fps = source.fps() > 0 ? source.fps() : kUnknownFps;
    settings.hasTimes = source.isVariableRate();
    settings.crf = options.crf;
    SKEIN_TRY(writer, video::VideoWriter::create(path, settings));
    const double start = source.timeOf(options.first);
    for (std::int64_t frame = options.first; frame <= options.last; ++frame) {
        if (options.stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Writing the clip was cancelled; no file was written.");
        if (options.progress)
            options.progress("frames", double(frame - options.first) / double(options.last - options.first + 1));
        SKEIN_TRY(picture, source.read(frame, video::PixelFormat::Bgra32, options.stop));
        if (picture->width != settings.width || picture->height != settings.height)
            return fail(ErrorCode::Unsupported, "Frame " + frameNumber(frame) +
                                                    " is of another size than the first; it cannot be part of a clip.");
        SKEIN_CHECK(writer->add(picture->pixels.data(), source.timeOf(frame) - start));
    }
    return writer->finish();
}

}  // namespace

Result<void> extractClip(const project::Labels& labels, const fs::path& projectFile, const fs::path& videoPath,
                         const fs::path& labelsPath, const ClipOptions& options) {
    if (options.video >= labels.videos().size())
        return fail(ErrorCode::InvalidArgument, "The project has no such video.");
    video::OpenOptions opening;
    opening.stop = options.stop;
    SKEIN_TRY(source, openProjectVideo(labels, options.video, projectFile, std::move(opening)));
    if (options.first < 0 || options.last < options.first || options.last >= source->frameCount())
        return fail(ErrorCode::InvalidArgument, "The video has frames " + frameNumber(0) + " to " +
                                                    frameNumber(source->frameCount() - 1) +
                                                    "; the clip must begin and end within them.");
    // The labels come into place first: the video follows by a rename that hardly fails.
    return writeAtomically(videoPath, [&](const fs::path& temporary) -> Result<void> {
        SKEIN_CHECK(writeVideo(temporary, *source, options));
        SlpWriteOptions writing;
        writing.stop = options.stop;
        return writeSlp(part(labels, fs::absolute(videoPath), *source, options), labelsPath, writing);
    });
}

}  // namespace skein::formats
