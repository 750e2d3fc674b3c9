// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/group_decoder.h"

#include <algorithm>
#include <vector>

#include "engine/video/detail/decoder.h"
#include "engine/video/detail/packet_cursor.h"

namespace skein::video::detail {
namespace {

// Pictures shown before a key picture but stored after it belong to the group before; this many at most.
constexpr std::int32_t kMaxLeading = 64;

struct GroupResult {
    std::vector<std::int32_t> pictures;  ///< ordinals that came out undamaged
    std::vector<std::int32_t> damaged;   ///< ordinals at which the decoder complained
    std::vector<std::int32_t> leaves;    ///< ordinals of pictures that no other builds on, ascending
};

// Decodes packets [from, to) and drains.
Result<GroupResult> decodeRange(const IndexData& index, std::int32_t from, std::int32_t to, std::stop_token stop) {
    Result<std::unique_ptr<Decoder>> decoder = Decoder::open(*index.parameters, 1);
    if (!decoder)
        return fail(decoder.error());
    Result<std::unique_ptr<PacketCursor>> cursor = PacketCursor::open(index, stop);
    if (!cursor)
        return fail(cursor.error());
    const Result<void> there = (*cursor)->seekTo(from, stop);
    if (!there)
        return fail(there.error());

    GroupResult result;
    const PacketPtr packet = makePacket();
    std::int32_t sent = from;
    while (true) {
        switch ((*decoder)->receive()) {
            case Decoder::Step::Picture: {
                const std::int64_t ordinal = (*decoder)->pictureOrdinal();
                if (ordinal < from || ordinal >= to)
                    break;
                ((*decoder)->pictureIsDamaged() ? result.damaged : result.pictures)
                    .push_back(static_cast<std::int32_t>(ordinal));
                break;
            }
            case Decoder::Step::Damage:
                result.damaged.push_back(std::max(from, sent - 1));
                break;
            case Decoder::Step::Finished:
                return result;
            case Decoder::Step::NeedsInput: {
                Result<std::optional<std::int32_t>> ordinal = std::nullopt;
                if (sent < to)
                    ordinal = (*cursor)->read(*packet, stop);
                if (!ordinal)
                    return fail(ordinal.error());
                if (!*ordinal || **ordinal >= to) {
                    (*decoder)->end();
                    sent = to;
                    break;
                }
                sent = **ordinal + 1;
                if ((*decoder)->isUnreferenced(*packet))
                    result.leaves.push_back(**ordinal);
                const bool isDamaged = index.packets[static_cast<std::size_t>(**ordinal)].isDamaged;
                if (!(*decoder)->send(*packet, **ordinal) || isDamaged)
                    result.damaged.push_back(**ordinal);
                break;
            }
        }
    }
}

}  // namespace

Result<void> markDamageInGroup(const IndexData& index, std::int32_t key, DamageMap& damage, std::stop_token stop) {
    const auto packetAt = [&index](std::int32_t o) -> const PacketEntry& {
        return index.packets[static_cast<std::size_t>(o)];
    };
    const std::int32_t keyRank = packetAt(key).rank;
    const std::int32_t nextKey = index.keyAfter(key);
    const auto count = static_cast<std::int32_t>(index.packets.size());
    // The group's last pictures may be stored behind the next key picture.
    std::int32_t end = nextKey;
    if (nextKey < count)
        for (std::int32_t o = nextKey; o < std::min(count, nextKey + kMaxLeading); ++o)
            if (packetAt(o).rank >= 0 && packetAt(o).rank < packetAt(nextKey).rank)
                end = o + 1;

    const Result<GroupResult> decoded = decodeRange(index, key, end, stop);
    if (!decoded)
        return fail(decoded.error());

    // The pictures that this group has to show, and the first packet at which it fails to.
    std::vector<bool> isGood(static_cast<std::size_t>(end - key), false);
    for (const std::int32_t o : decoded->pictures)
        isGood[static_cast<std::size_t>(o - key)] = true;
    const auto belongs = [&](std::int32_t o) {
        const std::int32_t rank = packetAt(o).rank;
        return rank >= keyRank && (o < nextKey || rank < packetAt(nextKey).rank);
    };
    // Damage to a picture that no other builds on stays its own, whether or not it was decoded on the way to another.
    const auto isLeaf = [&](std::int32_t o) {
        return std::binary_search(decoded->leaves.begin(), decoded->leaves.end(), o);
    };
    std::int32_t firstBad = end;
    for (const std::int32_t o : decoded->damaged) {
        const bool isLeading = packetAt(o).rank >= 0 && packetAt(o).rank < keyRank;  // of the group before
        if (isLeading || (o >= nextKey && !belongs(o)))
            continue;
        if (!isLeaf(o))
            firstBad = std::min(firstBad, o);
        else if (packetAt(o).rank >= 0)
            damage.markUnreadable(packetAt(o).rank);
    }
    if (index.isIntraOnly) {
        for (const std::int32_t o : decoded->damaged)
            if (packetAt(o).rank >= 0)
                damage.markUnreadable(packetAt(o).rank);
        return {};
    }
    if (decoded->damaged.empty())
        return {};
    for (std::int32_t o = key; o < end; ++o) {
        if (!belongs(o) || isGood[static_cast<std::size_t>(o - key)])
            continue;
        if (!isLeaf(o))
            firstBad = std::min(firstBad, o);
        else if (packetAt(o).rank >= 0)
            damage.markUnreadable(packetAt(o).rank);
    }
    if (firstBad == end)
        return {};
    for (std::int32_t o = firstBad; o < end; ++o)
        if (packetAt(o).rank >= 0 && belongs(o))
            damage.markUnreadable(packetAt(o).rank);

    // Where the next key picture is only the start of an intra refresh, the decoder shows nothing until the picture is
    // whole again; in a run from further back those pictures come out, but built on the damage.
    if (nextKey >= count)
        return {};
    const Result<GroupResult> after =
        decodeRange(index, nextKey, std::min(count, index.keyAfter(nextKey)), std::move(stop));
    if (!after)
        return fail(after.error());
    std::int32_t firstWhole = static_cast<std::int32_t>(index.order.size());
    for (const std::int32_t o : after->pictures)
        if (packetAt(o).rank >= 0)
            firstWhole = std::min(firstWhole, packetAt(o).rank);
    for (std::int32_t o = nextKey; o < index.keyAfter(nextKey); ++o)
        if (packetAt(o).rank >= 0 && packetAt(o).rank < firstWhole)
            damage.markUnreadable(packetAt(o).rank);
    return {};
}

}  // namespace skein::video::detail
