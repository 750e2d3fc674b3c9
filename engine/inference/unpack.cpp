// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/unpack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/inference/class_assignment.h"
#include "engine/inference/filters.h"
#include "engine/inference/packed_layout.h"

namespace skein::inference {
namespace {

constexpr float kAbsent = std::numeric_limits<float>::quiet_NaN();

FrameDetections emptyFrame(int nodes) {
    FrameDetections frame;
    frame.nodes = nodes;
    return frame;
}

void addInstance(FrameDetections& frame, float score) {
    const auto nodes = static_cast<std::size_t>(frame.nodes);
    frame.points.insert(frame.points.end(), 2 * nodes, kAbsent);
    frame.pointScores.insert(frame.pointScores.end(), nodes, kAbsent);
    frame.instanceScores.push_back(score);
    frame.trackingScores.push_back(kAbsent);
}

/// Copies (x, y, value) of all nodes into the instance that was added last.
void setPoints(FrameDetections& frame, const float* words) {
    const auto nodes = static_cast<std::size_t>(frame.nodes);
    const std::size_t first = (frame.instanceScores.size() - 1) * nodes;
    for (std::size_t n = 0; n < nodes; ++n) {
        frame.points[2 * (first + n)] = words[3 * n];
        frame.points[2 * (first + n) + 1] = words[3 * n + 1];
        frame.pointScores[first + n] = words[3 * n + 2];
    }
}

/// Peaks of a list in its slots; `count` may be larger than there are slots only in a buffer that is not complete.
std::size_t usedSlots(const HostBatch& batch, const PackedLayout& layout, std::size_t frame, std::size_t channel) {
    const std::int32_t count = wordAsCount(batch.packed[layout.count(frame, channel)]);
    return std::min(static_cast<std::size_t>(std::max(count, 0)), layout.slots);
}

/// Mean of what is a number; NaN when nothing is.
float meanOf(const float* values, std::size_t count) {
    float sum = 0;
    int known = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (!std::isnan(values[i])) {
            sum += values[i];
            ++known;
        }
    return known > 0 ? sum / static_cast<float>(known) : kAbsent;
}

/// Numbers of the instances that stay when at most `most` may: the best by score, in their old order.
std::vector<std::size_t> bestClasses(const std::vector<float>& scores, std::size_t most, bool nanIsBest) {
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // The peer sorts upwards, what is not a number last, and reads backwards.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (std::isnan(scores[a]) || std::isnan(scores[b]))
            return nanIsBest ? !std::isnan(scores[a]) && std::isnan(scores[b])
                             : std::isnan(scores[a]) && !std::isnan(scores[b]);
        return scores[a] < scores[b];
    });
    std::reverse(order.begin(), order.end());
    order.resize(std::min(order.size(), most));
    std::sort(order.begin(), order.end());
    return order;
}

}  // namespace

std::vector<FrameDetections> unpackSingle(const HostBatch& batch) {
    const PackedLayout layout = layoutOf(batch);
    std::vector<FrameDetections> frames;
    for (std::size_t f = 0; f < layout.frames; ++f) {
        FrameDetections& frame = frames.emplace_back(emptyFrame(batch.nodes));
        addInstance(frame, 0);
        setPoints(frame, batch.packed.data() + layout.cropPoint(f, 0));
    }
    return frames;
}

std::vector<FrameDetections> unpackCentroids(const HostBatch& batch, int most) {
    const PackedLayout layout = layoutOf(batch);
    std::vector<FrameDetections> frames;
    for (std::size_t f = 0; f < layout.frames; ++f) {
        FrameDetections& frame = frames.emplace_back(emptyFrame(1));
        for (std::size_t k = 0; k < usedSlots(batch, layout, f, 0); ++k) {
            const float* peak = batch.packed.data() + layout.peak(f, 0, k);
            if (std::isnan(peak[2]))
                continue;
            addInstance(frame, peak[2]);
            setPoints(frame, peak);
        }
        if (most > 0 && frame.count() > most) {
            std::vector<std::size_t> order(frame.instanceScores.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return frame.instanceScores[a] > frame.instanceScores[b];
            });
            order.resize(static_cast<std::size_t>(most));
            keepInstances(frame, order);
        }
    }
    return frames;
}

