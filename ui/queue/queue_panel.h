// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QWidget>
#include <vector>

#include "ui/queue/queue_controller.h"

class QAction;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace skein::ui {

class PlainTable;
class QueueTableModel;

/// The queue in the dock Jobs: its rows, what is going on, and what comes after it. While hidden it keeps still.
class QueuePanel : public QWidget {
    Q_OBJECT
public:
    /// `actions`: predictFolder, then those of the queue in the order of the buttons and the menu.
    QueuePanel(QueueController* queue, const QList<QAction*>& actions, QWidget* parent);

    [[nodiscard]] QueueTableModel* model() const { return m_model; }
    [[nodiscard]] std::vector<QueueRow> selectedRows() const;
    /// Sleep is not to be had, and why; empty: it is.
    void setSleepProblem(const QString& why);

Q_SIGNALS:
    void seen();  ///< for the first time
    void selectionChanged();
    void resultWanted();  ///< double click
    void freshWanted();   ///< the queue's file cannot be read: begin anew

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void refreshWords();
    void showMenu(const QPoint& at);
    void select(const std::vector<QueueRow>& rows);

    QueueController* m_queue;
    QList<QAction*> m_actions;
    QueueTableModel* m_model;
    QStackedWidget* m_pages;
    PlainTable* m_table;
    QLabel *m_counts = nullptr, *m_now, *m_detail, *m_problemIcon, *m_problem;
    QWidget *m_problemBox, *m_fresh;
    QComboBox* m_after;
    bool m_refreshing = false, m_seen = false;
};

}  // namespace skein::ui
