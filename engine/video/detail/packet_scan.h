// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <memory>

#include "engine/base/result.h"
#include "engine/video/detail/index_data.h"
#include "engine/video/frame_index.h"

namespace skein::video::detail {

/// The packets of a file before their pictures are ranked.
struct Scan {
    std::unique_ptr<IndexData> data;  ///< all but order, stamps, fps
    bool hasStamps = false;           ///< every shown packet has a presentation stamp that can be believed
    bool mayReorder = true;           ///< false: pictures are certain to come out in file order
    AVRational nominalRate{0, 1};     ///< what the header says; 0/1 unknown
    std::vector<std::int64_t>
        announcedDts;               ///< decoding stamps of all announced packets, where the container lists them
    FrameNumber listedPackets = 0;  ///< in an MP4's lists, those of fragments that were reached included
    double announcedSeconds = 0;    ///< end of the video as Matroska tells it; 0: it does not
    bool isShort = false;           ///< the file is shorter than its own outermost parts say
};

/// Reads every packet of the main video stream, without decoding. Errors as FrameIndex::build.
[[nodiscard]] Result<Scan> scanPackets(const std::filesystem::path& path, const FrameIndex::Options& options);

}  // namespace skein::video::detail