std::vector<FrameDetections> unpackCrops(const HostBatch& batch) {
    const PackedLayout layout = layoutOf(batch);
    std::vector<FrameDetections> frames;
    Assigner assigner;
    std::size_t crop = 0;
    for (std::size_t f = 0; f < layout.frames; ++f) {
        FrameDetections& frame = frames.emplace_back(emptyFrame(batch.nodes));
        const std::size_t first = crop;
        for (std::size_t k = 0; k < layout.slots; ++k) {
            const float* centroid = batch.packed.data() + layout.peak(f, 0, k);
            if (std::isnan(centroid[0]) || std::isnan(centroid[1]) || std::isnan(centroid[2]))
                continue;
            SKEIN_EXPECTS(crop < layout.crops, "every centroid has its crop");
            addInstance(frame, centroid[2]);
            setPoints(frame, batch.packed.data() + layout.cropPoint(crop, 0));
            frame.centroids.insert(frame.centroids.end(), {centroid[0], centroid[1]});
            ++crop;
        }
        if (layout.cropClasses == 0 || crop == first)
            continue;
        const std::span<const float> probabilities(batch.packed.data() + layout.cropClass(first),
                                                   (crop - first) * layout.cropClasses);
        const auto classed = classifyCrops(assigner, probabilities, crop - first, layout.cropClasses);
        for (std::size_t i = 0; i < classed.size(); ++i) {
            frame.classes.push_back(classed[i].classIndex);
            frame.trackingScores[i] = classed[i].probability;
        }
    }
    return frames;
}

std::vector<FrameDetections> unpackClasses(const HostBatch& batch, int most, bool matchSleapNn) {
    const PackedLayout layout = layoutOf(batch);
    const std::size_t classes = layout.peakClasses;
    const std::size_t nodes = layout.channels;
    std::vector<FrameDetections> frames;
    Assigner assigner;
    std::vector<float> probabilities;  // [class][node] of the peaks that were assigned
    std::vector<float> candidates;     // [peak][class] of one node
    std::vector<const float*> peaks;
    for (std::size_t f = 0; f < layout.frames; ++f) {
        FrameDetections& frame = frames.emplace_back(emptyFrame(batch.nodes));
        for (std::size_t c = 0; c < classes; ++c) {
            addInstance(frame, kAbsent);
            frame.classes.push_back(static_cast<int>(c));
        }
        probabilities.assign(classes * nodes, kAbsent);
        for (std::size_t n = 0; n < nodes; ++n) {
            candidates.clear();
            peaks.clear();
            for (std::size_t k = 0; k < usedSlots(batch, layout, f, n); ++k) {
                const float* peak = batch.packed.data() + layout.peak(f, n, k);
                if (std::isnan(peak[2]))
                    continue;
                peaks.push_back(peak);
                const float* of = batch.packed.data() + layout.peakClass(f, n, k);
                candidates.insert(candidates.end(), of, of + classes);
            }
            for (const ClassedPeak& c : classifyPeaks(assigner, candidates, peaks.size(), classes)) {
                const float* peak = peaks[static_cast<std::size_t>(c.peak)];
                const std::size_t at = static_cast<std::size_t>(c.classIndex) * nodes + n;
                frame.points[2 * at] = peak[0];
                frame.points[2 * at + 1] = peak[1];
                frame.pointScores[at] = peak[2];
                probabilities[at] = c.probability;
            }
        }
        std::vector<std::size_t> present;
        for (std::size_t c = 0; c < classes; ++c) {
            frame.instanceScores[c] = meanOf(frame.pointScores.data() + c * nodes, nodes);
            frame.trackingScores[c] = meanOf(probabilities.data() + c * nodes, nodes);
            if (!std::isnan(frame.instanceScores[c]))
                present.push_back(c);
        }
        if (most > 0 && present.size() > static_cast<std::size_t>(most)) {
            const auto best = bestClasses(frame.instanceScores, static_cast<std::size_t>(most), matchSleapNn);
            std::erase_if(present, [&](std::size_t c) { return std::find(best.begin(), best.end(), c) == best.end(); });
        }
        keepInstances(frame, present);
    }
    return frames;
}

}  // namespace skein::inference
