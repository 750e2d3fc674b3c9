// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_tip.h"

#include <QLabel>
#include <QScreen>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/theme.h"

namespace skein::ui {

TimelineTip::TimelineTip(QWidget* timeline)
    : QFrame(timeline, Qt::ToolTip | Qt::WindowTransparentForInput),
      m_picture(new QLabel(this)),
      m_words(new QLabel(this)) {
    setObjectName(QStringLiteral("timelineTip"));
    setAccessibleName(tr("Frame under the pointer"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setFrameShape(QFrame::Box);
    setLineWidth(1);
    setBackgroundRole(QPalette::ToolTipBase);
    setForegroundRole(QPalette::ToolTipText);
    m_words->setForegroundRole(QPalette::ToolTipText);
    m_words->setTextFormat(Qt::PlainText);
    m_picture->setAlignment(Qt::AlignCenter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
    column->setSpacing(theme::kGrid);
    column->addWidget(m_picture);
    column->addWidget(m_words);
    m_picture->hide();
}

void TimelineTip::show(const QString& words, const QPoint& globalPoint) {
    m_words->setText(words);
    m_at = globalPoint;
    place();
    QFrame::show();
}

void TimelineTip::setPicture(const QPixmap& picture) {
    m_picture->setPixmap(picture);
    m_picture->setVisible(!picture.isNull());
    place();
}

QString TimelineTip::words() const {
    return m_words->text();
}

bool TimelineTip::hasPicture() const {
    return !m_picture->isHidden();
}

void TimelineTip::place() {
    setPalette(QToolTip::palette());
    layout()->activate();
    resize(sizeHint());
    QPoint corner(m_at.x() - width() / 2, m_at.y() - height() - theme::kMargin);
    if (const QScreen* on = screen()) {
        const QRect room = on->availableGeometry();
        if (corner.y() < room.top())
            corner.setY(m_at.y() + theme::kControlHeight);
        corner.setX(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())));
    }
    move(corner);
}

}  // namespace skein::ui
