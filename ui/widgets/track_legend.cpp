// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/track_legend.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>

#include "ui/shown_frame.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
/// A quick Ctrl+C is no reason to show anything.
constexpr int kDelayMs = 350;
constexpr int kSwatch = 10;
constexpr int kLongestName = 32;
}  // namespace

TrackLegend::TrackLegend(QWidget* canvas, std::function<std::vector<Entry>()> entries)
    : QWidget(canvas), m_ask(std::move(entries)) {
    setObjectName(QStringLiteral("trackLegend"));
    setAccessibleName(tr("Numbers of tracks"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &TrackLegend::open);
    qApp->installEventFilter(this);
}

bool TrackLegend::eventFilter(QObject* watched, QEvent* event) {
    const auto isHere = [this] {
        return window()->isActiveWindow() && parentWidget()->isVisible() &&
               QApplication::activePopupWidget() == nullptr;
    };
    switch (event->type()) {
        case QEvent::KeyPress: {
            const auto* key = static_cast<QKeyEvent*>(event);
            if (key->isAutoRepeat())
                break;
            if (key->key() == Qt::Key_Control && (key->modifiers() & ~Qt::ControlModifier) == Qt::NoModifier &&
                isHere())
                m_delay.start();
            else if (!isVisible())
                m_delay.stop();
            break;
        }
        case QEvent::KeyRelease:
            if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Control) {
                m_delay.stop();
                hide();
            }
            break;
        case QEvent::MouseButtonPress:
        case QEvent::Wheel:
        case QEvent::WindowDeactivate:
        case QEvent::ApplicationStateChange:
            m_delay.stop();
            hide();
            break;
        default:
            break;
    }
    return QWidget::eventFilter(watched, event);
}

void TrackLegend::open() {
    m_entries = m_ask();
    if (m_entries.empty())
        return;
    for (Entry& entry : m_entries)
        if (entry.name.size() > kLongestName)
            entry.name = entry.name.left(kLongestName - 1) + QChar(0x2026);
    const QFontMetrics metrics(font());
    int keys = 0, names = 0;
    for (const Entry& entry : m_entries) {
        keys = std::max(keys, metrics.horizontalAdvance(entry.key));
        names = std::max(names, metrics.horizontalAdvance(entry.name));
    }
    resize(keys + names + kSwatch + 2 * theme::kGap + 2 * theme::kMargin,
           static_cast<int>(m_entries.size()) * theme::kRowHeight + 2 * theme::kGrid);
    move(parentWidget()->width() - width() - theme::kGap, theme::kGap + 24);
    show();
    raise();
}

void TrackLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 200));
    painter.drawRoundedRect(rect(), theme::kRadius, theme::kRadius);
    const QFontMetrics metrics(font());
    int keys = 0;
    for (const Entry& entry : m_entries)
        keys = std::max(keys, metrics.horizontalAdvance(entry.key));
    int y = theme::kGrid;
    for (const Entry& entry : m_entries) {
        const QRect row(theme::kGap, y, width() - 2 * theme::kGap, theme::kRowHeight);
        painter.setPen(QColor(255, 255, 255, 190));
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, entry.key);
        if (entry.color != kNeutralColor) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme::trackColor(entry.color));
            painter.drawEllipse(
                QRectF(row.left() + keys + theme::kMargin, row.center().y() - kSwatch / 2.0 + 0.5, kSwatch, kSwatch));
        }
        painter.setPen(Qt::white);
        painter.drawText(row.adjusted(keys + kSwatch + 2 * theme::kMargin, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         entry.name);
        y += theme::kRowHeight;
    }
}

}  // namespace skein::ui
