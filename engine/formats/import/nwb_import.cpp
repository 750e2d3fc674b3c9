// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <map>

#include "engine/formats/export/nwb_series.h"
#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/import/readers.h"
#include "engine/formats/try.h"
#include "engine/video/video_source.h"

namespace skein::formats::importing {
namespace {

using project::InstanceData;
using project::InstanceKind;

std::string typeOf(hid_t object) {
    return h5::textAttribute(object, "neurodata_type").value_or("");
}

/// Name at the end of a soft link; empty: it is none.
std::string linkEnd(hid_t location, const std::string& name) {
    H5L_info_t info{};
    if (H5Lget_info(location, name.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_SOFT ||
        info.u.val_size > 4096)
        return {};
    std::string target(info.u.val_size, '\0');
    H5Lget_val(location, name.c_str(), target.data(), target.size(), H5P_DEFAULT);
    target.resize(std::char_traits<char>::length(target.c_str()));
    return target.substr(target.rfind('/') + 1);
}

class NwbReader {
public:
    explicit NwbReader(const Task& task) : m_task(task) {}

    Result<project::Labels> read() {
        const h5::Session session;
        SKEIN_TRY(file, h5::openFile(m_task.path));
        m_root = file.get();
        if (h5::exists(m_root, nwb::kSkeletons))
            SKEIN_CHECK(readSkeletons());
        if (m_labels.skeletons().empty())
            return m_task.bad("it holds no skeleton of ndx-pose.");
        SKEIN_TRY(processing, h5::openGroup(m_root, "/processing"));
        if (h5::exists(m_root, nwb::kTraining))
            SKEIN_CHECK(readTraining());
        for (const std::string& module : h5::linkNames(processing.get()))
            if (h5::objectKind(processing.get(), module) == h5::ObjectKind::Group) {
                SKEIN_TRY(group, h5::openGroup(processing.get(), module));
                SKEIN_CHECK(readModule(group.get()));
            }
        if (m_labels.videos().empty())
            return m_task.bad("it holds neither pose estimates nor training frames.");
        if (m_dropped > 0)
            m_task.report.warnings.push_back(std::to_string(m_dropped) +
                                             " positions have no usable time stamp and were passed over.");
        for (project::Video& video : m_labels.editVideos())
            video.frameCount = std::max(video.frameCount, m_lastFrame[video.filename] + 1);
        return m_frames.finish(std::move(m_labels));
    }

private:
    Result<void> readSkeletons() {
        SKEIN_TRY(group, h5::openGroup(m_root, nwb::kSkeletons));
        for (const std::string& name : h5::linkNames(group.get())) {
            if (h5::objectKind(group.get(), name) != h5::ObjectKind::Group)
                continue;
            SKEIN_TRY(own, h5::openGroup(group.get(), name));
            if (typeOf(own.get()) != "Skeleton")
                continue;
            project::Skeleton skeleton;
            skeleton.name = name;
            SKEIN_TRY(nodes, h5::readStrings(own.get(), "nodes"));
            skeleton.nodes = std::move(nodes);
            if (h5::exists(own.get(), "edges")) {
                SKEIN_TRY(ends, h5::readIntegers(own.get(), "edges"));
                for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
                    if (std::min(ends[i], ends[i + 1]) < 0 ||
                        std::max(ends[i], ends[i + 1]) >= static_cast<std::int64_t>(skeleton.nodes.size()))
                        return m_task.bad("an edge of " + name + " leads to a node that there is not.");
                    skeleton.edges.push_back({static_cast<int>(ends[i]), static_cast<int>(ends[i + 1])});
                }
            }
            m_skeletons[name] = m_labels.skeletons().size();
            m_labels.editSkeletons().push_back(std::move(skeleton));
        }
        return {};
    }

    std::uint32_t videoNamed(const std::string& filename) {
        const auto [at, isNew] = m_videos.try_emplace(filename, m_labels.videos().size());
        if (isNew) {
            project::Video video;
            video.filename = filename;
            m_labels.editVideos().push_back(std::move(video));
        }
        return static_cast<std::uint32_t>(at->second);
    }

    /// The skeleton that one of the group's links leads to; the first where there is none.
    std::uint32_t skeletonOf(hid_t group) const {
        for (const std::string& name : h5::linkNames(group))
            if (const auto at = m_skeletons.find(linkEnd(group, name)); at != m_skeletons.end())
                return static_cast<std::uint32_t>(at->second);
        return 0;
    }

    /// A text alone, a list of texts' first, or `fallback`.
    static std::string textOr(hid_t group, const char* name, std::string fallback) {
        if (h5::exists(group, name))
            if (const auto texts = h5::readStrings(group, name); texts && !texts->empty() && !texts->front().empty())
                return texts->front();
        return fallback;
    }

    // --- pose estimates

    struct Series {
        std::size_t node = 0;
        std::vector<double> xy, confidence, times;
    };

    Result<void> readModule(hid_t module) {
        std::vector<std::string> names;
        for (const std::string& name : h5::linkNames(module))
            if (h5::objectKind(module, name) == h5::ObjectKind::Group && linkEnd(module, name).empty()) {
                SKEIN_TRY(group, h5::openGroup(module, name));
                if (typeOf(group.get()) == "PoseEstimation")
                    names.push_back(name);
            }
        std::size_t done = 0;
        const double fps = rateOf(h5::textAttribute(module, "description").value_or(""));
        for (const std::string& name : names) {
            SKEIN_CHECK(m_task.step("poses", double(done++) / double(names.size())));
            SKEIN_TRY(group, h5::openGroup(module, name));
            SKEIN_CHECK(readEstimation(group.get(), name, fps));
        }
        return {};
    }

    /// As Skein says it in the description; 0: it does not.
    static double rateOf(const std::string& description) {
        const auto end = description.rfind(nwb::kRateWords);
        if (end == std::string::npos || end == 0)
            return 0;
        const auto begin = description.find_last_of(' ', end - 1);
        const auto value = numberFrom(description.substr(begin + 1, end - begin - 1));
        return value && *value > 0 && *value < 1e6 ? *value : 0;
    }

    Result<void> readEstimation(hid_t group, const std::string& name, double fps) {
        const std::uint32_t skeleton = skeletonOf(group);
        const auto& nodes = m_labels.skeletons()[skeleton].nodes;
        std::vector<Series> all;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            std::string member = nodes[n];
            std::replace_if(
                member.begin(), member.end(), [](char c) { return c == '/' || c == ':'; }, '_');
            if (h5::objectKind(group, member) != h5::ObjectKind::Group)
                continue;
            SKEIN_TRY(own, h5::openGroup(group, member));
            SKEIN_TRY(series, readSeries(own.get(), name + "/" + member));
            series.node = n;
            all.push_back(std::move(series));
        }
        if (all.empty())
            return m_task.bad("the poses of " + name + " have no series for any node of their skeleton.");
        const std::uint32_t video = videoNamed(textOr(group, "original_videos", m_task.path.stem().string() + ".mp4"));
        project::Video& target = m_labels.editVideos()[video];
        const double rate = fps > 0 ? fps : guessRate(all);
        if (fps > 0 && target.fps <= 0 && fps != 1)
            target.fps = fps;
        place(all, video, skeleton, trackNamed(name), rate);
        return {};
    }

