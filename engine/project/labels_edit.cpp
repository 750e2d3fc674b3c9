// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/labels.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "engine/base/result.h"
#include "engine/project/detail/labels_state.h"

namespace skein::project {

void Labels::replaceFrame(std::size_t row, FrameData frame) {
    SKEIN_EXPECTS(row < frameCount(), "frame row outside the project");
    State& state = edit();
    const FrameView old = this->frame(row);
    if (old.video() != frame.video || old.frameIndex() != frame.frameIndex) {
        std::erase_if(state.index(old.video()), [row](const IndexEntry& e) { return e.row == row; });
        state.insertIntoIndex(frame.video, frame.frameIndex, row);
    }
    const auto [chunk, place] = state.locate(row);
    std::map<std::size_t, FrameData> altered;
    altered.emplace(place, std::move(frame));
    state.replaceInChunk(chunk, std::move(altered));
}

std::size_t Labels::rewriteFrames(std::span<const std::size_t> rows, const std::function<bool(FrameData&)>& change) {
    State& state = edit();
    std::size_t changed = 0;
    state.byChunk(rows, [&](std::size_t chunk, std::size_t begin, std::span<const std::size_t> some) {
        std::map<std::size_t, FrameData> altered;
        for (const std::size_t row : some) {
            const FrameView old(state.chunks[chunk].get(), row - begin);
            FrameData data = old.toData();
            if (!change(data))
                continue;
            SKEIN_EXPECTS(data.video == old.video() && data.frameIndex == old.frameIndex(), "a frame keeps its place");
            altered.insert_or_assign(row - begin, std::move(data));
        }
        changed += altered.size();
        if (!altered.empty())
            state.replaceInChunk(chunk, std::move(altered));
    });
    return changed;
}

std::size_t Labels::rewriteHeaders(std::span<const std::size_t> rows,
                                   const std::function<bool(const FrameView&, std::span<InstanceHeader>)>& change) {
    State& state = edit();
    std::size_t changed = 0;
    std::vector<InstanceHeader> headers;
    state.byChunk(rows, [&](std::size_t chunk, std::size_t begin, std::span<const std::size_t> some) {
        const std::shared_ptr<FrameChunk> before = state.chunks[chunk];
        std::shared_ptr<FrameChunk> rebuilt;
        for (const std::size_t row : some) {
            const FrameChunk::FrameRow& stored = before->frames[row - begin];
            const std::size_t count = stored.instanceEnd - stored.instanceBegin;
            // Once the chunk is copied, its headers are changed where they lie.
            std::span<InstanceHeader> own;
            if (rebuilt != nullptr) {
                own = std::span(rebuilt->instances).subspan(stored.instanceBegin, count);
            } else {
                headers.assign(before->instances.begin() + stored.instanceBegin,
                               before->instances.begin() + stored.instanceEnd);
                own = headers;
            }
            if (!change(FrameView(before.get(), row - begin), own))
                continue;
            ++changed;
            if (rebuilt != nullptr)
                continue;
            rebuilt = FrameChunk::withPointsOf(*before);
            std::copy(headers.begin(), headers.end(), rebuilt->instances.begin() + stored.instanceBegin);
        }
        if (rebuilt != nullptr)
            state.chunks[chunk] = std::move(rebuilt);
    });
    return changed;
}

std::size_t Labels::removeInstances(std::span<const std::size_t> rows,
                                    const std::function<bool(const FrameView&, const InstanceView&)>& remove) {
    State& state = edit();
    std::size_t removed = 0;
    state.byChunk(rows, [&](std::size_t chunk, std::size_t begin, std::span<const std::size_t> some) {
        const FrameChunk& before = *state.chunks[chunk];
        std::map<std::size_t, std::vector<bool>> picked;  // by place in the chunk
        for (const std::size_t row : some) {
            const FrameView frame(&before, row - begin);
            std::vector<bool> out(frame.instanceCount(), false);
            bool any = false;
            for (std::size_t i = 0; i < out.size(); ++i)
                if (remove(frame, frame.instance(i)))
                    out[i] = any = true;
            if (any)
                picked.insert_or_assign(row - begin, std::move(out));
        }
        if (picked.empty())
            return;
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
    });
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

    std::vector<std::size_t> rows;
    for (const auto& [row, frame] : replaced)
        rows.push_back(row);
    state.byChunk(rows, [&](std::size_t chunk, std::size_t begin, std::span<const std::size_t> some) {
        std::map<std::size_t, FrameData> altered;
        for (const std::size_t row : some)
            altered.emplace(row - begin, std::move(replaced.at(row)));
        state.replaceInChunk(chunk, std::move(altered));
        state.chunks[chunk]->shrink();
    });

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

}  // namespace skein::project
