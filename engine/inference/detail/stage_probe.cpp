// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/stage_probe.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/stack.h>

#include <cstring>

#include "engine/inference/detail/guard.h"
#include "engine/inference/detail/preprocess.h"
#include "engine/inference/detail/tensor_peaks.h"
#include "engine/inference/detail/torch_runner.h"
#include "engine/inference/packed_layout.h"
#include "engine/models/detail/network.h"
#include "engine/models/detail/pooling.h"

namespace skein::inference::probe {
namespace {

at::Tensor toTensor(const Array& array) {
    return at::from_blob(const_cast<float*>(array.values.data()), array.shape, at::TensorOptions().dtype(at::kFloat))
        .clone();
}

/// Channels-last even where one channel leaves the order of memory open.
at::Tensor channelsLast(const at::Tensor& x) {
    return x.permute({0, 2, 3, 1}).contiguous().permute({0, 3, 1, 2});
}

Array toArray(const at::Tensor& tensor) {
    const at::Tensor flat = tensor.to(at::kFloat).contiguous();
    const float* data = flat.const_data_ptr<float>();
    return {{flat.sizes().begin(), flat.sizes().end()}, {data, data + flat.numel()}};
}

at::Tensor pixelsOf(const Array& array) {
    return toTensor(array).to(at::kByte);
}

models::ForwardWay wayOf(Way way) {
    return way == Way::Fused ? models::ForwardWay::Fused : models::ForwardWay::Plain;
}

Result<std::vector<Array>> run(models::Network& network, const at::Tensor& input) {
    std::vector<std::vector<at::Tensor>> parts;
    const std::int64_t step = network.framesAtOnce();
    for (std::int64_t f = 0; f < input.size(0); f += step)
        parts.push_back(network.forward(input.narrow(0, f, std::min(step, input.size(0) - f))));
    std::vector<Array> heads;
    for (std::size_t h = 0; h < parts.front().size(); ++h) {
        Array head = toArray(parts.front()[h]);
        for (std::size_t p = 1; p < parts.size(); ++p) {
            const Array part = toArray(parts[p][h]);
            head.values.insert(head.values.end(), part.values.begin(), part.values.end());
        }
        head.shape[0] = input.size(0);
        heads.push_back(std::move(head));
    }
    return heads;
}

}  // namespace

Result<Stages> recordStages(const models::ModelSpec& spec, const InferenceOptions& options,
                            std::span<const ImagePtr> images, Way way) {
    return guarded("a probe", [&]() -> Result<Stages> {
        const TorchThread thread(options.cpuThreads);
        const auto settings = effectivePreprocess(spec.preprocess, options);
        if (!settings)
            return fail(settings.error());
        auto network = models::Network::load(spec, at::Device(at::kCPU), wayOf(way));
        if (!network)
            return fail(network.error());
        const Image& first = *images.front();
        at::Tensor frames =
            at::empty({static_cast<std::int64_t>(images.size()), first.height, first.width, first.channels},
                      at::TensorOptions().dtype(at::kByte));
        for (std::size_t i = 0; i < images.size(); ++i)
            std::memcpy(frames.mutable_data_ptr<std::uint8_t>() + i * first.pixels.size(), images[i]->pixels.data(),
                        first.pixels.size());
        Resizer resizer;
        const at::Tensor pixels = preprocess(
            frames, inputGeometry({first.height, first.width}, *settings, spec.maxStride()), *settings, resizer);
        const at::Tensor input = (*network)->adaptChannels(inference::normalise(pixels));
        auto heads = run(**network, input);
        if (!heads)
            return fail(heads.error());
        return Stages{toArray(pixels), toArray(input), std::move(*heads)};
    });
}

Result<std::vector<Array>> forward(const models::ModelSpec& spec, const Array& input, Way way, int cpuThreads) {
    return guarded("a probe", [&]() -> Result<std::vector<Array>> {
        const TorchThread thread(cpuThreads);
        auto network = models::Network::load(spec, at::Device(at::kCPU), wayOf(way));
        if (!network)
            return fail(network.error());
        return run(**network, channelsLast(toTensor(input)));
    });
}

Result<HostBatch> packWithTensors(const BottomUpPacker::Options& options, const Array& confmaps, const Array& pafs,
                                  int slots) {
    return guarded("a probe", [&]() -> Result<HostBatch> {
        const TorchThread thread(0);
        const TensorPeaks peaks(options, at::Device(at::kCPU));
        const Array packed = toArray(peaks.pack(toTensor(confmaps), toTensor(pafs), slots));
        HostBatch batch;
        batch.frames = static_cast<int>(confmaps.shape[0]);
        batch.nodes = options.nodes;
        batch.edges = static_cast<int>(options.edges.size());
        batch.slots = slots;
        batch.packed = packed.values;
        const auto counts = static_cast<std::size_t>(batch.frames) * static_cast<std::size_t>(batch.nodes);
        for (std::size_t i = 0; i < counts; ++i)
            if (wordAsCount(batch.packed[i]) > slots)
                return fail(ErrorCode::Internal, "There are " + std::to_string(wordAsCount(batch.packed[i])) +
                                                     " peaks for " + std::to_string(slots) + " slots.");
        batch.effScale.assign(static_cast<std::size_t>(batch.frames), 1.0F);
        return batch;
    });
}

Result<Array> resize(const Array& pixels, Size size, bool byTensorOperations) {
    return guarded("a probe", [&]() -> Result<Array> {
        const TorchThread thread(0);
        const at::Tensor x = pixelsOf(pixels);
        Resizer resizer;
        return toArray(byTensorOperations ? resizer.resizeByOperations(x, size) : resizer.resize(x, size));
    });
}

Result<Array> toGrey(const Array& pixels) {
    return guarded("a probe", [&]() -> Result<Array> {
        const TorchThread thread(0);
        return toArray(inference::toGrey(pixelsOf(pixels)));
    });
}

Result<Array> normalise(const Array& pixels) {
    return guarded("a probe", [&]() -> Result<Array> {
        const TorchThread thread(0);
        return toArray(inference::normalise(pixelsOf(pixels)));
    });
}

Result<Array> convolve(const models::ConvPlan& plan, const Array& weight, const Array& bias, const Array& input,
                       bool kerasAlignment, Way way) {
    return guarded("a probe", [&]() -> Result<Array> {
        const TorchThread thread(0);
        models::ConvLayer layer(plan, toTensor(weight), toTensor(bias), kerasAlignment);
        return toArray(
            layer.apply(channelsLast(toTensor(input)), way == Way::Fused ? models::FusedOps::find() : nullptr));
    });
}

Result<Array> pool(const Array& input) {
    return guarded("a probe", [&]() -> Result<Array> {
        const TorchThread thread(0);
        return toArray(models::pool2x2(channelsLast(toTensor(input))));
    });
}

Result<Array> enlarge(const Array& input) {
    return guarded("a probe", [&]() -> Result<Array> {
        const TorchThread thread(0);
        return toArray(models::enlarge2x(channelsLast(toTensor(input))));
    });
}

}  // namespace skein::inference::probe
