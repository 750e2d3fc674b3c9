// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/detail/torch_probe.h"

#include <ATen/ops/empty.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/inference/crop_geometry.h"
#include "engine/inference/detail/crops.h"
#include "engine/inference/detail/guard.h"
#include "engine/inference/detail/preprocess.h"
#include "engine/inference/detail/runner_base.h"
#include "engine/inference/local_peaks.h"
#include "engine/inference/map_packer.h"
#include "engine/inference/model_set.h"
#include "engine/models/detail/network.h"

namespace skein::inference {
namespace {

struct Stage {
    models::ModelSpec spec;
    std::unique_ptr<models::Network> network;
};

std::optional<MapKind> kindOf(models::HeadKind head) {
    switch (head) {
        case models::HeadKind::CentroidConfmaps:
            return MapKind::Centroids;
        case models::HeadKind::PartAffinityFields:
            return MapKind::PartAffinity;
        case models::HeadKind::ClassMaps:
            return MapKind::Classes;
        case models::HeadKind::ClassVectors:
            return std::nullopt;  // one number a class, no map
        default:
            return MapKind::Confidence;
    }
}

std::vector<std::string> namesOf(const models::ModelSpec& spec, MapKind kind) {
    if (kind == MapKind::Classes)
        return spec.classNames;
    if (kind != MapKind::PartAffinity)
        return spec.partNames;
    std::vector<std::string> names;
    for (const project::Edge& edge : spec.pafEdges)
        names.push_back(spec.partNames[static_cast<std::size_t>(edge.source)] + "-" +
                        spec.partNames[static_cast<std::size_t>(edge.destination)]);
    return names;
}

/// Where the maps of a stage lie: `scale` of its input, `origin` of a crop in the size-matched frame.
struct Where {
    double scale = 1;
    double effScale = 1;
    double originX = 0;
    double originY = 0;
};

void addLayers(const Stage& stage, const std::vector<at::Tensor>& heads, std::int64_t item, const Where& where,
               FrameMaps& out) {
    for (std::size_t h = 0; h < stage.spec.heads.size() && h < heads.size(); ++h) {
        const auto kind = kindOf(stage.spec.heads[h].kind);
        if (!kind)
            continue;
        const at::Tensor map = heads[h].select(0, item).to(at::kCPU).to(at::kFloat).contiguous();
        MapLayer layer;
        layer.kind = *kind;
        layer.channels = static_cast<int>(map.size(0));
        layer.height = static_cast<int>(map.size(1));
        layer.width = static_cast<int>(map.size(2));
        layer.values.assign(map.const_data_ptr<float>(), map.const_data_ptr<float>() + map.numel());
        layer.names = namesOf(stage.spec, *kind);
        layer.outputStride = stage.spec.heads[h].outputStride;
        layer.step = layer.outputStride / where.scale / where.effScale;
        layer.originX = where.originX / where.effScale;
        layer.originY = where.originY / where.effScale;
        out.layers.push_back(std::move(layer));
    }
}

class TorchProbe final : public MapProbe {
public:
    TorchProbe(std::vector<Stage> stages, InferenceOptions options, at::Device device, models::PreprocessSpec frames,
               std::optional<TopDownSettings> crops)
        : m_stages(std::move(stages)),
          m_options(std::move(options)),
          m_device(device),
          m_frames(frames),
          m_crops(crops) {}

    bool needsCentroids() const override { return m_crops && m_stages.size() == 1; }

