// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <ctime>
#include <vector>

namespace skein::test {

/// How long this thread, or the program with all its threads, works on something: what else a shared machine does, and
/// what is waited for, do not count.
class WorkedTime {
public:
    enum class Of { Thread, Program };
    explicit WorkedTime(Of of = Of::Thread)
        : m_clock(of == Of::Thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID), m_begun(now()) {}
    [[nodiscard]] double ms() const { return now() - m_begun; }

private:
    [[nodiscard]] double now() const {
        timespec time{};
        clock_gettime(m_clock, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
    }
    clockid_t m_clock;
    double m_begun;
};

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace skein::test
