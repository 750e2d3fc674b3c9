// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/history_panel.h"

#include <QVBoxLayout>

namespace skein::ui {

HistoryPanel::HistoryPanel(Document* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_model(new HistoryTableModel(document, this)),
      m_table(new PlainTable(QStringLiteral("historyTable"), tr("Steps since the project was opened"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    m_table->setModel(m_model);
    m_table->setColumnWidths({7, 20, 4}, HistoryTableModel::Step);
    m_table->setLettersLeftToWindow();
    const auto go = [this](const QModelIndex& index) {
        const int row = m_table->toModel(index).row();
        if (row >= 0 && row != m_model->current())
            m_document->goToStep(row);
    };
    connect(m_table, &QAbstractItemView::clicked, this, go);
    connect(m_table, &QAbstractItemView::activated, this, go);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &HistoryPanel::showCurrent);
}

void HistoryPanel::showCurrent() {
    if (!isVisible())
        return;
    const QModelIndex now = m_table->fromModel(m_model->index(m_model->current(), HistoryTableModel::Step));
    if (!now.isValid())
        return;
    m_table->setCurrentIndex(now);
    m_table->selectRow(now.row());
    m_table->scrollTo(now);
}

void HistoryPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showCurrent();
}

}  // namespace skein::ui
