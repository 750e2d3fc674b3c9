// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QHash>
#include <QPainter>
#include <QPixmap>
#include <vector>

#include "ui/canvas/name_layout.h"

namespace skein::ui {

/// Writes the nodes' names: complete ones bold with a tick, unconfirmed ones in another colour, those that are not
/// visible grey, bold and slanted, each on a dark box; crowded ones faint, below the others. A name is set in type once
/// and copied from then on. GUI thread only.
class NamePainter {
public:
    void paint(QPainter& painter, const ShownFrame& frame, const QTransform& toView, const OverlayStyle& style,
               project::InstanceId selected);
    /// As painted last, in view coordinates. The pointers to instances do not hold any more.
    [[nodiscard]] const std::vector<NameBox>& names() const { return m_names; }
    void clear() { m_names.clear(); }
    void dropCaches() { m_sprites.clear(); }

private:
    enum State : int { Plain, Complete, Incomplete, Hidden, Score };
    [[nodiscard]] const QPixmap& sprite(const QString& text, State state, QSizeF size, const QFont& font, double ratio);
    void paintOne(QPainter& painter, const NameBox& name, const QFont& font, double ratio, bool withNames);

    std::vector<NameBox> m_names;
    QHash<QString, QPixmap> m_sprites;
    QHash<const void*, std::vector<QString>> m_texts;  ///< of the nodes of a skeleton, in one paint
    int m_labelSize = 0;
    double m_ratio = 0;
};

}  // namespace skein::ui