    /// "track=NAME" is a track, "track=untracked" and what comes after it are none, other names are tracks.
    std::int32_t trackNamed(const std::string& name) {
        constexpr std::string_view kMark = "track=", kUntracked = "track=untracked";
        if (name.compare(0, kUntracked.size(), kUntracked) == 0)
            return -1;
        const std::string track = name.compare(0, kMark.size(), kMark) == 0 ? name.substr(kMark.size()) : name;
        const auto [at, isNew] = m_tracks.try_emplace(track, m_labels.tracks().size());
        if (isNew)
            m_labels.editTracks().push_back({track, 0, -1});
        return static_cast<std::int32_t>(at->second);
    }

    Result<Series> readSeries(hid_t group, const std::string& name) {
        Series series;
        SKEIN_TRY(data, h5::openDataset(group, "data"));
        if (data.dims.size() != 2 || (data.dims[1] != 2 && data.dims[1] != 3))
            return m_task.bad("the series " + name + " is not of two or three coordinates.");
        const auto rows = static_cast<std::size_t>(data.dims[0]);
        SKEIN_TRY(values, h5::readNumbers(group, "data"));
        const auto width = static_cast<std::size_t>(data.dims[1]);
        series.xy.resize(2 * rows);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t c = 0; c < 2; ++c)
                series.xy[2 * i + c] = values[width * i + c];
        if (h5::exists(group, "confidence")) {
            SKEIN_TRY(confidence, h5::readNumbers(group, "confidence"));
            series.confidence = std::move(confidence);
        } else {
            series.confidence.assign(rows, project::kNaN);
        }
        if (h5::exists(group, "timestamps")) {
            SKEIN_TRY(times, h5::readNumbers(group, "timestamps"));
            series.times = std::move(times);
        } else {
            SKEIN_TRY(start, h5::openDataset(group, "starting_time"));
            SKEIN_TRY(first, h5::readNumbers(group, "starting_time"));
            const double rate = h5::numberAttribute(start.id.get(), "rate").value_or(0);
            if (first.size() != 1 || !(rate > 0))
                return m_task.bad("the series " + name + " has neither time stamps nor a rate.");
            for (std::size_t i = 0; i < rows; ++i)
                series.times.push_back(first.front() + static_cast<double>(i) / rate);
        }
        if (series.confidence.size() != rows || series.times.size() != rows)
            return m_task.bad("the series " + name + " has " + std::to_string(rows) + " positions, " +
                              std::to_string(series.times.size()) + " time stamps and " +
                              std::to_string(series.confidence.size()) + " scores.");
        return series;
    }

