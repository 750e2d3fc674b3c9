// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/labels.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <tuple>

#include "engine/base/result.h"

namespace skein::project {

namespace {
constexpr std::size_t kFramesPerChunk = 64;

/// Changes a shared part: copies it first when somebody else holds it too.
template <class T>
T& unshare(std::shared_ptr<T>& part) {
    if (part.use_count() != 1)
        part = std::make_shared<T>(*part);
#if !defined(__SANITIZE_THREAD__)
    // Another thread may have just let go of its copy: what it read must come before what is written now.
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    return *part;
}

}  // namespace

/// Up to 64 frames with everything in them, as flat arrays. Chunks that differ in headers alone share their points.
class FrameChunk {
public:
    FrameChunk() = default;
    FrameChunk(const FrameChunk& other)
        : frames(other.frames),
          instances(other.instances),
          pointEnd(other.pointEnd),
          points(std::make_shared<std::vector<Point>>(*other.points)) {}
    FrameChunk& operator=(const FrameChunk&) = delete;
    ~FrameChunk() = default;

    [[nodiscard]] static std::shared_ptr<FrameChunk> withPointsOf(const FrameChunk& other) {
        auto chunk = std::make_shared<FrameChunk>();
        chunk->frames = other.frames;
        chunk->instances = other.instances;
        chunk->pointEnd = other.pointEnd;
        chunk->points = other.points;
        return chunk;
    }

    struct FrameRow {
        std::uint32_t video;
        std::int64_t frameIndex;
        std::int64_t originRow;
        std::uint32_t instanceBegin, instanceEnd;
    };
    std::vector<FrameRow> frames;
    std::vector<InstanceHeader> instances;
    std::vector<std::uint32_t> pointEnd;  ///< of each instance; it begins where the one before ends
    std::shared_ptr<std::vector<Point>> points = std::make_shared<std::vector<Point>>();

    void append(const FrameData& frame) {
        const auto begin = static_cast<std::uint32_t>(instances.size());
        std::vector<Point>& own = unshare(points);
        for (const InstanceData& instance : frame.instances) {
            instances.push_back(instance.header);
            own.insert(own.end(), instance.points.begin(), instance.points.end());
            pointEnd.push_back(static_cast<std::uint32_t>(own.size()));
        }
        frames.push_back(
            {frame.video, frame.frameIndex, frame.originRow, begin, static_cast<std::uint32_t>(instances.size())});
    }

    /// Frame `place` of another chunk, without the instances that `removed` (one entry an instance; empty: none) names.
    void appendFrom(const FrameChunk& other, std::size_t place, const std::vector<bool>& removed = {}) {
        const FrameRow& row = other.frames[place];
        const auto begin = static_cast<std::uint32_t>(instances.size());
        std::vector<Point>& own = unshare(points);
        for (std::uint32_t i = row.instanceBegin; i < row.instanceEnd; ++i) {
            if (!removed.empty() && removed[i - row.instanceBegin])
                continue;
            const InstanceView view = other.instance(i);
            instances.push_back(*view.header);
            own.insert(own.end(), view.points.begin(), view.points.end());
            pointEnd.push_back(static_cast<std::uint32_t>(own.size()));
        }
        frames.push_back(
            {row.video, row.frameIndex, row.originRow, begin, static_cast<std::uint32_t>(instances.size())});
    }

    /// Room for what another chunk holds.
    void reserveAs(const FrameChunk& other) {
        frames.reserve(other.frames.size());
        instances.reserve(other.instances.size());
        pointEnd.reserve(other.pointEnd.size());
        points->reserve(other.points->size());
    }

    void shrink() {
        frames.shrink_to_fit();
        instances.shrink_to_fit();
        pointEnd.shrink_to_fit();
        unshare(points).shrink_to_fit();
    }

