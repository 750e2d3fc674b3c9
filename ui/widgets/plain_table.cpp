// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plain_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QResizeEvent>
#include <QStyleOptionHeader>

#include "ui/settings.h"
#include "ui/theme.h"
#include "ui/widgets/table_order.h"

namespace skein::ui {

namespace {
/// What a cell says, in words also where it says it by a tick.
QString cellText(const QModelIndex& cell) {
    const QString text = cell.data().toString();
    const QVariant tick = cell.data(Qt::CheckStateRole);
    if (!text.isEmpty() || !tick.isValid())
        return text;
    return tick.toInt() == Qt::Checked ? PlainTable::tr("yes") : PlainTable::tr("no");
}

/// The column that takes the rest of a table's width keeps its least one: where less is left, the table scrolls.
class RestOfWidth : public QObject {
public:
    RestOfWidth(QHeaderView* header, int column, int least)
        : QObject(header), m_header(header), m_column(column), m_least(least) {
        header->viewport()->installEventFilter(this);
        connect(header, &QHeaderView::sectionResized, this, [this](int section) {
            if (section != m_column)
                fit(m_header->viewport()->width());
        });
        fit(header->viewport()->width());
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize)
            fit(static_cast<QResizeEvent*>(event)->size().width());
        return QObject::eventFilter(watched, event);
    }

private:
    void fit(int width) {
        if (m_fitting || m_column >= m_header->count() || m_header->isSectionHidden(m_column))
            return;
        m_fitting = true;
        const int rest = width - (m_header->length() - m_header->sectionSize(m_column));
        const auto mode = rest >= m_least ? QHeaderView::Stretch : QHeaderView::Interactive;
        const bool changed = m_header->sectionResizeMode(m_column) != mode;
        if (changed)
            m_header->setSectionResizeMode(m_column, mode);
        if (mode == QHeaderView::Interactive && (changed || m_header->sectionSize(m_column) < m_least))
            m_header->resizeSection(m_column, m_least);
        m_fitting = false;
    }

    QHeaderView* m_header;
    int m_column;
    int m_least;
    bool m_fitting = false;
};

constexpr int kLeastCharacters = 12;
}  // namespace

PlainTable::PlainTable(const QString& objectName, const QString& accessibleName, QWidget* parent)
    : QTableView(parent), m_order(new TableOrder(this)), m_filter(new QLineEdit(this)) {
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setWordWrap(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(theme::rowHeight());
    verticalHeader()->setDefaultSectionSize(theme::rowHeight());
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setMinimumSectionSize(theme::kMinTarget);
    horizontalHeader()->setFixedHeight(theme::rowHeight());
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QWidget::customContextMenuRequested, this, &PlainTable::showColumnMenu);
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &PlainTable::storeColumns);
    m_filter->setObjectName(objectName + QStringLiteral("Filter"));
    m_filter->setAccessibleName(tr("Filter of the table"));
    m_filter->setToolTip(tr("Only rows that contain this text. Esc shows all again."));
    m_filter->setPlaceholderText(tr("Filter rows"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    m_filter->hide();
    connect(m_filter, &QLineEdit::textChanged, m_order, &TableOrder::setFilter);
}

PlainTable::~PlainTable() {
    // The header goes after this table's own part is gone; what it says on the way must not be stored.
    disconnect(horizontalHeader(), nullptr, this, nullptr);
}

void PlainTable::setModel(QAbstractItemModel* model) {
    m_order->setSourceModel(model);
    QTableView::setModel(m_order);
    // A view that gets its model late and stays hidden shall not start with work.
    m_order->setActive(isVisible());
}

QModelIndex PlainTable::fromModel(const QModelIndex& index) const {
    return m_order->mapFromSource(index);
}

QModelIndex PlainTable::toModel(const QModelIndex& index) const {
    return m_order->mapToSource(index);
}

QList<int> PlainTable::selectedModelRows() const {
    QList<int> shown, rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        shown << index.row();
    std::sort(shown.begin(), shown.end());
    for (const int row : shown)
        rows << toModel(model()->index(row, 0)).row();
    return rows;
}

void PlainTable::selectModelRow(int row) {
    const QModelIndex index = row < 0 ? QModelIndex() : fromModel(m_order->sourceModel()->index(row, 0));
    // Not selectRow(): with Ctrl held, by which people go from frame to frame, it would add to the selection.
    if (index.isValid())
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    else
        clearSelection();
}

void PlainTable::setFixedOrder() {
    m_sortable = false;
    setSortingEnabled(false);
    horizontalHeader()->setSortIndicatorShown(false);
}

void PlainTable::setFilter(const QString& text) {
    m_order->setFilter(text);
}

void PlainTable::openFilter() {
    if (!m_sortable)
        return;
    m_filter->show();
    updateGeometries();
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void PlainTable::closeFilter() {
    m_filter->clear();
    m_filter->hide();
    updateGeometries();
    setFocus(Qt::ShortcutFocusReason);
}

bool PlainTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_filter && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape || key == Qt::Key_Down) {
            event->accept();
            if (event->type() == QEvent::KeyPress) {
                if (key == Qt::Key_Escape)
                    closeFilter();
                else
                    setFocus(Qt::ShortcutFocusReason);
            }
            return true;
        }
    }
    return QTableView::eventFilter(watched, event);
}

