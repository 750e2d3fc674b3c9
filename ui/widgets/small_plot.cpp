// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/small_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr int kPlotHeight = 96;
constexpr int kNamedRow = 20;
constexpr int kMostNamed = 60;
constexpr int kBarHeight = 8;

}  // namespace

SmallPlot::SmallPlot(const QString& objectName, const QString& title, Kind kind, QWidget* parent)
    : QWidget(parent), m_title(title), m_kind(kind) {
    setObjectName(objectName);
    setAccessibleName(title);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SmallPlot::setItems(std::vector<Item> items, double top) {
    m_items = std::move(items);
    m_top = top;
    m_hovered = -1;
    if (m_kind == Kind::NamedBars && m_items.size() > kMostNamed)
        m_items.resize(kMostNamed);
    if (m_top <= 0)
        for (const Item& item : m_items)
            m_top = std::max(m_top, item.value);
    QStringList words;
    for (const Item& item : m_items)
        words << item.words;
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    setVisible(!m_items.empty());
    updateGeometry();
    update();
}

QSize SmallPlot::sizeHint() const {
    const int line = fontMetrics().height();
    const int body =
        m_kind == Kind::NamedBars ? kNamedRow * static_cast<int>(m_items.size()) : kPlotHeight + theme::kGrid + line;
    return {280, line + theme::kGrid + body};
}

QSize SmallPlot::minimumSizeHint() const {
    return {180, sizeHint().height()};
}

QRectF SmallPlot::plotRect() const {
    const int line = fontMetrics().height();
    const double top = line + theme::kGrid;
    if (m_kind == Kind::Bars)
        return {0, top, static_cast<double>(width()), kPlotHeight};
    if (m_kind == Kind::Line) {
        const double left = fontMetrics().horizontalAdvance(QStringLiteral("0.5")) + theme::kMargin;
        // The figures beside the axis reach half a line beyond it.
        return {left, top + line / 2.0, std::max(1.0, width() - left), kPlotHeight - line / 2.0};
    }
    int names = 0;
    for (const Item& item : m_items)
        names = std::max(names, fontMetrics().horizontalAdvance(item.label));
    const double left = std::min(names, width() * 2 / 5) + theme::kMargin;
    const int figures = fontMetrics().horizontalAdvance(QStringLiteral("0.000")) + theme::kMargin;
    return {left, top, std::max(1.0, width() - left - figures), kNamedRow * static_cast<double>(m_items.size())};
}

double SmallPlot::share(const Item& item) const {
    return m_top > 0 && std::isfinite(item.value) ? std::clamp(item.value / m_top, 0.0, 1.0) : 0;
}

int SmallPlot::itemAt(QPointF place) const {
    const QRectF plot = plotRect();
    const auto count = static_cast<double>(m_items.size());
    if (m_items.empty() || place.y() < plot.top() || place.y() >= plot.bottom())
        return -1;
    const double at = m_kind == Kind::NamedBars ? (place.y() - plot.top()) / kNamedRow
                                                : (place.x() - plot.left()) * count / plot.width();
    return at < 0 || at >= count ? -1 : static_cast<int>(at);
}

void SmallPlot::paintEvent(QPaintEvent*) {
    if (m_items.empty())
        return;
    const theme::Tokens& t = theme::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot = plotRect();
    const QRect caption(0, 0, width(), fontMetrics().height());
    const QString words = m_hovered >= 0 ? m_items[static_cast<std::size_t>(m_hovered)].words : QString();
    painter.setPen(t.text);
    painter.drawText(caption, Qt::AlignLeft, m_title);
    painter.setPen(t.text2);
    painter.drawText(caption, Qt::AlignRight, words);
    switch (m_kind) {
        case Kind::Bars:
            paintBars(painter, plot);
            break;
        case Kind::Line:
            paintLine(painter, plot);
            break;
        case Kind::NamedBars:
            paintNamed(painter, plot);
            break;
    }
    if (m_kind != Kind::NamedBars)
        paintLabels(painter, plot);
}

void SmallPlot::paintBars(QPainter& painter, const QRectF& plot) const {
    const theme::Tokens& t = theme::tokens();
    const QColor body = theme::mix(t.surface, t.accent, t.dark ? 0.6 : 0.55);
    const double step = plot.width() / static_cast<double>(m_items.size());
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const double left = std::round(plot.left() + step * static_cast<double>(i));
        const double right = std::round(plot.left() + step * static_cast<double>(i + 1));
        const double height = std::round((plot.height() - 1) * share(m_items[i]));
        painter.fillRect(QRectF(left, plot.bottom() - height, std::max(1.0, right - left - 1), height),
                         static_cast<int>(i) == m_hovered ? t.accent : body);
    }
    painter.setPen(t.line);
    painter.drawLine(plot.bottomLeft() - QPointF(0, 0.5), plot.bottomRight() - QPointF(0, 0.5));
}

