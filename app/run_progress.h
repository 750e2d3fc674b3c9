// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <csignal>
#include <string>

#include "engine/pipeline/prediction_run.h"

namespace skein::app {

/// Shows how a run gets on: one line that is rewritten on a terminal, a line every few seconds elsewhere.
class RunProgress {
public:
    explicit RunProgress(bool quiet);
    /// `of`: what stands before it, e.g. the video's name and ": ".
    void show(const pipeline::JobProgress& progress, const std::string& of = {});
    /// Another line that changes with time.
    void showLine(const std::string& line);
    /// A phase without numbers, e.g. "Saving".
    void showPhase(const std::string& phase);
    /// Ends the rewritten line.
    void finish();

private:
    void print(const std::string& line);

    bool m_quiet;
    bool m_terminal;
    bool m_lineOpen = false;
    std::chrono::steady_clock::time_point m_lastLine{};
    std::string m_line;  // where every line stays, the same is not written again
};

/// Turns Ctrl-C and a polite kill into a flag while it lives; a second one ends the program at once.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    [[nodiscard]] static bool interrupted();

private:
    using Handler = void (*)(int);
    Handler m_oldInterrupt;
    Handler m_oldTerminate;
};

/// Shows a run's progress; an interruption cancels it.
[[nodiscard]] pipeline::RunObserver observeWith(RunProgress& progress);

/// "1,234,567"
[[nodiscard]] std::string withThousands(std::int64_t number);
/// "1:05", "2:03:04"
[[nodiscard]] std::string asDuration(double seconds);
/// A rate to a tenth, of slow ones with as many digits as tell them apart: "84.1", "0.018".
[[nodiscard]] std::string asRate(double perSecond);

}  // namespace skein::app