/// The filter's line lies under the rows, which end above it.
void PlainTable::updateGeometries() {
    if (m_inGeometries)
        return;
    m_inGeometries = true;
    // Without rows there is nothing to scroll to.
    const bool empty = model() == nullptr || model()->rowCount() == 0;
    if (const auto policy = empty ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded;
        policy != horizontalScrollBarPolicy())
        setHorizontalScrollBarPolicy(policy);
    QTableView::updateGeometries();
    if (m_filter->isVisibleTo(this)) {
        QMargins margins = viewportMargins();
        margins.setBottom(theme::controlHeight());
        setViewportMargins(margins);
        const QRect rows = viewport()->geometry();
        m_filter->setGeometry(rows.left(), rows.bottom() + 1, rows.width(), theme::controlHeight());
    }
    m_inGeometries = false;
}

void PlainTable::showEvent(QShowEvent* event) {
    QTableView::showEvent(event);
    m_order->setActive(true);
}

void PlainTable::hideEvent(QHideEvent* event) {
    m_order->setActive(false);
    if (m_restored)
        storeColumns();
    QTableView::hideEvent(event);
}

void PlainTable::showColumnMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setObjectName(objectName() + QStringLiteral("Columns"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    int shown = 0;
    for (int c = 0; c < model()->columnCount(); ++c)
        shown += isColumnHidden(c) ? 0 : 1;
    for (int c = 0; c < model()->columnCount(); ++c) {
        QString name = model()->headerData(c, Qt::Horizontal).toString();
        if (name.isEmpty())
            name = model()->headerData(c, Qt::Horizontal, Qt::ToolTipRole).toString();
        QAction* action = menu->addAction(name.replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(c));
        action->setEnabled(isColumnHidden(c) || shown > 1);
        connect(action, &QAction::toggled, this, [this, c](bool on) {
            setColumnHidden(c, !on);
            storeColumns();
        });
    }
    if (m_sortable) {
        menu->addSeparator();
        menu->addAction(tr("Filter Rows  (/)"), this, &PlainTable::openFilter);
    }
    menu->popup(horizontalHeader()->mapToGlobal(at));
}

void PlainTable::restoreColumns() {
    const QByteArray state = Settings().tableState(objectName());
    // The number of columns stands first: a state of another version of the table does not fit.
    const int split = static_cast<int>(state.indexOf(':'));
    if (split > 0 && state.left(split).toInt() == model()->columnCount())
        horizontalHeader()->restoreState(QByteArray::fromBase64(state.mid(split + 1)));
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setFixedHeight(theme::rowHeight());
    if (!m_sortable)
        setFixedOrder();
    m_restored = true;
}

void PlainTable::storeColumns() const {
    if (m_restored)
        Settings().setTableState(objectName(), QByteArray::number(model()->columnCount()) + ':' +
                                                   horizontalHeader()->saveState().toBase64());
}

bool PlainTable::isEditableNow() const {
    return editTriggers().testFlag(QAbstractItemView::EditKeyPressed) &&
           (currentIndex().flags() & Qt::ItemIsEditable) != 0;
}

void PlainTable::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    viewport()->update();
}

