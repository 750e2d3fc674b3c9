// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "engine/project/edit/skeletons.h"
#include "ui/document.h"
#include "ui/models/skeleton_models.h"
#include "ui/widgets/plain_table.h"

class QAction;
class QComboBox;
class QStackedWidget;
class QToolButton;

namespace skein::ui {

class DialogService;
class ProjectEditor;
class SkeletonPreview;

/// Dock "Skeleton": the editor of nodes, symmetries and edges, with a drawing. What would take labelled points away
/// asks first and says how many.
class SkeletonPanel : public QWidget {
    Q_OBJECT
public:
    struct Actions {
        QAction* fromTemplate;
        QAction* load;
        QAction* save;
    };
    SkeletonPanel(Document* document, ProjectEditor* editor, const Actions& actions, QWidget* parent);

    std::function<DialogService&()> dialogs;  ///< what asks; must be set before a person can ask for anything
    std::function<QString()> folder;          ///< where files are looked for

    /// Shows the templates as a menu, at the pointer or under the button that asked.
    void chooseTemplate();
    void load();
    void save();
    [[nodiscard]] SkeletonNodesModel* nodes() const { return m_nodes; }
    [[nodiscard]] SkeletonEdgesModel* edges() const { return m_edges; }

Q_SIGNALS:
    void problem(const skein::ui::UiError& error);
    void notice(const QString& words);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QToolButton* addButton(class QLayout* row, const char* id, const QString& words, const QString& tip);
    void refresh();
    void updateButtons();
    /// Makes `next` the skeleton: at once, or after the person agreed to what is lost.
    void use(project::Skeleton next, const QString& title);
    void removeNodes();
    void removeEdges();
    void newEdge();
    void moveNode(int by);
    void ask(const project::edit::SkeletonLoss& loss, const QString& verb, std::function<void()> then);
    [[nodiscard]] std::size_t index() const;
    [[nodiscard]] bool hasSkeleton() const;

    Document* m_document;
    ProjectEditor* m_editor;
    SkeletonNodesModel* m_nodes;
    SkeletonEdgesModel* m_edges;
    QStackedWidget* m_pages;
    QComboBox* m_choice;
    PlainTable *m_nodeTable, *m_edgeTable;
    SkeletonPreview* m_preview;
    QToolButton *m_newNode = nullptr, *m_deleteNode = nullptr, *m_up = nullptr, *m_down = nullptr;
    QToolButton *m_newEdge = nullptr, *m_deleteEdge = nullptr;
    bool m_stale = true;
};

}  // namespace skein::ui
