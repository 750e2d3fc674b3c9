// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "ui/models/history_table_model.h"
#include "ui/widgets/plain_table.h"

namespace skein::ui {

/// Dock "History": one row a step; a click takes the project to the state after that step.
class HistoryPanel : public QWidget {
    Q_OBJECT
public:
    HistoryPanel(Document* document, QWidget* parent);
    [[nodiscard]] HistoryTableModel* model() const { return m_model; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void showCurrent();
    Document* m_document;
    HistoryTableModel* m_model;
    PlainTable* m_table;
};

}  // namespace skein::ui
