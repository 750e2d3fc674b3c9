// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/journal/list_codec.h"

#include <algorithm>
#include <utility>

namespace skein::project::journal {
namespace {

using Negative = std::pair<std::uint32_t, std::int64_t>;

// Where an entry came from in the file that was read (originRow) is stored as the place of that entry in the earlier
// list: the file may be another one when the journal is read, with the same list in it.

void put(ByteWriter& out, const Video& v, std::int64_t origin) {
    out.text(v.filename);
    out.integer(v.frameCount);
    out.integer(v.height);
    out.integer(v.width);
    out.integer(v.channels);
    out.fixed(v.fps);
    out.number(!v.grayscale ? 0 : *v.grayscale ? 2 : 1);
    out.text(v.dataset);
    out.number(v.imageFiles.size());
    for (const std::string& file : v.imageFiles)
        out.text(file);
    out.text(v.rowJson);
    out.text(v.sourceJson);
    out.integer(origin);
}
void get(ByteReader& in, Video& v, std::int64_t& origin) {
    v.filename = in.text();
    v.frameCount = in.integer();
    v.height = static_cast<int>(in.integer());
    v.width = static_cast<int>(in.integer());
    v.channels = static_cast<int>(in.integer());
    v.fps = in.fixed<double>();
    if (const auto gray = in.numberUpTo(2); gray > 0)
        v.grayscale = gray == 2;
    v.dataset = in.text();
    for (std::size_t n = in.count(); n > 0 && in.ok(); --n)
        v.imageFiles.push_back(in.text());
    v.rowJson = in.text();
    v.sourceJson = in.text();
    origin = in.integer();
}

void put(ByteWriter& out, const Track& track, std::int64_t origin) {
    out.text(track.name);
    out.integer(track.spawnedOn);
    out.integer(origin);
}
void get(ByteReader& in, Track& track, std::int64_t& origin) {
    track.name = in.text();
    track.spawnedOn = in.integer();
    origin = in.integer();
}

void put(ByteWriter& out, const Skeleton& s, std::int64_t) {
    out.text(s.name);
    out.number(s.nodes.size());
    for (const std::string& node : s.nodes)
        out.text(node);
    out.number(s.edges.size());
    for (const Edge& edge : s.edges) {
        out.integer(edge.source);
        out.integer(edge.destination);
    }
    out.number(s.symmetries.size());
    for (const auto& pair : s.symmetries) {
        out.integer(pair[0]);
        out.integer(pair[1]);
    }
    out.text(s.extraJson);
}
void get(ByteReader& in, Skeleton& s, std::int64_t&) {
    s.name = in.text();
    for (std::size_t n = in.count(); n > 0 && in.ok(); --n)
        s.nodes.push_back(in.text());
    const auto node = [&] {
        const std::int64_t index = in.integer();
        if (index < 0 || static_cast<std::size_t>(index) >= s.nodes.size())
            in.spoil();
        return static_cast<int>(index);
    };
    for (std::size_t n = in.count(2); n > 0 && in.ok(); --n) {
        const int source = node();
        s.edges.push_back({source, node()});
    }
    for (std::size_t n = in.count(2); n > 0 && in.ok(); --n) {
        const int first = node();
        s.symmetries.push_back({first, node()});
    }
    s.extraJson = in.text();
}

void put(ByteWriter& out, const Suggestion& s, std::int64_t) {
    out.number(s.video);
    out.integer(s.frameIndex);
    out.integer(s.group);
    out.text(s.rowJson);
}
void get(ByteReader& in, Suggestion& s, std::int64_t&) {
    s.video = static_cast<std::uint32_t>(in.numberUpTo(0xffffffffU));
    s.frameIndex = in.integer();
    s.group = in.integer();
    s.rowJson = in.text();
}

void put(ByteWriter& out, const Negative& n, std::int64_t) {
    out.number(n.first);
    out.integer(n.second);
}
void get(ByteReader& in, Negative& n, std::int64_t&) {
    n.first = static_cast<std::uint32_t>(in.numberUpTo(0xffffffffU));
    n.second = in.integer();
}

template <class T>
std::int64_t originOf(const T& item) {
    if constexpr (requires { item.originRow; })
        return item.originRow;
    else
        return -1;
}

template <class T>
Bytes whole(const T& item) {
    ByteWriter out;
    put(out, item, originOf(item));
    return out.take();
}

/// Place in `before` of the entry that `item` was read as; -1: it is new.
template <class T>
std::int64_t placeIn(const std::vector<T>& before, const T& item) {
    const std::int64_t origin = originOf(item);
    if (origin < 0)
        return -1;
    const auto it = std::find_if(before.begin(), before.end(), [&](const T& b) { return originOf(b) == origin; });
    return it == before.end() ? -1 : it - before.begin();
}

/// What begins and ends alike is left out.
template <class T>
void writeList(const std::vector<T>& before, const std::vector<T>& now, ByteWriter& out) {
    const bool differs = &before != &now;
    out.number(differs ? 1 : 0);
    if (!differs)
        return;
    const std::size_t most = std::min(before.size(), now.size());
    std::size_t head = 0, tail = 0;
    while (head < most && whole(before[head]) == whole(now[head]))
        ++head;
    while (tail < most - head && whole(before[before.size() - 1 - tail]) == whole(now[now.size() - 1 - tail]))
        ++tail;
    out.number(before.size());
    out.number(head);
    out.number(tail);
    out.number(now.size() - head - tail);
    for (std::size_t i = head; i < now.size() - tail; ++i)
        put(out, now[i], placeIn(before, now[i]));
}

template <class T, class Edit>
void readList(const std::vector<T>& before, ByteReader& in, Edit edit) {
    if (in.numberUpTo(1) == 0)
        return;
    const std::uint64_t size = in.number();
    const std::size_t head = in.numberUpTo(before.size());
    const std::size_t tail = in.numberUpTo(before.size() - head);
    const std::size_t fresh = in.count();
    if (size != before.size())
        in.spoil();
    if (!in.ok())
        return;
    std::vector<T> now(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(head));
    for (std::size_t i = 0; i < fresh && in.ok(); ++i) {
        T item;
        std::int64_t origin = -1;
        get(in, item, origin);
        if constexpr (requires { item.originRow; })
            item.originRow = origin >= 0 && static_cast<std::size_t>(origin) < before.size()
                                 ? before[static_cast<std::size_t>(origin)].originRow
                                 : -1;
        now.push_back(std::move(item));
    }
    now.insert(now.end(), before.end() - static_cast<std::ptrdiff_t>(tail), before.end());
    if (in.ok())
        edit() = std::move(now);
}

template <class T>
bool differ(const std::vector<T>& a, const std::vector<T>& b) {
    return &a != &b && !std::equal(a.begin(), a.end(), b.begin(), b.end(),
                                   [](const T& x, const T& y) { return whole(x) == whole(y); });
}

}  // namespace

bool listDiffers(const std::vector<Video>& a, const std::vector<Video>& b) {
    return differ(a, b);
}
bool listDiffers(const std::vector<Skeleton>& a, const std::vector<Skeleton>& b) {
    return differ(a, b);
}
bool listDiffers(const std::vector<Suggestion>& a, const std::vector<Suggestion>& b) {
    return differ(a, b);
}
bool listDiffers(const std::vector<Negative>& a, const std::vector<Negative>& b) {
    return differ(a, b);
}

void writeLists(const Labels& before, const Labels& now, ByteWriter& out) {
    writeList(before.videos(), now.videos(), out);
    writeList(before.skeletons(), now.skeletons(), out);
    writeList(before.tracks(), now.tracks(), out);
    writeList(before.suggestions(), now.suggestions(), out);
    writeList(before.negativeFrames(), now.negativeFrames(), out);
    const bool provenance = before.provenanceJson() != now.provenanceJson();
    out.number(provenance ? 1 : 0);
    if (provenance)
        out.text(now.provenanceJson());
}

void readLists(const Labels& before, ByteReader& in, Labels& labels) {
    readList(
        before.videos(), in, [&]() -> auto& { return labels.editVideos(); });
    readList(
        before.skeletons(), in, [&]() -> auto& { return labels.editSkeletons(); });
    readList(
        before.tracks(), in, [&]() -> auto& { return labels.editTracks(); });
    readList(
        before.suggestions(), in, [&]() -> auto& { return labels.editSuggestions(); });
    readList(
        before.negativeFrames(), in, [&]() -> auto& { return labels.editNegativeFrames(); });
    if (in.numberUpTo(1) == 1)
        labels.setProvenanceJson(in.text());
}

}  // namespace skein::project::journal
