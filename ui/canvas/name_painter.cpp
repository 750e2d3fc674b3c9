// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/name_painter.h"

#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
/// A project with thousands of node names, or all scores in all sizes: what was set in type is let go.
constexpr qsizetype kMostSprites = 4096;
}  // namespace

const QPixmap& NamePainter::sprite(const QString& text, State state, QSizeF size, const QFont& font, double ratio) {
    const QString key = QChar(u'0' + state) + text;
    const auto found = m_sprites.constFind(key);
    if (found != m_sprites.constEnd())
        return *found;
    QPixmap pixmap(static_cast<int>(std::ceil(size.width() * ratio)),
                   static_cast<int>(std::ceil(size.height() * ratio)));
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(theme::nameGround(state == Hidden));
    QPainter painter(&pixmap);
    QFont own = font;
    own.setBold(state == Complete || state == Hidden);
    own.setItalic(state == Hidden);
    painter.setFont(own);
    const QColor ink = state == Hidden       ? theme::neutralColor()
                       : state == Complete   ? theme::completeName()
                       : state == Incomplete ? theme::incompleteName()
                                             : theme::onPicture();
    painter.setPen(ink);
    QRectF box(QPointF(0, 0), size);
    if (state == Complete) {
        const QPointF tick(3, box.center().y());
        const QPointF stroke[] = {tick, tick + QPointF(2.5, 3), tick + QPointF(7, -3.5)};
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(ink, 1.5));
        painter.drawPolyline(stroke, 3);
        painter.setPen(ink);
        box.setLeft(kNameTick);
    }
    painter.drawText(box, Qt::AlignCenter, text);
    painter.end();
    return *m_sprites.insert(key, pixmap);
}

void NamePainter::paintOne(QPainter& painter, const NameBox& name, const QFont& font, double ratio, bool withNames) {
    const project::Point& p = name.of->points[static_cast<std::size_t>(name.node)];
    QPointF at = name.box.topLeft();
    if (ratio == 1)
        at = QPointF(std::round(at.x()), std::round(at.y()));
    const double nameWidth = name.box.width() - name.score;
    if (withNames) {
        std::vector<QString>& texts = m_texts[name.of->skeleton];
        if (texts.empty())
            for (const std::string& node : name.of->skeleton->nodes)
                texts.push_back(QString::fromStdString(node));
        const bool user = name.of->header.kind == project::InstanceKind::User;
        const State state = !p.visible ? Hidden : !user ? Plain : p.complete ? Complete : Incomplete;
        painter.drawPixmap(at, sprite(texts[static_cast<std::size_t>(name.node)], state,
                                      QSizeF(nameWidth, name.box.height()), font, ratio));
    }
    if (name.score > 0) {
        const double width = withNames ? name.score : name.box.width();
        painter.drawPixmap(at + QPointF(name.box.width() - width, 0),
                           sprite(text::fixed(p.score, 2), Score, QSizeF(width, name.box.height()), font, ratio));
    }
}

void NamePainter::paint(QPainter& painter, const ShownFrame& frame, const QTransform& toView, const OverlayStyle& style,
                        project::InstanceId selected) {
    const double ratio = painter.device()->devicePixelRatioF();
    if (m_labelSize != style.labelSize || m_ratio != ratio || m_sprites.size() > kMostSprites)
        dropCaches();
    m_labelSize = style.labelSize;
    m_ratio = ratio;
    m_texts.clear();
    QFont font = painter.font();
    font.setPixelSize(style.labelSize);
    QFont widest = font;
    widest.setBold(true);
    widest.setItalic(true);
    m_names = layOutNames(frame, toView, QFontMetricsF(widest), style, selected);
    const QRectF ground = painter.transform().inverted().mapRect(QRectF(painter.viewport()));
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, ratio != 1);
    for (const bool crowded : {true, false}) {
        painter.setOpacity(crowded ? 0.35 : 1.0);
        for (auto name = m_names.rbegin(); name != m_names.rend(); ++name)
            if (name->crowded == crowded && ground.intersects(name->box))
                paintOne(painter, *name, font, ratio, style.names);
    }
    painter.restore();
    for (NameBox& name : m_names)
        name.of = nullptr;
}

}  // namespace skein::ui
