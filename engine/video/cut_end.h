// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>

#include "engine/video/pixel_format.h"

namespace skein::video {

/// The end of a file that was once longer: an interrupted copy or recording.
struct CutEnd {
    /// Frames that the whole would have, as far as the file says, at least as many as can be reached; 0: it does not
    /// say. From a duration it is an estimate.
    FrameNumber announced = 0;
    std::string sentence;  ///< for a person
};

}  // namespace skein::video
