// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/references.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>

#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/json/json.h"
#include "engine/formats/try.h"

namespace skein::formats::slp {
namespace {

using Integers = std::vector<std::int64_t>;

/// Type that takes one field out of a compound, as int64; or int64 itself for a plain column.
Result<h5::Id> int64Type(const h5::Dataset& dataset, const std::string& field) {
    if (field.empty())
        return h5::Id(H5Tcopy(H5T_NATIVE_INT64));
    h5::Id type(H5Tcreate(H5T_COMPOUND, sizeof(std::int64_t)));
    if (dataset.typeClass() != H5T_COMPOUND || H5Tget_member_index(dataset.type.get(), field.c_str()) < 0)
        return fail(ErrorCode::Format, "The table " + dataset.name + " has no field " + field + ".");
    H5Tinsert(type.get(), field.c_str(), 0, H5T_NATIVE_INT64);
    return type;
}

/// One column, given as a dataset of its own or as a field of a compound dataset.
struct Column {
    std::string dataset;
    std::string field;
};

bool hasColumn(hid_t file, const Column& column) {
    if (h5::objectKind(file, column.dataset.substr(0, column.dataset.find('/'))) == h5::ObjectKind::None ||
        !h5::exists(file, column.dataset))
        return false;
    if (column.field.empty())
        return true;
    const auto dataset = h5::openDataset(file, column.dataset);
    return dataset && dataset->typeClass() == H5T_COMPOUND &&
           H5Tget_member_index(dataset->type.get(), column.field.c_str()) >= 0;
}

Result<Integers> readColumn(hid_t file, const Column& column) {
    SKEIN_TRY(dataset, h5::openDataset(file, column.dataset));
    SKEIN_TRY(type, int64Type(dataset, column.field));
    Integers values(static_cast<std::size_t>(dataset.rows()));
    SKEIN_CHECK(h5::readRows(dataset, type.get(), 0, dataset.rows(), values.data()));
    return values;
}

Result<void> writeColumn(hid_t file, const Column& column, const Integers& values) {
    SKEIN_TRY(dataset, h5::openDataset(file, column.dataset));
    SKEIN_TRY(type, int64Type(dataset, column.field));
    return h5::writeRows(dataset, type.get(), 0, values.size(), values.data());
}

/// Changes the values of a column where it exists; negative ones mean none and stay.
Result<void> remapColumn(hid_t file, const Column& column, const RowMap& map) {
    if (map.identical || !hasColumn(file, column))
        return {};
    SKEIN_TRY(values, readColumn(file, column));
    Integers changed = values;
    for (std::int64_t& value : changed)
        if (value >= 0)
            value = map(value);
    return changed == values ? Result<void>() : writeColumn(file, column, changed);
}

/// Rewrites a dataset of any type with only the rows where `keep` is set.
Result<void> keepRows(hid_t file, const std::string& name, const std::vector<bool>& keep) {
    if (!h5::exists(file, name))
        return {};
    SKEIN_TRY(dataset, h5::openDataset(file, name));
    if (dataset.dims.empty() || dataset.rows() != keep.size())
        return {};
    const std::size_t rowBytes = static_cast<std::size_t>(dataset.rowElements()) * dataset.typeSize;
    std::vector<char> bytes(keep.size() * rowBytes);
    SKEIN_CHECK(h5::readRows(dataset, dataset.type.get(), 0, keep.size(), bytes.data()));
    std::vector<char> kept;
    hsize_t rows = 0;
    for (std::size_t row = 0; row < keep.size(); ++row)
        if (keep[row]) {
            kept.insert(kept.end(), bytes.begin() + static_cast<std::ptrdiff_t>(row * rowBytes),
                        bytes.begin() + static_cast<std::ptrdiff_t>((row + 1) * rowBytes));
            ++rows;
        }

    const h5::Id plan(H5Dget_create_plist(dataset.id.get()));
    std::vector<hsize_t> dims = dataset.dims;
    std::vector<hsize_t> limits(dims.size());
    const h5::Id oldSpace(H5Dget_space(dataset.id.get()));
    H5Sget_simple_extent_dims(oldSpace.get(), nullptr, limits.data());
    dims.front() = rows;
    if (limits.front() != H5S_UNLIMITED)
        limits.front() = rows;
    if (rows == 0 && H5Pget_layout(plan.get()) == H5D_CHUNKED && limits.front() != H5S_UNLIMITED)
        limits.front() = H5S_UNLIMITED;
    // A fixed extent must not be smaller than a chunk.
    if (H5Pget_layout(plan.get()) == H5D_CHUNKED && limits.front() != H5S_UNLIMITED) {
        std::vector<hsize_t> chunk(dims.size());
        H5Pget_chunk(plan.get(), static_cast<int>(chunk.size()), chunk.data());
        chunk.front() = std::min(chunk.front(), rows);
        H5Pset_chunk(plan.get(), static_cast<int>(chunk.size()), chunk.data());
    }
    const h5::Id space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), limits.data()));
    const std::string fresh = name + ".skein-new";
    h5::Dataset written;
    written.name = name;
    written.dims = dims;
    written.id =
        h5::Id(H5Dcreate2(file, fresh.c_str(), dataset.type.get(), space.get(), H5P_DEFAULT, plan.get(), H5P_DEFAULT));
    if (!written.id)
        return h5::failure(ErrorCode::Io, "write the table " + name);
    SKEIN_CHECK(h5::writeRows(written, dataset.type.get(), 0, rows, kept.data()));
    const hsize_t elements = keep.size() * dataset.rowElements();
    const h5::Id memory(H5Screate_simple(1, &elements, nullptr));
    H5Dvlen_reclaim(dataset.type.get(), memory.get(), H5P_DEFAULT, bytes.data());
    for (const std::string& attribute : h5::attributeNames(dataset.id.get()))
        SKEIN_CHECK(h5::copyAttribute(dataset.id.get(), written.id.get(), attribute));
    if (H5Ldelete(file, name.c_str(), H5P_DEFAULT) < 0 ||
        H5Lmove(file, fresh.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0)
        return h5::failure(ErrorCode::Io, "write the table " + name);
    return {};
}

