// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "ui/models/instance_table_model.h"
#include "ui/view_state.h"
#include "ui/widgets/plain_table.h"

class QAction;

namespace skein::ui {

class Document;
class Editor;

/// Dock "Instances": what is on the shown frame. The selected rows and ViewState's selection are always the same.
class InstancesPanel : public QWidget {
    Q_OBJECT
public:
    /// `actions` get a button each.
    InstancesPanel(const Document* document, ViewState* view, Editor* editor, const QList<QAction*>& actions,
                   QWidget* parent);
    void setFrame(const ShownFrame& frame);
    [[nodiscard]] InstanceTableModel* model() const { return m_model; }

private:
    void selectRows();
    void takeSelection();

    ViewState* m_view;
    InstanceTableModel* m_model;
    PlainTable* m_table;
    bool m_selecting = false;
};

}  // namespace skein::ui
