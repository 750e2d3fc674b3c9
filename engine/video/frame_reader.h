// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>

#include "engine/base/image.h"
#include "engine/base/result.h"
#include "engine/video/frame_index.h"
#include "engine/video/pixel_format.h"

namespace skein::video {

/// What a reader did since it was opened. Tests assert on it that sequential reading never seeks.
struct ReaderStats {
    std::uint64_t seeks = 0;         ///< the decoder was flushed and the file position changed
    std::uint64_t seeksSkipped = 0;  ///< a jump that was cheaper to reach by decoding on
    std::uint64_t packetsRead = 0;
    std::uint64_t framesDecoded = 0;       ///< pictures that came out of the decoder
    std::uint64_t framesDropped = 0;       ///< of these, those decoded only on the way to another
    std::uint64_t ringHits = 0;            ///< served from the pictures decoded last
    std::uint64_t retries = 0;             ///< started again from an earlier key frame since the picture did not come
    std::uint64_t framesFromHardware = 0;  ///< of those that came out, decoded by a GPU
    std::uint64_t lumaTableUses = 0;       ///< grey frames converted by table instead of the scaler
    std::uint64_t damageChecks = 0;        ///< groups of pictures decoded a second time to find where damage begins
};

class DamageMap;
namespace detail {
class HardwareUse;
}

/// Decodes single frames of one video file exactly: frame i is the i-th in presentation order, whatever was read
/// before.
///
/// Every packet is sent to the decoder under its own number in file order, which comes back on the picture, so a
/// picture is known for what it is even where stamps are missing or doubled. Thread-compatible: give each thread its
/// own reader; readers may share one FrameIndex and one DamageMap. Cost: the next frame is one decode; the pictures
/// decoded last are kept and free; any other frame decodes from the key frame before it.
class FrameReader {
public:
    struct Options {
        MatrixPolicy matrix = MatrixPolicy::Tagged;
        int threads = 0;  ///< decoder threads; 0: as many as cores, at most 8
        /// Bytes of decoded pictures kept after a jump, so that stepping back does not decode the group again.
        std::size_t ringBytes = std::size_t{96} << 20;
        /// Allow the table for grey frames; off only in tests that compare both ways.
        bool lumaTable = true;
        /// Decode there as long as nothing is doubtful; nullptr: on the processor. Shared by the readers of one video.
        std::shared_ptr<detail::HardwareUse> hardware;
    };

    /// Opens the file of `index`. `damage` is shared by the readers of one video; nullptr makes a new one.
    /// Errors: NotFound, Io, Unsupported (no decoder for the codec).
    [[nodiscard]] static Result<std::unique_ptr<FrameReader>> open(std::shared_ptr<const FrameIndex> index,
                                                                   const Options& options,
                                                                   std::shared_ptr<DamageMap> damage = nullptr);
    ~FrameReader();
    FrameReader(const FrameReader&) = delete;
    FrameReader& operator=(const FrameReader&) = delete;

    /// Frame `frame`, 0 <= frame < index().frameCount(), turned as the container says; pixels are
    /// [height, width, channels] uint8. Errors: InvalidArgument (no such frame), Decode (the file is damaged there, or
    /// no picture of that number comes out of the decoder), Io, Cancelled.
    [[nodiscard]] Result<ImagePtr> read(FrameNumber frame, PixelFormat format, std::stop_token stop = {});

    [[nodiscard]] const FrameIndex& index() const noexcept;
    [[nodiscard]] const std::shared_ptr<DamageMap>& damage() const noexcept;
    [[nodiscard]] const ReaderStats& stats() const noexcept;
    /// Whether it still decodes on Options::hardware. Having left that once, it does not return.
    [[nodiscard]] bool isOnHardware() const noexcept;

private:
    struct Impl;
    explicit FrameReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace skein::video
