// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/document.h"
#include "ui/timeline/pyramid.h"
#include "ui/timeline/statistic.h"
#include "ui/view_state.h"

namespace skein::ui {

/// A statistic in words.
struct StatisticName {
    Statistic statistic;
    const char* id;      ///< for settings and objectNames
    const char* action;  ///< row of the action table that shows it
    QString title;
    QString unit;              ///< empty: a plain number
    bool needsTracks = false;  ///< without any it has nothing to say
};
[[nodiscard]] const std::vector<StatisticName>& statisticNames();
[[nodiscard]] const StatisticName& nameOf(Statistic statistic);

/// The statistics that are shown of the shown video, up to three, computed by a worker and kept up to date: after an
/// edit of some frames only what depends on them is computed again. GUI thread only.
class StatisticSeries : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMost = 3;

    StatisticSeries(const Document* document, const ViewState* view, QObject* parent);

    struct Series {
        StatisticRequest request;
        std::shared_ptr<const MinMaxPyramid> values;  ///< by frame; null: being computed for the first time
    };
    [[nodiscard]] const std::vector<Series>& series() const { return m_series; }
    /// From top to bottom; those beyond kMost are left out.
    void show(const std::vector<Statistic>& statistics);
    /// The track that TrackSpeed means; -1: none.
    void setTrack(int track);
    [[nodiscard]] bool isUpToDate() const { return !m_working && m_dirty.empty(); }
    /// How many frames have been computed since the start, over all statistics: for tests of what an edit costs.
    [[nodiscard]] std::int64_t framesComputed() const { return m_computed; }

Q_SIGNALS:
    void changed();

private:
    struct Stretch {
        std::int64_t first, last;  ///< frames
    };
    void restart();
    void request(std::size_t place);
    void take(const Change& change);
    void work();

    const Document* m_document;
    const ViewState* m_view;
    std::vector<Series> m_series;
    project::Labels m_known;                      ///< what the values were computed from
    std::vector<std::optional<Stretch>> m_dirty;  ///< for each series; empty: nothing is to be done
    std::uint64_t m_generation = 0;
    std::int64_t m_frames = 0;
    std::int64_t m_computed = 0;
    int m_track = -1;
    bool m_working = false;
};

}  // namespace skein::ui
