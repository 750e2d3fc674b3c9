// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"

namespace skein::formats {

struct DiffOptions {
    double tolerance = 1e-6;       ///< largest allowed distance of two points, pixels
    double scoreTolerance = 1e-5;  ///< largest allowed difference of scores
    std::size_t maxLines = 40;     ///< differences listed in the text
};

/// Outcome of a comparison of two projects by meaning.
struct DiffReport {
    bool equal = true;
    std::vector<std::string> lines;            ///< the first differences, one sentence each
    std::map<std::string, std::size_t> kinds;  ///< all differences counted by kind: "points", "tracks" ...
    std::size_t framesA = 0, framesB = 0;
    std::size_t emptyOnlyInA = 0, emptyOnlyInB = 0;  ///< frames without instances; no difference by themselves
    std::size_t instancesA = 0, instancesB = 0, matchedInstances = 0;
    std::size_t comparedPoints = 0;
    double maxDistance = 0, meanDistance = 0;  ///< pixels, over points that both have
    double maxScoreDifference = 0;
    double trackAgreement = 1;  ///< part of matched instances whose tracks agree after renaming

    /// All of the above as text, ending in "same", "same but for frames without instances" or "different".
    [[nodiscard]] std::string text() const;
};

/// Compares two projects: videos by file name, frames by video and index, instances by position (least total distance),
/// tracks up to renaming (the renaming that most instances agree with). Frames without instances that only one side has
/// are counted and no difference, unless one side alone says that its run was stopped before its end. Order of frames
/// and instances does not count.
[[nodiscard]] DiffReport diffLabels(const project::Labels& a, const project::Labels& b,
                                    const DiffOptions& options = {});

/// The same for two files. Errors: those of readSlp.
[[nodiscard]] Result<DiffReport> diffSlp(const std::filesystem::path& a, const std::filesystem::path& b,
                                         const DiffOptions& options = {});

}  // namespace skein::formats
