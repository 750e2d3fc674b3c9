// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <hdf5.h>

#include <mutex>
#include <utility>

/// Thin layer over the HDF5 C library: handles that close themselves, one mutex, errors as Result.
namespace skein::formats::h5 {

/// The library is not made for several threads, so everything that touches it does so while a Session lives; sessions
/// may be nested on one thread. Also keeps the library from printing errors on standard error.
class Session {
public:
    Session();

private:
    std::unique_lock<std::recursive_mutex> m_lock;
};

/// Closes an identifier as soon as the library is free, without waiting for it: now, or when the next Session begins.
/// For destructors that may run on a thread that must not wait for a save.
void closeWhenFree(hid_t id);

/// Owns an HDF5 identifier of any kind. Must be destroyed while a Session lives.
class Id {
public:
    Id() = default;
    explicit Id(hid_t id) : m_id(id) {}
    Id(Id&& other) noexcept : m_id(std::exchange(other.m_id, -1)) {}
    Id& operator=(Id&& other) noexcept {
        std::swap(m_id, other.m_id);
        return *this;
    }
    Id(const Id&) = delete;
    Id& operator=(const Id&) = delete;
    ~Id() {
        if (m_id >= 0)
            H5Idec_ref(m_id);
    }

    /// Gives up ownership.
    [[nodiscard]] hid_t release() noexcept { return std::exchange(m_id, -1); }
    [[nodiscard]] hid_t get() const noexcept { return m_id; }
    [[nodiscard]] explicit operator bool() const noexcept { return m_id >= 0; }

private:
    hid_t m_id = -1;
};

}  // namespace skein::formats::h5
