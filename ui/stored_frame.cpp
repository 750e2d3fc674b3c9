// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stored_frame.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/ink.h"

namespace skein::ui {

void addStored(ShownFrame& shown, const project::Labels& labels, const OverlayStyle& style, bool withPredictions) {
    static const project::Skeleton kNoSkeleton;
    const auto row = labels.findFrame(shown.video, shown.frame);
    if (!row)
        return;
    const project::FrameView view = labels.frame(*row);
    std::vector<project::InstanceId> replaced;
    if (!style.replaced)
        for (std::size_t i = 0; i < view.instanceCount(); ++i)
            if (view.instance(i).header->fromPredicted != 0)
                replaced.push_back(view.instance(i).header->fromPredicted);
    for (std::size_t i = 0; i < view.instanceCount(); ++i) {
        const project::InstanceView instance = view.instance(i);
        const project::InstanceHeader& header = *instance.header;
        if (header.kind == project::InstanceKind::Predicted &&
            (!withPredictions || std::find(replaced.begin(), replaced.end(), header.id) != replaced.end()))
            continue;
        ShownInstance out;
        out.header = header;
        out.points.assign(instance.points.begin(), instance.points.end());
        out.place = static_cast<int>(shown.instances.size());
        out.hiddenNodes = style.hiddenNodes;
        if (header.track >= 0 && static_cast<std::size_t>(header.track) < labels.tracks().size())
            out.trackName = QString::fromStdString(labels.tracks()[static_cast<std::size_t>(header.track)].name);
        out.skeleton = header.skeleton < shown.skeletons->size() ? &(*shown.skeletons)[header.skeleton] : &kNoSkeleton;
        shown.instances.push_back(std::move(out));
    }
}

void addSpeeds(ShownFrame& shown, const project::Labels& labels) {
    const auto rowBefore = labels.findFrame(shown.video, shown.frame - 1);
    const auto rowAfter = labels.findFrame(shown.video, shown.frame + 1);
    for (ShownInstance& instance : shown.instances)
        for (const auto& row : {rowBefore, rowAfter}) {
            if (!row || instance.header.track < 0 || instance.speed == instance.speed)
                continue;
            const project::FrameView view = labels.frame(*row);
            for (std::size_t i = 0; i < view.instanceCount() && instance.speed != instance.speed; ++i) {
                const project::InstanceView other = view.instance(i);
                if (other.header->track != instance.header.track)
                    continue;
                double x = 0, y = 0;
                int count = 0;
                for (std::size_t n = 0; n < std::min(instance.points.size(), other.points.size()); ++n)
                    if (hasPlace(instance.points[n]) && hasPlace(other.points[n])) {
                        x += instance.points[n].x - other.points[n].x;
                        y += instance.points[n].y - other.points[n].y;
                        ++count;
                    }
                if (count > 0)
                    instance.speed = std::hypot(x, y) / count;
            }
        }
}

void addInks(ShownFrame& shown, const project::Labels& labels, const OverlayStyle& style) {
    const bool tracks = !labels.tracks().empty();
    for (ShownInstance& instance : shown.instances)
        instance.color = instanceInk(instance, style, tracks);
}

ShownFrame storedFrame(const project::Labels& labels, std::shared_ptr<const std::vector<project::Skeleton>> skeletons,
                       std::uint32_t video, std::int64_t frame, const OverlayStyle& style) {
    ShownFrame shown;
    shown.video = video;
    shown.frame = frame;
    shown.skeletons = std::move(skeletons);
    addStored(shown, labels, style, true);
    if (style.colorBy == ColorBy::Speed)
        addSpeeds(shown, labels);
    addInks(shown, labels, style);
    return shown;
}

}  // namespace skein::ui
