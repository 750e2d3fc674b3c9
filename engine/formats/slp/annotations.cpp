// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/slp/annotations.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/sha256.h"
#include "engine/formats/slp/carried.h"
#include "engine/formats/slp/columns.h"
#include "engine/formats/slp/session_dump.h"
#include "engine/formats/slp/wkb.h"
#include "engine/formats/slp/write_plan.h"
#include "engine/formats/try.h"

namespace skein::formats::slp {
namespace {

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

bool inside(std::int64_t begin, std::int64_t end, std::size_t size) {
    return begin >= 0 && begin <= end && static_cast<std::size_t>(end) <= size;
}

// Kinds of owners that links name.
constexpr std::int64_t kInstance = 0;
constexpr std::int64_t kCentroid = 2;
constexpr std::int64_t kMask = 3;
constexpr std::int64_t kBox = 4;
constexpr std::int64_t kRegion = 5;

struct Link {
    std::int64_t target = -1;
    double score = NAN;
};
using Links = std::map<std::pair<std::int64_t, std::int64_t>, Link>;  ///< by owner type and row

class Describer {
public:
    Describer(const project::Labels& labels, const Carried& carried)
        : m_labels(labels), m_maps(mapRows(labels, carried)), m_carried(carried) {}

    Result<Annotations> describe() {
        SKEIN_TRY(objects, h5::openGroup(m_carried.root(), "objects"));
        m_group = std::move(objects);
        m_root = m_group.get();
        placeInstances();
        m_out.identities = named("identity");
        m_out.categories = named("categories");
        m_identityLinks = links("identity/links", "identity_idx", "identity_score");
        m_categoryLinks = links("categories/links", "category_idx", "category_score");
        describeInstances();
        describeBoxes();
        describeCentroids();
        describeMasks();
        describeRegions();
        describeLabelImages();
        describeEvents();
        m_out.sessions = describeSessions(m_root, m_carried, m_maps);
        return std::move(m_out);
    }

private:
    void placeInstances() {
        for (std::size_t row = 0; row < m_labels.frameCount(); ++row) {
            const project::FrameView frame = m_labels.frame(row);
            for (std::size_t i = 0; i < frame.instanceCount(); ++i)
                if (const std::int64_t origin = frame.instance(i).header->originRow; origin >= 0)
                    m_places.emplace(origin, std::pair(row, i));
        }
    }

    [[nodiscard]] std::int64_t track(std::int64_t row) const {
        return m_maps.tracks.identical ? (static_cast<std::size_t>(row) < m_labels.tracks().size() ? row : -1)
                                       : m_maps.tracks(row);
    }
    [[nodiscard]] std::int64_t video(std::int64_t row) const {
        return m_maps.videos.identical ? (static_cast<std::size_t>(row) < m_labels.videos().size() ? row : -1)
                                       : m_maps.videos(row);
    }

    /// Key-value pairs of each row, for tables that keep them so.
    std::vector<Json> metadata(const std::string& table, std::size_t rows) const {
        std::vector<Json> values(rows, Json::object());
        const auto owners = h5::exists(m_root, table + "/meta_owner") ? h5::readIntegers(m_root, table + "/meta_owner")
                                                                      : Result<std::vector<std::int64_t>>();
        const auto keys = h5::exists(m_root, table + "/meta_key") ? h5::readStrings(m_root, table + "/meta_key")
                                                                  : Result<std::vector<std::string>>();
        const auto texts = h5::exists(m_root, table + "/meta_val") ? h5::readStrings(m_root, table + "/meta_val")
                                                                   : Result<std::vector<std::string>>();
        if (owners && keys && texts)
            for (std::size_t i = 0; i < std::min({owners->size(), keys->size(), texts->size()}); ++i)
                if ((*owners)[i] >= 0 && static_cast<std::size_t>((*owners)[i]) < rows)
                    values[static_cast<std::size_t>((*owners)[i])][(*keys)[i]] = (*texts)[i];
        return values;
    }

    Json named(const std::string& table) const {
        const Columns columns(m_root, table);
        if (columns.rows() == 0)
            return {};
        const auto names = columns.texts("name");
        const auto extras = metadata(table, columns.rows());
        Json list = Json::array();
        for (std::size_t i = 0; i < names.size(); ++i) {
            Json entry = Json::object();
            entry["name"] = names[i];
            entry["metadata"] = extras[i];
            list.push_back(std::move(entry));
        }
        return list;
    }

