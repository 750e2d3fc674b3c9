// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/instances_panel.h"

#include <QAction>
#include <QItemSelectionModel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/document.h"
#include "ui/edit/editor.h"
#include "ui/panels/track_delegate.h"
#include "ui/theme.h"

namespace skein::ui {

InstancesPanel::InstancesPanel(const Document* document, ViewState* view, Editor* editor,
                               const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_model(new InstanceTableModel(this)),
      m_table(new PlainTable(QStringLiteral("instancesTable"), tr("Instances on this frame"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
    row->setSpacing(theme::kGrid);
    for (QAction* action : actions) {
        auto* button = new QToolButton(this);
        button->setObjectName(action->objectName() + QStringLiteral("PanelButton"));
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        row->addWidget(button);
    }
    row->addStretch();
    column->addLayout(row);
    column->addWidget(m_table, 1);
    m_table->setModel(m_model);
    m_table->setColumnWidths({4, 4, 4, 10, 5, 5, 6, 2}, InstanceTableModel::Track);
    m_table->setEmptySentence(tr("No instances on this frame. Ctrl+I adds one, Predict finds them."));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setCellsEditable();
    m_table->setCopyLeftToWindow();
    m_table->setItemDelegateForColumn(InstanceTableModel::Track, new TrackDelegate(document, editor, this));
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &InstancesPanel::takeSelection);
    connect(m_table, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() != InstanceTableModel::Eye)
            return;
        const auto id = static_cast<project::InstanceId>(index.data(InstanceTableModel::IdRole).toULongLong());
        m_view->setHidden(id, !m_view->isHidden(id));
    });
    connect(view, &ViewState::selectionChanged, this, &InstancesPanel::selectRows);
}

void InstancesPanel::setFrame(const ShownFrame& frame) {
    m_selecting = true;
    m_model->setFrame(frame);
    m_selecting = false;
    selectRows();
}

/// What was selected first stays first, so that a merge keeps the instance that the person began with.
void InstancesPanel::takeSelection() {
    if (m_selecting)
        return;
    std::vector<project::InstanceId> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(index.data(InstanceTableModel::IdRole).toULongLong());
    std::vector<project::InstanceId> next;
    for (const project::InstanceId id : m_view->selection())
        if (std::find(rows.begin(), rows.end(), id) != rows.end())
            next.push_back(id);
    for (const project::InstanceId id : rows)
        if (std::find(next.begin(), next.end(), id) == next.end())
            next.push_back(id);
    m_view->setSelection(std::move(next));
}

void InstancesPanel::selectRows() {
    QItemSelection wanted;
    int current = -1;
    for (const project::InstanceId id : m_view->selection())
        if (const int row = m_model->rowOf(id); row >= 0) {
            wanted.select(m_model->index(row, 0), m_model->index(row, InstanceTableModel::ColumnCount - 1));
            current = row;
        }
    m_selecting = true;
    QItemSelectionModel* selection = m_table->selectionModel();
    if (wanted.isEmpty()) {
        selection->clear();
    } else {
        selection->select(wanted, QItemSelectionModel::ClearAndSelect);
        if (m_table->currentIndex().row() != current) {
            const int columnNow = std::max(0, m_table->currentIndex().column());
            selection->setCurrentIndex(m_model->index(current, columnNow), QItemSelectionModel::NoUpdate);
        }
    }
    m_selecting = false;
}

}  // namespace skein::ui
