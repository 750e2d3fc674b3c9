// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/frame_converter.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

namespace skein::video::detail {
namespace {

constexpr std::size_t kRowAlignment = 64;

bool isGrayFormat(const AVPixFmtDescriptor& format) {
    return format.nb_components - ((format.flags & AV_PIX_FMT_FLAG_ALPHA) != 0 ? 1 : 0) == 1;
}

// The deprecated "J" formats and grey say full range by their name alone, RGB has no other.
bool isFullRange(const AVFrame& frame, const AVPixFmtDescriptor& format) {
    if (frame.color_range != AVCOL_RANGE_UNSPECIFIED)
        return frame.color_range == AVCOL_RANGE_JPEG;
    return isGrayFormat(format) || std::string_view(format.name).substr(0, 4) == "yuvj";
}

// Whether luma lies in plane 0 as 8-bit samples, and chroma (if any) in planes or pairs of 8-bit samples.
bool hasPlainLuma(const AVPixFmtDescriptor& format) {
    if ((format.flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                         AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_FLOAT)) != 0)
        return false;
    if (format.nb_components != 1 && format.nb_components != 3)
        return false;
    for (int i = 0; i < format.nb_components; ++i)
        if (format.comp[i].depth != 8 || (i == 0 ? format.comp[i].plane != 0 : format.comp[i].plane == 0))
            return false;
    return format.comp[0].step == 1;
}

bool chromaIsNeutral(const AVFrame& frame, const AVPixFmtDescriptor& format) {
    if (format.nb_components == 1)
        return true;
    const auto width = static_cast<std::size_t>(AV_CEIL_RSHIFT(frame.width, format.log2_chroma_w));
    const int height = AV_CEIL_RSHIFT(frame.height, format.log2_chroma_h);
    const int planes = std::max(format.comp[1].plane, format.comp[2].plane);
    for (int plane = 1; plane <= planes; ++plane) {
        const std::size_t bytes = width * static_cast<std::size_t>(format.comp[plane].step);
        for (int y = 0; y < height; ++y) {
            const std::uint8_t* row = frame.data[plane] + static_cast<std::ptrdiff_t>(y) * frame.linesize[plane];
            if (!isAllNeutral(row, bytes))
                return false;
        }
    }
    return true;
}

// Where the plain yuv-to-rgb converter runs, BGRA holds the same values as RGB; the general scaler rounds them
// differently.
bool bgraEqualsRgb(const AVFrame& frame) {
    switch (frame.format) {
        case AV_PIX_FMT_YUV420P:
        case AV_PIX_FMT_YUVJ420P:
        case AV_PIX_FMT_YUV422P:
        case AV_PIX_FMT_YUVJ422P:
            return frame.height % 2 == 0;
        default:
            return false;
    }
}

}  // namespace

FrameConverter::Setup FrameConverter::setupFor(const AVFrame& frame, int target) const {
    const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    Setup setup;
    setup.width = frame.width;
    setup.height = frame.height;
    setup.source = frame.format;
    setup.target = target;
    setup.colorspace = m_matrix == MatrixPolicy::Bt601 ? AVCOL_SPC_UNSPECIFIED : frame.colorspace;
    setup.isFullRange = format != nullptr && isFullRange(frame, *format);
    return setup;
}

