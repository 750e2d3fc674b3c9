// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstring>

#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/import/readers.h"
#include "engine/formats/json/json.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/try.h"

namespace skein::formats::importing {
namespace {

enum Axis : std::size_t { Frame, Track, Node, Xy, kAxes };
constexpr hsize_t kMost = hsize_t{1} << 40;
constexpr hsize_t kAll = static_cast<hsize_t>(-1);
/// Frames looked at together: as many as Skein stores in one piece.
constexpr hsize_t kBlock = 1024;

/// One array of the file, with the place of each axis in it; -1: it has no such axis.
struct Field {
    h5::Dataset data;
    std::array<int, kAxes> axis = {-1, -1, -1, -1};
    bool isThere = false;
};

class AnalysisReader {
public:
    explicit AnalysisReader(const Task& task) : m_task(task) {}

    Result<project::Labels> read() {
        const h5::Session session;
        SKEIN_TRY(file, h5::openFile(m_task.path));
        const hid_t root = file.get();
        SKEIN_TRY(tracks, open(root, "tracks", 4));
        SKEIN_TRY(occupancy, open(root, "track_occupancy", 2));
        for (std::size_t axis = 0; axis < kAxes; ++axis)
            m_length[axis] = tracks.data.dims[static_cast<std::size_t>(tracks.axis[axis])];
        if (m_length[Xy] != 2)
            return m_task.bad("its positions are not of two coordinates.");
        if (m_length[Frame] > static_cast<hsize_t>(kMostFrames))
            return m_task.bad("it claims more frames than there can be.");
        SKEIN_CHECK(fit(occupancy, "track_occupancy"));
        std::array<Field, 3> scores;
        const std::array<std::pair<const char*, std::size_t>, 3> names = {
            {{"point_scores", 3}, {"instance_scores", 2}, {"tracking_scores", 2}}};
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (!h5::exists(root, names[i].first))
                continue;  // the oldest files have none
            SKEIN_TRY(field, open(root, names[i].first, names[i].second));
            SKEIN_CHECK(fit(field, names[i].first));
            scores[i] = std::move(field);
        }
        SKEIN_TRY(labels, describe(root));
        project::LabelsBuilder builder(std::move(labels));
        for (hsize_t begin = 0; begin < m_length[Frame]; begin += kBlock) {
            SKEIN_CHECK(m_task.step("frames", double(begin) / double(m_length[Frame])));
            SKEIN_CHECK(
                readFrames(builder, tracks, occupancy, scores, begin, std::min(kBlock, m_length[Frame] - begin)));
        }
        return builder.finish();
    }

private:
    Result<Field> open(hid_t root, const std::string& name, std::size_t rank) {
        SKEIN_TRY(data, h5::openDataset(root, name));
        if (data.dims.size() != rank || (data.typeClass() != H5T_FLOAT && data.typeClass() != H5T_INTEGER))
            return m_task.bad("the table " + name + " has another form than SLEAP writes; it is damaged.");
        for (const hsize_t length : data.dims)
            if (length > kMost)
                return m_task.bad("the table " + name + " claims to be larger than can be.");
        Field field;
        field.isThere = true;
        SKEIN_TRY(order, orderOf(root, data, rank));
        for (std::size_t i = 0; i < order.size(); ++i)
            field.axis[order[i]] = static_cast<int>(i);
        field.data = std::move(data);
        return field;
    }

    /// From the array's own note, else from SLEAP's mark of files that are not turned, else SLEAP's usual order.
    Result<std::vector<Axis>> orderOf(hid_t root, const h5::Dataset& data, std::size_t rank) {
        const bool isOccupancy = data.name == "track_occupancy";
        if (const auto text = h5::textAttribute(data.id.get(), "dims")) {
            SKEIN_TRY(names, parseJson(*text, "The order of the axes"));
            std::vector<Axis> order;
            for (const Json& name : names)
                for (const auto& [known, axis] : {std::pair("frame", Frame), std::pair("track", Track),
                                                  std::pair("node", Node), std::pair("xy", Xy)})
                    if (name == known && std::find(order.begin(), order.end(), axis) == order.end())
                        order.push_back(axis);
            const bool fits = order.size() == rank && std::find(order.begin(), order.end(), Frame) != order.end() &&
                              std::find(order.begin(), order.end(), Track) != order.end() &&
                              (rank < 3 || std::find(order.begin(), order.end(), Node) != order.end());
            if (!fits)
                return m_task.bad("the order of the axes of " + data.name + " makes no sense.");
            return order;
        }
        const auto isTurned = h5::numberAttribute(root, "transpose");
        if (isTurned && *isTurned == 0)
            return rank == 4   ? std::vector{Frame, Node, Xy, Track}
                   : rank == 3 ? std::vector{Frame, Node, Track}
                               : std::vector{Frame, Track};
        return rank == 4     ? std::vector{Track, Xy, Node, Frame}
               : rank == 3   ? std::vector{Track, Node, Frame}
               : isOccupancy ? std::vector{Frame, Track}
                             : std::vector{Track, Frame};
    }

