// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/grouping.h"

#include <algorithm>
#include <cmath>

#include "engine/inference/bottomup_grouping.h"
#include "engine/inference/filters.h"
#include "engine/inference/packed_layout.h"
#include "engine/inference/unpack.h"

namespace skein::inference {
namespace {

/// What one call keeps from frame to frame, so that a batch allocates once.
struct Scratch {
    Assigner assigner;
    std::vector<double> costs;
    std::vector<float> scores;
    std::vector<NodePeaks> peaks;
    std::vector<std::vector<std::size_t>> slots;  // by node: the slots that hold a peak
    std::vector<Match> matches;
};

/// Reads the peaks of one frame; slots whose value is NaN hold none.
void readPeaks(const HostBatch& batch, const PackedLayout& layout, std::size_t frame, Scratch& s) {
    s.peaks.resize(layout.channels);
    s.slots.resize(layout.channels);
    for (std::size_t n = 0; n < layout.channels; ++n) {
        NodePeaks& node = s.peaks[n];
        node.x.clear();
        node.y.clear();
        node.value.clear();
        s.slots[n].clear();
        const std::int32_t found = wordAsCount(batch.packed[layout.count(frame, n)]);
        const std::size_t used = std::min(static_cast<std::size_t>(std::max(found, 0)), layout.slots);
        for (std::size_t k = 0; k < used; ++k) {
            const float* peak = batch.packed.data() + layout.peak(frame, n, k);
            if (std::isnan(peak[2]))
                continue;
            node.x.push_back(peak[0]);
            node.y.push_back(peak[1]);
            node.value.push_back(peak[2]);
            s.slots[n].push_back(k);
        }
    }
}

void matchFrame(const HostBatch& batch, const PackedLayout& layout, std::size_t frame,
                const std::vector<project::Edge>& edges, const std::vector<int>& order, Scratch& s) {
    const profile::PartSpan part(profile::Part::Assignment);
    s.matches.clear();
    for (const int edge : order) {
        const auto e = static_cast<std::size_t>(edge);
        const auto& sources = s.slots[static_cast<std::size_t>(edges[e].source)];
        const auto& destinations = s.slots[static_cast<std::size_t>(edges[e].destination)];
        s.scores.resize(sources.size() * destinations.size());
        float* out = s.scores.data();
        for (const std::size_t source : sources)
            for (const std::size_t destination : destinations)
                *out++ = batch.packed[layout.score(frame, e, source, destination)];
        matchEdge(s.assigner, s.costs, edge, s.scores.data(), destinations.size(), sources.size(), destinations.size(),
                  s.matches);
    }
}

bool isCrowded(const Scratch& s, int maxPeaksPerNode) {
    return maxPeaksPerNode > 0 && std::any_of(s.slots.begin(), s.slots.end(), [&](const auto& slots) {
               return slots.size() > static_cast<std::size_t>(maxPeaksPerNode);
           });
}

FrameDetections emptyFrame(int nodes) {
    FrameDetections frame;
    frame.nodes = nodes;
    return frame;
}

/// Network input pixels to image pixels: first the input scale, then the size matcher's, each by one division. The
/// points of crops have left the first behind already.
void undoScales(FrameDetections& frame, const HostBatch& batch, std::size_t number) {
    const bool ofCrops =
        batch.type == models::ModelType::CenteredInstance || batch.type == models::ModelType::MultiClassTopDown;
    if (batch.inputScale != 1 && !ofCrops)
        for (float& value : frame.points)
            value /= static_cast<float>(batch.inputScale);
    const float effScale = number < batch.effScale.size() ? batch.effScale[number] : 1.0F;
    if (effScale != 1)
        for (float& value : frame.points)
            value /= effScale;
}

void dropEmpty(FrameDetections& frame) {
    const auto nodes = static_cast<std::size_t>(frame.nodes);
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < frame.instanceScores.size(); ++i)
        for (std::size_t n = 0; n < nodes; ++n)
            if (!std::isnan(frame.points[2 * (i * nodes + n)]) && !std::isnan(frame.points[2 * (i * nodes + n) + 1])) {
                kept.push_back(i);
                break;
            }
    if (kept.size() != frame.instanceScores.size())
        keepInstances(frame, kept);
}

/// Of a single-instance model, whose instance has no score of its own: the sum of what its points have.
void sumScores(FrameDetections& frame) {
    for (std::size_t i = 0; i < frame.instanceScores.size(); ++i)
        for (std::size_t n = 0; n < static_cast<std::size_t>(frame.nodes); ++n)
            if (const float value = frame.pointScores[i * static_cast<std::size_t>(frame.nodes) + n];
                !std::isnan(value))
                frame.instanceScores[i] += value;
}

std::vector<FrameDetections> groupBottomUp(const HostBatch& batch, const models::ModelSpec& spec,
                                           const InferenceOptions& o, const std::vector<int>& order) {
    const PackedLayout layout = layoutOf(batch);
    const GroupingOptions options{static_cast<float>(o.minLineScores),
                                  minInstancePeaks(o.minInstancePeaks, batch.nodes, o.matchSleapNn)};
    std::vector<FrameDetections> frames;
    frames.reserve(layout.frames);
    Scratch scratch;
    bool crowded = false;
    for (std::size_t f = 0; f < layout.frames; ++f) {
        readPeaks(batch, layout, f, scratch);
        if (isCrowded(scratch, o.maxPeaksPerNode)) {
            crowded = true;
            frames.push_back(emptyFrame(batch.nodes));
            continue;
        }
        matchFrame(batch, layout, f, spec.pafEdges, order, scratch);
        frames.push_back(groupFrame(spec.pafEdges, order, scratch.peaks, scratch.matches, options));
    }
    if (crowded && o.matchSleapNn)
        frames.assign(layout.frames, emptyFrame(batch.nodes));
    return frames;
}

}  // namespace

