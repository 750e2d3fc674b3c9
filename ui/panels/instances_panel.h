// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <functional>

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
    /// `shown` tells what is on the shown frame: a hidden dock asks for it only when it comes into sight.
    InstancesPanel(const Document* document, ViewState* view, Editor* editor, const QList<QAction*>& actions,
                   std::function<const ShownFrame&()> shown, QWidget* parent);
    void setFrame(const ShownFrame& frame);
    [[nodiscard]] InstanceTableModel* model() const { return m_model; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void selectRows();
    void clicked(const QModelIndex& cell);
    void takeSelection();

    ViewState* m_view;
    InstanceTableModel* m_model;
    PlainTable* m_table;
    std::function<const ShownFrame&()> m_shown;
    bool m_selecting = false;
    bool m_stale = false;  ///< the frame changed while nobody saw it
};

}  // namespace skein::ui
