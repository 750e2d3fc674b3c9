// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/sha256.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp/annotations.h"
#include "engine/formats/slp/carried.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/slp_dump.h"
#include "engine/formats/try.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

using namespace slp;

/// Annotation lists of a frame, in the order of the description.
constexpr std::array<const char*, 5> kLists = {"bboxes", "centroids", "masks", "rois", "label_images"};

/// Empty texts count as absent.
Json textOrNull(const Json& value) {
    return value.is_string() && value.get_ref<const std::string&>().empty() ? Json() : value;
}

Json describeRow(const Json& row, const Json& source) {
    const Json backend = backendOf(row);
    Json out = Json::object();
    const Json& files = member(backend, "filenames");
    const Json& file = member(backend, "filename");
    out["filename"] = files.is_array() && !files.empty() ? files : file.is_null() ? member(row, "filename") : file;
    out["type"] = member(backend, "type");
    out["shape"] = member(backend, "shape");
    out["grayscale"] = member(backend, "grayscale");
    out["fps"] = member(backend, "fps");
    out["dataset"] = textOrNull(member(backend, "dataset"));
    out["input_format"] = textOrNull(member(backend, "input_format"));
    out["crop"] = nullptr;
    out["source_video"] = source.is_object() ? describeRow(source, member(source, "source_video")) : Json();
    return out;
}

Json attributeValue(hid_t object, const std::string& name) {
    if (const auto text = h5::textAttribute(object, name))
        return *text;
    const auto number = h5::numberAttribute(object, name);
    if (!number)
        return {};
    if (h5::isIntegerAttribute(object, name))
        return static_cast<std::int64_t>(*number);
    return *number;
}

/// Images of a package: attributes, numbers, and a hash of each image as stored, without the padding.
Json describeImages(const std::string& path, const std::string& dataset) {
    const auto file = h5::openFile(path);
    if (!file || h5::objectKind(file->get(), dataset) != h5::ObjectKind::Dataset)
        return {};
    const auto images = h5::openDataset(file->get(), dataset);
    if (!images || H5Aexists(images->id.get(), "format") <= 0)
        return {};
    Json out = Json::object();
    out["attrs"] = Json::object();
    for (const std::string& name : h5::attributeNames(images->id.get()))
        out["attrs"][name] = attributeValue(images->id.get(), name);
    out["n"] = images->rows();
    out["frame_numbers"] = nullptr;
    const std::string numbers = topLevelOf(dataset) + "/frame_numbers";
    if (h5::exists(file->get(), numbers))
        if (const auto frames = h5::readIntegers(file->get(), numbers))
            out["frame_numbers"] = *frames;
    const bool variable = images->typeClass() == H5T_VLEN;
    out["storage"] = variable ? "vlen" : images->dims.size() == 2 ? "padded" : "raw";
    if (images->dims.size() > 2)
        return out;
    out["encoded_sha256_16"] = Json::array();
    for (hsize_t row = 0; row < images->rows(); ++row) {
        auto bytes = h5::readImageBytes(*images, row);
        if (!bytes)
            return out;
        while (!bytes->empty() && bytes->back() == 0)
            bytes->pop_back();
        out["encoded_sha256_16"].push_back(sha256(*bytes).substr(0, 16));
    }
    return out;
}

/// Takes the text piece by piece; an error ends the description.
using Sink = std::function<Result<void>(std::string&& piece, double fraction)>;

class Dumper {
public:
    Dumper(const project::Labels& labels, Sink sink) : m_labels(labels), m_sink(std::move(sink)) {}

    /// `head`: members that describe the file, put first.
    Result<void> dump(const Json& head);

private:
    Json videos() const;
    Json skeletons() const;
    Json suggestions() const;
    Json provenance() const;
    Json counts() const;
    Result<void> describeFrames();
    void describeInstance(const project::InstanceView& instance, std::size_t row);
    void describePoints(const project::InstanceView& instance);
    void number(double value) {
        if (!std::isfinite(value)) {
            m_text += "null";
            return;
        }
        std::array<char, 40> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        const std::size_t begin = m_text.size();
        m_text.append(digits.data(), end);
        if (m_text.find_first_of(".e", begin) == std::string::npos)
            m_text += ".0";
    }
    void integer(std::int64_t value) { m_text += std::to_string(value); }
    void flag(bool value) { m_text += value ? "true" : "false"; }

