// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/file_end.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <string>

namespace skein::video::detail {
namespace {

/// Numbers at places of a file; beyond its end all of them are 0.
class Bytes {
public:
    explicit Bytes(const std::filesystem::path& path) : m_in(path, std::ios::binary) {}

    std::uint64_t bigEndian(std::int64_t at, int bytes) {
        const std::string raw = text(at, bytes);
        std::uint64_t value = 0;
        for (const char c : raw)
            value = value << 8 | static_cast<unsigned char>(c);
        return value;
    }
    std::uint64_t littleEndian(std::int64_t at, int bytes) {
        std::string raw = text(at, bytes);
        std::reverse(raw.begin(), raw.end());
        std::uint64_t value = 0;
        for (const char c : raw)
            value = value << 8 | static_cast<unsigned char>(c);
        return value;
    }
    std::string text(std::int64_t at, int bytes) {
        std::string raw(static_cast<std::size_t>(bytes), '\0');
        m_in.clear();
        m_in.seekg(at);
        m_in.read(raw.data(), bytes);
        return raw;
    }

private:
    std::ifstream m_in;
};

/// Of the boxes only those that hold pictures or tell of them count; what ends within a list of contents behind them
/// has all its pictures.
bool endsWithinBox(Bytes& bytes, std::int64_t fileSize) {
    constexpr int kHeader = 8;
    for (std::int64_t at = 0; at + kHeader <= fileSize;) {
        std::uint64_t size = bytes.bigEndian(at, 4);
        const std::string type = bytes.text(at + 4, 4);
        if (size == 0)
            return false;  // to the end of the file, wherever that is
        if (size == 1)
            size = bytes.bigEndian(at + kHeader, 8);
        if (size < static_cast<std::uint64_t>(kHeader))
            return false;  // no boxes any more
        if (size > static_cast<std::uint64_t>(fileSize - at))
            return type == "mdat" || type == "moof";
        at += static_cast<std::int64_t>(size);
    }
    return false;
}

bool endsWithinRiff(Bytes& bytes, std::int64_t fileSize) {
    // Some writers count the outer header as well, some leave the last byte that makes the size even out.
    constexpr std::int64_t kSlack = 16;
    // What stands there until the recording has ended.
    constexpr std::uint64_t kUnknown = 0xFFFFFFF0;
    constexpr int kHeader = 8;
    for (std::int64_t at = 0; at + kHeader <= fileSize && bytes.text(at, 4) == "RIFF";) {
        const std::uint64_t size = bytes.littleEndian(at + 4, 4);
        if (size == 0 || size >= kUnknown)
            return false;
        at += kHeader + static_cast<std::int64_t>(size + (size & 1));
        if (at > fileSize + kSlack)
            return true;
    }
    return false;
}

bool endsWithinSegment(Bytes& bytes, std::int64_t fileSize) {
    constexpr std::uint64_t kSegment = 0x18538067;
    constexpr std::uint64_t kHead = 0x1A45DFA3;
    constexpr int kIdBytes = 4;
    for (std::int64_t at = 0; at + kIdBytes < fileSize;) {
        const std::uint64_t id = bytes.bigEndian(at, kIdBytes);
        const auto first = static_cast<std::uint8_t>(bytes.bigEndian(at + kIdBytes, 1));
        const int length = std::countl_zero(first) + 1;  // of the size, whose first set bit says so
        if ((id != kSegment && id != kHead) || length > 8)
            return false;
        const std::uint64_t mask = (std::uint64_t{1} << (7 * length)) - 1;
        const std::uint64_t size = bytes.bigEndian(at + kIdBytes, length) & mask;
        at += kIdBytes + length;
        if (id == kSegment)
            // All ones: it was not known when that was written.
            return size != mask && size > static_cast<std::uint64_t>(fileSize - at);
        if (size > static_cast<std::uint64_t>(fileSize - at))
            return false;
        at += static_cast<std::int64_t>(size);
    }
    return false;
}

bool endsWithinPacket(std::int64_t fileSize) {
    // As broadcast, as cameras write it (with a time before each), and with a check sum behind each.
    constexpr std::array<std::int64_t, 3> kPacketBytes{188, 192, 204};
    return std::none_of(kPacketBytes.begin(), kPacketBytes.end(),
                        [fileSize](std::int64_t bytes) { return fileSize % bytes == 0; });
}

}  // namespace

bool isShorterThanItSays(const std::filesystem::path& path, std::string_view formatName, std::int64_t sizeBytes) {
    Bytes bytes(path);
    if (formatName.starts_with("mov,"))
        return endsWithinBox(bytes, sizeBytes);
    if (formatName.starts_with("matroska,"))
        return endsWithinSegment(bytes, sizeBytes);
    if (formatName == "avi")
        return endsWithinRiff(bytes, sizeBytes);
    return formatName == "mpegts" && endsWithinPacket(sizeBytes);
}

}  // namespace skein::video::detail
