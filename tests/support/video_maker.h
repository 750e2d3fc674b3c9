// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Makes small videos whose frames carry their number as a bar code (bar_code.h), so that a plain clone can test what
// frame comes out. Everything odd that a camera or converter may do to a file is an option here.
namespace skein::test {

struct VideoSpec {
    std::string encoder = "libx264";  ///< name of a libavcodec encoder
    std::string encoderOptions;       ///< "key=value:key=value"
    std::string container;            ///< libavformat muxer; empty: by the file's name
    std::string muxerOptions;         ///< "key=value:key=value"
    int width = 160;
    int height = 96;
    int frames = 40;
    int gop = 12;
    int bFrames = 2;
    bool isGray = false;  ///< neutral chroma everywhere
    bool hasFullRange = false;
    int colorspace = 2;                   ///< AVColorSpace; 2 is unspecified
    std::string pixelFormat = "yuv420p";  ///< yuv420p, yuv444p, gray, or what the encoder wants of these
    int ticksPerSecond = 30;              ///< time base of the encoder
    std::vector<std::int64_t> stamps;     ///< presentation stamp of each frame; empty: 0, 1, 2, ...
    std::int64_t shift = 0;               ///< added to all stamps when written; negative: cut off by an edit list (mp4)
    bool withoutStamps = false;           ///< write decoding stamps in place of presentation stamps, as AVI does
    std::optional<std::array<int, 4>> matrix;  ///< a, b, c, d of the display matrix, each -1, 0 or 1
    /// Frame from which on pictures are of `secondWidth` x `secondHeight`; 0: never. One encoder run per part.
    int sizeChangeAt = 0;
    int secondWidth = 0;
    int secondHeight = 0;
};

/// Writes `spec.frames` frames, numbered from 0, to `path`. False when the encoder or muxer is missing on this machine
/// (tests then skip); throws std::runtime_error when making the file fails.
[[nodiscard]] bool makeVideo(const std::filesystem::path& path, const VideoSpec& spec);

/// One picture as PNG ("png") or JPEG ("mjpeg") bytes: [height, width, channels] with 1 or 3 channels from `value`.
[[nodiscard]] std::vector<std::uint8_t> makeImageFile(
    const std::string& encoder, int width, int height, int channels,
    const std::function<std::uint8_t(int x, int y, int channel)>& value);

/// Overwrites part of a file with zeros; truncates it.
void overwrite(const std::filesystem::path& path, std::int64_t at, std::int64_t bytes);
void cutTo(const std::filesystem::path& path, double share);

/// Place and size of every packet of a file's video, in file order.
struct PacketPlace {
    std::int64_t pos = 0;
    std::int64_t size = 0;
    bool isKey = false;
};
[[nodiscard]] std::vector<PacketPlace> packetPlaces(const std::filesystem::path& path);

}  // namespace skein::test
