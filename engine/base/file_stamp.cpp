// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/file_stamp.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

namespace skein {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kRead = 16U << 20U;
constexpr std::uint64_t kBlock = 64U << 10U;

/// FNV-1a over words of eight bytes, with a last mix so that high bits reach the low ones.
class Hash {
public:
    void add(const char* bytes, std::size_t count) {
        std::uint64_t word = 0;
        for (; count >= sizeof(word); bytes += sizeof(word), count -= sizeof(word)) {
            std::memcpy(&word, bytes, sizeof(word));
            mix(word);
        }
        word = count;
        std::memcpy(&word, bytes, count);
        mix(word);
    }
    [[nodiscard]] std::uint64_t value() const { return m_value ^ (m_value >> 29U); }

private:
    void mix(std::uint64_t word) {
        m_value = (m_value ^ word) * 0x100000001b3U;
        m_value ^= m_value >> 32U;
    }
    std::uint64_t m_value = 0xcbf29ce484222325U;
};

}  // namespace

std::uint64_t hashOf(std::string_view bytes) {
    Hash hash;
    hash.add(bytes.data(), bytes.size());
    return hash.value();
}

Result<FileStamp> stampOf(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                    "Cannot read " + path.string() + ": " + std::strerror(errno) + ".");
    struct Closer {
        int file;
        ~Closer() { ::close(file); }
    } closer{file};
    struct stat facts {};
    if (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
        return fail(ErrorCode::Io, "Cannot read " + path.string() + ": it is no file.");
    FileStamp stamp;
    stamp.size = static_cast<std::uint64_t>(facts.st_size);
    stamp.modified = static_cast<std::int64_t>(facts.st_mtim.tv_sec) * 1'000'000'000 + facts.st_mtim.tv_nsec;
    Hash hash;
    std::vector<char> block(kBlock);
    const std::uint64_t blocks = std::max<std::uint64_t>(1, (stamp.size + kBlock - 1) / kBlock);
    const std::uint64_t looked = std::min(blocks, kRead / kBlock);
    for (std::uint64_t i = 0; i < looked; ++i) {
        // The first and the last block are always among them.
        const std::uint64_t which = looked == 1 ? 0 : i * (blocks - 1) / (looked - 1);
        const ssize_t got = ::pread(file, block.data(), block.size(), static_cast<off_t>(which * kBlock));
        if (got < 0)
            return fail(ErrorCode::Io, "Cannot read " + path.string() + ": " + std::strerror(errno) + ".");
        hash.add(block.data(), static_cast<std::size_t>(got));
    }
    stamp.hash = hash.value();
    return stamp;
}

Result<void> keepBackup(const fs::path& given) {
    std::error_code ec;
    const fs::path path = fs::is_symlink(given, ec) ? fs::canonical(given, ec) : given;
    if (!fs::exists(path, ec))
        return {};
    fs::path backup = given;
    backup += ".bak";
    fs::path temporary = backup;
    temporary += "." + std::to_string(::getpid());
    fs::remove(temporary, ec);
    fs::create_hard_link(path, temporary, ec);
    if (ec)
        fs::copy_file(path, temporary, fs::copy_options::overwrite_existing, ec);
    if (!ec)
        fs::rename(temporary, backup, ec);
    if (!ec)
        return {};
    const std::string reason = ec.message();
    fs::remove(temporary, ec);
    return fail(ErrorCode::Io, "Cannot keep the old version as " + backup.string() + ": " + reason + ".");
}

}  // namespace skein
