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
#include "ui/widgets/table_order.h"

namespace skein::ui {

InstancesPanel::InstancesPanel(const Document* document, ViewState* view, Editor* editor,
                               const QList<QAction*>& actions, std::function<const ShownFrame&()> shown,
                               QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_model(new InstanceTableModel(this)),
      m_table(new PlainTable(QStringLiteral("instancesTable"), tr("Instances on this frame"), this)),
      m_shown(std::move(shown)) {
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
    // Names of tracks and the eyes are to be seen at the dock's usual width; who wants more numbers chooses the column.
    m_table->setColumnHidden(InstanceTableModel::HiddenNodes, true);
    m_table->setColumnWidths(
        {5, 4, 5, 10, 4, 4, 4, 5, 2, 2}, InstanceTableModel::Track,
        {InstanceTableModel::NodeScore, InstanceTableModel::TrackingScore, InstanceTableModel::HiddenNodes});
    m_table->setEmptySentence(tr("No instances on this frame. Ctrl+I adds one, Predict finds them."));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setCellsEditable();
    m_table->setCopyLeftToWindow();
    m_table->setItemDelegateForColumn(InstanceTableModel::Track, new TrackDelegate(document, editor, this));
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &InstancesPanel::takeSelection);
    connect(m_table, &QAbstractItemView::clicked, this, &InstancesPanel::clicked);
    // Rows in another order are the same instances.
    connect(m_table->order(), &TableOrder::ordered, this, &InstancesPanel::selectRows);
    connect(view, &ViewState::selectionChanged, this, &InstancesPanel::selectRows);
}

void InstancesPanel::setFrame(const ShownFrame& frame) {
    if (m_stale = !isVisible(); m_stale)
        return;
    m_selecting = true;
    m_model->setFrame(frame);
    m_selecting = false;
    selectRows();
}

void InstancesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale)
        setFrame(m_shown());
}

void InstancesPanel::clicked(const QModelIndex& cell) {
    const auto id = static_cast<project::InstanceId>(cell.data(InstanceTableModel::IdRole).toULongLong());
    if (cell.column() == InstanceTableModel::Eye) {
        m_view->setHidden(id, !m_view->isHidden(id));
    } else if (cell.column() == InstanceTableModel::Only) {
        // Alone already: all come back.
        const bool alone = m_model->isAlone(id);
        for (const ShownInstance& instance : ShownFrame(m_model->frame()).instances)
            m_view->setHidden(instance.header.id, !alone && instance.header.id != id);
    }
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
    if (m_stale || m_selecting)
        return;
    QItemSelection wanted;
    QModelIndex current;
    for (const project::InstanceId id : m_view->selection())
        if (const int row = m_model->rowOf(id); row >= 0)
            if (const QModelIndex at = m_table->fromModel(m_model->index(row, 0)); at.isValid()) {
                wanted.select(at, at.siblingAtColumn(InstanceTableModel::ColumnCount - 1));
                current = at;
            }
    m_selecting = true;
    QItemSelectionModel* selection = m_table->selectionModel();
    if (wanted.isEmpty()) {
        selection->clear();
    } else {
        selection->select(wanted, QItemSelectionModel::ClearAndSelect);
        if (m_table->currentIndex().row() != current.row())
            selection->setCurrentIndex(current.siblingAtColumn(std::max(0, m_table->currentIndex().column())),
                                       QItemSelectionModel::NoUpdate);
    }
    m_selecting = false;
}

}  // namespace skein::ui
