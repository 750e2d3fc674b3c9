// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>

namespace skein::video {

/// What decodes a video. Both give the same pixels.
enum class DecoderChoice {
    Processor,
    Gpu  ///< an NVIDIA GPU where it decodes the file exactly, the processor elsewhere
};

/// Why no video can be decoded on a GPU of this machine, as a sentence; empty where it can be tried. Asks the driver
/// the first time, which may take a second: for worker threads.
[[nodiscard]] std::string whyNoGpuDecoding();

}  // namespace skein::video
