// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>

#include "engine/base/result.h"
#include "engine/video/detail/libav.h"

namespace skein::video::detail {

/// A device that decodes pictures beside the processor. Thread-safe; tests put their own in its place.
class Hardware {
public:
    virtual ~Hardware() = default;
    /// The decoder to open for this codec. Errors: Unsupported (its pictures would not be the processor's, or libav
    /// cannot decode it there).
    [[nodiscard]] virtual Result<const AVCodec*> decoderFor(AVCodecID codec) const = 0;
    /// What the decoder needs to find the device; nullptr: nothing.
    [[nodiscard]] virtual AVBufferRef* device() const noexcept = 0;
    /// Pixel format of the pictures that the device holds.
    [[nodiscard]] virtual AVPixelFormat format() const noexcept = 0;
    /// Copies a picture of the device to the processor's memory, as NV12. `to` is empty, or came from an earlier call
    /// for a picture of the same size. Returns libav's code.
    [[nodiscard]] virtual int download(AVFrame& to, const AVFrame& from) const = 0;
};

/// The first NVIDIA GPU, opened at the first call and shared by the whole process, or why there is none.
/// Errors: Unsupported.
[[nodiscard]] Result<std::shared_ptr<const Hardware>> sharedGpu();

}  // namespace skein::video::detail
