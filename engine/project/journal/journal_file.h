// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/file_stamp.h"
#include "engine/base/result.h"
#include "engine/project/labels.h"

/// The journal of one open project: what was edited since its file was read or written, so that a crash costs seconds.
///
/// Layout, little-endian: eight bytes "SKNJRNL1", then records. A record is its type (u32: 'H', 'D', 'B'), the length
/// of its body (u32), the CRC-32 of type, length and body (u32), and the body. H comes first and once. D is a delta to
/// the state before (delta.h). B says that a file of a certain stamp holds the state after a certain delta: it is
/// written before a save replaces the file, so that at every moment one of the stamps in the journal is that of the
/// file.
///
/// While a process owns a journal it holds an exclusive flock() on it, which the system takes away when the process
/// ends in whatever way.
namespace skein::project::journal {

/// How the names of journals end, and of those that are not finished.
inline constexpr const char* kEnding = ".journal";
inline constexpr const char* kUnfinishedEnding = ".new";

/// What a journal is about.
struct Header {
    std::string projectPath;     ///< of the project's file; empty: it was never saved
    std::string displayName;     ///< how the window called it
    FileStamp base;              ///< the file that the deltas start from; not there: they start from an empty project
    std::int64_t startedMs = 0;  ///< since 1970
};

struct DeltaRecord {
    std::uint64_t edits = 0;  ///< since the base
    std::int64_t timeMs = 0;  ///< since 1970
    std::vector<std::uint8_t> bytes;
};

struct BaseRecord {
    FileStamp stamp;
    std::size_t deltas = 0;  ///< how many of them the file holds
};

struct Journal {
    Header header;
    std::vector<DeltaRecord> deltas;
    std::vector<BaseRecord> bases;
    bool cutShort = false;  ///< something follows that is damaged or incomplete; it was left out

    /// Number of the first delta that a file of this stamp lacks; nullopt: the journal does not belong to such a file.
    [[nodiscard]] std::optional<std::size_t> startFor(const FileStamp& stamp) const;
    [[nodiscard]] std::uint64_t edits() const { return deltas.empty() ? 0 : deltas.back().edits; }
    [[nodiscard]] std::int64_t lastTimeMs() const { return deltas.empty() ? header.startedMs : deltas.back().timeMs; }
};

/// Reads a journal up to the first damaged record. Errors: NotFound, Io, Format (no journal at all).
[[nodiscard]] Result<Journal> readJournal(const std::filesystem::path& path);

struct Replayed {
    /// The project after a delta; copies share what they have in common.
    struct Step {
        Labels labels;
        std::uint64_t firstEdit = 0, lastEdit = 0;  ///< that it contains beyond the step before, from 1
        std::int64_t timeMs = 0;
    };
    Labels labels;
    std::vector<Step> steps;
    std::uint64_t edits = 0;  ///< that `labels` contains
    bool complete = true;     ///< false: a delta did not fit, and `labels` is what came before it
};

/// Does the deltas from number `first` on again, on the project as its file holds it.
[[nodiscard]] Replayed replay(const Journal& journal, Labels base, std::size_t first);

/// A journal's file, open and locked. Thread-compatible.
class JournalFile {
public:
    /// Creates a file. Errors: Io.
    [[nodiscard]] static Result<JournalFile> create(const std::filesystem::path& path, const Header& header);
    /// Takes an existing journal into possession; nullopt: another process (or window) has it, or it is gone.
    [[nodiscard]] static std::optional<JournalFile> claim(const std::filesystem::path& path);

    JournalFile(JournalFile&& other) noexcept;
    JournalFile& operator=(JournalFile&& other) noexcept;
    ~JournalFile();  ///< lets go of the lock; the file stays

    /// Appends a record and waits until it is on the disk. Errors: Io; what stood there before is untouched.
    [[nodiscard]] Result<void> append(const DeltaRecord& delta);
    [[nodiscard]] Result<void> append(const BaseRecord& base);
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// Takes another journal's place under its name; that one is gone then. Errors: Io.
    [[nodiscard]] Result<void> replace(JournalFile& other);
    /// Deletes the file, and the base that was kept for it.
    void remove();

private:
    JournalFile(int file, std::filesystem::path path) : m_file(file), m_path(std::move(path)) {}
    [[nodiscard]] Result<void> write(std::uint32_t type, const std::vector<std::uint8_t>& body);

    int m_file = -1;
    std::filesystem::path m_path;
    std::uint64_t m_size = 0;
};

/// Journals in `folder` that nobody owns, the latest first; unfinished ones that nobody owns are deleted. A folder that
/// is not there holds none.
[[nodiscard]] std::vector<std::filesystem::path> orphanedJournals(const std::filesystem::path& folder);

/// Where the version of the project's file is kept that an orphaned journal starts from, once another was saved over
/// it.
[[nodiscard]] std::filesystem::path keptBaseOf(const std::filesystem::path& journal);

/// `project` is about to be replaced: journals in `folder` that nobody owns and that start from it keep it (as a link
/// where the file system can, else as a copy), so that their work can still be recovered.
void keepBases(const std::filesystem::path& folder, const std::filesystem::path& project);

}  // namespace skein::project::journal
