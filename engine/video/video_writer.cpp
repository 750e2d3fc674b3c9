// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/video_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/video/detail/chroma_planes.h"
#include "engine/video/detail/libav.h"

namespace skein::video {
namespace {

using namespace detail;

struct CodecFacts {
    const char* encoder;
    const char* name;  ///< for a person
    AVPixelFormat format;
    bool needsEven;
};

CodecFacts factsOf(VideoCodec codec) {
    switch (codec) {
        case VideoCodec::H264:
            return {"libx264", "H.264", AV_PIX_FMT_YUV420P, true};
        case VideoCodec::H265:
            return {"libx265", "H.265", AV_PIX_FMT_YUV420P, true};
        case VideoCodec::Av1:
            return {"libsvtav1", "AV1", AV_PIX_FMT_YUV420P, true};
        case VideoCodec::ProRes:
            return {"prores_ks", "ProRes", AV_PIX_FMT_YUV422P10, true};
        case VideoCodec::Gif:
            return {"gif", "GIF", AV_PIX_FMT_RGB8, false};
    }
    return {"libx264", "H.264", AV_PIX_FMT_YUV420P, true};
}

struct OutputDeleter {
    void operator()(AVFormatContext* c) const noexcept {
        avio_closep(&c->pb);
        avformat_free_context(c);
    }
};

/// Ticks a second of files whose frames carry times.
constexpr int kFineTicks = 90000;
constexpr int kGifTicks = 100;

class LibavWriter final : public VideoWriter {
public:
    explicit LibavWriter(VideoWriterOptions options)
        : m_options(std::move(options)), m_facts(factsOf(m_options.codec)) {}

    Result<void> open(const std::filesystem::path& path) {
        quietLibav();
        const AVCodec* codec = avcodec_find_encoder_by_name(m_facts.encoder);
        if (codec == nullptr)
            return fail(ErrorCode::Unsupported,
                        std::string("The installed FFmpeg cannot write ") + m_facts.name + "; choose another codec.");
        if (m_options.width <= 0 || m_options.height <= 0 ||
            std::int64_t{m_options.width} * m_options.height > kMaxPixels || !(m_options.fps > 0))
            return fail(ErrorCode::InvalidArgument, "A video needs pictures with a size and a rate above 0.");
        m_width = storedSize(m_options.codec, m_options.width);
        m_height = storedSize(m_options.codec, m_options.height);
        AVFormatContext* output = nullptr;
        avformat_alloc_output_context2(&output, nullptr, nullptr, path.c_str());
        if (output == nullptr)
            return fail(ErrorCode::Unsupported,
                        "The extension of " + path.string() + " names no kind of video; use .mp4, .mov, .mkv or .gif.");
        m_output.reset(output);
        if (avformat_query_codec(output->oformat, codec->id, FF_COMPLIANCE_NORMAL) == 0)
            return fail(ErrorCode::Unsupported, path.extension().string() + " files cannot hold " + m_facts.name +
                                                    "; choose another name or codec.");
        if (auto opened = openEncoder(codec); !opened)
            return opened;
        m_stream = avformat_new_stream(output, nullptr);
        if (m_stream == nullptr || avcodec_parameters_from_context(m_stream->codecpar, m_encoder.get()) < 0)
            return fail(ErrorCode::OutOfMemory, "There is not enough memory to write a video.");
        m_stream->time_base = m_encoder->time_base;
        m_stream->avg_frame_rate = m_encoder->framerate;
        if (m_options.codec == VideoCodec::H265)
            m_stream->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1');  // players of Apple know no other
        if (std::strcmp(output->oformat->name, "matroska") == 0)
            m_stream->codecpar->codec_tag = 0;
        if (const int rc = avio_open(&output->pb, path.c_str(), AVIO_FLAG_WRITE); rc < 0)
            return fail(ErrorCode::Io, "Cannot write " + path.string() + ": " + avErrorText(rc) + ".");
        if (const int rc = avformat_write_header(output, nullptr); rc < 0)
            return fail(ErrorCode::Io, "Cannot begin " + path.string() + ": " + avErrorText(rc) + ".");
        return prepare();
    }