    const project::Labels& m_labels;
    Sink m_sink;
    Annotations m_annotations;
    std::unordered_map<project::InstanceId, std::pair<std::size_t, std::size_t>> m_places;  ///< of link targets
    std::set<std::pair<std::uint32_t, std::int64_t>> m_negatives;
    std::map<std::string, std::size_t> m_counts;
    std::size_t m_points = 0, m_visiblePoints = 0;
    std::string m_text;  ///< that the sink has not seen yet
};

Json Dumper::videos() const {
    const Carried* carried = Carried::of(m_labels);
    Json crops;
    if (carried != nullptr && carried->has("objects/video_crops"))
        if (const auto texts = h5::readStrings(carried->root(), "objects/video_crops"); texts && !texts->empty())
            if (auto parsed = parseJson(texts->front(), "The list of cropped videos"))
                crops = std::move(*parsed);
    Json list = Json::array();
    for (const project::Video& video : m_labels.videos()) {
        Json source;
        if (!video.sourceJson.empty())
            if (auto parsed = parseJson(video.sourceJson, "The source of a video"))
                source = std::move(*parsed);
        const Json row = rowFromVideo(video);
        Json out = describeRow(row, source);
        for (const Json& crop : crops) {
            const Json& box = member(crop, "crop");
            if (member(crop, "video") != Json(video.originRow) || !box.is_array() || box.size() != 4)
                continue;
            out["crop"] = box;
            if (out["shape"].is_array() && out["shape"].size() == 4 && box[0].is_number_integer()) {
                out["shape"][1] = box[3].get<std::int64_t>() - box[1].get<std::int64_t>();
                out["shape"][2] = box[2].get<std::int64_t>() - box[0].get<std::int64_t>();
            }
        }
        if (out["filename"] == ".")
            out["embedded"] = describeImages(m_labels.origin().path, video.dataset);
        list.push_back(std::move(out));
    }
    return list;
}

Json Dumper::skeletons() const {
    Json list = Json::array();
    for (const project::Skeleton& skeleton : m_labels.skeletons()) {
        Json out = Json::object();
        out["name"] = skeleton.name;
        out["nodes"] = skeleton.nodes;
        out["edges"] = Json::array();
        for (const project::Edge& edge : skeleton.edges)
            out["edges"].push_back(Json::array({edge.source, edge.destination}));
        std::vector<std::array<int, 2>> pairs = skeleton.symmetries;
        for (auto& pair : pairs)
            std::sort(pair.begin(), pair.end());
        std::sort(pairs.begin(), pairs.end());
        out["symmetries"] = pairs;
        list.push_back(std::move(out));
    }
    return list;
}

Json Dumper::suggestions() const {
    Json list = Json::array();
    for (const project::Suggestion& suggestion : m_labels.suggestions()) {
        Json out = Json::object();
        out["video"] = suggestion.video;
        out["frame_idx"] = suggestion.frameIndex;
        out["group"] = suggestion.group;
        list.push_back(std::move(out));
    }
    return list;
}

Json Dumper::provenance() const {
    if (m_labels.provenanceJson().empty())
        return Json::object();
    auto parsed = parseJson(m_labels.provenanceJson(), "The provenance");
    if (!parsed || !parsed->is_object())
        return Json::object();
    parsed->erase("filename");
    return std::move(*parsed);
}

void Dumper::describePoints(const project::InstanceView& instance) {
    const bool predicted = instance.header->kind == project::InstanceKind::Predicted;
    m_text += "\"points\":[";
    for (std::size_t i = 0; i < instance.points.size(); ++i) {
        const project::Point& point = instance.points[i];
        m_text += i == 0 ? "[" : ",[";
        number(point.x);
        m_text += ',';
        number(point.y);
        m_text += ',';
        flag(point.visible);
        m_text += ',';
        flag(point.complete);
        m_text += ',';
        number(predicted ? point.score : project::kNaN);
        m_text += ']';
        m_visiblePoints += point.visible ? 1 : 0;
    }
    m_text += ']';
    m_points += instance.points.size();
}

