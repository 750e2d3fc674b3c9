// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/video/cut_end.h"
#include "engine/video/pixel_format.h"

namespace skein::video {

namespace detail {
struct IndexData;
}

/// A fraction, as containers count time: seconds = value * numerator / denominator.
struct TimeBase {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;
};

/// Which picture of a video file has which number, found by reading every packet once, without decoding.
///
/// Pictures are ranked by presentation stamp. Where stamps are missing (AVI), doubled, or contradicted by what the
/// decoder puts out at the start of the file, all of it is decoded once and the decoder's own order taken instead.
/// Immutable after build(), so any number of readers and threads may share one.
class FrameIndex {
public:
    struct Options {
        std::function<void(double)> progress;  ///< share done, 0 to 1, on the building thread
        std::stop_token stop;
        int threads = 0;  ///< decoder threads where decoding is needed; 0: as many as cores, at most 8
    };

    /// Errors: NotFound, Io, Format (empty, no video stream, no frames), Unsupported (no decoder), Cancelled.
    [[nodiscard]] static Result<std::shared_ptr<const FrameIndex>> build(const std::filesystem::path& path,
                                                                         const Options& options);
    ~FrameIndex();
    FrameIndex(const FrameIndex&) = delete;
    FrameIndex& operator=(const FrameIndex&) = delete;

    [[nodiscard]] FrameNumber frameCount() const noexcept;
    /// Presentation stamp in timeBase(), as the container gives it; where it gives none, the rank times the frame's
    /// duration. Never descending.
    [[nodiscard]] std::int64_t ptsInTimeBase(FrameNumber frame) const;
    [[nodiscard]] TimeBase timeBase() const noexcept;
    /// ptsInTimeBase as seconds; for display and export only.
    [[nodiscard]] double seconds(FrameNumber frame) const;
    /// Whether a decoder may start at this frame, as far as the container says.
    [[nodiscard]] bool isKeyFrame(FrameNumber frame) const;
    /// Numbers of the key frames, ascending.
    [[nodiscard]] std::vector<FrameNumber> keyFrames() const;
    /// False where the container announces the frame but its data is missing; such a frame keeps its number.
    [[nodiscard]] bool hasData(FrameNumber frame) const;
    /// Steps between presentation stamps differ by more than rounding.
    [[nodiscard]] bool isVariableRate() const noexcept;
    [[nodiscard]] double fps() const noexcept;  ///< mean rate; 0 for a single frame without a rate
    /// Number of frames the header announces, which may be wrong; 0 when it announces none.
    [[nodiscard]] FrameNumber announcedFrames() const noexcept;
    /// Whether the decoder's own order had to be taken (see above).
    [[nodiscard]] bool neededDecoding() const noexcept;
    /// Set where the file itself shows that its end is missing, and with it frames.
    [[nodiscard]] const std::optional<CutEnd>& cutEnd() const noexcept;
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;
    [[nodiscard]] const std::filesystem::path& path() const noexcept;

    /// For readers.
    [[nodiscard]] const detail::IndexData& data() const noexcept { return *m_data; }

private:
    explicit FrameIndex(std::unique_ptr<detail::IndexData> data);
    std::unique_ptr<const detail::IndexData> m_data;
};

}  // namespace skein::video