    Result<void> add(const std::uint8_t* bgra, double seconds) override {
        const std::uint8_t* source = bgra;
        int stride = m_options.width * 4;
        if (m_width != m_options.width || m_height != m_options.height) {
            continued(bgra);
            source = m_padded.data();
            stride = m_width * 4;
        }
        if (av_frame_make_writable(m_frame.get()) < 0)
            throw std::bad_alloc();
        toFrame(source, stride);
        std::int64_t stamp = m_count++;
        if (m_options.hasTimes)
            stamp = std::llround(seconds * kFineTicks);
        else if (m_options.codec == VideoCodec::Gif)
            stamp = std::llround(static_cast<double>(stamp) * kGifTicks / m_options.fps);
        // A stamp that does not grow would end the file.
        m_frame->pts = m_last = std::max(stamp, m_last + 1);
        return send(m_frame.get());
    }

    Result<void> finish() override {
        if (auto sent = send(nullptr); !sent)
            return sent;
        const int rc = av_write_trailer(m_output.get());
        const int closed = avio_closep(&m_output->pb);
        if (rc < 0 || closed < 0)
            return fail(ErrorCode::Io, "Cannot end the video: " + avErrorText(rc < 0 ? rc : closed) + ".");
        return {};
    }

    [[nodiscard]] int width() const override { return m_width; }
    [[nodiscard]] int height() const override { return m_height; }

private:
    Result<void> openEncoder(const AVCodec* codec) {
        m_encoder.reset(avcodec_alloc_context3(codec));
        if (!m_encoder)
            throw std::bad_alloc();
        AVCodecContext& c = *m_encoder;
        c.width = m_width;
        c.height = m_height;
        c.pix_fmt = m_facts.format;
        c.framerate = av_d2q(m_options.fps, 100000);
        c.time_base = m_options.hasTimes                   ? AVRational{1, kFineTicks}
                      : m_options.codec == VideoCodec::Gif ? AVRational{1, kGifTicks}
                                                           : av_inv_q(c.framerate);
        c.thread_count = m_options.threads;
        if (m_options.codec != VideoCodec::Gif) {
            c.color_range = AVCOL_RANGE_MPEG;
            c.colorspace = AVCOL_SPC_SMPTE170M;
            c.color_primaries = AVCOL_PRI_SMPTE170M;
            c.color_trc = AVCOL_TRC_SMPTE170M;
        }
        if ((m_output->oformat->flags & AVFMT_GLOBALHEADER) != 0)
            c.flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
        const std::string crf = std::to_string(m_options.crf);
        if (m_options.codec == VideoCodec::H264 || m_options.codec == VideoCodec::H265) {
            av_opt_set(c.priv_data, "preset", m_options.preset.c_str(), 0);
            av_opt_set(c.priv_data, "crf", crf.c_str(), 0);
            if (m_options.codec == VideoCodec::H265)
                av_opt_set(c.priv_data, "x265-params", "log-level=error", 0);
        } else if (m_options.codec == VideoCodec::Av1) {
            av_opt_set(c.priv_data, "preset", "9", 0);
            av_opt_set(c.priv_data, "crf", crf.c_str(), 0);
        }
        if (const int rc = avcodec_open2(&c, codec, nullptr); rc < 0)
            return fail(ErrorCode::Unsupported, std::string("The encoder of ") + m_facts.name +
                                                    " refuses pictures of " + std::to_string(m_width) + " x " +
                                                    std::to_string(m_height) + ": " + avErrorText(rc) + ".");
        return {};
    }

