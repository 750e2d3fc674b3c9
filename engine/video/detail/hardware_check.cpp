// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/hardware_check.h"

#include <string>

#include "engine/base/frame_number.h"
#include "engine/video/detail/hardware_use.h"

namespace skein::video::detail {

Result<std::unique_ptr<FrameReader>> readerOnHardware(const std::shared_ptr<const FrameIndex>& index,
                                                      const FrameReader::Options& options, FrameReader& processor,
                                                      std::stop_token stop) {
    Result<std::unique_ptr<FrameReader>> reader = FrameReader::open(index, options, processor.damage());
    if (!reader)
        return reader;
    const FrameNumber count = index->frameCount();
    for (const FrameNumber frame : {count - 1, count / 2, FrameNumber{0}}) {
        const Result<ImagePtr> expected = processor.read(frame, PixelFormat::Rgb24, stop);
        if (!expected && expected.error().code() != ErrorCode::Decode)
            return fail(expected.error());
        if (!expected) {
            options.hardware->leave("The file is damaged.");
            return nullptr;
        }
        const Result<ImagePtr> image = (*reader)->read(frame, PixelFormat::Rgb24, stop);
        if (!image && image.error().code() != ErrorCode::Decode)
            return fail(image.error());
        if (!(*reader)->isOnHardware())
            return nullptr;
        if (!image || (*image)->width != (*expected)->width || (*image)->pixels != (*expected)->pixels) {
            options.hardware->leave("The GPU's picture of frame " + frameNumber(frame) +
                                    " is not that of the processor.");
            return nullptr;
        }
    }
    options.hardware->trust();
    return reader;
}

}  // namespace skein::video::detail
