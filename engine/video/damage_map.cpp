// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/damage_map.h"
#include "engine/base/frame_number.h"

namespace skein::video {
namespace {

constexpr std::uint8_t code(FrameState state) {
    return static_cast<std::uint8_t>(state);
}

}  // namespace

DamageMap::DamageMap(FrameNumber frames) : m_states(static_cast<std::size_t>(frames)) {
    for (std::atomic<std::uint8_t>& state : m_states)
        state.store(code(FrameState::Unknown), std::memory_order_relaxed);
}

FrameState DamageMap::stateOf(FrameNumber frame) const {
    return static_cast<FrameState>(m_states[static_cast<std::size_t>(frame)].load(std::memory_order_acquire));
}

void DamageMap::markReadable(FrameNumber frame) {
    std::uint8_t expected = code(FrameState::Unknown);
    m_states[static_cast<std::size_t>(frame)].compare_exchange_strong(expected, code(FrameState::Readable));
}

void DamageMap::markUnreadable(FrameNumber frame) {
    if (m_states[static_cast<std::size_t>(frame)].exchange(code(FrameState::Unreadable)) !=
        code(FrameState::Unreadable))
        m_unreadable.fetch_add(1);
}

Result<bool> DamageMap::searchOnce(std::int32_t keyOrdinal, const std::function<Result<void>()>& search) {
    const std::lock_guard lock(m_searchMutex);
    if (m_searched.count(keyOrdinal) != 0)
        return false;
    const Result<void> done = search();
    if (!done)
        return fail(done.error());
    m_searched.insert(keyOrdinal);
    return true;
}

std::string DamageMap::describe(std::size_t maxRanges) const {
    std::string text;
    std::size_t ranges = 0;
    const auto bad = [this](std::size_t i) {
        return i < m_states.size() && m_states[i].load(std::memory_order_acquire) == code(FrameState::Unreadable);
    };
    for (std::size_t i = 0; i < m_states.size(); ++i) {
        if (!bad(i))
            continue;
        if (ranges++ == maxRanges)
            return text + ", ...";
        std::size_t last = i;
        while (bad(last + 1))
            ++last;
        text += (text.empty() ? "" : ", ") + frameNumber(static_cast<std::int64_t>(i));
        if (last > i)
            text += "-" + frameNumber(static_cast<std::int64_t>(last));
        i = last;
    }
    return text;
}

}  // namespace skein::video
