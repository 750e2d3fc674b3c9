// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <deque>
#include <optional>

#include "ui/document.h"
#include "ui/frame_presenter.h"
#include "ui/view_state.h"

namespace skein::ui {

/// Plays the shown video at its own rate times a speed, forward or backward. Frames are dropped to keep time, never
/// shown under a wrong number: the next frame is chosen when the last one is on the canvas. GUI thread only.
class Playback : public QObject {
    Q_OBJECT
public:
    static constexpr int kSpeeds = 8;  ///< 1/8, 1/4, 1/2, 1, 2, 4, 8, every frame as fast as it comes

    Playback(Document* document, ViewState* view, FramePresenter* presenter, VideoCanvas* canvas, QObject* parent);

    [[nodiscard]] bool isPlaying() const { return m_direction != 0; }
    [[nodiscard]] int direction() const { return m_direction; }  ///< +1, -1, 0 paused
    [[nodiscard]] double framesPerSecond() const;                ///< really shown in the last second
    [[nodiscard]] int speed() const { return m_speed; }          ///< place in the list of speeds
    [[nodiscard]] static QString speedText(int speed);
    void setSpeed(int speed);
    /// Goes round and round, over the selected frames or those of loopAround().
    void setLoop(bool loop);
    /// Frames of a review, which are looped over in place of the selected ones: to look at a place selects no frames.
    /// They hold until the person goes elsewhere, selects frames or ends the loop.
    void loopAround(const FrameRange& frames) { m_around = frames; }
    [[nodiscard]] const std::optional<FrameRange>& around() const { return m_around; }
    /// Shows every frame and falls behind where that takes longer, instead of dropping frames to keep time.
    void setEveryFrame(bool every);
    [[nodiscard]] double askedRate() const;  ///< frames per second that it would take; 0: as many as there can be
    [[nodiscard]] QString rateText() const;  ///< "48 of 50 fps": shown and asked

    void toggle(int direction);
    void stop();

Q_SIGNALS:
    void stateChanged();
    void speedChanged();
    void reachedEnd();

private:
    void restartClock();
    void tick();
    [[nodiscard]] double timeOf(std::int64_t frame) const;
    [[nodiscard]] bool isLooping() const { return m_loop && (m_around || m_view->range()); }
    [[nodiscard]] FrameRange limits() const;

    Document* m_document;
    ViewState* m_view;
    FramePresenter* m_presenter;
    QTimer m_timer;
    QElapsedTimer m_clock;
    QElapsedTimer m_rateClock;
    std::deque<qint64> m_paintedAt;
    double m_startTime = 0;
    std::int64_t m_expected = 0;
    int m_direction = 0;
    int m_speed = 3;
    bool m_loop = false;
    std::optional<FrameRange> m_around;
    bool m_everyFrame = false;
};

}  // namespace skein::ui
