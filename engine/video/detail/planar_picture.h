// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/video/detail/libav.h"

namespace skein::video::detail {

/// Pictures of a GPU (NV12: luma, then pairs of chroma samples) as the processor's decoders give them (YUV420P: three
/// planes). The memory of pictures that nobody holds any more is used again. Thread-compatible.
class PlanarPictures {
public:
    /// `format`: AV_PIX_FMT_YUV420P or AV_PIX_FMT_YUVJ420P. Rows and planes have room behind them for vector code, as
    /// libav's own pictures have. Properties are not copied.
    [[nodiscard]] FramePtr from(const AVFrame& nv12, AVPixelFormat format);

private:
    struct PoolDeleter {
        void operator()(AVBufferPool* pool) const noexcept { av_buffer_pool_uninit(&pool); }
    };
    std::unique_ptr<AVBufferPool, PoolDeleter> m_pool;
    std::size_t m_bytes = 0;
};

}  // namespace skein::video::detail
