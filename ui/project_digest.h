// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <memory>
#include <vector>

#include "ui/document.h"
#include "ui/timeline/timeline_data.h"
#include "ui/view_state.h"

namespace skein::ui {

/// Counts of one video.
struct VideoCounts {
    std::int64_t userFrames = 0;
    std::int64_t predictedFrames = 0;
};

/// What must be counted or collected over the whole project, kept up to date by a worker: counts of every video and the
/// timeline of the shown one. A change of a few frames of the shown video is taken in at once; after any other the old
/// figures stand until updated(). GUI thread only.
class ProjectDigest : public QObject {
    Q_OBJECT
public:
    ProjectDigest(Document* document, const ViewState* view, QObject* parent);

    [[nodiscard]] VideoCounts counts(int video) const;
    [[nodiscard]] VideoCounts total() const;
    /// Of the shown video; null while nothing is known.
    [[nodiscard]] std::shared_ptr<const TimelineData> timeline() const { return m_timeline; }
    [[nodiscard]] bool isUpToDate() const { return !m_working && !m_dirty; }

Q_SIGNALS:
    void updated();

private:
    void invalidate();
    bool takeIn(const Change& change);
    void work();

    Document* m_document;
    const ViewState* m_view;
    std::vector<VideoCounts> m_counts;
    std::shared_ptr<TimelineData> m_timeline;
    bool m_working = false;
    bool m_dirty = false;
};

}  // namespace skein::ui
