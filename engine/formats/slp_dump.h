// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <stop_token>
#include <string>

#include "engine/base/result.h"
#include "engine/formats/slp.h"
#include "engine/project/labels.h"

namespace skein::formats {

/// The neutral description of a project as JSON text ("slp-dump-1"), one line per frame: coordinates with (0, 0) at the
/// centre of the top-left pixel, a point as [x, y, visible, complete, score], NaN as null, references as indices.
/// Members that describe a file rather than a project (size, top-level objects) are left out.
[[nodiscard]] Result<std::string> dumpJson(const project::Labels& labels);

/// The same for a labels file, with its name, size, format and top-level objects. Errors: those of readSlp.
[[nodiscard]] Result<std::string> dumpJson(const std::filesystem::path& path);

/// The description of a project written into `path` piece by piece, so that memory does not grow with it.
/// `labelsFile`: the file it was read from, described too; empty: none. Errors: Io, Cancelled.
[[nodiscard]] Result<void> writeDump(const project::Labels& labels, const std::filesystem::path& path,
                                     std::stop_token stop = {}, const FileProgress& progress = {},
                                     const std::filesystem::path& labelsFile = {});

}  // namespace skein::formats
