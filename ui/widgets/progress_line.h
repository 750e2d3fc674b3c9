// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>
#include <QWidget>

namespace skein::ui {

/// How far a job is: a flat bar without text. Full only when told that all is done.
class ProgressLine : public QWidget {
    Q_OBJECT
    Q_PROPERTY(double fraction READ fraction)
public:
    enum class State { Active, Paused, Done, Failed, Ended };

    ProgressLine(const QString& objectName, QWidget* parent);

    /// `fraction` from 0 to 1; below 0: not known, the bar is empty.
    void set(double fraction, State state);
    [[nodiscard]] double fraction() const { return m_fraction; }
    [[nodiscard]] State state() const { return m_state; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int pixels() const;
    double m_fraction = -1;
    State m_state = State::Active;
};

/// A label that shortens what does not fit and shows all of it as its tool tip.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent, Qt::TextElideMode mode = Qt::ElideMiddle);
    void setFullText(const QString& text);
    [[nodiscard]] QString fullText() const { return m_text; }
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();
    QString m_text;
    Qt::TextElideMode m_mode;
};

}  // namespace skein::ui
