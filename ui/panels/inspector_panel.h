// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "ui/models/node_table_model.h"
#include "ui/view_state.h"
#include "ui/widgets/plain_table.h"

class QLabel;

namespace skein::ui {

class Editor;

/// Dock "Inspector": the nodes of the selected instance, to be typed in.
class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    InspectorPanel(ViewState* view, Editor* editor, QWidget* parent);
    void setFrame(const ShownFrame& frame);

private:
    void refresh();
    ViewState* m_view;
    ShownFrame m_frame;
    QLabel* m_title;
    NodeTableModel* m_model;
};

}  // namespace skein::ui
