// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"

/// Reading and writing of labels files (`.slp`, `.pkg.slp`, the same layout under `.h5`).
///
/// The functions may be called from any thread; HDF5 work is serialised by one mutex. No file stays open after a call.
namespace skein::formats {

/// Called now and then with what is being done ("points", "tracks" ...) and the done part of the whole, 0 to 1. Runs on
/// the calling thread, which holds the HDF5 mutex: return quickly and call nothing of skein::formats.
using FileProgress = std::function<void(std::string_view phase, double fraction)>;

/// What was found amiss while reading; the project is usable all the same.
struct LoadReport {
    std::vector<std::string> warnings;  ///< one sentence each, for a person
    double formatId = 0;                ///< as stored; 0 when the file has none
    std::size_t skippedFrames = 0;      ///< frame records that point outside the file
    std::size_t skippedInstances = 0;   ///< instance records that point outside the file
    std::size_t clearedTracks = 0;      ///< instances whose track does not exist; read as untracked
    std::size_t clearedLinks = 0;       ///< instances whose source prediction does not exist
    std::size_t fittedInstances = 0;    ///< instances with fewer or more points than their skeleton has nodes
    /// The file has a later format than this program knows; it is best not written over. warnings lists what was not
    /// understood (and is carried through a save).
    bool isNewer = false;
    bool shiftedHalfPixel = false;  ///< coordinates of a format before 1.1 were moved by -0.5
};

struct SlpReadOptions {
    std::stop_token stop;
    FileProgress progress;
};

/// Reads a whole labels file. What Skein does not model is remembered in Labels::origin() and comes back on save.
/// Errors: NotFound; Io; Format (not a labels file, damaged, cut short); Unsupported (a newer major format);
/// OutOfMemory; Cancelled.
[[nodiscard]] Result<project::Labels> readSlp(const std::filesystem::path& path, LoadReport* report = nullptr,
                                              const SlpReadOptions& options = {});

/// What a save could not carry over; empty in the normal case.
struct SaveReport {
    std::vector<std::string> warnings;
};

struct SlpWriteOptions {
    std::stop_token stop;
    FileProgress progress;
    /// Also save when the file that embedded images must be copied from is gone. Their groups are then missing in the
    /// new file and the report says so.
    bool allowLoss = false;
    /// Called with the finished temporary file before it takes the target's place; an error ends the save.
    std::function<Result<void>(const std::filesystem::path&)> beforeReplacing;
};

/// Writes `labels` so that at every moment the old or the new file is complete on disk; before the new file takes the
/// old one's place it is opened again and its tables are compared with `labels`. Also correct when `path` is the file
/// the project was read from. Everything of the origin file that Skein does not model is copied, with references to
/// instances, tracks, frames and videos brought up to date.
/// Errors: Io (folder missing, not writable, disk full, origin gone), Format (origin changed), Cancelled, OutOfMemory.
/// In all of them `path` is as it was.
[[nodiscard]] Result<void> writeSlp(const project::Labels& labels, const std::filesystem::path& path,
                                    const SlpWriteOptions& options = {}, SaveReport* report = nullptr);

/// To be called on the live project after it was saved to `path`: embedded images are found there from now on.
void noteSaved(project::Labels& labels, const std::filesystem::path& path);

}  // namespace skein::formats
