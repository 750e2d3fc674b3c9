// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "engine/base/result.h"
#include "engine/formats/export/export_labels.h"
#include "engine/project/labels.h"

/// One format each: fills `path`, a fresh temporary file; exportLabels() does the rest.
namespace skein::formats::exporting {

/// What a writer is to do and how it tells of it.
struct Task {
    const project::Labels& labels;
    const ExportOptions& options;
    ExportReport& report;

    /// Tells how far it is; fails once a stop was asked for.
    [[nodiscard]] Result<void> step(std::string_view phase, std::size_t done, std::size_t all) const {
        if (options.stop.stop_requested())
            return fail(ErrorCode::Cancelled, "The export was cancelled; nothing was changed.");
        if (options.progress)
            options.progress(phase, static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(1, all)));
        return {};
    }
    /// Whether a video is among those to export.
    [[nodiscard]] bool wants(std::uint32_t video) const { return !options.video || *options.video == video; }
};

/// Frames between two looks at the stop token.
inline constexpr std::size_t kStepRows = 4096;

[[nodiscard]] Result<void> writeAnalysis(const Task& task, std::uint32_t video, const std::filesystem::path& path);
[[nodiscard]] Result<void> writeCsv(const Task& task, std::uint32_t video, const std::filesystem::path& path);
[[nodiscard]] Result<void> writeCsvTidy(const Task& task, const std::filesystem::path& path);
[[nodiscard]] Result<void> writeDlc(const Task& task, std::uint32_t video, const std::filesystem::path& path);
[[nodiscard]] Result<void> writeCoco(const Task& task, const std::filesystem::path& path);
[[nodiscard]] Result<void> writeNwb(const Task& task, const std::filesystem::path& path);

/// Name of a video's file without folder and extension.
[[nodiscard]] std::string stemOf(const project::Video& video);

}  // namespace skein::formats::exporting
