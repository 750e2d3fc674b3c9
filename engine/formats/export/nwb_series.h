// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/export/nwb_objects.h"
#include "engine/formats/export/writers.h"
#include "engine/formats/hdf5/output_file.h"

namespace skein::formats::nwb {

/// What both halves of the file share.
struct File {
    const exporting::Task& task;
    h5::OutputFile& file;
    Objects& objects;
    std::vector<std::string> skeletonNames;  ///< as they are in the file
    bool hasLostTracks = false;              ///< training data with tracks was written, and that was told
};

/// The predictions of one video as a processing module: for each track, and for each further instance of a frame that
/// has none, a PoseEstimation with a series for each node. A series holds the frames where its node is there, stamped
/// with frame / fps seconds (frame seconds where the rate is not known). Sessions are short: a block of frames each.
[[nodiscard]] Result<void> writePredictions(File& file, std::uint32_t video);

/// The instances of persons as PoseTraining: the videos, and each frame with its skeletons. Tracks have no place there.
[[nodiscard]] Result<void> writeTraining(File& file);

/// Words in a module's description by which the rate is found again.
inline constexpr const char* kRateWords = " frames a second";

}  // namespace skein::formats::nwb
