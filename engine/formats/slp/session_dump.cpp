// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/session_dump.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/slp/columns.h"

namespace skein::formats::slp {
namespace {

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

std::int64_t whole(const Json& value, std::int64_t fallback = -1) {
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_string())
        return std::strtoll(value.get_ref<const std::string&>().c_str(), nullptr, 10);
    return fallback;
}

bool inside(std::int64_t begin, std::int64_t end, std::size_t size) {
    return begin >= 0 && begin <= end && static_cast<std::size_t>(end) <= size;
}

/// Three-dimensional points, the first three of `width` numbers each.
Json points(const std::vector<double>& values, std::size_t width, std::int64_t begin, std::int64_t end) {
    if (width < 3 || begin >= end || !inside(begin, end, values.size() / width))
        return {};
    Json list = Json::array();
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        list.push_back(
            Json::array({number(values[i * width]), number(values[i * width + 1]), number(values[i * width + 2])}));
    return list;
}

class Describer {
public:
    Describer(hid_t objects, const Carried& carried, const RowMaps& maps) : m_objects(objects), m_maps(maps) {
        if (carried.has(Carried::kFrameBegins))
            if (auto begins = h5::readIntegers(carried.root(), Carried::kFrameBegins))
                m_frameBegins = std::move(*begins);
    }

    Json describe(const Json& session) const {
        Json out = Json::object();
        out["cameras"] = Json::array();
        const Json& calibration = member(session, "calibration");
        if (calibration.is_object())
            for (const auto& [key, camera] : calibration.items()) {
                if (key == "metadata")
                    continue;
                Json described = Json::object();
                for (const char* name : {"name", "size", "matrix", "distortions", "rotation", "translation"})
                    described[name] = member(camera, name);
                out["cameras"].push_back(std::move(described));
            }
        out["videos"] = Json::object();
        if (const Json& videos = member(session, "camcorder_to_video_idx_map"); videos.is_object())
            for (const auto& [camera, video] : videos.items())
                out["videos"][camera] = m_maps.videos.identical ? whole(video) : m_maps.videos(whole(video));
        out["metadata"] = Json::object();
        if (session.is_object())
            for (const auto& [key, value] : session.items())
                if (key != "calibration" && key != "camcorder_to_video_idx_map" && key != "fg_start" &&
                    key != "fg_end" && key != "frame_group_dicts")
                    out["metadata"][key] = value;
        std::map<std::int64_t, Json> groups;
        if (const Json& inner = member(session, "frame_group_dicts"); inner.is_array()) {
            for (const Json& group : inner)
                groups[whole(member(group, "frame_idx"))] = inlineGroups(group);
        } else {
            groups = tableGroups(whole(member(session, "fg_start"), 0), whole(member(session, "fg_end"), 0));
        }
        out["frame_groups"] = Json::array();
        for (auto& [frame, list] : groups) {
            Json group = Json::object();
            group["frame_idx"] = frame;
            group["instance_groups"] = std::move(list);
            out["frame_groups"].push_back(std::move(group));
        }
        return out;
    }

private:
    Json place(std::int64_t frame, std::int64_t at) const {
        if (frame < 0 || at < 0 || static_cast<std::size_t>(frame) >= m_frameBegins.size())
            return {};
        const std::int64_t row = m_frameBegins[static_cast<std::size_t>(frame)] + at;
        if (row < 0 || static_cast<std::size_t>(row) >= m_maps.places.size() ||
            m_maps.places[static_cast<std::size_t>(row)].first < 0)
            return {};
        return Json::array(
            {m_maps.places[static_cast<std::size_t>(row)].first, m_maps.places[static_cast<std::size_t>(row)].second});
    }

    Json inlineGroups(const Json& frameGroup) const {
        Json list = Json::array();
        for (const Json& group : member(frameGroup, "instance_groups")) {
            Json out = Json::object();
            out["score"] = member(group, "score");
            out["identity"] = member(group, "identity_idx");
            out["members"] = Json::array();
            if (const Json& members = member(group, "camcorder_to_lf_and_inst_idx_map"); members.is_object())
                for (const auto& [camera, at] : members.items())
                    if (at.is_array() && at.size() >= 2)
                        out["members"].push_back(Json::array({whole(Json(camera)), place(whole(at[0]), whole(at[1]))}));
            out["points_3d"] = member(group, "points");
            list.push_back(std::move(out));
        }
        return list;
    }

    std::map<std::int64_t, Json> tableGroups(std::int64_t begin, std::int64_t end) const {
        std::map<std::int64_t, Json> groups;
        const Columns frames(m_objects, "session_data/frame_groups");
        const Columns instances(m_objects, "session_data/instance_groups");
        const Columns members(m_objects, "session_data/instance_group_members");
        if (!inside(begin, end, frames.rows()))
            return groups;
        const auto frame = frames.integers("frame_idx");
        const auto groupBegin = frames.integers("ig_start");
        const auto groupEnd = frames.integers("ig_end");
        const auto identity = instances.integers("identity_idx");
        const auto score = instances.numbers("score");
        const auto pointBegin = instances.integers("pts3d_start");
        const auto pointEnd = instances.integers("pts3d_end");
        const auto predicted = instances.integers("pts3d_predicted", 0);
        const auto memberBegin = instances.integers("member_start");
        const auto memberEnd = instances.integers("member_end");
        const auto camera = members.integers("camera");
        const auto row = members.integers("lf");
        const auto at = members.integers("inst");
        const auto read = [&](const char* name) {
            auto values =
                h5::exists(m_objects, name) ? h5::readNumbers(m_objects, name) : Result<std::vector<double>>();
            return values ? std::move(*values) : std::vector<double>();
        };
        const std::vector<double> user = read("session_data/points_3d");
        const std::vector<double> model = read("session_data/pred_points_3d");
        for (std::int64_t f = begin; f < end; ++f) {
            const auto fi = static_cast<std::size_t>(f);
            Json list = Json::array();
            if (inside(groupBegin[fi], groupEnd[fi], instances.rows()))
                for (auto g = static_cast<std::size_t>(groupBegin[fi]); g < static_cast<std::size_t>(groupEnd[fi]);
                     ++g) {
                    Json out = Json::object();
                    out["score"] = number(score[g]);
                    out["identity"] = identity[g] >= 0 ? Json(identity[g]) : Json();
                    out["members"] = Json::array();
                    if (inside(memberBegin[g], memberEnd[g], members.rows()))
                        for (auto m = static_cast<std::size_t>(memberBegin[g]);
                             m < static_cast<std::size_t>(memberEnd[g]); ++m)
                            out["members"].push_back(Json::array({camera[m], place(row[m], at[m])}));
                    out["points_3d"] = predicted[g] != 0 ? points(model, 4, pointBegin[g], pointEnd[g])
                                                         : points(user, 3, pointBegin[g], pointEnd[g]);
                    list.push_back(std::move(out));
                }
            groups[frame[fi]] = std::move(list);
        }
        return groups;
    }

    hid_t m_objects;
    const RowMaps& m_maps;
    std::vector<std::int64_t> m_frameBegins;
};

}  // namespace

Json describeSessions(hid_t objects, const Carried& carried, const RowMaps& maps) {
    if (!h5::exists(objects, "sessions_json"))
        return {};
    const auto texts = h5::readStrings(objects, "sessions_json");
    if (!texts || texts->empty())
        return {};
    const Describer describer(objects, carried, maps);
    Json list = Json::array();
    for (const std::string& text : *texts)
        if (const auto session = parseJson(text, "A recording session"))
            list.push_back(describer.describe(*session));
    return list;
}

}  // namespace skein::formats::slp
