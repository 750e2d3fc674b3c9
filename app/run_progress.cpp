// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_progress.h"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace skein::app {
namespace {

using namespace std::chrono_literals;
constexpr auto kLineEvery = 5s;

volatile std::sig_atomic_t g_interrupted = 0;

extern "C" void noteInterrupt(int signal) {
    g_interrupted = 1;
    // The next one is not caught any more.
    std::signal(signal, SIG_DFL);
}

}  // namespace

std::string withThousands(std::int64_t number) {
    std::string text = std::to_string(number);
    for (std::ptrdiff_t at = std::ssize(text) - 3; at > (number < 0 ? 1 : 0); at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}

std::string asDuration(double seconds) {
    const auto total = static_cast<long long>(std::llround(seconds));
    std::array<char, 48> text{};
    if (total >= 3600)
        std::snprintf(text.data(), text.size(), "%lld:%02lld:%02lld", total / 3600, total / 60 % 60, total % 60);
    else
        std::snprintf(text.data(), text.size(), "%lld:%02lld", total / 60, total % 60);
    return text.data();
}

std::string asRate(double perSecond) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), perSecond > 0 && perSecond < 1 ? "%.2g" : "%.1f", perSecond);
    return text.data();
}

RunProgress::RunProgress(bool quiet) : m_quiet(quiet), m_terminal(::isatty(STDERR_FILENO) == 1) {}

void RunProgress::print(const std::string& line) {
    if (m_terminal) {
        // Erases what a longer line before has left.
        std::fprintf(stderr, "\r%s\033[K", line.c_str());
        m_lineOpen = true;
    } else {
        std::fprintf(stderr, "%s\n", line.c_str());
    }
    std::fflush(stderr);
}

void RunProgress::show(const pipeline::JobProgress& progress, const std::string& of) {
    std::string line = of + pipeline::phaseTitle(progress.phase);
    if (progress.phase == pipeline::JobPhase::Predicting) {
        line += " " + withThousands(progress.framesDone) + " of " + withThousands(progress.framesTotal) + " frames, " +
                asRate(progress.framesPerSecond) + " frames/s" +
                (progress.secondsLeft >= 0 ? ", " + asDuration(progress.secondsLeft) + " left" : ", estimating");
    }
    showLine(line);
}

void RunProgress::showLine(const std::string& line) {
    const auto now = std::chrono::steady_clock::now();
    if (m_quiet || (!m_terminal && (now - m_lastLine < kLineEvery || line == m_line)))
        return;
    m_lastLine = now;
    m_line = line;
    print(line);
}

void RunProgress::showPhase(const std::string& phase) {
    if (!m_quiet)
        print(phase);
}

void RunProgress::finish() {
    if (m_lineOpen)
        std::fprintf(stderr, "\r\033[K");
    m_lineOpen = false;
}

InterruptGuard::InterruptGuard()
    : m_oldInterrupt(std::signal(SIGINT, noteInterrupt)), m_oldTerminate(std::signal(SIGTERM, noteInterrupt)) {
    g_interrupted = 0;
}

InterruptGuard::~InterruptGuard() {
    std::signal(SIGINT, m_oldInterrupt);
    std::signal(SIGTERM, m_oldTerminate);
}

bool InterruptGuard::interrupted() {
    return g_interrupted != 0;
}

pipeline::RunObserver observeWith(RunProgress& progress) {
    return [&progress, shown = std::string()](const pipeline::RunStatus& status) mutable {
        if (status.job->state == pipeline::JobState::Running)
            progress.show(*status.job);
        else if (std::exchange(shown, status.phase) != status.phase)
            progress.showPhase(status.phase);
        return InterruptGuard::interrupted() ? pipeline::RunWish::Cancel : pipeline::RunWish::GoOn;
    };
}

}  // namespace skein::app
