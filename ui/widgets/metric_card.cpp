// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/metric_card.h"

#include <QPainter>
#include <algorithm>

#include "ui/icons.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr int kPad = theme::kMargin;
constexpr int kValueSteps = 3;
constexpr int kIcon = 16;
constexpr int kLeastPlot = 24;

QFont noteFont(const QFont& base) {
    QFont font = base;
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() - 1);
    return font;
}

}  // namespace

MetricCard::MetricCard(const QString& objectName, const QString& title, QWidget* parent)
    : QWidget(parent), m_title(title) {
    setObjectName(objectName);
    setAccessibleName(title);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MetricCard::show(const QString& value, const QString& unit, const QString& note, State state) {
    if (value == m_value && unit == m_unit && note == m_note && state == m_state)
        return;
    m_value = value;
    m_unit = unit;
    m_note = note;
    m_state = state;
    setAccessibleDescription(QStringLiteral("%1 %2. %3").arg(value, unit, note));
    setToolTip(note);
    update();
}

void MetricCard::setHistory(const std::vector<float>& shares) {
    if (shares == m_history)
        return;
    m_history = shares;
    update();
}

QSize MetricCard::sizeHint() const {
    const QFontMetrics small(noteFont(font()));
    const QFontMetrics big(theme::headingFont(kValueSteps));
    return {big.horizontalAdvance(QStringLiteral("1,000.0 f/s")) + 2 * kPad,
            2 * kPad + 2 * small.height() + big.height() + theme::kGrid};
}

QSize MetricCard::minimumSizeHint() const {
    const QFontMetrics small(noteFont(font()));
    return {small.averageCharWidth() * 14 + 2 * kPad, sizeHint().height()};
}

void MetricCard::paintEvent(QPaintEvent*) {
    const theme::Tokens& t = theme::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor mark = m_state == State::Bad ? t.bad : m_state == State::Good ? t.good : t.text;
    painter.setPen(QPen(m_state == State::Bad ? t.bad : t.line, 1));
    painter.setBrush(m_state == State::Bad ? theme::mix(t.surface, t.bad, 0.10) : t.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme::kRadius, theme::kRadius);

    const QFont small = noteFont(font());
    const QFontMetrics smallMetrics(small);
    const QRect inner = rect().adjusted(kPad, kPad, -kPad, -kPad);
    painter.setFont(small);
    painter.setPen(t.text2);
    const auto elided = [&](const QString& text) {
        return smallMetrics.elidedText(text, Qt::ElideRight, inner.width());
    };
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, elided(m_title));

    const QFont big = theme::headingFont(kValueSteps);
    const QFontMetrics bigMetrics(big);
    QRect line(inner.left(), inner.top() + smallMetrics.height() + 2, inner.width(), bigMetrics.height());
    const QString value = m_value.isEmpty() ? QStringLiteral("–") : m_value;
    painter.setFont(big);
    painter.setPen(m_value.isEmpty() ? t.text2 : mark);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, value);
    int x = line.left() + bigMetrics.horizontalAdvance(value) + theme::kGrid;
    if (!m_unit.isEmpty()) {
        painter.setFont(small);
        painter.setPen(t.text2);
        // On the value's baseline.
        const int baseline = line.top() + (line.height() - bigMetrics.height()) / 2 + bigMetrics.ascent();
        painter.drawText(x, baseline, smallMetrics.elidedText(m_unit, Qt::ElideRight, inner.right() - x));
        x += smallMetrics.horizontalAdvance(m_unit) + theme::kGrid;
    }
    if (m_state != State::Neutral && inner.right() - kIcon >= x)
        icon(m_state == State::Good ? QStringLiteral("check") : QStringLiteral("warning"), mark)
            .paint(&painter, QRect(inner.right() - kIcon, line.center().y() - kIcon / 2, kIcon, kIcon));

    // What is left of the line beside the figure.
    const QRectF plot(x + theme::kGrid, line.top() + 2, inner.right() - x - theme::kGrid, line.height() - 4);
    if (m_history.size() > 1 && plot.width() >= kLeastPlot) {
        const double step = plot.width() / static_cast<double>(m_history.size() - 1);
        QPolygonF path;
        for (std::size_t i = 0; i < m_history.size(); ++i)
            if (m_history[i] >= 0)
                path << QPointF(plot.left() + step * static_cast<double>(i),
                                plot.bottom() - plot.height() * std::min(1.0F, m_history[i]));
        painter.setPen(QPen(theme::mix(t.surface, t.accent, 0.6), 1));
        painter.drawPolyline(path);
    }

    painter.setFont(small);
    painter.setPen(m_state == State::Bad ? t.bad : t.text2);
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignBottom, elided(m_note));
}

}  // namespace skein::ui