    /// Frames a second by which all times are whole frames, from the shortest step between two; 1 where that does not
    /// work out, since sleap-io writes frame numbers for times.
    static double guessRate(const std::vector<Series>& all) {
        double step = 0;
        for (const Series& series : all)
            for (std::size_t i = 1; i < series.times.size(); ++i)
                if (const double d = series.times[i] - series.times[i - 1]; d > 1e-9 && (step == 0 || d < step))
                    step = d;
        if (step == 0 || step >= 1)
            return 1;
        const double rate = std::round(1 / step * 1000) / 1000;
        for (const Series& series : all)
            for (const double time : series.times)
                if (const double frame = time * rate; std::abs(frame - std::round(frame)) > 0.1)
                    return 1;
        return rate;
    }

    void place(const std::vector<Series>& all, std::uint32_t video, std::uint32_t skeleton, std::int32_t track,
               double rate) {
        const std::size_t nodes = m_labels.skeletons()[skeleton].nodes.size();
        std::map<std::int64_t, std::vector<project::Point>> poses;
        for (const Series& series : all)
            for (std::size_t i = 0; i < series.times.size(); ++i) {
                const double frame = std::round(series.times[i] * rate);
                const double x = series.xy[2 * i], y = series.xy[2 * i + 1];
                if (!(frame >= 0) || frame >= static_cast<double>(kMostFrames)) {
                    ++m_dropped;
                    continue;
                }
                auto& points = poses[static_cast<std::int64_t>(frame)];
                points.resize(nodes);
                points[series.node] = {x, y, series.confidence[i], x == x && y == y, false};
            }
        std::int64_t& last = m_lastFrame[m_labels.videos()[video].filename];
        for (auto& [frame, points] : poses) {
            InstanceData instance;
            instance.header.skeleton = skeleton;
            instance.header.track = track;
            // The file has no score of the whole: the mean of its parts stands for it.
            double sum = 0;
            int count = 0;
            for (const project::Point& p : points)
                if (p.exists() && p.score == p.score) {
                    sum += p.score;
                    ++count;
                }
            instance.header.score = static_cast<float>(count == 0 ? 0 : sum / count);
            instance.points = std::move(points);
            m_frames.at(video, frame).instances.push_back(std::move(instance));
            last = std::max(last, frame);
        }
    }

    // --- training frames

    Result<void> readTraining() {
        SKEIN_TRY(training, h5::openGroup(m_root, nwb::kTraining));
        std::map<std::string, std::uint32_t> videos;
        if (h5::exists(training.get(), "source_videos")) {
            SKEIN_TRY(sources, h5::openGroup(training.get(), "source_videos"));
            std::vector<std::string> names = h5::linkNames(sources.get());
            std::sort(names.begin(), names.end(), video::naturallyBefore);
            for (const std::string& name : names) {
                SKEIN_TRY(series, h5::openGroup(sources.get(), name));
                SKEIN_TRY(index, readVideo(series.get(), name));
                videos[name] = index;
            }
        }
        if (!h5::exists(training.get(), "training_frames"))
            return {};
        SKEIN_TRY(frames, h5::openGroup(training.get(), "training_frames"));
        const std::vector<std::string> names = h5::linkNames(frames.get());
        std::size_t done = 0;
        for (const std::string& name : names) {
            if (done++ % 256 == 0)
                SKEIN_CHECK(m_task.step("frames", double(done) / double(names.size())));
            SKEIN_TRY(frame, h5::openGroup(frames.get(), name));
            const auto video = videos.find(linkEnd(frame.get(), "source_video"));
            const auto index = h5::numberAttribute(frame.get(), "source_video_frame_index");
            if (video == videos.end() || !index || !(*index >= 0) || *index >= static_cast<double>(kMostFrames))
                return m_task.bad("the training frame " + name + " does not say which frame of which video it is.");
            SKEIN_CHECK(readFrame(frame.get(), video->second, static_cast<std::int64_t>(*index)));
        }
        return {};
    }

