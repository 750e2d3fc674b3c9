// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>

#include "engine/base/result.h"
#include "engine/video/detail/libav.h"

namespace skein::video::detail {

/// An open video file and its main video stream. Thread-compatible.
class InputFile {
public:
    /// Opens `path` by its content, whatever its name says, and picks the stream: never cover art, the default one
    /// first, then the one listed first. `stop` also interrupts reads that hang on a network drive.
    /// `again`: the file was opened before and its streams are known; where the container lists them in its header,
    /// no packets are decoded to learn about them.
    /// Errors: NotFound, Io, Format (empty, no known format, no video stream), Unsupported (no decoder), Cancelled.
    [[nodiscard]] static Result<std::unique_ptr<InputFile>> open(const std::filesystem::path& path,
                                                                 std::stop_token stop, bool again = false);

    /// Next packet of the stream that holds data; false at the end of the file. A read error also ends the file and is
    /// kept in readError(): what came before it remains usable.
    [[nodiscard]] bool read(AVPacket& packet);

    /// Every later call obeys this token.
    void setStop(std::stop_token stop) { m_stop = std::move(stop); }

    [[nodiscard]] AVFormatContext& format() noexcept { return *m_format; }
    [[nodiscard]] AVStream& stream() noexcept { return *m_stream; }
    [[nodiscard]] const AVCodec& codec() const noexcept { return *m_codec; }
    [[nodiscard]] int readError() const noexcept { return m_readError; }
    [[nodiscard]] std::int64_t sizeBytes() const noexcept { return m_sizeBytes; }
    /// libav's name of the container, e.g. "mov,mp4,m4a,3gp,3g2,mj2".
    [[nodiscard]] std::string_view formatName() const noexcept { return m_format->iformat->name; }

private:
    InputFile() = default;

    std::stop_token m_stop;
    FormatPtr m_format;
    AVStream* m_stream = nullptr;
    const AVCodec* m_codec = nullptr;
    int m_readError = 0;
    std::int64_t m_sizeBytes = 0;
};

}  // namespace skein::video::detail
