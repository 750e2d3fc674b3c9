// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/slp.h"
#include "engine/project/labels.h"

/// Results in the forms that other programs read. Coordinates are written as they are, in pixels with (0, 0) at the
/// centre of the top-left pixel, frames by their rank in presentation order from 0.
namespace skein::formats {

enum class ExportFormat {
    Analysis,  ///< SLEAP's analysis HDF5; one file a video
    Csv,       ///< SLEAP's table: a row an instance; one file a video
    CsvTidy,   ///< a row for each frame, instance and node; all videos
    Coco,      ///< COCO key points; all videos
    Dlc,       ///< DeepLabCut's table: a row a frame; one file a video
    Nwb,       ///< NWB with ndx-pose; all videos
    Json       ///< everything, readable
};

struct ExportOptions {
    std::stop_token stop;
    FileProgress progress;
    /// The video to export; nullopt: all that have labelled frames.
    std::optional<std::uint32_t> video;
    /// Analysis: axes as (frame, track, node, xy) in place of SLEAP's (track, xy, node, frame).
    bool standardAxes = false;
    /// Csv and CsvTidy: frames without an instance have a row too, with empty cells.
    bool everyFrame = true;
    /// Where the project lies: named in the analysis file, and where CsvTidy finds the videos, whose time stamps it
    /// writes. Empty: unknown.
    std::filesystem::path projectFile;
};

struct ExportReport {
    std::vector<std::filesystem::path> files;
    std::vector<std::string> warnings;  ///< one sentence each: what was left out, videos that failed
    std::size_t instances = 0;          ///< that were written
    std::size_t leftOut = 0;            ///< that the format has no place for
};

/// Whether a file of this format holds one video only.
[[nodiscard]] bool isPerVideo(ExportFormat format);

/// The file of one of several videos: "out.analysis.h5" becomes "out.000_stem.analysis.h5", as SLEAP names them.
[[nodiscard]] std::filesystem::path pathOfVideo(const std::filesystem::path& path, const project::Labels& labels,
                                                std::uint32_t video);

/// Writes `labels` to `path`, or to one file a video beside it (see pathOfVideo()) where the format asks for that and
/// several videos have labels. Each file is written beside its place and renamed when complete, so that the old or the
/// new one is there at every moment. Memory does not grow with the number of frames beyond some bytes for each. A video
/// that fails does not keep the others from being written; if none succeeds that is an error.
/// Belongs on a worker thread. Errors: InvalidArgument (no such video, nothing labelled), Io, Cancelled, OutOfMemory.
[[nodiscard]] Result<ExportReport> exportLabels(const project::Labels& labels, ExportFormat format,
                                                const std::filesystem::path& path, const ExportOptions& options = {});

/// The format of that name ("analysis", "csv", "csv-tidy", "coco", "dlc", "nwb", "json").
[[nodiscard]] std::optional<ExportFormat> exportFormatNamed(std::string_view name);

}  // namespace skein::formats
