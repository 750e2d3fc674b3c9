// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/progress_line.h"

#include <QPainter>
#include <algorithm>

#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr int kHeight = 6;

}  // namespace

ProgressLine::ProgressLine(const QString& objectName, QWidget* parent) : QWidget(parent) {
    setObjectName(objectName);
    setAccessibleName(tr("Progress"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize ProgressLine::sizeHint() const {
    return {80, kHeight};
}

int ProgressLine::pixels() const {
    if (m_fraction < 0)
        return 0;
    if (m_fraction >= 1)
        return width();
    // Rounding must not show a full bar while something is still going on.
    return std::min(static_cast<int>(width() * m_fraction), width() - 2);
}

void ProgressLine::set(double fraction, State state) {
    const int before = pixels();
    const bool sameState = state == m_state;
    m_fraction = fraction;
    m_state = state;
    if (sameState && pixels() == before)
        return;
    setAccessibleDescription(fraction < 0 ? tr("not known") : text::percent(fraction));
    update();
}

void ProgressLine::paintEvent(QPaintEvent*) {
    const theme::Tokens& t = theme::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const double radius = kHeight / 2.0;
    painter.setBrush(theme::mix(t.surface, t.line, 0.8));
    painter.drawRoundedRect(QRectF(rect()), radius, radius);
    QColor color = t.accent;
    if (m_state == State::Done)
        color = t.good;
    else if (m_state == State::Failed)
        color = t.bad;
    else if (m_state == State::Paused || m_state == State::Ended)
        color = t.text2;
    if (const int filled = pixels(); filled > 0) {
        painter.setClipRect(QRect(0, 0, filled, height()));
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(rect()), radius, radius);
    }
}

ElidedLabel::ElidedLabel(QWidget* parent, Qt::TextElideMode mode) : QLabel(parent), m_mode(mode) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setTextFormat(Qt::PlainText);
}

void ElidedLabel::setFullText(const QString& text) {
    if (text == m_text)
        return;
    m_text = text;
    elide();
}

QSize ElidedLabel::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 8, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::elide() {
    const QString shown = fontMetrics().elidedText(m_text, m_mode, contentsRect().width());
    setText(shown);
    setToolTip(shown == m_text ? QString() : m_text);
    setAccessibleName(m_text);
}

}  // namespace skein::ui
