// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/inference/given_centroids.h"
#include "engine/pipeline/job.h"
#include "engine/project/labels.h"

namespace skein::ui {

/// Tells a run where instances are: for each frame of `source` the centroids of those that a person made, or, where
/// there are none, of the predicted ones. Reads the labels of these frames: for a worker.
void lookUpCentroids(const project::Labels& labels, const inference::CentroidDefinition& definition,
                     pipeline::JobSource& source);

}  // namespace skein::ui
