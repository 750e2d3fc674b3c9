// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <atomic>
#include <cstdint>
#include <limits>

#include "engine/video/detail/hardware.h"

namespace skein::test {

/// Decodes on the processor, and hands its pictures out as a GPU would: as NV12, with rows that are farther apart.
class FakeHardware final : public video::detail::Hardware {
public:
    explicit FakeHardware(AVPixelFormat format = AV_PIX_FMT_YUV420P) : m_format(format) {}

    bool knowsCodec = true;
    int failsAt = std::numeric_limits<int>::max();      ///< the first picture that cannot be fetched, from 0
    int changesFrom = std::numeric_limits<int>::max();  ///< the first picture of which a pixel is wrong
    mutable std::atomic<int> fetched{0};

    Result<const AVCodec*> decoderFor(AVCodecID codec) const override {
        if (!knowsCodec)
            return fail(ErrorCode::Unsupported, "The codec is unknown to it.");
        return avcodec_find_decoder(codec);
    }
    AVBufferRef* device() const noexcept override { return nullptr; }
    AVPixelFormat format() const noexcept override { return m_format; }

    int download(AVFrame& to, const AVFrame& from) const override {
        const int number = fetched++;
        if (number >= failsAt)
            return AVERROR(EIO);
        if (to.buf[0] == nullptr) {
            to.format = AV_PIX_FMT_NV12;
            to.width = from.width;
            to.height = from.height;
            if (const int code = av_frame_get_buffer(&to, 256); code < 0)
                return code;
        }
        const auto at = [](const AVFrame& frame, int plane, int x, int y) -> std::uint8_t& {
            return frame.data[plane][static_cast<std::ptrdiff_t>(y) * frame.linesize[plane] + x];
        };
        for (int y = 0; y < from.height; ++y)
            for (int x = 0; x < from.width; ++x)
                at(to, 0, x, y) = at(from, 0, x, y);
        for (int y = 0; y < (from.height + 1) / 2; ++y)
            for (int x = 0; x < (from.width + 1) / 2; ++x) {
                at(to, 1, 2 * x, y) = at(from, 1, x, y);
                at(to, 1, 2 * x + 1, y) = at(from, 2, x, y);
            }
        if (number >= changesFrom)
            at(to, 0, 0, 0) ^= 0x40;
        return 0;
    }

private:
    AVPixelFormat m_format;
};

}  // namespace skein::test
