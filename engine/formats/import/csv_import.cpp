// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "engine/formats/import/csv_table.h"
#include "engine/formats/import/readers.h"
#include "engine/formats/try.h"

namespace skein::formats::importing {
namespace {

using project::InstanceData;
using project::InstanceKind;

constexpr int kNone = -1;
constexpr std::size_t kMostNodes = 100'000;

/// Columns of one instance in a row.
struct InstanceColumns {
    int track = kNone, trackScore = kNone, score = kNone;
    std::vector<std::array<int, 3>> nodes;  ///< x, y, score of each
};

/// Columns of every kind of table by their names.
struct Columns {
    int frame = kNone, video = kNone, kind = kNone;
    std::vector<InstanceColumns> instances;  ///< one where a row is an instance, several where it is a frame
    // A row a point; the rest as of one instance.
    int node = kNone, x = kNone, y = kNone, pointScore = kNone, instance = kNone;
};

/// K of a column "instK.REST" and its rest, as tables with a row a frame have them.
std::optional<std::pair<std::size_t, std::string>> ofInstance(const std::string& name) {
    constexpr std::string_view kMark = "inst";
    const auto dot = name.find('.');
    if (name.compare(0, kMark.size(), kMark) != 0 || dot == std::string::npos || dot == kMark.size() ||
        dot > kMark.size() + 5 || name.find_first_not_of("0123456789", kMark.size()) != dot)
        return std::nullopt;
    return std::pair(static_cast<std::size_t>(std::stoul(name.substr(kMark.size(), dot - kMark.size()))),
                     name.substr(dot + 1));
}

int columnNamed(const std::vector<std::string>& names, std::initializer_list<const char*> any) {
    for (const char* name : any)
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == name)
                return static_cast<int>(i);
    return kNone;
}

class CsvReader {
public:
    explicit CsvReader(const Task& task) : m_task(task), m_table(task.path) {}

    Result<project::Labels> read() {
        if (!m_table.next(m_cells))
            return m_task.bad("it is empty.");
        m_columns.frame = columnNamed(m_cells, {"frame_idx"});
        m_columns.video = columnNamed(m_cells, {"video_path"});
        m_columns.kind = columnNamed(m_cells, {"instance_type"});
        m_columns.node = columnNamed(m_cells, {"node"});
        m_skeleton.name = "skeleton";
        const bool isPoints = m_columns.node != kNone;
        if (isPoints) {
            m_columns.x = columnNamed(m_cells, {"x"});
            m_columns.y = columnNamed(m_cells, {"y"});
            m_columns.pointScore = columnNamed(m_cells, {"score"});
            m_columns.instances.push_back({columnNamed(m_cells, {"track"}),
                                           columnNamed(m_cells, {"track_score"}),
                                           columnNamed(m_cells, {"instance_score"}),
                                           {}});
            m_columns.instance = columnNamed(m_cells, {"instance"});
            if (m_columns.x == kNone || m_columns.y == kNone)
                return m_task.bad("the table of points has no columns x and y.");
        } else {
            SKEIN_CHECK(findInstances());
        }
        std::size_t rows = 0;
        while (m_table.next(m_cells)) {
            if (rows++ % 4096 == 0)
                SKEIN_CHECK(m_task.step("rows", m_table.fraction()));
            SKEIN_CHECK(isPoints ? readPoint() : readInstances());
        }
        if (m_table.isDamaged())
            return m_task.bad("the table ends in the middle of a row.");
        for (auto& [key, frame] : m_points)
            for (auto& [unused, instance] : frame) {
                // Points come in any order: the first instances do not know all nodes.
                instance.points.resize(m_skeleton.nodes.size());
                m_frames.at(key.first, key.second).instances.push_back(std::move(instance));
            }
        project::Labels labels;
        labels.editVideos() = std::move(m_videos);
        labels.editTracks() = std::move(m_tracks);
        labels.editSkeletons().push_back(std::move(m_skeleton));
        return m_frames.finish(std::move(labels));
    }

private:
    [[nodiscard]] tl::unexpected<Error> badRow(const std::string& what) const {
        return m_task.bad("line " + std::to_string(m_table.line()) + " " + what);
    }
    [[nodiscard]] std::string_view cell(int column) const {
        return column == kNone || static_cast<std::size_t>(column) >= m_cells.size()
                   ? std::string_view()
                   : std::string_view(m_cells[static_cast<std::size_t>(column)]);
    }
    Result<double> number(int column) const {
        if (const auto value = numberFrom(cell(column)))
            return *value;
        return badRow("has the text \"" + std::string(cell(column).substr(0, 40)) + "\" where a number belongs.");
    }