    [[nodiscard]] std::string nameOf(const Json& list, std::int64_t index) const {
        return list.is_array() && index >= 0 && static_cast<std::size_t>(index) < list.size()
                   ? list[static_cast<std::size_t>(index)]["name"].get<std::string>()
                   : std::string();
    }

    Links links(const std::string& table, const char* target, const char* score) const {
        const Columns columns(m_root, table);
        const auto types = columns.integers("owner_type");
        const auto owners = columns.integers("owner_id");
        const auto targets = columns.integers(target);
        const auto scores = columns.numbers(score);
        Links found;
        for (std::size_t i = 0; i < columns.rows(); ++i)
            found[{types[i], owners[i]}] = {targets[i], scores[i]};
        return found;
    }

    void describeInstances() {
        for (const auto& [owner, link] : m_identityLinks)
            if (owner.first == kInstance) {
                m_out.instances[owner.second]["identity"] = link.target;
                m_out.instances[owner.second]["identity_score"] = number(link.score);
            }
        for (const auto& [owner, link] : m_categoryLinks)
            if (owner.first == kInstance) {
                m_out.instances[owner.second]["category"] = nameOf(m_out.categories, link.target);
                m_out.instances[owner.second]["category_score"] = number(link.score);
            }
        describeVectors("", "identity_embedding");
        describeVectors("category_", "category_embedding");
    }

    void describeVectors(const std::string& prefix, const char* key) {
        const std::string base = "embeddings/" + prefix;
        if (!h5::exists(m_root, base + "vectors"))
            return;
        const auto dataset = h5::openDataset(m_root, base + "vectors");
        const auto values = h5::readNumbers(m_root, base + "vectors");
        const auto types = h5::readIntegers(m_root, base + "owner_type");
        const auto owners = h5::readIntegers(m_root, base + "owner_id");
        if (!dataset || !values || !types || !owners)
            return;
        const auto width = static_cast<std::size_t>(dataset->rowElements());
        for (std::size_t i = 0;
             i < std::min({types->size(), owners->size(), static_cast<std::size_t>(dataset->rows())}); ++i) {
            if ((*types)[i] != kInstance)
                continue;
            Json vector = Json::array();
            for (std::size_t k = 0; k < width; ++k)
                vector.push_back(number((*values)[i * width + k]));
            m_out.instances[(*owners)[i]][key] = std::move(vector);
        }
    }

    /// Adds an annotation to its frame.
    void add(std::int64_t videoRow, std::int64_t frame, const char* list, Json annotation) {
        const std::int64_t index = video(videoRow);
        if (index >= 0)
            m_out.frames[{static_cast<std::uint32_t>(index), frame}][list].push_back(std::move(annotation));
    }

    /// The members that all kinds share, put at `annotation`.
    struct Shared {
        std::vector<std::int64_t> video, frame, track, instance, predicted;
        std::vector<double> score, trackingScore;
        std::vector<std::string> name, source, category;
    };
    Shared shared(const Columns& columns, const std::string& prefix) const {
        return {columns.integers("video"),
                columns.integers("frame_idx"),
                columns.integers("track"),
                columns.integers("instance"),
                columns.integers("is_predicted", 0),
                columns.numbers("score"),
                columns.numbers("tracking_score"),
                columns.texts("name", prefix + "_names"),
                columns.texts("source", prefix + "_sources"),
                columns.texts("category", prefix + "_categories")};
    }

