// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/jpeg_rgb.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace skein::video::detail {
namespace {

// One chroma plane brought to full resolution, row by row.
class ChromaRows {
public:
    ChromaRows(const std::uint8_t* data, int stride, int width, int height, bool halfWidth, bool halfHeight)
        : m_data(data),
          m_stride(stride),
          m_width(width),
          m_height(height),
          m_halfWidth(halfWidth),
          m_halfHeight(halfHeight),
          m_sums(static_cast<std::size_t>(width)),
          m_row(static_cast<std::size_t>(width) * 2) {}

    // Samples of picture row y.
    const std::uint8_t* row(int y) {
        if (!m_halfHeight) {
            const std::uint8_t* in = stored(y);
            if (!m_halfWidth)
                return in;
            widen(in);
            return m_row.data();
        }
        // The nearer stored row weighs three times the farther one; at the edges it stands for both.
        const std::uint8_t* near = stored(y / 2);
        const std::uint8_t* far = stored(y / 2 + ((y & 1) != 0 ? 1 : -1));
        const auto count = static_cast<std::size_t>(m_width);
        if (!m_halfWidth) {
            const int bias = (y & 1) != 0 ? 2 : 1;
            for (std::size_t x = 0; x < count; ++x)
                m_row[x] = static_cast<std::uint8_t>((near[x] * 3 + far[x] + bias) >> 2);
            return m_row.data();
        }
        for (std::size_t x = 0; x < count; ++x)
            m_sums[x] = near[x] * 3 + far[x];
        for (std::size_t x = 0; x < count; ++x) {
            const int left = m_sums[x == 0 ? 0 : x - 1];
            const int right = m_sums[x + 1 == count ? x : x + 1];
            m_row[2 * x] = static_cast<std::uint8_t>((m_sums[x] * 3 + left + 8) >> 4);
            m_row[2 * x + 1] = static_cast<std::uint8_t>((m_sums[x] * 3 + right + 7) >> 4);
        }
        return m_row.data();
    }

private:
    const std::uint8_t* stored(int y) const {
        return m_data + static_cast<std::ptrdiff_t>(std::clamp(y, 0, m_height - 1)) * m_stride;
    }

    void widen(const std::uint8_t* in) {
        const auto count = static_cast<std::size_t>(m_width);
        for (std::size_t x = 0; x < count; ++x) {
            const int left = in[x == 0 ? 0 : x - 1];
            const int right = in[x + 1 == count ? x : x + 1];
            m_row[2 * x] = static_cast<std::uint8_t>((in[x] * 3 + left + 1) >> 2);
            m_row[2 * x + 1] = static_cast<std::uint8_t>((in[x] * 3 + right + 2) >> 2);
        }
    }

    const std::uint8_t* m_data;
    int m_stride;
    int m_width;
    int m_height;
    bool m_halfWidth;
    bool m_halfHeight;
    std::vector<int> m_sums;
    std::vector<std::uint8_t> m_row;
};

// JFIF's matrix in 16.16 fixed point.
constexpr int kRedFromCr = 91881;    // 1.402
constexpr int kBlueFromCb = 116130;  // 1.772
constexpr int kGreenFromCb = 22554;  // 0.34414
constexpr int kGreenFromCr = 46802;  // 0.71414
constexpr int kHalf = 1 << 15;

std::uint8_t clampToByte(int v) {
    return static_cast<std::uint8_t>(std::clamp(v, 0, 255));
}

}  // namespace

bool jpegToRgb(const AVFrame& frame, Image& image) {
    bool halfWidth = false;
    bool halfHeight = false;
    switch (frame.format) {
        case AV_PIX_FMT_YUVJ444P:
        case AV_PIX_FMT_YUV444P:
            break;
        case AV_PIX_FMT_YUVJ422P:
        case AV_PIX_FMT_YUV422P:
            halfWidth = true;
            break;
        case AV_PIX_FMT_YUVJ440P:
        case AV_PIX_FMT_YUV440P:
            halfHeight = true;
            break;
        case AV_PIX_FMT_YUVJ420P:
        case AV_PIX_FMT_YUV420P:
            halfWidth = halfHeight = true;
            break;
        default:
            return false;
    }
    const int chromaWidth = halfWidth ? (frame.width + 1) / 2 : frame.width;
    const int chromaHeight = halfHeight ? (frame.height + 1) / 2 : frame.height;
    ChromaRows cbRows(frame.data[1], frame.linesize[1], chromaWidth, chromaHeight, halfWidth, halfHeight);
    ChromaRows crRows(frame.data[2], frame.linesize[2], chromaWidth, chromaHeight, halfWidth, halfHeight);

    image.width = frame.width;
    image.height = frame.height;
    image.channels = 3;
    image.pixels.resize(image.rowBytes() * static_cast<std::size_t>(image.height));
    std::uint8_t* out = image.pixels.data();
    for (int y = 0; y < frame.height; ++y) {
        const std::uint8_t* luma = frame.data[0] + static_cast<std::ptrdiff_t>(y) * frame.linesize[0];
        const std::uint8_t* cbRow = cbRows.row(y);
        const std::uint8_t* crRow = crRows.row(y);
        for (int x = 0; x < frame.width; ++x, out += 3) {
            const int cb = cbRow[x] - 128;
            const int cr = crRow[x] - 128;
            out[0] = clampToByte(luma[x] + ((kRedFromCr * cr + kHalf) >> 16));
            out[1] = clampToByte(luma[x] + ((-kGreenFromCb * cb - kGreenFromCr * cr + kHalf) >> 16));
            out[2] = clampToByte(luma[x] + ((kBlueFromCb * cb + kHalf) >> 16));
        }
    }
    return true;
}

}  // namespace skein::video::detail
