// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <functional>
#include <memory>
#include <vector>

#include "ui/tracks/track_summary.h"
#include "ui/widgets/table_order.h"

namespace skein::ui {

class ProofreadState;

/// The tracks of the shown video, one a row, with what is known of each. GUI thread only.
class TrackTableModel : public QAbstractTableModel, public LargeTable {
    Q_OBJECT
public:
    enum Column {
        Color,
        Name,
        First,
        Last,
        Frames,
        Coverage,
        Fragments,
        Gaps,
        LongestGap,
        MeanScore,
        MinScore,
        TrackingScore,
        UserFrames,
        MeanSpeed,
        MaxJump,
        MaxJumpBodies,
        Encounters,
        Issues,
        Reviewed,
        ColumnCount
    };

    TrackTableModel(const ProofreadState* state, QObject* parent);

    /// `names` and `openIssues` by track index.
    void setTracks(TrackSummaries summaries, std::vector<QString> names, std::int64_t videoFrames);
    void setIssues(std::vector<int> openIssues, std::int64_t all);
    void setFirstFrameNumber(int number);
    [[nodiscard]] int trackOf(int row) const;  ///< -1: no such row
    [[nodiscard]] int rowOf(int track) const;
    [[nodiscard]] const TrackSummary& summary(int row) const;
    /// All tracks in one line.
    [[nodiscard]] QString totals() const;

    /// The person gave a track another name.
    std::function<void(int track, const QString& name)> rename;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] std::shared_ptr<const TableRows> rowsForWorker() const override;

private:
    class Rows;
    void rebuild();

    const ProofreadState* m_state;
    std::shared_ptr<const TrackSummaries> m_summaries;
    std::shared_ptr<const std::vector<QString>> m_names;
    std::vector<int> m_issues;
    std::int64_t m_allIssues = 0;  ///< an issue of two tracks is one
    std::int64_t m_videoFrames = 0;
    std::shared_ptr<const Rows> m_rows;
    int m_firstNumber = 1;
};

}  // namespace skein::ui
