// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QWidget>
#include <array>
#include <cstdint>

namespace skein::ui {

/// Frames finished in each of the last 60 seconds. Feeding it costs nothing to speak of, so it goes on while nobody
/// looks.
class RateHistory {
public:
    static constexpr int kSeconds = 60;

    void clear();
    /// `framesDone` in total at `seconds` on any clock that does not run backwards. Pauses stay visible as gaps.
    void add(double seconds, std::int64_t framesDone, bool paused);

    /// Frames in the second that ended `ago` seconds before the current one; -1: none was measured, or the run paused.
    [[nodiscard]] double rate(int ago) const;
    [[nodiscard]] double peak() const;
    /// Grows whenever what rate() tells has changed.
    [[nodiscard]] std::uint64_t version() const { return m_version; }

private:
    std::array<double, kSeconds> m_rates{};  ///< ring, m_newest is the last whole second
    int m_count = 0;
    int m_newest = -1;
    double m_secondStart = -1;
    std::int64_t m_framesAtStart = 0;
    bool m_pausedInSecond = false;
    std::uint64_t m_version = 0;
};

/// The history as a calm strip of bars with the mean as a line; the second under the pointer is named.
class RateStrip : public QWidget {
    Q_OBJECT
public:
    RateStrip(const QString& objectName, QWidget* parent);

    /// `history` outlives the strip. Repaints when it has changed.
    void refresh(const RateHistory& history, double mean);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QRectF plotRect() const;

    const RateHistory* m_history = nullptr;
    std::uint64_t m_shown = 0;
    double m_mean = 0;
    int m_hovered = -1;  ///< seconds ago
};

}  // namespace skein::ui
