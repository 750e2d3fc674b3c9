// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/suggestions_panel.h"

#include <QAction>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/edit/project_editor.h"
#include "ui/panels/panel_buttons.h"
#include "ui/widgets/empty_page.h"

namespace skein::ui {

SuggestionsPanel::SuggestionsPanel(const Document* document, const ViewState* view, ProjectEditor* editor,
                                   const Actions& actions, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_view(view),
      m_editor(editor),
      m_model(new SuggestionTableModel(document, this)),
      m_pages(new QStackedWidget(this)),
      m_table(new PlainTable(QStringLiteral("suggestionsTable"), tr("Suggested frames"), this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(panelButtons(this, {{actions.generate, tr("Generate...")},
                                          {actions.add, tr("Add Current")},
                                          {actions.remove, tr("Remove")},
                                          {actions.clear, tr("Clear")},
                                          {actions.previous, tr("Previous")},
                                          {actions.next, tr("Next")}}));
    column->addWidget(m_pages, 1);
    auto* empty = new EmptyPage(QStringLiteral("suggestionsEmpty"),
                                tr("No frames are suggested. Skein can pick some that are worth labelling."),
                                {actions.generate}, m_pages);
    m_pages->addWidget(m_table);
    m_pages->addWidget(empty);
    m_table->setModel(m_model);
    m_table->setColumnWidths({14, 8, 5, 7, 9, 14}, SuggestionTableModel::Reason);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setLettersLeftToWindow();
    const auto go = [this](const QModelIndex& index) {
        const int row = m_table->toModel(index).row();
        const auto& all = m_document->labels().suggestions();
        if (row >= 0 && static_cast<std::size_t>(row) < all.size())
            Q_EMIT placeWanted(static_cast<int>(all[static_cast<std::size_t>(row)].video),
                               all[static_cast<std::size_t>(row)].frameIndex);
    };
    connect(m_table, &QAbstractItemView::clicked, this, [this, go](const QModelIndex& index) {
        // A click that gathers rows to be removed shall not lead away.
        if (m_table->selectionModel()->selectedRows().size() == 1)
            go(index);
    });
    connect(m_table, &QAbstractItemView::activated, this, go);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SuggestionsPanel::selectionChanged);
    connect(view, &ViewState::frameChanged, this, &SuggestionsPanel::showCurrent);
    connect(m_model, &QAbstractItemModel::modelReset, this, &SuggestionsPanel::showPage);
    showPage();
}

bool SuggestionsPanel::hasSelection() const {
    return m_table->selectionModel()->hasSelection();
}

void SuggestionsPanel::removeSelected() {
    std::vector<std::size_t> places;
    for (const int row : m_table->selectedModelRows())
        places.push_back(static_cast<std::size_t>(row));
    if (!places.empty())
        m_editor->removeSuggestions(places);
}

void SuggestionsPanel::showPage() {
    m_pages->setCurrentIndex(m_model->rowCount() > 0 ? 0 : 1);
    Q_EMIT selectionChanged();
    showCurrent();
}

void SuggestionsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showCurrent();
}

/// The row of the shown frame is selected, unless several rows are: a person is gathering them.
void SuggestionsPanel::showCurrent() {
    if (!isVisible() || m_table->selectionModel()->selectedRows().size() > 1)
        return;
    const int row = m_model->rowOf(m_view->video(), m_view->frame());
    m_table->selectModelRow(row);
    if (row >= 0)
        m_table->scrollTo(m_table->fromModel(m_model->index(row, 0)));
}

}  // namespace skein::ui
