// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <vector>

#include "engine/base/result.h"
#include "engine/batch/entry.h"

// A queue as a file: {"format": "skein-queue", "version": 1, "entries": [...]}. An entry is {"data", "output",
// "models", "frames", "inference", "tracking", ...}, the options under their names on the command line. A person may
// write such a file: of an entry everything but "data" may be left out.
namespace skein::batch {

/// Replaces the file at once, so that it is whole whatever happens. Errors: Io, NotFound.
[[nodiscard]] Result<void> writeQueue(const std::filesystem::path& file, const std::vector<Entry>& entries);

/// What entries do not say is as in `usual`. Relative paths start at the file's folder.
/// Errors: NotFound, Io, Format (no JSON, no queue), InvalidArgument (an option), with the entry's number.
[[nodiscard]] Result<std::vector<Entry>> readQueue(const std::filesystem::path& file, const Entry& usual = {});

}  // namespace skein::batch
