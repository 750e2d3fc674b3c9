// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <functional>

class QLabel;
class QPushButton;

namespace skein::ui {

/// "3 of 17: track_2, frames 40-44", with buttons to the place before and the next one, around the ends. GUI thread
/// only.
class StopWalk : public QWidget {
    Q_OBJECT
public:
    /// `prefix`: of the object names ("<prefix>Where", "<prefix>Previous", "<prefix>Next").
    StopWalk(const QString& prefix, const QString& tipPrevious, const QString& tipNext, QWidget* parent);
    /// What is said of a place.
    std::function<QString(int)> words;
    /// Other places; none is chosen.
    void setCount(int count);

Q_SIGNALS:
    void stopWanted(int stop);

private:
    void goBy(int step);
    void show();

    QLabel* m_where;
    QPushButton *m_previous, *m_next;
    int m_count = 0, m_stop = -1;
};

}  // namespace skein::ui
