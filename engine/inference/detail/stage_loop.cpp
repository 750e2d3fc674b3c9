// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/stage_loop.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/inference/detail/cpu_lanes.h"
#include "engine/inference/detail/device.h"
#include "engine/inference/detail/device_setup.h"
#include "engine/inference/detail/guard.h"
#include "engine/inference/detail/lane_networks.h"
#include "engine/inference/detail/preprocess.h"
#include "engine/inference/detail/runner_base.h"

namespace skein::inference::probe {
namespace {

class Loop final : public StageLoop {
public:
    Loop(const models::ModelSpec& spec, models::PreprocessSpec preprocess, const InferenceOptions& options,
         LaneNetworks networks, LanePlan lanes, const at::Tensor& frames)
        : m_preprocess(preprocess),
          m_options(options),
          m_networks(std::move(networks)),
          m_frames(frames),
          m_geometry(inputGeometry({static_cast<int>(frames.size(1)), static_cast<int>(frames.size(2))}, preprocess,
                                   spec.maxStride())),
          m_maps(static_cast<std::size_t>(frames.size(0))) {
        if (lanes.lanes > 0)
            m_lanes.emplace(lanes.lanes, lanes.threads);
    }

    void preprocess() override {
        const TorchThread thread(m_options.cpuThreads);
        m_input = normalise(inference::preprocess(m_frames, m_geometry, m_preprocess, m_resizer));
    }

    void forward() override {
        const TorchThread thread(m_options.cpuThreads);
        if (m_input.is_cuda()) {
            m_maps[0] = m_networks.of(-1).forward(m_input);
            return;
        }
        const auto work = [&](int lane, std::size_t f) {
            m_maps[f] = m_networks.of(lane).forward(m_input.narrow(0, static_cast<std::int64_t>(f), 1));
        };
        if (m_lanes)
            m_lanes->run(m_maps.size(), work, [](std::size_t) {});
        else
            for (std::size_t f = 0; f < m_maps.size(); ++f)
                work(-1, f);
    }

    std::vector<MapView> maps(int frame) override {
        const TorchThread thread(m_options.cpuThreads);
        m_shown.clear();
        std::vector<MapView> views;
        for (const at::Tensor& map : m_maps[static_cast<std::size_t>(frame)]) {
            m_shown.push_back(channelsLast(map));
            views.push_back(viewOf(m_shown.back(), 0));
        }
        return views;
    }

private:
    models::PreprocessSpec m_preprocess;
    InferenceOptions m_options;
    LaneNetworks m_networks;
    std::optional<CpuLanes> m_lanes;
    Resizer m_resizer;
    at::Tensor m_frames;  // [n, h, w, c] uint8
    InputGeometry m_geometry;
    at::Tensor m_input;                           // [n, c, h, w]
    std::vector<std::vector<at::Tensor>> m_maps;  // by frame, then head
    std::vector<at::Tensor> m_shown;              // what maps() gave out
};

}  // namespace

Result<std::unique_ptr<StageLoop>> makeStageLoop(const models::ModelSpec& spec, const InferenceOptions& options,
                                                 std::span<const ImagePtr> images) {
    SKEIN_EXPECTS(!images.empty(), "a batch has at least one image");
    const auto devices = chooseDevices(options.device);
    if (!devices)
        return fail(devices.error());
    const at::Device device = devices->front();
    return guarded("a probe", [&]() -> Result<std::unique_ptr<StageLoop>> {
        setUpDevice(device);
        const TorchThread thread(options.cpuThreads);
        const auto settings = effectivePreprocess(spec.preprocess, options);
        if (!settings)
            return fail(settings.error());
        const int count = static_cast<int>(images.size());
        const LanePlan lanes = device.is_cuda() ? LanePlan() : planLanes({spec}, options.cpuThreads, count);
        auto networks = LaneNetworks::load(spec, device, models::ForwardWay::Fused, lanes.lanes);
        if (!networks)
            return fail(networks.error());
        const Image& first = *images.front();
        const at::Tensor frames =
            at::empty({count, first.height, first.width, first.channels}, at::TensorOptions().dtype(at::kByte));
        auto* out = frames.mutable_data_ptr<std::uint8_t>();
        for (const ImagePtr& image : images) {
            SKEIN_EXPECTS(image->pixels.size() == first.pixels.size(), "images of one batch have one shape");
            std::memcpy(out, image->pixels.data(), image->pixels.size());
            out += image->pixels.size();
        }
        return std::unique_ptr<StageLoop>(
            std::make_unique<Loop>(spec, *settings, options, std::move(*networks), lanes, frames.to(device)));
    });
}

double matrixRate(int size, int threads) {
    using Clock = std::chrono::steady_clock;
    const TorchThread thread(threads);
    const at::Tensor a = at::ones({size, size}, at::TensorOptions().dtype(at::kFloat));
    double best = 0;
    for (int i = 0; i < 6; ++i) {
        const auto begin = Clock::now();
        const at::Tensor product = at::matmul(a, a);
        const std::chrono::duration<double> time = Clock::now() - begin;
        best = std::max(best, 2e-9 * size * size * size / time.count());
    }
    return best;
}

}  // namespace skein::inference::probe
