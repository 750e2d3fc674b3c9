// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/panel_buttons.h"

#include <QToolButton>

#include "ui/theme.h"
#include "ui/widgets/flow_layout.h"

namespace skein::ui {

QLayout* panelButtons(QWidget* parent, const QList<std::pair<QAction*, QString>>& buttons) {
    auto* row = new FlowLayout;
    row->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
    for (const auto& [action, words] : buttons) {
        auto* button = new QToolButton(parent);
        button->setObjectName(action->objectName() + QStringLiteral("PanelButton"));
        button->setText(words);
        button->setAccessibleName(words);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setFocusPolicy(Qt::TabFocus);
        const auto follow = [button, a = action] {
            button->setEnabled(a->isEnabled());
            button->setToolTip(a->toolTip());
        };
        QObject::connect(action, &QAction::changed, button, follow);
        QObject::connect(button, &QToolButton::clicked, action, &QAction::trigger);
        follow();
        row->addWidget(button);
    }
    return row;
}

}  // namespace skein::ui