    /// Columns NODE.x, NODE.y and NODE.score, of several instances with instK. before them; a node's name may hold dots
    /// itself.
    Result<void> findInstances() {
        constexpr std::size_t kMostInstances = 10'000;
        const bool isFrames = std::any_of(m_cells.begin(), m_cells.end(), [](const std::string& name) {
            const auto part = ofInstance(name);
            return part && part->second == "track";
        });
        if (!isFrames)
            m_columns.instances.push_back({columnNamed(m_cells, {"track"}),
                                           columnNamed(m_cells, {"track_score"}),
                                           columnNamed(m_cells, {"instance.score", "score"}),
                                           {}});
        std::map<std::string, std::size_t> places;
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            std::string name = m_cells[i];
            std::size_t which = 0;
            if (isFrames) {
                const auto part = ofInstance(name);
                if (!part)
                    continue;
                which = part->first;
                name = part->second;
                if (which >= kMostInstances)
                    return m_task.bad("it has more than 10,000 instances in a frame.");
                if (m_columns.instances.size() <= which)
                    m_columns.instances.resize(which + 1);
                InstanceColumns& of = m_columns.instances[which];
                for (const auto& [known, column] :
                     {std::pair("track", &of.track), std::pair("track_score", &of.trackScore),
                      std::pair("score", &of.score)})
                    if (name == known)
                        *column = static_cast<int>(i);
            }
            const auto dot = name.rfind('.');
            if (dot == std::string::npos || static_cast<int>(i) == m_columns.instances[which].score)
                continue;
            const std::string_view end = std::string_view(name).substr(dot + 1);
            const int part = end == "x" ? 0 : end == "y" ? 1 : end == "score" ? 2 : kNone;
            if (part == kNone)
                continue;
            const auto [at, isNew] = places.try_emplace(name.substr(0, dot), m_skeleton.nodes.size());
            if (isNew)
                m_skeleton.nodes.push_back(name.substr(0, dot));
            auto& nodes = m_columns.instances[which].nodes;
            if (nodes.size() <= at->second)
                nodes.resize(at->second + 1, {kNone, kNone, kNone});
            nodes[at->second][static_cast<std::size_t>(part)] = static_cast<int>(i);
        }
        if (m_skeleton.nodes.empty())
            return m_task.bad("no column is named like NODE.x; it is no table of poses.");
        for (const InstanceColumns& of : m_columns.instances)
            for (std::size_t n = 0; n < of.nodes.size(); ++n)
                if ((of.nodes[n][0] == kNone) != (of.nodes[n][1] == kNone) ||
                    (of.nodes[n][0] == kNone && of.nodes[n][2] != kNone))
                    return m_task.bad("the node " + m_skeleton.nodes[n] + " has no x or no y column.");
        return {};
    }

    /// Video, frame number and the parts of the header that both kinds of row have.
    Result<std::pair<std::uint32_t, std::int64_t>> readHead(project::InstanceHeader& header,
                                                            const InstanceColumns& of) {
        SKEIN_TRY(frame, number(m_columns.frame));
        if (!(frame >= 0) || frame >= double(kMostFrames) || frame != std::floor(frame))
            return badRow("has no usable frame number.");
        SKEIN_TRY(score, number(of.score));
        SKEIN_TRY(trackScore, number(of.trackScore));
        header.kind = cell(m_columns.kind) == "user" ? InstanceKind::User : InstanceKind::Predicted;
        header.score = static_cast<float>(score == score ? score : header.kind == InstanceKind::User ? 0.0 : 1.0);
        header.trackingScore = static_cast<float>(trackScore);
        if (const std::string_view track = cell(of.track); !track.empty())
            header.track = static_cast<std::int32_t>(m_trackPlaces.place(std::string(track), [track] {
                return project::Track{std::string(track), 0, -1};
            }));
        std::string video(cell(m_columns.video));
        if (video.empty())
            video = m_task.path.stem().string() + ".mp4";
        const std::size_t place = m_videoPlaces.place(video, [&video] {
            project::Video made;
            made.filename = video;
            return made;
        });
        m_videos[place].frameCount = std::max(m_videos[place].frameCount, static_cast<std::int64_t>(frame) + 1);
        return std::pair(static_cast<std::uint32_t>(place), static_cast<std::int64_t>(frame));
    }