/// What the title of a column takes, with the mark of the order beside it.
int PlainTable::titleWidth(int column) const {
    const QString title = model()->headerData(column, Qt::Horizontal).toString();
    if (title.isEmpty())
        return 0;
    constexpr int kAmple = 1000;
    QStyleOptionHeader option;
    option.initFrom(horizontalHeader());
    option.state |= QStyle::State_Horizontal;
    option.sortIndicator = m_sortable ? QStyleOptionHeader::SortUp : QStyleOptionHeader::None;
    option.rect = QRect(0, 0, kAmple, theme::rowHeight());
    const int room = style()->subElementRect(QStyle::SE_HeaderLabel, &option, horizontalHeader()).width();
    return horizontalHeader()->fontMetrics().horizontalAdvance(title) + kAmple - room + 1;
}

void PlainTable::setColumnWidths(const QList<int>& characters, int stretch, const QList<int>& aside) {
    const int one = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (int i = 0; i < characters.size(); ++i) {
        horizontalHeader()->setSectionResizeMode(i, i == stretch ? QHeaderView::Stretch : QHeaderView::Interactive);
        if (i != stretch)
            horizontalHeader()->resizeSection(i, std::max(one * characters[i] + 2 * theme::kMargin, titleWidth(i)));
    }
    for (const int column : aside)
        setColumnHidden(column, true);
    restoreColumns();
    // What was kept may come from a narrow window: the column that takes the rest does so again.
    for (int i = 0; i < characters.size(); ++i)
        horizontalHeader()->setSectionResizeMode(i, i == stretch ? QHeaderView::Stretch : QHeaderView::Interactive);
    if (stretch >= 0)
        new RestOfWidth(
            horizontalHeader(), stretch,
            std::max(one * std::min(characters[stretch], kLeastCharacters) + 2 * theme::kMargin, titleWidth(stretch)));
}

void PlainTable::setCellsEditable() {
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
}

bool PlainTable::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        const QString typed = key->text();
        const bool isLetter = m_copies && m_searches && typed.size() == 1 && typed.at(0).isLetter() &&
                              !key->modifiers().testFlag(Qt::ControlModifier) &&
                              !key->modifiers().testFlag(Qt::AltModifier);
        if ((m_copies && key->matches(QKeySequence::Copy)) || (isEditableNow() && key->key() == Qt::Key_F2) ||
            isLetter) {
            event->accept();
            return true;
        }
    }
    return QTableView::event(event);
}

void PlainTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_emptySentence.isEmpty() || model() == nullptr || model()->rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(theme::tokens().text2);
    painter.drawText(viewport()->rect().adjusted(theme::kGap, theme::kGap, -theme::kGap, -theme::kGap),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                     m_order->filter().isEmpty() ? m_emptySentence : tr("No row contains this text."));
}

void PlainTable::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Slash && m_sortable) {
        openFilter();
        event->accept();
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && isEditableNow()) {
        edit(currentIndex());
        event->accept();
        return;
    }
    if (m_copies && event->matches(QKeySequence::Copy)) {
        copySelection();
        event->accept();
        return;
    }
    QTableView::keyPressEvent(event);
}

void PlainTable::copySelection() const {
    QStringList lines;
    QList<int> columns, rows;
    for (int c = 0; c < model()->columnCount(); ++c)
        if (const int shown = horizontalHeader()->logicalIndex(c); !isColumnHidden(shown))
            columns << shown;
    QStringList head;
    for (const int c : columns)
        head << model()->headerData(c, Qt::Horizontal).toString();
    lines << head.join(QLatin1Char('\t'));
    for (const QModelIndex& row : selectionModel()->selectedRows())
        rows << row.row();
    std::sort(rows.begin(), rows.end());
    for (const int row : rows) {
        QStringList cells;
        for (const int c : columns)
            cells << cellText(model()->index(row, c));
        lines << cells.join(QLatin1Char('\t'));
    }
    if (lines.size() > 1)
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace skein::ui
