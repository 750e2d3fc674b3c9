// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/image.h"
#include "engine/base/result.h"
#include "engine/video/cut_end.h"
#include "engine/video/decoder_choice.h"
#include "engine/video/pixel_format.h"

namespace skein::video {

/// What is known of a frame so far: it was decoded, it cannot be, or nobody tried.
enum class FrameState { Unknown, Readable, Unreadable };

struct OpenOptions {
    /// true: one channel (R), false: colour, nullopt: one channel iff R equals B everywhere in the first frame.
    std::optional<bool> grayscale;
    MatrixPolicy matrix = MatrixPolicy::Tagged;
    /// Decoder threads of each reader; 0: as many as the machine has cores, at most 8.
    int threads = 0;
    DecoderChoice decoder = DecoderChoice::Processor;
    /// Called from the opening thread while the file is scanned, with the share done, 0 to 1.
    std::function<void(double)> progress;
    std::stop_token stop;
};

/// Anything that is read as numbered pictures: a video file, a list of images, the pictures embedded in a package.
/// Frame k is the k-th picture in presentation order, whatever was read before.
///
/// Thread-compatible: one thread reads from one source; openAnother() gives each further thread its own.
class VideoSource {
public:
    virtual ~VideoSource() = default;
    VideoSource(const VideoSource&) = delete;
    VideoSource& operator=(const VideoSource&) = delete;

    /// Number of frames that have a number, unreadable ones in the middle included; at least 1.
    [[nodiscard]] virtual FrameNumber frameCount() const = 0;
    /// Size of the first frame in pixels as shown (rotation applied). Others may differ: each Image carries its own.
    [[nodiscard]] virtual int width() const = 0;
    [[nodiscard]] virtual int height() const = 0;
    /// Whether the engine gets one channel: R == B all over the first frame, unless overridden.
    [[nodiscard]] virtual bool isGray() const = 0;

    /// Frame `frame` in `format`, packed rows. Errors: InvalidArgument (no such frame), Decode (damaged: never a
    /// neighbour instead), Io, Cancelled.
    [[nodiscard]] virtual Result<ImagePtr> read(FrameNumber frame, PixelFormat format, std::stop_token stop = {}) = 0;

    /// Presentation time in seconds, for display and export only; never descending. 0 <= frame < frameCount().
    [[nodiscard]] virtual double timeOf(FrameNumber frame) const = 0;
    /// Mean frames per second; 0 when unknown (one frame, image lists).
    [[nodiscard]] virtual double fps() const = 0;
    [[nodiscard]] virtual bool isVariableRate() const { return false; }
    /// Short name of what decodes it, e.g. "h264", "png".
    [[nodiscard]] virtual std::string codecName() const = 0;
    /// Where a GPU was asked for, who decodes, to follow "decoded by": "the GPU.", "the processor. There is no NVIDIA
    /// driver on this machine."; empty elsewhere. May change while frames are read. Thread-safe.
    [[nodiscard]] virtual std::string decoderNote() const { return {}; }
    /// Sentences for a person about what is wrong with the file, e.g. "25 of 40 announced frames are readable.".
    /// May grow while frames are read.
    [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }
    /// Set where the end of the file is missing, and with it frames; its sentence is among the warnings.
    [[nodiscard]] virtual std::optional<CutEnd> cutEnd() const { return std::nullopt; }
    /// What is known about a frame; shared by all sources of one openAnother() family.
    [[nodiscard]] virtual FrameState stateOf(FrameNumber frame) const = 0;
    /// Name of the frame where it has one of its own (the file's name in an image list); empty otherwise.
    [[nodiscard]] virtual std::string frameName(FrameNumber) const { return {}; }

    /// An independent source over the same pictures for another thread. Shares the index; cheap but not free (opens the
    /// file again).
    [[nodiscard]] virtual Result<std::shared_ptr<VideoSource>> openAnother() const = 0;

    /// Closes files and decoders until the next read, which opens them again: for projects with hundreds of videos.
    virtual void release() {}

    /// 1 or 3: what read(frame, engineFormat()) delivers.
    [[nodiscard]] int channels() const { return isGray() ? 1 : 3; }
    [[nodiscard]] PixelFormat engineFormat() const { return isGray() ? PixelFormat::Gray8 : PixelFormat::Rgb24; }

protected:
    VideoSource() = default;
};

/// Opens a video file, an image file, or a folder of images (in natural order, other files ignored). Reads the whole
/// file once to index it, so it belongs on a worker thread.
/// Errors: NotFound; Io; Format (empty, no video in it, damaged beyond use); Unsupported (no decoder); Cancelled.
[[nodiscard]] Result<std::shared_ptr<VideoSource>> openVideo(const std::filesystem::path& path,
                                                             OpenOptions options = {});

/// Opens the given image files as frames, in the given order. A multi-page TIFF counts as its pages when it is the only
/// file. The files are opened when read, so that a missing one fails that frame only; the first must be readable.
[[nodiscard]] Result<std::shared_ptr<VideoSource>> openImages(std::vector<std::filesystem::path> files,
                                                              OpenOptions options = {});

/// Image files directly inside `folder` in natural order ("img2" before "img10").
[[nodiscard]] std::vector<std::filesystem::path> imagesIn(const std::filesystem::path& folder);

/// Whether `a` sorts before `b` in natural order: runs of digits compare as numbers, the rest byte by byte.
[[nodiscard]] bool naturallyBefore(const std::string& a, const std::string& b);

/// Whether the name ends like a picture that decodeImage reads, in any case.
[[nodiscard]] bool hasImageExtension(const std::filesystem::path& path);

}  // namespace skein::video
