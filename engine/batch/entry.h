// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/inference/options.h"
#include "engine/pipeline/prediction_run.h"
#include "engine/tracking/tracker_options.h"

namespace skein::batch {

/// How entries of a queue are predicted.
struct Settings {
    std::vector<std::filesystem::path> models;  ///< as readModelSpec() takes them: one, or a pair
    inference::InferenceOptions inference;
    std::optional<tracking::TrackerOptions> tracking;
    std::string frames;  ///< of each video, as parseFrameList() reads it; empty: all
    pipeline::CentroidOutput centroids = pipeline::CentroidOutput::Instance;
    bool keepEmptyFrames = true;
    int queueMaxsize = 16;
    int groupThreads = 1;
    video::DecoderChoice decoder = video::DecoderChoice::Processor;
};

/// What becomes of an output that is there already.
enum class ExistingOutput {
    Skip,       ///< it is taken for the result
    Overwrite,  ///< it is replaced
    Number      ///< the new one gets a number: "a.predictions.2.slp"
};

enum class EntryState {
    Waiting,
    Running,
    Done,       ///< every frame
    Partly,     ///< saved, but some frames are missing; the reason says why
    Failed,     ///< nothing was saved; the reason says why
    Skipped,    ///< the output was there
    Cancelled,  ///< by a person; what was done is saved
};
/// "waiting", "done", ...: as stored and as shown.
[[nodiscard]] const char* toString(EntryState state);
[[nodiscard]] inline bool isOver(EntryState state) {
    return state != EntryState::Waiting && state != EntryState::Running;
}
/// Every frame has a result.
[[nodiscard]] inline bool isDone(EntryState state) {
    return state == EntryState::Done || state == EntryState::Skipped;
}

/// One run of a queue: one video (or labels file), or several videos, through one model or pair.
struct Entry {
    std::int64_t id = 0;  ///< given by the queue, never used again
    std::filesystem::path data;
    std::vector<std::filesystem::path> more;  ///< further videos that enter the same output, after `data`
    std::filesystem::path output;
    Settings settings;
    ExistingOutput existing = ExistingOutput::Skip;
    bool resume = false;       ///< go on with what an unfinished run has left
    bool interrupted = false;  ///< its process ended in the middle: an output that is there now is its own
    bool paused = false;       ///< it waits until a person lets it go on; others do not wait for it

    EntryState state = EntryState::Waiting;
    std::string reason;              ///< sentence; empty when all is well
    std::vector<std::string> notes;  ///< sentences of the run, not reasons for the state
    std::int64_t framesDone = 0, framesTotal = 0, instances = 0;
    std::int64_t framesResumed = 0;  ///< of framesDone, those that an earlier part of the run has found
    bool reachedEnd = false;         ///< its run has dealt with every frame, though some may not be readable
    std::string startedAt, endedAt;  ///< ISO 8601, local time
    double seconds = 0;              ///< that its last part has taken
    std::filesystem::path log;
};

/// In what two settings differ that may change what is found, in words: "another model", "other options
/// (peak_threshold)", "other tracking", "other frames"; empty where in nothing.
[[nodiscard]] std::string settingsDifference(const Settings& before, const Settings& now);

/// Frames a second of its last part, start and end included; 0 unknown.
[[nodiscard]] double meanRate(const Entry& entry);

/// Whether the output holds what this entry has saved, so that the entry may replace it.
[[nodiscard]] bool ownsOutput(const Entry& entry);

/// "done", "partly done 180 of 200: <reason>", "failed: <reason>": one line for a table.
[[nodiscard]] std::string describe(const Entry& entry);

}  // namespace skein::batch
