// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The only place that includes libav: its headers are C, and its objects are held by handles that free them.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

namespace skein::video::detail {

struct FormatDeleter {
    void operator()(AVFormatContext* c) const noexcept { avformat_close_input(&c); }
};
struct CodecDeleter {
    void operator()(AVCodecContext* c) const noexcept { avcodec_free_context(&c); }
};
struct ParametersDeleter {
    void operator()(AVCodecParameters* p) const noexcept { avcodec_parameters_free(&p); }
};
struct FrameDeleter {
    void operator()(AVFrame* f) const noexcept { av_frame_free(&f); }
};
struct PacketDeleter {
    void operator()(AVPacket* p) const noexcept { av_packet_free(&p); }
};
struct ScalerDeleter {
    void operator()(SwsContext* s) const noexcept { sws_freeContext(s); }
};
struct ParserDeleter {
    void operator()(AVCodecParserContext* p) const noexcept { av_parser_close(p); }
};
struct BytesDeleter {
    void operator()(std::uint8_t* p) const noexcept { av_free(p); }
};

using FormatPtr = std::unique_ptr<AVFormatContext, FormatDeleter>;
using CodecPtr = std::unique_ptr<AVCodecContext, CodecDeleter>;
using ParametersPtr = std::unique_ptr<AVCodecParameters, ParametersDeleter>;
using FramePtr = std::unique_ptr<AVFrame, FrameDeleter>;
using PacketPtr = std::unique_ptr<AVPacket, PacketDeleter>;
using ScalerPtr = std::unique_ptr<SwsContext, ScalerDeleter>;
using ParserPtr = std::unique_ptr<AVCodecParserContext, ParserDeleter>;
using BytesPtr = std::unique_ptr<std::uint8_t, BytesDeleter>;

/// Allocation that throws std::bad_alloc instead of returning nullptr.
[[nodiscard]] FramePtr makeFrame();
[[nodiscard]] PacketPtr makePacket();

/// libav's own words for an error code.
[[nodiscard]] std::string avErrorText(int code);

/// Largest picture believed: 2^28 pixels, 16384 x 16384. Larger ones are taken for damage before memory is asked for.
inline constexpr std::int64_t kMaxPixels = std::int64_t{1} << 28;

/// While alive, keeps what libav logs from this thread at level error, since its return codes alone say little
/// ("moov atom not found" is only ever logged). The first of them also sends libav's messages to Skein's log instead of
/// standard error. Not nested.
class LogCapture {
public:
    LogCapture();
    ~LogCapture();
    LogCapture(const LogCapture&) = delete;
    LogCapture& operator=(const LogCapture&) = delete;

    [[nodiscard]] bool contains(std::string_view text) const;

private:
    std::string m_text;
};

class Hardware;

/// What the `opaque` of a codec context points to: what is heard of it, from whichever thread.
struct CodecWatch {
    std::atomic<bool> hasComplained{false};  ///< libav logged an error about it
    const Hardware* hardware = nullptr;      ///< what shall decode
    std::string refusal;                     ///< why that does not, as a sentence
};

/// Sends libav's messages to Skein's log at level debug from now on, and tells the CodecWatch; any number of calls.
void quietLibav();

/// `requested` decoder threads, or what suits the machine when 0: its cores, at most 8.
[[nodiscard]] int decoderThreads(int requested);

}  // namespace skein::video::detail
