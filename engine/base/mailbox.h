// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace skein {

/// One slot, newest wins: a reader that is slow sees only the latest item. Thread-safe.
template <class T>
class Mailbox {
public:
    /// Replaces whatever waits.
    void put(T item) {
        {
            const std::lock_guard lock(m_mutex);
            m_item = std::move(item);
        }
        m_filled.notify_one();
    }

    /// Takes the item at once, or nullopt when the slot is empty.
    [[nodiscard]] std::optional<T> tryTake() {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_item, std::nullopt);
    }

    /// Waits for an item; nullopt when stopped.
    [[nodiscard]] std::optional<T> take(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        m_filled.wait(lock, stop, [this] { return m_item.has_value(); });
        if (stop.stop_requested())
            return std::nullopt;
        return std::exchange(m_item, std::nullopt);
    }

    /// Whether something newer waits; lets a reader give up work that nobody wants any more.
    [[nodiscard]] bool isFull() const {
        const std::lock_guard lock(m_mutex);
        return m_item.has_value();
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_filled;
    std::optional<T> m_item;
};

}  // namespace skein
