// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/export/nwb_series.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <map>

#include "engine/formats/export/hdf5_parts.h"
#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/try.h"

namespace skein::formats::nwb {
namespace {

using project::InstanceKind;
using project::InstanceView;

/// Rows of a series that wait in memory.
constexpr std::size_t kBlock = 4096;

/// Whose poses one PoseEstimation holds: a track, or the k-th of a frame's instances without one (-1 - k), each of one
/// skeleton.
struct Key {
    std::int64_t who = 0;
    std::uint32_t skeleton = 0;
    auto operator<=>(const Key&) const = default;
};

struct Estimation {
    std::size_t firstRow = 0, endRow = 0;  ///< of the video's rows
    std::vector<std::size_t> counts;       ///< points of each node
};

/// The instance of `frame` that `key` means, if any.
std::optional<InstanceView> find(const project::FrameView& frame, const Key& key) {
    std::int64_t untracked = 0;
    for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
        const InstanceView instance = frame.instance(i);
        const project::InstanceHeader& header = *instance.header;
        if (header.kind != InstanceKind::Predicted || header.skeleton != key.skeleton)
            continue;
        const std::int64_t who = header.track >= 0 ? header.track : -1 - untracked++;
        if (who == key.who)
            return instance;
    }
    return std::nullopt;
}

/// One node's series while it is filled.
struct Series {
    h5::Dataset data, confidence, timestamps;
    std::vector<double> xy, scores, times;
    std::size_t written = 0;
};

class ModuleWriter {
public:
    ModuleWriter(File& file, std::uint32_t video)
        : m_file(file),
          m_labels(file.task.labels),
          m_video(m_labels.videos()[video]),
          m_index(video),
          m_rows(m_labels.rowsOf(video)),
          m_fps(m_video.fps > 0 ? m_video.fps : 1) {}