    void putShared(Json& annotation, const Shared& from, std::size_t i, std::int64_t owner,
                   bool withTrackingScore = true, bool withName = true) const {
        if (from.predicted[i] != 0)
            annotation["score"] = number(from.score[i]);
        if (withTrackingScore)
            annotation["tracking_score"] = number(from.trackingScore[i]);
        if (withName)
            annotation["name"] = from.name[i];
        annotation["source"] = from.source[i];
        const std::pair key(owner, static_cast<std::int64_t>(i));
        const auto category = m_categoryLinks.find(key);
        if (category != m_categoryLinks.end())
            annotation["category"] = nameOf(m_out.categories, category->second.target);
        else if (!from.category[i].empty())
            annotation["category"] = from.category[i];
        if (from.track[i] >= 0 && track(from.track[i]) >= 0)
            annotation["track"] = track(from.track[i]);
        if (from.instance[i] >= 0)
            if (const auto place = m_places.find(from.instance[i]); place != m_places.end())
                annotation["instance"] = place->second.second;
        if (const auto identity = m_identityLinks.find(key); identity != m_identityLinks.end())
            annotation["identity"] = identity->second.target;
    }

    static std::string className(bool predicted, const char* kind) {
        return std::string(predicted ? "Predicted" : "User") + kind;
    }

    void describeBoxes() {
        const Columns columns(m_root, "bboxes");
        const Shared common = shared(columns, "bbox");
        const bool corners = columns.has("x1");
        const auto x1 = columns.numbers(corners ? "x1" : "x_center");
        const auto y1 = columns.numbers(corners ? "y1" : "y_center");
        const auto x2 = columns.numbers(corners ? "x2" : "width");
        const auto y2 = columns.numbers(corners ? "y2" : "height");
        const auto angle = columns.numbers("angle", 0);
        for (std::size_t i = 0; i < columns.rows(); ++i) {
            const double width = corners ? x2[i] - x1[i] : x2[i];
            const double height = corners ? y2[i] - y1[i] : y2[i];
            const double left = corners ? x1[i] : x1[i] - width / 2;
            const double top = corners ? y1[i] : y1[i] - height / 2;
            Json box = Json::object();
            box["class"] = className(common.predicted[i] != 0, "BoundingBox");
            box["x1"] = number(left);
            box["y1"] = number(top);
            box["x2"] = number(corners ? x2[i] : left + width);
            box["y2"] = number(corners ? y2[i] : top + height);
            box["angle"] = number(angle[i]);
            box["height"] = number(height);
            box["width"] = number(width);
            putShared(box, common, i, kBox);
            add(common.video[i], common.frame[i], "bboxes", std::move(box));
        }
    }

    void describeCentroids() {
        const Columns columns(m_root, "centroids");
        const Shared common = shared(columns, "centroid");
        const auto x = columns.numbers("x");
        const auto y = columns.numbers("y");
        const auto z = columns.numbers("z");
        for (std::size_t i = 0; i < columns.rows(); ++i) {
            Json centroid = Json::object();
            centroid["class"] = className(common.predicted[i] != 0, "Centroid");
            centroid["x"] = number(x[i]);
            centroid["y"] = number(y[i]);
            centroid["z"] = number(z[i]);
            putShared(centroid, common, i, kCentroid);
            add(common.video[i], common.frame[i], "centroids", std::move(centroid));
        }
    }

    [[nodiscard]] std::vector<std::uint8_t> bytes(const std::string& name) const {
        if (h5::exists(m_root, name))
            if (auto read = h5::readBytes(m_root, name))
                return std::move(*read);
        return {};
    }

    static void putPlacement(Json& annotation, const Columns& columns, std::size_t i) {
        annotation["scale"] =
            Json::array({number(columns.numbers("scale_x", 1)[i]), number(columns.numbers("scale_y", 1)[i])});
        annotation["offset"] =
            Json::array({number(columns.numbers("offset_x", 0)[i]), number(columns.numbers("offset_y", 0)[i])});
    }

    void describeMasks() {
        const Columns columns(m_root, "masks");
        if (columns.rows() == 0)
            return;
        const Shared common = shared(columns, "mask");
        const auto height = columns.integers("height", 0);
        const auto width = columns.integers("width", 0);
        const auto begin = columns.integers("rle_start");
        const auto end = columns.integers("rle_end");
        const std::vector<std::uint8_t> runs = bytes("mask_rle");
        for (std::size_t i = 0; i < columns.rows(); ++i) {
            Json mask = Json::object();
            mask["class"] = className(common.predicted[i] != 0, "SegmentationMask");
            mask["height"] = height[i];
            mask["width"] = width[i];
            putShared(mask, common, i, kMask);
            putPlacement(mask, columns, i);
            Json counts = Json::array();
            if (inside(begin[i], end[i], runs.size()))
                for (auto at = static_cast<std::size_t>(begin[i]); at + 4 <= static_cast<std::size_t>(end[i]);
                     at += 4) {
                    std::uint32_t count = 0;
                    std::memcpy(&count, runs.data() + at, sizeof count);
                    counts.push_back(count);
                }
            mask["rle_counts"] = std::move(counts);
            add(common.video[i], common.frame[i], "masks", std::move(mask));
        }
    }

