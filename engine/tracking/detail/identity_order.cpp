// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/identity_order.h"

#include <cstdint>
#include <utility>

namespace skein::tracking {

void IdentityOrder::clear() {
    m_table.assign(8, kFree);
    m_count = 0;
    m_unlisted = false;
}

/// Open addressing: a run of neighbouring slots, then a jump that mixes in the higher bits. False: already there.
bool IdentityOrder::place(std::vector<int>& table, int id) {
    constexpr std::size_t kRun = 9;
    const std::size_t mask = table.size() - 1;
    std::size_t slot = static_cast<std::size_t>(id) & mask;
    std::uint64_t perturb = static_cast<std::uint64_t>(id);
    while (true) {
        const std::size_t last = slot + kRun <= mask ? slot + kRun : slot;
        for (std::size_t probe = slot; probe <= last; ++probe) {
            if (table[probe] == id)
                return false;
            if (table[probe] == kFree) {
                table[probe] = id;
                return true;
            }
        }
        perturb >>= 5;
        slot = static_cast<std::size_t>(slot * 5 + 1 + perturb) & mask;
    }
}

void IdentityOrder::grown() {
    ++m_count;
    if (m_count * 5 < (m_table.size() - 1) * 3)
        return;
    const std::size_t wanted = m_count > 50000 ? m_count * 2 : m_count * 4;
    std::size_t size = 8;
    while (size <= wanted)
        size *= 2;
    m_larger.assign(size, kFree);
    for (const int id : m_table)
        if (id != kFree)
            (void)place(m_larger, id);
    std::swap(m_table, m_larger);
}

void IdentityOrder::insert(int id) {
    if (place(m_table, id))
        grown();
}

void IdentityOrder::insertUnlisted() {
    if (!std::exchange(m_unlisted, true))
        grown();
}

void IdentityOrder::list(std::vector<int>& out) const {
    for (const int id : m_table)
        if (id != kFree)
            out.push_back(id);
}

}  // namespace skein::tracking
