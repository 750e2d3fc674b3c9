// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <set>
#include <string_view>

#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/json/json.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp/carried.h"
#include "engine/formats/slp/skeleton_json.h"
#include "engine/formats/slp/tables.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/try.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

using namespace slp;

/// First format that this program must refuse: what changed in it is not known.
constexpr double kFirstUnknownMajor = 3.0;
constexpr double kCentredCoordinates = 1.1;

template <class Row>
Row rowAt(const std::byte* bytes, std::size_t index = 0) {
    Row row;
    std::memcpy(&row, bytes + index * sizeof(Row), sizeof(Row));
    return row;
}

/// Reads one file; lives inside a Session.
/// The latest format whose objects are known, and how their names begin.
constexpr double kLatestKnown = 2.8;
constexpr std::array<std::string_view, 13> kKnownObjects = {
    "sessions_json", "session_data", "roi",        "mask",  "bboxes",     "centroids",      "label_image",
    "video_crops",   "identity",     "embeddings", "event", "categories", "provenance_json"};

class Reader {
public:
    Reader(fs::path path, const SlpReadOptions& options, LoadReport& report)
        : m_path(std::move(path)), m_options(options), m_report(report) {}

    Result<project::Labels> read();

private:
    Result<void> readMetadata();
    Result<std::vector<Json>> readRows(const std::string& name, const char* metadataKey);
    Result<void> readVideos();
    void readEmbeddedFacts(project::Video& video) const;
    Result<void> readTracks();
    Result<void> readSuggestions();
    Result<void> readProvenance();
    Result<void> readTables();
    Result<void> readNegatives();
    Result<void> scanFrames(TableReader& frames);
    Result<void> scanInstances(TableReader& instances, std::uint64_t points, std::uint64_t predictedPoints);
    Result<void> buildFrames(TableReader& frames, TableReader& instances, TableReader& points,
                             TableReader& predictedPoints);
    Result<void> addInstance(project::LabelsBuilder& builder, const InstanceRow& row, std::int64_t rowNumber,
                             TableReader& points, TableReader& predictedPoints);
    Result<void> step(const char* phase, double fraction) const;
    [[nodiscard]] bool isUsable(const InstanceRow& row, std::uint64_t points, std::uint64_t predictedPoints) const;
    void addWarnings();

    fs::path m_path;
    const SlpReadOptions& m_options;
    LoadReport& m_report;
    h5::Id m_file;
    Json m_metadata;
    std::string m_metadataText;
    project::Labels m_labels;
    std::set<std::uint32_t> m_usedVideoIds;
    std::optional<VideoIds> m_videoIds;
    std::vector<bool> m_usable;  ///< instance rows that can be read
    std::vector<bool> m_taken;   ///< instance rows that are in a frame already
    std::vector<std::size_t> m_nodeCounts;
    double m_shift = 0;
};

Result<void> Reader::step(const char* phase, double fraction) const {
    if (m_options.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "Opening " + m_path.string() + " was cancelled.");
    if (m_options.progress)
        m_options.progress(phase, fraction);
    return {};
}

Result<void> Reader::readMetadata() {
    if (h5::objectKind(m_file.get(), "metadata") == h5::ObjectKind::None) {
        if (h5::exists(m_file.get(), "track_occupancy"))
            return fail(ErrorCode::Format, "The file " + m_path.string() +
                                               " is an analysis export, not a labels file; open the .slp file it was "
                                               "made from.");
        return fail(ErrorCode::Format,
                    "The file " + m_path.string() + " is an HDF5 file but no labels file: it has no metadata.");
    }
    const h5::Id metadata(H5Oopen(m_file.get(), "metadata", H5P_DEFAULT));
    const auto formatId = h5::numberAttribute(metadata.get(), "format_id");
    m_report.formatId = formatId.value_or(0);
    if (!std::isfinite(m_report.formatId) || m_report.formatId >= kFirstUnknownMajor) {
        std::string id = writeJson(Json(m_report.formatId));
        return fail(ErrorCode::Unsupported, "The file " + m_path.string() + " has the labels format " + id +
                                                "; this version reads formats below 3.0. Update the program, or save "
                                                "the file in an older format where it was made.");
    }
    const auto text = h5::textAttribute(metadata.get(), "json");
    if (!text)
        return fail(ErrorCode::Format,
                    "The file " + m_path.string() + " is no labels file: its metadata holds no description.");
    SKEIN_TRY(parsed, parseJson(*text, "The metadata"));
    if (!parsed.is_object())
        return fail(ErrorCode::Format, "The metadata of the file is no JSON object; the file is damaged.");
    m_metadata = std::move(parsed);
    m_metadataText = *text;
    m_shift = m_report.formatId < kCentredCoordinates ? -0.5 : 0.0;
    m_report.shiftedHalfPixel = m_shift != 0;

    SKEIN_TRY(skeletons, decodeSkeletons(m_metadata));
    for (const project::Skeleton& skeleton : skeletons)
        m_nodeCounts.push_back(skeleton.nodes.size());
    m_labels.editSkeletons() = std::move(skeletons);
    return {};
}

