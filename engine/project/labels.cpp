// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/labels.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/base/result.h"
#include "engine/project/detail/labels_state.h"

namespace skein::project {

std::uint32_t FrameView::video() const {
    return m_chunk->frames[m_index].video;
}
std::int64_t FrameView::frameIndex() const {
    return m_chunk->frames[m_index].frameIndex;
}
std::int64_t FrameView::originRow() const {
    return m_chunk->frames[m_index].originRow;
}
std::size_t FrameView::instanceCount() const {
    const auto& row = m_chunk->frames[m_index];
    return row.instanceEnd - row.instanceBegin;
}
InstanceView FrameView::instance(std::size_t i) const {
    SKEIN_EXPECTS(i < instanceCount(), "instance outside the frame");
    return m_chunk->instance(m_chunk->frames[m_index].instanceBegin + i);
}
bool FrameView::hasUserInstance() const {
    for (std::size_t i = 0; i < instanceCount(); ++i)
        if (instance(i).header->kind == InstanceKind::User)
            return true;
    return false;
}
FrameData FrameView::toData() const {
    FrameData data{video(), frameIndex(), {}, originRow()};
    for (std::size_t i = 0; i < instanceCount(); ++i) {
        const InstanceView view = instance(i);
        data.instances.push_back({*view.header, {view.points.begin(), view.points.end()}});
    }
    return data;
}

Labels::Labels() : m_state(std::make_shared<State>()) {}
Labels::~Labels() = default;
Labels::Labels(const Labels&) = default;
// A moved-from project is empty rather than unusable.
Labels::Labels(Labels&& other) noexcept : m_state(std::exchange(other.m_state, std::make_shared<State>())) {}
Labels& Labels::operator=(const Labels&) = default;
Labels& Labels::operator=(Labels&& other) noexcept {
    if (this != &other)
        m_state = std::exchange(other.m_state, std::make_shared<State>());
    return *this;
}

Labels::State& Labels::edit() {
    return unshare(m_state);
}

const std::vector<Video>& Labels::videos() const {
    return *m_state->videos;
}
const std::vector<Skeleton>& Labels::skeletons() const {
    return *m_state->skeletons;
}
const std::vector<Track>& Labels::tracks() const {
    return *m_state->tracks;
}
const std::vector<Suggestion>& Labels::suggestions() const {
    return *m_state->suggestions;
}
const std::vector<std::pair<std::uint32_t, std::int64_t>>& Labels::negativeFrames() const {
    return *m_state->negatives;
}
const std::string& Labels::provenanceJson() const {
    return *m_state->provenance;
}
const FileOrigin& Labels::origin() const {
    return *m_state->origin;
}

std::vector<Video>& Labels::editVideos() {
    return unshare(edit().videos);
}
std::vector<Skeleton>& Labels::editSkeletons() {
    return unshare(edit().skeletons);
}
std::vector<Track>& Labels::editTracks() {
    return unshare(edit().tracks);
}
std::vector<Suggestion>& Labels::editSuggestions() {
    return unshare(edit().suggestions);
}
std::vector<std::pair<std::uint32_t, std::int64_t>>& Labels::editNegativeFrames() {
    return unshare(edit().negatives);
}
void Labels::setProvenanceJson(std::string json) {
    unshare(edit().provenance) = std::move(json);
}
void Labels::setOrigin(FileOrigin origin) {
    unshare(edit().origin) = std::move(origin);
}

std::size_t Labels::frameCount() const {
    return m_state->rows();
}
std::size_t Labels::instanceCount() const {
    return m_state->instances;
}
std::size_t Labels::predictedInstanceCount() const {
    return m_state->predicted;
}

FrameView Labels::frame(std::size_t row) const {
    SKEIN_EXPECTS(row < frameCount(), "frame row outside the project");
    const auto [chunk, place] = m_state->locate(row);
    return {m_state->chunks[chunk].get(), place};
}

std::optional<std::size_t> Labels::nextFrame(std::uint32_t video, std::int64_t frameIndex) const {
    if (video >= m_state->indices.size())
        return std::nullopt;
    const VideoIndex& list = *m_state->indices[video];
    const auto it = std::lower_bound(list.begin(), list.end(), frameIndex,
                                     [](const IndexEntry& e, std::int64_t key) { return e.frameIndex < key; });
    if (it == list.end())
        return std::nullopt;
    return it->row;
}

std::optional<std::size_t> Labels::previousFrame(std::uint32_t video, std::int64_t frameIndex) const {
    if (video >= m_state->indices.size())
        return std::nullopt;
    const VideoIndex& list = *m_state->indices[video];
    const auto it = std::upper_bound(list.begin(), list.end(), frameIndex,
                                     [](std::int64_t key, const IndexEntry& e) { return key < e.frameIndex; });
    if (it == list.begin())
        return std::nullopt;
    return std::prev(it)->row;
}

std::optional<std::size_t> Labels::findFrame(std::uint32_t video, std::int64_t frameIndex) const {
    const auto row = nextFrame(video, frameIndex);
    return row && frame(*row).frameIndex() == frameIndex ? row : std::nullopt;
}

std::vector<std::size_t> Labels::rowsOf(std::uint32_t video) const {
    std::vector<std::size_t> rows;
    if (video < m_state->indices.size())
        for (const IndexEntry& entry : *m_state->indices[video])
            rows.push_back(entry.row);
    return rows;
}

std::vector<std::size_t> Labels::rowsBetween(std::uint32_t video, std::int64_t first, std::int64_t last) const {
    std::vector<std::size_t> rows;
    if (video >= m_state->indices.size())
        return rows;
    const VideoIndex& list = *m_state->indices[video];
    const auto from = std::lower_bound(list.begin(), list.end(), first,
                                       [](const IndexEntry& e, std::int64_t key) { return e.frameIndex < key; });
    const auto to = std::upper_bound(from, list.end(), last,
                                     [](std::int64_t key, const IndexEntry& e) { return key < e.frameIndex; });
    rows.reserve(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, to - from)));
    for (auto it = from; it < to; ++it)
        rows.push_back(it->row);
    return rows;
}

