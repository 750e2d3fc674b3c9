// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QPointF>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/base/result.h"
#include "engine/inference/host_batch.h"
#include "engine/pipeline/job.h"
#include "engine/project/labels.h"

namespace skein::ui {

/// What a run would find on one frame, and what it would make that of. A value. Places are in pixels of the frame, (0,
/// 0) being the centre of the top-left one.
struct FramePreview {
    struct Peak {
        QPointF at;
        float value = 0;
        int node = -1;  ///< -1: a centroid
    };
    /// A candidate of a part affinity field: how well the field says that two peaks belong together.
    struct Link {
        QPointF from, to;
        float score = 0;
        int edge = 0;
    };
    QImage picture;
    project::Labels labels;  ///< with the frame and what was found on it
    std::uint32_t video = 0;
    std::int64_t frame = -1;
    std::vector<Peak> peaks;  ///< before they become instances
    std::vector<Link> links;  ///< bottom-up models only; the weakest are left out
    double seconds = 0;       ///< from the picture to the instances, the model being loaded
};

/// Links below this say that two peaks do not belong together.
inline constexpr float kLeastLinkScore = 0.05F;

/// The peaks and links of the first frame of a batch.
void unpackPreview(const inference::HostBatch& batch, const project::Skeleton& skeleton, FramePreview& into);

/// Looks at the first frame of the job's first source, as a run would. Takes as long as a frame does, and the first
/// time as long as its models need to load: for a worker. Errors: those of a run.
using Previewer = std::function<Result<FramePreview>(const pipeline::JobSpec&)>;
[[nodiscard]] Previewer enginePreview();

}  // namespace skein::ui
