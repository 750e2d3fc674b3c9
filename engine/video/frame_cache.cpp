// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/frame_cache.h"

#include <utility>

namespace skein::video {

std::size_t FrameCache::KeyHash::operator()(const FrameKey& key) const noexcept {
    std::uint64_t h = key.video * 0x9E3779B97F4A7C15ULL;
    h = (h ^ static_cast<std::uint64_t>(key.frame)) * 0xC2B2AE3D27D4EB4FULL;
    h ^= static_cast<std::uint64_t>(key.format);
    return static_cast<std::size_t>(h ^ (h >> 31));
}

FrameCache::FrameCache(std::size_t capacityBytes) : m_capacity(capacityBytes) {}

ImagePtr FrameCache::get(const FrameKey& key) {
    const std::lock_guard lock(m_mutex);
    const auto it = m_places.find(key);
    if (it == m_places.end()) {
        ++m_stats.misses;
        return nullptr;
    }
    ++m_stats.hits;
    m_entries.splice(m_entries.begin(), m_entries, it->second);
    return it->second->image;
}

void FrameCache::put(const FrameKey& key, ImagePtr image) {
    if (!image)
        return;
    const std::lock_guard lock(m_mutex);
    if (const auto it = m_places.find(key); it != m_places.end()) {
        m_stats.bytes -= it->second->image->sizeBytes();
        m_entries.erase(it->second);
        m_places.erase(it);
    }
    if (image->sizeBytes() > m_capacity)
        return;
    m_stats.bytes += image->sizeBytes();
    m_entries.push_front({key, std::move(image)});
    m_places.emplace(key, m_entries.begin());
    evict();
}

void FrameCache::evict() {
    while (m_stats.bytes > m_capacity) {
        const Entry& oldest = m_entries.back();
        m_stats.bytes -= oldest.image->sizeBytes();
        ++m_stats.evictions;
        m_places.erase(oldest.key);
        m_entries.pop_back();
    }
}

void FrameCache::removeVideo(std::uint64_t video) {
    const std::lock_guard lock(m_mutex);
    for (auto it = m_entries.begin(); it != m_entries.end();) {
        if (it->key.video != video) {
            ++it;
            continue;
        }
        m_stats.bytes -= it->image->sizeBytes();
        m_places.erase(it->key);
        it = m_entries.erase(it);
    }
}

void FrameCache::clear() {
    const std::lock_guard lock(m_mutex);
    m_entries.clear();
    m_places.clear();
    m_stats.bytes = 0;
}

void FrameCache::setCapacity(std::size_t capacityBytes) {
    const std::lock_guard lock(m_mutex);
    m_capacity = capacityBytes;
    evict();
}

std::size_t FrameCache::capacity() const {
    const std::lock_guard lock(m_mutex);
    return m_capacity;
}

CacheStats FrameCache::stats() const {
    const std::lock_guard lock(m_mutex);
    CacheStats stats = m_stats;
    stats.frames = m_entries.size();
    return stats;
}

}  // namespace skein::video
