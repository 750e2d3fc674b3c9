// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/project/journal/journal_file.h"
#include "engine/project/labels.h"

namespace skein::project::journal {

/// Keeps the journal of one project: takes snapshots and writes what changed, on a thread of its own. Nothing here
/// makes the caller wait but what says so. Thread-safe.
class Recorder {
public:
    struct Options {
        /// Edits are gathered this long before they are written; with the time of a write it stays below the two
        /// seconds that a crash may cost.
        std::chrono::milliseconds gather{500};
        /// A journal that grew beyond this, and beyond four times what it must hold, is written afresh.
        std::uint64_t largest = 64U << 20U;
    };

    /// `base`: the project as the file of `header.base` holds it, or an empty one. The file is made by the first
    /// record.
    Recorder(std::filesystem::path folder, Header header, Labels base, Options options);
    Recorder(std::filesystem::path folder, Header header, Labels base)
        : Recorder(std::move(folder), std::move(header), std::move(base), Options()) {}
    /// Writes what waits. The file stays, unless drop() was called.
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// The project after its `edits`-th edit.
    void record(Labels now, std::uint64_t edits);
    /// The same for the state that a save writes: it is on record at once, and fileWillBe() speaks of it.
    void saveBegins(Labels saved, std::uint64_t edits);
    /// A file of this stamp is about to take the project's place. Waits until that is on disk.
    void fileWillBe(const FileStamp& stamp);
    /// Waits until all that was handed in is on disk (or could not be written: see problem()).
    void flush();
    /// The journal is not needed any more: its file goes when this object does.
    void drop();
    /// Why nothing is kept at the moment, as a sentence; empty: all is well.
    [[nodiscard]] std::string problem() const;

private:
    struct Entry {
        std::optional<Labels> labels;
        std::uint64_t edits = 0;
        bool save = false;
        std::optional<FileStamp> stamp;
    };

    void enqueue(Entry entry, bool urgent);
    void work(const std::stop_token& stop);
    [[nodiscard]] Result<void> write(const Entry& entry);
    [[nodiscard]] Result<void> shrink(const Entry& entry);

    const std::filesystem::path m_folder;
    const Header m_header;
    const Labels m_base;
    const Options m_options;

    // Of the thread alone.
    Labels m_written;
    std::optional<JournalFile> m_file;
    std::size_t m_deltas = 0, m_savedDeltas = 0;
    bool m_hasBases = false;
    std::uint64_t m_afterShrink = 0;

    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Entry> m_queue;
    bool m_urgent = false;
    bool m_busy = false;
    bool m_drop = false;
    std::string m_problem;
    std::jthread m_thread;
};

}  // namespace skein::project::journal
