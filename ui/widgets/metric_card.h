// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QWidget>
#include <vector>

namespace skein::ui {

/// A figure with its name above and a note below: "Copies to host", "1 per batch", "207 copies, 12.4 MB".
/// Repaints only when something that it shows has changed.
class MetricCard : public QWidget {
    Q_OBJECT
public:
    enum class State { Neutral, Good, Bad };

    MetricCard(const QString& objectName, const QString& title, QWidget* parent);

    /// `unit` follows the value in a quieter colour. State Good and Bad carry an icon as well as a colour.
    void show(const QString& value, const QString& unit, const QString& note, State state = State::Neutral);
    void clear() { show(QString(), QString(), QString()); }
    /// What the figure was over the last minute, from 0 to 1, the newest last; drawn small behind the figure. Below 0:
    /// not known.
    void setHistory(const std::vector<float>& shares);

    [[nodiscard]] QString value() const { return m_value; }
    [[nodiscard]] QString note() const { return m_note; }
    [[nodiscard]] State state() const { return m_state; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_title;
    QString m_value;
    QString m_unit;
    QString m_note;
    std::vector<float> m_history;
    State m_state = State::Neutral;
};

}  // namespace skein::ui
