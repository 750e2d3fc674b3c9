// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "engine/inference/detail/runner_base.h"
#include "engine/inference/detail/tensor_packers.h"
#include "engine/inference/detail/torch_runner.h"
#include "engine/inference/map_packer.h"

namespace skein::inference {
namespace {

/// Models that look at whole frames once: single instance, centroid, bottom-up, multi-class bottom-up. They differ in
/// what is made of the maps, which the packers know.
class OneStageRunner final : public RunnerBase {
public:
    OneStageRunner(models::ModelSpec spec, models::PreprocessSpec preprocess, RunnerContext context,
                   profile::Profiler& profiler, LaneNetworks networks)
        : RunnerBase(std::move(spec), preprocess, std::move(context), profiler), m_networks(std::move(networks)) {
        const PackOptions pack = packOptions(m_spec, m_options);
        if (isQueued())
            m_tensorPacker = makeTensorPacker(m_spec.type, pack, m_device);
        else
            m_packer = makeMapPacker(m_spec.type, pack);
    }

protected:
    InputGeometry geometryOf(Size frame) const override {
        return inputGeometry(frame, m_preprocess, m_spec.maxStride());
    }

    Result<HostBatch> runOnCpu(const Input& input) override {
        m_packer->begin();
        std::vector<std::vector<at::Tensor>> maps(static_cast<std::size_t>(input.frames.size(0)));
        std::vector<MapView> views;
        inLanes(
            maps.size(),
            [&](int lane, std::size_t f) {
                maps[f] = forward(input.frames.narrow(0, static_cast<std::int64_t>(f), 1), input.geometry, lane);
                for (at::Tensor& map : maps[f])
                    map = channelsLast(map);
            },
            [&](std::size_t f) {
                views.clear();
                for (const at::Tensor& map : maps[f])
                    views.push_back(viewOf(map, 0));
                m_packer->add(views);
                maps[f].clear();
            });
        auto batch = m_packer->finish();
        if (batch)
            complete(*batch, input.geometry);
        return batch;
    }

    std::unique_ptr<GpuWork> workOnGpu(const Input& input) override {
        return std::make_unique<Work>(*this, input.geometry, input.count);
    }

private:
    class Work final : public GpuWork {
    public:
        Work(OneStageRunner& runner, InputGeometry geometry, std::int64_t frames)
            : m_runner(runner), m_geometry(geometry), m_frames(frames) {}
        at::Tensor compute(const UploadLayout::Parts& input, const Room& room) override {
            return m_runner.m_tensorPacker->pack(m_runner.forward(input.frames, m_geometry), room.slots);
        }
        HostBatch receive(const Room& room, const float* words, std::size_t count) const override {
            const models::ModelSpec& spec = m_runner.m_spec;
            HostBatch batch;
            batch.type = spec.type;
            batch.frames = static_cast<int>(m_frames);
            batch.nodes = static_cast<int>(spec.partNames.size());
            batch.edges = static_cast<int>(spec.pafEdges.size());
            batch.slots = static_cast<int>(room.slots);
            batch.classes = static_cast<int>(spec.classNames.size());
            m_runner.complete(batch, m_geometry);
            batch.packed.assign(words, words + count);
            return batch;
        }

    private:
        OneStageRunner& m_runner;
        InputGeometry m_geometry;
        std::int64_t m_frames;
    };

    std::vector<at::Tensor> forward(const at::Tensor& frames, const InputGeometry& geometry, int lane = -1) {
        return m_networks.of(lane).forward(
            normalise(inference::preprocess(frames, geometry, m_preprocess, resizer(lane))));
    }

    void complete(HostBatch& batch, const InputGeometry& geometry) const {
        batch.effScale.assign(static_cast<std::size_t>(batch.frames), geometry.effScale);
        batch.inputScale = m_preprocess.scale;
    }

    LaneNetworks m_networks;
    std::unique_ptr<MapPacker> m_packer;           // CPU
    std::unique_ptr<TensorPacker> m_tensorPacker;  // CUDA
};

}  // namespace

Result<std::unique_ptr<InferenceRunner>> makeOneStageRunner(const models::ModelSpec& spec, RunnerContext context,
                                                            profile::Profiler& profiler) {
    const auto preprocess = effectivePreprocess(spec.preprocess, context.options);
    if (!preprocess)
        return fail(preprocess.error());
    auto networks = LaneNetworks::load(spec, context.device, context.way, context.lanes.lanes, context.numbers);
    if (!networks)
        return fail(networks.error());
    return std::unique_ptr<InferenceRunner>(
        std::make_unique<OneStageRunner>(spec, *preprocess, std::move(context), profiler, std::move(*networks)));
}

}  // namespace skein::inference
