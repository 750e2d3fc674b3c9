// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project_digest.h"

#include <algorithm>

#include "ui/bridge/background.h"

namespace skein::ui {

namespace {
struct Digest {
    std::vector<VideoCounts> counts;
    std::shared_ptr<TimelineData> timeline;
};

Digest digest(const project::Labels& labels, int shown) {
    Digest result;
    result.counts.resize(labels.videos().size());
    for (std::uint32_t video = 0; video < result.counts.size(); ++video) {
        // A frame with several records is one frame.
        std::int64_t last = -1;
        bool user = false, predicted = false;
        const auto count = [&counts = result.counts[video], &user, &predicted] {
            counts.userFrames += std::exchange(user, false) ? 1 : 0;
            counts.predictedFrames += std::exchange(predicted, false) ? 1 : 0;
        };
        for (const std::size_t row : labels.rowsOf(video)) {
            const project::FrameView frame = labels.frame(row);
            if (frame.frameIndex() != last)
                count();
            last = frame.frameIndex();
            for (std::size_t i = 0; i < frame.instanceCount(); ++i)
                (frame.instance(i).header->kind == project::InstanceKind::User ? user : predicted) = true;
        }
        count();
    }
    if (shown >= 0)
        result.timeline = std::make_shared<TimelineData>(timelineOf(labels, static_cast<std::uint32_t>(shown)));
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
    connect(document, &Document::changed, this, [this](const Change& change) {
        // Lists of skeletons and suggestions are not counted here.
        if ((change.kinds & (ChangeKinds(ChangeKind::Frames) | ChangeKind::Tracks | ChangeKind::Videos)) &&
            !takeIn(change))
            invalidate();
    });
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

/// Frames of the shown video, a few at most, while nothing else is waited for. False: a worker has to look.
bool ProjectDigest::takeIn(const Change& change) {
    constexpr std::int64_t kFew = 64;
    if (m_working || m_dirty || m_timeline == nullptr || change.kinds != ChangeKinds(ChangeKind::Frames) ||
        change.last < 0 || change.last - change.first >= kFew || static_cast<int>(change.video) != m_view->video() ||
        change.video >= m_counts.size())
        return false;
    const auto has = [](const std::vector<std::int64_t>& frames, std::int64_t frame) {
        return std::binary_search(frames.begin(), frames.end(), frame) ? 1 : 0;
    };
    VideoCounts& counts = m_counts[change.video];
    for (std::int64_t frame = change.first; frame <= change.last; ++frame) {
        counts.userFrames -= has(m_timeline->user, frame);
        counts.predictedFrames -= has(m_timeline->predicted, frame);
        m_timeline->refreshFrame(m_document->labels(), frame);
        counts.userFrames += has(m_timeline->user, frame);
        counts.predictedFrames += has(m_timeline->predicted, frame);
    }
    Q_EMIT updated();
    return true;
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
