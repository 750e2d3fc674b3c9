// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "ui/tracks/issue_table_model.h"
#include "ui/widgets/plain_table.h"

class QAction;
class QCheckBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace skein::ui {

class ProgressLine;

/// Dock "Issues": what a person should look at, and how far the review is. GUI thread only.
class IssuesPanel : public QWidget {
    Q_OBJECT
public:
    struct Actions {
        QAction* find;
        QAction* accept;
        QAction* dismiss;
        QAction* reopen;
        QAction* previous;
        QAction* next;
    };
    IssuesPanel(IssueList* list, const Document* document, const Actions& actions, QWidget* parent);

    [[nodiscard]] IssueTableModel* model() const { return m_model; }
    [[nodiscard]] PlainTable* table() const { return m_table; }
    /// The issue under review: its row is the current one, and its reason stands below; -1: none.
    void setCurrent(int entry);
    /// The places in the list, from the top of the table to its end: as it is sorted and filtered.
    [[nodiscard]] std::vector<int> shownOrder() const;
    /// The place shortly before and shortly after; null: not known.
    static constexpr int kPictureWidth = 176, kPictureHeight = 132;
    void setPictures(const QPixmap& before, const QPixmap& after);

Q_SIGNALS:
    void entryWanted(int entry);  ///< the person picked a row

private:
    void showState();

    IssueList* m_list;
    IssueTableModel* m_model;
    QStackedWidget* m_pages;
    PlainTable* m_table;
    QWidget* m_empty;
    ProgressLine* m_progress;
    QPushButton* m_stop;
    QWidget* m_searching;
    QLabel* m_reviewed;
    QLabel* m_reason;
    QWidget* m_pictures;
    QLabel* m_before;
    QLabel* m_after;
    QCheckBox* m_all;
    int m_current = -1;
};

}  // namespace skein::ui
