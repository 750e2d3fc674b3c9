// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>
#include <vector>

#include "engine/pipeline/job.h"
#include "engine/project/labels.h"

namespace skein::pipeline {

/// A project that holds the results of a run and nothing else: the videos, the model's skeleton, one labelled frame for
/// each processed frame in the order of work, and exactly the tracks that instances refer to, in order of first use.
[[nodiscard]] project::Labels composeLabels(std::vector<project::Video> videos, project::Skeleton skeleton,
                                            std::vector<FrameResult> results,
                                            const std::vector<std::string>& trackNames, bool keepEmptyFrames = true);

/// The facts of a run for Labels::setProvenanceJson, under sleap-nn's names where it has one.
struct RunFacts {
    std::string startedAt, endedAt;  ///< ISO 8601, local time
    double seconds = 0;
    std::string sourceFile;
    std::string device;
    std::string torchVersion;
    std::int64_t framesProcessed = 0;
    JobState state = JobState::Finished;
};
[[nodiscard]] std::string provenanceJson(const JobSpec& spec, const RunFacts& facts);

}  // namespace skein::pipeline
