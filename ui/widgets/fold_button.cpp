// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fold_button.h"

namespace skein::ui {

FoldButton::FoldButton(const QString& objectName, const QString& title, QWidget* contents, QWidget* parent)
    : QToolButton(parent), m_contents(contents) {
    setObjectName(objectName);
    setAccessibleName(title);
    setText(title);
    setToolTip(tr("Shows or hides what belongs to it."));
    setCheckable(true);
    setAutoRaise(true);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setArrowType(Qt::RightArrow);
    contents->hide();
    connect(this, &QToolButton::toggled, contents, [this, contents](bool open) {
        setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        contents->setVisible(open);
    });
}

}  // namespace skein::ui