    static void place(project::Point& point, double x, double y, double score) {
        point.x = x;
        point.y = y;
        point.score = score;
        point.visible = x == x && y == y;
    }

    Result<void> readInstances() {
        for (const InstanceColumns& of : m_columns.instances) {
            InstanceData instance;
            SKEIN_TRY(key, readHead(instance.header, of));
            instance.points.resize(m_skeleton.nodes.size());
            bool isEmpty = cell(of.track).empty() && cell(of.score).empty();
            for (std::size_t n = 0; n < of.nodes.size(); ++n) {
                SKEIN_TRY(x, number(of.nodes[n][0]));
                SKEIN_TRY(y, number(of.nodes[n][1]));
                SKEIN_TRY(score, number(of.nodes[n][2]));
                place(instance.points[n], x, y, score);
                isEmpty = isEmpty && !instance.points[n].exists();
            }
            if (!isEmpty)  // the row of a frame in which nothing is
                m_frames.at(key.first, key.second).instances.push_back(std::move(instance));
        }
        return {};
    }

    /// Points with the same kind, track and number belong together; without numbers a node that comes again begins the
    /// next instance.
    Result<void> readPoint() {
        project::InstanceHeader header;
        SKEIN_TRY(key, readHead(header, m_columns.instances.front()));
        const std::string node(cell(m_columns.node));
        if (node.empty())
            return {};
        auto known = m_nodePlaces.find(node);
        if (known == m_nodePlaces.end()) {
            if (m_skeleton.nodes.size() == kMostNodes)
                return m_task.bad("it has more than 100,000 nodes.");
            known = m_nodePlaces.emplace(node, m_skeleton.nodes.size()).first;
            m_skeleton.nodes.push_back(node);
        }
        SKEIN_TRY(x, number(m_columns.x));
        SKEIN_TRY(y, number(m_columns.y));
        SKEIN_TRY(score, number(m_columns.pointScore));
        SKEIN_TRY(place_, number(m_columns.instance));
        const bool isNumbered = place_ == place_;
        auto& frame = m_points[{key.first, key.second}];
        const std::size_t n = known->second;
        for (std::int64_t again = isNumbered ? static_cast<std::int64_t>(std::clamp(place_, -1e9, 1e9)) : 0;; ++again) {
            const std::tuple who(header.kind == InstanceKind::User, header.track, again);
            auto at = std::find_if(frame.begin(), frame.end(), [&who](const auto& a) { return a.first == who; });
            if (at == frame.end()) {
                frame.emplace_back(who, InstanceData{header, {}});
                at = frame.end() - 1;
            }
            auto& points = at->second.points;
            if (points.size() <= n)
                points.resize(n + 1);
            project::Point& point = points[n];
            // Whether the node was met is told by its score too, which a node that is not there may have.
            if (!isNumbered && (point.exists() || point.score == point.score))
                continue;
            place(point, x, y, score);
            return {};
        }
    }

    using Who = std::tuple<bool, std::int32_t, std::int64_t>;

    const Task& m_task;
    CsvTable m_table;
    std::vector<std::string> m_cells;
    Columns m_columns;
    project::Skeleton m_skeleton;
    std::vector<project::Track> m_tracks;
    std::vector<project::Video> m_videos;
    Register<project::Track> m_trackPlaces{m_tracks};
    Register<project::Video> m_videoPlaces{m_videos};
    std::map<std::string, std::size_t> m_nodePlaces;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::pair<Who, InstanceData>>> m_points;
    FrameCollector m_frames;
};

}  // namespace

Result<project::Labels> readCsv(const Task& task) {
    return CsvReader(task).read();
}

}  // namespace skein::formats::importing
