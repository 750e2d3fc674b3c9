// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/map_packer.h"

#include "engine/inference/bottomup_packer.h"
#include "engine/inference/class_packer.h"
#include "engine/inference/global_peaks.h"

namespace skein::inference {

PackOptions packOptions(const models::ModelSpec& spec, const InferenceOptions& options) {
    PackOptions o;
    o.peaks = {static_cast<float>(options.peakThreshold), options.integralRefinement, options.integralPatchSize};
    o.lines = {options.maxEdgeLengthRatio, options.distPenaltyWeight, options.nPoints};
    o.confmapStride = spec.heads[0].outputStride;
    o.secondStride = spec.heads.size() > 1 ? spec.heads[1].outputStride : 1;
    o.nodes = static_cast<int>(spec.partNames.size());
    o.edges = spec.pafEdges;
    o.classes = static_cast<int>(spec.classNames.size());
    return o;
}

std::unique_ptr<MapPacker> makeMapPacker(models::ModelType type, PackOptions options) {
    switch (type) {
        case models::ModelType::SingleInstance:
        case models::ModelType::CenteredInstance:
        case models::ModelType::MultiClassTopDown:
            return std::make_unique<GlobalPeakPacker>(std::move(options));
        case models::ModelType::MultiClassBottomUp:
            return std::make_unique<ClassPacker>(std::move(options));
        case models::ModelType::Centroid:
        case models::ModelType::BottomUp:
            break;
    }
    return std::make_unique<BottomUpPacker>(std::move(options), type);
}

}  // namespace skein::inference
