// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/cpu_lanes.h"

#include <utility>

#include "engine/base/thread_name.h"
#include "engine/inference/detail/runner_base.h"

namespace skein::inference {

CpuLanes::CpuLanes(int lanes, int threadsPerLane) {
    for (int lane = 0; lane < lanes; ++lane)
        m_threads.emplace_back([this, lane, threadsPerLane] { laneLoop(lane, threadsPerLane); });
}

CpuLanes::~CpuLanes() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

void CpuLanes::laneLoop(int lane, int threadsPerLane) {
    setThreadName("skein-lane");
    const TorchThread torch(threadsPerLane);
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] {
            return m_stop || (m_work != nullptr && m_next < m_count && m_next < m_doneTo + 2 * m_threads.size());
        });
        if (m_stop)
            return;
        const std::size_t item = m_next++;
        const auto* work = m_work;
        ++m_running;
        lock.unlock();
        std::exception_ptr problem;
        try {
            (*work)(lane, item);
        } catch (...) {
            problem = std::current_exception();
        }
        lock.lock();
        --m_running;
        m_ready[item] = true;
        if (problem && !m_problem)
            m_problem = problem;
        m_finished.notify_one();
    }
}

void CpuLanes::run(std::size_t count, const std::function<void(int, std::size_t)>& work,
                   const std::function<void(std::size_t)>& done) {
    std::unique_lock lock(m_mutex);
    m_work = &work;
    m_count = count;
    m_next = m_doneTo = 0;
    m_ready.assign(count, false);
    m_problem = nullptr;
    m_wake.notify_all();
    while (m_doneTo < count && !m_problem) {
        m_finished.wait(lock, [this] { return m_problem || m_ready[m_doneTo]; });
        if (m_problem)
            break;
        lock.unlock();
        std::exception_ptr problem;
        try {
            done(m_doneTo);
        } catch (...) {
            problem = std::current_exception();
        }
        lock.lock();
        ++m_doneTo;
        if (problem && !m_problem)
            m_problem = problem;
        m_wake.notify_all();
    }
    m_count = m_next;  // nobody starts anything more
    m_finished.wait(lock, [this] { return m_running == 0; });
    m_work = nullptr;
    if (m_problem)
        std::rethrow_exception(std::exchange(m_problem, nullptr));
}

}  // namespace skein::inference
