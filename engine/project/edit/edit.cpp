// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/edit.h"

#include <algorithm>
#include <numeric>

namespace skein::project::edit {

FrameData frameAt(const Labels& labels, std::uint32_t video, std::int64_t frame) {
    if (const auto row = labels.findFrame(video, frame))
        return labels.frame(*row).toData();
    return {video, frame, {}, -1};
}

InstanceView find(const Labels& labels, const Place& place) {
    if (const auto row = labels.findFrame(place.video, place.frame)) {
        const FrameView frame = labels.frame(*row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            if (place.instance != 0 && frame.instance(i).header->id == place.instance)
                return frame.instance(i);
    }
    return {};
}

bool isReplaced(const FrameData& frame, InstanceId id) {
    return std::any_of(frame.instances.begin(), frame.instances.end(),
                       [id](const InstanceData& i) { return id != 0 && i.header.fromPredicted == id; });
}

Labels withFrame(const Labels& labels, FrameData frame) {
    Labels next = labels;
    if (const auto row = labels.findFrame(frame.video, frame.frameIndex))
        next.replaceFrame(*row, std::move(frame));
    else
        next.appendFrame(std::move(frame));
    return next;
}

std::vector<std::size_t> allRows(const Labels& labels) {
    std::vector<std::size_t> rows(labels.frameCount());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

Outcome unchanged(const Labels& labels) {
    return {labels, {}, {}, 0};
}

Outcome onFrame(const Labels& labels, FrameData frame, std::size_t changed, std::vector<InstanceId> made) {
    Extent extent;
    extent.video = frame.video;
    extent.span = {frame.frameIndex, frame.frameIndex};
    return {withFrame(labels, std::move(frame)), extent, std::move(made), changed};
}

}  // namespace skein::project::edit
