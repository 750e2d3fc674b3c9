// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace skein::inference {

/// Threads that each compute whole frames. Splitting every layer of one frame over the cores instead costs two waits a
/// layer, which is nothing on an idle machine and ruinous on a busy one: whoever loses its core for a moment holds up
/// all others at once.
///
/// Thread-compatible: one thread calls run(). LibTorch is set up on each lane for the threads that the lane may use.
class CpuLanes {
public:
    /// `threadsPerLane`: LibTorch's threads within a lane, at least 1.
    CpuLanes(int lanes, int threadsPerLane);
    ~CpuLanes();
    CpuLanes(const CpuLanes&) = delete;
    CpuLanes& operator=(const CpuLanes&) = delete;

    [[nodiscard]] int lanes() const { return static_cast<int>(m_threads.size()); }

    /// Calls work(lane, i) for i in [0, count) on the lanes, and done(i) on the calling thread in ascending order, each
    /// when its work is finished. Lanes run ahead of done() by two items each at most, so that memory does not grow
    /// with `count`. An exception of either ends the run, once no work is under way any more, and reaches the caller.
    void run(std::size_t count, const std::function<void(int, std::size_t)>& work,
             const std::function<void(std::size_t)>& done);

private:
    void laneLoop(int lane, int threadsPerLane);

    std::mutex m_mutex;
    std::condition_variable m_wake;      // lanes wait for work
    std::condition_variable m_finished;  // the caller waits for results
    const std::function<void(int, std::size_t)>* m_work = nullptr;
    std::size_t m_count = 0;
    std::size_t m_next = 0;        // first item that nobody has taken
    std::size_t m_doneTo = 0;      // items handed to the caller
    std::size_t m_running = 0;     // items under way
    std::vector<bool> m_ready;     // by item
    std::exception_ptr m_problem;  // the first one
    bool m_stop = false;
    std::vector<std::thread> m_threads;
};

}  // namespace skein::inference
