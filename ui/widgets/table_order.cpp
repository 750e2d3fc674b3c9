// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "engine/video/video_source.h"
#include "ui/bridge/background.h"

namespace skein::ui {

namespace {

/// The number that a text begins with ("1,100 px"), NaN for an empty one; false: it begins with something else.
bool leadingNumber(const QString& text, double& number) {
    number = std::numeric_limits<double>::quiet_NaN();
    QString digits;
    for (const QChar c : text.trimmed()) {
        if (c.isDigit() || c == QLatin1Char('.') || (digits.isEmpty() && c == QLatin1Char('-')))
            digits += c;
        else if (c != QLatin1Char(','))
            break;
    }
    bool ok = text.isEmpty() || text == QStringLiteral("\u2013");
    if (!ok)
        number = digits.toDouble(&ok);
    return ok;
}

/// Rows of a small model, read here and now.
class ReadRows : public TableRows {
public:
    ReadRows(const QAbstractItemModel& model, int sortColumn) : m_columns(model.columnCount()) {
        m_rows = model.rowCount();
        bool numbers = sortColumn >= 0;
        for (int row = 0; row < m_rows; ++row) {
            for (int column = 0; column < m_columns; ++column)
                m_texts.push_back(model.index(row, column).data().toString());
            if (sortColumn < 0)
                continue;
            const QModelIndex cell = model.index(row, sortColumn);
            QVariant key = cell.data(kSortRole);
            if (!key.isValid() && m_texts[at(row, sortColumn)].isEmpty())
                key = cell.data(Qt::CheckStateRole);
            double number = std::numeric_limits<double>::quiet_NaN();
            bool isOne = false;
            if (key.isValid() && key.typeId() != QMetaType::QString)
                number = key.toDouble(&isOne);
            else
                isOne = leadingNumber(key.isValid() ? key.toString() : cell.data().toString(), number);
            m_keyTexts.push_back(key.typeId() == QMetaType::QString ? key.toString() : cell.data().toString());
            m_numbers.push_back(number);
            numbers = numbers && isOne;
        }
        m_isNumber = numbers;
    }
    [[nodiscard]] int count() const override { return m_rows; }
    [[nodiscard]] bool isNumber(int) const override { return m_isNumber; }
    [[nodiscard]] double number(int row, int) const override { return m_numbers[static_cast<std::size_t>(row)]; }
    [[nodiscard]] QString text(int row, int column) const override { return m_texts[at(row, column)]; }
    [[nodiscard]] const QString& keyText(int row) const { return m_keyTexts[static_cast<std::size_t>(row)]; }

private:
    [[nodiscard]] std::size_t at(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns) + static_cast<std::size_t>(column);
    }
    int m_rows = 0, m_columns;
    bool m_isNumber = false;
    std::vector<QString> m_texts, m_keyTexts;
    std::vector<double> m_numbers;
};

struct Wish {
    int column;
    Qt::SortOrder direction;
    QString filter;
    int columns;
};

constexpr int kRowsPerLook = 4096;

/// Model rows in the order wished for; what was stopped is empty.
std::vector<int> orderOf(const TableRows& rows, const Wish& wish, const std::stop_token& stop) {
    std::vector<int> order;
    order.reserve(static_cast<std::size_t>(rows.count()));
    for (int row = 0; row < rows.count(); ++row) {
        if (row % kRowsPerLook == 0 && stop.stop_requested())
            return {};
        bool is = wish.filter.isEmpty();
        for (int column = 0; !is && column < wish.columns; ++column)
            is = rows.text(row, column).contains(wish.filter, Qt::CaseInsensitive);
        if (is)
            order.push_back(row);
    }
    if (wish.column < 0)
        return order;
    const bool descending = wish.direction == Qt::DescendingOrder;
    if (rows.isNumber(wish.column)) {
        std::vector<std::pair<double, int>> keys;
        keys.reserve(order.size());
        for (const int row : order)
            keys.emplace_back(rows.number(row, wish.column), row);
        if (stop.stop_requested())
            return {};
        std::stable_sort(keys.begin(), keys.end(), [descending](const auto& a, const auto& b) {
            if (std::isnan(a.first) || std::isnan(b.first))
                return !std::isnan(a.first) && std::isnan(b.first);
            return descending ? a.first > b.first : a.first < b.first;
        });
        std::transform(keys.begin(), keys.end(), order.begin(), [](const auto& key) { return key.second; });
        return order;
    }
    const auto* read = dynamic_cast<const ReadRows*>(&rows);
    // Equal texts are compared once: a column of a million rows has few different ones.
    std::map<QString, int> rank;
    std::vector<QString> texts;
    texts.reserve(order.size());
    for (const int row : order) {
        texts.push_back(read != nullptr ? read->keyText(row) : rows.text(row, wish.column));
        rank.emplace(texts.back(), 0);
    }
    // Numbers in texts count as numbers, and case does not.
    struct Distinct {
        std::string folded;
        int* rank;
    };
    std::vector<Distinct> distinct;
    for (auto& [known, place] : rank)
        distinct.push_back({known.toCaseFolded().toStdString(), &place});
    std::stable_sort(distinct.begin(), distinct.end(), [](const Distinct& one, const Distinct& other) {
        return video::naturallyBefore(one.folded, other.folded);
    });
    for (std::size_t i = 0; i < distinct.size(); ++i)
        *distinct[i].rank = static_cast<int>(i);
    if (stop.stop_requested())
        return {};
    std::vector<std::pair<int, int>> keys;
    keys.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        keys.emplace_back(rank.at(texts[i]), order[i]);
    std::stable_sort(keys.begin(), keys.end(), [descending](const auto& a, const auto& b) {
        return descending ? a.first > b.first : a.first < b.first;
    });
    std::transform(keys.begin(), keys.end(), order.begin(), [](const auto& key) { return key.second; });
    return order;
}

}  // namespace

