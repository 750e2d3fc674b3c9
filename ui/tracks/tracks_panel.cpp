// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/tracks_panel.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/bridge/background.h"
#include "ui/panels/panel_buttons.h"
#include "ui/theme.h"
#include "ui/widgets/empty_page.h"

namespace skein::ui {

namespace {
constexpr int kCountAfterMs = 300;
}

TracksPanel::TracksPanel(const Document* document, const ViewState* view, ProofreadState* state,
                         const QList<std::pair<QAction*, QString>>& buttons, const QList<QAction*>& menu,
                         QAction* makeTracks, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_view(view),
      m_model(new TrackTableModel(state, this)),
      m_pages(new QStackedWidget(this)),
      m_table(new PlainTable(QStringLiteral("tracksTable"), tr("Tracks of this video"), this)),
      m_totals(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(panelButtons(this, buttons));
    column->addWidget(m_pages, 1);
    column->addWidget(m_totals);
    m_totals->setObjectName(QStringLiteral("tracksTotals"));
    m_totals->setAccessibleName(tr("All tracks together"));
    m_totals->setMargin(theme::kGrid);
    m_totals->setWordWrap(true);
    m_totals->setForegroundRole(QPalette::PlaceholderText);
    auto* empty =
        new EmptyPage(QStringLiteral("tracksEmpty"),
                      tr("This video has no tracks. A run with a tracker makes them, or Ctrl+0 on an animal."),
                      {makeTracks}, m_pages);
    m_pages->addWidget(m_table);
    m_pages->addWidget(empty);
    m_table->setModel(m_model);
    using C = TrackTableModel;
    m_table->setColumnWidths({3, 12, 7, 7, 7, 7, 5, 5, 9, 6, 9, 8, 5, 6, 6, 10, 5, 6, 8}, C::Name,
                             {C::Fragments, C::LongestGap, C::MinScore, C::TrackingScore, C::UserFrames, C::MeanSpeed,
                              C::MaxJumpBodies, C::Encounters});
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setLettersLeftToWindow();
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->addActions(menu);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kCountAfterMs);
    connect(&m_delay, &QTimer::timeout, this, &TracksPanel::work);
    const auto go = [this](const QModelIndex& index) {
        const int row = m_table->toModel(index).row();
        if (row < 0)
            return;
        const TrackSummary& summary = m_model->summary(row);
        const bool toLast = QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
        Q_EMIT frameWanted(summary.track, toLast ? summary.last : summary.first);
    };
    connect(m_table, &QAbstractItemView::doubleClicked, this, go);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_following)
            return;
        m_selected = selectedTracks();
        Q_EMIT selectionChanged();
    });
    connect(document, &Document::opened, this, [this] {
        m_model->setTracks({}, {}, 0);
        showPage();
        invalidate();
    });
    connect(document, &Document::changed, this, [this](const Change& change) {
        if (change.kinds & (ChangeKinds(ChangeKind::Frames) | ChangeKind::Tracks | ChangeKind::Videos))
            invalidate();
    });
    connect(view, &ViewState::videoChanged, this, [this] { invalidate(); });
    const auto totals = [this] { m_totals->setText(m_model->totals()); };
    connect(m_model, &QAbstractItemModel::dataChanged, this, totals);
    connect(m_model, &QAbstractItemModel::modelReset, this, totals);
    showPage();
}

std::vector<int> TracksPanel::selectedTracks() const {
    std::vector<int> tracks;
    for (const int row : m_table->selectedModelRows())
        tracks.push_back(m_model->trackOf(row));
    return tracks;
}

void TracksPanel::showTracks(const std::vector<int>& tracks) {
    m_selected = tracks;
    selectRows();
}

void TracksPanel::selectRows() {
    // showEvent() comes back to it; what the person selected here needs nothing more, though it be ten thousand rows.
    if (!isVisible() || selectedTracks() == m_selected)
        return;
    QItemSelection rows;
    QModelIndex last;
    for (const int track : m_selected)
        if (const int row = m_model->rowOf(track); row >= 0) {
            last = m_table->fromModel(m_model->index(row, TrackTableModel::Name));
            rows.select(last, last);
        }
    m_following = true;
    m_table->selectionModel()->setCurrentIndex(last, QItemSelectionModel::NoUpdate);
    m_table->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_following = false;
    if (last.isValid())
        m_table->scrollTo(last);
}

void TracksPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    selectRows();
    if (m_dirty)
        work();
}

void TracksPanel::showPage() {
    const bool any = m_model->rowCount() > 0;
    m_pages->setCurrentIndex(any ? 0 : 1);
    m_totals->setVisible(any);
}

void TracksPanel::invalidate() {
    m_dirty = true;
    ++m_generation;
    if (isVisible())
        m_delay.start();
}

void TracksPanel::work() {
    if (m_working || !m_dirty || !isVisible())
        return;
    m_dirty = false;
    const int video = m_view->video();
    if (video < 0) {
        m_model->setTracks({}, {}, 0);
        showPage();
        return;
    }
    m_working = true;
    std::vector<QString> names;
    for (const project::Track& track : m_document->labels().tracks())
        names.push_back(QString::fromStdString(track.name));
    inBackground(
        this,
        [labels = m_document->snapshot(), video]() -> Result<TrackSummaries> {
            return summarizeTracks(labels, static_cast<std::uint32_t>(video));
        },
        [this, generation = m_generation, names = std::move(names),
         frames = m_view->frameCount()](Result<TrackSummaries> summaries) mutable {
            m_working = false;
            if (summaries && (generation == m_generation || m_view->video() == static_cast<int>(summaries->video))) {
                m_model->setTracks(std::move(*summaries), std::move(names), frames);
                showPage();
                selectRows();  // other rows are there than before
            }
            if (m_dirty)
                m_delay.start();
        });
}

}  // namespace skein::ui
