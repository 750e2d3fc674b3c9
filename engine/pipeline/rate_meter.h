// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <chrono>
#include <cstdint>
#include <deque>

namespace skein::pipeline {

/// Frames per second of the last seconds and the time left, with pauses left out. Thread-compatible.
class RateMeter {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// The clock runs from here (again, after a stop).
    void start(Time now);
    void stop(Time now);
    /// `framesDone` in total at `now`.
    void add(Time now, std::int64_t framesDone);

    /// Over the last five seconds; 0 before the first frames.
    [[nodiscard]] double framesPerSecond(Time now) const;
    [[nodiscard]] double secondsElapsed(Time now) const;
    /// -1: not known yet (less than two seconds of work).
    [[nodiscard]] double secondsLeft(Time now, std::int64_t framesTotal) const;

private:
    struct Sample {
        double seconds;  // of running time
        std::int64_t frames;
    };
    bool m_running = false;
    Time m_started;
    double m_before = 0;  // running time up to the last stop
    std::deque<Sample> m_samples;
};

}  // namespace skein::pipeline
