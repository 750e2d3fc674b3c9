// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/export/text_file.h"
#include "engine/formats/export/track_table.h"
#include "engine/formats/export/writers.h"
#include "engine/formats/project_video.h"
#include "engine/formats/try.h"

namespace skein::formats::exporting {
namespace {

using project::InstanceHeader;
using project::InstanceKind;
using project::Point;

/// Score of a prediction; a person's instance has none.
double scoreOf(const InstanceHeader& header) {
    return header.kind == InstanceKind::Predicted ? static_cast<double>(header.score) : project::kNaN;
}

/// Cells ",x,y,score" of a node; a node that is not there has empty ones, the score stays.
void putPoint(TextFile& out, const Point* p, bool predicted) {
    out.put(',');
    out.cell(p != nullptr && p->exists() ? p->x : project::kNaN);
    out.put(',');
    out.cell(p != nullptr && p->exists() ? p->y : project::kNaN);
    out.put(',');
    out.cell(p != nullptr && predicted ? p->score : project::kNaN);
}

/// Presentation times of a video's frames: the file's own where it is there and they are uneven, otherwise by its
/// rate.
class FrameTimes {
public:
    FrameTimes(const Task& task, std::uint32_t video) : m_fps(task.labels.videos()[video].fps) {
        if (task.options.projectFile.empty())
            return;
        video::OpenOptions options;
        options.stop = task.options.stop;
        auto source = openProjectVideo(task.labels, video, task.options.projectFile, std::move(options));
        if (source && (*source)->fps() > 0)
            m_source = std::move(*source);
    }
    /// Seconds; NaN: not known.
    [[nodiscard]] double of(std::int64_t frame) const {
        if (m_source && frame < m_source->frameCount())
            return m_source->timeOf(frame);
        return m_fps > 0 ? static_cast<double>(frame) / m_fps : project::kNaN;
    }

private:
    double m_fps;
    std::shared_ptr<video::VideoSource> m_source;
};

/// Rows of one instance in the tidy table.
struct TidyRows {
    TextFile& out;
    const project::Labels& labels;
    bool withVideo;

    void put(const project::FrameView& frame, double time, std::size_t place) const {
        const project::InstanceView instance = frame.instance(place);
        const InstanceHeader& header = *instance.header;
        static const project::Skeleton kNone;
        const project::Skeleton& skeleton =
            header.skeleton < labels.skeletons().size() ? labels.skeletons()[header.skeleton] : kNone;
        const bool predicted = header.kind == InstanceKind::Predicted;
        for (std::size_t n = 0; n < std::min(skeleton.nodes.size(), instance.points.size()); ++n) {
            const Point& p = instance.points[n];
            out.integer(frame.frameIndex());
            out.put(',');
            out.cell(time);
            out.put(',');
            out.cell(skeleton.nodes[n]);
            out.put(',');
            out.cell(p.exists() ? p.x : project::kNaN);
            out.put(',');
            out.cell(p.exists() ? p.y : project::kNaN);
            out.put(',');
            if (withVideo) {
                out.cell(labels.videos()[frame.video()].filename);
                out.put(',');
            }
            out.integer(place);
            out.put(predicted ? ",predicted," : ",user,");
            if (header.track >= 0 && static_cast<std::size_t>(header.track) < labels.tracks().size())
                out.cell(labels.tracks()[static_cast<std::size_t>(header.track)].name);
            out.put(',');
            out.cell(static_cast<double>(header.trackingScore));
            out.put(',');
            out.cell(scoreOf(header));
            out.put(',');
            out.cell(predicted ? p.score : project::kNaN);
            out.put('\n');
        }
    }
};

}  // namespace

Result<void> writeCsv(const Task& task, std::uint32_t video, const std::filesystem::path& path) {
    SKEIN_TRY(table, makeTrackTable(task.labels, video));
    task.report.leftOut += table.leftOut;
    const auto& nodes = task.labels.skeletons().front().nodes;
    TextFile out(path);
    out.put("track,frame_idx,instance.score");
    for (const std::string& node : nodes)
        for (const char* part : {".x", ".y", ".score"}) {
            out.put(',');
            out.cell(node + part);
        }
    out.put('\n');
    std::int64_t next = 0;  // frame whose row comes next
    const auto putEmptyUpTo = [&](std::int64_t frame) {
        for (; task.options.everyFrame && next < frame; ++next) {
            out.put(',');
            out.integer(next);
            out.put(',');
            for (std::size_t n = 0; n < nodes.size(); ++n)
                putPoint(out, nullptr, false);
            out.put('\n');
        }
    };
    std::size_t done = 0;
    const auto putFrame = [&](std::int64_t frame, std::span<const PlacedInstance> placed) -> Result<void> {
        if (done++ % kStepRows == 0)
            SKEIN_CHECK(task.step("rows", done, table.rows.size()));
        putEmptyUpTo(placed.empty() ? frame + 1 : frame);
        for (const PlacedInstance& p : placed) {
            const InstanceHeader& header = *p.instance.header;
            if (table.isTracked)
                out.cell(table.names[p.place]);
            out.put(',');
            out.integer(frame);
            out.put(',');
            out.cell(scoreOf(header));
            for (std::size_t n = 0; n < nodes.size(); ++n)
                putPoint(out, n < p.instance.points.size() ? &p.instance.points[n] : nullptr,
                         header.kind == InstanceKind::Predicted);
            out.put('\n');
        }
        next = frame + 1;
        task.report.instances += placed.size();
        return out.check();
    };
    SKEIN_CHECK(visitFrames(task.labels, table, putFrame));
    putEmptyUpTo(table.frameCount);
    return out.close();
}

Result<void> writeCsvTidy(const Task& task, const std::filesystem::path& path) {
    const project::Labels& labels = task.labels;
    const bool withVideo = labels.videos().size() > 1;
    TextFile out(path);
    out.put("frame_idx,time,node,x,y,");
    out.put(withVideo ? "video_path," : "");
    out.put("instance,instance_type,track,track_score,instance_score,score\n");
    const TidyRows rows{out, labels, withVideo};
    std::size_t done = 0;
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video) {
        if (!task.wants(video))
            continue;
        const std::vector<std::size_t> frames = labels.rowsOf(video);
        if (frames.empty())
            continue;
        const FrameTimes times(task, video);
        for (const std::size_t row : frames) {
            if (done++ % kStepRows == 0)
                SKEIN_CHECK(task.step("rows", done, labels.frameCount()));
            const project::FrameView frame = labels.frame(row);
            for (std::size_t i = 0; i < frame.instanceCount(); ++i)
                rows.put(frame, times.of(frame.frameIndex()), i);
            task.report.instances += frame.instanceCount();
            SKEIN_CHECK(out.check());
        }
    }
    return out.close();
}

}  // namespace skein::formats::exporting
