// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/checkpoint/zip_archive.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace skein::models {
namespace {

constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64LocatorSignature = 0x07064b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint64_t kEndSize = 22;
constexpr std::uint64_t kMaxComment = 65535;
constexpr std::uint64_t kMaxMembers = 1 << 20;

/// Little-endian numbers at given places; a read outside gives nullopt.
class Bytes {
public:
    explicit Bytes(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    [[nodiscard]] std::uint64_t size() const { return m_bytes.size(); }
    [[nodiscard]] bool holds(std::uint64_t offset, std::uint64_t count) const {
        return offset <= m_bytes.size() && count <= m_bytes.size() - offset;
    }
    template <class T>
    [[nodiscard]] std::optional<T> number(std::uint64_t offset) const {
        if (!holds(offset, sizeof(T)))
            return std::nullopt;
        T value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i)
            value = static_cast<T>(value | static_cast<T>(static_cast<T>(m_bytes[offset + i]) << (8 * i)));
        return value;
    }
    [[nodiscard]] std::span<const std::byte> part(std::uint64_t offset, std::uint64_t count) const {
        return m_bytes.subspan(offset, count);
    }

private:
    std::span<const std::byte> m_bytes;
};

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t count = 0;
};

std::optional<Directory> findDirectory(const Bytes& in) {
    if (in.size() < kEndSize)
        return std::nullopt;
    const std::uint64_t last = in.size() - kEndSize;
    const std::uint64_t first = last > kMaxComment ? last - kMaxComment : 0;
    for (std::uint64_t end = last + 1; end-- > first;) {
        if (in.number<std::uint32_t>(end) != kEndSignature)
            continue;
        const auto comment = in.number<std::uint16_t>(end + 20);
        if (!comment || end + kEndSize + *comment != in.size())
            continue;
        Directory d{*in.number<std::uint32_t>(end + 16), *in.number<std::uint32_t>(end + 12),
                    *in.number<std::uint16_t>(end + 10)};
        // Values too large for the old record lie in the zip64 record, which a locator in front of the old one finds.
        if (end >= 20 && in.number<std::uint32_t>(end - 20) == kEnd64LocatorSignature) {
            const std::uint64_t end64 = *in.number<std::uint64_t>(end - 20 + 8);
            if (!in.holds(end64, 56) || in.number<std::uint32_t>(end64) != kEnd64Signature)
                return std::nullopt;
            d = {*in.number<std::uint64_t>(end64 + 48), *in.number<std::uint64_t>(end64 + 40),
                 *in.number<std::uint64_t>(end64 + 32)};
        }
        if (!in.holds(d.offset, d.size))
            return std::nullopt;
        return d;
    }
    return std::nullopt;
}

/// Takes the 64-bit values of fields that are all ones from the zip64 extra field, in the order the format fixes.
bool applyZip64(const Bytes& in, std::uint64_t extra, std::uint64_t extraSize, std::uint64_t& size,
                std::uint64_t& stored, std::uint64_t& offset) {
    constexpr std::uint64_t kAllOnes = 0xffffffff;
    if (size != kAllOnes && stored != kAllOnes && offset != kAllOnes)
        return true;
    const std::uint64_t end = extra + extraSize;
    while (extra + 4 <= end) {
        const std::uint16_t id = *in.number<std::uint16_t>(extra);
        const std::uint64_t length = *in.number<std::uint16_t>(extra + 2);
        extra += 4;
        if (length > end - extra)
            return false;
        if (id != 1) {
            extra += length;
            continue;
        }
        std::uint64_t at = extra;
        for (std::uint64_t* field : {&size, &stored, &offset}) {
            if (*field != kAllOnes)
                continue;
            if (at + 8 > extra + length)
                return false;
            *field = *in.number<std::uint64_t>(at);
            at += 8;
        }
        return true;
    }
    return false;
}

}  // namespace

Result<ZipArchive> ZipArchive::open(std::shared_ptr<const MappedFile> file) {
    const Bytes in(file->bytes());
    const std::string name = file->path().string();
    const auto broken = [&](const std::string& what) {
        return fail(ErrorCode::Format, name + " is damaged: " + what + ". Copy it again from where it was trained.");
    };
    const auto directory = findDirectory(in);
    if (!directory) {
        if (in.number<std::uint32_t>(0) == kLocalSignature)
            return broken("the file ends before its table of contents (" + std::to_string(in.size()) + " bytes)");
        return fail(ErrorCode::Format, name + " is not a PyTorch checkpoint: it is no zip file.");
    }
    if (directory->count > kMaxMembers || directory->count * 46 > directory->size)
        return broken("its table of contents claims " + std::to_string(directory->count) + " entries");

    ZipArchive archive(std::move(file));
    archive.m_members.reserve(directory->count);
    std::uint64_t at = directory->offset;
    const std::uint64_t end = directory->offset + directory->size;
    for (std::uint64_t i = 0; i < directory->count; ++i) {
        if (at + 46 > end || in.number<std::uint32_t>(at) != kCentralSignature)
            return broken("entry " + std::to_string(i) + " of its table of contents cannot be read");
        const std::uint16_t flags = *in.number<std::uint16_t>(at + 8);
        const std::uint16_t method = *in.number<std::uint16_t>(at + 10);
        std::uint64_t stored = *in.number<std::uint32_t>(at + 20);
        std::uint64_t size = *in.number<std::uint32_t>(at + 24);
        const std::uint64_t nameSize = *in.number<std::uint16_t>(at + 28);
        const std::uint64_t extraSize = *in.number<std::uint16_t>(at + 30);
        const std::uint64_t commentSize = *in.number<std::uint16_t>(at + 32);
        std::uint64_t offset = *in.number<std::uint32_t>(at + 42);
        if (nameSize + extraSize + commentSize > end - at - 46)
            return broken("entry " + std::to_string(i) + " of its table of contents runs past the end");
        const auto nameBytes = in.part(at + 46, nameSize);
        Member member;
        member.name.assign(reinterpret_cast<const char*>(nameBytes.data()), nameBytes.size());
        if (!applyZip64(in, at + 46 + nameSize, extraSize, size, stored, offset))
            return broken("the sizes of " + member.name + " cannot be read");
        if (method != 0 || (flags & 1) != 0 || stored != size)
            return fail(ErrorCode::Unsupported,
                        name + ": " + member.name + " is compressed or encrypted, which PyTorch never does.");
        member.size = size;
        member.headerOffset = offset;
        archive.m_members.push_back(std::move(member));
        at += 46 + nameSize + extraSize + commentSize;
    }
    return archive;
}

Result<std::span<const std::byte>> ZipArchive::data(const Member& member) const {
    const Bytes in(m_file->bytes());
    const auto broken = [&] {
        return fail(ErrorCode::Format, m_file->path().string() + " is damaged: " + member.name +
                                           " lies outside the file. Copy it again from where it was trained.");
    };
    if (!in.holds(member.headerOffset, 30) || in.number<std::uint32_t>(member.headerOffset) != kLocalSignature)
        return broken();
    // The local header's name and padding differ from the table's, so the place of the bytes comes from here.
    const std::uint64_t begin = member.headerOffset + 30 + *in.number<std::uint16_t>(member.headerOffset + 26) +
                                *in.number<std::uint16_t>(member.headerOffset + 28);
    if (!in.holds(begin, member.size))
        return broken();
    return in.part(begin, member.size);
}

}  // namespace skein::models
