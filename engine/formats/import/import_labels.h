// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/slp.h"
#include "engine/project/labels.h"

/// Labels from the files of other programs. Every size that a file claims is checked before it is believed.
namespace skein::formats {

enum class ImportFormat {
    Slp,       ///< a labels file or package
    Analysis,  ///< SLEAP's analysis HDF5
    Csv,       ///< a table with a row an instance or a row a point, of SLEAP, sleap-io or Skein
    Coco,      ///< COCO key points
    Dlc,       ///< DeepLabCut's table as CSV
    DlcH5,     ///< DeepLabCut's table as HDF5
    Nwb        ///< NWB with ndx-pose
};

struct ImportReport {
    std::vector<std::string> warnings;  ///< one sentence each: what was not understood or is missing
};

struct ImportOptions {
    std::stop_token stop;
    FileProgress progress;
};

/// What the file is, by its content. Errors: NotFound, Io, Format (none of these).
[[nodiscard]] Result<ImportFormat> detectFormat(const std::filesystem::path& path);

/// "COCO key points" and the like, for a person.
[[nodiscard]] std::string_view describe(ImportFormat format);

/// Reads any of them, told apart by content. What is read becomes predictions where the file does not say that a person
/// made it, in frames numbered as the file numbers them. Videos that the file does not name get the file's own name.
/// Belongs on a worker thread. Errors: NotFound, Io, Format (one sentence that says what is wrong), Unsupported,
/// OutOfMemory, Cancelled.
[[nodiscard]] Result<project::Labels> importLabels(const std::filesystem::path& path, ImportReport* report = nullptr,
                                                   const ImportOptions& options = {});

}  // namespace skein::formats