Result<void> FrameConverter::prepare(Scaler& scaler, const Setup& setup) const {
    if (scaler.context && scaler.setup == setup)
        return {};
    const char* name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(setup.source));
    const std::string unsupported =
        std::string("Pictures in the pixel format ") + (name != nullptr ? name : "unknown") + " cannot be converted.";
    if (setup.width <= 0 || setup.height <= 0 || static_cast<std::int64_t>(setup.width) * setup.height > kMaxPixels)
        return fail(ErrorCode::Unsupported, "A picture of " + std::to_string(setup.width) + " x " +
                                                std::to_string(setup.height) + " pixels cannot be converted.");
    scaler.context.reset(sws_getContext(setup.width, setup.height, static_cast<AVPixelFormat>(setup.source),
                                        setup.width, setup.height, static_cast<AVPixelFormat>(setup.target),
                                        SWS_BICUBIC, nullptr, nullptr, nullptr));
    if (!scaler.context)
        return fail(ErrorCode::Unsupported, unsupported);
    // Fails for conversions without a matrix (RGB to RGB), which need none.
    sws_setColorspaceDetails(scaler.context.get(), sws_getCoefficients(setup.colorspace), setup.isFullRange ? 1 : 0,
                             sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
    const std::size_t row = static_cast<std::size_t>(setup.width) * (setup.target == AV_PIX_FMT_RGB24 ? 3 : 4);
    scaler.stride = (row + kRowAlignment - 1) / kRowAlignment * kRowAlignment + kRowAlignment;
    scaler.buffer.reset(
        static_cast<std::uint8_t*>(av_malloc(scaler.stride * (static_cast<std::size_t>(setup.height) + 1))));
    if (!scaler.buffer)
        throw std::bad_alloc();
    scaler.setup = setup;
    return {};
}

Result<void> FrameConverter::scale(const AVFrame& frame, int target, Scaler& scaler) const {
    const Result<void> prepared = prepare(scaler, setupFor(frame, target));
    if (!prepared)
        return fail(prepared.error());
    std::uint8_t* const planes[4] = {scaler.buffer.get(), nullptr, nullptr, nullptr};
    const int strides[4] = {static_cast<int>(scaler.stride), 0, 0, 0};
    if (sws_scale(scaler.context.get(), frame.data, frame.linesize, 0, frame.height, planes, strides) != frame.height)
        return fail(ErrorCode::Decode, "The picture could not be converted to RGB.");
    return {};
}

// R = G = B = f(Y) where chroma is neutral. f is taken from the scaler itself, on a picture of the same width that
// holds every luma value in every row, and is used only if the scaler treats all places alike.
const FrameConverter::LumaTable* FrameConverter::lumaTableFor(const AVFrame& frame) {
    if (!m_lumaTableAllowed)
        return nullptr;
    const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    if (format == nullptr || !hasPlainLuma(*format) || !chromaIsNeutral(frame, *format))
        return nullptr;
    const Setup setup = setupFor(frame, AV_PIX_FMT_RGB24);
    if (m_table.isKnown && m_table.setup == setup)
        return m_table.isValid ? &m_table : nullptr;

    m_table = {};
    m_table.setup = setup;
    m_table.isKnown = true;
    const FramePtr ramp = makeFrame();
    ramp->format = frame.format;
    ramp->width = frame.width;
    ramp->height = frame.height;
    ramp->colorspace = frame.colorspace;
    ramp->color_range = frame.color_range;
    if (av_frame_get_buffer(ramp.get(), 0) < 0)
        throw std::bad_alloc();
    for (int plane = 0; plane < 4 && ramp->data[plane] != nullptr; ++plane) {
        const int lines = plane == 0 ? ramp->height : AV_CEIL_RSHIFT(ramp->height, format->log2_chroma_h);
        for (int y = 0; y < lines; ++y)
            std::memset(ramp->data[plane] + static_cast<std::ptrdiff_t>(y) * ramp->linesize[plane], 128,
                        static_cast<std::size_t>(ramp->linesize[plane]));
    }
    const auto luma = [&](int x, int y) { return static_cast<std::uint8_t>(y / 2 * ramp->width + x); };
    for (int y = 0; y < ramp->height; ++y)
        for (int x = 0; x < ramp->width; ++x)
            ramp->data[0][static_cast<std::ptrdiff_t>(y) * ramp->linesize[0] + x] = luma(x, y);
    Scaler scaler;
    if (!scale(*ramp, AV_PIX_FMT_RGB24, scaler))
        return nullptr;
    std::array<bool, 256> seen{};
    std::array<std::uint8_t, 256> gray{};
    for (int y = 0; y < ramp->height; ++y) {
        const std::uint8_t* row = scaler.buffer.get() + static_cast<std::size_t>(y) * scaler.stride;
        for (int x = 0; x < ramp->width; ++x, row += 3) {
            const std::uint8_t in = luma(x, y);
            if (row[0] != row[1] || row[0] != row[2] || (seen[in] && gray[in] != row[0]))
                return nullptr;
            seen[in] = true;
            gray[in] = row[0];
        }
    }
    m_table.isValid = std::all_of(seen.begin(), seen.end(), [](bool s) { return s; });
    m_table.gray = LumaMap(gray);
    return m_table.isValid ? &m_table : nullptr;
}

