// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/rate_meter.h"

namespace skein::pipeline {
namespace {
constexpr double kWindowSeconds = 5;
constexpr double kSecondsBeforeEstimate = 2;
}  // namespace

void RateMeter::start(Time now) {
    if (m_running)
        return;
    m_running = true;
    m_started = now;
    if (m_samples.empty())
        m_samples.push_back({0, 0});
}

void RateMeter::stop(Time now) {
    m_before = secondsElapsed(now);
    m_running = false;
}

double RateMeter::secondsElapsed(Time now) const {
    return m_before + (m_running ? std::chrono::duration<double>(now - m_started).count() : 0);
}

void RateMeter::add(Time now, std::int64_t framesDone) {
    const double seconds = secondsElapsed(now);
    m_samples.push_back({seconds, framesDone});
    // One sample older than the window stays, so that the span always covers it.
    while (m_samples.size() > 2 && m_samples[1].seconds < seconds - kWindowSeconds)
        m_samples.pop_front();
}

double RateMeter::framesPerSecond(Time now) const {
    if (m_samples.size() < 2)
        return 0;
    const double span = secondsElapsed(now) - m_samples.front().seconds;
    const auto frames = static_cast<double>(m_samples.back().frames - m_samples.front().frames);
    return span > 0 ? frames / span : 0;
}

double RateMeter::secondsLeft(Time now, std::int64_t framesTotal) const {
    const double rate = framesPerSecond(now);
    if (rate <= 0 || secondsElapsed(now) < kSecondsBeforeEstimate)
        return -1;
    return static_cast<double>(framesTotal - m_samples.back().frames) / rate;
}

}  // namespace skein::pipeline
