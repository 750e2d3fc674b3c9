// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/video_maker.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

#include <fstream>
#include <memory>
#include <stdexcept>

#include "tests/support/bar_code.h"

namespace skein::test {
namespace {

void check(int code, const char* what) {
    if (code < 0)
        throw std::runtime_error(std::string("cannot make a test video: ") + what + " failed");
}

struct CodecFree {
    void operator()(AVCodecContext* c) const { avcodec_free_context(&c); }
};
struct FrameFree {
    void operator()(AVFrame* f) const { av_frame_free(&f); }
};
struct PacketFree {
    void operator()(AVPacket* p) const { av_packet_free(&p); }
};
struct MuxerFree {
    void operator()(AVFormatContext* c) const {
        if (c->pb != nullptr)
            avio_closep(&c->pb);
        avformat_free_context(c);
    }
};
using Codec = std::unique_ptr<AVCodecContext, CodecFree>;
using Frame = std::unique_ptr<AVFrame, FrameFree>;
using Packet = std::unique_ptr<AVPacket, PacketFree>;
using Muxer = std::unique_ptr<AVFormatContext, MuxerFree>;

class Options {
public:
    explicit Options(const std::string& text) {
        check(av_dict_parse_string(&m_options, text.c_str(), "=", ":", 0), "options");
    }
    ~Options() { av_dict_free(&m_options); }
    Options(const Options&) = delete;
    Options& operator=(const Options&) = delete;
    AVDictionary** get() { return &m_options; }

private:
    AVDictionary* m_options = nullptr;
};

// Background gradient, the bar code, a block that moves, a patch of colour at the bottom right.
void paint(AVFrame& frame, int number, bool isGray) {
    const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    check(av_frame_make_writable(&frame), "a frame");
    for (int y = 0; y < frame.height; ++y) {
        std::uint8_t* row = frame.data[0] + static_cast<std::ptrdiff_t>(y) * frame.linesize[0];
        for (int x = 0; x < frame.width; ++x) {
            int luma = 40 + (x + 2 * y) % 100;
            if (y < kBarCell && x < kBarCell * kBarCells)
                luma = barIsWhite(x / kBarCell, number % 4096) ? 220 : 30;
            else if (y >= 20 && y < 40 && x >= (number * 3) % frame.width && x < (number * 3) % frame.width + 16)
                luma = 200;
            row[x] = static_cast<std::uint8_t>(luma);
        }
    }
    for (int plane = 1; plane < 3 && frame.data[plane] != nullptr; ++plane) {
        const int width = AV_CEIL_RSHIFT(frame.width, format->log2_chroma_w);
        const int height = AV_CEIL_RSHIFT(frame.height, format->log2_chroma_h);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                frame.data[plane][static_cast<std::ptrdiff_t>(y) * frame.linesize[plane] + x] =
                    !isGray && x > width / 2 && y > height / 2 ? (plane == 1 ? 90 : 180) : 128;
    }
}

Codec openEncoder(const VideoSpec& spec, const AVCodec& encoder, int width, int height, bool globalHeader) {
    Codec codec(avcodec_alloc_context3(&encoder));
    codec->width = width;
    codec->height = height;
    codec->pix_fmt = av_get_pix_fmt(spec.pixelFormat.c_str());
    codec->time_base = {1, spec.ticksPerSecond};
    if (spec.stamps.empty())
        codec->framerate = {spec.ticksPerSecond, 1};
    const AVCodecDescriptor* descriptor = avcodec_descriptor_get(encoder.id);
    if (descriptor == nullptr || (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) == 0) {
        codec->gop_size = spec.gop;
        codec->max_b_frames = spec.bFrames;
    }
    codec->color_range = spec.hasFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    codec->colorspace = static_cast<AVColorSpace>(spec.colorspace);
    // Constant quality, so that the bar code survives whatever the time base says about the rate.
    codec->bit_rate = spec.encoder.rfind("libvpx", 0) == 0 ? 1'000'000 : 0;
    if (codec->bit_rate == 0) {
        codec->flags |= AV_CODEC_FLAG_QSCALE;
        codec->global_quality = 3 * FF_QP2LAMBDA;
    }
    codec->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;
    codec->thread_count = 1;
    if (globalHeader)
        codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    Options options(spec.encoderOptions);
    check(avcodec_open2(codec.get(), &encoder, options.get()), "the encoder");
    return codec;
}

}  // namespace

bool makeVideo(const std::filesystem::path& path, const VideoSpec& spec) {
    av_log_set_level(AV_LOG_QUIET);
    const AVCodec* encoder = avcodec_find_encoder_by_name(spec.encoder.c_str());
    if (encoder == nullptr)
        return false;
    AVFormatContext* allocated = nullptr;
    if (avformat_alloc_output_context2(&allocated, nullptr, spec.container.empty() ? nullptr : spec.container.c_str(),
                                       path.c_str()) < 0)
        return false;
    const Muxer muxer(allocated);
    muxer->avoid_negative_ts = 0;
    const bool globalHeader = (muxer->oformat->flags & AVFMT_GLOBALHEADER) != 0;

    Codec codec = openEncoder(spec, *encoder, spec.width, spec.height, globalHeader);
    AVStream* stream = avformat_new_stream(muxer.get(), nullptr);
    check(avcodec_parameters_from_context(stream->codecpar, codec.get()), "the stream");
    stream->time_base = codec->time_base;
    stream->avg_frame_rate = codec->framerate;
    if (spec.matrix) {
        auto* matrix = reinterpret_cast<std::int32_t*>(
            av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(std::int32_t)));
        const auto& m = *spec.matrix;
        const std::int32_t rows[9] = {m[0] * 65536, m[1] * 65536, 0, m[2] * 65536, m[3] * 65536, 0, 0, 0, 1 << 30};
        std::copy(rows, rows + 9, matrix);
    }
    check(avio_open(&muxer->pb, path.c_str(), AVIO_FLAG_WRITE), "opening the file");
    Options muxerOptions(spec.muxerOptions);
    check(avformat_write_header(muxer.get(), muxerOptions.get()), "the header");