    void describeRegions() {
        const Columns columns(m_root, "rois");
        if (columns.rows() == 0)
            return;
        const Shared common = shared(columns, "roi");
        const auto begin = columns.integers("wkb_start");
        const auto end = columns.integers("wkb_end");
        const std::vector<std::uint8_t> shapes = bytes("roi_wkb");
        for (std::size_t i = 0; i < columns.rows(); ++i) {
            Json region = Json::object();
            region["class"] = className(common.predicted[i] != 0, "ROI");
            putShared(region, common, i, kRegion);
            region["wkt"] = nullptr;
            if (inside(begin[i], end[i], shapes.size()))
                if (const auto text = wkbToText(std::span(shapes).subspan(static_cast<std::size_t>(begin[i]),
                                                                          static_cast<std::size_t>(end[i] - begin[i]))))
                    region["wkt"] = *text;
            if (common.frame[i] >= 0)
                add(common.video[i], common.frame[i], "rois", std::move(region));
            else
                m_out.staticRegions.push_back(std::move(region));
        }
    }

    /// Pixels of one label image, row-major int32; empty when they are stored in another way than as one array of all
    /// images (each packed by itself: images of different sizes).
    [[nodiscard]] std::vector<std::int32_t> labelPixels(std::size_t row, std::size_t count) const;

    void describeLabelImages() {
        const Columns columns(m_root, "label_images");
        if (columns.rows() == 0)
            return;
        const Shared common = shared(columns, "label_image");
        const auto height = columns.integers("height", 0);
        const auto width = columns.integers("width", 0);
        const auto objectsBegin = columns.integers("objects_start", 0);
        const auto objectCount = columns.integers("n_objects", 0);
        const Columns objects(m_root, "label_image_objects");
        const auto ids = objects.integers("label_id");
        const auto tracks = objects.integers("track");
        const auto names = objects.texts("name", "label_image_obj_names");
        const auto categories = objects.texts("category", "label_image_obj_categories");
        for (std::size_t i = 0; i < columns.rows(); ++i) {
            Json image = Json::object();
            image["class"] = className(common.predicted[i] != 0, "LabelImage");
            image["height"] = height[i];
            image["width"] = width[i];
            putShared(image, common, i, -1, false, false);
            putPlacement(image, columns, i);
            image["shape"] = Json::array({height[i], width[i]});
            constexpr std::int64_t kMaxPixels = std::int64_t{1} << 30;
            const bool sized = height[i] > 0 && width[i] > 0 && height[i] <= kMaxPixels / width[i];
            const auto pixels =
                sized ? labelPixels(i, static_cast<std::size_t>(height[i] * width[i])) : std::vector<std::int32_t>();
            const std::set<std::int32_t> found(pixels.begin(), pixels.end());
            image["labels"] = std::vector<std::int32_t>(found.begin(), found.end());
            image["sha256_16"] = nullptr;
            if (!pixels.empty())
                image["sha256_16"] = sha256(std::span(reinterpret_cast<const std::uint8_t*>(pixels.data()),
                                                      pixels.size() * sizeof(std::int32_t)))
                                         .substr(0, 16);
            std::map<std::int64_t, Json> described;
            if (inside(objectsBegin[i], objectsBegin[i] + objectCount[i], ids.size()))
                for (auto k = static_cast<std::size_t>(objectsBegin[i]);
                     k < static_cast<std::size_t>(objectsBegin[i] + objectCount[i]); ++k) {
                    Json object = Json::object();
                    object["name"] = names[k];
                    object["category"] = categories[k];
                    object["track"] = tracks[k] >= 0 && track(tracks[k]) >= 0 ? Json(track(tracks[k])) : Json();
                    described[ids[k]] = std::move(object);
                }
            image["objects"] = Json::object();
            for (auto& [id, object] : described)
                image["objects"][std::to_string(id)] = std::move(object);
            add(common.video[i], common.frame[i], "label_images", std::move(image));
        }
    }