void Dumper::describeInstance(const project::InstanceView& instance, std::size_t row) {
    const project::InstanceHeader& header = *instance.header;
    const bool predicted = header.kind == project::InstanceKind::Predicted;
    ++m_counts[predicted ? "predicted_instances" : "user_instances"];
    m_text += predicted ? R"({"type":"predicted","skeleton":)" : R"({"type":"user","skeleton":)";
    integer(header.skeleton);
    m_text += ",\"track\":";
    if (header.track >= 0) {
        integer(header.track);
        ++m_counts["tracked_instances"];
    } else {
        m_text += "null";
    }
    m_text += ",\"score\":";
    number(predicted ? static_cast<double>(header.score) : project::kNaN);
    m_text += ",\"tracking_score\":";
    number(header.trackingScore);
    m_text += ",\"from_predicted\":";
    const auto target = header.fromPredicted != 0 ? m_places.find(header.fromPredicted) : m_places.end();
    if (target == m_places.end()) {
        m_text += "null";
    } else {
        ++m_counts["linked_instances"];
        if (target->second.first != row) {
            m_text += '[';
            integer(static_cast<std::int64_t>(target->second.first));
            m_text += ',';
        }
        integer(static_cast<std::int64_t>(target->second.second));
        if (target->second.first != row)
            m_text += ']';
    }
    m_text += ',';
    describePoints(instance);
    if (header.originRow >= 0)
        if (const auto extra = m_annotations.instances.find(header.originRow); extra != m_annotations.instances.end())
            for (const auto& [key, value] : extra->second.items())
                m_text += ",\"" + key + "\":" + writeStrictJson(value);
    m_text += '}';
}

Result<void> Dumper::describeFrames() {
    constexpr std::size_t kPiece = 1 << 20;
    std::set<project::InstanceId> linked;
    for (std::size_t row = 0; row < m_labels.frameCount(); ++row) {
        const project::FrameView frame = m_labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            if (const auto id = frame.instance(i).header->fromPredicted; id != 0)
                linked.insert(id);
    }
    for (std::size_t row = 0; row < m_labels.frameCount() && !linked.empty(); ++row) {
        const project::FrameView frame = m_labels.frame(row);
        for (std::size_t i = 0; i < frame.instanceCount(); ++i)
            if (const auto id = frame.instance(i).header->id; linked.contains(id))
                m_places.emplace(id, std::pair(row, i));
    }
    m_negatives.insert(m_labels.negativeFrames().begin(), m_labels.negativeFrames().end());

    for (std::size_t row = 0; row < m_labels.frameCount(); ++row) {
        const project::FrameView frame = m_labels.frame(row);
        const std::pair key(frame.video(), frame.frameIndex());
        const bool negative = m_negatives.contains(key);
        m_text += row == 0 ? "{\"video\":" : ",\n{\"video\":";
        integer(frame.video());
        m_text += ",\"frame_idx\":";
        integer(frame.frameIndex());
        m_text += ",\"negative\":";
        flag(negative);
        m_text += ",\"instances\":[";
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            m_text += i == 0 ? "" : ",";
            describeInstance(frame.instance(i), row);
        }
        m_text += ']';
        m_counts["negative_frames"] += negative ? 1 : 0;
        m_counts["empty_frames"] += frame.instanceCount() == 0 ? 1 : 0;
        if (const auto lists = m_annotations.frames.find(key);
            lists != m_annotations.frames.end() && m_labels.findFrame(key.first, key.second) == row)
            for (const char* name : kLists)
                if (const Json& list = member(lists->second, name); list.is_array()) {
                    m_text += std::string(",\"") + name + "\":" + writeStrictJson(list);
                    m_counts[name] += list.size();
                }
        m_text += '}';
        if (m_text.size() >= kPiece)
            SKEIN_CHECK(m_sink(std::exchange(m_text, {}),
                               static_cast<double>(row) / static_cast<double>(m_labels.frameCount())));
    }
    return {};
}