    const Packet packet(av_packet_alloc());
    const auto writePackets = [&] {
        while (true) {
            const int code = avcodec_receive_packet(codec.get(), packet.get());
            if (code == AVERROR(EAGAIN) || code == AVERROR_EOF)
                return;
            check(code, "encoding");
            packet->stream_index = stream->index;
            if (spec.withoutStamps)
                packet->pts = packet->dts;
            if (packet->duration == 0)
                packet->duration = 1;  // else an MP4's edit list leaves out the last frame
            packet->pts += spec.shift;
            packet->dts += spec.shift;
            av_packet_rescale_ts(packet.get(), codec->time_base, stream->time_base);
            check(av_write_frame(muxer.get(), packet.get()), "writing");
            av_packet_unref(packet.get());
        }
    };
    Frame frame;
    for (int i = 0; i < spec.frames; ++i) {
        const bool isSecond = spec.sizeChangeAt > 0 && i >= spec.sizeChangeAt;
        if (isSecond && i == spec.sizeChangeAt) {
            check(avcodec_send_frame(codec.get(), nullptr), "encoding");
            writePackets();
            codec = openEncoder(spec, *encoder, spec.secondWidth, spec.secondHeight, globalHeader);
            frame.reset();
        }
        if (!frame) {
            frame.reset(av_frame_alloc());
            frame->width = codec->width;
            frame->height = codec->height;
            frame->format = codec->pix_fmt;
            frame->color_range = codec->color_range;
            frame->colorspace = codec->colorspace;
            check(av_frame_get_buffer(frame.get(), 0), "a frame");
        }
        paint(*frame, i, spec.isGray);
        frame->pts = spec.stamps.empty() ? i : spec.stamps[static_cast<std::size_t>(i)];
        check(avcodec_send_frame(codec.get(), frame.get()), "encoding");
        writePackets();
    }
    check(avcodec_send_frame(codec.get(), nullptr), "encoding");
    writePackets();
    check(av_write_trailer(muxer.get()), "the trailer");
    return true;
}

std::vector<std::uint8_t> makeImageFile(const std::string& encoder, int width, int height, int channels,
                                        const std::function<std::uint8_t(int, int, int)>& value) {
    av_log_set_level(AV_LOG_QUIET);
    const AVCodec* found = avcodec_find_encoder_by_name(encoder.c_str());
    if (found == nullptr)
        throw std::runtime_error("the encoder for " + encoder + " pictures is missing");
    const bool isJpeg = encoder == "mjpeg";
    const Codec codec(avcodec_alloc_context3(found));
    codec->width = width;
    codec->height = height;
    codec->time_base = {1, 1};
    codec->color_range = AVCOL_RANGE_JPEG;
    codec->pix_fmt = channels == 1 ? (isJpeg ? AV_PIX_FMT_YUVJ444P : AV_PIX_FMT_GRAY8)
                                   : (isJpeg ? AV_PIX_FMT_YUVJ444P : AV_PIX_FMT_RGB24);
    check(avcodec_open2(codec.get(), found, nullptr), "the encoder");
    const Frame frame(av_frame_alloc());
    frame->width = width;
    frame->height = height;
    frame->format = codec->pix_fmt;
    frame->color_range = AVCOL_RANGE_JPEG;
    check(av_frame_get_buffer(frame.get(), 0), "a frame");
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < (isJpeg ? 3 : channels); ++c) {
                const std::uint8_t v = channels == 1 && c > 0 ? 128 : value(x, y, c);
                if (isJpeg)
                    frame->data[c][static_cast<std::ptrdiff_t>(y) * frame->linesize[c] + x] = v;
                else
                    frame->data[0][static_cast<std::ptrdiff_t>(y) * frame->linesize[0] + x * channels + c] = v;
            }
    frame->pts = 0;
    frame->quality = FF_QP2LAMBDA;
    const Packet packet(av_packet_alloc());
    check(avcodec_send_frame(codec.get(), frame.get()), "encoding");
    check(avcodec_send_frame(codec.get(), nullptr), "encoding");
    check(avcodec_receive_packet(codec.get(), packet.get()), "encoding");
    return {packet->data, packet->data + packet->size};
}

void overwrite(const std::filesystem::path& path, std::int64_t at, std::int64_t bytes) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(at);
    const std::vector<char> zeros(static_cast<std::size_t>(bytes), 0);
    file.write(zeros.data(), static_cast<std::streamsize>(zeros.size()));
    if (!file)
        throw std::runtime_error("cannot damage " + path.string());
}

void cutTo(const std::filesystem::path& path, double share) {
    std::filesystem::resize_file(
        path, static_cast<std::uintmax_t>(static_cast<double>(std::filesystem::file_size(path)) * share));
}

std::vector<PacketPlace> packetPlaces(const std::filesystem::path& path) {
    AVFormatContext* format = nullptr;
    check(avformat_open_input(&format, path.c_str(), nullptr, nullptr), "opening the file");
    std::vector<PacketPlace> places;
    const Packet packet(av_packet_alloc());
    while (av_read_frame(format, packet.get()) >= 0) {
        places.push_back({packet->pos, packet->size, (packet->flags & AV_PKT_FLAG_KEY) != 0});
        av_packet_unref(packet.get());
    }
    avformat_close_input(&format);
    return places;
}

}  // namespace skein::test