Result<Grouper> Grouper::create(const models::ModelSpec& spec, const InferenceOptions& options) {
    Grouper grouper(spec, options);
    FilterOptions& filters = grouper.m_options.filters;
    if (options.matchSleapNn && filters.overlapThreshold == 0)
        filters.overlapThreshold = FilterOptions().overlapThreshold;
    const auto warn = [&](std::string text) { grouper.m_warnings.push_back(std::move(text)); };
    if (filters.overlapping && spec.type == models::ModelType::Centroid)
        warn(
            "Centroids have no extent that could overlap; the filter of overlapping instances is left out. "
            "A smallest distance between centroids does what is meant.");
    else if (filters.overlapping && filters.overlapMethod == OverlapMethod::Oks && spec.partNames.size() == 1)
        warn("A skeleton of one node has no keypoint similarity; boxes are compared instead.");
    if (spec.type != models::ModelType::BottomUp)
        return grouper;
    auto order = edgeOrder(spec.pafEdges);
    if (!order)
        return fail(order.error());
    grouper.m_edgeOrder = std::move(*order);
    for (std::size_t e = 0; e < spec.pafEdges.size(); ++e)
        if (std::find(grouper.m_edgeOrder.begin(), grouper.m_edgeOrder.end(), static_cast<int>(e)) ==
            grouper.m_edgeOrder.end()) {
            const auto name = [&](int node) { return spec.partNames[static_cast<std::size_t>(node)]; };
            warn("The edge from " + name(spec.pafEdges[e].source) + " to " + name(spec.pafEdges[e].destination) +
                 " is never used: the skeleton's edges do not form one tree, and grouping follows "
                 "the tree that starts at the first root.");
        }
    return grouper;
}

std::vector<FrameDetections> Grouper::unpack(const HostBatch& batch) const {
    switch (batch.type) {
        case models::ModelType::SingleInstance:
            return unpackSingle(batch);
        case models::ModelType::Centroid:
            return unpackCentroids(batch, m_options.maxInstances);
        case models::ModelType::CenteredInstance:
        case models::ModelType::MultiClassTopDown:
            return unpackCrops(batch);
        case models::ModelType::MultiClassBottomUp:
            return unpackClasses(batch, m_options.maxInstances, m_options.matchSleapNn);
        case models::ModelType::BottomUp:
            break;
    }
    return groupBottomUp(batch, m_spec, m_options, m_edgeOrder);
}

std::vector<FrameDetections> Grouper::group(const HostBatch& batch, profile::Profiler& profiler) const {
    SKEIN_EXPECTS(batch.packed.size() == layoutOf(batch).size(),
                  "the packed buffer must have the size its counts imply");
    SKEIN_EXPECTS(batch.type == m_spec.type && static_cast<std::size_t>(batch.nodes) == m_spec.partNames.size() &&
                      static_cast<std::size_t>(batch.edges) == m_spec.pafEdges.size(),
                  "the batch must come from the model this grouper was made for");
    std::vector<FrameDetections> frames;
    {
        const profile::Span span(profiler, profile::Stage::PafScorer);
        frames = unpack(batch);
    }
    const profile::Span span(profiler, profile::Stage::Postprocess);
    const bool isSingle = batch.type == models::ModelType::SingleInstance;
    const bool isCentroid = batch.type == models::ModelType::Centroid;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        undoScales(frames[f], batch, f);
        if (batch.type == models::ModelType::BottomUp)
            limitInstances(frames[f], m_options.maxInstances);
        dropEmpty(frames[f]);
        applyFilters(frames[f], m_options.filters, {!isSingle, isCentroid});
        if (m_options.filters.minPeakValue > 0)
            dropEmpty(frames[f]);
        if (isSingle)
            sumScores(frames[f]);
    }
    return frames;
}

}  // namespace skein::inference
