// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/icons.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <optional>

#include "ui/theme.h"

namespace skein::ui {

namespace {

enum class Ink { Text, OnAccent, Own };

/// Renders the drawing with "currentColor" replaced, at the size and pixel ratio that is asked for.
class LineIconEngine : public QIconEngine {
public:
    LineIconEngine(QString name, Ink ink, QColor own = {})
        : m_name(std::move(name)), m_ink(ink), m_own(std::move(own)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const double ratio = painter->device() != nullptr ? painter->device()->devicePixelRatioF() : 1.0;
        QPixmap pixmap = scaledPixmap(rect.size() * ratio, mode, state, ratio);
        painter->drawPixmap(rect, pixmap);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal) override {
        const QColor color = inkFor(mode);
        const QString key = QStringLiteral("skein-icon:%1:%2:%3x%4")
                                .arg(m_name, color.name(QColor::HexArgb))
                                .arg(size.width())
                                .arg(size.height());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap))
            return pixmap;
        QFile file(QStringLiteral(":/icons/%1.svg").arg(m_name));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        QByteArray svg = file.readAll();
        svg.replace("currentColor", color.name(QColor::HexRgb).toLatin1());
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        QSvgRenderer renderer(svg);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        renderer.render(&painter);
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QIconEngine* clone() const override { return new LineIconEngine(*this); }

private:
    QColor inkFor(QIcon::Mode mode) const {
        const auto& t = theme::tokens();
        if (mode == QIcon::Disabled)
            return t.disabled;
        switch (m_ink) {
            case Ink::Text:
                return t.text;
            case Ink::OnAccent:
                return t.onAccent;
            case Ink::Own:
                return m_own;
        }
        return t.text;
    }

    QString m_name;
    Ink m_ink;
    QColor m_own;
};

}  // namespace

QIcon icon(const QString& name) {
    return QIcon(new LineIconEngine(name, Ink::Text));
}
QIcon icon(const QString& name, const QColor& color) {
    return QIcon(new LineIconEngine(name, Ink::Own, color));
}
QIcon iconOnAccent(const QString& name) {
    return QIcon(new LineIconEngine(name, Ink::OnAccent));
}

}  // namespace skein::ui