    Result<void> fit(const Field& field, const char* name) {
        for (std::size_t axis = 0; axis < kAxes; ++axis)
            if (field.axis[axis] >= 0 && field.data.dims[static_cast<std::size_t>(field.axis[axis])] != m_length[axis])
                return m_task.bad(std::string("the table ") + name + " is of another size than the positions.");
        return {};
    }

    Result<std::vector<std::string>> texts(hid_t root, const char* name) {
        if (!h5::exists(root, name))
            return std::vector<std::string>();
        return h5::readStrings(root, name);
    }

    Result<project::Labels> describe(hid_t root) {
        project::Labels labels;
        SKEIN_TRY(nodes, texts(root, "node_names"));
        SKEIN_TRY(tracks, texts(root, "track_names"));
        project::Skeleton skeleton;
        skeleton.name = h5::textAttribute(root, "skeleton_name").value_or("skeleton");
        skeleton.nodes = std::move(nodes);
        if (skeleton.nodes.size() != m_length[Node])
            return m_task.bad("it names " + std::to_string(skeleton.nodes.size()) + " nodes and has positions of " +
                              std::to_string(m_length[Node]) + ".");
        if (h5::exists(root, "edge_inds")) {
            SKEIN_TRY(ends, h5::readIntegers(root, "edge_inds"));
            for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
                if (std::min(ends[i], ends[i + 1]) < 0 ||
                    std::max(ends[i], ends[i + 1]) >= static_cast<std::int64_t>(skeleton.nodes.size()))
                    return m_task.bad("an edge leads to a node that there is not.");
                skeleton.edges.push_back({static_cast<int>(ends[i]), static_cast<int>(ends[i + 1])});
            }
        }
        if (const auto text = h5::textAttribute(root, "skeleton_symmetries"))
            if (const auto pairs = parseJson(*text, "The symmetries"); pairs && pairs->is_array())
                for (const Json& pair : *pairs)
                    if (pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_string()) {
                        const auto a = skeleton.nodeIndex(pair[0].get<std::string>());
                        const auto b = skeleton.nodeIndex(pair[1].get<std::string>());
                        if (a && b)
                            skeleton.symmetries.push_back({*a, *b});
                    }
        labels.editSkeletons().push_back(std::move(skeleton));
        // Places without a name are no tracks: the project had none.
        m_hasTracks = tracks.size() == m_length[Track];
        if (!m_hasTracks && !tracks.empty())
            return m_task.bad("it names " + std::to_string(tracks.size()) + " tracks and has positions of " +
                              std::to_string(m_length[Track]) + ".");
        for (std::string& name : tracks)
            labels.editTracks().push_back({std::move(name), 0, -1});
        labels.editVideos().push_back(describeVideo(root));
        if (h5::exists(root, "provenance"))
            if (const auto text = h5::readStrings(root, "provenance"); text && !text->empty())
                if (const auto parsed = parseJson(text->front(), "The provenance"); parsed && parsed->is_object())
                    labels.setProvenanceJson(writeStrictJson(*parsed));
        return labels;
    }

    project::Video describeVideo(hid_t root) {
        project::Video video;
        if (const auto text = h5::textAttribute(root, "video_backend_metadata"))
            if (auto backend = parseJson(*text, "The description of the video"); backend && backend->is_object()) {
                Json row = Json::object();
                row["backend"] = std::move(*backend);
                video = slp::videoFromRow(row);
                video.rowJson.clear();
            }
        if (h5::exists(root, "video_path"))
            if (const auto path = h5::readStrings(root, "video_path"); path && !path->empty() && !path->front().empty())
                video.filename = path->front();
        if (video.filename.empty())
            video.filename = m_task.path.stem().string() + ".mp4";
        video.frameCount = std::max(video.frameCount, static_cast<std::int64_t>(m_length[Frame]));
        return video;
    }

