// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <functional>
#include <memory>

#include "ui/tracks/issue_list.h"
#include "ui/widgets/table_order.h"

namespace skein::ui {

/// The issues, one a row, worst first. GUI thread only.
class IssueTableModel : public QAbstractTableModel, public LargeTable {
    Q_OBJECT
public:
    enum Column { Kind, Severity, Frame, Video, Reason, Repair, State, ColumnCount };

    IssueTableModel(const IssueList* list, const Document* document, QObject* parent);

    void setFirstFrameNumber(int number);
    /// Rows for open issues alone, or for all.
    void setOnlyOpen(bool onlyOpen);
    [[nodiscard]] int entryOf(int row) const;  ///< place in the list; -1: no such row
    [[nodiscard]] int rowOf(int entry) const;  ///< -1: it has no row

    [[nodiscard]] static QString kindName(proofread::IssueKind kind);
    /// What accepting would do, as a command; empty: a person has to see.
    [[nodiscard]] static QString repairName(const proofread::Issue& issue);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] std::shared_ptr<const TableRows> rowsForWorker() const override;

private:
    class Rows;
    void rebuild();

    const IssueList* m_list;
    const Document* m_document;
    std::shared_ptr<const Rows> m_rows;
    bool m_onlyOpen = true;
    int m_firstNumber = 1;
};

}  // namespace skein::ui
