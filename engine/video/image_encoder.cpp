// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/image_encoder.h"

#include <cstring>

#include "engine/video/detail/libav.h"

namespace skein::video {

namespace {
/// The levels above cost several times as long for a few percent.
constexpr int kCompression = 3;
}  // namespace

Result<std::vector<std::uint8_t>> encodePng(const Image& image) {
    using namespace detail;
    if ((image.channels != 1 && image.channels != 3) || image.width <= 0 || image.height <= 0)
        return fail(ErrorCode::InvalidArgument, "Only grey and RGB pictures can be written as PNG.");
    quietLibav();
    const AVCodec* codec = avcodec_find_encoder(AV_CODEC_ID_PNG);
    if (codec == nullptr)
        return fail(ErrorCode::Unsupported, "The installed FFmpeg cannot write PNG pictures.");
    const CodecPtr context(avcodec_alloc_context3(codec));
    if (!context)
        throw std::bad_alloc();
    context->width = image.width;
    context->height = image.height;
    context->time_base = {1, 1};
    context->pix_fmt = image.channels == 1 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24;
    context->compression_level = kCompression;
    context->thread_count = 1;
    int rc = avcodec_open2(context.get(), codec, nullptr);
    const FramePtr frame = makeFrame();
    frame->width = image.width;
    frame->height = image.height;
    frame->format = context->pix_fmt;
    if (rc >= 0)
        rc = av_frame_get_buffer(frame.get(), 0);
    if (rc >= 0)
        for (int y = 0; y < image.height; ++y)
            std::memcpy(frame->data[0] + static_cast<std::ptrdiff_t>(y) * frame->linesize[0],
                        image.pixels.data() + static_cast<std::size_t>(y) * image.rowBytes(), image.rowBytes());
    const PacketPtr packet = makePacket();
    if (rc >= 0)
        rc = avcodec_send_frame(context.get(), frame.get());
    if (rc >= 0)
        rc = avcodec_receive_packet(context.get(), packet.get());
    if (rc < 0)
        return fail(ErrorCode::Unsupported, "A picture cannot be written as PNG: " + avErrorText(rc) + ".");
    return std::vector<std::uint8_t>(packet->data, packet->data + packet->size);
}

}  // namespace skein::video
