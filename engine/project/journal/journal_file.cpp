// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/journal/journal_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "engine/project/journal/bytes.h"
#include "engine/project/journal/delta.h"

namespace skein::project::journal {
namespace fs = std::filesystem;
namespace {

constexpr char kMagic[] = "SKNJRNL1";
constexpr std::size_t kMagicSize = 8;
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kHeader = 'H', kDelta = 'D', kBase = 'B';
constexpr std::size_t kRecordHead = 3 * sizeof(std::uint32_t);

void put(ByteWriter& out, const FileStamp& stamp) {
    out.fixed(stamp.size);
    out.fixed(stamp.modified);
    out.fixed(stamp.hash);
}
FileStamp getStamp(ByteReader& in) {
    FileStamp stamp;
    stamp.size = in.fixed<std::uint64_t>();
    stamp.modified = in.fixed<std::int64_t>();
    stamp.hash = in.fixed<std::uint64_t>();
    return stamp;
}

tl::unexpected<Error> failure(const fs::path& path, const char* doing) {
    return fail(ErrorCode::Io, std::string("Cannot ") + doing + " the recovery file " + path.string() + ": " +
                                   std::strerror(errno) + ".");
}

/// Checksum over what precedes the body and the body.
std::uint32_t recordSum(std::uint32_t type, const Bytes& body) {
    ByteWriter all;
    all.fixed(type);
    all.fixed(static_cast<std::uint32_t>(body.size()));
    all.append(body);
    return checksum(all.bytes());
}

bool writeAll(int file, const std::uint8_t* bytes, std::size_t count) {
    while (count > 0) {
        const ssize_t done = ::write(file, bytes, count);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        count -= static_cast<std::size_t>(done);
    }
    return true;
}

void syncFolder(const fs::path& folder) {
    if (const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); file >= 0) {
        (void)::fsync(file);
        ::close(file);
    }
}

/// False: the record is damaged.
bool take(Journal& journal, std::uint32_t type, std::span<const std::uint8_t> body, bool first) {
    ByteReader in(body);
    if (first != (type == kHeader))
        return false;
    if (type == kHeader) {
        if (in.fixed<std::uint32_t>() != kVersion)
            return false;
        journal.header.projectPath = in.text();
        journal.header.displayName = in.text();
        journal.header.base = getStamp(in);
        journal.header.startedMs = in.fixed<std::int64_t>();
        return in.ok() && in.atEnd();
    }
    if (type == kDelta) {
        DeltaRecord delta;
        delta.edits = in.fixed<std::uint64_t>();
        delta.timeMs = in.fixed<std::int64_t>();
        if (!in.ok())
            return false;
        const auto rest = body.last(in.left());
        delta.bytes.assign(rest.begin(), rest.end());
        journal.deltas.push_back(std::move(delta));
        return true;
    }
    if (type != kBase)
        return false;
    BaseRecord base;
    base.stamp = getStamp(in);
    base.deltas = in.numberUpTo(journal.deltas.size());
    if (!in.ok() || !in.atEnd())
        return false;
    journal.bases.push_back(base);
    return true;
}

}  // namespace

std::optional<std::size_t> Journal::startFor(const FileStamp& stamp) const {
    for (auto it = bases.rbegin(); it != bases.rend(); ++it)
        if (it->stamp.sameContent(stamp))
            return it->deltas;
    if (header.base.sameContent(stamp) || (!header.base.exists() && !stamp.exists()))
        return 0;
    return std::nullopt;
}

Result<Journal> readJournal(const fs::path& path) {
    std::error_code ec;
    const std::uintmax_t size = fs::file_size(path, ec);
    std::ifstream file(path, std::ios::binary);
    if (ec || !file)
        return fail(ErrorCode::NotFound, "The recovery file " + path.string() + " cannot be read.");
    const auto none = [&path] {
        return fail(ErrorCode::Format, path.string() + " is no recovery file of Skein, or it is damaged.");
    };
    std::uintmax_t left = size;
    const auto read = [&](void* to, std::size_t count) {
        if (count > left || !file.read(static_cast<char*>(to), static_cast<std::streamsize>(count)))
            return false;
        left -= count;
        return true;
    };
    char magic[kMagicSize];
    if (!read(magic, kMagicSize) || std::memcmp(magic, kMagic, kMagicSize) != 0)
        return none();
    Journal journal;
    bool first = true;
    while (left > 0) {
        std::uint32_t head[3];
        Bytes body;
        bool good = read(head, sizeof(head)) && head[1] <= left;
        if (good) {
            body.resize(head[1]);
            good = read(body.data(), body.size()) && recordSum(head[0], body) == head[2] &&
                   take(journal, head[0], body, first);
        }
        if (!good) {
            journal.cutShort = true;
            break;
        }
        first = false;
    }
    if (first)
        return none();
    return journal;
}

Replayed replay(const Journal& journal, Labels base, std::size_t first) {
    Replayed result;
    result.labels = std::move(base);
    result.edits = first == 0 || first > journal.deltas.size() ? 0 : journal.deltas[first - 1].edits;
    for (std::size_t i = first; i < journal.deltas.size(); ++i) {
        auto next = applyDelta(result.labels, journal.deltas[i].bytes);
        if (!next) {
            result.complete = false;
            break;
        }
        result.labels = std::move(*next);
        const std::uint64_t before = std::exchange(result.edits, journal.deltas[i].edits);
        result.steps.push_back(
            {result.labels, std::min(before + 1, result.edits), result.edits, journal.deltas[i].timeMs});
    }
    return result;
}

