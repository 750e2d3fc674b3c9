// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_layout.h"

#include <algorithm>
#include <map>
#include <queue>

namespace skein::ui {

namespace {

void order(std::vector<LaneLayout::Track>& tracks, LaneOrder by, const std::function<std::string(int)>& name) {
    const auto sort = [&tracks](auto key) {
        std::stable_sort(tracks.begin(), tracks.end(),
                         [&key](const LaneLayout::Track& a, const LaneLayout::Track& b) { return key(a) < key(b); });
    };
    sort([](const LaneLayout::Track& t) { return t.track; });
    switch (by) {
        case LaneOrder::Index:
            break;
        case LaneOrder::FirstFrame:
            sort([](const LaneLayout::Track& t) { return t.first; });
            break;
        case LaneOrder::Length:
            sort([](const LaneLayout::Track& t) { return -t.length; });
            break;
        case LaneOrder::Issues:
            sort([](const LaneLayout::Track& t) { return -t.issues; });
            break;
        case LaneOrder::Name: {
            std::map<int, std::string> names;
            for (const LaneLayout::Track& t : tracks)
                names[t.track] = name ? name(t.track) : std::string();
            sort([&names](const LaneLayout::Track& t) -> const std::string& { return names.at(t.track); });
            break;
        }
    }
}

}  // namespace

int LaneLayout::trackAt(int row, std::int64_t frame) const {
    if (row < 0 || static_cast<std::size_t>(row) >= rows.size())
        return -1;
    const auto& tracks = rows[static_cast<std::size_t>(row)];
    const auto it = std::upper_bound(tracks.begin(), tracks.end(), frame,
                                     [](std::int64_t key, const Track& t) { return key < t.first; });
    return it != tracks.begin() && std::prev(it)->last >= frame ? static_cast<int>(it - tracks.begin()) - 1 : -1;
}

LaneLayout layOutLanes(std::vector<LaneLayout::Track> tracks, LaneOrder by, bool packed, std::int64_t gap,
                       const std::function<std::string(int)>& name) {
    LaneLayout layout;
    order(tracks, by, name);
    int most = -1;
    for (const LaneLayout::Track& t : tracks)
        most = std::max(most, t.track);
    layout.rowOf.assign(static_cast<std::size_t>(most + 1), -1);
    if (!packed) {
        for (const LaneLayout::Track& t : tracks) {
            layout.rowOf[static_cast<std::size_t>(t.track)] = static_cast<std::int32_t>(layout.rows.size());
            layout.rows.push_back({t});
        }
        return layout;
    }
    // By first frame each track takes the row that has been free for the longest time; the rows then follow the order.
    std::vector<std::size_t> place(tracks.size());
    for (std::size_t i = 0; i < place.size(); ++i)
        place[i] = i;
    std::stable_sort(place.begin(), place.end(),
                     [&tracks](std::size_t a, std::size_t b) { return tracks[a].first < tracks[b].first; });
    struct Row {
        std::vector<LaneLayout::Track> tracks;
        std::size_t rank;  // of its best track
    };
    std::vector<Row> rows;
    using Free = std::pair<std::int64_t, std::size_t>;  // end of the last track, row
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
    for (const std::size_t i : place) {
        std::size_t row = rows.size();
        if (!free.empty() && free.top().first + gap < tracks[i].first) {
            row = free.top().second;
            free.pop();
        } else {
            rows.push_back({{}, i});
        }
        rows[row].tracks.push_back(tracks[i]);
        rows[row].rank = std::min(rows[row].rank, i);
        free.emplace(tracks[i].last, row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.rank < b.rank; });
    for (Row& row : rows) {
        for (const LaneLayout::Track& t : row.tracks)
            layout.rowOf[static_cast<std::size_t>(t.track)] = static_cast<std::int32_t>(layout.rows.size());
        layout.rows.push_back(std::move(row.tracks));
    }
    return layout;
}

}  // namespace skein::ui
