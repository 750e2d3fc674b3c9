// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/formats/json/json.h"
#include "engine/project/labels.h"

namespace skein::formats::slp {

/// A video from its row of `/videos_json`; old rows have a backend only.
[[nodiscard]] project::Video videoFromRow(const Json& row);

/// The row to store: what the video was read with, changed only where the video was changed; or a new row as sleap-io
/// writes it.
[[nodiscard]] Json rowFromVideo(const project::Video& video);

/// The whole row as stored or as it would be stored; null object when the text is damaged.
[[nodiscard]] Json storedRow(const project::Video& video);

/// Name and size facts of a row that older and newer writers keep in different places.
[[nodiscard]] Json backendOf(const Json& row);

/// N of a dataset "videoN/video"; nullopt for any other name.
[[nodiscard]] std::optional<std::uint32_t> embeddedNumber(const std::string& dataset);

/// Meaning of the video ids in `/frames` and `/negative_frames`: normally the row of the video list, in packages made
/// from larger projects the number of the group that holds the images.
class VideoIds {
public:
    /// `used`: all ids that occur; `datasets`: of each video, empty when it has none.
    VideoIds(const std::set<std::uint32_t>& used, const std::vector<std::string>& datasets);
    /// Index of the video, not checked against the number of videos.
    [[nodiscard]] std::uint32_t index(std::uint32_t id) const;

private:
    bool m_plain = false;
    std::map<std::uint32_t, std::uint32_t> m_byId;
};

/// How to store videos so that every reader finds the right one.
struct VideoIdPlan {
    std::vector<std::uint32_t> ids;     ///< of each video, for the tables
    std::vector<std::string> datasets;  ///< of each video; differs from the present one when a group must be renamed
};

/// `used`: indices of videos that have frames; `embeddedHere`: whose images lie in the file itself. Plain indices where
/// these are read back rightly, else the groups' numbers, else the embedded groups are renamed to their index.
[[nodiscard]] VideoIdPlan planVideoIds(const std::set<std::uint32_t>& used, const std::vector<project::Video>& videos,
                                       const std::vector<bool>& embeddedHere);

}  // namespace skein::formats::slp