    /// Frames [begin, begin + count) of one track of a field, row-major in the file's order of axes; of all tracks when
    /// `track` is kAll.
    template <class T>
    Result<std::vector<T>> readPart(const Field& field, hid_t type, hsize_t begin, hsize_t count, hsize_t track) {
        if (!field.isThere)
            return std::vector<T>();
        std::vector<hsize_t> start(field.data.dims.size(), 0), extent = field.data.dims;
        start[static_cast<std::size_t>(field.axis[Frame])] = begin;
        extent[static_cast<std::size_t>(field.axis[Frame])] = count;
        if (track != kAll) {
            start[static_cast<std::size_t>(field.axis[Track])] = track;
            extent[static_cast<std::size_t>(field.axis[Track])] = 1;
        }
        hsize_t elements = 1;
        for (const hsize_t length : extent)
            elements *= length;
        std::vector<T> values(elements);
        if (elements == 0)
            return values;
        const h5::Id fileSpace(H5Dget_space(field.data.id.get()));
        H5Sselect_hyperslab(fileSpace.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr);
        const h5::Id memorySpace(H5Screate_simple(1, &elements, nullptr));
        if (H5Dread(field.data.id.get(), type, memorySpace.get(), fileSpace.get(), H5P_DEFAULT, values.data()) < 0)
            return m_task.bad("the table " + field.data.name + " is damaged.");
        return values;
    }

    /// Steps between neighbours along each axis in a part of `count` frames of `tracks` tracks.
    std::array<std::size_t, kAxes> strides(const Field& field, hsize_t count, hsize_t tracks) const {
        std::array<std::size_t, kAxes> steps{};
        std::size_t step = 1;
        for (int place = static_cast<int>(field.data.dims.size()) - 1; place >= 0; --place)
            for (std::size_t axis = 0; axis < kAxes; ++axis)
                if (field.axis[axis] == place) {
                    steps[axis] = step;
                    step *= axis == Frame ? count : axis == Track ? tracks : m_length[axis];
                }
        return steps;
    }

    /// Reads a block a track at a time, and only those that are there: of thousands of short tracks few are.
    Result<void> readFrames(project::LabelsBuilder& builder, const Field& tracks, const Field& occupancy,
                            const std::array<Field, 3>& scores, hsize_t begin, hsize_t count) {
        SKEIN_TRY(isTaken, readPart<std::uint8_t>(occupancy, H5T_NATIVE_UINT8, begin, count, kAll));
        const auto takenStep = strides(occupancy, count, m_length[Track]);
        const auto isThere = [&](std::size_t frame, std::size_t track) {
            return isTaken[frame * takenStep[Frame] + track * takenStep[Track]] != 0;
        };
        std::vector<std::vector<project::InstanceData>> frames(count);
        for (std::size_t track = 0; track < m_length[Track]; ++track) {
            bool isAnywhere = false;
            for (std::size_t frame = 0; frame < count && !isAnywhere; ++frame)
                isAnywhere = isThere(frame, track);
            if (!isAnywhere)
                continue;
            SKEIN_TRY(xy, readPart<double>(tracks, H5T_NATIVE_DOUBLE, begin, count, track));
            const auto xyStep = strides(tracks, count, 1);
            std::array<std::vector<double>, 3> values;
            std::array<std::array<std::size_t, kAxes>, 3> steps{};
            for (std::size_t i = 0; i < scores.size(); ++i) {
                SKEIN_TRY(part, readPart<double>(scores[i], H5T_NATIVE_DOUBLE, begin, count, track));
                values[i] = std::move(part);
                if (scores[i].isThere)
                    steps[i] = strides(scores[i], count, 1);
            }
            const auto valueOf = [&](std::size_t i, std::size_t frame, std::size_t node) {
                return values[i].empty() ? project::kNaN : values[i][frame * steps[i][Frame] + node * steps[i][Node]];
            };
            for (std::size_t frame = 0; frame < count; ++frame) {
                if (!isThere(frame, track))
                    continue;
                project::InstanceData instance;
                instance.header.track = m_hasTracks ? static_cast<std::int32_t>(track) : -1;
                const double score = valueOf(1, frame, 0);
                instance.header.score = static_cast<float>(score == score ? score : 0.0);
                instance.header.trackingScore = static_cast<float>(valueOf(2, frame, 0));
                for (std::size_t node = 0; node < m_length[Node]; ++node) {
                    const std::size_t at = frame * xyStep[Frame] + node * xyStep[Node];
                    const double x = xy[at], y = xy[at + xyStep[Xy]];
                    instance.points.push_back({x, y, valueOf(0, frame, node), x == x && y == y, false});
                }
                frames[frame].push_back(std::move(instance));
            }
        }
        for (std::size_t frame = 0; frame < count; ++frame) {
            if (frames[frame].empty())
                continue;
            builder.beginFrame(0, static_cast<std::int64_t>(begin + frame));
            for (const project::InstanceData& instance : frames[frame]) {
                const auto points = builder.addInstance(instance.header, instance.points.size());
                std::copy(instance.points.begin(), instance.points.end(), points.begin());
            }
        }
        return {};
    }

    const Task& m_task;
    std::array<hsize_t, kAxes> m_length{};
    bool m_hasTracks = false;
};

}  // namespace

Result<project::Labels> readAnalysis(const Task& task) {
    return AnalysisReader(task).read();
}

}  // namespace skein::formats::importing
