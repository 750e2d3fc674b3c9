// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/skeleton_panel.h"

#include <QAction>
#include <QComboBox>
#include <QCursor>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <set>

#include "engine/formats/skeleton_file.h"
#include "engine/project/edit/pose.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/edit/project_editor.h"
#include "ui/panels/node_delegate.h"
#include "ui/panels/panel_buttons.h"
#include "ui/panels/skeleton_templates.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/skeleton_preview.h"

namespace skein::ui {

namespace edit = project::edit;

namespace {

/// A labelled instance of the skeleton with all its nodes, from the first frames: the drawing looks like the animal.
std::vector<project::Point> examplePose(const project::Labels& labels, std::size_t skeleton) {
    constexpr std::size_t kFramesToLook = 200;
    for (std::size_t row = 0; row < std::min(kFramesToLook, labels.frameCount()); ++row) {
        const project::FrameView frame = labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceView instance = frame.instance(i);
            if (instance.header->skeleton == skeleton &&
                std::all_of(instance.points.begin(), instance.points.end(),
                            [](const project::Point& p) { return edit::hasPlace(p); }))
                return {instance.points.begin(), instance.points.end()};
        }
    }
    return {};
}

}  // namespace

SkeletonPanel::SkeletonPanel(Document* document, ProjectEditor* editor, const Actions& actions, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_editor(editor),
      m_nodes(new SkeletonNodesModel(editor, this)),
      m_edges(new SkeletonEdgesModel(editor, this)),
      m_pages(new QStackedWidget(this)),
      m_choice(new QComboBox(this)),
      m_nodeTable(new PlainTable(QStringLiteral("skeletonNodes"), tr("Nodes of the skeleton"), this)),
      m_edgeTable(new PlainTable(QStringLiteral("skeletonEdges"), tr("Edges of the skeleton"), this)),
      m_preview(new SkeletonPreview(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_pages);
    auto* page = new QWidget(m_pages);
    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(panelButtons(
        this,
        {{actions.fromTemplate, tr("Template...")}, {actions.load, tr("Load...")}, {actions.save, tr("Save...")}}));
    m_choice->setObjectName(QStringLiteral("skeletonChoice"));
    m_choice->setAccessibleName(tr("Skeleton"));
    m_choice->setToolTip(tr("The skeleton that is shown; this project has several."));
    rows->addWidget(m_choice);
    auto* split = new QSplitter(Qt::Vertical, page);
    split->setObjectName(QStringLiteral("skeletonSplitter"));
    split->setChildrenCollapsible(false);
    rows->addWidget(split, 1);

    const auto part = [split](PlainTable* table) {
        auto* box = new QWidget(split);
        auto* lines = new QVBoxLayout(box);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(0);
        auto* buttons = new FlowLayout;
        buttons->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
        lines->addLayout(buttons);
        lines->addWidget(table, 1);
        split->addWidget(box);
        return buttons;
    };
    FlowLayout* nodeButtons = part(m_nodeTable);
    m_newNode = addButton(nodeButtons, "skeletonNewNode", tr("New Node"), tr("Add a node at the end."));
    m_deleteNode = addButton(nodeButtons, "skeletonDeleteNode", tr("Delete"), tr("Delete the selected nodes."));
    m_up =
        addButton(nodeButtons, "skeletonNodeUp", tr("Up"), tr("Move the selected node up; labels keep their nodes."));
    m_down = addButton(nodeButtons, "skeletonNodeDown", tr("Down"),
                       tr("Move the selected node down; labels keep their nodes."));
    FlowLayout* edgeButtons = part(m_edgeTable);
    m_newEdge = addButton(edgeButtons, "skeletonNewEdge", tr("New Edge"),
                          tr("Add an edge between two selected nodes, or the next one that is missing."));
    m_deleteEdge = addButton(edgeButtons, "skeletonDeleteEdge", tr("Delete"), tr("Delete the selected edges."));
    split->addWidget(m_preview);

    m_nodeTable->setModel(m_nodes);
    m_nodeTable->setColumnWidths({16, 14}, SkeletonNodesModel::Name);
    m_edgeTable->setModel(m_edges);
    m_edgeTable->setColumnWidths({16, 16}, SkeletonEdgesModel::Source);
    m_nodeTable->setEmptySentence(tr("No nodes yet."));
    m_edgeTable->setEmptySentence(tr("No edges yet. Select two nodes and press New Edge."));
    for (PlainTable* table : {m_nodeTable, m_edgeTable}) {
        table->setSelectionMode(QAbstractItemView::ExtendedSelection);
        table->setCellsEditable();
        connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SkeletonPanel::updateButtons);
    }
    const auto names = [this] { return m_nodes->skeleton().nodes; };
    m_nodeTable->setItemDelegateForColumn(SkeletonNodesModel::Symmetry, new NodeDelegate(names, true, this));
    for (const int c : {SkeletonEdgesModel::Source, SkeletonEdgesModel::Destination})
        m_edgeTable->setItemDelegateForColumn(c, new NodeDelegate(names, false, this));
    m_pages->addWidget(page);
    m_pages->addWidget(
        new EmptyPage(QStringLiteral("skeletonEmpty"),
                      tr("This project has no skeleton. It names the points that are marked on each animal."),
                      {actions.fromTemplate, actions.load}, m_pages));

    connect(m_newNode, &QToolButton::clicked, this, [this] {
        const std::string name = edit::freeNodeName(m_nodes->skeleton());
        m_editor->addNode(index(), QString::fromStdString(name));
        // It wants a name of its own.
        if (const auto row = m_nodes->skeleton().nodeIndex(name)) {
            const QModelIndex cell = m_nodeTable->fromModel(m_nodes->index(*row, SkeletonNodesModel::Name));
            m_nodeTable->setCurrentIndex(cell);
            m_nodeTable->edit(cell);
        }
    });
    connect(m_deleteNode, &QToolButton::clicked, this, &SkeletonPanel::removeNodes);
    connect(m_up, &QToolButton::clicked, this, [this] { moveNode(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { moveNode(1); });
    connect(m_newEdge, &QToolButton::clicked, this, &SkeletonPanel::newEdge);
    connect(m_deleteEdge, &QToolButton::clicked, this, &SkeletonPanel::removeEdges);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &SkeletonPanel::refresh);
    const auto stale = [this] {
        m_stale = true;
        if (isVisible())
            refresh();
    };
    connect(document, &Document::opened, this, stale);
    connect(document, &Document::changed, this, [stale](const Change& change) {
        if (change.kinds.testFlag(ChangeKind::Skeletons))
            stale();
    });
    refresh();
}

QToolButton* SkeletonPanel::addButton(QLayout* row, const char* id, const QString& words, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1String(id));
    button->setText(words);
    button->setAccessibleName(tip);
    button->setToolTip(tip);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(button);
    return button;
}

void SkeletonPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

bool SkeletonPanel::hasSkeleton() const {
    return !m_document->labels().skeletons().empty();
}

std::size_t SkeletonPanel::index() const {
    return static_cast<std::size_t>(std::max(0, m_choice->currentIndex()));
}

void SkeletonPanel::refresh() {
    m_stale = false;
    const auto& all = m_document->labels().skeletons();
    {
        const QSignalBlocker quiet(m_choice);
        const int chosen = std::clamp(m_choice->currentIndex(), 0, std::max(0, static_cast<int>(all.size()) - 1));
        m_choice->clear();
        for (std::size_t i = 0; i < all.size(); ++i)
            m_choice->addItem(all[i].name.empty() ? tr("Skeleton %1").arg(i + 1) : QString::fromStdString(all[i].name));
        m_choice->setCurrentIndex(all.empty() ? -1 : chosen);
    }
    m_choice->setVisible(all.size() > 1);
    m_pages->setCurrentIndex(all.empty() ? 1 : 0);
    const project::Skeleton shown = all.empty() ? project::Skeleton() : all[index()];
    m_nodes->setSkeleton(index(), shown);
    m_edges->setSkeleton(index(), shown);
    m_preview->setSkeleton(shown,
                           all.empty() ? std::vector<project::Point>() : examplePose(m_document->labels(), index()));
    updateButtons();
}

