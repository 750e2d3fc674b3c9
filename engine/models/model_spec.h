// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/models/host_weights.h"
#include "engine/project/skeleton.h"

// What a trained model's configuration says, as plain data: no weights, no LibTorch, no file format.
namespace skein::models {

enum class ModelType { SingleInstance, Centroid, CenteredInstance, BottomUp, MultiClassBottomUp, MultiClassTopDown };
/// The configuration's own word, e.g. "multi_class_topdown".
[[nodiscard]] const char* modelTypeName(ModelType type);
/// Words for a person, e.g. "Bottom-up".
[[nodiscard]] const char* modelTypeTitle(ModelType type);

enum class BackboneType { UNet, ConvNext, SwinT };
[[nodiscard]] const char* backboneName(BackboneType type);

/// Options of the UNet backbone; sizes in pixels, strides in input pixels per output pixel.
struct UNetConfig {
    int inChannels = 1;
    int kernelSize = 3;
    int filters = 32;
    double filtersRate = 1.5;
    int maxStride = 16;
    std::optional<int> stemStride;
    bool middleBlock = true;
    bool upInterpolate = true;
    int stacks = 1;
    int convsPerBlock = 2;
    int outputStride = 1;
};

/// Options shared by the ConvNeXt and SwinT backbones; a preset name has been replaced by its numbers.
struct TransformerConfig {
    int inChannels = 1;
    std::vector<int> depths;    ///< blocks per stage, 4 entries
    std::vector<int> channels;  ///< ConvNeXt: channels per stage
    int embed = 0;              ///< SwinT: channels of the first stage
    std::vector<int> numHeads;  ///< SwinT
    int patchSize = 4;          ///< kernel of the stem (ConvNeXt: stem_patch_kernel)
    int stemPatchStride = 2;
    int windowSize = 7;  ///< SwinT
    int kernelSize = 3;
    double filtersRate = 2;
    int convsPerBlock = 2;
    bool upInterpolate = true;
    bool blockContraction = false;  ///< fewer channels at the end of the middle and of each decoder block
    int outputStride = 1;
    int maxStride = 32;  ///< what frames are padded to; the network itself always ends at 16 * stemPatchStride
};

enum class HeadKind {
    SingleInstanceConfmaps,
    CentroidConfmaps,
    CenteredInstanceConfmaps,
    MultiInstanceConfmaps,
    PartAffinityFields,
    ClassMaps,
    ClassVectors
};
/// The class name in the checkpoint's keys, e.g. "MultiInstanceConfmapsHead".
[[nodiscard]] const char* headName(HeadKind kind);

struct HeadSpec {
    HeadKind kind = HeadKind::SingleInstanceConfmaps;
    int channels = 0;  ///< nodes, 1, two per edge, or classes
    int outputStride = 1;
    bool sigmoid = false;  ///< centroid heads may ask for it; class maps always have it
    // Class vectors only.
    int fcLayers = 1;
    int fcUnits = 64;
    bool globalPool = true;
};

/// How pictures are brought to the network; the order of use is that of the fields.
struct PreprocessSpec {
    bool ensureRgb = false;
    bool ensureGrayscale = false;
    std::optional<int> maxHeight;  ///< size matcher target; frames are shrunk or enlarged to it and padded
    std::optional<int> maxWidth;
    double scale = 1.0;           ///< resize after the size matcher (second stage: of the crop)
    std::optional<int> cropSize;  ///< side of the square crop, centered-instance types only
};

/// Where the weights are and how they are stored.
enum class WeightsFormat { LightningCheckpoint, KerasH5 };

/// Everything needed to build the network and to run it, without its weights.
struct ModelSpec {
    ModelType type = ModelType::BottomUp;
    BackboneType backbone = BackboneType::UNet;
    UNetConfig unet;                ///< when backbone is UNet
    TransformerConfig transformer;  ///< otherwise
    std::vector<HeadSpec> heads;    ///< in checkpoint order
    PreprocessSpec preprocess;
    project::Skeleton skeleton;  ///< of the training data; what predictions are stored with
    /// Nodes of the confidence maps' channels, in channel order (one "centroid" for centroid models).
    std::vector<std::string> partNames;
    /// Edges of the PAF head as positions in partNames, in channel order.
    std::vector<project::Edge> pafEdges;
    std::vector<std::string> classNames;
    std::optional<std::string> anchorPart;
    /// How the centroids of the training data were found, in sleap-nn's words; unset: by anchorPart, else the mean.
    std::optional<std::string> centroidMethod;
    std::optional<std::string> centroidFallback;  ///< where the anchor is not visible

    std::filesystem::path folder;
    std::filesystem::path configFile;
    std::filesystem::path weightsFile;
    WeightsFormat weightsFormat = WeightsFormat::LightningCheckpoint;
    /// Reads the weights of a format that is not a checkpoint, on demand; empty for checkpoints.
    HostWeightsReader hostWeights;
    /// Checkpoints whose weights take the place of those in weightsFile; empty: none. Of backboneWeightsFile the
    /// backbone is taken, and without a headWeightsFile also those heads that it holds; of headWeightsFile the heads.
    std::filesystem::path backboneWeightsFile;
    std::filesystem::path headWeightsFile;
    /// SLEAP's Keras models place transposed convolutions one pixel further (see models.md of the project's notes);
    /// false evaluates them as sleap-nn does.
    bool kerasTransposeAlignment = false;

    /// What the run was trained on and with, for display only: (name, value) in reading order.
    std::vector<std::pair<std::string, std::string>> trainingFacts;

    [[nodiscard]] int maxStride() const {
        return backbone == BackboneType::UNet ? unet.maxStride : transformer.maxStride;
    }
    [[nodiscard]] int inChannels() const {
        return backbone == BackboneType::UNet ? unet.inChannels : transformer.inChannels;
    }
    [[nodiscard]] const HeadSpec* head(HeadKind kind) const {
        for (const HeadSpec& h : heads)
            if (h.kind == kind)
                return &h;
        return nullptr;
    }
};

}  // namespace skein::models
