// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>
#include <stop_token>

#include "engine/base/result.h"
#include "engine/video/frame_reader.h"

namespace skein::video::detail {

/// A reader with `options`, whose hardware has given the same first, middle and last picture as `processor`, and is
/// trusted from now on; nullptr where it has not, which its HardwareUse knows the reason of. It stands at the first
/// picture. Errors: those of FrameReader::open() and, but for Decode, of FrameReader::read().
[[nodiscard]] Result<std::unique_ptr<FrameReader>> readerOnHardware(const std::shared_ptr<const FrameIndex>& index,
                                                                    const FrameReader::Options& options,
                                                                    FrameReader& processor, std::stop_token stop);

}  // namespace skein::video::detail
