// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project_digest.h"

#include "ui/bridge/background.h"

namespace skein::ui {

namespace {
struct Digest {
    std::vector<VideoCounts> counts;
    std::shared_ptr<const TimelineData> timeline;
};

Digest digest(const project::Labels& labels, int shown) {
    Digest result;
    result.counts.resize(labels.videos().size());
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        if (frame.video() >= result.counts.size())
            continue;
        bool user = false, predicted = false;
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            (frame.instance(i).header->kind == project::InstanceKind::User ? user : predicted) = true;
        result.counts[frame.video()].userFrames += user ? 1 : 0;
        result.counts[frame.video()].predictedFrames += predicted ? 1 : 0;
    }
    if (shown >= 0)
        result.timeline = std::make_shared<const TimelineData>(timelineOf(labels, static_cast<std::uint32_t>(shown)));
    return result;
}
}  // namespace

ProjectDigest::ProjectDigest(Document* document, const ViewState* view, QObject* parent)
    : QObject(parent), m_document(document), m_view(view) {
    connect(document, &Document::opened, this, [this] {
        m_counts.clear();
        m_timeline = nullptr;
        Q_EMIT updated();
        invalidate();
    });
    connect(document, &Document::changed, this, &ProjectDigest::invalidate);
    connect(view, &ViewState::videoChanged, this, [this] {
        m_timeline = nullptr;
        invalidate();
    });
}

VideoCounts ProjectDigest::counts(int video) const {
    return video >= 0 && static_cast<std::size_t>(video) < m_counts.size() ? m_counts[static_cast<std::size_t>(video)]
                                                                           : VideoCounts{};
}

VideoCounts ProjectDigest::total() const {
    VideoCounts all;
    for (const VideoCounts& c : m_counts) {
        all.userFrames += c.userFrames;
        all.predictedFrames += c.predictedFrames;
    }
    return all;
}

void ProjectDigest::invalidate() {
    m_dirty = true;
    if (!m_working)
        work();
}

void ProjectDigest::work() {
    m_dirty = false;
    m_working = true;
    inBackground(
        this,
        [labels = m_document->snapshot(), shown = m_view->video()]() -> Result<Digest> {
            return digest(labels, shown);
        },
        [this](Result<Digest> result) {
            m_working = false;
            if (m_dirty) {  // overtaken meanwhile
                work();
                return;
            }
            if (!result)
                return;
            m_counts = std::move(result->counts);
            m_timeline = std::move(result->timeline);
            Q_EMIT updated();
        });
}

}  // namespace skein::ui
