// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"

// How Labels keeps its frames; for the sources of Labels alone.
namespace skein::project {

inline constexpr std::size_t kFramesPerChunk = 64;

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

    /// Calls work(chunk, first row of the chunk, rows in it) for each chunk that holds some of `rows`, which ascend.
    template <class F>
    void byChunk(std::span<const std::size_t> given, F work) const {
        for (std::size_t next = 0; next < given.size();) {
            SKEIN_EXPECTS(given[next] < rows(), "frame row outside the project");
            const std::size_t chunk = locate(given[next]).first;
            const std::size_t from = next;
            while (next < given.size() && given[next] < chunkEnd[chunk])
                ++next;
            work(chunk, chunk == 0 ? 0 : chunkEnd[chunk - 1], given.subspan(from, next - from));
        }
    }

    /// Puts other frames in the given places of a chunk, which keep their video and frame index. Counts and ids follow.
    void replaceInChunk(std::size_t chunk, std::map<std::size_t, FrameData> altered) {
        const std::shared_ptr<FrameChunk> before = chunks[chunk];
        auto rebuilt = std::make_shared<FrameChunk>();
        rebuilt->reserveAs(*before);
        for (std::size_t place = 0; place < before->frames.size(); ++place) {
            const auto it = altered.find(place);
            if (it == altered.end()) {
                rebuilt->appendFrom(*before, place);
                continue;
            }
            count(FrameView(before.get(), place).toData(), false);
            giveIds(it->second);
            count(it->second, true);
            rebuilt->append(it->second);
        }
        chunks[chunk] = std::move(rebuilt);
    }
};

}  // namespace skein::project
