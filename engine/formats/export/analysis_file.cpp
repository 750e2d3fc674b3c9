// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "engine/formats/export/hdf5_parts.h"
#include "engine/formats/export/track_table.h"
#include "engine/formats/export/writers.h"
#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/output_file.h"
#include "engine/formats/json/json.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/try.h"

namespace skein::formats::exporting {
namespace {

/// Frames of one stored piece: a piece holds one track, so that pieces of tracks that are not there need not be stored.
constexpr std::int64_t kPieceFrames = 1024;
/// Numbers that may wait in memory.
constexpr std::size_t kMostWaiting = std::size_t{4} << 20;
/// Python readers look for the version of the layout's author; the layout is that of this one.
constexpr const char* kLayoutVersion = "0.9.5";

enum class Axis { Frame, Track, Node, Xy };

const char* nameOf(Axis axis) {
    constexpr std::array<const char*, 4> kNames = {"frame", "track", "node", "xy"};
    return kNames[static_cast<std::size_t>(axis)];
}

/// One array of the file: its axes in the order of storage.
struct Field {
    h5::Dataset data;
    std::vector<Axis> axes;
};

class AnalysisWriter {
public:
    AnalysisWriter(const Task& task, const TrackTable& table, const std::filesystem::path& path)
        : m_task(task), m_table(table), m_path(path), m_nodes(task.labels.skeletons().front().nodes.size()) {}
    ~AnalysisWriter() {
        const h5::Session session;
        m_fields = {};
        m_file.reset();
    }
    AnalysisWriter(const AnalysisWriter&) = delete;
    AnalysisWriter& operator=(const AnalysisWriter&) = delete;

    Result<void> write() {
        SKEIN_CHECK(create());
        for (std::size_t row = 0; row < m_table.rows.size();) {
            SKEIN_CHECK(m_task.step("frames", row, m_table.rows.size()));
            const std::int64_t begin = frameOf(row) / kPieceFrames * kPieceFrames;
            std::size_t end = row;
            while (end < m_table.rows.size() && frameOf(end) < begin + kPieceFrames)
                ++end;
            SKEIN_CHECK(writeBlock(begin, row, end));
            row = end;
        }
        const h5::Session session;
        m_fields = {};
        return m_file->close();
    }

private:
    enum Kind : std::size_t { Tracks, PointScores, InstanceScores, TrackingScores, Occupancy, kKinds };

    [[nodiscard]] std::int64_t frameOf(std::size_t row) const {
        return m_task.labels.frame(m_table.rows[row]).frameIndex();
    }
    [[nodiscard]] hsize_t lengthOf(Axis axis) const {
        return axis == Axis::Frame   ? static_cast<hsize_t>(m_table.frameCount)
               : axis == Axis::Track ? m_table.places()
               : axis == Axis::Node  ? m_nodes
                                     : 2;
    }

    Result<void> create() {
        const h5::Session session;
        SKEIN_TRY(file, h5::createFile(m_path));
        m_file.emplace(std::move(file));
        using enum Axis;
        const bool standard = m_task.options.standardAxes;
        const std::array<const char*, kKinds> names = {"tracks", "point_scores", "instance_scores", "tracking_scores",
                                                       "track_occupancy"};
        const std::array<std::vector<Axis>, kKinds> axes =
            standard
                ? std::array<std::vector<Axis>, kKinds>{{{Frame, Track, Node, Xy},
                                                         {Frame, Track, Node},
                                                         {Frame, Track},
                                                         {Frame, Track},
                                                         {Frame, Track}}}
                : std::array<std::vector<Axis>, kKinds>{
                      {{Track, Xy, Node, Frame}, {Track, Node, Frame}, {Track, Frame}, {Track, Frame}, {Frame, Track}}};
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            h5::ArrayPlan plan;
            Json dims = Json::array();
            bool isEmpty = false;
            for (const Axis axis : axes[kind]) {
                plan.dims.push_back(lengthOf(axis));
                plan.chunk.push_back(axis == Frame   ? std::min<hsize_t>(lengthOf(axis), kPieceFrames)
                                     : axis == Track ? 1
                                                     : lengthOf(axis));
                isEmpty = isEmpty || lengthOf(axis) == 0;
                dims.push_back(nameOf(axis));
            }
            if (isEmpty)
                plan.chunk.clear();
            plan.packed = true;
            plan.nanWhereEmpty = kind != Occupancy;
            SKEIN_TRY(data, h5::createArray(m_file->get(), names[kind],
                                            kind == Occupancy ? H5T_STD_U8LE : H5T_IEEE_F64LE, plan));
            SKEIN_CHECK(h5::writeVariableTextAttribute(data.id.get(), "dims", writeJson(dims)));
            m_fields[kind] = {std::move(data), axes[kind]};
        }
        return describe();
    }

