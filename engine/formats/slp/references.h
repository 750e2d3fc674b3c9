// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/slp/carried.h"

namespace skein::formats::slp {

/// From a row of the file that was read to its row in the file being written, -1 when it is gone.
struct RowMap {
    std::vector<std::int64_t> to;
    bool identical = true;  ///< every row stays where it was and none was added before the end

    [[nodiscard]] std::int64_t operator()(std::int64_t row) const {
        return row >= 0 && static_cast<std::size_t>(row) < to.size() ? to[static_cast<std::size_t>(row)] : -1;
    }
};

struct RowMaps {
    RowMap videos, tracks, frames, instances;
    /// Of each instance row read: its frame row and place in that frame, written; only where sessions need it.
    std::vector<std::pair<std::int64_t, std::int64_t>> places;

    [[nodiscard]] bool identical() const {
        return videos.identical && tracks.identical && frames.identical && instances.identical;
    }
};

/// Brings the references of copied objects up to date: identities, categories and embeddings of instances; boxes,
/// centroids, masks, regions, label images and events with their videos, tracks and instances; members of multi-camera
/// sessions; virtual crops. Rows whose video is gone are removed, links whose owner is gone too; a gone track or
/// instance becomes -1. Nothing is touched when nothing moved. `file` is open for writing and holds the copies already.
[[nodiscard]] Result<void> updateReferences(hid_t file, const Carried& carried, const RowMaps& maps,
                                            std::vector<std::string>& warnings);

}  // namespace skein::formats::slp
