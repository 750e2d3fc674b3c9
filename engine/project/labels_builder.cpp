// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/labels.h"

#include <algorithm>
#include <utility>

#include "engine/base/result.h"
#include "engine/project/detail/labels_state.h"

namespace skein::project {

LabelsBuilder::LabelsBuilder(Labels labels) : m_labels(std::move(labels)), m_open(std::make_unique<FrameChunk>()) {}
LabelsBuilder::~LabelsBuilder() = default;

void LabelsBuilder::beginFrame(std::uint32_t video, std::int64_t frameIndex, std::int64_t originRow) {
    if (m_open->frames.size() == kFramesPerChunk)
        closeChunk();
    const auto begin = static_cast<std::uint32_t>(m_open->instances.size());
    m_open->frames.push_back({video, frameIndex, originRow, begin, begin});
}

std::span<Point> LabelsBuilder::addInstance(InstanceHeader header, std::size_t pointCount) {
    SKEIN_EXPECTS(!m_open->frames.empty(), "an instance belongs to a frame");
    Labels::State& state = *m_labels.m_state;
    if (header.id == 0)
        header.id = state.lastId + 1;
    state.lastId = std::max(state.lastId, header.id);
    std::vector<Point>& points = *m_open->points;
    const std::size_t begin = points.size();
    points.resize(begin + pointCount);
    m_open->pointEnd.push_back(static_cast<std::uint32_t>(begin + pointCount));
    m_open->instances.push_back(header);
    ++m_open->frames.back().instanceEnd;
    return std::span(points).subspan(begin);
}

void LabelsBuilder::closeChunk() {
    if (m_open->frames.empty())
        return;
    Labels::State& state = m_labels.edit();
    state.instances += m_open->instances.size();
    for (const InstanceHeader& header : m_open->instances)
        state.predicted += header.kind == InstanceKind::Predicted ? 1 : 0;
    const std::size_t begin = state.rows();
    for (std::size_t i = 0; i < m_open->frames.size(); ++i)
        state.index(m_open->frames[i].video).push_back({m_open->frames[i].frameIndex, begin + i});
    state.chunkEnd.push_back(begin + m_open->frames.size());
    // A copy has the exact size; the open chunk keeps its room for the next 64 frames.
    state.chunks.push_back(std::make_shared<FrameChunk>(*m_open));
    m_open->frames.clear();
    m_open->instances.clear();
    m_open->pointEnd.clear();
    m_open->points->clear();
}

Labels LabelsBuilder::finish() {
    closeChunk();
    const auto less = [](const IndexEntry& a, const IndexEntry& b) { return a.frameIndex < b.frameIndex; };
    for (auto& index : m_labels.edit().indices) {
        if (!std::is_sorted(index->begin(), index->end(), less))
            std::stable_sort(unshare(index).begin(), unshare(index).end(), less);
        unshare(index).shrink_to_fit();
    }
    return std::exchange(m_labels, Labels());
}

}  // namespace skein::project
