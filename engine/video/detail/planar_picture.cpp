// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/planar_picture.h"

#include <cstring>
#include <new>

namespace skein::video::detail {
namespace {

constexpr int kRowAlignment = 64;
constexpr int kLineAlignment = 32;

void split(const std::uint8_t* pairs, std::uint8_t* first, std::uint8_t* second, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        first[i] = pairs[2 * i];
        second[i] = pairs[2 * i + 1];
    }
}

int aligned(int size, int alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

std::uint8_t* row(const AVFrame& frame, int plane, int y) {
    return frame.data[plane] + static_cast<std::ptrdiff_t>(y) * frame.linesize[plane];
}

}  // namespace

FramePtr PlanarPictures::from(const AVFrame& nv12, AVPixelFormat format) {
    const int stride = aligned(nv12.width, kRowAlignment);
    const int chromaStride = aligned(AV_CEIL_RSHIFT(nv12.width, 1), kRowAlignment);
    const auto lines = static_cast<std::size_t>(aligned(nv12.height, kLineAlignment));
    const std::size_t luma = static_cast<std::size_t>(stride) * lines;
    const std::size_t chroma = static_cast<std::size_t>(chromaStride) * (lines / 2);
    const std::size_t bytes = luma + 2 * chroma + AV_INPUT_BUFFER_PADDING_SIZE;
    if (!m_pool || bytes != m_bytes) {
        m_pool.reset(av_buffer_pool_init(bytes, nullptr));
        m_bytes = bytes;
    }
    FramePtr planar = makeFrame();
    planar->buf[0] = m_pool ? av_buffer_pool_get(m_pool.get()) : nullptr;
    if (planar->buf[0] == nullptr)
        throw std::bad_alloc();
    planar->format = format;
    planar->width = nv12.width;
    planar->height = nv12.height;
    planar->linesize[0] = stride;
    planar->linesize[1] = planar->linesize[2] = chromaStride;
    planar->data[0] = planar->buf[0]->data;
    planar->data[1] = planar->data[0] + luma;
    planar->data[2] = planar->data[1] + chroma;

    for (int y = 0; y < nv12.height; ++y)
        std::memcpy(row(*planar, 0, y), row(nv12, 0, y), static_cast<std::size_t>(nv12.width));
    const auto pairs = static_cast<std::size_t>(AV_CEIL_RSHIFT(nv12.width, 1));
    for (int y = 0; y < AV_CEIL_RSHIFT(nv12.height, 1); ++y)
        split(row(nv12, 1, y), row(*planar, 1, y), row(*planar, 2, y), pairs);
    return planar;
}

}  // namespace skein::video::detail
