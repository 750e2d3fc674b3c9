// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/videos_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/theme.h"

namespace skein::ui {

VideosPanel::VideosPanel(Document* document, ViewState* view, ProjectDigest* digest, const QList<QAction*>& actions,
                         QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_model(new VideoTableModel(document, digest, this)),
      m_table(new PlainTable(QStringLiteral("videosTable"), tr("Videos of the project"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
    for (QAction* action : actions) {
        auto* button = new QToolButton(this);
        button->setObjectName(action->objectName() + QStringLiteral("Button"));
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        row->addWidget(button);
    }
    row->addStretch();
    column->addLayout(row);
    m_table->setModel(m_model);
    m_table->setColumnWidths({3, 14, 12, 8, 11, 8, 12, 9, 9, 24}, -1);
    m_table->setEmptySentence(tr("No videos yet. Drop one here."));
    column->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!m_selecting && current.isValid())
                    Q_EMIT videoWanted(current.row());
            });
    connect(view, &ViewState::videoChanged, this, &VideosPanel::selectRow);
    connect(m_model, &QAbstractItemModel::modelReset, this, &VideosPanel::selectRow);
}

void VideosPanel::selectRow() {
    m_selecting = true;
    if (m_view->video() >= 0 && m_view->video() < m_model->rowCount())
        m_table->selectRow(m_view->video());
    m_selecting = false;
}

}  // namespace skein::ui
