// SPDX-License-Identifier: BSD-3-Clause
#include "engine/models/detail/network.h"

#include <ATen/ops/add.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/upsample_bilinear2d.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "engine/models/detail/pooling.h"
#include "engine/models/detail/weights.h"

namespace skein::models {

Result<std::unique_ptr<Network>> Network::load(const ModelSpec& spec, at::Device device, ForwardWay way,
                                               at::ScalarType numbers) {
    auto plan = planNetwork(spec);
    if (!plan)
        return fail(plan.error());
    auto weights = readWeights(spec, plan->parameters());
    if (!weights)
        return fail(weights.error());

    std::unique_ptr<Network> network(new Network);
    network->m_ops = way == ForwardWay::Fused && device.is_cpu() && numbers == at::kFloat ? FusedOps::find() : nullptr;
    network->m_numbers = numbers;
    if (plan->stages && numbers != at::kFloat)
        return fail(ErrorCode::Unsupported, "Half precision is possible with UNet models only; \"" +
                                                spec.folder.string() + "\" has another backbone. Use exact numbers.");
    // The fused form reorders the weights itself; the plain one wants them where and as they are used.
    const bool prepare = network->m_ops == nullptr;
    const auto place = [&](const std::string& key) {
        at::Tensor tensor = weights->at(key);
        if (prepare && tensor.dim() == 4)
            tensor = tensor.contiguous(at::MemoryFormat::ChannelsLast);
        // Tables of indices stay what they are.
        return tensor.is_floating_point() ? tensor.to(device, numbers) : tensor.to(device);
    };
    // A backbone from a checkpoint was trained with PyTorch's placing.
    const bool kerasAlignment = spec.kerasTransposeAlignment && spec.backboneWeightsFile.empty();
    const auto layer = [&](const ConvPlan& conv) {
        return ConvLayer(conv, place(conv.key + ".weight"), place(conv.key + ".bias"), kerasAlignment);
    };
    const auto block = [&](const std::vector<ConvPlan>& convs) {
        std::vector<ConvLayer> layers;
        for (const ConvPlan& conv : convs)
            layers.push_back(layer(conv));
        return layers;
    };
    if (plan->stages) {
        auto encoder = StagedEncoder::make(*plan->stages, place);
        if (!encoder)
            return fail(Error(encoder.error()).withContext("in " + spec.weightsFile.string()));
        network->m_stages = std::move(*encoder);
    }
    for (const auto& convs : plan->stem)
        network->m_stem.push_back(block(convs));
    for (const auto& convs : plan->encoder)
        network->m_encoder.push_back(block(convs));
    network->m_middle = block(plan->middle);
    for (const DecoderBlockPlan& decoder : plan->decoder)
        network->m_decoder.push_back(
            {decoder, decoder.interpolate ? ConvLayer() : layer(decoder.up), block(decoder.refine)});
    for (const HeadPlan& head : plan->heads) {
        Head made{head, {}, {}};
        if (head.fc.empty())
            made.conv = layer(head.conv);
        for (const ParameterPlan& parameter : head.fc)
            made.fc.push_back(place(parameter.key));
        network->m_heads.push_back(std::move(made));
    }
    network->m_plan = std::move(*plan);
    return network;
}

at::Tensor Network::adaptChannels(const at::Tensor& x) const {
    if (x.size(1) == m_plan.inChannels)
        return x;
    if (x.size(1) == 1)
        return x.expand({-1, 3, -1, -1}).contiguous(at::MemoryFormat::ChannelsLast);
    if (x.size(1) == 3) {
        const auto channel = [&](std::int64_t c) { return x.select(1, c).contiguous(); };
        const at::Tensor grey = at::add(at::add(at::mul(channel(0), 0.2989), channel(1), 0.587), channel(2), 0.114);
        // One channel has two equal memory orders; the permuted view names the channels-last one.
        return grey.unsqueeze(3).permute({0, 3, 1, 2});
    }
    return x;
}

at::Tensor Network::run(std::vector<ConvLayer>& block, at::Tensor x) {
    for (ConvLayer& conv : block)
        x = conv.apply(x, m_ops);
    return x;
}

ConvLayer::Pooled Network::runAndPool(std::vector<ConvLayer>& block, at::Tensor x, bool keepAll) {
    for (std::size_t i = 0; i + 2 < block.size(); ++i)
        x = block[i].apply(x, m_ops);
    if (block.size() < 2)
        return block.back().applyAndPool(x, m_ops, keepAll);
    return block[block.size() - 2].applyBothAndPool(block.back(), x, m_ops, keepAll);
}

bool Network::isSkipRead(std::size_t skip) const {
    return std::any_of(m_decoder.begin(), m_decoder.end(), [&](const DecoderBlock& block) {
        return block.plan.skip >= 0 && static_cast<std::size_t>(block.plan.skip) == skip;
    });
}

at::Tensor Network::decode(DecoderBlock& block, const at::Tensor& x, const std::vector<at::Tensor>& skips) {
    at::Tensor y = block.plan.interpolate ? enlarge2x(x) : block.up.apply(x, m_ops);
    if (block.plan.skip < 0)
        return run(block.refine, y);
    const at::Tensor& skip = skips[static_cast<std::size_t>(block.plan.skip)];
    // A stem makes the real bottleneck stride twice the padded one, so that sizes can differ by a row or column.
    if (skip.size(2) != y.size(2) || skip.size(3) != y.size(3))
        y = at::upsample_bilinear2d(y, {skip.size(2), skip.size(3)}, false);
    y = block.refine.front().applyJoined(skip, y, m_ops);
    for (std::size_t i = 1; i < block.refine.size(); ++i)
        y = block.refine[i].apply(y, m_ops);
    return y;
}

at::Tensor Network::applyHead(Head& head, const at::Tensor& bottleneck, const std::vector<at::Tensor>& levels) {
    if (!head.fc.empty()) {
        // Without pooling every pixel has weights of its own, which fits only one pixel.
        if (!head.plan.spec.globalPool && (bottleneck.size(2) != 1 || bottleneck.size(3) != 1))
            throw std::invalid_argument(
                "The class head without global_pool reads a single pixel, and these crops give " +
                std::to_string(bottleneck.size(3)) + " x " + std::to_string(bottleneck.size(2)) + ".");
        at::Tensor vector = at::amax(bottleneck, {2, 3});
        for (std::size_t i = 0; i + 1 < head.fc.size(); i += 2) {
            vector = at::linear(vector, head.fc[i], head.fc[i + 1]);
            if (i + 2 < head.fc.size())
                vector = at::relu(vector);
        }
        return at::softmax(vector, 1);
    }
    const at::Tensor& source = head.plan.source < 0 ? bottleneck : levels[static_cast<std::size_t>(head.plan.source)];
    at::Tensor maps = head.conv.apply(source, m_ops);
    return head.plan.spec.sigmoid ? at::sigmoid_(maps) : maps;
}

void Network::checkSize(std::int64_t height, std::int64_t width) const {
    const auto atBottleneck = [&](std::int64_t size) {
        if (!m_plan.stages)
            return size / m_plan.bottleneckStride;
        return m_stages->outputSize(size) / 2;
    };
    if (atBottleneck(height) < 1 || atBottleneck(width) < 1)
        throw std::invalid_argument("Frames of " + std::to_string(width) + " x " + std::to_string(height) +
                                    " pixels are too small for this network, which halves them to nothing.");
}

at::Tensor Network::encode(at::Tensor x, std::vector<at::Tensor>& skips) {
    if (m_stages) {
        skips = m_stages->forward(x);
        x = skips.back();
        skips.pop_back();
        std::reverse(skips.begin(), skips.end());
        return pool2x2(x);
    }
    for (std::vector<ConvLayer>& block : m_stem)
        x = runAndPool(block, x, false).pooled;
    const std::size_t blocks = m_encoder.size();
    skips.resize(blocks + (m_stem.empty() ? 0 : 1));
    if (!m_stem.empty()) {
        skips.back() = x;
        x = pool2x2(x);
    }
    for (std::size_t b = 0; b < blocks; ++b) {
        const std::size_t skip = blocks - 1 - b;
        ConvLayer::Pooled made = runAndPool(m_encoder[b], x, isSkipRead(skip));
        skips[skip] = std::move(made.all);
        x = std::move(made.pooled);
    }
    return x;
}

std::vector<at::Tensor> Network::forward(const at::Tensor& input) {
    checkSize(input.size(2), input.size(3));
    std::vector<at::Tensor> skips;
    const at::Tensor bottleneck = run(m_middle, encode(adaptChannels(input).to(m_numbers), skips));
    std::vector<at::Tensor> levels;
    at::Tensor x = bottleneck;
    for (DecoderBlock& block : m_decoder) {
        x = decode(block, x, skips);
        levels.push_back(x);
    }
    std::vector<at::Tensor> maps;
    for (Head& head : m_heads)
        maps.push_back(applyHead(head, bottleneck, levels).to(at::kFloat));
    return maps;
}

}  // namespace skein::models
