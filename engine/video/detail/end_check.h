// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/video/detail/packet_scan.h"

namespace skein::video::detail {

/// Compares what the container announces with what there is, and puts what is missing into words: fills cutEnd and adds
/// to the warnings. `data` is complete but for these. That the data ends early has to be seen in the file itself: a
/// count in a header that does not fit is often wrong alone.
void checkEnd(const Scan& scan, IndexData& data);

}  // namespace skein::video::detail
