// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame_contents.h"

#include <algorithm>

#include "ui/stored_frame.h"

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
    instance.skeleton = skeleton;
    shown.instances.push_back(std::move(instance));
}

void FrameContents::finish(ShownFrame& shown, const project::Labels& labels) const {
    for (ShownInstance& instance : shown.instances)
        instance.hidden = m_view->isHidden(instance.header.id) ||
                          (trackShown && instance.header.track >= 0 && !trackShown(instance.header.track));
    if (m_view->style().colorBy == ColorBy::Speed)
        addSpeeds(shown, labels);
    addInks(shown, m_document->labels(), m_view->style());
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
    addStored(shown, labels, m_view->style(), true);
    finish(shown, labels);
    return shown;
}

ShownFrame FrameContents::at(std::uint32_t video, std::int64_t frame) const {
    ShownFrame shown;
    shown.video = video;
    shown.frame = frame;
    shown.skeletons = m_skeletons;
    const project::FrameData* live = m_live.frame ? m_live.frame(video, frame) : nullptr;
    const project::Labels& labels = m_document->labels();
    addStored(shown, labels, m_view->style(), live == nullptr);
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
    finish(shown, labels);
    return shown;
}

}  // namespace skein::ui