    Result<void> describe() {
        const project::Labels& labels = m_task.labels;
        const project::Skeleton& skeleton = labels.skeletons().front();
        const project::Video& video = labels.videos()[m_table.video];
        const hid_t root = m_file->get();
        SKEIN_CHECK(h5::writeFixedStrings(root, "track_names", m_table.names));
        SKEIN_CHECK(h5::writeFixedStrings(root, "node_names", skeleton.nodes));
        std::vector<std::string> ends;
        std::vector<std::int64_t> places;
        for (const project::Edge& edge : skeleton.edges)
            for (const int node : {edge.source, edge.destination}) {
                ends.push_back(skeleton.nodes[static_cast<std::size_t>(node)]);
                places.push_back(node);
            }
        SKEIN_CHECK(h5::writeFixedStrings(root, "edge_names", ends, 2));
        h5::ArrayPlan plan;
        plan.dims = {skeleton.edges.size(), 2};
        SKEIN_TRY(edges, h5::createArray(root, "edge_inds", H5T_STD_I64LE, plan));
        SKEIN_CHECK(h5::writeRows(edges, H5T_NATIVE_INT64, 0, skeleton.edges.size(), places.data()));
        SKEIN_CHECK(h5::writeVariableText(root, "labels_path", m_task.options.projectFile.string()));
        SKEIN_CHECK(h5::writeVariableText(root, "video_path", video.filename));
        const std::int64_t index = m_table.video;
        SKEIN_CHECK(h5::writeScalar(root, "video_ind", H5T_STD_I64LE, H5T_NATIVE_INT64, &index));
        const std::string& provenance = labels.provenanceJson();
        SKEIN_CHECK(h5::writeVariableText(root, "provenance", provenance.empty() ? "{}" : strictText(provenance)));
        Json symmetries = Json::array();
        for (const auto& [a, b] : skeleton.symmetries)
            symmetries.push_back(Json::array(
                {skeleton.nodes[static_cast<std::size_t>(a)], skeleton.nodes[static_cast<std::size_t>(b)]}));
        const std::array<std::pair<const char*, std::string>, 7> attributes = {
            {{"preset", m_task.options.standardAxes ? "standard" : "matlab"},
             {"format", "analysis"},
             {"sleap_io_version", kLayoutVersion},
             {"skein_version", SKEIN_VERSION},
             {"skeleton_name", skeleton.name},
             {"skeleton_symmetries", writeJson(symmetries)},
             {"video_backend_metadata", writeStrictJson(slp::backendOf(slp::rowFromVideo(video)))}}};
        for (const auto& [name, text] : attributes)
            SKEIN_CHECK(h5::writeVariableTextAttribute(root, name, text));
        return {};
    }

    /// Frames [begin, begin + kPieceFrames), rows [from, upTo) of the table. Tracks that are there at all in these
    /// frames are taken a group at a time, as many as may wait in memory.
    Result<void> writeBlock(std::int64_t begin, std::size_t from, std::size_t upTo) {
        const std::size_t frames = static_cast<std::size_t>(std::min(kPieceFrames, m_table.frameCount - begin));
        std::vector<std::size_t> there;
        std::vector<std::uint8_t> isThere(m_table.places(), 0);
        SKEIN_CHECK(visitFrames(m_task.labels, m_table, from, upTo,
                                [&](std::int64_t, std::span<const PlacedInstance> placed) -> Result<void> {
                                    for (const PlacedInstance& p : placed)
                                        if (std::exchange(isThere[p.place], 1) == 0)
                                            there.push_back(p.place);
                                    m_task.report.instances += placed.size();
                                    return {};
                                }));
        const std::size_t ofOne = frames * (3 * m_nodes + 3);
        const std::size_t atOnce = std::max<std::size_t>(1, kMostWaiting / std::max<std::size_t>(1, ofOne));
        for (std::size_t group = 0; group < there.size(); group += atOnce)
            SKEIN_CHECK(writeGroup(begin, frames, from, upTo,
                                   std::span(there).subspan(group, std::min(atOnce, there.size() - group))));
        return {};
    }