/// One kind of annotation: a list whose rows name videos, tracks and instances, with lists beside it.
struct Modality {
    std::string table;                  ///< group of columns, or compound dataset
    std::int64_t ownerType;             ///< how links name it; -1 never
    std::vector<std::string> beside;    ///< datasets with one row per row of the table
    std::vector<Column> rowReferences;  ///< columns elsewhere that hold row numbers of this table
};

const std::array<Modality, 6>& modalities() {
    static const std::array<Modality, 6> kModalities = {{
        {"bboxes", 4, {}, {}},
        {"centroids", 2, {}, {}},
        {"rois", 5, {"roi_categories", "roi_names", "roi_sources"}, {}},
        {"masks",
         3,
         {"mask_categories", "mask_names", "mask_sources"},
         {{"masks", "from_predicted"}, {"mask_score_map_index", "mask_idx"}}},
        {"label_images", -1, {"label_image_sources", "label_image_data"}, {{"label_image_score_map_index", "li_idx"}}},
        {"events", -1, {}, {{"events/meta_owner", ""}}},
    }};
    return kModalities;
}

Column columnOf(hid_t file, const std::string& table, const std::string& name) {
    if (h5::objectKind(file, table) == h5::ObjectKind::Group)
        return {table + "/" + name, ""};
    return {table, name};
}

/// Score traces of events lie end to end: those of removed events are cut out.
Result<void> keepEventScores(hid_t file, const std::vector<bool>& keep) {
    if (!h5::exists(file, "events/score_offsets"))
        return {};
    SKEIN_TRY(offsets, h5::readIntegers(file, "events/score_offsets"));
    if (offsets.size() != keep.size() + 1)
        return {};
    Integers shorter = {0};
    std::vector<bool> keepScore(static_cast<std::size_t>(std::max<std::int64_t>(offsets.back(), 0)), false);
    for (std::size_t i = 0; i < keep.size(); ++i) {
        if (!keep[i])
            continue;
        for (std::int64_t k = std::max<std::int64_t>(offsets[i], 0);
             k < std::min(offsets[i + 1], static_cast<std::int64_t>(keepScore.size())); ++k)
            keepScore[static_cast<std::size_t>(k)] = true;
        shorter.push_back(shorter.back() + std::max<std::int64_t>(offsets[i + 1] - offsets[i], 0));
    }
    SKEIN_CHECK(keepRows(file, "events/scores", keepScore));
    std::vector<bool> keepOffset(offsets.size(), false);
    std::fill(keepOffset.begin(), keepOffset.begin() + static_cast<std::ptrdiff_t>(shorter.size()), true);
    SKEIN_CHECK(keepRows(file, "events/score_offsets", keepOffset));
    return writeColumn(file, {"events/score_offsets", ""}, shorter);
}

