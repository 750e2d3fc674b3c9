// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <functional>

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
    /// `shown`: as for InstancesPanel.
    InspectorPanel(ViewState* view, Editor* editor, std::function<const ShownFrame&()> shown, QWidget* parent);
    /// The shown frame has other contents.
    void frameChanged() { refresh(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    ViewState* m_view;
    std::function<const ShownFrame&()> m_shown;
    bool m_stale = true;  ///< something changed while nobody saw it
    QLabel* m_title;
    NodeTableModel* m_model;
};

}  // namespace skein::ui