    [[nodiscard]] InstanceView instance(std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : pointEnd[i - 1];
        return {&instances[i], std::span<const Point>(*points).subspan(begin, pointEnd[i] - begin)};
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

    /// Everything of appending but the index; returns the new row.
    std::size_t appendUnindexed(FrameData frame) {
        giveIds(frame);
        count(frame, true);
        if (chunks.empty() || chunks.back()->frames.size() >= kFramesPerChunk) {
            const std::size_t begin = rows();
            chunks.push_back(makePart<FrameChunk>());
            chunkEnd.push_back(begin);
        }
        FrameChunk& chunk = unshare(chunks.back());
        chunk.append(frame);
        if (chunk.frames.size() == kFramesPerChunk)
            chunk.shrink();
        return chunkEnd.back()++;
    }

    /// All rows of one frame, in row order.
    [[nodiscard]] std::vector<std::size_t> rowsAt(std::uint32_t video, std::int64_t frameIndex) const {
        std::vector<std::size_t> found;
        if (video >= indices.size())
            return found;
        const VideoIndex& list = *indices[video];
        for (auto it = std::lower_bound(list.begin(), list.end(), frameIndex,
                                        [](const IndexEntry&e, std::int64_t key) { return e.frameIndex < key; });
             it != list.end() && it->frameIndex == frameIndex; ++it)
            found.push_back(it->row);
        return found;
    }

    /// Brings many frames into the index at once: `added` are (video, frame index, row).
    void addToIndex(std::vector<std::tuple<std::uint32_t, std::int64_t, std::size_t>> added) {
        std::sort(added.begin(), added.end());
        const auto less = [](const IndexEntry& a, const IndexEntry& b) {
            return std::pair(a.frameIndex, a.row) < std::pair(b.frameIndex, b.row);
        };
        for (auto it = added.begin(); it != added.end();) {
            VideoIndex& list = index(std::get<0>(*it));
            const auto middle = static_cast<std::ptrdiff_t>(list.size());
            const std::uint32_t video = std::get<0>(*it);
            for (; it != added.end() && std::get<0>(*it) == video; ++it)
                list.push_back({std::get<1>(*it), std::get<2>(*it)});
            if (middle > 0 && less(list[static_cast<std::size_t>(middle)], list[static_cast<std::size_t>(middle) - 1]))
                std::inplace_merge(list.begin(), list.begin() + middle, list.end(), less);
        }
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

std::vector<std::size_t> Labels::rowsBetween(std::uint32_t video, std::int64_t first, std::int64_t last) const {
    std::vector<std::size_t> rows;
    if (video >= m_state->indices.size())
        return rows;
    const VideoIndex& list = *m_state->indices[video];
    for (auto it = std::lower_bound(list.begin(), list.end(), first,
                                    [](const IndexEntry&e, std::int64_t key) { return e.frameIndex < key; });
         it != list.end() && it->frameIndex <= last; ++it)
        rows.push_back(it->row);
    return rows;
}

std::size_t Labels::appendFrame(FrameData frame) {
    State& state = edit();
    const std::uint32_t video = frame.video;
    const std::int64_t frameIndex = frame.frameIndex;
    const std::size_t row = state.appendUnindexed(std::move(frame));
    state.insertIntoIndex(video, frameIndex, row);
    return row;
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
    const FrameChunk& before = *state.chunks[chunk];
    auto rebuilt = makePart<FrameChunk>();
    rebuilt->reserveAs(before);
    for (std::size_t i = 0; i < before.frames.size(); ++i)
        if (i == place)
            rebuilt->append(frame);
        else
            rebuilt->appendFrom(before, i);
    state.chunks[chunk] = std::move(rebuilt);
}

std::size_t Labels::rewriteFrames(std::span<const std::size_t> rows, const std::function<bool(FrameData&)>& change) {
    State& state = edit();
    std::size_t changed = 0;
    for (std::size_t next = 0; next < rows.size();) {
        SKEIN_EXPECTS(rows[next] < frameCount(), "frame row outside the project");
        const std::size_t chunk = state.locate(rows[next]).first;
        const std::size_t begin = chunk == 0 ? 0 : state.chunkEnd[chunk - 1];
        const FrameChunk& before = *state.chunks[chunk];
        std::map<std::size_t, FrameData> altered;
        for (; next < rows.size() && rows[next] < state.chunkEnd[chunk]; ++next) {
            const FrameData old = FrameView(&before, rows[next] - begin).toData();
            FrameData data = old;
            if (!change(data))
                continue;
            SKEIN_EXPECTS(data.video == old.video && data.frameIndex == old.frameIndex, "a frame keeps its place");
            state.count(old, false);
            state.giveIds(data);
            state.count(data, true);
            altered.insert_or_assign(rows[next] - begin, std::move(data));
        }
        if (altered.empty())
            continue;
        changed += altered.size();
        auto rebuilt = makePart<FrameChunk>();
        rebuilt->reserveAs(before);
        for (std::size_t i = 0; i < before.frames.size(); ++i)
            if (const auto it = altered.find(i); it != altered.end())
                rebuilt->append(it->second);
            else
                rebuilt->appendFrom(before, i);
        state.chunks[chunk] = std::move(rebuilt);
    }
    return changed;
}

std::size_t Labels::rewriteHeaders(std::span<const std::size_t> rows,
                                   const std::function<bool(const FrameView&, std::span<InstanceHeader>)>& change) {
    State& state = edit();
    std::size_t changed = 0;
    std::vector<InstanceHeader> headers;
    for (std::size_t next = 0; next < rows.size();) {
        SKEIN_EXPECTS(rows[next] < frameCount(), "frame row outside the project");
        const std::size_t chunk = state.locate(rows[next]).first;
        const std::size_t begin = chunk == 0 ? 0 : state.chunkEnd[chunk - 1];
        const std::shared_ptr<FrameChunk> before = state.chunks[chunk];
        std::shared_ptr<FrameChunk> rebuilt;
        for (; next < rows.size() && rows[next] < state.chunkEnd[chunk]; ++next) {
            const FrameChunk::FrameRow& row = before->frames[rows[next] - begin];
            headers.assign(before->instances.begin() + row.instanceBegin, before->instances.begin() + row.instanceEnd);
            if (!change(FrameView(before.get(), rows[next] - begin), headers))
                continue;
            ++changed;
            if (rebuilt == nullptr)
                rebuilt = FrameChunk::withPointsOf(*before);
            std::copy(headers.begin(), headers.end(), rebuilt->instances.begin() + row.instanceBegin);
        }
        if (rebuilt != nullptr)
            state.chunks[chunk] = std::move(rebuilt);
    }
    return changed;
}

std::size_t Labels::removeInstances(std::span<const std::size_t> rows,
                                    const std::function<bool(const FrameView&, const InstanceView&)>& remove) {
    State& state = edit();
    std::size_t removed = 0;
    for (std::size_t next = 0; next < rows.size();) {
        SKEIN_EXPECTS(rows[next] < frameCount(), "frame row outside the project");
        const std::size_t chunk = state.locate(rows[next]).first;
        const std::size_t begin = chunk == 0 ? 0 : state.chunkEnd[chunk - 1];
        const FrameChunk& before = *state.chunks[chunk];
        std::map<std::size_t, std::vector<bool>> picked;  // by place in the chunk
        for (; next < rows.size() && rows[next] < state.chunkEnd[chunk]; ++next) {
            const FrameView frame(&before, rows[next] - begin);
            std::vector<bool> out(frame.instanceCount(), false);
            bool any = false;
            for (std::size_t i = 0; i < out.size(); ++i)
                if (remove(frame, frame.instance(i)))
                    out[i] = any = true;
            if (any)
                picked.insert_or_assign(rows[next] - begin, std::move(out));
        }
        if (picked.empty())
            continue;
        auto rebuilt = makePart<FrameChunk>();
        for (std::size_t place = 0; place < before.frames.size(); ++place) {
            const auto it = picked.find(place);
            if (it == picked.end()) {
                rebuilt->appendFrom(before, place);
                continue;
            }
            std::vector<InstanceId> gone;
            for (std::size_t i = 0; i < it->second.size(); ++i)
                if (it->second[i]) {
                    const InstanceHeader& header = before.instances[before.frames[place].instanceBegin + i];
                    gone.push_back(header.id);
                    state.predicted -= header.kind == InstanceKind::Predicted ? 1 : 0;
                }
            state.instances -= gone.size();
            removed += gone.size();
            rebuilt->appendFrom(before, place, it->second);
            for (std::uint32_t i = rebuilt->frames.back().instanceBegin; i < rebuilt->frames.back().instanceEnd; ++i)
                if (std::find(gone.begin(), gone.end(), rebuilt->instances[i].fromPredicted) != gone.end())
                    rebuilt->instances[i].fromPredicted = 0;
        }
        rebuilt->shrink();
        state.chunks[chunk] = std::move(rebuilt);
    }
    return removed;
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
    State& state = edit();
    // Frames that exist are rebuilt chunk by chunk and new ones enter the index together, so that the cost follows the
    // number of frames given and not the size of the project times that number.
    std::map<std::size_t, FrameData> replaced;
    std::map<std::pair<std::uint32_t, std::int64_t>, FrameData*> fresh;
    const auto withoutPredictions = [this](std::size_t row) {
        FrameData data = this->frame(row).toData();
        std::erase_if(data.instances, [](const InstanceData& i) { return i.header.kind == InstanceKind::Predicted; });
        // The predictions they were made from go away with the old run.
        for (InstanceData& instance : data.instances)
            instance.header.fromPredicted = 0;
        return data;
    };
    for (FrameData& frame : frames) {
        const std::vector<std::size_t> rows = state.rowsAt(frame.video, frame.frameIndex);
        if (!rows.empty()) {
            // Files may hold several records of one frame: the first takes the new predictions.
            for (std::size_t i = 1; i < rows.size(); ++i)
                replaced.insert_or_assign(rows[i], withoutPredictions(rows[i]));
            FrameData merged = withoutPredictions(rows.front());
            merged.instances.insert(merged.instances.end(), std::make_move_iterator(frame.instances.begin()),
                                    std::make_move_iterator(frame.instances.end()));
            replaced.insert_or_assign(rows.front(), std::move(merged));
        } else {
            fresh.insert_or_assign({frame.video, frame.frameIndex}, &frame);
        }
    }

    for (auto it = replaced.begin(); it != replaced.end();) {
        const std::size_t chunk = state.locate(it->first).first;
        const FrameChunk& old = *state.chunks[chunk];
        const std::size_t begin = chunk == 0 ? 0 : state.chunkEnd[chunk - 1];
        auto rebuilt = makePart<FrameChunk>();
        for (std::size_t i = 0; i < old.frames.size(); ++i) {
            FrameData data = FrameView(&old, i).toData();
            if (it != replaced.end() && it->first == begin + i) {
                state.count(data, false);
                data = std::move(it->second);
                state.giveIds(data);
                state.count(data, true);
                ++it;
            }
            rebuilt->append(data);
        }
        rebuilt->shrink();
        state.chunks[chunk] = std::move(rebuilt);
    }

    std::vector<std::tuple<std::uint32_t, std::int64_t, std::size_t>> added;
    for (FrameData& frame : frames) {
        const std::pair key(frame.video, frame.frameIndex);
        const auto it = fresh.find(key);
        if (it == fresh.end() || it->second != &frame)
            continue;
        const auto [video, index] = key;
        added.emplace_back(video, index, state.appendUnindexed(std::move(frame)));
    }
    state.addToIndex(std::move(added));
}

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