    Result<void> writeGroup(std::int64_t begin, std::size_t frames, std::size_t from, std::size_t upTo,
                            std::span<const std::size_t> places) {
        const std::array<std::size_t, kKinds> sizes = {frames * m_nodes * 2, frames * m_nodes, frames, frames, frames};
        std::array<std::vector<double>, Occupancy> numbers;
        for (std::size_t kind = 0; kind < Occupancy; ++kind)
            numbers[kind].assign(sizes[kind] * places.size(), project::kNaN);
        std::vector<std::uint8_t> occupancy(sizes[Occupancy] * places.size(), 0);
        constexpr std::size_t kNone = static_cast<std::size_t>(-1);
        std::vector<std::size_t> inGroup(m_table.places(), kNone);
        for (std::size_t i = 0; i < places.size(); ++i)
            inGroup[places[i]] = i;
        const bool standard = m_task.options.standardAxes;
        SKEIN_CHECK(visitFrames(m_task.labels, m_table, from, upTo,
                                [&](std::int64_t frame, std::span<const PlacedInstance> placed) -> Result<void> {
                                    const auto f = static_cast<std::size_t>(frame - begin);
                                    for (const PlacedInstance& p : placed) {
                                        const std::size_t g = inGroup[p.place];
                                        if (g == kNone)
                                            continue;
                                        const project::InstanceHeader& header = *p.instance.header;
                                        const bool predicted = header.kind == project::InstanceKind::Predicted;
                                        double* xy = numbers[Tracks].data() + g * sizes[Tracks];
                                        double* scores = numbers[PointScores].data() + g * sizes[PointScores];
                                        for (std::size_t n = 0; n < std::min(m_nodes, p.instance.points.size()); ++n) {
                                            const project::Point& point = p.instance.points[n];
                                            if (point.exists()) {
                                                xy[standard ? (f * m_nodes + n) * 2 : n * frames + f] = point.x;
                                                xy[standard ? (f * m_nodes + n) * 2 + 1 : (m_nodes + n) * frames + f] =
                                                    point.y;
                                            }
                                            if (predicted)
                                                scores[standard ? f * m_nodes + n : n * frames + f] = point.score;
                                        }
                                        if (predicted)
                                            numbers[InstanceScores][g * frames + f] = static_cast<double>(header.score);
                                        numbers[TrackingScores][g * frames + f] =
                                            static_cast<double>(header.trackingScore);
                                        occupancy[g * frames + f] = 1;
                                    }
                                    return {};
                                }));
        const h5::Session session;
        std::vector<hsize_t> start, extent;
        for (std::size_t kind = 0; kind < kKinds; ++kind)
            for (std::size_t g = 0; g < places.size(); ++g) {
                start.clear();
                extent.clear();
                for (const Axis axis : m_fields[kind].axes) {
                    start.push_back(axis == Axis::Frame   ? static_cast<hsize_t>(begin)
                                    : axis == Axis::Track ? places[g]
                                                          : 0);
                    extent.push_back(axis == Axis::Frame ? frames : axis == Axis::Track ? 1 : lengthOf(axis));
                }
                const void* in = kind == Occupancy ? static_cast<const void*>(occupancy.data() + g * frames)
                                                   : numbers[kind].data() + g * sizes[kind];
                if (sizes[kind] > 0)
                    SKEIN_CHECK(h5::writeBox(m_fields[kind].data,
                                             kind == Occupancy ? H5T_NATIVE_UINT8 : H5T_NATIVE_DOUBLE, start, extent,
                                             in));
            }
        return m_file->check();
    }

    const Task& m_task;
    const TrackTable& m_table;
    std::filesystem::path m_path;
    std::size_t m_nodes;
    std::optional<h5::OutputFile> m_file;
    std::array<Field, kKinds> m_fields;
};

}  // namespace

Result<void> writeAnalysis(const Task& task, std::uint32_t video, const std::filesystem::path& path) {
    SKEIN_TRY(table, makeTrackTable(task.labels, video));
    task.report.leftOut += table.leftOut;
    return AnalysisWriter(task, table, path).write();
}

}  // namespace skein::formats::exporting
