// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/edit/editor.h"
#include "ui/theme.h"

namespace skein::ui {

InspectorPanel::InspectorPanel(ViewState* view, Editor* editor, std::function<const ShownFrame&()> shown,
                               QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_shown(std::move(shown)),
      m_title(new QLabel(this)),
      m_model(new NodeTableModel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_title->setObjectName(QStringLiteral("inspectorTitle"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setContentsMargins(theme::kMargin, theme::kGrid, theme::kMargin, theme::kGrid);
    column->addWidget(m_title);
    auto* table = new PlainTable(QStringLiteral("inspectorTable"), tr("Nodes of the selected instance"), this);
    table->setModel(m_model);
    table->setColumnWidths({10, 7, 7, 6, 8, 5}, NodeTableModel::Name);
    table->setLettersLeftToWindow();
    table->setCellsEditable();
    table->setEmptySentence(tr("Click an instance to see its nodes."));
    column->addWidget(table, 1);
    connect(m_model, &NodeTableModel::pointEdited, editor, &Editor::setPoint);
    m_title->hide();
    connect(view, &ViewState::selectionChanged, this, &InspectorPanel::refresh);
}

void InspectorPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void InspectorPanel::refresh() {
    if (m_stale = !isVisible(); m_stale)
        return;
    const ShownFrame& frame = m_shown();
    const ShownInstance* instance = frame.find(m_view->selected());
    m_model->setInstance(instance, frame.skeletons);
    m_title->setVisible(instance != nullptr);
    if (instance == nullptr)
        return;
    QStringList words{tr("Instance %1").arg(instance->place + 1)};
    words << (instance->header.kind == project::InstanceKind::User ? tr("labelled by a person") : tr("predicted"));
    if (!instance->trackName.isEmpty())
        words << instance->trackName;
    m_title->setText(words.join(QStringLiteral("  \u00b7  ")));
}

}  // namespace skein::ui
