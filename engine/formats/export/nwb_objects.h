// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <random>
#include <set>
#include <string>

#include "engine/base/result.h"
#include "engine/formats/hdf5/handle.h"

/// Objects of an NWB file: groups with the attributes by which readers know them. Use inside an h5::Session.
namespace skein::formats::nwb {

inline constexpr const char* kCore = "core";
inline constexpr const char* kPose = "ndx-pose";
inline constexpr const char* kSkeletons = "/processing/behavior/Skeletons";
inline constexpr const char* kTraining = "/processing/behavior/PoseTraining";

class Objects {
public:
    /// Creates a group that is an object of that type. Errors: Io.
    [[nodiscard]] Result<h5::Id> create(hid_t location, const std::string& name, const char* space, const char* type);
    /// The attributes alone.
    [[nodiscard]] Result<void> mark(hid_t object, const char* space, const char* type);
    /// A fresh random identifier (UUID, version 4).
    [[nodiscard]] std::string newId();

private:
    std::mt19937_64 m_random{std::random_device{}()};
};

[[nodiscard]] Result<void> link(hid_t location, const std::string& name, const std::string& target);

/// `name` without the characters that paths use for other things, and unlike those in `taken`, to which it is added.
[[nodiscard]] std::string freeName(const std::string& name, const std::string& fallback, std::set<std::string>& taken);

}  // namespace skein::formats::nwb