ImagePtr FrameConverter::turned(std::shared_ptr<Image> stored) const {
    if (m_orientation.isIdentity())
        return stored;
    const Image& image = *stored;
    const IndexData::Orientation& o = m_orientation;
    auto result = std::make_shared<Image>();
    Image& out = *result;
    out.width = o.swapsSides() ? image.height : image.width;
    out.height = o.swapsSides() ? image.width : image.height;
    out.channels = image.channels;
    out.pixels.resize(image.pixels.size());
    const auto channels = static_cast<std::ptrdiff_t>(image.channels);
    const auto row = static_cast<std::ptrdiff_t>(image.rowBytes());
    // Shown (x, y) comes from stored (a*x + b*y, c*x + d*y), shifted so that both start at 0.
    const std::ptrdiff_t stepX = o.a * channels + o.c * row;
    const std::ptrdiff_t stepY = o.b * channels + o.d * row;
    std::ptrdiff_t start = 0;
    if (o.a < 0 || o.b < 0)
        start += (image.width - 1) * channels;
    if (o.c < 0 || o.d < 0)
        start += (image.height - 1) * row;
    std::uint8_t* to = out.pixels.data();
    for (int y = 0; y < out.height; ++y) {
        const std::uint8_t* from = image.pixels.data() + start + y * stepY;
        for (int x = 0; x < out.width; ++x, from += stepX, to += channels)
            for (std::ptrdiff_t c = 0; c < channels; ++c)
                to[c] = from[c];
    }
    return result;
}

Result<ImagePtr> FrameConverter::convert(const AVFrame& frame, PixelFormat format) {
    const int channels = channelsOf(format);
    const auto width = static_cast<std::size_t>(frame.width);
    if (const LumaTable* table = lumaTableFor(frame)) {
        ++m_lumaTableUses;
        std::shared_ptr<Image> image = m_images.take(frame.width, frame.height, channels);
        m_gray.resize(width);
        for (int y = 0; y < frame.height; ++y) {
            const std::uint8_t* from = frame.data[0] + static_cast<std::ptrdiff_t>(y) * frame.linesize[0];
            std::uint8_t* to = image->pixels.data() + static_cast<std::size_t>(y) * image->rowBytes();
            table->gray.toGray(from, channels == 1 ? to : m_gray.data(), width);
            if (channels == 3)
                grayToRgb(m_gray.data(), to, width);
            else if (channels == 4)
                grayToBgra(m_gray.data(), to, width);
        }
        return turned(std::move(image));
    }

    // The canvas must show what the model sees, so colours come from the RGB conversion in every layout.
    const bool isDirect = format == PixelFormat::Bgra32 && bgraEqualsRgb(frame);
    Scaler& scaler = isDirect ? m_bgra : m_rgb;
    const Result<void> scaled = scale(frame, isDirect ? AV_PIX_FMT_BGRA : AV_PIX_FMT_RGB24, scaler);
    if (!scaled)
        return fail(scaled.error());
    std::shared_ptr<Image> image = m_images.take(frame.width, frame.height, channels);
    for (int y = 0; y < frame.height; ++y) {
        const std::uint8_t* from = scaler.buffer.get() + static_cast<std::size_t>(y) * scaler.stride;
        std::uint8_t* to = image->pixels.data() + static_cast<std::size_t>(y) * image->rowBytes();
        if (channels == 1)
            takeRed(from, to, width);
        else if (channels == 4 && !isDirect)
            toBgra(from, to, width);
        else
            std::memcpy(to, from, image->rowBytes());
    }
    return turned(std::move(image));
}

}  // namespace skein::video::detail
