// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/decoder_order.h"

#include <algorithm>

#include "engine/video/detail/decoder.h"
#include "engine/video/detail/packet_cursor.h"

namespace skein::video::detail {
namespace {

// A stream cut out of a broadcast may start with pictures that no decoder can show; give up on the start after these.
constexpr std::size_t kMaxPacketsWithoutPicture = 1000;

}  // namespace

Result<DecoderOrder> decodeOrder(const IndexData& index, std::size_t packets, int threads,
                                 const std::function<void(double)>& progress, std::stop_token stop) {
    Result<std::unique_ptr<Decoder>> decoder = Decoder::open(*index.parameters, threads, Decoder::Wanted::Order);
    if (!decoder)
        return fail(decoder.error());
    Result<std::unique_ptr<PacketCursor>> cursor = PacketCursor::open(index, stop);
    if (!cursor)
        return fail(cursor.error());

    DecoderOrder order;
    const PacketPtr packet = makePacket();
    std::int32_t sent = 0;
    while (true) {
        switch ((*decoder)->receive()) {
            case Decoder::Step::Picture: {
                const std::int64_t ordinal = (*decoder)->pictureOrdinal();
                if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= index.packets.size())
                    break;
                if ((*decoder)->pictureIsDamaged())
                    order.damaged.push_back(static_cast<std::int32_t>(ordinal));
                if (!index.packets[static_cast<std::size_t>(ordinal)].isHidden)
                    order.ordinals.push_back(static_cast<std::int32_t>(ordinal));
                break;
            }
            case Decoder::Step::Damage:
                order.damaged.push_back(std::max(0, sent - 1));
                break;
            case Decoder::Step::Finished:
                order.isComplete = true;
                return order;
            case Decoder::Step::NeedsInput: {
                const auto count = static_cast<std::size_t>(sent);
                const bool enough = count >= packets && !order.ordinals.empty();
                if (enough || (packets < index.packets.size() && count >= packets + kMaxPacketsWithoutPicture))
                    return order;
                const Result<std::optional<std::int32_t>> ordinal = (*cursor)->read(*packet, stop);
                if (!ordinal)
                    return fail(ordinal.error());
                if (!*ordinal) {
                    (*decoder)->end();
                    break;
                }
                sent = **ordinal + 1;
                const bool isDamaged = index.packets[static_cast<std::size_t>(**ordinal)].isDamaged;
                if (!(*decoder)->send(*packet, **ordinal) || isDamaged)
                    order.damaged.push_back(**ordinal);
                if (progress && (sent & 0x3F) == 0)
                    progress(static_cast<double>(sent) / static_cast<double>(index.packets.size()));
                break;
            }
        }
    }
}

}  // namespace skein::video::detail