/// Removes the rows whose video is gone and returns where the others went.
Result<RowMap> removeRows(hid_t file, const Modality& kind, const RowMap& videos) {
    RowMap moved;
    const Column video = columnOf(file, kind.table, "video");
    if (videos.identical || !hasColumn(file, video))
        return moved;
    SKEIN_TRY(values, readColumn(file, video));
    std::vector<bool> keep(values.size(), true);
    std::int64_t next = 0;
    for (std::size_t row = 0; row < values.size(); ++row) {
        keep[row] = values[row] < 0 || videos(values[row]) >= 0;
        moved.to.push_back(keep[row] ? next++ : -1);
        moved.identical = moved.identical && keep[row];
    }
    if (moved.identical)
        return moved;
    if (kind.table == "events")
        SKEIN_CHECK(keepEventScores(file, keep));
    if (h5::objectKind(file, kind.table) == h5::ObjectKind::Group) {
        SKEIN_TRY(group, h5::openGroup(file, kind.table));
        for (const std::string& column : h5::linkNames(group.get()))
            if (column.rfind("meta_", 0) != 0 && column.rfind("score", 0) != 0)
                SKEIN_CHECK(keepRows(file, kind.table + "/" + column, keep));
        if (kind.table != "events" || h5::exists(file, "events/score"))
            SKEIN_CHECK(keepRows(file, kind.table + "/score", keep));
    } else {
        SKEIN_CHECK(keepRows(file, kind.table, keep));
        for (const std::string& name : kind.beside)
            SKEIN_CHECK(keepRows(file, name, keep));
    }
    for (const Column& reference : kind.rowReferences) {
        if (!hasColumn(file, reference))
            continue;
        SKEIN_CHECK(remapColumn(file, reference, moved));
        if (reference.dataset == kind.table)
            continue;
        // Rows that described a removed row go with it.
        SKEIN_TRY(owners, readColumn(file, reference));
        std::vector<bool> keepOwned;
        for (const std::int64_t owner : owners)
            keepOwned.push_back(owner >= 0);
        const std::string folder = reference.dataset.substr(0, reference.dataset.rfind('/') + 1);
        const bool attributes =
            reference.dataset.size() > 10 && reference.dataset.find("meta_owner") != std::string::npos;
        for (const char* name : {"meta_key", "meta_val"})
            if (attributes)
                SKEIN_CHECK(keepRows(file, folder + name, keepOwned));
        SKEIN_CHECK(keepRows(file, reference.dataset, keepOwned));
    }
    return moved;
}

/// Links from owners (instances and annotations) to identities, categories or vectors. Owners that are gone take their
/// rows with them.
Result<void> updateLinks(hid_t file, const Column& type, const Column& id, const std::vector<std::string>& datasets,
                         const std::map<std::int64_t, const RowMap*>& owners) {
    if (!hasColumn(file, type) || !hasColumn(file, id))
        return {};
    SKEIN_TRY(types, readColumn(file, type));
    SKEIN_TRY(ids, readColumn(file, id));
    if (types.size() != ids.size())
        return {};
    std::vector<bool> keep(ids.size(), true);
    Integers changed = ids;
    for (std::size_t row = 0; row < ids.size(); ++row) {
        const auto owner = owners.find(types[row]);
        if (owner == owners.end() || owner->second->identical)
            continue;
        changed[row] = (*owner->second)(ids[row]);
        keep[row] = changed[row] >= 0;
    }
    if (changed != ids)
        SKEIN_CHECK(writeColumn(file, id, changed));
    if (std::find(keep.begin(), keep.end(), false) != keep.end())
        for (const std::string& name : datasets)
            SKEIN_CHECK(keepRows(file, name, keep));
    return {};
}

/// Track index of events whose subject or target is a track.
Result<void> updateEventTracks(hid_t file, const RowMap& tracks) {
    for (const std::string side : {"subject", "target"}) {
        const Column kind = {"events/" + side + "_kind", ""};
        const Column index = {"events/" + side + "_idx", ""};
        if (tracks.identical || !hasColumn(file, kind) || !hasColumn(file, index))
            continue;
        SKEIN_TRY(kinds, readColumn(file, kind));
        SKEIN_TRY(indices, readColumn(file, index));
        constexpr std::int64_t kTrack = 1;
        for (std::size_t row = 0; row < std::min(kinds.size(), indices.size()); ++row) {
            if (kinds[row] != kTrack || indices[row] < 0)
                continue;
            indices[row] = tracks(indices[row]);
            if (indices[row] < 0)
                kinds[row] = 0;
        }
        SKEIN_CHECK(writeColumn(file, kind, kinds));
        SKEIN_CHECK(writeColumn(file, index, indices));
    }
    return {};
}

