// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include "engine/base/result.h"
#include "engine/video/detail/index_data.h"
#include "engine/video/detail/input_file.h"

namespace skein::video::detail {

/// Reads packets of an indexed file and always knows which they are. Wherever a demuxer's seek lands, the packet found
/// there is recognised by its place and size, so an imprecise seek costs time, never a wrong number.
/// Thread-compatible; `index` must outlive it.
class PacketCursor {
public:
    [[nodiscard]] static Result<std::unique_ptr<PacketCursor>> open(const IndexData& index, std::stop_token stop);

    /// The next read() gives packet `ordinal`. Errors: Io, Cancelled.
    [[nodiscard]] Result<void> seekTo(std::int32_t ordinal, std::stop_token stop);

    /// Next packet; its number, or nullopt at the end of the file. Errors: Io (the file changed), Cancelled.
    [[nodiscard]] Result<std::optional<std::int32_t>> read(AVPacket& packet, std::stop_token stop);

    /// Number of the packet that read() gives next.
    [[nodiscard]] std::int32_t next() const noexcept { return m_next; }
    /// Times that the position in the file was changed other than by reading on.
    [[nodiscard]] std::uint64_t jumps() const noexcept { return m_jumps; }
    [[nodiscard]] std::uint64_t packetsRead() const noexcept { return m_packetsRead; }

private:
    explicit PacketCursor(const IndexData& index) : m_index(index), m_peeked(makePacket()) {}

    [[nodiscard]] Result<void> reopen(std::stop_token stop);
    [[nodiscard]] bool land(std::int64_t stamp);
    [[nodiscard]] Result<bool> skipTo(std::int32_t ordinal, const std::stop_token& stop);
    [[nodiscard]] bool readRaw(AVPacket& packet);

    const IndexData& m_index;
    std::unique_ptr<InputFile> m_file;
    PacketPtr m_peeked;  ///< read while finding out where a seek landed
    bool m_hasPeeked = false;
    std::int32_t m_next = 0;
    std::uint64_t m_jumps = 0;
    std::uint64_t m_packetsRead = 0;
};

}  // namespace skein::video::detail
