// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/instances_panel.h"

#include <QItemSelectionModel>
#include <QVBoxLayout>

namespace skein::ui {

InstancesPanel::InstancesPanel(ViewState* view, QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_model(new InstanceTableModel(this)),
      m_table(new PlainTable(QStringLiteral("instancesTable"), tr("Instances on this frame"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    m_table->setModel(m_model);
    m_table->setColumnWidths({4, 4, 5, 10, 5, 5, 6}, InstanceTableModel::Track);
    m_table->setEmptySentence(tr("No instances on this frame. Predict finds them."));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!m_selecting && current.isValid())
                    m_view->setSelected(current.data(InstanceTableModel::IdRole).toULongLong());
            });
    connect(view, &ViewState::selectionChanged, this, &InstancesPanel::selectRow);
}

void InstancesPanel::setFrame(const ShownFrame& frame) {
    m_selecting = true;
    m_model->setFrame(frame);
    m_selecting = false;
    selectRow();
}

void InstancesPanel::selectRow() {
    const int row = m_model->rowOf(m_view->selected());
    m_selecting = true;
    if (row < 0) {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    } else if (m_table->currentIndex().row() != row || !m_table->selectionModel()->isRowSelected(row)) {
        m_table->selectRow(row);
    }
    m_selecting = false;
}

}  // namespace skein::ui
