// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/render_preview.h"

#include <QPainter>

#include "ui/theme.h"

namespace skein::ui {

RenderPreview::RenderPreview(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("renderPreview"));
    setAccessibleName(tr("Preview"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void RenderPreview::show(const QImage& picture, const QSize& size) {
    m_picture = picture;
    m_size = size;
    m_word.clear();
    update();
}

void RenderPreview::showWord(const QString& word) {
    m_picture = {};
    m_word = word;
    update();
}

void RenderPreview::paintEvent(QPaintEvent*) {
    const theme::Tokens& t = theme::tokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.canvas);
    if (m_picture.isNull()) {
        painter.setPen(t.canvasText);
        painter.drawText(rect().adjusted(theme::kGap, theme::kGap, -theme::kGap, -theme::kGap),
                         Qt::AlignCenter | Qt::TextWordWrap, m_word);
        return;
    }
    // At most one pixel of the picture on one of the screen: what is small in the file is small here.
    const QSizeF full = QSizeF(m_size) / devicePixelRatioF();
    const QSizeF shown =
        full.width() <= width() && full.height() <= height() ? full : full.scaled(QSizeF(size()), Qt::KeepAspectRatio);
    const QRectF place(QPointF((width() - shown.width()) / 2, (height() - shown.height()) / 2), shown);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(place, m_picture);
}

void RenderPreview::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    Q_EMIT roomChanged();
}

}  // namespace skein::ui
