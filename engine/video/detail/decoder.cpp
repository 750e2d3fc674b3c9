// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/decoder.h"

#include <algorithm>
#include <new>
#include <span>
#include <string>

namespace skein::video::detail {
namespace {

constexpr const char* kNotStarted = "The GPU does not decode this kind of video, or no further one now.";

// libav asks again, without the hardware's format, where that did not start: for the kind of stream, its size, or too
// many decoders at once. The software's format is always the last.
AVPixelFormat chooseFormat(AVCodecContext* context, const AVPixelFormat* offered) {
    CodecWatch& watch = *static_cast<CodecWatch*>(context->opaque);
    bool isOffered = false;
    AVPixelFormat last = AV_PIX_FMT_NONE;
    for (; *offered != AV_PIX_FMT_NONE; ++offered) {
        isOffered = isOffered || *offered == watch.hardware->format();
        last = *offered;
    }
    const bool isPlain = last == AV_PIX_FMT_YUV420P || last == AV_PIX_FMT_YUVJ420P;
    if (isOffered && isPlain)
        return watch.hardware->format();
    const char* name = av_get_pix_fmt_name(last);
    watch.refusal = isPlain ? kNotStarted
                            : "A GPU is used for 8-bit 4:2:0 pictures only, and these are " +
                                  std::string(name != nullptr ? name : "unknown") + ".";
    return last;
}

}  // namespace

Result<std::unique_ptr<Decoder>> Decoder::open(const AVCodecParameters& parameters, int threads, Wanted wanted) {
    const AVCodec* codec = avcodec_find_decoder(parameters.codec_id);
    if (codec == nullptr)
        return fail(ErrorCode::Unsupported,
                    "There is no decoder for the codec " + std::string(avcodec_get_name(parameters.codec_id)) + ".");
    return start(codec, parameters, threads, wanted, nullptr);
}

Result<std::unique_ptr<Decoder>> Decoder::openOn(const Hardware& hardware, const AVCodecParameters& parameters) {
    const Result<const AVCodec*> codec = hardware.decoderFor(parameters.codec_id);
    if (!codec)
        return fail(codec.error());
    // Threads would wait for one another here.
    return start(*codec, parameters, 1, Wanted::Pictures, &hardware);
}

Result<std::unique_ptr<Decoder>> Decoder::start(const AVCodec* codec, const AVCodecParameters& parameters, int threads,
                                                Wanted wanted, const Hardware* hardware) {
    quietLibav();
    const std::string name = avcodec_get_name(parameters.codec_id);
    std::unique_ptr<Decoder> decoder(new Decoder);
    decoder->m_codec.reset(avcodec_alloc_context3(codec));
    if (!decoder->m_codec)
        return fail(ErrorCode::OutOfMemory, "There is no memory left for a decoder.");
    AVCodecContext& context = *decoder->m_codec;
    int code = avcodec_parameters_to_context(&context, &parameters);
    if (code >= 0) {
        context.thread_count = threads;
        context.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE;
        context.max_pixels = kMaxPixels;
        context.opaque = &decoder->m_watch;
        context.pkt_timebase = {1, 1};  // packets carry their numbers in place of stamps
        if (wanted == Wanted::Order)
            context.skip_loop_filter = context.skip_idct = AVDISCARD_ALL;
        if (hardware != nullptr) {
            decoder->m_watch.hardware = hardware;
            context.get_format = chooseFormat;
            if (hardware->device() != nullptr)
                context.hw_device_ctx = av_buffer_ref(hardware->device());
        }
        code = avcodec_open2(&context, codec, nullptr);
    }
    if (code < 0)
        return fail(ErrorCode::Unsupported,
                    "The decoder for " + name + " cannot be started: " + avErrorText(code) + ".");
    decoder->m_frame = makeFrame();
    decoder->m_fetched = makeFrame();
    // H.264 marks the pictures that nothing builds on; of an interlaced one that may be true of one field only.
    decoder->m_canLeaveOut =
        hardware == nullptr && parameters.codec_id == AV_CODEC_ID_H264 &&
        (parameters.field_order == AV_FIELD_PROGRESSIVE || parameters.field_order == AV_FIELD_UNKNOWN);
    return decoder;
}

void Decoder::leaveOutUnreferenced(bool on) noexcept {
    m_codec->skip_frame = on && m_canLeaveOut ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
}

// The first slice says it for all (H.264, 7.4.1: nal_ref_idc).
bool Decoder::isUnreferenced(const AVPacket& packet) const noexcept {
    if (!m_canLeaveOut)
        return false;
    constexpr int kSlice = 1, kKeySlice = 5;
    const auto isSlice = [](std::uint8_t header) { return (header & 31) >= kSlice && (header & 31) <= kKeySlice; };
    const auto bytes = std::span(packet.data, static_cast<std::size_t>(std::max(packet.size, 0)));
    // In files with a header of their own ("avcC"), each unit stands behind its length; elsewhere behind 0 0 1.
    if (m_codec->extradata_size > 4 && m_codec->extradata[0] == 1) {
        const std::size_t wide = (m_codec->extradata[4] & 3U) + 1;
        for (std::size_t at = 0; at + wide < bytes.size();) {
            std::size_t length = 0;
            for (std::size_t i = 0; i < wide; ++i)
                length = length << 8U | bytes[at + i];
            if (isSlice(bytes[at + wide]))
                return (bytes[at + wide] & 0x60U) == 0;
            if (length > bytes.size() - at - wide)
                return false;
            at += wide + length;
        }
        return false;
    }
    for (std::size_t at = 0; at + 3 < bytes.size(); ++at)
        if (bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1 && isSlice(bytes[at + 3]))
            return (bytes[at + 3] & 0x60U) == 0;
    return false;
}

bool Decoder::send(AVPacket& packet, std::int64_t ordinal) {
    packet.pts = packet.dts = ordinal;
    packet.duration = 0;
    packet.flags &= ~AV_PKT_FLAG_DISCARD;  // what is hidden by an edit list is known from the index
    return avcodec_send_packet(m_codec.get(), &packet) >= 0;
}

void Decoder::end() {
    m_ended = true;
    avcodec_send_packet(m_codec.get(), nullptr);
}

void Decoder::flush() {
    avcodec_flush_buffers(m_codec.get());
    m_watch.hasComplained = false;  // about pictures that nobody gets
    m_ended = false;
}

Decoder::Step Decoder::receive() {
    const int code = avcodec_receive_frame(m_codec.get(), m_frame.get());
    if (code >= 0) {
        m_errorsInRow = 0;
        return !isOnHardware() || fetchPicture() ? Step::Picture : Step::Damage;
    }
    if (code == AVERROR_EOF)
        return Step::Finished;
    // One error for each packet inside the decoder is normal for a damaged file; more means that it is stuck.
    if (code != AVERROR(EAGAIN) && ++m_errorsInRow <= 256)
        return Step::Damage;
    m_errorsInRow = 0;
    return m_ended ? Step::Finished : Step::NeedsInput;
}

// The picture of the hardware becomes one of the processor's.
bool Decoder::fetchPicture() {
    const Hardware& hardware = *m_watch.hardware;
    if (m_frame->format != hardware.format()) {
        if (m_watch.refusal.empty())
            m_watch.refusal = kNotStarted;
        return false;
    }
    if (m_frame->crop_left != 0 || m_frame->crop_top != 0) {
        m_watch.refusal = "Its pictures are cut at the left or the top, which the GPU leaves to others.";
        return false;
    }
    if (m_fetched->width != m_frame->width || m_fetched->height != m_frame->height)
        av_frame_unref(m_fetched.get());
    const int code = hardware.download(*m_fetched, *m_frame);
    if (code < 0 || m_fetched->format != AV_PIX_FMT_NV12) {
        m_watch.refusal = "A picture could not be fetched from the GPU: " +
                          (code < 0 ? avErrorText(code) : std::string("unknown pixel format")) + ".";
        return false;
    }
    FramePtr planar = m_planar.from(
        *m_fetched, m_codec->sw_pix_fmt == AV_PIX_FMT_YUVJ420P ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P);
    if (av_frame_copy_props(planar.get(), m_frame.get()) < 0)
        throw std::bad_alloc();
    m_frame = std::move(planar);
    return true;
}

FramePtr Decoder::takePicture() {
    FramePtr taken = makeFrame();
    av_frame_move_ref(taken.get(), m_frame.get());
    return taken;
}

std::int64_t Decoder::pictureOrdinal() const noexcept {
    return m_frame->pts == AV_NOPTS_VALUE ? -1 : m_frame->pts;
}

bool Decoder::pictureIsDamaged() const noexcept {
    return (m_frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || m_frame->decode_error_flags != 0;
}

}  // namespace skein::video::detail