    Result<void> write() {
        survey();
        if (m_estimations.empty())
            return {};
        std::array<char, 32> number{};
        std::snprintf(number.data(), number.size(), "SLEAP_VIDEO_%03u_", m_index);
        std::set<std::string> none;
        m_module = "/processing/" + freeName(number.data() + exporting::stemOf(m_video), "video", none);
        {
            const h5::Session session;
            SKEIN_TRY(module, m_file.objects.create(m_file.file.get(), m_module, kCore, "ProcessingModule"));
            std::array<char, 40> rate{};
            *std::to_chars(rate.data(), rate.data() + rate.size() - 1, m_fps).ptr = '\0';
            SKEIN_CHECK(h5::writeVariableTextAttribute(
                module.get(), "description", "Poses in " + m_video.filename + " at " + rate.data() + kRateWords + "."));
        }
        std::set<std::string> taken;
        std::size_t done = 0;
        for (const auto& [key, estimation] : m_estimations) {
            SKEIN_CHECK(m_file.task.step("poses", done++, m_estimations.size()));
            SKEIN_CHECK(writeEstimation(key, estimation, freeName(nameOf(key), "track", taken)));
        }
        return {};
    }

private:
    /// Finds out who is there, from when to when, and how often each node.
    void survey() {
        std::map<std::uint32_t, std::int64_t> untracked;
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            const project::FrameView frame = m_labels.frame(m_rows[r]);
            untracked.clear();
            for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
                const InstanceView instance = frame.instance(i);
                const project::InstanceHeader& header = *instance.header;
                if (header.kind != InstanceKind::Predicted || header.skeleton >= m_labels.skeletons().size())
                    continue;
                const Key key{header.track >= 0 ? header.track : -1 - untracked[header.skeleton]++, header.skeleton};
                Estimation& estimation = m_estimations[key];
                if (estimation.endRow == r + 1) {  // twice on one track
                    ++m_file.task.report.leftOut;
                    continue;
                }
                if (estimation.counts.empty()) {
                    estimation.firstRow = r;
                    estimation.counts.resize(m_labels.skeletons()[header.skeleton].nodes.size(), 0);
                }
                estimation.endRow = r + 1;
                for (std::size_t n = 0; n < std::min(estimation.counts.size(), instance.points.size()); ++n)
                    estimation.counts[n] += instance.points[n].exists() ? 1 : 0;
                ++m_file.task.report.instances;
            }
        }
    }

    [[nodiscard]] std::string nameOf(const Key& key) const {
        if (key.who < 0)
            return key.who == -1 ? "track=untracked" : "track=untracked_" + std::to_string(-key.who);
        const auto track = static_cast<std::size_t>(key.who);
        return "track=" + (track < m_labels.tracks().size() ? m_labels.tracks()[track].name : std::to_string(track));
    }

    Result<void> writeEstimation(const Key& key, const Estimation& estimation, const std::string& name) {
        std::vector<Series> series;
        struct Closer {
            std::vector<Series>& series;
            ~Closer() {
                const h5::Session session;
                series.clear();
            }
        } closer{series};
        SKEIN_CHECK(createEstimation(key, estimation, name, series));
        std::size_t waiting = 0;
        for (std::size_t r = estimation.firstRow; r < estimation.endRow; ++r) {
            const project::FrameView frame = m_labels.frame(m_rows[r]);
            const auto instance = find(frame, key);
            if (!instance)
                continue;
            const double time = static_cast<double>(frame.frameIndex()) / m_fps;
            for (std::size_t n = 0; n < std::min(series.size(), instance->points.size()); ++n) {
                const project::Point& p = instance->points[n];
                if (!p.exists())
                    continue;
                series[n].xy.push_back(p.x);
                series[n].xy.push_back(p.y);
                series[n].scores.push_back(p.score);
                series[n].times.push_back(time);
            }
            if (++waiting == kBlock) {
                SKEIN_CHECK(flush(series));
                SKEIN_CHECK(m_file.task.step("poses", r, m_rows.size()));
                waiting = 0;
            }
        }
        return flush(series);
    }

    Result<void> createEstimation(const Key& key, const Estimation& estimation, const std::string& name,
                                  std::vector<Series>& series) {
        const h5::Session session;
        const std::string path = m_module + "/" + name;
        SKEIN_TRY(group, m_file.objects.create(m_file.file.get(), path, kPose, "PoseEstimation"));
        const std::string& skeleton = m_file.skeletonNames[key.skeleton];
        const std::array<std::pair<const char*, std::string>, 3> texts = {
            {{"description", "Estimated positions of " + skeleton + " in " + m_video.filename + "."},
             {"scorer", "Skein"},
             {"source_software", "Skein " SKEIN_VERSION}}};
        for (const auto& [member, text] : texts)
            SKEIN_CHECK(h5::writeVariableText(group.get(), member, text));
        const std::vector<std::string> videos = {m_video.filename};
        SKEIN_CHECK(h5::writeStrings(group.get(), "original_videos", videos));
        SKEIN_CHECK(h5::writeStrings(group.get(), "labeled_videos", videos));
        SKEIN_CHECK(link(group.get(), skeleton, std::string(kSkeletons) + "/" + skeleton));
        std::set<std::string> taken = {"description",    "scorer", "source_software", "original_videos",
                                       "labeled_videos", "device", "dimensions",      skeleton};
        const auto& nodes = m_labels.skeletons()[key.skeleton].nodes;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            SKEIN_TRY(made,
                      createSeries(group.get(), nodes[n], freeName(nodes[n], "node", taken), estimation.counts[n]));
            series.push_back(std::move(made));
        }
        return {};
    }

    Result<Series> createSeries(hid_t location, const std::string& node, const std::string& name, std::size_t count) {
        SKEIN_TRY(group, m_file.objects.create(location, name, kPose, "PoseEstimationSeries"));
        SKEIN_CHECK(h5::writeVariableTextAttribute(group.get(), "comments", "no comments"));
        SKEIN_CHECK(h5::writeVariableTextAttribute(group.get(), "description", "Positions of " + node + "."));
        SKEIN_CHECK(h5::writeVariableText(group.get(), "reference_frame",
                                          "(0, 0) is the centre of the top-left pixel of the frame."));
        Series series;
        h5::ArrayPlan plan;
        plan.dims = {count, 2};
        SKEIN_TRY(data, h5::createArray(group.get(), "data", H5T_IEEE_F64LE, plan));
        for (const auto& [attribute, value] :
             {std::pair("conversion", 1.0), std::pair("offset", 0.0), std::pair("resolution", -1.0)})
            SKEIN_CHECK(h5::writeNumberAttribute(data.id.get(), attribute, value));
        SKEIN_CHECK(h5::writeVariableTextAttribute(data.id.get(), "unit", "pixels"));
        plan.dims = {count};
        SKEIN_TRY(confidence, h5::createArray(group.get(), "confidence", H5T_IEEE_F64LE, plan));
        SKEIN_CHECK(h5::writeVariableTextAttribute(confidence.id.get(), "definition",
                                                   "Value of the confidence map at the point, 0 to about 1."));
        SKEIN_TRY(timestamps, h5::createArray(group.get(), "timestamps", H5T_IEEE_F64LE, plan));
        const std::int32_t one = 1;
        SKEIN_CHECK(h5::writeScalarAttribute(timestamps.id.get(), "interval", H5T_STD_I32LE, H5T_NATIVE_INT32, &one));
        SKEIN_CHECK(h5::writeVariableTextAttribute(timestamps.id.get(), "unit", "seconds"));
        series.data = std::move(data);
        series.confidence = std::move(confidence);
        series.timestamps = std::move(timestamps);
        return series;
    }

    Result<void> flush(std::vector<Series>& all) {
        const h5::Session session;
        for (Series& series : all) {
            const std::size_t count = series.times.size();
            SKEIN_CHECK(h5::writeRows(series.data, H5T_NATIVE_DOUBLE, series.written, count, series.xy.data()));
            SKEIN_CHECK(
                h5::writeRows(series.confidence, H5T_NATIVE_DOUBLE, series.written, count, series.scores.data()));
            SKEIN_CHECK(
                h5::writeRows(series.timestamps, H5T_NATIVE_DOUBLE, series.written, count, series.times.data()));
            series.written += count;
            series.xy.clear();
            series.scores.clear();
            series.times.clear();
        }
        return m_file.file.check();
    }

    File& m_file;
    const project::Labels& m_labels;
    const project::Video& m_video;
    std::uint32_t m_index;
    std::vector<std::size_t> m_rows;
    double m_fps;
    std::string m_module;
    std::map<Key, Estimation> m_estimations;
};

}  // namespace

Result<void> writePredictions(File& file, std::uint32_t video) {
    return ModuleWriter(file, video).write();
}

}  // namespace skein::formats::nwb