Json Dumper::counts() const {
    std::map<std::string, std::size_t> found = m_counts;
    found["points"] = m_points;
    found["visible_points"] = m_visiblePoints;
    Json counts = Json::object();
    counts["videos"] = m_labels.videos().size();
    counts["skeletons"] = m_labels.skeletons().size();
    counts["tracks"] = m_labels.tracks().size();
    counts["frames"] = m_labels.frameCount();
    for (const char* name : {"empty_frames", "negative_frames", "user_instances", "predicted_instances"})
        counts[name] = found[name];
    counts["suggestions"] = m_labels.suggestions().size();
    for (const char* name : {"linked_instances", "tracked_instances", "points", "visible_points"})
        counts[name] = found[name];
    for (const char* name : kLists)
        if (found[name] > 0)
            counts[name] = found[name];

    return counts;
}

Result<void> Dumper::dump(const Json& head) {
    Json out = Json::object();
    out["dump"] = "slp-dump-1";
    out["reader"] = "Skein " SKEIN_VERSION;
    for (const auto& [key, value] : head.items())
        out[key] = value;
    out["point_fields"] = {"x", "y", "visible", "complete", "score"};
    {
        // Other readers of HDF5 files need not wait for the frames.
        const h5::Session session;
        SKEIN_TRY(annotations, describeAnnotations(m_labels));
        m_annotations = std::move(annotations);
        out["videos"] = videos();
    }
    out["skeletons"] = skeletons();
    out["tracks"] = Json::array();
    for (const project::Track& track : m_labels.tracks())
        out["tracks"].push_back(track.name);
    out["suggestions"] = suggestions();
    out["provenance"] = provenance();
    const std::array<std::pair<const char*, const Json*>, 6> lists = {{{"identities", &m_annotations.identities},
                                                                       {"categories", &m_annotations.categories},
                                                                       {"event_types", &m_annotations.eventTypes},
                                                                       {"events", &m_annotations.events},
                                                                       {"static_rois", &m_annotations.staticRegions},
                                                                       {"sessions", &m_annotations.sessions}}};
    for (const auto& [name, list] : lists)
        if (list->is_array() && !list->empty())
            out[name] = *list;

    m_text = "{\n";
    for (const auto& [key, value] : out.items())
        m_text += "\"" + key + "\":" + writeStrictJson(value) + ",\n";
    m_text += "\"frames\":[\n";
    SKEIN_CHECK(describeFrames());
    m_text += "\n],\n\"counts\":" + writeStrictJson(counts()) + "}\n";
    return m_sink(std::move(m_text), 1);
}

Result<std::string> dumpToText(const project::Labels& labels, const Json& head) {
    std::string text;
    SKEIN_CHECK(Dumper(labels, [&text](std::string&& piece, double) -> Result<void> {
                    text += piece;
                    return {};
                }).dump(head));
    return text;
}

/// What a labels file is beside what is in it.
Result<Json> describeFile(const project::Labels& labels, const fs::path& path) {
    const h5::Session session;
    SKEIN_TRY(file, h5::openFile(path));
    std::error_code ec;
    Json head = Json::object();
    head["file"] = path.filename().string();
    head["size"] = fs::file_size(path, ec);
    const double format = labels.origin().formatId;
    head["format_id"] = format > 0 ? Json(format) : Json();
    head["toplevel"] = h5::linkNames(file.get());
    return head;
}

}  // namespace

Result<std::string> dumpJson(const project::Labels& labels) {
    return dumpToText(labels, Json::object());
}

Result<std::string> dumpJson(const fs::path& path) {
    SKEIN_TRY(labels, readSlp(path));
    SKEIN_TRY(head, describeFile(labels, path));
    return dumpToText(labels, head);
}

Result<void> writeDump(const project::Labels& labels, const fs::path& path, std::stop_token stop,
                       const FileProgress& progress, const fs::path& labelsFile) {
    Json head = Json::object();
    if (!labelsFile.empty()) {
        SKEIN_TRY(described, describeFile(labels, labelsFile));
        head = std::move(described);
    }
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    const auto sink = [&](std::string&& piece, double fraction) -> Result<void> {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Writing was cancelled; nothing was changed.");
        if (progress)
            progress("frames", fraction);
        if (!file.write(piece.data(), static_cast<std::streamsize>(piece.size())).flush())
            return fail(ErrorCode::Io,
                        "The text could not be written: the folder is write-protected or the disk is "
                        "full.");
        return {};
    };
    return Dumper(labels, sink).dump(head);
}

}  // namespace skein::formats
