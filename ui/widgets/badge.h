// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractButton>

namespace skein::ui {

/// A small label over the video, e.g. "LIVE"; some can be pressed. Filled while checked.
class Badge : public QAbstractButton {
    Q_OBJECT
public:
    Badge(const QString& objectName, const QString& text, QWidget* parent);
    void setPressable(bool pressable);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace skein::ui
