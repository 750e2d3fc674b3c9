// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/labels.h"

#include <algorithm>
#include <numeric>

#include "engine/base/result.h"

namespace skein::project {

namespace {
constexpr std::size_t kFramesPerChunk = 64;
}

/// Up to 64 frames with everything in them, as flat arrays.
class FrameChunk {
public:
    struct FrameRow {
        std::uint32_t video;
        std::int64_t frameIndex;
        std::int64_t originRow;
        std::uint32_t instanceBegin, instanceEnd;
    };
    std::vector<FrameRow> frames;
    std::vector<InstanceHeader> instances;
    std::vector<std::uint32_t> pointEnd;  ///< of each instance; it begins where the one before ends
    std::vector<Point> points;

    void append(const FrameData& frame) {
        const auto begin = static_cast<std::uint32_t>(instances.size());
        for (const InstanceData& instance : frame.instances) {
            instances.push_back(instance.header);
            points.insert(points.end(), instance.points.begin(), instance.points.end());
            pointEnd.push_back(static_cast<std::uint32_t>(points.size()));
        }
        frames.push_back(
            {frame.video, frame.frameIndex, frame.originRow, begin, static_cast<std::uint32_t>(instances.size())});
    }

    [[nodiscard]] InstanceView instance(std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : pointEnd[i - 1];
        return {&instances[i], std::span(points).subspan(begin, pointEnd[i] - begin)};
    }
};

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

namespace {

/// Frames of one video in frame order; equal indices in row order.
struct IndexEntry {
    std::int64_t frameIndex;
    std::size_t row;
};
using VideoIndex = std::vector<IndexEntry>;

/// Changes a shared part: copies it first when somebody else holds it too.
template <class T>
T& unshare(std::shared_ptr<T>& part) {
    if (part.use_count() != 1)
        part = std::make_shared<T>(*part);
    return *part;
}

template <class T>
std::shared_ptr<T> makePart() {
    return std::make_shared<T>();
}

}  // namespace

struct Labels::State {
    std::shared_ptr<std::vector<Video>> videos = makePart<std::vector<Video>>();
    std::shared_ptr<std::vector<Skeleton>> skeletons = makePart<std::vector<Skeleton>>();
    std::shared_ptr<std::vector<Track>> tracks = makePart<std::vector<Track>>();
    std::shared_ptr<std::vector<Suggestion>> suggestions = makePart<std::vector<Suggestion>>();
    std::shared_ptr<std::vector<std::pair<std::uint32_t, std::int64_t>>> negatives =
        makePart<std::vector<std::pair<std::uint32_t, std::int64_t>>>();
    std::shared_ptr<std::string> provenance = makePart<std::string>();
    std::shared_ptr<FileOrigin> origin = makePart<FileOrigin>();

    std::vector<std::shared_ptr<FrameChunk>> chunks;
    std::vector<std::size_t> chunkEnd;  ///< row after the last of each chunk
    std::vector<std::shared_ptr<VideoIndex>> indices;
    std::size_t instances = 0;
    std::size_t predicted = 0;
    InstanceId lastId = 0;

    [[nodiscard]] std::size_t rows() const { return chunkEnd.empty() ? 0 : chunkEnd.back(); }

    /// The chunk that holds `row`, and the frame's place in it.
    [[nodiscard]] std::pair<std::size_t, std::size_t> locate(std::size_t row) const {
        const auto it = std::upper_bound(chunkEnd.begin(), chunkEnd.end(), row);
        const auto chunk = static_cast<std::size_t>(it - chunkEnd.begin());
        return {chunk, row - (chunk == 0 ? 0 : chunkEnd[chunk - 1])};
    }

    void count(const FrameData& frame, bool add) {
        for (const InstanceData& instance : frame.instances) {
            const std::size_t isPredicted = instance.header.kind == InstanceKind::Predicted ? 1 : 0;
            instances = add ? instances + 1 : instances - 1;
            predicted = add ? predicted + isPredicted : predicted - isPredicted;
        }
    }

    void giveIds(FrameData& frame) {
        for (InstanceData& instance : frame.instances) {
            if (instance.header.id == 0)
                instance.header.id = ++lastId;
            lastId = std::max(lastId, instance.header.id);
        }
    }

    VideoIndex& index(std::uint32_t video) {
        while (indices.size() <= video)
            indices.push_back(makePart<VideoIndex>());
        return unshare(indices[video]);
    }