TableOrder::TableOrder(QObject* parent) : QAbstractProxyModel(parent) {}

TableOrder::~TableOrder() {
    m_stop.request_stop();
}

void TableOrder::setSourceModel(QAbstractItemModel* model) {
    beginResetModel();
    if (sourceModel() != nullptr)
        disconnect(sourceModel(), nullptr, this, nullptr);
    QAbstractProxyModel::setSourceModel(model);
    m_passing = true;
    if (model != nullptr) {
        connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { beginResetModel(); });
        connect(model, &QAbstractItemModel::modelReset, this, [this] {
            // Until the rows are ordered again they come as they are.
            m_passing = true;
            endResetModel();
            structureChanged();
        });
        // Rows of a small model that come and go: passed through, or a new order.
        connect(model, &QAbstractItemModel::rowsAboutToBeInserted, this,
                [this](const QModelIndex&, int first, int last) {
                    if (m_passing)
                        beginInsertRows({}, first, last);
                    else
                        beginResetModel();
                });
        connect(model, &QAbstractItemModel::rowsInserted, this, [this] {
            if (m_passing) {
                endInsertRows();
            } else {
                m_passing = true;
                endResetModel();
            }
            structureChanged();
        });
        connect(model, &QAbstractItemModel::rowsAboutToBeRemoved, this,
                [this](const QModelIndex&, int first, int last) {
                    if (m_passing)
                        beginRemoveRows({}, first, last);
                    else
                        beginResetModel();
                });
        connect(model, &QAbstractItemModel::rowsRemoved, this, [this] {
            if (m_passing) {
                endRemoveRows();
            } else {
                m_passing = true;
                endResetModel();
            }
            structureChanged();
        });
        connect(model, &QAbstractItemModel::dataChanged, this,
                [this](const QModelIndex& from, const QModelIndex& to, const QList<int>& roles) {
                    if (rowCount() == 0)
                        return;
                    if (m_passing) {
                        Q_EMIT dataChanged(index(from.row(), from.column()), index(to.row(), to.column()), roles);
                        return;
                    }
                    Q_EMIT dataChanged(index(0, from.column()), index(rowCount() - 1, to.column()), roles);
                    structureChanged();
                });
        connect(model, &QAbstractItemModel::headerDataChanged, this, &QAbstractItemModel::headerDataChanged);
    }
    endResetModel();
    structureChanged();
}

void TableOrder::sort(int column, Qt::SortOrder order) {
    if (column == m_column && order == m_direction)
        return;
    m_column = column;
    m_direction = order;
    refresh();
}

void TableOrder::setFilter(const QString& text) {
    if (text == m_filter)
        return;
    m_filter = text;
    refresh();
}

void TableOrder::setActive(bool active) {
    m_active = active;
    if (active && std::exchange(m_stale, false))
        refresh();
}

