// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engine/formats/import/dlc_table.h"
#include "engine/formats/import/readers.h"
#include "engine/formats/try.h"
#include "engine/formats/video_path.h"

namespace skein::formats::importing {
namespace {

namespace fs = std::filesystem;

/// Makes a project of the rows of a DeepLabCut table, whatever its form.
class DlcBuilder {
public:
    explicit DlcBuilder(const Task& task) : m_task(task) {}

    Result<void> head(std::vector<DlcColumn>&& columns) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const DlcColumn& column = columns[i];
            const int part = column.coordinate == "x"            ? 0
                             : column.coordinate == "y"          ? 1
                             : column.coordinate == "likelihood" ? 2
                                                                 : -1;
            if (part < 0)
                continue;
            const auto [node, isNewNode] = m_nodes.try_emplace(column.bodypart, m_skeleton.nodes.size());
            if (isNewNode)
                m_skeleton.nodes.push_back(column.bodypart);
            const auto [animal, isNewAnimal] = m_animals.try_emplace(column.individual, m_columns.size());
            if (isNewAnimal) {
                m_columns.emplace_back();
                if (!column.individual.empty())
                    m_tracks.push_back({column.individual, 0, -1});
            }
            auto& of = m_columns[animal->second];
            if (of.size() <= node->second)
                of.resize(node->second + 1, {-1, -1, -1});
            of[node->second][static_cast<std::size_t>(part)] = static_cast<int>(i);
        }
        if (m_columns.empty())
            return m_task.bad("it has no columns of x and y.");
        return {};
    }

    Result<void> row(const std::string& index, std::span<const double> values) {
        const auto frame = frameOf(index);
        if (!frame)
            return m_task.bad("the row \"" + index.substr(0, 80) + "\" does not say which frame it is.");
        const std::uint32_t video = videoOf(index);
        m_pictures[{video, *frame}] = index;
        project::FrameData& data = m_frames.at(video, *frame);
        for (std::size_t animal = 0; animal < m_columns.size(); ++animal) {
            project::InstanceData instance;
            instance.header.track = m_tracks.empty() ? -1 : static_cast<std::int32_t>(animal);
            instance.points.resize(m_skeleton.nodes.size());
            double sum = 0;
            int count = 0, scored = 0;
            for (std::size_t n = 0; n < m_columns[animal].size(); ++n) {
                const auto value = [&, n](std::size_t part) {
                    const int column = m_columns[animal][n][part];
                    return column < 0 ? project::kNaN : values[static_cast<std::size_t>(column)];
                };
                const double x = value(0), y = value(1), likelihood = value(2);
                if (!(std::isfinite(x) && std::isfinite(y)))
                    continue;
                instance.points[n] = {x, y, likelihood, true, false};
                ++count;
                if (likelihood == likelihood) {
                    sum += likelihood;
                    ++scored;
                }
            }
            if (count == 0)
                continue;
            // A column of likelihoods without a value says as much as none: a person put these points there.
            const bool isByHand = scored == 0;
            instance.header.kind = isByHand ? project::InstanceKind::User : project::InstanceKind::Predicted;
            for (project::Point& point : instance.points)
                point.complete = isByHand && point.exists();
            instance.header.score = static_cast<float>(scored == 0 ? 0 : sum / scored);
            data.instances.push_back(std::move(instance));
        }
        return {};
    }

    project::Labels finish() {
        project::Labels labels;
        labels.editSkeletons().push_back(std::move(m_skeleton));
        labels.editTracks() = std::move(m_tracks);
        labels.editVideos() = std::move(m_videos);
        for (std::uint32_t video = 0; video < labels.videos().size(); ++video)
            usePictures(labels.editVideos()[video], video);
        return m_frames.finish(std::move(labels));
    }

private:
    /// The last run of digits in the name of the picture, or the number that the row has for a name.
    static std::optional<std::int64_t> frameOf(const std::string& index) {
        const std::string stem = fs::path(storedBaseName(index)).stem().string();
        const auto end = stem.find_last_of("0123456789");
        if (end == std::string::npos)
            return std::nullopt;
        auto begin = end;
        while (begin > 0 && stem[begin - 1] >= '0' && stem[begin - 1] <= '9')
            --begin;
        if (end - begin >= 10)
            return std::nullopt;
        return std::stoll(stem.substr(begin, end - begin + 1));
    }

    /// Pictures of one folder are frames of one video, which DeepLabCut names the folder after.
    std::uint32_t videoOf(const std::string& index) {
        const std::vector<std::string> parts = storedPathParts(index);
        const std::string name = parts.size() >= 2 ? parts[parts.size() - 2] : m_task.path.stem().string();
        const auto [at, isNew] = m_videoPlaces.try_emplace(name, m_videos.size());
        if (isNew) {
            project::Video video;
            video.filename = name + ".mp4";
            m_videos.push_back(std::move(video));
        }
        return static_cast<std::uint32_t>(at->second);
    }

    /// Where the labelled pictures lie beside the table they are the video, at the place of their number among them;
    /// the frames are then numbered anew.
    void usePictures(project::Video& video, std::uint32_t place) {
        std::vector<std::string> files;
        const auto begin = m_pictures.lower_bound({place, -1});
        const auto end = m_pictures.lower_bound({place + 1, -1});
        bool isEachThere = begin != end;
        for (auto at = begin; at != end; ++at) {
            video.frameCount = std::max(video.frameCount, at->first.second + 1);
            const fs::path folder = m_task.path.parent_path();
            const auto found = isEachThere ? longestEndUnder(folder, storedPathParts(at->second)) : std::nullopt;
            const auto above = isEachThere && !found
                                   ? longestEndUnder(folder.parent_path().parent_path(), storedPathParts(at->second))
                                   : std::nullopt;
            isEachThere = found || above;
            if (isEachThere)
                files.push_back((found ? *found : *above).string());
        }
        std::error_code ec;
        if (!isEachThere || !fs::is_regular_file(files.front(), ec))
            return;
        std::int64_t rank = 0;
        for (auto at = begin; at != end; ++at, ++rank)
            m_frames.move(place, at->first.second, rank);
        video.filename = files.front();
        video.frameCount = static_cast<std::int64_t>(files.size());
        video.imageFiles = std::move(files);
    }

    const Task& m_task;
    project::Skeleton m_skeleton = [] {
        project::Skeleton skeleton;
        skeleton.name = "skeleton";
        return skeleton;
    }();
    std::vector<project::Track> m_tracks;
    std::vector<project::Video> m_videos;
    std::vector<std::vector<std::array<int, 3>>> m_columns;  ///< x, y, likelihood of each node of each animal
    std::map<std::string, std::size_t> m_nodes, m_animals, m_videoPlaces;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::string> m_pictures;
    FrameCollector m_frames;
};

Result<project::Labels> build(const Task& task, Result<void> (*read)(const Task&, const DlcHead&, const DlcRow&)) {
    DlcBuilder builder(task);
    SKEIN_CHECK(read(
        task, [&builder](std::vector<DlcColumn>&& columns) { return builder.head(std::move(columns)); },
        [&builder](const std::string& index, std::span<const double> values) { return builder.row(index, values); }));
    return builder.finish();
}

}  // namespace

Result<project::Labels> readDlc(const Task& task) {
    return build(task, readDlcText);
}
Result<project::Labels> readDlcH5(const Task& task) {
    return build(task, readDlcFile);
}

}  // namespace skein::formats::importing
