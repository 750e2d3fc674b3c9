// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/buffer_cache.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <list>
#include <mutex>
#include <unordered_map>

namespace skein::models {
namespace {

constexpr std::size_t kLarge = std::size_t{256} << 10;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kMostKept = std::size_t{512} << 20;

class BufferCache final : public c10::Allocator {
public:
    static BufferCache& instance() {
        // Never destroyed: tensors in other static objects may outlive it.
        static BufferCache* const cache = new BufferCache;
        return *cache;
    }

    c10::DataPtr allocate(std::size_t size) override {
        void* data = size < kLarge ? c10::alloc_cpu(size) : take(size);
        return {data, data, &release, at::Device(at::kCPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, std::size_t size) const override { std::memcpy(to, from, size); }

private:
    struct Kept {
        void* data;
        std::size_t size;
    };

    void* take(std::size_t size) {
        {
            const std::lock_guard lock(m_mutex);
            for (auto it = m_kept.begin(); it != m_kept.end(); ++it)
                // A somewhat larger one serves too; a much larger one would be missed by its own layer.
                if (it->size >= size && it->size - size <= size / 8) {
                    void* const data = it->data;
                    m_keptBytes -= it->size;
                    m_kept.erase(it);
                    return data;
                }
        }
        void* const data = c10::alloc_cpu(size);
#if defined(MADV_HUGEPAGE)
        if (size >= 2 * kHugePage) {
            // Only whole huge pages inside the buffer; a refusal costs nothing but speed.
            const auto begin = (reinterpret_cast<std::uintptr_t>(data) + kHugePage - 1) & ~(kHugePage - 1);
            const auto end = (reinterpret_cast<std::uintptr_t>(data) + size) & ~(kHugePage - 1);
            (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
        }
#endif
        const std::lock_guard lock(m_mutex);
        m_sizes.emplace(data, size);
        return data;
    }

    static void release(void* data) {
        if (data == nullptr)
            return;
        BufferCache& cache = instance();
        std::list<Kept> surplus;
        {
            const std::lock_guard lock(cache.m_mutex);
            const auto known = cache.m_sizes.find(data);
            if (known == cache.m_sizes.end()) {
                surplus.push_back({data, 0});
            } else {
                cache.m_kept.push_front({data, known->second});
                cache.m_keptBytes += known->second;
                while (cache.m_keptBytes > kMostKept) {
                    cache.m_keptBytes -= cache.m_kept.back().size;
                    cache.m_sizes.erase(cache.m_kept.back().data);
                    surplus.splice(surplus.end(), cache.m_kept, --cache.m_kept.end());
                }
            }
        }
        for (const Kept& buffer : surplus)
            c10::free_cpu(buffer.data);
    }

    std::mutex m_mutex;
    std::unordered_map<void*, std::size_t> m_sizes;  // of all large buffers, in use or kept
    std::list<Kept> m_kept;                          // most recently released first
    std::size_t m_keptBytes = 0;
};

}  // namespace

void keepLargeBuffers() {
    static const bool installed = [] {
        c10::SetCPUAllocator(&BufferCache::instance(), 1);
        return true;
    }();
    (void)installed;
}

}  // namespace skein::models
