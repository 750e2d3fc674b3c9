// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

class QLabel;

namespace skein::ui {

/// The timeline's tool tip: what is on a frame in words, and its picture as soon as that is there. GUI thread only.
class TimelineTip : public QFrame {
    Q_OBJECT
public:
    static constexpr int kWidth = 192, kHeight = 144;  ///< of the largest picture

    explicit TimelineTip(QWidget* timeline);

    /// Above `globalPoint`, or below where there is no room.
    void show(const QString& words, const QPoint& globalPoint);
    void setPicture(const QPixmap& picture);  ///< null: none
    [[nodiscard]] QString words() const;
    [[nodiscard]] bool hasPicture() const;

private:
    void place();

    QLabel* m_picture;
    QLabel* m_words;
    QPoint m_at;
};

}  // namespace skein::ui
