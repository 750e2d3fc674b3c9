// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <unordered_map>

#include "engine/base/image.h"
#include "engine/video/pixel_format.h"

namespace skein::video {

/// Names one converted picture. `video` is whatever number the owner gives a video (its place in the project's list).
struct FrameKey {
    std::uint64_t video = 0;
    FrameNumber frame = 0;
    PixelFormat format = PixelFormat::Bgra32;

    friend bool operator==(const FrameKey&, const FrameKey&) = default;
};

/// Counters since construction, and what is held now.
struct CacheStats {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t evictions = 0;
    std::size_t frames = 0;
    std::size_t bytes = 0;
};

/// Pictures used last, up to a number of bytes. Thread-safe; every call is a short lock.
class FrameCache {
public:
    explicit FrameCache(std::size_t capacityBytes);

    /// nullptr when absent; a hit becomes the most recently used.
    [[nodiscard]] ImagePtr get(const FrameKey& key);
    /// Replaces an older picture of that key and drops the least recently used until all fit; a picture larger than the
    /// capacity is not kept.
    void put(const FrameKey& key, ImagePtr image);
    /// Drops every picture of one video, e.g. when it is closed or replaced.
    void removeVideo(std::uint64_t video);
    void clear();

    void setCapacity(std::size_t capacityBytes);
    [[nodiscard]] std::size_t capacity() const;
    [[nodiscard]] CacheStats stats() const;

private:
    struct Entry {
        FrameKey key;
        ImagePtr image;
    };
    struct KeyHash {
        std::size_t operator()(const FrameKey& key) const noexcept;
    };
    void evict();

    mutable std::mutex m_mutex;
    std::size_t m_capacity;
    std::list<Entry> m_entries;  ///< most recently used first
    std::unordered_map<FrameKey, std::list<Entry>::iterator, KeyHash> m_places;
    CacheStats m_stats;
};

}  // namespace skein::video