Result<JournalFile> JournalFile::create(const fs::path& path, const Header& header) {
    std::error_code ec;
    fs::create_directories(path.parent_path(), ec);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return failure(path, "make");
    JournalFile journal(file, path);
    // Nobody else knows the file yet, so that the lock cannot fail where locks exist at all.
    (void)::flock(file, LOCK_EX | LOCK_NB);
    if (!writeAll(file, reinterpret_cast<const std::uint8_t*>(kMagic), kMagicSize)) {
        const auto error = failure(path, "write");
        journal.remove();
        return error;
    }
    journal.m_size = kMagicSize;
    ByteWriter body;
    body.fixed(kVersion);
    body.text(header.projectPath);
    body.text(header.displayName);
    put(body, header.base);
    body.fixed(header.startedMs);
    if (auto written = journal.write(kHeader, body.bytes()); !written) {
        journal.remove();
        return fail(std::move(written.error()));
    }
    syncFolder(path.parent_path());
    return journal;
}

std::optional<JournalFile> JournalFile::claim(const fs::path& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    JournalFile journal(file, path);
    struct stat open {
    }, named{};
    // Whoever had it may have deleted or replaced it between the two calls.
    if (::flock(file, LOCK_EX | LOCK_NB) != 0 || ::fstat(file, &open) != 0 || ::stat(path.c_str(), &named) != 0 ||
        open.st_ino != named.st_ino)
        return std::nullopt;
    journal.m_size = static_cast<std::uint64_t>(open.st_size);
    return journal;
}

JournalFile::JournalFile(JournalFile&& other) noexcept
    : m_file(std::exchange(other.m_file, -1)), m_path(std::move(other.m_path)), m_size(other.m_size) {}

JournalFile& JournalFile::operator=(JournalFile&& other) noexcept {
    if (this != &other) {
        if (m_file >= 0)
            ::close(m_file);
        m_file = std::exchange(other.m_file, -1);
        m_path = std::move(other.m_path);
        m_size = other.m_size;
    }
    return *this;
}

JournalFile::~JournalFile() {
    if (m_file >= 0)
        ::close(m_file);
}

Result<void> JournalFile::write(std::uint32_t type, const Bytes& body) {
    if (body.size() > 0xffffffffU)
        return fail(ErrorCode::Io, "The change is too large for the recovery file " + m_path.string() + ".");
    ByteWriter head;
    head.fixed(type);
    head.fixed(static_cast<std::uint32_t>(body.size()));
    head.fixed(recordSum(type, body));
    if (!writeAll(m_file, head.bytes().data(), kRecordHead) || !writeAll(m_file, body.data(), body.size()) ||
        ::fdatasync(m_file) != 0) {
        const auto error = failure(m_path, "write");
        // Half a record would hide all that follow.
        (void)::ftruncate(m_file, static_cast<off_t>(m_size));
        return error;
    }
    m_size += kRecordHead + body.size();
    return {};
}

Result<void> JournalFile::append(const DeltaRecord& delta) {
    ByteWriter body;
    body.fixed(delta.edits);
    body.fixed(delta.timeMs);
    body.append(delta.bytes);
    return write(kDelta, body.bytes());
}

Result<void> JournalFile::append(const BaseRecord& base) {
    ByteWriter body;
    put(body, base.stamp);
    body.number(base.deltas);
    return write(kBase, body.bytes());
}

Result<void> JournalFile::replace(JournalFile& other) {
    if (::rename(m_path.c_str(), other.m_path.c_str()) != 0)
        return failure(other.m_path, "replace");
    m_path = other.m_path;
    syncFolder(m_path.parent_path());
    return {};
}

void JournalFile::remove() {
    std::error_code ec;
    fs::remove(m_path, ec);
    fs::remove(keptBaseOf(m_path), ec);
    if (m_file >= 0)
        ::close(std::exchange(m_file, -1));
}

fs::path keptBaseOf(const fs::path& journal) {
    return fs::path(journal) += ".base";
}

void keepBases(const fs::path& folder, const fs::path& project) {
    std::optional<FileStamp> stamp;
    for (const fs::path& path : orphanedJournals(folder)) {
        const fs::path kept = keptBaseOf(path);
        std::error_code ec;
        const auto read = readJournal(path);
        if (!read || read->header.projectPath != project.string() || fs::exists(kept, ec))
            continue;
        if (!stamp) {
            const auto now = stampOf(project);
            if (!now)
                return;
            stamp = *now;
        }
        if (!read->startFor(*stamp))
            continue;
        fs::create_hard_link(project, kept, ec);
        if (ec)
            fs::copy_file(project, kept, ec);
    }
}

std::vector<fs::path> orphanedJournals(const fs::path& folder) {
    std::vector<std::pair<fs::file_time_type, fs::path>> found;
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        const bool unfinished = it->path().extension() == kUnfinishedEnding;
        if (it->path().extension() != kEnding && !unfinished)
            continue;
        const int file = ::open(it->path().c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0)
            continue;
        // A shared lock is refused as long as the owner lives, and two windows that look at once do not disturb each
        // other.
        if (::flock(file, LOCK_SH | LOCK_NB) == 0) {
            std::error_code timeless;
            if (unfinished)
                fs::remove(it->path(), timeless);  // a crash while a journal was written afresh; the old one counts
            else
                found.emplace_back(it->last_write_time(timeless), it->path());
        }
        ::close(file);
    }
    std::sort(found.rbegin(), found.rend());
    std::vector<fs::path> paths;
    for (auto& [time, path] : found)
        paths.push_back(std::move(path));
    return paths;
}

}  // namespace skein::project::journal