std::vector<SharedRows> Labels::rowsSharedWith(const Labels& before) const {
    const State& old = *before.m_state;
    const State& own = *m_state;
    std::vector<SharedRows> runs;
    const auto begin = [](const State& state, std::size_t chunk) { return chunk == 0 ? 0 : state.chunkEnd[chunk - 1]; };
    const auto share = [&](std::size_t from, std::size_t to) {
        const SharedRows run{begin(old, from), begin(own, to), own.chunks[to]->frames.size()};
        if (!runs.empty() && runs.back().before + runs.back().count == run.before &&
            runs.back().now + runs.back().count == run.now)
            runs.back().count += run.count;
        else
            runs.push_back(run);
    };
    // Edits mostly exchange some chunks in place; only where the chunks moved they are looked up.
    std::unordered_map<const FrameChunk*, std::size_t> places;
    for (std::size_t i = 0; i < own.chunks.size(); ++i) {
        if (i < old.chunks.size() && old.chunks[i] == own.chunks[i] && places.empty()) {
            share(i, i);
            continue;
        }
        if (own.chunks.size() == old.chunks.size() && begin(old, i) == begin(own, i) && places.empty())
            continue;
        if (places.empty())
            for (std::size_t k = 0; k < old.chunks.size(); ++k)
                places.emplace(old.chunks[k].get(), k);
        if (const auto it = places.find(own.chunks[i].get()); it != places.end())
            share(it->second, i);
        else if (places.empty())
            break;  // the earlier version had no frames
    }
    return runs;
}

std::size_t Labels::appendFrame(FrameData frame) {
    State& state = edit();
    const std::uint32_t video = frame.video;
    const std::int64_t frameIndex = frame.frameIndex;
    const std::size_t row = state.appendUnindexed(std::move(frame));
    state.insertIntoIndex(video, frameIndex, row);
    return row;
}

InstanceId Labels::newInstanceId() {
    return ++edit().lastId;
}

}  // namespace skein::project
