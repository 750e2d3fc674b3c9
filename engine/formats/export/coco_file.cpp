// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>

#include "engine/formats/export/text_file.h"
#include "engine/formats/export/writers.h"
#include "engine/formats/json/json.h"
#include "engine/formats/try.h"

namespace skein::formats::exporting {
namespace {

class CocoWriter {
public:
    CocoWriter(const Task& task, const std::filesystem::path& path)
        : m_task(task), m_labels(task.labels), m_out(path) {}

    Result<void> write() {
        for (const project::Video& video : m_labels.videos()) {
            // Two videos of one name must not have the same pictures.
            std::string stem = stemOf(video);
            for (int number = 2; !m_taken.insert(stem).second; ++number)
                stem = stemOf(video) + "-" + std::to_string(number);
            m_stems.push_back(stem);
        }
        m_out.put("{\"images\":[");
        SKEIN_CHECK(forEachFrame([this](std::int64_t image, const project::FrameView& frame, bool isFirstRow) {
            if (isFirstRow)
                putImage(image, frame);
        }));
        m_out.put("\n],\n\"annotations\":[");
        SKEIN_CHECK(forEachFrame([this](std::int64_t image, const project::FrameView& frame, bool) {
            for (std::size_t i = 0; i < frame.instanceCount(); ++i)
                putInstance(image, frame.instance(i));
        }));
        m_out.put("\n],\n\"categories\":");
        m_out.put(writeJson(categories()));
        m_out.put("}\n");
        return m_out.close();
    }

private:
    /// Frames in the order of videos and frame numbers, with the number of their picture, from 1.
    template <class Visit>
    Result<void> forEachFrame(Visit visit) {
        std::int64_t image = 0;
        std::size_t done = 0;
        for (std::uint32_t video = 0; video < m_labels.videos().size(); ++video) {
            std::int64_t last = -1;
            if (!m_task.wants(video))
                continue;
            for (const std::size_t row : m_labels.rowsOf(video)) {
                if (done++ % kStepRows == 0)
                    SKEIN_CHECK(m_task.step("frames", m_steps++ * kStepRows, 2 * m_labels.frameCount()));
                const project::FrameView frame = m_labels.frame(row);
                const bool isFirstRow = image == 0 || frame.frameIndex() != last || last < 0;
                image += isFirstRow ? 1 : 0;
                last = frame.frameIndex();
                visit(image, frame, isFirstRow);
                SKEIN_CHECK(m_out.check());
            }
        }
        return {};
    }

    void putImage(std::int64_t image, const project::FrameView& frame) {
        const project::Video& video = m_labels.videos()[frame.video()];
        m_out.put(image == 1 ? "\n{\"id\":" : ",\n{\"id\":");
        m_out.integer(image);
        m_out.put(",\"file_name\":");
        const auto index = static_cast<std::size_t>(frame.frameIndex());
        if (index < video.imageFiles.size()) {
            m_out.put(writeJson(video.imageFiles[index]));
        } else {
            std::string number = std::to_string(frame.frameIndex());
            number.insert(0, number.size() < 6 ? 6 - number.size() : 0, '0');
            m_out.put(writeJson(m_stems[frame.video()] + "_frame_" + number + ".png"));
        }
        m_out.put(",\"width\":");
        m_out.integer(video.width);
        m_out.put(",\"height\":");
        m_out.integer(video.height);
        m_out.put('}');
    }

    void putInstance(std::int64_t image, const project::InstanceView& instance) {
        const project::InstanceHeader& header = *instance.header;
        double left = 0, top = 0, right = 0, bottom = 0;
        int count = 0;
        for (const project::Point& p : instance.points) {
            if (!p.exists())
                continue;
            left = count == 0 ? p.x : std::min(left, p.x);
            right = count == 0 ? p.x : std::max(right, p.x);
            top = count == 0 ? p.y : std::min(top, p.y);
            bottom = count == 0 ? p.y : std::max(bottom, p.y);
            ++count;
        }
        if (count == 0) {  // an annotation of nothing
            ++m_task.report.leftOut;
            return;
        }
        m_out.put(m_annotations == 0 ? "\n{\"id\":" : ",\n{\"id\":");
        m_out.integer(++m_annotations);
        m_out.put(",\"image_id\":");
        m_out.integer(image);
        m_out.put(",\"category_id\":");
        m_out.integer(header.skeleton + 1);
        m_out.put(",\"keypoints\":[");  // lint: foreign-word
        bool isFirst = true;
        for (const project::Point& p : instance.points) {
            if (!std::exchange(isFirst, false))
                m_out.put(',');
            // Hidden points have a place: "labelled, not visible".
            if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
                m_out.put("0.0,0.0,0");
                continue;
            }
            m_out.number(p.x);
            m_out.put(',');
            m_out.number(p.y);
            m_out.put(p.visible ? ",2" : ",1");
        }
        m_out.put("],\"num_keypoints\":");
        m_out.integer(count);
        m_out.put(",\"bbox\":[");
        m_out.number(left);
        for (const double value : {top, right - left, bottom - top}) {
            m_out.put(',');
            m_out.number(value);
        }
        m_out.put("],\"area\":");
        m_out.number((right - left) * (bottom - top));
        m_out.put(",\"iscrowd\":0");
        if (header.kind == project::InstanceKind::Predicted && std::isfinite(header.score)) {
            m_out.put(",\"score\":");
            m_out.number(static_cast<double>(header.score));
        }
        if (header.track >= 0) {
            m_out.put(",\"attributes\":{\"object_id\":");
            m_out.integer(header.track + 1);
            m_out.put('}');
        }
        m_out.put('}');
        ++m_task.report.instances;
    }

    [[nodiscard]] Json categories() const {
        Json list = Json::array();
        for (std::size_t s = 0; s < m_labels.skeletons().size(); ++s) {
            const project::Skeleton& skeleton = m_labels.skeletons()[s];
            Json edges = Json::array();
            for (const project::Edge& edge : skeleton.edges)
                edges.push_back(Json::array({edge.source + 1, edge.destination + 1}));
            list.push_back({{"id", s + 1},
                            {"name", skeleton.name.empty() ? "skeleton" : skeleton.name},
                            {"keypoints", skeleton.nodes},
                            {"skeleton", std::move(edges)}});
        }
        return list;
    }

    const Task& m_task;
    const project::Labels& m_labels;
    TextFile m_out;
    std::set<std::string> m_taken;
    std::vector<std::string> m_stems;
    std::int64_t m_annotations = 0;
    std::size_t m_steps = 0;
};

}  // namespace

Result<void> writeCoco(const Task& task, const std::filesystem::path& path) {
    return CocoWriter(task, path).write();
}

}  // namespace skein::formats::exporting
