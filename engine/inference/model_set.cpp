// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/model_set.h"

#include <utility>

#include "engine/inference/input_geometry.h"

namespace skein::inference {
namespace {

using models::ModelSpec;
using models::ModelType;

bool worksOnCrops(const ModelSpec& spec) {
    return spec.type == ModelType::CenteredInstance || spec.type == ModelType::MultiClassTopDown;
}

std::string named(const ModelSpec& spec) {
    std::string title = models::modelTypeTitle(spec.type);
    return spec.folder.empty() ? title : title + " (" + spec.folder.filename().string() + ")";
}

}  // namespace

Result<std::vector<ModelSpec>> arrangeModels(std::vector<ModelSpec> given) {
    if (given.empty())
        return fail(ErrorCode::InvalidArgument, "No model was given.");
    if (given.size() == 1)
        return given;
    if (given.size() > 2)
        return fail(ErrorCode::InvalidArgument,
                    "A run takes one model, or a centroid model and a centered-instance "
                    "model; " +
                        std::to_string(given.size()) + " were given.");
    if (given[0].type == given[1].type)
        return fail(ErrorCode::InvalidArgument, "Both models are of the type " +
                                                    std::string(models::modelTypeTitle(given[0].type)) +
                                                    "; a pair is a centroid model and a centered-instance model.");
    if (given[1].type == ModelType::Centroid)
        std::swap(given[0], given[1]);
    if (given[0].type != ModelType::Centroid || !worksOnCrops(given[1]))
        return fail(ErrorCode::InvalidArgument, named(given[0]) + " and " + named(given[1]) +
                                                    " cannot run together; a pair is a centroid model and a "
                                                    "centered-instance model, every other model runs alone.");
    return given;
}

bool needsCentroids(const std::vector<ModelSpec>& arranged) {
    return arranged.size() == 1 && worksOnCrops(arranged.front());
}

std::string describeModels(const std::vector<ModelSpec>& arranged) {
    if (arranged.empty())
        return "";
    const std::string last = models::modelTypeTitle(arranged.back().type);
    if (arranged.size() == 2)
        return std::string(arranged[1].type == ModelType::MultiClassTopDown ? "Multi-class top-down" : "Top-down") +
               " (centroid and centered instance)";
    return needsCentroids(arranged) ? last + ", around given instances" : last;
}

Result<TopDownSettings> topDownSettings(const std::vector<ModelSpec>& arranged, const InferenceOptions& options) {
    const models::PreprocessSpec& second = arranged.back().preprocess;
    models::PreprocessSpec first = arranged.front().preprocess;
    first.maxHeight = first.maxHeight ? first.maxHeight : second.maxHeight;
    first.maxWidth = first.maxWidth ? first.maxWidth : second.maxWidth;
    if (needsCentroids(arranged)) {
        // There is no first stage: frames are size matched, and what belongs to crops is done to crops.
        first.ensureRgb = first.ensureGrayscale = false;
        first.scale = 1;
    }
    InferenceOptions forFrames = options;
    if (needsCentroids(arranged)) {
        forFrames.inputScale.reset();
        forFrames.ensureRgb.reset();
        forFrames.ensureGrayscale.reset();
    }
    auto frames = effectivePreprocess(first, forFrames);
    if (!frames)
        return fail(frames.error());
    TopDownSettings settings;
    settings.frames = *frames;
    settings.crops.scale = second.scale;
    InferenceOptions forCrops;
    forCrops.inputScale = options.inputScale;
    auto crops = effectivePreprocess(settings.crops, forCrops);
    if (!crops)
        return fail(crops.error());
    settings.crops = *crops;
    constexpr int kLargest = 1 << 14;
    settings.cropSize = options.cropSize.value_or(second.cropSize.value_or(0));
    if (!options.cropSize && !second.cropSize)
        return fail(ErrorCode::Model, "The configuration of the centered-instance model in " +
                                          arranged.back().folder.string() +
                                          " states no crop size; give one with --crop_size.");
    if (settings.cropSize < 1 || settings.cropSize > kLargest)
        return fail(ErrorCode::InvalidArgument,
                    "A crop size of " + std::to_string(settings.cropSize) + " pixels is outside 1 to 16384.");
    return settings;
}

project::Skeleton outputSkeleton(const std::vector<ModelSpec>& arranged) {
    project::Skeleton skeleton = arranged.back().skeleton;
    if (arranged.back().type == ModelType::Centroid && skeleton.nodes.size() != 1) {
        skeleton = {};
        skeleton.nodes = {"centroid"};
    }
    return skeleton;
}

}  // namespace skein::inference
