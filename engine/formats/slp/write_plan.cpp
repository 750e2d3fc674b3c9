// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/write_plan.h"

#include <algorithm>

#include "engine/formats/slp/skeleton_json.h"

namespace skein::formats::slp {
namespace {

// What sleap-io writes at least: packages say how their images' channels are ordered.
constexpr double kLowestFormat = 1.4;

Json newMetadata() {
    Json metadata = Json::object();
    metadata["version"] = "2.0.0";
    metadata["skeletons"] = Json::array();
    metadata["nodes"] = Json::array();
    metadata["videos"] = Json::array();
    metadata["tracks"] = Json::array();
    metadata["suggestions"] = Json::array();
    metadata["negative_anchors"] = Json::object();
    metadata["provenance"] = Json::object();
    return metadata;
}

/// Old files mark frames as background by the video's number.
void remapAnchors(Json& metadata, const std::vector<project::Video>& videos) {
    const Json& anchors = member(metadata, "negative_anchors");
    bool moves = false;
    for (std::size_t i = 0; i < videos.size(); ++i)
        moves = moves || videos[i].originRow != static_cast<std::int32_t>(i);
    if (!moves || !anchors.is_object() || anchors.empty())
        return;
    Json moved = Json::object();
    for (std::size_t i = 0; i < videos.size(); ++i)
        if (const Json& marks = member(anchors, std::to_string(videos[i].originRow)); !marks.is_null())
            moved[std::to_string(i)] = marks;
    metadata["negative_anchors"] = std::move(moved);
}

std::string metadataText(const project::Labels& labels) {
    const std::string& stored = labels.origin().metadataJson;
    Json before;
    if (!stored.empty())
        if (auto parsed = parseJson(stored, "The metadata"); parsed && parsed->is_object())
            before = std::move(*parsed);
    Json metadata = before.is_object() ? before : newMetadata();
    encodeSkeletons(labels.skeletons(), metadata);
    for (const char* list : {"videos", "tracks", "suggestions"})
        if (const Json& inside = member(metadata, list); !inside.is_array() || !inside.empty())
            metadata[list] = Json::array();
    remapAnchors(metadata, labels.videos());

    Json provenance = Json::object();
    if (!labels.provenanceJson().empty())
        if (auto parsed = parseJson(labels.provenanceJson(), "The provenance"); parsed && parsed->is_object())
            provenance = std::move(*parsed);
    if (!provenance.empty() || metadata.contains("provenance"))
        metadata["provenance"] = provenance;
    std::string text = metadata == before ? strictText(stored) : writeStrictJson(metadata);
    if (text.size() > WritePlan::kLargestAttribute && !provenance.empty()) {
        // It stands in full in a dataset of its own.
        metadata["provenance"] = Json::object();
        text = writeStrictJson(metadata);
    }
    return text;
}

std::string suggestionRow(const project::Suggestion& suggestion) {
    Json row = Json::object();
    if (!suggestion.rowJson.empty())
        if (auto parsed = parseJson(suggestion.rowJson, "A suggestion"); parsed && parsed->is_object())
            row = std::move(*parsed);
    const Json before = row;
    row["video"] = std::to_string(suggestion.video);
    row["frame_idx"] = suggestion.frameIndex;
    const Json& group = member(before, "group");
    if (!group.is_null() || suggestion.group != 0 || before.empty())
        row["group"] = suggestion.group;
    return row == before ? strictText(suggestion.rowJson) : writeStrictJson(row);
}

std::string videoRow(const project::Video& video) {
    const Json row = rowFromVideo(video);
    if (!video.rowJson.empty())
        if (const auto before = parseJson(video.rowJson, "A row of the video list"); before && *before == row)
            return strictText(video.rowJson);
    return writeStrictJson(row);
}

template <class Item>
RowMap mapItems(const std::vector<Item>& items, std::uint64_t rowsRead) {
    RowMap map;
    map.to.assign(rowsRead, -1);
    std::int64_t next = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::int64_t row = items[i].originRow;
        if (row < 0)
            continue;
        if (static_cast<std::size_t>(row) < map.to.size())
            map.to[static_cast<std::size_t>(row)] = static_cast<std::int64_t>(i);
    }
    for (const std::int64_t row : map.to)
        map.identical = map.identical && row == next++;
    return map;
}

}  // namespace