void SkeletonPanel::updateButtons() {
    const QList<int> nodes = m_nodeTable->selectedModelRows();
    m_deleteNode->setEnabled(!nodes.isEmpty());
    m_up->setEnabled(nodes.size() == 1 && nodes.front() > 0);
    m_down->setEnabled(nodes.size() == 1 && nodes.front() + 1 < m_nodes->rowCount());
    m_newEdge->setEnabled(m_nodes->rowCount() > 1);
    m_deleteEdge->setEnabled(m_edgeTable->selectionModel()->hasSelection());
    m_preview->setMarked(nodes.size() == 1 ? nodes.front() : -1);
}

void SkeletonPanel::ask(const edit::SkeletonLoss& loss, const QString& verb, std::function<void()> then) {
    if (loss.instances == 0) {
        then();
        return;
    }
    QStringList names;
    for (std::size_t i = 0; i < std::min<std::size_t>(5, loss.nodes.size()); ++i)
        names << QString::fromStdString(loss.nodes[i]);
    QString list = names.join(QStringLiteral(", "));
    if (loss.nodes.size() > 5)
        list = tr("%1 and %2 more").arg(list).arg(loss.nodes.size() - 5);
    const auto count = static_cast<std::int64_t>(loss.nodes.size());
    const QString question = count == 1 ? tr("1 node is not in the new skeleton: %1.").arg(list)
                                        : tr("%1 nodes are not in the new skeleton: %2.").arg(count).arg(list);
    dialogs().confirm(
        this, question,
        tr("%1 on %2 will be lost. Undo brings them back.")
            .arg(text::count(static_cast<std::int64_t>(loss.points), tr("labelled point"), tr("labelled points")),
                 text::count(static_cast<std::int64_t>(loss.instances), tr("instance"), tr("instances"))),
        verb, [then = std::move(then)](bool yes) {
            if (yes)
                then();
        });
}

void SkeletonPanel::use(project::Skeleton next, const QString& title) {
    if (!hasSkeleton()) {
        m_editor->addSkeleton(std::move(next));
        return;
    }
    // What is lost is counted over the whole project, which takes a worker a moment.
    inBackground(
        this,
        [labels = m_document->snapshot(), at = index(), next]() -> Result<edit::SkeletonLoss> {
            return edit::lossByReplacing(labels, at, next);
        },
        [this, at = index(), next, title](Result<edit::SkeletonLoss> loss) {
            if (loss)
                ask(*loss, tr("Replace Skeleton"),
                    [this, at, next, title] { m_editor->replaceSkeleton(at, next, title); });
        });
}

void SkeletonPanel::removeNodes() {
    std::vector<std::size_t> nodes;
    for (const int row : m_nodeTable->selectedModelRows())
        nodes.push_back(static_cast<std::size_t>(row));
    inBackground(
        this,
        [labels = m_document->snapshot(), at = index(), nodes]() -> Result<edit::SkeletonLoss> {
            return edit::lossByRemoving(labels, at, nodes);
        },
        [this, at = index(), nodes](Result<edit::SkeletonLoss> loss) {
            if (loss)
                ask(*loss, nodes.size() == 1 ? tr("Delete Node") : tr("Delete %1 Nodes").arg(nodes.size()),
                    [this, at, nodes] { m_editor->removeNodes(at, nodes); });
        });
}

void SkeletonPanel::moveNode(int by) {
    const QList<int> nodes = m_nodeTable->selectedModelRows();
    if (nodes.size() != 1 || nodes.front() + by < 0 || nodes.front() + by >= m_nodes->rowCount())
        return;
    m_editor->moveNode(index(), static_cast<std::size_t>(nodes.front()), static_cast<std::size_t>(nodes.front() + by));
    m_nodeTable->selectModelRow(nodes.front() + by);
}

