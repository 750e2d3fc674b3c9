// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/pipeline/job.h"

// What a run has found so far, in a file beside its output: a crash leaves it, the end of the run removes it. It holds
// detections before tracking, and a resumed run tracks from the first frame on. That is the one way to have every
// tracker exactly where it was without storing the state of each, and costs no more than tracking does.
//
// The file: "SKEINRUN", format number, then records of [bytes, hash, payload]. The first record is the identity of the
// run (JSON text), each other one the frames of whole batches. A record that a crash cut off is recognised by its
// length or hash and left out. All numbers as this machine holds them (little-endian).
namespace skein::pipeline {

/// "x.slp" -> "x.slp.unfinished".
[[nodiscard]] std::filesystem::path checkpointPath(const std::filesystem::path& output);

struct Checkpoint {
    std::string identity;             ///< of the run, as it was given to the writer
    std::vector<FrameResult> frames;  ///< in the order of work
    std::int64_t through = 0;         ///< first frame, in the order of work, that has not been dealt with
    std::uint64_t validBytes = 0;     ///< up to the end of the last whole record
};

/// Reads what is whole. Errors: NotFound; Io; Format (no such file, another version, a damaged beginning).
[[nodiscard]] Result<Checkpoint> readCheckpoint(const std::filesystem::path& path);
/// Only how far it has come; reads the ends of records alone, so that it may be asked often. Errors: the same.
[[nodiscard]] Result<std::int64_t> checkpointProgress(const std::filesystem::path& path);

/// Appends to such a file. What was added survives the end of the process at once, and the loss of power after
/// kSyncEvery. Thread-compatible.
class CheckpointWriter {
public:
    static constexpr std::chrono::seconds kSyncEvery{10};
    static constexpr std::int64_t kSyncFrames = 5000;

    /// Starts a file anew. Errors: Io.
    [[nodiscard]] static Result<CheckpointWriter> create(const std::filesystem::path& path,
                                                         const std::string& identity);
    /// Goes on after the last whole record. Errors: Io.
    [[nodiscard]] static Result<CheckpointWriter> resume(const std::filesystem::path& path,
                                                         const Checkpoint& checkpoint);
    CheckpointWriter(CheckpointWriter&& other) noexcept;
    CheckpointWriter& operator=(CheckpointWriter&& other) noexcept;
    ~CheckpointWriter();

    /// `through`: first frame in the order of work that is not dealt with yet. Errors: Io (disk full); the file then
    /// ends with the record before.
    [[nodiscard]] Result<void> add(std::span<const FrameResult> frames, std::int64_t through);
    /// Brings what was added to the disk where that is due. Errors: Io.
    [[nodiscard]] Result<void> syncWhenDue(std::chrono::steady_clock::time_point now);
    [[nodiscard]] Result<void> sync();

private:
    explicit CheckpointWriter(int file, std::filesystem::path path, std::uint64_t end);
    [[nodiscard]] Result<void> append(const std::string& payload);

    int m_file = -1;
    std::filesystem::path m_path;
    std::uint64_t m_end = 0;
    std::int64_t m_unsyncedFrames = 0;
    bool m_isDirty = false;
    std::chrono::steady_clock::time_point m_lastSync;
};

}  // namespace skein::pipeline
