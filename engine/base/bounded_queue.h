// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "engine/base/result.h"

namespace skein {

/// Counters of one queue since its construction.
struct QueueStats {
    std::size_t depth = 0;     ///< items waiting now
    std::size_t maxDepth = 0;  ///< most items that ever waited
    std::size_t pushed = 0;
    std::size_t popped = 0;
};

/// FIFO between two pipeline stages. Thread-safe. push() blocks while full: this is the pipeline's back-pressure.
/// Ends in one of two ways: close() lets consumers drain what is queued; a stop request drops it.
template <class T>
class BoundedQueue {
public:
    explicit BoundedQueue(std::size_t capacity) : m_capacity(capacity) {
        SKEIN_EXPECTS(capacity >= 1, "a queue holds at least one item");
    }

    /// False: closed or stopped; the item is dropped.
    [[nodiscard]] bool push(T item, const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        // wait() returns the predicate's value even when stopped, hence the separate test of the token.
        m_notFull.wait(lock, stop, [this] { return m_items.size() < m_capacity || m_closed; });
        if (stop.stop_requested() || m_closed)
            return false;
        m_items.push_back(std::move(item));
        ++m_pushed;
        m_maxDepth = std::max(m_maxDepth, m_items.size());
        lock.unlock();
        m_notEmpty.notify_one();
        return true;
    }

    /// nullopt: stopped, or closed and empty.
    [[nodiscard]] std::optional<T> pop(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        m_notEmpty.wait(lock, stop, [this] { return !m_items.empty() || m_closed; });
        if (stop.stop_requested() || m_items.empty())
            return std::nullopt;
        std::optional<T> item(std::move(m_items.front()));
        m_items.pop_front();
        ++m_popped;
        lock.unlock();
        m_notFull.notify_one();
        return item;
    }

    /// No more items come; idempotent.
    void close() {
        {
            const std::lock_guard lock(m_mutex);
            m_closed = true;
        }
        m_notEmpty.notify_all();
        m_notFull.notify_all();
    }

    [[nodiscard]] QueueStats stats() const {
        const std::lock_guard lock(m_mutex);
        return {m_items.size(), m_maxDepth, m_pushed, m_popped};
    }

    [[nodiscard]] std::size_t capacity() const noexcept { return m_capacity; }

private:
    const std::size_t m_capacity;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_notFull;
    std::condition_variable_any m_notEmpty;
    std::deque<T> m_items;
    std::size_t m_maxDepth = 0;
    std::size_t m_pushed = 0;
    std::size_t m_popped = 0;
    bool m_closed = false;
};

}  // namespace skein
