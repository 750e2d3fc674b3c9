// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <optional>
#include <tuple>

#include "ui/document.h"
#include "ui/widgets/table_order.h"

namespace skein::ui {

/// The suggested frames, one a row, in the order of the project. What is on a frame is looked up when a row is shown.
/// GUI thread only.
class SuggestionTableModel : public QAbstractTableModel, public LargeTable {
    Q_OBJECT
public:
    enum Column { Video, Frame, Group, Labelled, MeanScore, Reason, ColumnCount };

    SuggestionTableModel(const Document* document, QObject* parent);

    void setFirstFrameNumber(int number);  ///< 0 or 1: what frame index 0 is called
    /// Row of that frame, -1: it is not suggested.
    [[nodiscard]] int rowOf(int video, std::int64_t frame) const;
    struct Neighbour {
        int video;
        std::int64_t frame;
        bool wrapped;  ///< the end was passed
    };
    /// The suggestion after (direction 1) or before (-1) a place, by video and frame, around the end if need be;
    /// nullopt: there is none. O(log n).
    [[nodiscard]] std::optional<Neighbour> neighbour(int video, std::int64_t frame, int direction) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] std::shared_ptr<const TableRows> rowsForWorker() const override;

private:
    void rebuild();
    void readRows();
    const Document* m_document;
    std::shared_ptr<const TableRows> m_rows;                   ///< of the project as the table shows it
    std::vector<std::tuple<int, std::int64_t, int>> m_places;  ///< video, frame, row; ascending
    int m_firstNumber = 1;
};

}  // namespace skein::ui