void SmallPlot::paintLine(QPainter& painter, const QRectF& plot) const {
    const theme::Tokens& t = theme::tokens();
    const double step = plot.width() / static_cast<double>(m_items.size());
    const auto point = [&](std::size_t i) {
        return QPointF(plot.left() + step * (static_cast<double>(i) + 0.5),
                       plot.bottom() - 1 - (plot.height() - 4) * share(m_items[i]));
    };
    for (const double part : {0.0, 0.5, 1.0}) {
        const double y = std::round(plot.bottom() - 1 - (plot.height() - 4) * part) + 0.5;
        painter.setPen(t.line);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(t.text2);
        painter.drawText(QRectF(0, y - kNamedRow / 2.0, plot.left() - theme::kMargin, kNamedRow),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(m_top * part));
    }
    QPainterPath path(point(0));
    for (std::size_t i = 1; i < m_items.size(); ++i)
        path.lineTo(point(i));
    painter.setPen(QPen(t.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        painter.setBrush(static_cast<int>(i) == m_hovered ? t.text : t.accent);
        painter.drawEllipse(point(i), 3, 3);
    }
}

void SmallPlot::paintNamed(QPainter& painter, const QRectF& plot) const {
    const theme::Tokens& t = theme::tokens();
    const QColor body = theme::mix(t.surface, t.accent, t.dark ? 0.6 : 0.55);
    const QColor ground = theme::mix(t.surface, t.line, 0.6);
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const double top = plot.top() + kNamedRow * static_cast<double>(i);
        const QRectF name(0, top, plot.left() - theme::kMargin, kNamedRow);
        painter.setPen(t.text2);
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(m_items[i].label, Qt::ElideRight, static_cast<int>(name.width())));
        QRectF bar(plot.left(), top + (kNamedRow - kBarHeight) / 2.0, plot.width(), kBarHeight);
        painter.fillRect(bar, ground);
        bar.setWidth(std::round(plot.width() * share(m_items[i])));
        painter.fillRect(bar, static_cast<int>(i) == m_hovered ? t.accent : body);
        painter.setPen(t.text);
        painter.drawText(
            QRectF(plot.right(), top, width() - plot.right(), kNamedRow), Qt::AlignRight | Qt::AlignVCenter,
            std::isfinite(m_items[i].value) ? QString::number(m_items[i].value, 'f', 3) : QString(QChar(0x2013)));
    }
}

/// As many labels under the axis as have room.
void SmallPlot::paintLabels(QPainter& painter, const QRectF& plot) const {
    const double step = plot.width() / static_cast<double>(m_items.size());
    painter.setPen(theme::tokens().text2);
    double free = plot.left();
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (m_items[i].label.isEmpty())
            continue;
        const double wide = fontMetrics().horizontalAdvance(m_items[i].label);
        double left = plot.left() + step * static_cast<double>(i);
        left = m_kind == Kind::Bars ? left : left + (step - wide) / 2;
        if (left < free || left + wide > plot.right())
            continue;
        painter.drawText(QPointF(left, plot.bottom() + theme::kGrid + fontMetrics().ascent()), m_items[i].label);
        free = left + wide + theme::kMargin;
    }
}

void SmallPlot::mouseMoveEvent(QMouseEvent* event) {
    if (const int item = itemAt(event->position()); item != m_hovered) {
        m_hovered = item;
        update();
    }
}

void SmallPlot::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

}  // namespace skein::ui