    Result<std::uint32_t> readVideo(hid_t series, const std::string& name) {
        SKEIN_TRY(files, h5::readStrings(series, "external_file"));
        if (files.empty())
            return m_task.bad("the video " + name + " has no file.");
        const std::uint32_t index = videoNamed(files.front());
        project::Video& video = m_labels.editVideos()[index];
        if (files.size() > 1)
            video.imageFiles = files;
        if (h5::exists(series, "num_samples"))
            if (const auto count = h5::readIntegers(series, "num_samples"); count && count->size() == 1)
                video.frameCount = std::clamp<std::int64_t>(count->front(), 0, kMostFrames);
        if (h5::exists(series, "dimension"))
            if (const auto size = h5::readIntegers(series, "dimension"); size && size->size() >= 2 &&
                                                                         std::min((*size)[0], (*size)[1]) > 0 &&
                                                                         std::max((*size)[0], (*size)[1]) < (1 << 24)) {
                video.width = static_cast<int>((*size)[0]);
                video.height = static_cast<int>((*size)[1]);
            }
        if (h5::exists(series, "starting_time"))
            if (const auto start = h5::openDataset(series, "starting_time"))
                if (const auto rate = h5::numberAttribute(start->id.get(), "rate"); rate && *rate > 1 && *rate < 1e6)
                    video.fps = *rate;
        return index;
    }

    Result<void> readFrame(hid_t frame, std::uint32_t video, std::int64_t index) {
        std::int64_t& last = m_lastFrame[m_labels.videos()[video].filename];
        last = std::max(last, index);
        project::FrameData& target = m_frames.at(video, index);
        if (!h5::exists(frame, "skeleton_instances"))
            return {};
        SKEIN_TRY(instances, h5::openGroup(frame, "skeleton_instances"));
        std::vector<std::string> names = h5::linkNames(instances.get());
        std::sort(names.begin(), names.end(), video::naturallyBefore);
        for (const std::string& name : names) {
            SKEIN_TRY(group, h5::openGroup(instances.get(), name));
            SKEIN_TRY(instance, readInstance(group.get(), name));
            target.instances.push_back(std::move(instance));
        }
        return {};
    }

    Result<InstanceData> readInstance(hid_t group, const std::string& name) {
        InstanceData instance;
        instance.header.kind = InstanceKind::User;
        instance.header.skeleton = skeletonOf(group);
        const std::size_t nodes = m_labels.skeletons()[instance.header.skeleton].nodes.size();
        SKEIN_TRY(locations, h5::readNumbers(group, "node_locations"));
        std::vector<std::int64_t> isVisible;
        if (h5::exists(group, "node_visibility")) {
            // Truth values are enumerations, which HDF5 converts to whole numbers only.
            SKEIN_TRY(visibility, h5::readIntegers(group, "node_visibility"));
            isVisible = std::move(visibility);
        }
        if (locations.size() != 2 * nodes || (!isVisible.empty() && isVisible.size() != nodes))
            return m_task.bad("the instance " + name + " has another number of nodes than its skeleton.");
        instance.points.resize(nodes);
        for (std::size_t n = 0; n < nodes; ++n) {
            const double x = locations[2 * n], y = locations[2 * n + 1];
            const bool visible = x == x && y == y && (isVisible.empty() || isVisible[n] != 0);
            instance.points[n] = {x, y, project::kNaN, visible, visible};
        }
        return instance;
    }

    const Task& m_task;
    hid_t m_root = -1;
    project::Labels m_labels;
    FrameCollector m_frames;
    std::map<std::string, std::size_t> m_skeletons, m_videos, m_tracks;
    std::map<std::string, std::int64_t> m_lastFrame;
    std::size_t m_dropped = 0;
};

}  // namespace

Result<project::Labels> readNwb(const Task& task) {
    return NwbReader(task).read();
}

}  // namespace skein::formats::importing
