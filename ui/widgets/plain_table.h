// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTableView>

namespace skein::ui {

/// A table as all docks have it: rows of one height, no grid, whole rows selected, a sentence where it is empty, and
/// Ctrl+C copies the selected rows as tab-separated text.
class PlainTable : public QTableView {
    Q_OBJECT
public:
    PlainTable(const QString& objectName, const QString& accessibleName, QWidget* parent);

    void setEmptySentence(const QString& sentence);
    /// Width of each column in characters; the column named `stretch` takes the rest.
    void setColumnWidths(const QList<int>& characters, int stretch);
    /// Single cells are current, and what the model lets be edited is by double click, F2 or Enter; Tab goes on to the
    /// next one.
    void setCellsEditable();
    /// Ctrl+C is left to the window, which has something better to copy than the row.
    void setCopyLeftToWindow() { m_copies = false; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void copySelection() const;
    QString m_emptySentence;
    bool m_copies = true;
};

}  // namespace skein::ui