/// The rows of a list of JSON texts; old files keep the list inside the metadata.
Result<std::vector<Json>> Reader::readRows(const std::string& name, const char* metadataKey) {
    std::vector<Json> rows;
    if (!h5::exists(m_file.get(), name)) {
        const Json& list = member(m_metadata, metadataKey);
        if (list.is_array())
            rows.assign(list.begin(), list.end());
        return rows;
    }
    SKEIN_TRY(texts, h5::readStrings(m_file.get(), name));
    rows.reserve(texts.size());
    for (const std::string& text : texts) {
        SKEIN_TRY(row, parseJson(text, "Row " + std::to_string(rows.size()) + " of " + name));
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<void> Reader::readVideos() {
    SKEIN_TRY(rows, readRows("videos_json", "videos"));
    std::vector<std::string> texts;
    if (h5::exists(m_file.get(), "videos_json")) {
        SKEIN_TRY(stored, h5::readStrings(m_file.get(), "videos_json"));
        texts = std::move(stored);
    }
    auto& videos = m_labels.editVideos();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        project::Video video = videoFromRow(rows[i]);
        video.rowJson = i < texts.size() ? texts[i] : writeJson(rows[i]);
        video.originRow = static_cast<std::int32_t>(i);
        if (const Json& source = member(rows[i], "source_video"); source.is_object())
            video.sourceJson = writeJson(source);
        readEmbeddedFacts(video);
        videos.push_back(std::move(video));
    }
    return {};
}

void Reader::readEmbeddedFacts(project::Video& video) const {
    if (video.dataset.empty() || h5::objectKind(m_file.get(), video.dataset) != h5::ObjectKind::Dataset)
        return;
    std::error_code ec;
    if (video.filename != "." && fs::exists(video.filename, ec))
        return;
    const h5::Id images(H5Dopen2(m_file.get(), video.dataset.c_str(), H5P_DEFAULT));
    const auto number = [&](const char* name) { return h5::numberAttribute(images.get(), name).value_or(0); };
    const auto sized = [&](const char* name, int& value) {
        if (const double size = number(name); size >= 1 && size < (1 << 24))
            value = static_cast<int>(size);
    };
    sized("height", video.height);
    sized("width", video.width);
    sized("channels", video.channels);
    // The length of the video that the images were taken from, so that frame numbers mean the same as there.
    if (const double frames = number("frames"); frames >= 1 && frames < 9e15)
        video.frameCount = std::max(video.frameCount, static_cast<std::int64_t>(frames));
    if (const double fps = number("fps"); fps > 0 && fps < 1e6)
        video.fps = fps;

    const std::string group = topLevelOf(video.dataset);
    for (const char* name : {"/source_video", "/original_video"}) {
        const std::string source = group + name;
        if (h5::objectKind(m_file.get(), source) != h5::ObjectKind::Group)
            continue;
        std::optional<std::string> text;
        if (h5::exists(m_file.get(), source + "/json")) {
            if (auto texts = h5::readStrings(m_file.get(), source + "/json"); texts && !texts->empty())
                text = texts->front();
        } else {
            const h5::Id object(H5Gopen2(m_file.get(), source.c_str(), H5P_DEFAULT));
            text = h5::textAttribute(object.get(), "json");
        }
        if (text && parseJson(*text, source)) {
            video.sourceJson = *text;
            return;
        }
    }
}

Result<void> Reader::readTracks() {
    SKEIN_TRY(rows, readRows("tracks_json", "tracks"));
    auto& tracks = m_labels.editTracks();
    for (const Json& row : rows) {
        project::Track track;
        track.originRow = static_cast<std::int32_t>(tracks.size());
        if (row.is_array() && row.size() >= 2) {
            if (row[0].is_number_integer())
                track.spawnedOn = row[0].get<std::int64_t>();
            track.name = row[1].is_string() ? row[1].get<std::string>() : writeJson(row[1]);
        } else if (row.is_object()) {
            track.name = stringMember(row, "name");
        } else if (row.is_string()) {
            track.name = row.get<std::string>();
        }
        tracks.push_back(std::move(track));
    }
    return {};
}

Result<void> Reader::readSuggestions() {
    if (!h5::exists(m_file.get(), "suggestions_json") && !m_metadata.contains("suggestions"))
        return {};
    SKEIN_TRY(rows, readRows("suggestions_json", "suggestions"));
    auto& suggestions = m_labels.editSuggestions();
    std::size_t bad = 0;
    for (const Json& row : rows) {
        project::Suggestion suggestion;
        const Json& video = member(row, "video");
        std::int64_t index = -1;
        if (video.is_number_integer())
            index = video.get<std::int64_t>();
        else if (video.is_string())
            index = std::strtoll(video.get_ref<const std::string&>().c_str(), nullptr, 10);
        const Json& frame = member(row, "frame_idx");
        if (index < 0 || static_cast<std::size_t>(index) >= m_labels.videos().size() || !frame.is_number_integer()) {
            ++bad;
            continue;
        }
        suggestion.video = static_cast<std::uint32_t>(index);
        suggestion.frameIndex = frame.get<std::int64_t>();
        if (const Json& group = member(row, "group"); group.is_number_integer())
            suggestion.group = group.get<std::int64_t>();
        suggestion.rowJson = writeJson(row);
        suggestions.push_back(std::move(suggestion));
    }
    if (bad > 0)
        m_report.warnings.push_back(std::to_string(bad) +
                                    " suggestions name a video that the project does not have; they were left out.");
    return {};
}

Result<void> Reader::readProvenance() {
    if (h5::exists(m_file.get(), "provenance_json")) {
        if (auto texts = h5::readStrings(m_file.get(), "provenance_json");
            texts && !texts->empty() && parseJson(texts->front(), "The provenance")) {
            m_labels.setProvenanceJson(texts->front());
            return {};
        }
        m_report.warnings.emplace_back("The record of how the labels came to be cannot be read and was left out.");
    }
    if (const Json& provenance = member(m_metadata, "provenance"); provenance.is_object() && !provenance.empty())
        m_labels.setProvenanceJson(writeJson(provenance));
    return {};
}

/// Finds the video ids in use, which decide what an id means.
Result<void> Reader::scanFrames(TableReader& frames) {
    if (h5::exists(m_file.get(), "negative_frames")) {
        SKEIN_TRY(negatives, TableReader::open(m_file.get(), negativesLayout()));
        for (std::uint64_t row = 0; row < negatives.rows(); ++row) {
            SKEIN_TRY(bytes, negatives.read(row, row + 1));
            m_usedVideoIds.insert(rowAt<NegativeRow>(bytes).video);
        }
    }
    std::optional<std::uint32_t> last;
    for (std::uint64_t row = 0; row < frames.rows(); ++row) {
        SKEIN_TRY(bytes, frames.read(row, row + 1));
        const auto video = rowAt<FrameRow>(bytes).video;
        if (last != video)
            m_usedVideoIds.insert(video);
        last = video;
    }
    std::vector<std::string> datasets;
    for (const project::Video& video : m_labels.videos())
        datasets.push_back(video.dataset);
    m_videoIds.emplace(m_usedVideoIds, datasets);
    return {};
}

bool Reader::isUsable(const InstanceRow& row, std::uint64_t points, std::uint64_t predictedPoints) const {
    const std::uint64_t available = row.type == 0 ? points : predictedPoints;
    return row.type <= 1 && row.skeleton < m_nodeCounts.size() && row.pointBegin <= row.pointEnd &&
           row.pointEnd <= available;
}

Result<void> Reader::scanInstances(TableReader& instances, std::uint64_t points, std::uint64_t predictedPoints) {
    m_usable.resize(instances.rows());
    m_taken.resize(instances.rows());
    for (std::uint64_t row = 0; row < instances.rows(); ++row) {
        SKEIN_TRY(bytes, instances.read(row, row + 1));
        m_usable[row] = isUsable(rowAt<InstanceRow>(bytes), points, predictedPoints);
    }
    return {};
}

Result<void> Reader::addInstance(project::LabelsBuilder& builder, const InstanceRow& row, std::int64_t rowNumber,
                                 TableReader& points, TableReader& predictedPoints) {
    const auto rowIndex = static_cast<std::size_t>(rowNumber);
    const auto trackCount = static_cast<std::int64_t>(m_labels.tracks().size());
    project::InstanceHeader header;
    // Ids are row numbers plus one, so that links need no table; a row that two frames claim becomes a copy.
    header.id = m_taken[rowIndex] ? 0 : static_cast<project::InstanceId>(rowNumber) + 1;
    m_taken[rowIndex] = true;
    header.kind = row.type == 0 ? project::InstanceKind::User : project::InstanceKind::Predicted;
    header.skeleton = row.skeleton;
    header.track = row.track;
    if (row.track < -1 || row.track >= trackCount) {
        header.track = -1;
        ++m_report.clearedTracks;
    }
    if (row.fromPredicted >= 0) {
        if (static_cast<std::uint64_t>(row.fromPredicted) < m_usable.size() &&
            m_usable[static_cast<std::size_t>(row.fromPredicted)])
            header.fromPredicted = static_cast<project::InstanceId>(row.fromPredicted) + 1;
        else
            ++m_report.clearedLinks;
    }
    header.score = row.score;
    header.trackingScore = row.trackingScore;
    header.originRow = rowNumber;

    const std::size_t nodes = m_nodeCounts[row.skeleton];
    const auto stored = static_cast<std::size_t>(row.pointEnd - row.pointBegin);
    if (stored != nodes)
        ++m_report.fittedInstances;
    const std::size_t count = std::min(stored, nodes);
    const std::span<project::Point> out = builder.addInstance(header, nodes);
    if (row.type == 0) {
        SKEIN_TRY(bytes, points.read(row.pointBegin, row.pointEnd));
        for (std::size_t i = 0; i < count; ++i) {
            const auto point = rowAt<PointRow>(bytes, i);
            out[i] = {point.x + m_shift, point.y + m_shift, project::kNaN, point.visible != 0, point.complete != 0};
        }
    } else {
        SKEIN_TRY(bytes, predictedPoints.read(row.pointBegin, row.pointEnd));
        for (std::size_t i = 0; i < count; ++i) {
            const auto point = rowAt<PredictedPointRow>(bytes, i);
            out[i] = {point.point.x + m_shift, point.point.y + m_shift, point.score, point.point.visible != 0,
                      point.point.complete != 0};
        }
    }
    return {};
}

Result<void> Reader::buildFrames(TableReader& frames, TableReader& instances, TableReader& points,
                                 TableReader& predictedPoints) {
    // The builder owns the project while it is filled; tracks and videos are read from a copy, which costs nothing.
    project::LabelsBuilder builder(m_labels);
    constexpr std::uint64_t kProgressRows = 8192;
    for (std::uint64_t row = 0; row < frames.rows(); ++row) {
        if (row % kProgressRows == 0)
            SKEIN_CHECK(step("instances", 0.1 + 0.8 * static_cast<double>(row) / static_cast<double>(frames.rows())));
        SKEIN_TRY(bytes, frames.read(row, row + 1));
        const auto frame = rowAt<FrameRow>(bytes);
        const std::uint32_t video = m_videoIds->index(frame.video);
        constexpr auto kLastFrame = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (frame.instanceBegin > frame.instanceEnd || frame.instanceEnd > instances.rows() ||
            video >= m_labels.videos().size() || frame.frameIndex > kLastFrame) {
            ++m_report.skippedFrames;
            continue;
        }
        builder.beginFrame(video, static_cast<std::int64_t>(frame.frameIndex), static_cast<std::int64_t>(row));
        for (std::uint64_t i = frame.instanceBegin; i < frame.instanceEnd; ++i) {
            if (!m_usable[i]) {
                ++m_report.skippedInstances;
                continue;
            }
            SKEIN_TRY(instanceBytes, instances.read(i, i + 1));
            SKEIN_CHECK(addInstance(builder, rowAt<InstanceRow>(instanceBytes), static_cast<std::int64_t>(i), points,
                                    predictedPoints));
        }
    }
    m_labels = builder.finish();
    return {};
}

Result<void> Reader::readTables() {
    SKEIN_TRY(frames, TableReader::open(m_file.get(), framesLayout()));
    SKEIN_TRY(instances, TableReader::open(m_file.get(), instancesLayout()));
    SKEIN_TRY(points, TableReader::open(m_file.get(), pointsLayout()));
    SKEIN_TRY(predictedPoints, TableReader::open(m_file.get(), predictedPointsLayout()));
    SKEIN_CHECK(scanFrames(frames));
    SKEIN_CHECK(scanInstances(instances, points.rows(), predictedPoints.rows()));
    SKEIN_CHECK(buildFrames(frames, instances, points, predictedPoints));
    const auto orphans = static_cast<std::size_t>(std::count(m_taken.begin(), m_taken.end(), false)) -
                         static_cast<std::size_t>(std::count(m_usable.begin(), m_usable.end(), false));
    if (orphans > 0 && m_report.skippedFrames == 0 && orphans <= m_taken.size())
        m_report.warnings.push_back(std::to_string(orphans) +
                                    " instances of the file belong to no frame; they were left out.");
    m_usable.clear();
    m_taken.clear();
    return {};
}

Result<void> Reader::readNegatives() {
    if (!h5::exists(m_file.get(), "negative_frames"))
        return {};
    SKEIN_TRY(table, TableReader::open(m_file.get(), negativesLayout()));
    auto& negatives = m_labels.editNegativeFrames();
    for (std::uint64_t row = 0; row < table.rows(); ++row) {
        SKEIN_TRY(bytes, table.read(row, row + 1));
        const auto negative = rowAt<NegativeRow>(bytes);
        const std::uint32_t video = m_videoIds->index(negative.video);
        if (video < m_labels.videos().size())
            negatives.emplace_back(video, static_cast<std::int64_t>(negative.frameIndex));
    }
    return {};
}

void Reader::addWarnings() {
    const auto count = [this](std::size_t number, const char* text) {
        if (number > 0)
            m_report.warnings.push_back(std::to_string(number) + text);
    };
    count(m_report.skippedFrames, " frames point outside the file's tables or to a missing video; they were left out.");
    count(m_report.skippedInstances, " instances are damaged (points or skeleton out of range); they were left out.");
    count(m_report.clearedTracks, " instances name a track that does not exist; they are untracked now.");
    count(m_report.clearedLinks, " instances name a source prediction that does not exist; the link was dropped.");
    count(m_report.fittedInstances,
          " instances have more or fewer points than their skeleton has nodes; missing points are absent, surplus ones "
          "were left out.");
    if (m_report.shiftedHalfPixel && m_labels.instanceCount() > 0)
        m_report.warnings.emplace_back(
            "The file is of a format before 1.1, whose coordinates count from the corner of the first pixel; all "
            "points "
            "were moved by half a pixel to count from its centre.");
}

Result<project::Labels> Reader::read() {
    SKEIN_CHECK(step("metadata", 0));
    SKEIN_TRY(file, h5::openFile(m_path));
    m_file = std::move(file);
    SKEIN_CHECK(readMetadata());
    SKEIN_CHECK(readVideos());
    SKEIN_CHECK(readTracks());
    SKEIN_CHECK(readSuggestions());
    SKEIN_CHECK(readProvenance());
    SKEIN_CHECK(step("instances", 0.1));
    SKEIN_CHECK(readTables());
    SKEIN_CHECK(readNegatives());
    SKEIN_CHECK(step("other contents", 0.9));
    std::error_code ec;
    SKEIN_TRY(carried, Carried::gather(m_file.get(), fs::file_size(m_path, ec), m_labels, m_report.warnings));
    if (m_report.formatId > kLatestKnown) {
        m_report.isNewer = true;
        std::string unknown;
        for (const std::string& name : carried->objects())
            if (std::none_of(kKnownObjects.begin(), kKnownObjects.end(),
                             [&](std::string_view known) { return name.starts_with(known); }))
                unknown += (unknown.empty() ? "" : ", ") + name;
        m_report.warnings.insert(m_report.warnings.begin(),
                                 "The file has the labels format " + writeJson(Json(m_report.formatId)) +
                                     ", which is newer than this version knows. " +
                                     (unknown.empty() ? "Nothing in it is strange to this version."
                                                      : "Not understood, and kept as it is: " + unknown + "."));
    }
    m_labels.setOrigin({fs::absolute(m_path, ec).string(), m_report.formatId, std::move(m_metadataText), carried});
    addWarnings();
    SKEIN_CHECK(step("done", 1));
    return std::move(m_labels);
}

}  // namespace

Result<project::Labels> readSlp(const fs::path& path, LoadReport* report, const SlpReadOptions& options) {
    LoadReport own;
    LoadReport& used = report != nullptr ? *report : own;
    used = {};
    const h5::Session session;
    try {
        auto labels = Reader(path, options, used).read();
        if (!labels && labels.error().code() != ErrorCode::Cancelled)
            return fail(std::move(labels.error()).withContext("while opening " + path.string()));
        return labels;
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "There is not enough memory to open " + path.string() + ".");
    }
}

}  // namespace skein::formats
