// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/packet_cursor.h"

#include <string>
#include <vector>

namespace skein::video::detail {
namespace {

// Packets to read before a place in the file counts as unrecognisable.
constexpr int kMaxUnknownPackets = 500;
// Up to this many packets are read over instead of seeking.
constexpr std::int32_t kReadOver = 48;

tl::unexpected<Error> cancelled() {
    return fail(ErrorCode::Cancelled, "Reading the video was cancelled.");
}

}  // namespace

Result<std::unique_ptr<PacketCursor>> PacketCursor::open(const IndexData& index, std::stop_token stop) {
    std::unique_ptr<PacketCursor> cursor(new PacketCursor(index));
    const Result<void> opened = cursor->reopen(std::move(stop));
    if (!opened)
        return fail(opened.error());
    return cursor;
}

Result<void> PacketCursor::reopen(std::stop_token stop) {
    m_file.reset();
    Result<std::unique_ptr<InputFile>> file = InputFile::open(m_index.path, std::move(stop), true);
    if (!file)
        return fail(std::move(file.error()));
    if ((*file)->stream().index != m_index.streamIndex)
        return fail(ErrorCode::Io, "\"" + m_index.path.string() + "\" changed while it was in use; open it again.");
    m_file = std::move(*file);
    m_hasPeeked = false;
    m_next = 0;
    return {};
}

bool PacketCursor::readRaw(AVPacket& packet) {
    if (m_hasPeeked) {
        m_hasPeeked = false;
        av_packet_unref(&packet);
        av_packet_move_ref(&packet, m_peeked.get());
        return true;
    }
    ++m_packetsRead;
    return m_file->read(packet);
}

Result<std::optional<std::int32_t>> PacketCursor::read(AVPacket& packet, std::stop_token stop) {
    if (!m_file) {
        const Result<void> opened = reopen(stop);
        if (!opened)
            return fail(opened.error());
    }
    m_file->setStop(stop);
    for (int unknown = 0; unknown < kMaxUnknownPackets; ++unknown) {
        if (stop.stop_requested())
            return cancelled();
        if (!readRaw(packet))
            return stop.stop_requested() ? Result<std::optional<std::int32_t>>(cancelled()) : std::nullopt;
        if (m_index.isPacket(m_next, packet))
            return m_next++;
        // Not the packet that came next when the file was indexed: take up the count where it is recognised.
        const std::optional<std::int32_t> ordinal = m_index.ordinalOf(packet);
        if (ordinal && *ordinal >= m_next) {
            m_next = *ordinal + 1;
            return ordinal;
        }
    }
    return fail(ErrorCode::Io, "\"" + m_index.path.string() + "\" changed while it was in use; open it again.");
}

// Seeks to the last place at or before `stamp` that the demuxer knows and finds out which packet lies there.
bool PacketCursor::land(std::int64_t stamp) {
    m_hasPeeked = false;
    av_packet_unref(m_peeked.get());
    if (avformat_seek_file(&m_file->format(), m_index.streamIndex, INT64_MIN, stamp, stamp, 0) < 0)
        return false;
    // After a seek a stream without packet borders (transport stream) may start inside a packet: such a piece is like
    // none in the index and is passed over.
    for (int unknown = 0; unknown < kMaxUnknownPackets; ++unknown) {
        ++m_packetsRead;
        if (!m_file->read(*m_peeked))
            return false;
        if (const std::optional<std::int32_t> ordinal = m_index.ordinalOf(*m_peeked)) {
            m_next = *ordinal;
            m_hasPeeked = true;
            return true;
        }
    }
    return false;
}

Result<bool> PacketCursor::skipTo(std::int32_t ordinal, const std::stop_token& stop) {
    const PacketPtr packet = makePacket();
    while (m_next < ordinal) {
        const Result<std::optional<std::int32_t>> read = this->read(*packet, stop);
        if (!read)
            return fail(read.error());
        if (!*read)
            return false;
    }
    return m_next == ordinal;
}

Result<void> PacketCursor::seekTo(std::int32_t ordinal, std::stop_token stop) {
    if (m_file && m_next <= ordinal && ordinal - m_next <= kReadOver) {
        const Result<bool> there = skipTo(ordinal, stop);
        if (!there)
            return fail(there.error());
        if (*there)
            return {};
    }
    ++m_jumps;
    if (m_file) {
        m_file->setStop(stop);
        // The stamp that a demuxer wants is its presentation stamp in some formats and its decoding stamp in others,
        // and some land late. Go back key by key, in growing steps, until the landing place is not after the packet
        // wanted.
        std::int32_t from = ordinal;
        for (int step = 1; step <= 64; step *= 2) {
            const PacketEntry& entry = m_index.packets[static_cast<std::size_t>(from)];
            std::vector<std::int64_t> stamps;
            if (entry.pts != AV_NOPTS_VALUE)
                stamps.push_back(entry.pts);
            if (entry.dts != AV_NOPTS_VALUE && (entry.pts == AV_NOPTS_VALUE || entry.dts < entry.pts))
                stamps.push_back(entry.dts);
            for (const std::int64_t stamp : stamps) {
                if (stop.stop_requested())
                    return cancelled();
                if (!land(stamp) || m_next > ordinal)
                    continue;
                const Result<bool> there = skipTo(ordinal, stop);
                if (!there)
                    return fail(there.error());
                if (*there)
                    return {};
            }
            for (int i = 0; i < step && from > 0; ++i)
                from = m_index.keyBefore(from);
            if (from == 0)
                break;
        }
    }
    // From the start there is no doubt.
    const Result<void> opened = reopen(stop);
    if (!opened)
        return fail(opened.error());
    const Result<bool> there = skipTo(ordinal, stop);
    if (!there)
        return fail(there.error());
    if (!*there)
        return fail(ErrorCode::Io, "\"" + m_index.path.string() + "\" changed while it was in use; open it again.");
    return {};
}

}  // namespace skein::video::detail