void TableOrder::structureChanged() {
    if (!isPlain())
        refresh();
}

void TableOrder::refresh() {
    if (sourceModel() == nullptr)
        return;
    if (!m_active) {
        m_stale = true;
        return;
    }
    if (m_working) {
        m_again = true;
        m_stop.request_stop();
        return;
    }
    if (isPlain()) {
        apply({}, true);
        return;
    }
    const Wish wish{m_column, m_direction, m_filter, sourceModel()->columnCount()};
    const auto* large = dynamic_cast<const LargeTable*>(sourceModel());
    if (large == nullptr) {
        apply(orderOf(ReadRows(*sourceModel(), m_column), wish, {}), false);
        return;
    }
    m_stop = {};
    setWorking(true);
    inBackground(
        this,
        [rows = large->rowsForWorker(), wish, stop = m_stop.get_token()]() -> Result<std::vector<int>> {
            std::vector<int> order = orderOf(*rows, wish, stop);
            if (stop.stop_requested())
                return fail(ErrorCode::Cancelled, "Sorting was stopped.");
            return order;
        },
        [this, count = sourceModel()->rowCount()](Result<std::vector<int>> order) {
            setWorking(false);
            if (std::exchange(m_again, false) || (order && count != sourceModel()->rowCount()))
                refresh();
            else if (order)
                apply(std::move(*order), false);
        });
}

void TableOrder::setWorking(bool working) {
    m_working = working;
    Q_EMIT workingChanged();
}

void TableOrder::apply(std::vector<int> order, bool plain) {
    if (plain && m_passing) {
        Q_EMIT ordered();
        return;
    }
    const auto rowsAfter = plain ? static_cast<std::size_t>(sourceModel()->rowCount()) : order.size();
    const bool sameRows = rowsAfter == static_cast<std::size_t>(rowCount());
    const QModelIndexList kept = persistentIndexList();
    QModelIndexList sources;
    for (const QModelIndex& index : kept)
        sources << mapToSource(index);
    Q_EMIT layoutAboutToBeChanged();
    m_passing = plain;
    m_order = std::move(order);
    m_place.clear();
    if (!plain) {
        m_place.assign(static_cast<std::size_t>(sourceModel()->rowCount()), -1);
        for (std::size_t i = 0; i < m_order.size(); ++i)
            m_place[static_cast<std::size_t>(m_order[i])] = static_cast<int>(i);
    }
    QModelIndexList now;
    for (const QModelIndex& source : sources)
        now << mapFromSource(source);
    changePersistentIndexList(kept, now);
    Q_EMIT layoutChanged({}, sameRows ? VerticalSortHint : NoLayoutChangeHint);
    Q_EMIT ordered();
}

QModelIndex TableOrder::index(int row, int column, const QModelIndex& parent) const {
    return parent.isValid() || row < 0 || column < 0 || row >= rowCount() || column >= columnCount()
               ? QModelIndex()
               : createIndex(row, column);
}

QModelIndex TableOrder::parent(const QModelIndex&) const {
    return {};
}

int TableOrder::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || sourceModel() == nullptr)
        return 0;
    return m_passing ? sourceModel()->rowCount() : static_cast<int>(m_order.size());
}

int TableOrder::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || sourceModel() == nullptr ? 0 : sourceModel()->columnCount();
}

QModelIndex TableOrder::mapToSource(const QModelIndex& index) const {
    if (!index.isValid() || sourceModel() == nullptr)
        return {};
    if (m_passing)
        return sourceModel()->index(index.row(), index.column());
    return static_cast<std::size_t>(index.row()) < m_order.size()
               ? sourceModel()->index(m_order[static_cast<std::size_t>(index.row())], index.column())
               : QModelIndex();
}

QModelIndex TableOrder::mapFromSource(const QModelIndex& index) const {
    if (!index.isValid())
        return {};
    if (m_passing)
        return createIndex(index.row(), index.column());
    const int row =
        static_cast<std::size_t>(index.row()) < m_place.size() ? m_place[static_cast<std::size_t>(index.row())] : -1;
    return row < 0 ? QModelIndex() : createIndex(row, index.column());
}

QVariant TableOrder::headerData(int section, Qt::Orientation orientation, int role) const {
    return sourceModel() != nullptr ? sourceModel()->headerData(section, orientation, role) : QVariant();
}

}  // namespace skein::ui
