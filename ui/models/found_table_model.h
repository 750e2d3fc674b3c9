// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>

#include "engine/project/find.h"
#include "ui/document.h"
#include "ui/widgets/table_order.h"

namespace skein::ui {

using FoundFrames = std::shared_ptr<const std::vector<project::FoundFrame>>;

/// Frames that a search found, one a row. GUI thread only.
class FoundTableModel : public QAbstractTableModel, public LargeTable {
    Q_OBJECT
public:
    enum Column { Video, Frame, Instances, ColumnCount };

    FoundTableModel(const Document* document, QObject* parent);
    void setFrames(FoundFrames frames, int firstFrameNumber);
    [[nodiscard]] const std::vector<project::FoundFrame>& frames() const { return *m_frames; }
    [[nodiscard]] int rowOf(int video, std::int64_t frame) const;  ///< -1: not found there

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] std::shared_ptr<const TableRows> rowsForWorker() const override { return m_rows; }

private:
    const Document* m_document;
    FoundFrames m_frames;
    std::shared_ptr<const TableRows> m_rows;
};

}  // namespace skein::ui
