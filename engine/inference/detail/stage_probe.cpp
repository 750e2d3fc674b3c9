// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/stage_probe.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/stack.h>

#include <cstring>
#include <stdexcept>

#include "engine/inference/detail/crops.h"
#include "engine/inference/detail/guard.h"
#include "engine/inference/detail/preprocess.h"
#include "engine/inference/detail/runner_base.h"
#include "engine/inference/detail/tensor_packers.h"
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

at::Tensor framesOf(std::span<const ImagePtr> images) {
    const Image& first = *images.front();
    at::Tensor frames = at::empty({static_cast<std::int64_t>(images.size()), first.height, first.width, first.channels},
                                  at::TensorOptions().dtype(at::kByte));
    for (std::size_t i = 0; i < images.size(); ++i)
        std::memcpy(frames.mutable_data_ptr<std::uint8_t>() + i * first.pixels.size(), images[i]->pixels.data(),
                    first.pixels.size());
    return frames;
}

/// A queue whose device is the host itself.
class HostQueue final : public CudaQueue {
public:
    void enter() override {}
    at::Tensor pinned(std::int64_t bytes) override { return at::empty({bytes}, at::TensorOptions().dtype(at::kByte)); }
    at::Tensor upload(const at::Tensor& host) override { return host.clone(); }
    std::unique_ptr<CudaDownload> download(const at::Tensor& device, const at::Tensor& host) override {
        at::Tensor target = host;
        target.copy_(device);
        return std::make_unique<Done>();
    }
    std::unique_ptr<CudaRecording> record(const std::function<void()>& work) override {
        (void)work;
        throw std::runtime_error("a processor records nothing");
    }

private:
    class Done final : public CudaDownload {
    public:
        void wait() override {}
    };
};

models::ForwardWay wayOf(Way way) {
    return way == Way::Fused ? models::ForwardWay::Fused : models::ForwardWay::Plain;
}

Result<std::vector<Array>> run(models::Network& network, const at::Tensor& input) {
    std::vector<std::vector<at::Tensor>> parts;
    for (std::int64_t f = 0; f < input.size(0); ++f)
        parts.push_back(network.forward(input.narrow(0, f, 1)));
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
        const at::Tensor frames = framesOf(images);
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

Result<CropStages> recordCrops(const models::ModelSpec& spec, const TopDownSettings& settings,
                               std::span<const ImagePtr> images, std::span<const std::vector<CentroidPoint>> centroids,
                               Way way) {
    return guarded("a probe", [&]() -> Result<CropStages> {
        const TorchThread thread(0);
        auto network = models::Network::load(spec, at::Device(at::kCPU), wayOf(way));
        if (!network)
            return fail(network.error());
        const InputGeometry frame = inputGeometry({images.front()->height, images.front()->width}, settings.frames, 1);
        Resizer resizer;
        const at::Tensor matched = matchSize(framesOf(images), frame, resizer).permute({0, 2, 3, 1}).contiguous();
        std::vector<at::Tensor> frames;
        std::vector<CropRequest> requests;
        for (std::size_t f = 0; f < images.size(); ++f) {
            frames.push_back(matched.select(0, static_cast<std::int64_t>(f)));
            for (const CentroidPoint& c : centroids[f])
                requests.push_back({f, cropAxis(c.x * frame.effScale, settings.cropSize),
                                    cropAxis(c.y * frame.effScale, settings.cropSize)});
        }
        const at::Tensor crops = cutCrops(frames, requests, settings.cropSize);
        const InputGeometry geometry =
            inputGeometry({settings.cropSize, settings.cropSize}, settings.crops, spec.maxStride());
        const at::Tensor input = inference::normalise(scaleAndPad(crops, geometry, resizer));
        CropStages stages{toArray(crops), toArray(input), {}};
        auto heads = run(**network, input);
        if (!heads)
            return fail(heads.error());
        stages.heads = std::move(*heads);
        return stages;
    });
}

Result<HostBatch> packWithTensors(models::ModelType type, const PackOptions& options, const std::vector<Array>& maps,
                                  int slots) {
    return guarded("a probe", [&]() -> Result<HostBatch> {
        const TorchThread thread(0);
        std::vector<at::Tensor> tensors;
        for (const Array& map : maps)
            tensors.push_back(toTensor(map));
        const Array packed = toArray(makeTensorPacker(type, options, at::Device(at::kCPU))->pack(tensors, slots));
        HostBatch batch;
        batch.type = type;
        batch.frames = static_cast<int>(maps[0].shape[0]);
        batch.nodes = options.nodes;
        batch.edges = static_cast<int>(options.edges.size());
        batch.slots = slots;
        batch.classes = options.classes;
        batch.packed = packed.values;
        const std::size_t counts = layoutOf(batch).countsSize();
        for (std::size_t i = 0; i < counts; ++i)
            if (wordAsCount(batch.packed[i]) > slots)
                return fail(ErrorCode::Internal, "There are " + std::to_string(wordAsCount(batch.packed[i])) +
                                                     " peaks for " + std::to_string(slots) + " slots.");
        batch.effScale.assign(static_cast<std::size_t>(batch.frames), 1.0F);
        return batch;
    });
}

Result<HostBatch> packWithTensors(const PackOptions& options, const Array& confmaps, const Array& pafs, int slots) {
    return packWithTensors(models::ModelType::BottomUp, options, {confmaps, pafs}, slots);
}

Result<Array> cropPixels(const Array& frames, std::span<const int> frame, std::span<const CentroidPoint> centroids,
                         float effScale, int size, bool byTensorOperations) {
    return guarded("a probe", [&]() -> Result<Array> {
        const TorchThread thread(0);
        const at::Tensor pixels = pixelsOf(frames);
        if (!byTensorOperations) {
            const at::Tensor packed = pixels.permute({0, 2, 3, 1}).contiguous();
            std::vector<at::Tensor> pictures;
            for (std::int64_t f = 0; f < packed.size(0); ++f)
                pictures.push_back(packed.select(0, f));
            std::vector<CropRequest> requests;
            for (std::size_t i = 0; i < centroids.size(); ++i)
                requests.push_back({static_cast<std::size_t>(frame[i]), cropAxis(centroids[i].x * effScale, size),
                                    cropAxis(centroids[i].y * effScale, size)});
            return toArray(cutCrops(pictures, requests, size));
        }
        std::vector<std::int64_t> numbers(frame.begin(), frame.end());
        std::vector<float> x, y;
        for (const CentroidPoint& c : centroids) {
            x.push_back(c.x);
            y.push_back(c.y);
        }
        const at::Device cpu(at::kCPU);
        return toArray(
            gatherCrops(pixels, deviceTable(numbers, cpu), deviceTable(x, cpu), deviceTable(y, cpu), effScale, size)
                .pixels);
    });
}

Result<std::unique_ptr<InferenceRunner>> makeQueuedRunner(const std::vector<models::ModelSpec>& specs,
                                                          const InferenceOptions& options,
                                                          profile::Profiler& profiler) {
    RunnerContext context;
    context.options = options;
    context.queue = std::make_unique<HostQueue>();
    return makeRunner(specs, std::move(context), profiler);
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
