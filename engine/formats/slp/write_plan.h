// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/formats/json/json.h"
#include "engine/formats/slp/carried.h"
#include "engine/formats/slp/references.h"
#include "engine/formats/slp/video_row.h"
#include "engine/project/labels.h"

namespace skein::formats::slp {

/// What a save will write: numbers of rows, row of every link target, video ids, texts. Made in one pass over the
/// project, before any file is touched.
struct WritePlan {
    std::uint64_t instances = 0, points = 0, predictedPoints = 0;
    std::unordered_map<project::InstanceId, std::int64_t> linkTargets;  ///< row of each instance that is linked to
    std::vector<bool> embeddedHere;
    VideoIdPlan videoIds;
    std::vector<std::string> videoRows;
    std::vector<std::string> suggestionRows;
    std::vector<std::string> trackRows;
    std::string metadata;  ///< the JSON text
    double formatId = 0;

    [[nodiscard]] bool hasLargeMetadata() const { return metadata.size() > kLargestAttribute; }
    /// HDF5 keeps an attribute below 64 KiB, its own description included.
    static constexpr std::size_t kLargestAttribute = 64000;
};

[[nodiscard]] WritePlan planWrite(const project::Labels& labels);

/// Where the rows of the file that was read are in the file to be written.
[[nodiscard]] RowMaps mapRows(const project::Labels& labels, const Carried& carried);

}  // namespace skein::formats::slp
