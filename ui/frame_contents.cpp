// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame_contents.h"

#include <algorithm>

#include "ui/theme.h"

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

int FrameContents::colorOf(const project::InstanceHeader& header, int place) const {
    if (m_view->colorBy() == ColorBy::Track) {
        if (header.track >= 0)
            return header.track % theme::kTrackColors;
        if (!m_document->labels().tracks().empty())
            return kNeutralColor;
    }
    return place % theme::kTrackColors;
}

void FrameContents::add(ShownFrame& shown, project::InstanceHeader header, std::vector<project::Point> points,
                        const project::Skeleton* skeleton) const {
    ShownInstance instance;
    instance.place = static_cast<int>(shown.instances.size());
    if (header.id == 0)
        header.id = kLiveId | static_cast<project::InstanceId>(instance.place + 1);
    instance.header = header;
    instance.points = std::move(points);
    instance.color = colorOf(header, instance.place);
    instance.trackName = trackName(header.track);
    instance.hidden = m_view->isHidden(header.id);
    instance.skeleton = skeleton;
    shown.instances.push_back(std::move(instance));
}

ShownFrame FrameContents::at(std::uint32_t video, std::int64_t frame) const {
    ShownFrame shown;
    shown.video = video;
    shown.frame = frame;
    shown.skeletons = m_skeletons;
    static const project::Skeleton kNoSkeleton;
    const auto skeletonOf = [this](const project::InstanceHeader& header) {
        return header.skeleton < m_skeletons->size() ? &(*m_skeletons)[header.skeleton] : &kNoSkeleton;
    };
    const project::FrameData* live = m_live.frame ? m_live.frame(video, frame) : nullptr;
    const project::Labels& labels = m_document->labels();
    if (const auto row = labels.findFrame(video, frame)) {
        const project::FrameView view = labels.frame(*row);
        std::vector<project::InstanceId> replaced;
        for (std::size_t i = 0; i < view.instanceCount(); ++i)
            if (view.instance(i).header->fromPredicted != 0)
                replaced.push_back(view.instance(i).header->fromPredicted);
        for (std::size_t i = 0; i < view.instanceCount(); ++i) {
            const project::InstanceView instance = view.instance(i);
            const bool predicted = instance.header->kind == project::InstanceKind::Predicted;
            if (predicted &&
                (live != nullptr || std::find(replaced.begin(), replaced.end(), instance.header->id) != replaced.end()))
                continue;
            add(shown, *instance.header, {instance.points.begin(), instance.points.end()},
                skeletonOf(*instance.header));
        }
    }
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
    return shown;
}

}  // namespace skein::ui
