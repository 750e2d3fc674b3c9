// SPDX-License-Identifier: BSD-3-Clause
#include "engine/inference/grouping.h"

#include <algorithm>
#include <cmath>

#include "engine/inference/bottomup_grouping.h"
#include "engine/inference/packed_layout.h"

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

/// Network input pixels to image pixels: first the input scale, then the size matcher's, each by one division.
void undoScales(FrameDetections& frame, double inputScale, float effScale) {
    if (inputScale != 1)
        for (float& value : frame.points)
            value /= static_cast<float>(inputScale);
    if (effScale != 1)
        for (float& value : frame.points)
            value /= effScale;
}

}  // namespace

Result<Grouper> Grouper::create(const models::ModelSpec& spec, const InferenceOptions& options) {
    Grouper grouper(spec, options);
    if (spec.type != models::ModelType::BottomUp)
        return fail(ErrorCode::Unsupported, std::string("Models of the type ") + models::modelTypeTitle(spec.type) +
                                                " cannot be run yet; bottom-up models can.");
    auto order = edgeOrder(spec.pafEdges);
    if (!order)
        return fail(order.error());
    grouper.m_edgeOrder = std::move(*order);
    for (std::size_t e = 0; e < spec.pafEdges.size(); ++e)
        if (std::find(grouper.m_edgeOrder.begin(), grouper.m_edgeOrder.end(), static_cast<int>(e)) ==
            grouper.m_edgeOrder.end()) {
            const auto name = [&](int node) { return spec.partNames[static_cast<std::size_t>(node)]; };
            grouper.m_warnings.push_back(
                "The edge from " + name(spec.pafEdges[e].source) + " to " + name(spec.pafEdges[e].destination) +
                " is never used: the skeleton's edges do not form one tree, and grouping follows "
                "the tree that starts at the first root.");
        }
    return grouper;
}

std::vector<FrameDetections> Grouper::group(const HostBatch& batch, profile::Profiler& profiler) const {
    const PackedLayout layout = layoutOf(batch);
    SKEIN_EXPECTS(batch.packed.size() == layout.size(), "the packed buffer must have the size its counts imply");
    SKEIN_EXPECTS(layout.channels == m_spec.partNames.size() && layout.edges == m_spec.pafEdges.size(),
                  "the batch must come from the model this grouper was made for");
    const GroupingOptions options{static_cast<float>(m_options.minLineScores),
                                  minInstancePeaks(m_options.minInstancePeaks, batch.nodes, m_options.matchSleapNn)};
    std::vector<FrameDetections> frames;
    frames.reserve(layout.frames);
    Scratch scratch;
    bool crowded = false;
    {
        const profile::Span span(profiler, profile::Stage::PafScorer);
        for (std::size_t f = 0; f < layout.frames; ++f) {
            readPeaks(batch, layout, f, scratch);
            if (isCrowded(scratch, m_options.maxPeaksPerNode)) {
                crowded = true;
                frames.push_back(emptyFrame(batch.nodes));
                continue;
            }
            matchFrame(batch, layout, f, m_spec.pafEdges, m_edgeOrder, scratch);
            frames.push_back(groupFrame(m_spec.pafEdges, m_edgeOrder, scratch.peaks, scratch.matches, options));
        }
        if (crowded && m_options.matchSleapNn)
            frames.assign(layout.frames, emptyFrame(batch.nodes));
    }
    const profile::Span span(profiler, profile::Stage::Postprocess);
    for (std::size_t f = 0; f < layout.frames; ++f) {
        undoScales(frames[f], batch.inputScale, f < batch.effScale.size() ? batch.effScale[f] : 1.0F);
        limitInstances(frames[f], m_options.maxInstances);
    }
    return frames;
}

}  // namespace skein::inference
