// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/profile/profiler.h"

namespace skein::pipeline {

/// A profile as writeProfile() wrote it, as far as it is shown.
struct SavedProfile {
    profile::Summary summary;
    double wallSeconds = 0;
    double framesPerSecond = 0;
    std::string device;
};

/// Takes profiles of sleap-nn's shape too (stages with name, count, avg_ms, p95_ms, and nothing else).
/// Errors: NotFound, Io, Format.
[[nodiscard]] Result<SavedProfile> readProfile(const std::filesystem::path& file);

/// Columns stage, count, avg, p95, total and share of the busy time; with `other`, its avg and p95 and by how much they
/// differ. Below it, in plain text, what the run was. `asMarkdown`: as a table of a page of text.
[[nodiscard]] std::string profileTable(const SavedProfile& run, const SavedProfile* other, bool asMarkdown);

}  // namespace skein::pipeline
