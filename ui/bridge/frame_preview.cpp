// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/frame_preview.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "engine/inference/grouping.h"
#include "engine/inference/model_set.h"
#include "engine/inference/packed_layout.h"
#include "engine/pipeline/frame_data.h"
#include "ui/bridge/running_job.h"

namespace skein::ui {
namespace {

using inference::HostBatch;
using inference::PackedLayout;
using models::ModelType;

bool hasCrops(ModelType type) {
    return type == ModelType::CenteredInstance || type == ModelType::MultiClassTopDown;
}

/// From the buffer's pixels to the frame's, as the grouping does it.
class Scale {
public:
    explicit Scale(const HostBatch& batch)
        : m_input(batch.inputScale), m_fit(batch.effScale.empty() ? 1.0 : double{batch.effScale.front()}) {}
    [[nodiscard]] QPointF frame(const float* words, bool ofCrop) const {
        const double divisor = ofCrop ? m_fit : m_input * m_fit;
        return {double{words[0]} / divisor, double{words[1]} / divisor};
    }

private:
    double m_input, m_fit;
};

bool isThere(const float* words) {
    return std::isfinite(words[0]) && std::isfinite(words[1]);
}

std::size_t peaksIn(const HostBatch& batch, const PackedLayout& layout, std::size_t channel) {
    const std::int32_t count = inference::wordAsCount(batch.packed[layout.count(0, channel)]);
    return std::min(static_cast<std::size_t>(std::max(count, 0)), layout.slots);
}

void addLinks(const HostBatch& batch, const PackedLayout& layout, const project::Skeleton& skeleton, const Scale& scale,
              FramePreview& into) {
    for (std::size_t e = 0; e < layout.edges && e < skeleton.edges.size(); ++e) {
        const auto source = static_cast<std::size_t>(skeleton.edges[e].source);
        const auto destination = static_cast<std::size_t>(skeleton.edges[e].destination);
        for (std::size_t a = 0; a < peaksIn(batch, layout, source); ++a)
            for (std::size_t b = 0; b < peaksIn(batch, layout, destination); ++b) {
                const float score = batch.packed[layout.score(0, e, a, b)];
                const float* from = &batch.packed[layout.peak(0, source, a)];
                const float* to = &batch.packed[layout.peak(0, destination, b)];
                if (score >= kLeastLinkScore && isThere(from) && isThere(to))
                    into.links.push_back(
                        {scale.frame(from, false), scale.frame(to, false), score, static_cast<int>(e)});
            }
    }
}

QImage pictureOf(const Image& image) {
    const bool grey = image.channels == 1;
    if (!grey && image.channels != 3)
        return {};
    const QImage wrapped(image.pixels.data(), image.width, image.height, static_cast<qsizetype>(image.rowBytes()),
                         grey ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
    return wrapped.convertToFormat(QImage::Format_RGB32);
}

Result<FramePreview> look(const pipeline::JobSpec& job) {
    const pipeline::JobSource& source = job.sources.front();
    auto reader = source.source->openAnother();
    if (!reader)
        return fail(std::move(reader.error()));
    const auto image = (*reader)->read(source.frames.front(), (*reader)->engineFormat());
    if (!image)
        return fail(image.error());
    profile::Profiler unseen;
    auto runner = lendRunner(job, unseen);
    if (!runner)
        return fail(std::move(runner.error()));
    auto grouper = inference::Grouper::create(job.models.back(), job.inference);
    if (!grouper)
        return fail(std::move(grouper.error()));

    const auto begin = std::chrono::steady_clock::now();
    const std::span<const ImagePtr> images(&*image, 1);
    auto pending = source.centroids.empty() ? (*runner)->submit(images)
                                            : (*runner)->submitAround(images, {source.centroids.data(), 1});
    if (!pending)
        return fail(std::move(pending.error()));
    const auto batch = (*pending)->wait();
    if (!batch)
        return fail(batch.error());
    const auto found = grouper->group(*batch, unseen);
    FramePreview preview;
    preview.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    preview.picture = pictureOf(**image);
    preview.video = source.video;
    preview.frame = source.frames.front();
    preview.labels.editSkeletons().push_back(inference::outputSkeleton(job.models));
    project::FrameData frame = pipeline::toFrameData(found.front(), source.video, preview.frame);
    // Classes are tracks without a list here: colours by instance say as much.
    for (project::InstanceData& instance : frame.instances)
        instance.header.track = -1;
    preview.labels.appendFrame(std::move(frame));
    unpackPreview(*batch, job.models.back().skeleton, preview);
    return preview;
}

}  // namespace

void unpackPreview(const HostBatch& batch, const project::Skeleton& skeleton, FramePreview& into) {
    const PackedLayout layout = inference::layoutOf(batch);
    if (layout.frames == 0 || batch.packed.size() < layout.size())
        return;
    const Scale scale(batch);
    const bool crops = hasCrops(batch.type);
    const bool centroids = crops || batch.type == ModelType::Centroid;
    for (std::size_t channel = 0; channel < layout.channels; ++channel) {
        const std::size_t slots = crops ? layout.slots : peaksIn(batch, layout, channel);
        for (std::size_t slot = 0; slot < slots; ++slot) {
            const float* words = &batch.packed[layout.peak(0, channel, slot)];
            // Centroids that crops are made around are in pixels of the frame already.
            if (isThere(words))
                into.peaks.push_back({crops ? QPointF(words[0], words[1]) : scale.frame(words, false), words[2],
                                      centroids ? -1 : static_cast<int>(channel)});
        }
    }
    // What follows the crop of the last centroid means nothing.
    const std::size_t looked =
        crops ? std::min(into.peaks.size(), layout.crops) : std::min<std::size_t>(layout.crops, 1);
    for (std::size_t crop = 0; crop < looked; ++crop)
        for (std::size_t node = 0; node < layout.cropNodes; ++node) {
            const float* words = &batch.packed[layout.cropPoint(crop, node)];
            if (isThere(words))
                into.peaks.push_back({scale.frame(words, crops), words[2], static_cast<int>(node)});
        }
    addLinks(batch, layout, skeleton, scale, into);
}

Previewer enginePreview() {
    return look;
}

}  // namespace skein::ui
