// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "ui/models/suggestion_table_model.h"
#include "ui/view_state.h"
#include "ui/widgets/plain_table.h"

class QAction;
class QStackedWidget;

namespace skein::ui {

class ProjectEditor;

/// Dock "Suggestions": the frames that are worth labelling next. A click on a row goes there; the row of the shown
/// frame is the current one.
class SuggestionsPanel : public QWidget {
    Q_OBJECT
public:
    struct Actions {
        QAction* add;
        QAction* remove;
        QAction* clear;
        QAction* previous;
        QAction* next;
        QAction* generate;
    };
    SuggestionsPanel(const Document* document, const ViewState* view, ProjectEditor* editor, const Actions& actions,
                     QWidget* parent);
    [[nodiscard]] SuggestionTableModel* model() const { return m_model; }
    [[nodiscard]] PlainTable* table() const { return m_table; }
    /// Takes the selected rows out of the project.
    void removeSelected();
    [[nodiscard]] bool hasSelection() const;

Q_SIGNALS:
    void placeWanted(int video, qint64 frame);
    void selectionChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void showCurrent();
    void showPage();

    const Document* m_document;
    const ViewState* m_view;
    ProjectEditor* m_editor;
    SuggestionTableModel* m_model;
    QStackedWidget* m_pages;
    PlainTable* m_table;
};

}  // namespace skein::ui
