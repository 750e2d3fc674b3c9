// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/videos_panel.h"

#include <QAction>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/panel_buttons.h"
#include "ui/theme.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/table_order.h"

namespace skein::ui {

VideosPanel::VideosPanel(Document* document, ViewState* view, ProjectDigest* digest, const QList<QAction*>& actions,
                         QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_model(new VideoTableModel(document, digest, this)),
      m_pages(new QStackedWidget(this)),
      m_filter(new QLineEdit(this)),
      m_table(new PlainTable(QStringLiteral("videosTable"), tr("Videos of the project"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    QList<std::pair<QAction*, QString>> buttons;
    const QStringList words{tr("Add..."), tr("Find/Replace..."), tr("Remove..."), tr("Grayscale"), tr("Up"),
                            tr("Down")};
    for (int i = 0; i < actions.size(); ++i)
        buttons.append({actions[i], words.value(i)});
    column->addLayout(panelButtons(this, buttons));
    m_filter->setObjectName(QStringLiteral("videosFilter"));
    m_filter->setAccessibleName(tr("Filter of the videos"));
    m_filter->setToolTip(tr("Only videos that contain this text in some column."));
    m_filter->setPlaceholderText(tr("Filter videos"));
    m_filter->setClearButtonEnabled(true);
    auto* line = new QVBoxLayout;
    line->setContentsMargins(theme::kGrid, 0, theme::kGrid, theme::kGrid);
    line->addWidget(m_filter);
    column->addLayout(line);
    column->addWidget(m_pages, 1);
    m_pages->addWidget(m_table);
    m_pages->addWidget(new EmptyPage(QStringLiteral("videosEmpty"), tr("This project has no video yet. Drop one here."),
                                     {actions.front()}, m_pages));
    m_table->setModel(m_model);
    m_table->setColumnWidths({3, 14, 12, 8, 6, 6, 8, 7, 12, 9, 9, 24}, -1);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    connect(m_filter, &QLineEdit::textChanged, m_table, &PlainTable::setFilter);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &VideosPanel::takeSelection);
    connect(m_table->order(), &TableOrder::ordered, this, &VideosPanel::selectRow);
    connect(view, &ViewState::videoChanged, this, &VideosPanel::selectRow);
    connect(m_model, &QAbstractItemModel::modelReset, this, &VideosPanel::showPage);
    showPage();
}

std::vector<std::size_t> VideosPanel::selectedVideos() const {
    std::vector<std::size_t> videos;
    for (const int row : m_table->selectedModelRows())
        if (row >= 0)
            videos.push_back(static_cast<std::size_t>(row));
    std::sort(videos.begin(), videos.end());
    return videos;
}

void VideosPanel::takeSelection() {
    if (m_selecting)
        return;
    const std::vector<std::size_t> videos = selectedVideos();
    if (videos.size() == 1 && static_cast<int>(videos.front()) != m_view->video())
        Q_EMIT videoWanted(static_cast<int>(videos.front()));
    Q_EMIT selectionChanged();
}

void VideosPanel::showPage() {
    m_pages->setCurrentIndex(m_model->rowCount() > 0 ? 0 : 1);
    m_filter->setVisible(m_model->rowCount() > 1);
    selectRow();
}

void VideosPanel::selectRow() {
    m_selecting = true;
    if (m_view->video() >= 0 && m_view->video() < m_model->rowCount())
        m_table->selectModelRow(m_view->video());
    m_selecting = false;
    Q_EMIT selectionChanged();
}

}  // namespace skein::ui
