// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractProxyModel>
#include <memory>
#include <stop_token>
#include <vector>

namespace skein::ui {

/// Role under which a model gives what a cell is sorted by (a number or a text); without it the text that is shown
/// counts, as a number where every cell begins with one.
inline constexpr int kSortRole = Qt::UserRole + 900;

/// The rows of a table as a value that a worker may read while the table goes on. Immutable.
class TableRows {
public:
    TableRows() = default;
    TableRows(const TableRows&) = delete;
    TableRows& operator=(const TableRows&) = delete;
    virtual ~TableRows() = default;
    [[nodiscard]] virtual int count() const = 0;
    [[nodiscard]] virtual bool isNumber(int column) const = 0;
    [[nodiscard]] virtual double number(int row, int column) const = 0;  ///< for sorting; NaN: nothing, comes last
    [[nodiscard]] virtual QString text(int row, int column) const = 0;   ///< as shown
};

/// A model that may have very many rows: its table is sorted and filtered by a worker.
class LargeTable {
public:
    LargeTable() = default;
    LargeTable(const LargeTable&) = delete;
    LargeTable& operator=(const LargeTable&) = delete;
    virtual ~LargeTable() = default;
    [[nodiscard]] virtual std::shared_ptr<const TableRows> rowsForWorker() const = 0;
};

/// Sorts and filters a flat model for PlainTable. Without order and filter it passes everything through and costs
/// nothing. The rows of a LargeTable are ordered by a worker, the old order standing until that is done; other models
/// are taken to be small. While inactive it does nothing and catches up later. GUI thread only.
class TableOrder : public QAbstractProxyModel {
    Q_OBJECT
public:
    explicit TableOrder(QObject* parent);
    ~TableOrder() override;

    void setSourceModel(QAbstractItemModel* model) override;
    /// column -1: the order of the model.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    /// Only rows of which some cell contains the text, whatever its case; empty: all.
    void setFilter(const QString& text);
    [[nodiscard]] const QString& filter() const { return m_filter; }
    /// Inactive: nobody sees the table.
    void setActive(bool active);
    [[nodiscard]] bool isWorking() const { return m_working; }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QModelIndex mapToSource(const QModelIndex& index) const override;
    QModelIndex mapFromSource(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void ordered();         ///< the order that was asked for is there
    void workingChanged();  ///< isWorking()

private:
    [[nodiscard]] bool isPlain() const { return m_column < 0 && m_filter.isEmpty(); }
    void refresh();
    void structureChanged();
    void apply(std::vector<int> order, bool plain);
    void setWorking(bool working);

    std::vector<int> m_order;  ///< model row of each row; unused while m_passing
    std::vector<int> m_place;  ///< row of each model row, -1 filtered out; unused while m_passing
    bool m_passing = true;     ///< rows are those of the model
    int m_column = -1;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    QString m_filter;
    bool m_active = true;
    bool m_stale = false;
    bool m_working = false;
    bool m_again = false;  ///< asked for something else while working
    std::stop_source m_stop;
};

}  // namespace skein::ui
