// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace skein::video {

enum class VideoCodec { H264, H265, Av1, ProRes, Gif };

/// How a video is to be written.
struct VideoWriterOptions {
    VideoCodec codec = VideoCodec::H264;
    int width = 0, height = 0;        ///< of the pictures that are handed in
    double fps = 30;                  ///< when frames carry no times of their own
    bool hasTimes = false;            ///< each frame comes with its time
    int crf = 23;                     ///< quality of H.264, H.265 and AV1: 0 best, 51 (AV1: 63) worst
    std::string preset = "veryfast";  ///< of H.264 and H.265
    int threads = 0;                  ///< 0: as many as the encoder likes
};

/// Writes pictures into a video file, in the order in which they come. Colours are stored as BT.601, limited range, and
/// marked so: readers that go by the mark and those that assume it give the same colours. Pictures of odd width or
/// height are continued by their last column or row where the codec needs even ones. Thread-compatible.
class VideoWriter {
public:
    /// Creates or empties `path`; its extension chooses the container (.mp4, .mov, .mkv, .avi, .gif).
    /// Errors: Unsupported (no such encoder here, or the container cannot hold it), InvalidArgument (size), Io.
    [[nodiscard]] static Result<std::unique_ptr<VideoWriter>> create(const std::filesystem::path& path,
                                                                     const VideoWriterOptions& options);
    virtual ~VideoWriter() = default;

    /// One picture: `bgra` has rows of width * 4 bytes, alpha unused. `seconds`: its time where hasTimes is set, later
    /// than the one before. Errors: Io, OutOfMemory.
    [[nodiscard]] virtual Result<void> add(const std::uint8_t* bgra, double seconds = 0) = 0;
    /// Writes what the encoder still holds and ends the file. Errors: Io.
    [[nodiscard]] virtual Result<void> finish() = 0;
    /// Size of the pictures in the file.
    [[nodiscard]] virtual int width() const = 0;
    [[nodiscard]] virtual int height() const = 0;
};

/// Whether the installed FFmpeg can write it.
[[nodiscard]] bool canWrite(VideoCodec codec);

/// Size in the file for pictures of `size` pixels along one axis.
[[nodiscard]] int storedSize(VideoCodec codec, int size);

}  // namespace skein::video
