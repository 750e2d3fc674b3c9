// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/model_spec.h"

// A network as a list of layers with the names and sizes of their weights: what a configuration implies, without any
// tensor. The LibTorch networks are built from it, and a checkpoint is checked against it key by key.
namespace skein::models {

/// A weight that the checkpoint must hold under exactly this key with exactly this shape.
struct ParameterPlan {
    std::string key;
    std::vector<std::int64_t> shape;
    bool integer = false;  ///< an index table rather than numbers that were trained
};

/// One convolution with bias; stride 1 and "same" padding, or, when `transposed`, kernel 3 and twice the size.
struct ConvPlan {
    std::string key;  ///< weights lie at key.weight and key.bias
    int inChannels = 0;
    int outChannels = 0;
    int kernel = 3;
    bool relu = true;
    bool transposed = false;
};

/// One step of the decoder: double the size, join the skip connection, refine.
struct DecoderBlockPlan {
    bool interpolate = true;  ///< bilinear doubling; otherwise `up`
    ConvPlan up;              ///< transposed convolution, when not interpolating
    int skip = -1;            ///< index into NetworkPlan's skip connections, -1: none
    int skipChannels = 0;     ///< these come first in the joined channels
    std::vector<ConvPlan> refine;
    int channels = 0;
    int stride = 0;  ///< of the block's output, in input pixels
};

/// The encoder of ConvNeXt and SwinT: a stem that cuts the picture into patches, then four stages of blocks with
/// halvings between them. Its outputs are those of the stem, of the three halvings and of the last stage.
struct StageEncoderPlan {
    BackboneType type = BackboneType::ConvNext;
    int patchSize = 4;                      ///< kernel of the stem, which pads by 1
    int patchStride = 2;                    ///< of the stem
    int window = 7;                         ///< SwinT: side of the attention's windows
    std::vector<int> depths;                ///< blocks of each stage
    std::vector<int> channels;              ///< of each stage
    std::vector<int> heads;                 ///< SwinT: attention heads of each stage
    std::vector<ParameterPlan> parameters;  ///< all weights, in the order of the checkpoint

    /// Keys begin with these; stages count from 0, the halving of stage t leads to stage t + 1.
    [[nodiscard]] static std::string stemKey() { return "backbone.enc.features.0."; }
    [[nodiscard]] static std::string blockKey(std::size_t stage, int block);
    [[nodiscard]] static std::string halvingKey(std::size_t stage);
};

/// One head and where it reads.
struct HeadPlan {
    HeadSpec spec;
    int source = -1;                ///< decoder block whose output it reads; -1: the bottleneck
    ConvPlan conv;                  ///< 1x1, for heads that give maps
    std::vector<ParameterPlan> fc;  ///< class vectors: weight, bias of each linear layer in order
};

/// Layers in the order of the forward pass. Skip connections are numbered from the coarsest to the finest: of a UNet
/// the outputs of the encoder's blocks from last to first, then the stem's; of the others those of the halvings from
/// last to first, then the stem's.
struct NetworkPlan {
    int inChannels = 1;
    std::optional<StageEncoderPlan> stages;   ///< ConvNeXt and SwinT; then stem and encoder are empty
    std::vector<std::vector<ConvPlan>> stem;  ///< a 2x2 pool lies before each block but the first, and after the last
    std::vector<std::vector<ConvPlan>>
        encoder;  ///< a pool before each (without a stem: but the first), and after the last
    std::vector<ConvPlan> middle;
    int bottleneckChannels = 0;
    int bottleneckStride = 0;
    std::vector<DecoderBlockPlan> decoder;
    std::vector<HeadPlan> heads;

    /// Every weight of the network, in the order of the checkpoint.
    [[nodiscard]] std::vector<ParameterPlan> parameters() const;
};

/// Works out the layers, as sleap-nn 0.3.5 builds them. Errors: Model, for options with which the peer itself cannot
/// build or run a network.
[[nodiscard]] Result<NetworkPlan> planNetwork(const ModelSpec& spec);

}  // namespace skein::models
