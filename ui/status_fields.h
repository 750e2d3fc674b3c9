// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>
#include <QObject>
#include <QTimer>

class QProgressBar;
class QStatusBar;
class QToolButton;

namespace skein::ui {

/// A text in the status bar whose width only grows, so that changing numbers move nothing.
class StatusField : public QLabel {
    Q_OBJECT
public:
    StatusField(const QString& objectName, const QString& what, QWidget* parent);
    void set(const QString& text);               ///< empty: hides the field
    void setQuiet(bool quiet);                   ///< secondary colour: the value is on its way
    void setMayShrink() { m_mayShrink = true; }  ///< gives way, elided, where the bar is short of room
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void clicked();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    int m_widest = 0;
    bool m_mayShrink = false;
};

/// The status bar: fields of fixed place and name, and room for a passing notice.
class StatusFields : public QObject {
    Q_OBJECT
public:
    explicit StatusFields(QStatusBar* bar);

    StatusField* video;
    StatusField* frame;
    StatusField* time;
    StatusField* onFrame;
    StatusField* labelled;
    StatusField* predicted;
    StatusField* fps;
    StatusField* memory;
    StatusField* device;

    /// One line that goes away by itself, e.g. "Wrapped to the start".
    void notice(const QString& text);
    /// What lies under the pointer; gives way to a notice.
    void hover(const QString& text);
    /// `fraction` from 0 to 1, or below 0 while unknown; an empty text hides it.
    void job(const QString& text, double fraction);

Q_SIGNALS:
    void jobClicked();

private:
    void updateMemory();
    QLabel* m_message;
    QToolButton* m_jobText;
    QProgressBar* m_jobBar;
    QTimer m_noticeTimer;
    QTimer m_memoryTimer;
    QString m_hover;
};

}  // namespace skein::ui