class Sessions {
public:
    Sessions(hid_t file, const RowMaps& maps, Integers frameBegins)
        : m_file(file), m_maps(maps), m_frameBegins(std::move(frameBegins)) {}

    Result<void> update() {
        SKEIN_CHECK(updateTable());
        return updateRows();
    }
    [[nodiscard]] std::size_t lost() const { return m_lost; }

private:
    /// Where the instance at `place` of frame row `frame` is now; nullopt when it is gone.
    std::optional<std::pair<std::int64_t, std::int64_t>> moved(std::int64_t frame, std::int64_t place) {
        if (frame >= 0 && static_cast<std::size_t>(frame) < m_frameBegins.size() && place >= 0) {
            const std::int64_t row = m_frameBegins[static_cast<std::size_t>(frame)] + place;
            if (row >= 0 && static_cast<std::size_t>(row) < m_maps.places.size() &&
                m_maps.places[static_cast<std::size_t>(row)].first >= 0)
                return m_maps.places[static_cast<std::size_t>(row)];
        }
        ++m_lost;
        return std::nullopt;
    }

    Result<void> updateTable() {
        const std::string members = "session_data/instance_group_members";
        const std::string groups = "session_data/instance_groups";
        if (!hasColumn(m_file, {members, "lf"}) || !hasColumn(m_file, {members, "inst"}))
            return {};
        SKEIN_TRY(frames, readColumn(m_file, {members, "lf"}));
        SKEIN_TRY(places, readColumn(m_file, {members, "inst"}));
        std::vector<bool> keep(frames.size(), true);
        Integers before = {0};  // members kept before each row
        for (std::size_t row = 0; row < frames.size(); ++row) {
            const auto place = moved(frames[row], places[row]);
            keep[row] = place.has_value();
            if (place) {
                frames[row] = place->first;
                places[row] = place->second;
            }
            before.push_back(before.back() + (keep[row] ? 1 : 0));
        }
        SKEIN_CHECK(writeColumn(m_file, {members, "lf"}, frames));
        SKEIN_CHECK(writeColumn(m_file, {members, "inst"}, places));
        if (before.back() == static_cast<std::int64_t>(keep.size()))
            return {};
        SKEIN_CHECK(keepRows(m_file, members, keep));
        for (const char* field : {"member_start", "member_end"}) {
            SKEIN_TRY(rows, readColumn(m_file, {groups, field}));
            for (std::int64_t& row : rows)
                if (row >= 0 && static_cast<std::size_t>(row) < before.size())
                    row = before[static_cast<std::size_t>(row)];
            SKEIN_CHECK(writeColumn(m_file, {groups, field}, rows));
        }
        return {};
    }

    void updateFrameGroup(Json& frameGroup) {
        if (!member(frameGroup, "instance_groups").is_array())
            return;
        for (Json& group : frameGroup["instance_groups"]) {
            constexpr const char* kMembers = "camcorder_to_lf_and_inst_idx_map";
            if (!member(group, kMembers).is_object())
                continue;
            Json kept = Json::object();
            for (const auto& [camera, at] : group[kMembers].items()) {
                const auto number = [&](std::size_t i) -> std::int64_t {
                    if (!at.is_array() || at.size() < 2)
                        return -1;
                    const Json& value = at[i];
                    return value.is_string()   ? std::strtoll(value.get_ref<const std::string&>().c_str(), nullptr, 10)
                           : value.is_number() ? static_cast<std::int64_t>(value.get<double>())
                                               : -1;
                };
                if (const auto place = moved(number(0), number(1)))
                    kept[camera] = Json::array({place->first, place->second});
            }
            group[kMembers] = std::move(kept);
        }
    }

