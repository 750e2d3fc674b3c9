// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QWidget>
#include <vector>

namespace skein::ui {

/// A small chart of one series: bars, a line, or one horizontal bar for each name. The value under the pointer is
/// written beside the title. Colours from the theme; GUI thread.
class SmallPlot : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Bars, Line, NamedBars };
    struct Item {
        QString label;  ///< below the bar or point, or before a named bar
        double value = 0;
        QString words;  ///< of the value under the pointer
    };

    SmallPlot(const QString& objectName, const QString& title, Kind kind, QWidget* parent);

    /// `top`: the end of the axis; 0: the largest value.
    void setItems(std::vector<Item> items, double top);
    [[nodiscard]] const std::vector<Item>& items() const { return m_items; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QRectF plotRect() const;
    [[nodiscard]] int itemAt(QPointF place) const;
    [[nodiscard]] double share(const Item& item) const;  ///< of the axis, 0 to 1
    void paintBars(QPainter& painter, const QRectF& plot) const;
    void paintLine(QPainter& painter, const QRectF& plot) const;
    void paintNamed(QPainter& painter, const QRectF& plot) const;
    void paintLabels(QPainter& painter, const QRectF& plot) const;

    QString m_title;
    Kind m_kind;
    std::vector<Item> m_items;
    double m_top = 1;
    int m_hovered = -1;
};

}  // namespace skein::ui
