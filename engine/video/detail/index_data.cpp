// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/index_data.h"

#include <algorithm>

namespace skein::video::detail {
namespace {

// Position and size name a packet in nearly every container; where positions are unknown the stamp takes their place.
std::uint64_t placeHash(std::int64_t pos, std::int64_t pts, std::int32_t size) {
    std::uint64_t h = static_cast<std::uint64_t>(pos >= 0 ? pos : pts) * 0x9E3779B97F4A7C15ULL;
    h ^= static_cast<std::uint64_t>(static_cast<std::uint32_t>(size)) * 0xC2B2AE3D27D4EB4FULL;
    return h ^ (h >> 29);
}

// No codec holds back more pictures than this.
constexpr std::int32_t kMaxReorderDepth = 16;

}  // namespace

void IndexData::finish() {
    for (PacketEntry& packet : packets)
        packet.rank = -1;
    for (std::size_t frame = 0; frame < order.size(); ++frame)
        if (order[frame] >= 0)
            packets[static_cast<std::size_t>(order[frame])].rank = static_cast<std::int32_t>(frame);
    keyOrdinals.clear();
    places.clear();
    places.reserve(packets.size());
    reorderDepth = 0;
    std::int32_t highest = -1;
    for (std::size_t i = 0; i < packets.size(); ++i) {
        const PacketEntry& packet = packets[i];
        if (packet.isKey)
            keyOrdinals.push_back(static_cast<std::int32_t>(i));
        if (packet.rank >= 0) {
            highest = std::max(highest, packet.rank);
            reorderDepth = std::min(std::max(reorderDepth, highest - packet.rank), kMaxReorderDepth);
        }
        places.emplace_back(placeHash(packet.pos, packet.pts, packet.size), static_cast<std::int32_t>(i));
    }
    std::sort(places.begin(), places.end());
}

bool IndexData::isPacket(std::int32_t ordinal, const AVPacket& packet) const {
    if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= packets.size())
        return false;
    const PacketEntry& entry = packets[static_cast<std::size_t>(ordinal)];
    return entry.pos == packet.pos && entry.size == packet.size && (entry.pos >= 0 || entry.pts == packet.pts);
}

std::optional<std::int32_t> IndexData::ordinalOf(const AVPacket& packet) const {
    const std::uint64_t hash = placeHash(packet.pos, packet.pts, packet.size);
    std::optional<std::int32_t> only;
    std::optional<std::int32_t> onlyWithStamp;
    int count = 0;
    int countWithStamp = 0;
    for (auto it = std::lower_bound(places.begin(), places.end(), std::pair(hash, std::int32_t{-1}));
         it != places.end() && it->first == hash; ++it) {
        if (!isPacket(it->second, packet))
            continue;
        only = it->second;
        ++count;
        const PacketEntry& entry = packets[static_cast<std::size_t>(it->second)];
        if (entry.pts == packet.pts && (packet.pts != AV_NOPTS_VALUE || entry.dts == packet.dts)) {
            onlyWithStamp = it->second;
            ++countWithStamp;
        }
    }
    // An edit list that shows a part twice lists the same bytes twice; then the stamp decides.
    if (count == 1)
        return only;
    return countWithStamp == 1 ? onlyWithStamp : std::nullopt;
}

std::int32_t IndexData::startFor(std::int32_t ordinal) const {
    const PacketEntry& target = packets[static_cast<std::size_t>(ordinal)];
    auto it = std::upper_bound(keyOrdinals.begin(), keyOrdinals.end(), ordinal);
    while (it != keyOrdinals.begin()) {
        --it;
        const PacketEntry& key = packets[static_cast<std::size_t>(*it)];
        if (key.rank <= target.rank)
            return *it;
    }
    return 0;
}

std::int32_t IndexData::keyBefore(std::int32_t start) const {
    auto it = std::lower_bound(keyOrdinals.begin(), keyOrdinals.end(), start);
    return it == keyOrdinals.begin() ? 0 : *std::prev(it);
}

std::int32_t IndexData::keyAfter(std::int32_t start) const {
    auto it = std::upper_bound(keyOrdinals.begin(), keyOrdinals.end(), start);
    return it == keyOrdinals.end() ? static_cast<std::int32_t>(packets.size()) : *it;
}

}  // namespace skein::video::detail