    Result<void> prepare() {
        m_frame = makeFrame();
        m_frame->width = m_width;
        m_frame->height = m_height;
        m_frame->format = m_facts.format;
        if (av_frame_get_buffer(m_frame.get(), 0) < 0)
            throw std::bad_alloc();
        m_packet = makePacket();
        m_scaler.reset(sws_getContext(m_width, m_height, AV_PIX_FMT_BGR0, m_width, m_height, m_facts.format,
                                      SWS_BILINEAR | SWS_ACCURATE_RND, nullptr, nullptr, nullptr));
        if (!m_scaler)
            return fail(ErrorCode::Unsupported, "FFmpeg cannot convert pictures for this codec.");
        const int* table = sws_getCoefficients(SWS_CS_SMPTE170M);
        sws_setColorspaceDetails(m_scaler.get(), table, 1, table, 0, 0, 1 << 16, 1 << 16);
        return {};
    }

    void toFrame(const std::uint8_t* bgra, int stride) {
        AVFrame& f = *m_frame;
        if (m_facts.format == AV_PIX_FMT_YUV420P && m_height >= ChromaPlanes::kLeastHeight)
            m_planes.convert(bgra, m_width, m_height, {f.data[0], f.linesize[0]}, {f.data[1], f.linesize[1]},
                             {f.data[2], f.linesize[2]});
        else
            sws_scale(m_scaler.get(), &bgra, &stride, 0, m_height, f.data, f.linesize);
    }

    /// The picture with its last column and row once more.
    void continued(const std::uint8_t* bgra) {
        const auto from = static_cast<std::size_t>(m_options.width) * 4, to = static_cast<std::size_t>(m_width) * 4;
        m_padded.resize(to * static_cast<std::size_t>(m_height));
        for (int y = 0; y < m_height; ++y) {
            const std::uint8_t* row = bgra + static_cast<std::size_t>(std::min(y, m_options.height - 1)) * from;
            std::uint8_t* out = m_padded.data() + static_cast<std::size_t>(y) * to;
            std::memcpy(out, row, from);
            if (to > from)
                std::memcpy(out + from, row + from - 4, to - from);
        }
    }

    Result<void> send(const AVFrame* frame) {
        int rc = avcodec_send_frame(m_encoder.get(), frame);
        while (rc >= 0) {
            rc = avcodec_receive_packet(m_encoder.get(), m_packet.get());
            if (rc == AVERROR(EAGAIN) || rc == AVERROR_EOF)
                return {};
            if (rc < 0)
                break;
            if (m_packet->duration == 0 && !m_options.hasTimes && m_options.codec != VideoCodec::Gif)
                m_packet->duration = 1;
            av_packet_rescale_ts(m_packet.get(), m_encoder->time_base, m_stream->time_base);
            m_packet->stream_index = m_stream->index;
            rc = av_interleaved_write_frame(m_output.get(), m_packet.get());
        }
        return fail(ErrorCode::Io, "The video could not be written on: " + avErrorText(rc) + ".");
    }

    VideoWriterOptions m_options;
    CodecFacts m_facts;
    std::unique_ptr<AVFormatContext, OutputDeleter> m_output;
    CodecPtr m_encoder;
    AVStream* m_stream = nullptr;  ///< of m_output
    ScalerPtr m_scaler;
    ChromaPlanes m_planes;
    FramePtr m_frame;
    PacketPtr m_packet;
    std::vector<std::uint8_t> m_padded;
    int m_width = 0, m_height = 0;
    std::int64_t m_count = 0, m_last = -1;
};

}  // namespace

bool canWrite(VideoCodec codec) {
    return avcodec_find_encoder_by_name(factsOf(codec).encoder) != nullptr;
}

int storedSize(VideoCodec codec, int size) {
    return factsOf(codec).needsEven ? size + size % 2 : size;
}

Result<std::unique_ptr<VideoWriter>> VideoWriter::create(const std::filesystem::path& path,
                                                         const VideoWriterOptions& options) {
    auto writer = std::make_unique<LibavWriter>(options);
    if (auto opened = writer->open(path); !opened)
        return fail(std::move(opened.error()));
    return std::unique_ptr<VideoWriter>(std::move(writer));
}

}  // namespace skein::video
