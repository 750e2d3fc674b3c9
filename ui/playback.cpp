// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback.h"

#include <algorithm>
#include <cmath>

#include "engine/video/video_source.h"
#include "ui/text.h"

namespace skein::ui {

namespace {
constexpr double kFactors[Playback::kSpeeds] = {0.125, 0.25, 0.5, 1, 2, 4, 8, 0};
constexpr int kEveryFrame = Playback::kSpeeds - 1;
constexpr double kFallbackRate = 25;  // image lists have no rate of their own
constexpr int kTickMs = 4;
constexpr double kMostLag = 0.05;  ///< seconds of the video that playing every frame may catch up with
}  // namespace

Playback::Playback(Document* document, ViewState* view, FramePresenter* presenter, VideoCanvas* canvas, QObject* parent)
    : QObject(parent), m_document(document), m_view(view), m_presenter(presenter) {
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &Playback::tick);
    m_rateClock.start();
    connect(canvas, &VideoCanvas::framePainted, this, [this] {
        const qint64 now = m_rateClock.elapsed();
        m_paintedAt.push_back(now);
        while (m_paintedAt.front() < now - 1000)
            m_paintedAt.pop_front();
    });
    connect(view, &ViewState::videoChanged, this, &Playback::stop);
    // Going elsewhere while playing plays on from there.
    connect(view, &ViewState::frameChanged, this, [this](std::int64_t frame) {
        if (m_direction != 0 && frame != m_expected)
            restartClock();
        if (m_around && (frame < m_around->first || frame > m_around->last))
            m_around.reset();
    });
    connect(view, &ViewState::videoChanged, this, [this] { m_around.reset(); });
    connect(view, &ViewState::rangeChanged, this, [this] { m_around.reset(); });
}

QString Playback::speedText(int speed) {
    static const char* const texts[kSpeeds] = {"1/8\u00d7", "1/4\u00d7", "1/2\u00d7", "1\u00d7",
                                               "2\u00d7",   "4\u00d7",   "8\u00d7",   "max"};
    return QString::fromUtf8(texts[std::clamp(speed, 0, kSpeeds - 1)]);
}

double Playback::framesPerSecond() const {
    const qint64 now = m_rateClock.elapsed();
    return static_cast<double>(
        std::count_if(m_paintedAt.begin(), m_paintedAt.end(), [now](qint64 t) { return t >= now - 1000; }));
}

void Playback::setLoop(bool loop) {
    m_loop = loop;
    if (!loop)
        m_around.reset();
}

void Playback::setEveryFrame(bool every) {
    m_everyFrame = every;
    restartClock();
}

double Playback::askedRate() const {
    if (m_speed == kEveryFrame)
        return 0;
    const int video = m_view->video();
    const auto& source =
        video >= 0 && video < m_document->videoCount() ? m_document->videoState(video).source : nullptr;
    return kFactors[m_speed] * (source && source->fps() > 0 ? source->fps() : kFallbackRate);
}

QString Playback::rateText() const {
    const double asked = askedRate();
    const QString shown = text::fixed(framesPerSecond(), 0);
    const QString both = asked > 0 ? tr("%1 of %2").arg(shown, text::fixed(asked, asked < 10 ? 1 : 0)) : shown;
    return text::withUnit(both, tr("fps"));
}

void Playback::setSpeed(int speed) {
    speed = std::clamp(speed, 0, kSpeeds - 1);
    if (speed == m_speed)
        return;
    m_speed = speed;
    restartClock();
    Q_EMIT speedChanged();
}

void Playback::toggle(int direction) {
    if (m_direction == direction) {
        stop();
        return;
    }
    if (m_view->frameCount() < 2)
        return;
    m_direction = direction;
    const FrameRange range = limits();
    // From the end, playing starts over.
    const bool outside = m_view->frame() < range.first || m_view->frame() > range.last;
    if (outside || m_view->frame() == (direction > 0 ? range.last : range.first)) {
        m_expected = direction > 0 ? range.first : range.last;
        m_view->setFrame(m_expected);
    }
    restartClock();
    m_timer.start();
    Q_EMIT stateChanged();
}

void Playback::stop() {
    if (m_direction == 0)
        return;
    m_direction = 0;
    m_timer.stop();
    Q_EMIT stateChanged();
}

void Playback::restartClock() {
    m_expected = m_view->frame();
    m_startTime = timeOf(m_expected);
    m_clock.restart();
}

double Playback::timeOf(std::int64_t frame) const {
    const VideoState* state = m_view->video() >= 0 && m_view->video() < m_document->videoCount()
                                  ? &m_document->videoState(m_view->video())
                                  : nullptr;
    if (state != nullptr && state->source && state->source->fps() > 0)
        return state->source->timeOf(std::clamp<std::int64_t>(frame, 0, state->source->frameCount() - 1));
    return static_cast<double>(frame) / kFallbackRate;
}

FrameRange Playback::limits() const {
    if (isLooping())
        return m_around ? *m_around : *m_view->range();
    return {0, m_view->frameCount() - 1};
}

void Playback::tick() {
    if (m_presenter->isPending())
        return;  // the last one is not on the canvas yet
    const FrameRange range = limits();
    std::int64_t frame = m_view->frame();
    if (m_speed == kEveryFrame) {
        frame += m_direction;
    } else {
        const double due =
            m_startTime + m_direction * kFactors[m_speed] * static_cast<double>(m_clock.nsecsElapsed()) * 1e-9;
        // Presentation times, not the mean rate: gaps in a recording stay gaps.
        const std::int64_t most = m_everyFrame ? 1 : range.count();
        const std::int64_t from = frame;
        if (m_direction > 0)
            while (frame < range.last && frame - from < most && timeOf(frame + 1) <= due)
                ++frame;
        else
            while (frame > range.first && from - frame < most && timeOf(frame - 1) >= due)
                --frame;
        // The end is left once it was shown, however late its turn came.
        if (m_direction > 0 && from == range.last && due > timeOf(range.last) + 1e-9)
            ++frame;
        if (m_direction < 0 && from == range.first && due < timeOf(range.first) - 1e-9)
            --frame;
    }
    if (frame > range.last || frame < range.first) {
        if (isLooping()) {
            m_expected = m_direction > 0 ? range.first : range.last;
            m_view->setFrame(m_expected);
            restartClock();
            return;
        }
        stop();
        Q_EMIT reachedEnd();
        return;
    }
    if (frame != m_view->frame()) {
        m_expected = frame;
        m_view->setFrame(frame);
        // Time that was lost is not made up for by a rush.
        if (m_everyFrame && std::abs(static_cast<double>(m_clock.nsecsElapsed()) * 1e-9 * kFactors[m_speed] -
                                     std::abs(timeOf(frame) - m_startTime)) > kMostLag)
            restartClock();
    }
}

}  // namespace skein::ui