    void insertIntoIndex(std::uint32_t video, std::int64_t frameIndex, std::size_t row) {
        VideoIndex& list = index(video);
        const auto at =
            std::upper_bound(list.begin(), list.end(), std::pair(frameIndex, row),
                             [](const auto& key, const auto& e) { return key < std::pair(e.frameIndex, e.row); });
        list.insert(at, {frameIndex, row});
    }

    void append(FrameData frame) {
        giveIds(frame);
        count(frame, true);
        if (chunks.empty() || chunks.back()->frames.size() >= kFramesPerChunk) {
            chunks.push_back(makePart<FrameChunk>());
            chunkEnd.push_back(rows());
        }
        unshare(chunks.back()).append(frame);
        insertIntoIndex(frame.video, frame.frameIndex, chunkEnd.back());
        ++chunkEnd.back();
    }
};

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

std::size_t Labels::appendFrame(FrameData frame) {
    edit().append(std::move(frame));
    return frameCount() - 1;
}

void Labels::replaceFrame(std::size_t row, FrameData frame) {
    SKEIN_EXPECTS(row < frameCount(), "frame row outside the project");
    State& state = edit();
    const FrameData old = this->frame(row).toData();
    state.count(old, false);
    state.giveIds(frame);
    state.count(frame, true);
    if (old.video != frame.video || old.frameIndex != frame.frameIndex) {
        std::erase_if(state.index(old.video), [row](const IndexEntry& e) { return e.row == row; });
        state.insertIntoIndex(frame.video, frame.frameIndex, row);
    }
    const auto [chunk, place] = state.locate(row);
    auto rebuilt = makePart<FrameChunk>();
    const std::size_t frames = state.chunks[chunk]->frames.size();
    for (std::size_t i = 0; i < frames; ++i)
        rebuilt->append(i == place ? frame : FrameView(state.chunks[chunk].get(), i).toData());
    state.chunks[chunk] = std::move(rebuilt);
}

void Labels::removeFrames(std::span<const std::size_t> rows) {
    std::vector<bool> removed(frameCount(), false);
    for (const std::size_t row : rows) {
        SKEIN_EXPECTS(row < frameCount(), "frame row outside the project");
        removed[row] = true;
    }
    State& state = edit();
    const std::vector<std::shared_ptr<FrameChunk>> oldChunks = std::move(state.chunks);
    const std::vector<std::size_t> oldEnds = std::move(state.chunkEnd);
    state.chunks.clear();
    state.chunkEnd.clear();
    state.indices.clear();
    std::size_t row = 0;
    for (const auto& chunk : oldChunks) {
        std::shared_ptr<FrameChunk> kept = chunk;
        const std::size_t size = chunk->frames.size();
        if (std::any_of(removed.begin() + static_cast<std::ptrdiff_t>(row),
                        removed.begin() + static_cast<std::ptrdiff_t>(row + size), [](bool r) { return r; })) {
            kept = makePart<FrameChunk>();
            for (std::size_t i = 0; i < size; ++i) {
                FrameData data = FrameView(chunk.get(), i).toData();
                if (removed[row + i])
                    state.count(data, false);
                else
                    kept->append(data);
            }
        }
        row += size;
        if (kept->frames.empty())
            continue;
        const std::size_t begin = state.rows();
        for (std::size_t i = 0; i < kept->frames.size(); ++i)
            state.index(kept->frames[i].video).push_back({kept->frames[i].frameIndex, begin + i});
        state.chunkEnd.push_back(begin + kept->frames.size());
        state.chunks.push_back(std::move(kept));
    }
    for (auto& index : state.indices)
        std::stable_sort(index->begin(), index->end(),
                         [](const IndexEntry& a, const IndexEntry& b) { return a.frameIndex < b.frameIndex; });
}

InstanceId Labels::newInstanceId() {
    return ++edit().lastId;
}

void Labels::mergePredictions(std::vector<FrameData> frames) {
    for (FrameData& frame : frames) {
        const auto row = findFrame(frame.video, frame.frameIndex);
        if (!row) {
            appendFrame(std::move(frame));
            continue;
        }
        FrameData merged = this->frame(*row).toData();
        std::vector<InstanceData> kept;
        for (InstanceData& instance : merged.instances)
            if (instance.header.kind == InstanceKind::User) {
                // The prediction it was made from goes away with the old run.
                instance.header.fromPredicted = 0;
                kept.push_back(std::move(instance));
            }
        kept.insert(kept.end(), std::make_move_iterator(frame.instances.begin()),
                    std::make_move_iterator(frame.instances.end()));
        merged.instances = std::move(kept);
        replaceFrame(*row, std::move(merged));
    }
}

}  // namespace skein::project