/// Between the two selected nodes; else to the first node that no edge leads to, from the selected node or the first.
void SkeletonPanel::newEdge() {
    const QList<int> nodes = m_nodeTable->selectedModelRows();
    if (nodes.size() == 2) {
        m_editor->addEdge(index(), {nodes[0], nodes[1]});
        return;
    }
    const project::Skeleton& skeleton = m_nodes->skeleton();
    const int from = nodes.size() == 1 ? nodes.front() : 0;
    std::set<int> reached;
    for (const project::Edge& edge : skeleton.edges)
        reached.insert(edge.destination);
    for (const bool onlyUnreached : {true, false})
        for (int to = 0; to < static_cast<int>(skeleton.nodes.size()); ++to) {
            const project::Edge edge{from, to};
            if (to != from && (!onlyUnreached || reached.count(to) == 0) &&
                std::find(skeleton.edges.begin(), skeleton.edges.end(), edge) == skeleton.edges.end()) {
                m_editor->addEdge(index(), edge);
                m_edgeTable->selectModelRow(m_edges->rowCount() - 1);
                return;
            }
        }
    Q_EMIT notice(tr("Every edge from %1 is there already.")
                      .arg(QString::fromStdString(skeleton.nodes[static_cast<std::size_t>(from)])));
}

void SkeletonPanel::removeEdges() {
    std::vector<std::size_t> edges;
    for (const int row : m_edgeTable->selectedModelRows())
        edges.push_back(static_cast<std::size_t>(row));
    if (!edges.empty())
        m_editor->removeEdges(index(), edges);
}

void SkeletonPanel::chooseTemplate() {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("skeletonTemplates"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const SkeletonTemplate& one : skeletonTemplates())
        menu->addAction(one.name, this, [this, &one] {
            use(one.skeleton, tr("Skeleton from template %1").arg(QString::fromStdString(one.skeleton.name)));
        });
    menu->addSeparator();
    menu->addAction(tr("Empty skeleton"), this, [this] {
        project::Skeleton empty;
        empty.name = "skeleton";
        use(empty, tr("Empty skeleton"));
    });
    menu->popup(QCursor::pos());
}

void SkeletonPanel::load() {
    dialogs().chooseFiles(
        this, tr("Load skeleton"), folder ? folder() : QString(),
        tr("Skeletons and projects (*.json *.slp *.h5);;All files (*)"), [this](const QStringList& paths) {
            if (paths.isEmpty())
                return;
            const QString path = paths.front();
            inBackground(
                this, [path]() -> Result<project::Skeleton> { return formats::readSkeletonFile(text::toPath(path)); },
                [this, path](Result<project::Skeleton> read) {
                    if (!read)
                        Q_EMIT problem(toUiError(read.error()));
                    else
                        use(*read, tr("Load skeleton from %1").arg(QFileInfo(path).fileName()));
                });
        });
}

void SkeletonPanel::save() {
    if (!hasSkeleton())
        return;
    const project::Skeleton skeleton = m_document->labels().skeletons()[index()];
    const QString name = skeleton.name.empty() ? tr("skeleton") : QString::fromStdString(skeleton.name);
    dialogs().chooseNewFile(
        this, tr("Save skeleton"), (folder ? folder() : QString()) + QLatin1Char('/') + name + QStringLiteral(".json"),
        tr("Skeletons (*.json)"), [this, skeleton](const QString& path) {
            if (path.isEmpty())
                return;
            inBackground(
                this,
                [path, skeleton]() -> Result<bool> {
                    if (auto written = formats::writeSkeletonFile(skeleton, text::toPath(path)); !written)
                        return fail(std::move(written.error()));
                    return true;
                },
                [this, path](Result<bool> written) {
                    if (written)
                        Q_EMIT notice(tr("Saved %1").arg(QFileInfo(path).fileName()));
                    else
                        Q_EMIT problem(toUiError(written.error()));
                });
        });
}

}  // namespace skein::ui
