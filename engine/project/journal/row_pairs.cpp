// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/journal/row_pairs.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace skein::project::journal {
namespace {

bool sameBits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool sameBits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

/// Rows of a gap between shared runs: the same rows in order where they come from the same rows of the file, else as
/// their instances tell.
void pairGap(const Labels& before, const std::vector<std::size_t>& old, const Labels& now, std::size_t first,
             std::size_t last, std::vector<RowRun>& runs) {
    bool inOrder = old.size() == last - first;
    for (std::size_t i = 0; i < old.size() && inOrder; ++i)
        inOrder = before.frame(old[i]).originRow() == now.frame(first + i).originRow();
    if (inOrder) {
        for (std::size_t i = 0; i < old.size(); ++i)
            runs.push_back({old[i], first + i, 1, false});
        return;
    }
    // An instance never leaves its row; rows without instances are known by where they come from.
    using Key = std::tuple<std::int64_t, std::uint32_t, std::int64_t>;
    const auto keyOf = [](const FrameView& frame) {
        return frame.originRow() >= 0 ? Key(frame.originRow(), 0, 0) : Key(-1, frame.video(), frame.frameIndex());
    };
    std::unordered_map<InstanceId, std::size_t> byInstance;
    std::multimap<Key, std::size_t> byKey;
    for (const std::size_t row : old) {
        const FrameView frame = before.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            byInstance.emplace(frame.instance(i).header->id, row);
        byKey.emplace(keyOf(frame), row);
    }
    std::vector<std::size_t> pairs(last - first, kNoRow);
    std::unordered_set<std::size_t> taken;
    for (std::size_t row = first; row < last; ++row) {
        const FrameView frame = now.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount() && pairs[row - first] == kNoRow; ++i)
            if (const auto it = byInstance.find(frame.instance(i).header->id);
                it != byInstance.end() && taken.insert(it->second).second)
                pairs[row - first] = it->second;
    }
    for (std::size_t row = first; row < last; ++row) {
        if (pairs[row - first] == kNoRow) {
            const auto [from, to] = byKey.equal_range(keyOf(now.frame(row)));
            const auto it = std::find_if(from, to, [&](const auto& e) { return taken.insert(e.second).second; });
            if (it != to)
                pairs[row - first] = it->second;
        }
        runs.push_back({pairs[row - first], row, 1, false});
    }
}

}  // namespace

std::vector<RowRun> pairRows(const Labels& before, const Labels& now) {
    std::vector<RowRun> runs;
    if (before.isUnchangedCopyOf(now)) {
        if (now.frameCount() > 0)
            runs.push_back({0, 0, now.frameCount(), true});
        return runs;
    }
    const std::vector<SharedRows> shared = now.rowsSharedWith(before);
    std::size_t row = 0, oldRow = 0;
    const auto gap = [&](std::size_t to, std::size_t oldTo) {
        std::vector<std::size_t> old;
        for (std::size_t i = oldRow; i < oldTo; ++i)
            old.push_back(i);
        if (row < to)
            pairGap(before, old, now, row, to, runs);
    };
    for (const SharedRows& run : shared) {
        // Chunks only ever keep their order: rows in between belong together.
        gap(run.now, run.before);
        runs.push_back({run.before, run.now, run.count, true});
        row = run.now + run.count;
        oldRow = run.before + run.count;
    }
    gap(now.frameCount(), before.frameCount());
    return runs;
}

std::size_t placeOf(const FrameView& frame, InstanceId id, std::size_t guess) {
    const std::size_t count = frame.instanceCount();
    if (guess < count && frame.instance(guess).header->id == id)
        return guess;
    for (std::size_t i = 0; i < count; ++i)
        if (frame.instance(i).header->id == id)
            return i;
    return count;
}

bool sameHeader(const InstanceHeader& a, const InstanceHeader& b) {
    return a.kind == b.kind && a.skeleton == b.skeleton && a.track == b.track && a.fromPredicted == b.fromPredicted &&
           sameBits(a.score, b.score) && sameBits(a.trackingScore, b.trackingScore);
}

bool samePoints(const InstanceView& a, const InstanceView& b) {
    if (a.points.size() != b.points.size())
        return false;
    if (a.points.data() == b.points.data())
        return true;
    for (std::size_t i = 0; i < a.points.size(); ++i) {
        const Point &p = a.points[i], &q = b.points[i];
        if (!sameBits(p.x, q.x) || !sameBits(p.y, q.y) || !sameBits(p.score, q.score) || p.visible != q.visible ||
            p.complete != q.complete)
            return false;
    }
    return true;
}

}  // namespace skein::project::journal