WritePlan planWrite(const project::Labels& labels) {
    WritePlan plan;
    const Carried* carried = Carried::of(labels);
    std::set<std::uint32_t> usedVideos;
    std::vector<project::InstanceId> linked;
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        usedVideos.insert(frame.video());
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceView instance = frame.instance(i);
            (instance.header->kind == project::InstanceKind::User ? plan.points : plan.predictedPoints) +=
                instance.points.size();
            if (instance.header->fromPredicted != 0)
                plan.linkTargets.emplace(instance.header->fromPredicted, -1);
            ++plan.instances;
        }
    }
    for (const auto& [video, frameIndex] : labels.negativeFrames())
        usedVideos.insert(video);
    if (!plan.linkTargets.empty()) {
        std::int64_t number = 0;
        for (std::size_t row = 0; row < labels.frameCount(); ++row) {
            const project::FrameView frame = labels.frame(row);
            for (std::size_t i = 0; i < frame.instanceCount(); ++i, ++number)
                if (const auto it = plan.linkTargets.find(frame.instance(i).header->id); it != plan.linkTargets.end())
                    it->second = number;
        }
    }

    for (const project::Video& video : labels.videos())
        plan.embeddedHere.push_back(isEmbeddedHere(video, carried));
    plan.videoIds = planVideoIds(usedVideos, labels.videos(), plan.embeddedHere);
    for (std::size_t i = 0; i < labels.videos().size(); ++i) {
        project::Video video = labels.videos()[i];
        video.dataset = plan.videoIds.datasets[i];
        plan.videoRows.push_back(videoRow(video));
    }
    for (const project::Suggestion& suggestion : labels.suggestions())
        plan.suggestionRows.push_back(suggestionRow(suggestion));
    for (const project::Track& track : labels.tracks())
        plan.trackRows.push_back(writeJson(Json::array({track.spawnedOn, track.name})));
    plan.metadata = metadataText(labels);
    plan.formatId = kLowestFormat;
    if (carried != nullptr && carried->hasUnknown())
        plan.formatId = std::max(plan.formatId, labels.origin().formatId);
    return plan;
}

RowMaps mapRows(const project::Labels& labels, const Carried& carried) {
    RowMaps maps;
    maps.videos = mapItems(labels.videos(), carried.videoRows());
    maps.tracks = mapItems(labels.tracks(), carried.trackRows());
    maps.instances.to.assign(carried.instanceRows(), -1);
    maps.frames.to.assign(carried.frameRows(), -1);
    const bool wantsPlaces = carried.has(Carried::kFrameBegins);
    if (wantsPlaces)
        maps.places.assign(carried.instanceRows(), {-1, -1});
    std::int64_t number = 0;
    const auto put = [](RowMap& map, std::int64_t from, std::int64_t to) {
        // A pasted copy shares its origin: the first one keeps the references.
        if (from >= 0 && static_cast<std::size_t>(from) < map.to.size() && map.to[static_cast<std::size_t>(from)] < 0)
            map.to[static_cast<std::size_t>(from)] = to;
    };
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        put(maps.frames, frame.originRow(), static_cast<std::int64_t>(row));
        for (std::size_t i = 0; i < frame.instanceCount(); ++i, ++number) {
            const std::int64_t from = frame.instance(i).header->originRow;
            put(maps.instances, from, number);
            if (wantsPlaces && from >= 0 && static_cast<std::size_t>(from) < maps.places.size() &&
                maps.places[static_cast<std::size_t>(from)].first < 0)
                maps.places[static_cast<std::size_t>(from)] = {static_cast<std::int64_t>(row),
                                                               static_cast<std::int64_t>(i)};
        }
    }
    for (RowMap* map : {&maps.instances, &maps.frames})
        for (std::size_t i = 0; i < map->to.size(); ++i)
            map->identical = map->identical && map->to[i] == static_cast<std::int64_t>(i);
    return maps;
}

}  // namespace skein::formats::slp
