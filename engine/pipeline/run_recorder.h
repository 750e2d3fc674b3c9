// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/pipeline/checkpoint.h"
#include "engine/pipeline/job.h"

namespace skein::pipeline {

/// Keeps what a run finds in its checkpoint. A disk that is full does not stop the run: the file goes, which makes room
/// for the results, and a note stays. Thread-compatible; the members about the end are guarded by the mutex.
class RunRecorder {
public:
    RunRecorder(std::filesystem::path file, std::string identity);

    /// Takes up what is there of the same run into `spec`, or begins anew.
    void begin(JobSpec& spec, bool resume);
    void add(const std::vector<FrameResult>& found);
    /// Every frame has been dealt with, unreadable ones at the end included.
    void complete(std::int64_t framesTotal);
    [[nodiscard]] bool isWriting() const { return m_writer.has_value(); }
    /// The output holds all there is; or there is nothing worth keeping.
    void remove();
    void removeIfEmpty();
    [[nodiscard]] std::vector<std::string> takeNotes();

    /// Of the job that is recorded.
    std::condition_variable ended;
    std::mutex mutex;
    bool isEnded = false;

private:
    void write(std::span<const FrameResult> found, std::int64_t through);
    void giveUp(const Error& error);

    std::filesystem::path m_file;
    std::string m_identity;
    std::optional<CheckpointWriter> m_writer;
    std::int64_t m_through = 0;
    std::vector<std::string> m_notes;
};

}  // namespace skein::pipeline
