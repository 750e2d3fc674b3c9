// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/hdf5/handle.h"

namespace skein::formats::h5 {

/// The library's own words for what went wrong last, innermost cause; empty when it gave none.
[[nodiscard]] std::string lastReason();

/// Error for a failed call: "Cannot <action>: <the library's reason>."
[[nodiscard]] tl::unexpected<Error> failure(ErrorCode code, const std::string& action);

/// Opens for reading, without a file lock, so that read-only and network folders work.
/// Errors: NotFound; Format (empty, no HDF5 file, damaged, cut short); Io.
[[nodiscard]] Result<Id> openFile(const std::filesystem::path& path);

/// Whether `name` (a path with slashes is allowed) leads to an object; dangling links do not.
[[nodiscard]] bool exists(hid_t location, const std::string& name);

/// Names of the links of a group, in name order.
[[nodiscard]] std::vector<std::string> linkNames(hid_t group);

enum class ObjectKind { None, Group, Dataset, Other };
[[nodiscard]] ObjectKind objectKind(hid_t location, const std::string& name);

/// Copies an object with everything under it, or the link itself when it is a soft or external one.
[[nodiscard]] Result<void> copyLink(hid_t from, const std::string& name, hid_t to, const std::string& newName);

/// Creates a group; errors: Io.
[[nodiscard]] Result<Id> createGroup(hid_t location, const std::string& name);
[[nodiscard]] Result<Id> openGroup(hid_t location, const std::string& name);

}  // namespace skein::formats::h5
