// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_panel.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/dialogs/option_editors.h"
#include "ui/icons.h"
#include "ui/panels/panel_buttons.h"
#include "ui/queue/queue_table_model.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/plain_table.h"

namespace skein::ui {
namespace {

constexpr int kIcon = 16;
constexpr int kBarHeight = 3;
constexpr int kLeastCounts = 12;  // letters

/// What is done of a row as a line under its words.
class ProgressDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const QVariant share = index.data(QueueTableModel::kFractionRole);
        if (!share.isValid())
            return;
        const theme::Tokens& t = theme::tokens();
        QRect bar = option.rect.adjusted(theme::kGrid, 0, -theme::kGrid, -1);
        bar.setTop(bar.bottom() - kBarHeight + 1);
        painter->fillRect(bar, t.line);
        bar.setWidth(qRound(bar.width() * std::clamp(share.toDouble(), 0.0, 1.0)));
        painter->fillRect(bar, t.accent);
    }
};

}  // namespace

QueuePanel::QueuePanel(QueueController* queue, const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent), m_queue(queue), m_actions(actions), m_model(new QueueTableModel(this)) {
    setObjectName(QStringLiteral("queuePanel"));
    setAccessibleName(tr("Queue"));
    m_pages = new QStackedWidget(this);
    auto* list = new QWidget(m_pages);

    m_counts = new QLabel(list);
    m_counts->setObjectName(QStringLiteral("queueCounts"));
    m_counts->setFont(theme::headingFont());
    // What it says may be long, and does not push the dock wide.
    m_counts->setWordWrap(true);
    m_counts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_counts->setMinimumWidth(kLeastCounts * m_counts->fontMetrics().averageCharWidth());
    m_now = new QLabel(list);
    m_now->setObjectName(QStringLiteral("queueNow"));
    m_now->setForegroundRole(QPalette::PlaceholderText);
    m_now->setWordWrap(true);

    m_table = new PlainTable(QStringLiteral("queueTable"), tr("Queue"), list);
    m_table->setModel(m_model);
    m_table->setFixedOrder();
    m_table->setColumnWidths({14, 20, 6, 15, 6, 7, 12, 40}, -1);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setItemDelegateForColumn(QueueTableModel::Progress, new ProgressDelegate(m_table));
    m_table->setDragDropMode(QAbstractItemView::InternalMove);
    m_table->setDragDropOverwriteMode(false);
    m_table->setDropIndicatorShown(true);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setToolTip(tr("Drag rows to change their order."));

    m_after = new QComboBox(list);
    m_after->setObjectName(QStringLiteral("queueAfter"));
    m_after->setAccessibleName(tr("After the queue"));
    m_after->setToolTip(
        tr("What happens once nothing of the queue is left: nothing, Skein quits, or the computer is put to sleep. "
           "For this session only."));
    m_after->addItem(tr("When done: do nothing"), static_cast<int>(AfterQueue::Nothing));
    m_after->addItem(tr("When done: quit Skein"), static_cast<int>(AfterQueue::Quit));
    m_after->addItem(tr("When done: sleep"), static_cast<int>(AfterQueue::Sleep));
    guardWheel(m_after);

    m_problemBox = new QWidget(this);
    m_problemIcon = new QLabel(m_problemBox);
    m_problemIcon->setFixedSize(kIcon, kIcon);
    m_problem = new QLabel(m_problemBox);
    m_problem->setObjectName(QStringLiteral("queueProblem"));
    m_problem->setWordWrap(true);
    auto* fresh = new QPushButton(tr("Start a New Queue"), m_problemBox);
    fresh->setObjectName(QStringLiteral("queueFresh"));
    fresh->setToolTip(tr("Puts the file that cannot be read aside and begins an empty queue."));
    fresh->setAutoDefault(false);
    m_fresh = fresh;
    auto* problemLine = new QHBoxLayout(m_problemBox);
    problemLine->setContentsMargins(theme::kMargin, theme::kMargin, theme::kMargin, 0);
    problemLine->setSpacing(theme::kMargin);
    problemLine->addWidget(m_problemIcon, 0, Qt::AlignTop);
    problemLine->addWidget(m_problem, 1);
    problemLine->addWidget(m_fresh, 0, Qt::AlignTop);

    QList<std::pair<QAction*, QString>> buttons;
    const std::pair<const char*, QString> words[] = {
        {"predictFolder", tr("Add...")}, {"queueStart", tr("Start")}, {"queuePause", tr("Pause")},
        {"queueCancel", tr("Cancel")},   {"queueRetry", tr("Retry")}, {"queueResult", tr("Open Result")}};
    for (const auto& [id, word] : words)
        for (QAction* action : actions)
            if (action->objectName() == QLatin1String(id))
                buttons.append({action, word});
    auto* layout = new QVBoxLayout(list);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    QLayout* row = panelButtons(list, buttons);
    auto* more = new QToolButton(list);
    more->setObjectName(QStringLiteral("queueMore"));
    more->setText(tr("More"));
    more->setAccessibleName(tr("More about the queue"));
    more->setToolTip(tr("Order, logs, clusters and more."));
    more->setPopupMode(QToolButton::InstantPopup);
    more->setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(more);
    menu->setToolTipsVisible(true);
    menu->addActions(actions);
    more->setMenu(menu);
    row->addWidget(more);
    layout->addLayout(row);
    if (auto* pause = list->findChild<QToolButton*>(QStringLiteral("queuePausePanelButton"))) {
        pause->setCheckable(true);
        QAction* action = nullptr;
        for (QAction* candidate : actions)
            if (candidate->objectName() == QLatin1String("queuePause"))
                action = candidate;
        connect(action, &QAction::changed, pause, [pause, action] { pause->setChecked(action->isChecked()); });
    }
    auto* said = new QVBoxLayout;
    said->setContentsMargins(theme::kMargin, theme::kGrid, theme::kMargin, theme::kMargin);
    said->setSpacing(theme::kGrid);
    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kMargin);
    head->addWidget(m_counts, 1);
    head->addWidget(m_after);
    said->addLayout(head);
    said->addWidget(m_now);
    layout->addLayout(said);
    layout->addWidget(m_table, 1);
    m_detail = new QLabel(list);
    m_detail->setObjectName(QStringLiteral("queueDetail"));
    m_detail->setWordWrap(true);
    m_detail->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a long name does not push the dock wide
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_detail->setContentsMargins(theme::kMargin, theme::kGrid, theme::kMargin, theme::kGrid);
    layout->addWidget(m_detail);

    m_pages->addWidget(list);
    m_pages->addWidget(new EmptyPage(
        QStringLiteral("queueEmpty"),
        tr("Nothing is queued. Drop a folder of videos on the window, and each gets its predictions, one after "
           "another, whatever happens in the night."),
        {actions.front()}, m_pages));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_problemBox);
    column->addWidget(m_pages, 1);

    connect(queue, &QueueController::changed, this, [this] {
        if (isVisible())
            refresh();
    });
    connect(m_model, &QueueTableModel::moveWanted, queue, &QueueController::move);
    connect(m_after, &QComboBox::activated, this,
            [this] { m_queue->setAfter(static_cast<AfterQueue>(m_after->currentData().toInt())); });
    connect(fresh, &QPushButton::clicked, this, &QueuePanel::freshWanted);
    connect(m_table, &QTableView::doubleClicked, this, &QueuePanel::resultWanted);
    connect(m_table, &QWidget::customContextMenuRequested, this, &QueuePanel::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_refreshing)
            return;
        refreshWords();
    });
    refresh();
}

