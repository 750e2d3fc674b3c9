// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/image_decoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "engine/video/detail/jpeg_rgb.h"
#include "engine/video/detail/libav.h"

namespace skein::video {
namespace {

using detail::avErrorText;
using Bytes = std::span<const std::uint8_t>;

// A damaged page list could run in circles.
constexpr std::size_t kMaxPages = 1U << 20;

bool startsWith(Bytes bytes, std::string_view magic) {
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

bool isTiff(Bytes bytes) {
    using namespace std::string_view_literals;
    return startsWith(bytes, "II*\0"sv) || startsWith(bytes, "MM\0*"sv);
}

AVCodecID codecOf(Bytes bytes) {
    using namespace std::string_view_literals;
    if (startsWith(bytes, "\x89PNG\r\n\x1a\n"sv))
        return AV_CODEC_ID_PNG;
    if (startsWith(bytes, "\xff\xd8\xff"sv))
        return AV_CODEC_ID_MJPEG;
    if (isTiff(bytes))
        return AV_CODEC_ID_TIFF;
    if (startsWith(bytes, "BM"sv))
        return AV_CODEC_ID_BMP;
    if (startsWith(bytes, "RIFF"sv) && bytes.size() >= 12 && std::memcmp(bytes.data() + 8, "WEBP", 4) == 0)
        return AV_CODEC_ID_WEBP;
    return AV_CODEC_ID_NONE;
}

std::uint32_t readInt(Bytes bytes, std::size_t at, std::size_t size, bool isBigEndian) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value |= static_cast<std::uint32_t>(bytes[at + i]) << (8 * (isBigEndian ? size - 1 - i : i));
    return value;
}

// Places of a TIFF's page directories. Each names the next; the chain ends at 0, outside the file, or where it repeats.
std::vector<std::uint32_t> pagePlaces(Bytes bytes) {
    std::vector<std::uint32_t> places;
    if (!isTiff(bytes) || bytes.size() < 8)
        return places;
    const bool big = bytes[0] == 'M';
    std::size_t at = readInt(bytes, 4, 4, big);
    std::uint32_t highest = 0;
    while (at != 0 && at + 2 <= bytes.size() && places.size() < kMaxPages) {
        const std::size_t entries = readInt(bytes, at, 2, big);
        const std::size_t next = at + 2 + entries * 12;
        if (next + 4 > bytes.size())
            break;
        // Writers may put pages in any order, so a step back is legal; only a place seen before ends the chain.
        if (at <= highest && std::find(places.begin(), places.end(), at) != places.end())
            break;
        highest = std::max(highest, static_cast<std::uint32_t>(at));
        places.push_back(static_cast<std::uint32_t>(at));
        at = readInt(bytes, next, 4, big);
    }
    return places;
}

// RGB as image readers give it: exact rounding, chroma of JPEGs interpolated. Stills carry no range: JPEG is always
// full.
Result<Image> toImage(const AVFrame& frame) {
    const auto source = static_cast<AVPixelFormat>(frame.format);
    const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(source);
    if (format == nullptr || frame.width <= 0 || frame.height <= 0)
        return fail(ErrorCode::Unsupported, "The picture's pixel format is unknown.");
    const bool isAlpha = (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    const bool isPalette = (format->flags & AV_PIX_FMT_FLAG_PAL) != 0;
    const bool isGray = !isPalette && format->nb_components - (isAlpha ? 1 : 0) == 1;
    const bool isRgb = isPalette || (format->flags & AV_PIX_FMT_FLAG_RGB) != 0;
    const AVPixelFormat target = isGray ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24;

    int flags = SWS_BICUBIC;
    if (!isGray)
        flags |= SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
    const detail::ScalerPtr scaler(sws_getContext(frame.width, frame.height, source, frame.width, frame.height, target,
                                                  flags, nullptr, nullptr, nullptr));
    if (!scaler)
        return fail(ErrorCode::Unsupported,
                    std::string("Pictures in the pixel format ") + format->name + " cannot be converted.");
    if (!isRgb)
        sws_setColorspaceDetails(scaler.get(), sws_getCoefficients(SWS_CS_DEFAULT), 1,
                                 sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);

    Image image;
    image.width = frame.width;
    image.height = frame.height;
    image.channels = isGray ? 1 : 3;
    const std::size_t stride = (image.rowBytes() + 63) / 64 * 64 + 64;
    const detail::BytesPtr buffer(
        static_cast<std::uint8_t*>(av_malloc(stride * (static_cast<std::size_t>(image.height) + 1))));
    if (!buffer)
        return fail(ErrorCode::OutOfMemory, "There is no memory left to decode a picture.");
    std::uint8_t* const planes[4] = {buffer.get(), nullptr, nullptr, nullptr};
    const int strides[4] = {static_cast<int>(stride), 0, 0, 0};
    if (sws_scale(scaler.get(), frame.data, frame.linesize, 0, frame.height, planes, strides) != frame.height)
        return fail(ErrorCode::Decode, "The picture could not be converted to RGB.");
    image.pixels.resize(image.rowBytes() * static_cast<std::size_t>(image.height));
    for (int y = 0; y < image.height; ++y)
        std::memcpy(image.pixels.data() + static_cast<std::size_t>(y) * image.rowBytes(),
                    buffer.get() + static_cast<std::size_t>(y) * stride, image.rowBytes());
    return image;
}

}  // namespace

int countPages(Bytes bytes) {
    return isTiff(bytes) ? std::max(1, static_cast<int>(pagePlaces(bytes).size())) : 1;
}

Result<Image> decodeImage(Bytes bytes, int page) {
    const detail::LogCapture log;
    const AVCodecID id = codecOf(bytes);
    if (id == AV_CODEC_ID_NONE)
        return fail(ErrorCode::Format, bytes.empty() ? "The picture is empty (0 bytes)."
                                                     : "The data is no PNG, JPEG, TIFF, BMP or WebP picture.");
    if (bytes.size() > static_cast<std::size_t>(INT32_MAX) - AV_INPUT_BUFFER_PADDING_SIZE)
        return fail(ErrorCode::Unsupported, "Pictures of more than 2 GB cannot be read.");
    std::size_t firstPage = 0;
    if (id == AV_CODEC_ID_TIFF) {
        const std::vector<std::uint32_t> places = pagePlaces(bytes);
        if (places.empty())
            return fail(ErrorCode::Format, "The TIFF picture is damaged: it has no pages.");
        if (page < 0 || static_cast<std::size_t>(page) >= places.size())
            return fail(ErrorCode::InvalidArgument, "The TIFF picture has no page " + std::to_string(page) + ".");
        firstPage = places[static_cast<std::size_t>(page)];
    } else if (page != 0) {
        return fail(ErrorCode::InvalidArgument, "The picture has one page only.");
    }

    const AVCodec* codec = avcodec_find_decoder(id);
    if (codec == nullptr)
        return fail(ErrorCode::Unsupported,
                    std::string("There is no decoder for ") + avcodec_get_name(id) + " pictures.");
    const detail::CodecPtr context(avcodec_alloc_context3(codec));
    const detail::PacketPtr packet = detail::makePacket();
    const detail::FramePtr frame = detail::makeFrame();
    if (!context || av_new_packet(packet.get(), static_cast<int>(bytes.size())) < 0)
        return fail(ErrorCode::OutOfMemory, "There is no memory left to decode a picture.");
    std::memcpy(packet->data, bytes.data(), bytes.size());
    // The decoder takes the page that the header names first.
    if (id == AV_CODEC_ID_TIFF)
        for (std::size_t i = 0; i < 4; ++i)
            packet->data[4 + i] = static_cast<std::uint8_t>(firstPage >> (8 * (bytes[0] == 'M' ? 3 - i : i)));
    context->max_pixels = detail::kMaxPixels;
    context->thread_count = 1;
    // A picture cut short is refused, not shown grey. (The TIFF decoder would refuse any tag that it does not know.)
    if (id != AV_CODEC_ID_TIFF)
        context->err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE;
    context->idct_algo = FF_IDCT_INT;  // the transform that JPEG readers use
    int code = avcodec_open2(context.get(), codec, nullptr);
    if (code >= 0)
        code = avcodec_send_packet(context.get(), packet.get());
    if (code >= 0)
        code = avcodec_send_packet(context.get(), nullptr);
    if (code >= 0)
        code = avcodec_receive_frame(context.get(), frame.get());
    if (code < 0 || frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0)
        return fail(ErrorCode::Format, std::string("The ") + avcodec_get_name(id) + " picture is damaged or cut short" +
                                           (code < 0 ? " (" + avErrorText(code) + ")." : "."));
    Image image;
    if (id == AV_CODEC_ID_MJPEG && detail::jpegToRgb(*frame, image))
        return image;
    return toImage(*frame);
}

}  // namespace skein::video
