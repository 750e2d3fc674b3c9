// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>

#include "engine/models/model_spec.h"

namespace skein::bench {

/// The model of resources/sample, as its configuration says (tst_sample_model holds the two together): where nothing
/// reads YAML. `folder`: where its weights are.
inline models::ModelSpec sampleModel(const std::filesystem::path& folder) {
    models::ModelSpec spec;
    spec.type = models::ModelType::BottomUp;
    spec.backbone = models::BackboneType::UNet;
    spec.unet.filters = 12;
    spec.unet.filtersRate = 1.5;
    spec.unet.maxStride = 16;
    spec.unet.outputStride = 2;
    spec.heads = {{.kind = models::HeadKind::MultiInstanceConfmaps, .channels = 4, .outputStride = 2},
                  {.kind = models::HeadKind::PartAffinityFields, .channels = 6, .outputStride = 4}};
    spec.preprocess.scale = 0.5;
    spec.skeleton.name = "synthetic";
    spec.skeleton.nodes = spec.partNames = {"head", "thorax", "abdomen", "tip"};
    spec.skeleton.edges = spec.pafEdges = {{0, 1}, {1, 2}, {2, 3}};
    spec.folder = folder;
    spec.weightsFile = folder / "best.ckpt";
    return spec;
}

}  // namespace skein::bench