std::vector<QueueRow> QueuePanel::selectedRows() const {
    std::vector<QueueRow> rows;
    for (const int row : m_table->selectedModelRows())
        if (row >= 0 && row < m_model->rowCount())
            rows.push_back(m_model->rows()[static_cast<std::size_t>(row)]);
    return rows;
}

void QueuePanel::select(const std::vector<QueueRow>& rows) {
    QItemSelection selection;
    for (int i = 0; i < m_model->rowCount(); ++i)
        for (const QueueRow& row : rows)
            if (sameRow(row, m_model->rows()[static_cast<std::size_t>(i)])) {
                const QModelIndex at = m_table->fromModel(m_model->index(i, 0));
                selection.select(at, at);
            }
    m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void QueuePanel::setSleepProblem(const QString& why) {
    const int at = m_after->findData(static_cast<int>(AfterQueue::Sleep));
    auto* item = qobject_cast<QStandardItemModel*>(m_after->model())->item(at);
    item->setEnabled(why.isEmpty());
    item->setToolTip(why);
}

void QueuePanel::refresh() {
    const std::vector<QueueRow> selected = selectedRows();
    m_refreshing = true;
    m_model->setRows(m_queue->rows());
    if (selectedRows().size() != selected.size())
        select(selected);
    m_refreshing = false;
    refreshWords();
}

/// All but the table.
void QueuePanel::refreshWords() {
    const QueueCounts counts = m_queue->counts();
    m_pages->setCurrentIndex(counts.total > 0 ? 0 : 1);
    m_counts->setText(countWords(counts));
    QString now;
    if (m_queue->projectRun() == QueueController::ProjectRun::Computes && counts.left() > 0 && m_queue->isStarted())
        now = tr("Waits until the run of the open project has ended.");
    else if (m_queue->projectRun() == QueueController::ProjectRun::Waits)
        now = tr("After the row in work the run of the open project takes its turn.");
    else if (m_queue->isPaused() && counts.left() > 0)
        now = tr("Paused.");
    else if (m_queue->isWorking())
        now = m_queue->secondsLeft() >= 0 ? tr("About %1 left.").arg(text::duration(m_queue->secondsLeft()))
                                          : tr("Estimating the time left.");
    else if (counts.waiting > 0 && !m_queue->isStarted())
        now = tr("Not started.");
    else if (counts.failed > 0 && selectedRows().empty())
        now = tr("Select a row to see what the problem was.");
    m_now->setText(now);
    m_now->setVisible(!now.isEmpty());
    m_problemBox->setVisible(!m_queue->problem().isEmpty());
    m_problem->setText(m_queue->problem());
    m_fresh->setVisible(m_queue->canStartAfresh());
    m_problemIcon->setPixmap(
        icon(QStringLiteral("warning"), theme::tokens().warn).pixmap(QSize(kIcon, kIcon), devicePixelRatioF()));
    m_after->setCurrentIndex(m_after->findData(static_cast<int>(m_queue->after())));
    // The table has no room for sentences.
    const std::vector<QueueRow> selected = selectedRows();
    const QString remarks = selected.size() == 1 ? rowRemarks(selected.front()) : QString();
    m_detail->setText(remarks);
    m_detail->setVisible(!remarks.isEmpty());
    Q_EMIT selectionChanged();
}

void QueuePanel::showMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("queueMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    for (QAction* action : m_actions)
        menu->addAction(action);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void QueuePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!std::exchange(m_seen, true))
        Q_EMIT seen();
    refresh();
}

void QueuePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_counts != nullptr && isVisible())
        refresh();
}

}  // namespace skein::ui