    Result<FrameMaps> maps(const ImagePtr& image, std::span<const CentroidPoint> around) override {
        return guarded("the maps of a frame", [&]() -> Result<FrameMaps> {
            const TorchThread thread(m_options.cpuThreads);
            if ((image->channels != 1 && image->channels != 3) || image->width < 1 || image->height < 1)
                return fail(ErrorCode::Model, "A frame must have 1 or 3 channels and at least one pixel.");
            const at::Tensor host =
                at::empty({1, image->height, image->width, image->channels}, at::TensorOptions().dtype(at::kByte));
            std::memcpy(host.mutable_data_ptr<std::uint8_t>(), image->pixels.data(), image->pixels.size());
            FrameMaps out;
            std::vector<CentroidPoint> centres(around.begin(), around.end());
            if (!needsCentroids()) {
                Stage& first = m_stages.front();
                const InputGeometry geometry =
                    inputGeometry({image->height, image->width}, m_frames, first.spec.maxStride());
                const auto heads =
                    first.network->forward(normalise(preprocess(host.to(m_device), geometry, m_frames, m_resizer)));
                const Where where{m_frames.scale, double(geometry.effScale), 0, 0};
                addLayers(first, heads, 0, where, out);
                if (m_crops)
                    centres = centroidsIn(heads.front(), where);
            }
            if (m_crops)
                addCrops(host, centres, out);
            return out;
        });
    }

private:
    std::vector<CentroidPoint> centroidsIn(const at::Tensor& head, const Where& where) const {
        const models::ModelSpec& spec = m_stages.front().spec;
        PackOptions pack = packOptions(spec, m_options);
        if (m_options.centroidPeakThreshold)
            pack.peaks.threshold = static_cast<float>(*m_options.centroidPeakThreshold);
        const at::Tensor maps = channelsLast(head.to(at::kCPU));
        std::vector<Peak> peaks;
        findLocalPeaks(viewOf(maps, 0), pack.peaks, peaks);
        const double step = pack.confmapStride / where.scale / where.effScale;
        std::vector<CentroidPoint> centres;
        for (const Peak& peak : peaks)
            if (!std::isnan(peak.x) && !std::isnan(peak.y))
                centres.push_back({static_cast<float>(peak.x * step), static_cast<float>(peak.y * step)});
        return centres;
    }

    void addCrops(const at::Tensor& host, const std::vector<CentroidPoint>& centres, FrameMaps& out) {
        Stage& last = m_stages.back();
        const int size = m_crops->cropSize;
        const InputGeometry frame =
            inputGeometry({static_cast<int>(host.size(1)), static_cast<int>(host.size(2))}, m_frames,
                          m_stages.size() == 2 ? m_stages.front().spec.maxStride() : 1);
        const at::Tensor matched = matchSize(host, frame, m_resizer).permute({0, 2, 3, 1}).contiguous().select(0, 0);
        const InputGeometry geometry = inputGeometry({size, size}, m_crops->crops, last.spec.maxStride());
        for (const CentroidPoint& centre : centres) {
            const CropRequest request{0, cropAxis(centre.x * frame.effScale, size),
                                      cropAxis(centre.y * frame.effScale, size)};
            const at::Tensor crop = cutCrops({matched}, {&request, 1}, size).to(m_device);
            const auto heads = last.network->forward(normalise(scaleAndPad(crop, geometry, m_resizer)));
            addLayers(
                last, heads, 0,
                {m_crops->crops.scale, double(frame.effScale), double(request.x.origin), double(request.y.origin)},
                out);
        }
    }

    std::vector<Stage> m_stages;
    InferenceOptions m_options;
    at::Device m_device;
    models::PreprocessSpec m_frames;
    std::optional<TopDownSettings> m_crops;  ///< when the last stage works on crops
    Resizer m_resizer;
};

}  // namespace

Result<std::unique_ptr<MapProbe>> makeProbe(const std::vector<models::ModelSpec>& specs, const RunnerContext& context) {
    return guarded("loading the model", [&]() -> Result<std::unique_ptr<MapProbe>> {
        const TorchThread thread(context.options.cpuThreads);
        auto models = arrangeModels(specs);
        if (!models)
            return fail(models.error());
        models::PreprocessSpec frames;
        std::optional<TopDownSettings> crops;
        if (models->size() == 2 || inference::needsCentroids(*models)) {
            const auto settings = topDownSettings(*models, context.options);
            if (!settings)
                return fail(settings.error());
            crops = *settings;
            frames = settings->frames;
        } else {
            const auto settings = effectivePreprocess(models->front().preprocess, context.options);
            if (!settings)
                return fail(settings.error());
            frames = *settings;
        }
        std::vector<Stage> stages;
        for (models::ModelSpec& spec : *models) {
            if (context.options.matchSleapNn)
                spec.kerasTransposeAlignment = false;
            auto network = models::Network::load(spec, context.device, context.way);
            if (!network)
                return fail(network.error());
            stages.push_back({spec, std::move(*network)});
        }
        return std::unique_ptr<MapProbe>(
            std::make_unique<TorchProbe>(std::move(stages), context.options, context.device, frames, crops));
    });
}

}  // namespace skein::inference
