// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame_contents.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/ink.h"

namespace skein::ui {

FrameContents::FrameContents(Document* document, const ViewState* view, QObject* parent)
    : QObject(parent), m_document(document), m_view(view) {
    refreshSkeletons();
    connect(document, &Document::opened, this, &FrameContents::refreshSkeletons);
    connect(document, &Document::changed, this, [this](const Change& change) {
        if (change.kinds.testFlag(ChangeKind::Skeletons))
            refreshSkeletons();
    });
}

void FrameContents::refreshSkeletons() {
    m_skeletons = std::make_shared<const std::vector<project::Skeleton>>(m_document->labels().skeletons());
}

QString FrameContents::trackName(int track) const {
    if (track < 0)
        return {};
    const auto& tracks = m_document->labels().tracks();
    if (static_cast<std::size_t>(track) < tracks.size())
        return QString::fromStdString(tracks[static_cast<std::size_t>(track)].name);
    return m_live.trackName ? m_live.trackName(track) : QString();
}

void FrameContents::add(ShownFrame& shown, project::InstanceHeader header, std::vector<project::Point> points,
                        const project::Skeleton* skeleton) const {
    ShownInstance instance;
    instance.place = static_cast<int>(shown.instances.size());
    if (header.id == 0)
        header.id = kLiveId | static_cast<project::InstanceId>(instance.place + 1);
    instance.header = header;
    instance.points = std::move(points);
    instance.trackName = trackName(header.track);
    instance.hidden = m_view->isHidden(header.id) || (trackShown && header.track >= 0 && !trackShown(header.track));
    instance.skeleton = skeleton;
    shown.instances.push_back(std::move(instance));
}

void FrameContents::addStored(ShownFrame& shown, const project::Labels& labels, bool withPredictions) const {
    static const project::Skeleton kNoSkeleton;
    const auto row = labels.findFrame(shown.video, shown.frame);
    if (!row)
        return;
    const project::FrameView view = labels.frame(*row);
    std::vector<project::InstanceId> replaced;
    if (!m_view->style().replaced)
        for (std::size_t i = 0; i < view.instanceCount(); ++i)
            if (view.instance(i).header->fromPredicted != 0)
                replaced.push_back(view.instance(i).header->fromPredicted);
    for (std::size_t i = 0; i < view.instanceCount(); ++i) {
        const project::InstanceView instance = view.instance(i);
        const project::InstanceHeader& header = *instance.header;
        if (header.kind == project::InstanceKind::Predicted &&
            (!withPredictions || std::find(replaced.begin(), replaced.end(), header.id) != replaced.end()))
            continue;
        add(shown, header, {instance.points.begin(), instance.points.end()},
            header.skeleton < shown.skeletons->size() ? &(*shown.skeletons)[header.skeleton] : &kNoSkeleton);
    }
}

/// Speeds from the same track on the frame before or, where it is not there, on the one after: the mean way of the
/// nodes that are on both.
void FrameContents::addSpeeds(ShownFrame& shown, const project::Labels& labels) const {
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

void FrameContents::addInks(ShownFrame& shown) const {
    const bool tracks = !m_document->labels().tracks().empty();
    for (ShownInstance& instance : shown.instances)
        instance.color = instanceInk(instance, m_view->style(), tracks);
    if (trackInk && m_view->style().colorBy == ColorBy::Track)
        for (ShownInstance& instance : shown.instances)
            if (instance.header.track >= 0 && instance.color == instance.header.track)
                instance.color = trackInk(instance.header.track);
}

ShownFrame FrameContents::before(const project::Labels& labels, std::uint32_t video, std::int64_t frame) const {
    ShownFrame shown;
    shown.video = video;
    shown.frame = frame;
    shown.skeletons = std::make_shared<const std::vector<project::Skeleton>>(labels.skeletons());
    addStored(shown, labels, true);
    if (m_view->style().colorBy == ColorBy::Speed)
        addSpeeds(shown, labels);
    addInks(shown);
    return shown;
}

ShownFrame FrameContents::at(std::uint32_t video, std::int64_t frame) const {
    ShownFrame shown;
    shown.video = video;
    shown.frame = frame;
    shown.skeletons = m_skeletons;
    const project::FrameData* live = m_live.frame ? m_live.frame(video, frame) : nullptr;
    const project::Labels& labels = m_document->labels();
    addStored(shown, labels, live == nullptr);
    if (live != nullptr) {
        // The skeleton of a first run is not in the project yet; the frame keeps a list in which it is.
        auto skeletons = m_skeletons;
        for (const project::InstanceData& instance : live->instances) {
            if (instance.header.skeleton >= skeletons->size()) {
                auto grown = std::make_shared<std::vector<project::Skeleton>>(*m_skeletons);
                grown->resize(instance.header.skeleton + 1, m_live.skeleton());
                skeletons = std::move(grown);
                for (ShownInstance& earlier : shown.instances)
                    earlier.skeleton =
                        &(*skeletons)[std::min<std::size_t>(earlier.header.skeleton, skeletons->size() - 1)];
                shown.skeletons = skeletons;
            }
            add(shown, instance.header, instance.points, &(*skeletons)[instance.header.skeleton]);
        }
    }
    if (m_view->style().colorBy == ColorBy::Speed)
        addSpeeds(shown, labels);
    addInks(shown);
    return shown;
}

}  // namespace skein::ui