    Result<void> updateRows() {
        if (!h5::exists(m_file, "sessions_json"))
            return {};
        SKEIN_TRY(texts, h5::readStrings(m_file, "sessions_json"));
        bool changed = false;
        for (std::string& text : texts) {
            SKEIN_TRY(session, parseJson(text, "A recording session"));
            const Json before = session;
            constexpr const char* kVideos = "camcorder_to_video_idx_map";
            if (member(session, kVideos).is_object()) {
                Json videos = Json::object();
                for (const auto& [camera, index] : session[kVideos].items()) {
                    const std::int64_t old =
                        index.is_number_integer() ? index.get<std::int64_t>()
                        : index.is_string() ? std::strtoll(index.get_ref<const std::string&>().c_str(), nullptr, 10)
                                            : -1;
                    if (m_maps.videos.identical)
                        videos[camera] = index;
                    else if (m_maps.videos(old) >= 0)
                        videos[camera] = m_maps.videos(old);
                }
                session[kVideos] = std::move(videos);
            }
            if (member(session, "frame_group_dicts").is_array())
                for (Json& frameGroup : session["frame_group_dicts"])
                    updateFrameGroup(frameGroup);
            if (session == before)
                continue;
            text = writeStrictJson(session);
            changed = true;
        }
        if (!changed)
            return {};
        if (H5Ldelete(m_file, "sessions_json", H5P_DEFAULT) < 0)
            return h5::failure(ErrorCode::Io, "write the recording sessions");
        return h5::writeStrings(m_file, "sessions_json", texts);
    }

    hid_t m_file;
    const RowMaps& m_maps;
    Integers m_frameBegins;
    std::size_t m_lost = 0;
};

Result<void> updateCrops(hid_t file, const RowMap& videos) {
    if (videos.identical || !h5::exists(file, "video_crops"))
        return {};
    SKEIN_TRY(texts, h5::readStrings(file, "video_crops"));
    if (texts.empty())
        return {};
    SKEIN_TRY(crops, parseJson(texts.front(), "The list of cropped videos"));
    Json kept = Json::array();
    for (Json& crop : crops) {
        const Json& video = member(crop, "video");
        if (!video.is_number_integer() || videos(video.get<std::int64_t>()) < 0)
            continue;
        crop["video"] = videos(video.get<std::int64_t>());
        kept.push_back(crop);
    }
    if (H5Ldelete(file, "video_crops", H5P_DEFAULT) < 0)
        return h5::failure(ErrorCode::Io, "write the cropped videos");
    return kept.empty() ? Result<void>() : h5::writeText(file, "video_crops", writeStrictJson(kept));
}

}  // namespace

Result<void> updateReferences(hid_t file, const Carried& carried, const RowMaps& maps,
                              std::vector<std::string>& warnings) {
    if (maps.identical() || carried.objects().empty())
        return {};
    std::map<std::int64_t, const RowMap*> owners;
    owners[0] = &maps.instances;
    std::map<std::string, RowMap> moved;
    for (const Modality& kind : modalities()) {
        if (!h5::exists(file, kind.table))
            continue;
        SKEIN_TRY(rows, removeRows(file, kind, maps.videos));
        moved[kind.table] = std::move(rows);
        if (kind.ownerType >= 0)
            owners[kind.ownerType] = &moved[kind.table];
        SKEIN_CHECK(remapColumn(file, columnOf(file, kind.table, "video"), maps.videos));
        SKEIN_CHECK(remapColumn(file, columnOf(file, kind.table, "track"), maps.tracks));
        SKEIN_CHECK(remapColumn(file, columnOf(file, kind.table, "instance"), maps.instances));
    }
    SKEIN_CHECK(remapColumn(file, {"label_image_objects", "track"}, maps.tracks));
    SKEIN_CHECK(remapColumn(file, {"label_image_objects", "instance"}, maps.instances));
    SKEIN_CHECK(updateEventTracks(file, maps.tracks));
    for (const std::string links : {"identity/links", "categories/links"})
        SKEIN_CHECK(updateLinks(file, {links, "owner_type"}, {links, "owner_id"}, {links}, owners));
    for (const std::string prefix : {"embeddings/", "embeddings/category_"})
        SKEIN_CHECK(updateLinks(file, {prefix + "owner_type", ""}, {prefix + "owner_id", ""},
                                {prefix + "owner_type", prefix + "owner_id", prefix + "vectors"}, owners));
    SKEIN_CHECK(updateCrops(file, maps.videos));
    if (carried.has(Carried::kFrameBegins)) {
        SKEIN_TRY(begins, h5::readIntegers(carried.root(), Carried::kFrameBegins));
        Sessions sessions(file, maps, std::move(begins));
        SKEIN_CHECK(sessions.update());
        if (sessions.lost() > 0)
            warnings.push_back(std::to_string(sessions.lost()) +
                               " members of multi-camera groups were deleted; they were taken out of their groups.");
    }
    return {};
}

}  // namespace skein::formats::slp