    void describeEvents() {
        const Columns types(m_root, "event_types");
        const auto typeNames = types.texts("name");
        const auto descriptions = types.texts("description");
        for (std::size_t i = 0; i < types.rows(); ++i) {
            Json type = Json::object();
            type["name"] = typeNames[i];
            type["description"] = descriptions[i];
            m_out.eventTypes.push_back(std::move(type));
        }
        const Columns columns(m_root, "events");
        if (columns.rows() == 0)
            return;
        const auto type = columns.integers("type");
        const auto videos = columns.integers("video");
        const auto begin = columns.integers("start_frame");
        const auto end = columns.integers("end_frame");
        const auto predicted = columns.integers("is_predicted", 0);
        const auto names = columns.texts("name");
        const auto score = columns.numbers("score");
        const auto extras = metadata("events", columns.rows());
        const auto offsets = h5::exists(m_root, "events/score_offsets")
                                 ? h5::readIntegers(m_root, "events/score_offsets")
                                 : Result<std::vector<std::int64_t>>();
        const auto scores = h5::exists(m_root, "events/scores") ? h5::readNumbers(m_root, "events/scores")
                                                                : Result<std::vector<double>>();
        const auto party = [&](const std::string& side, std::size_t i) -> Json {
            const std::int64_t kind = columns.integers(side + "_kind", 0)[i];
            const std::int64_t index = columns.integers(side + "_idx")[i];
            if (kind == 1 && index >= 0 && track(index) >= 0)
                return m_labels.tracks()[static_cast<std::size_t>(track(index))].name;
            if (kind == 2 && index >= 0)
                return nameOf(m_out.identities, index);
            return {};
        };
        for (std::size_t i = 0; i < columns.rows(); ++i) {
            Json event = Json::object();
            event["class"] = className(predicted[i] != 0, "Event");
            const bool known = type[i] >= 0 && static_cast<std::size_t>(type[i]) < typeNames.size();
            event["type"] = known ? Json(typeNames[static_cast<std::size_t>(type[i])]) : Json();
            event["video"] = video(videos[i]);
            event["start_frame"] = begin[i];
            event["end_frame"] = end[i];
            event["name"] = names[i];
            event["subject"] = party("subject", i);
            event["target"] = party("target", i);
            event["score"] = predicted[i] != 0 ? number(score[i]) : Json();
            event["scores"] = nullptr;
            if (offsets && scores && offsets->size() == columns.rows() + 1 &&
                inside((*offsets)[i], (*offsets)[i + 1], scores->size()) && (*offsets)[i] < (*offsets)[i + 1]) {
                event["scores"] = Json::array();
                for (std::int64_t k = (*offsets)[i]; k < (*offsets)[i + 1]; ++k)
                    event["scores"].push_back(number((*scores)[static_cast<std::size_t>(k)]));
            }
            event["metadata"] = extras[i];
            m_out.events.push_back(std::move(event));
        }
    }

    const project::Labels& m_labels;
    RowMaps m_maps;
    const Carried& m_carried;
    h5::Id m_group;
    hid_t m_root = -1;
    std::unordered_map<std::int64_t, std::pair<std::size_t, std::size_t>> m_places;  ///< by origin row
    Links m_identityLinks, m_categoryLinks;
    Annotations m_out;
};

std::vector<std::int32_t> Describer::labelPixels(std::size_t row, std::size_t count) const {
    const auto data = h5::openDataset(m_root, "label_image_data");
    std::vector<std::int32_t> pixels(count);
    if (!data || data->dims.size() != 3 || data->rowElements() != count ||
        !h5::readRows(*data, H5T_NATIVE_INT32, row, 1, pixels.data()))
        return {};
    return pixels;
}

}  // namespace

Result<Annotations> describeAnnotations(const project::Labels& labels) {
    const Carried* carried = Carried::of(labels);
    if (carried == nullptr)
        return Annotations();
    const h5::Session session;
    return Describer(labels, *carried).describe();
}

}  // namespace skein::formats::slp
