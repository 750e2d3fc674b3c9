// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTableView>

class QLineEdit;

namespace skein::ui {

class TableOrder;

/// A table as all docks have it: rows of one height, no grid, whole rows selected, a sentence where it is empty. A
/// click on a header sorts (a third one goes back to the model's order), "/" opens a line to filter by, letters search,
/// the header's menu chooses columns, and Ctrl+C copies the selected rows as tab-separated text. Columns and order are
/// remembered under the objectName.
///
/// model() is the ordered view of the model that was set (TableOrder); indices of that model go through fromModel() and
/// toModel(). While the table is hidden it orders nothing.
class PlainTable : public QTableView {
    Q_OBJECT
public:
    PlainTable(const QString& objectName, const QString& accessibleName, QWidget* parent);
    ~PlainTable() override;

    void setModel(QAbstractItemModel* model) override;
    [[nodiscard]] TableOrder* order() const { return m_order; }
    [[nodiscard]] QModelIndex fromModel(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex toModel(const QModelIndex& index) const;
    /// Rows of the model that are selected, in the order shown.
    [[nodiscard]] QList<int> selectedModelRows() const;
    /// Selects that row of the model alone; -1, or a row that is filtered out: none.
    void selectModelRow(int row);

    void setEmptySentence(const QString& sentence);
    /// Width of each column in characters; the column named `stretch` takes the rest. Those in `aside` are hidden until
    /// somebody chooses them in the header's menu.
    void setColumnWidths(const QList<int>& characters, int stretch, const QList<int>& aside = {});
    /// Single cells are current, and what the model lets be edited is by double click, F2 or Enter; Tab goes on to the
    /// next one.
    void setCellsEditable();
    /// Ctrl+C is left to the window, which has something better to copy than the row, and so are letters, since they
    /// are keys for what is on the frame.
    void setCopyLeftToWindow() { m_copies = false; }
    /// Letters are left to the window; Ctrl+C copies rows all the same.
    void setLettersLeftToWindow() { m_searches = false; }
    /// The rows have an order that means something, e.g. headings among them.
    void setFixedOrder();
    /// The filter lies elsewhere, e.g. in a panel's own line.
    void setFilter(const QString& text);
    void openFilter();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void updateGeometries() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void copySelection() const;
    void closeFilter();
    void showColumnMenu(const QPoint& at);
    void restoreColumns();
    [[nodiscard]] int titleWidth(int column) const;
    void storeColumns() const;
    [[nodiscard]] bool isEditableNow() const;

    TableOrder* m_order;
    QLineEdit* m_filter;
    QString m_emptySentence;
    bool m_copies = true;
    bool m_searches = true;
    bool m_sortable = true;
    bool m_restored = false;
    bool m_inGeometries = false;
};

}  // namespace skein::ui
