// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

#include "engine/formats/import/readers.h"
#include "engine/formats/json/json.h"
#include "engine/formats/try.h"

namespace skein::formats::importing {
namespace {

/// A text beyond this is no list of annotations that a person's machine could hold.
constexpr std::uintmax_t kLargest = std::uintmax_t{4} << 30;

std::optional<std::int64_t> whole(const Json& value) {
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number_float())
        if (const auto number = value.get<double>(); number == std::floor(number) && std::abs(number) < 9e15)
            return static_cast<std::int64_t>(number);
    return std::nullopt;
}

class CocoReader {
public:
    explicit CocoReader(const Task& task) : m_task(task) {}

    Result<project::Labels> read() {
        SKEIN_TRY(json, parse());
        for (const char* list : {"images", "annotations", "categories"})
            if (!member(json, list).is_array())
                return m_task.bad(std::string("it has no list \"") + list + "\"; it is no COCO file of key points.");
        SKEIN_CHECK(readCategories(member(json, "categories")));
        SKEIN_CHECK(readImages(member(json, "images")));
        std::size_t done = 0;
        const Json& annotations = member(json, "annotations");
        for (const Json& annotation : annotations) {
            if (done++ % 4096 == 0)
                SKEIN_CHECK(m_task.step("annotations", double(done) / double(annotations.size())));
            SKEIN_CHECK(readAnnotation(annotation, done));
        }
        if (m_withoutPoints > 0)
            m_task.report.warnings.push_back(std::to_string(m_withoutPoints) +
                                             " annotations without key points were passed over.");
        return m_frames.finish(std::move(m_labels));
    }

private:
    Result<Json> parse() {
        std::error_code ec;
        const std::uintmax_t size = std::filesystem::file_size(m_task.path, ec);
        if (ec || size > kLargest)
            return m_task.bad(ec ? "its size cannot be told." : "it is larger than 4 GiB.");
        std::ifstream in(m_task.path, std::ios::binary);
        std::string text(static_cast<std::size_t>(size), '\0');
        if (!in.read(text.data(), static_cast<std::streamsize>(size)))
            return fail(ErrorCode::Io, "Cannot read " + m_task.path.string() + ".");
        SKEIN_CHECK(m_task.step("text", 0));
        auto json = parseJson(text, "The file " + m_task.path.filename().string());
        if (json && !json->is_object())
            return m_task.bad("it is no COCO file.");
        return json;
    }

    Result<void> readCategories(const Json& categories) {
        for (const Json& category : categories) {
            const auto id = whole(member(category, "id"));
            if (!id)
                return m_task.bad("a category has no number.");
            project::Skeleton skeleton;
            skeleton.name = stringMember(category, "name", "skeleton");
            const Json& nodes = member(category, "keypoints");
            if (!nodes.is_array() || nodes.empty())
                continue;  // boxes and masks
            for (const Json& node : nodes) {
                if (!node.is_string())
                    return m_task.bad("the category " + skeleton.name + " has a key point without a name.");
                skeleton.nodes.push_back(node.get<std::string>());
            }
            const Json& edges = member(category, "skeleton");
            if (edges.is_array())
                for (const Json& edge : edges) {
                    const auto a = edge.is_array() && edge.size() == 2 ? whole(edge[0]) : std::nullopt;
                    const auto b = a ? whole(edge[1]) : std::nullopt;
                    const auto count = static_cast<std::int64_t>(skeleton.nodes.size());
                    if (!a || !b || *a < 1 || *b < 1 || *a > count || *b > count)
                        return m_task.bad("an edge of the category " + skeleton.name +
                                          " leads to a key point that there is not.");
                    skeleton.edges.push_back({static_cast<int>(*a - 1), static_cast<int>(*b - 1)});
                }
            m_skeletons[*id] = m_labels.skeletons().size();
            m_labels.editSkeletons().push_back(std::move(skeleton));
        }
        if (m_skeletons.empty())
            return m_task.bad("no category has key points.");
        return {};
    }

    /// Pictures of one size are one video, in the order of the list. Names that Skein and sleap-io give to frames of a
    /// movie (STEM_frame_000123.png) are frames of that movie.
    Result<void> readImages(const Json& images) {
        std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> bySize;
        std::map<std::string, std::size_t> byStem;
        for (const Json& image : images) {
            const auto id = whole(member(image, "id"));
            const std::string name = stringMember(image, "file_name");
            if (!id || name.empty())
                return m_task.bad("a picture has no number or no file name.");
            const auto size = [&image](const char* key) {
                const std::int64_t value = whole(member(image, key)).value_or(0);
                return value > 0 && value < (1 << 24) ? value : 0;
            };
            const std::int64_t height = size("height"), width = size("width");
            std::vector<project::Video>& videos = m_labels.editVideos();
            const auto newVideo = [&](std::string filename) {
                project::Video video;
                video.filename = std::move(filename);
                video.height = static_cast<int>(height);
                video.width = static_cast<int>(width);
                videos.push_back(std::move(video));
                return videos.size() - 1;
            };
            if (const auto movie = frameOfMovie(name)) {
                const auto [at, isNew] = byStem.try_emplace(movie->first, 0);
                if (isNew)
                    at->second = newVideo(movie->first + ".mp4");
                videos[at->second].frameCount = std::max(videos[at->second].frameCount, movie->second + 1);
                m_places[*id] = {static_cast<std::uint32_t>(at->second), movie->second};
            } else {
                const auto [at, isNew] = bySize.try_emplace({height, width}, 0);
                if (isNew)
                    at->second = newVideo(name);
                project::Video& video = videos[at->second];
                m_places[*id] = {static_cast<std::uint32_t>(at->second), video.frameCount++};
                video.imageFiles.push_back(name);
            }
            // A picture without an animal was looked at all the same.
            const auto& [video, frame] = m_places[*id];
            static_cast<void>(m_frames.at(video, frame));
        }
        return {};
    }

    static std::optional<std::pair<std::string, std::int64_t>> frameOfMovie(const std::string& name) {
        constexpr std::string_view kMark = "_frame_";
        const auto mark = name.rfind(kMark);
        const auto dot = name.rfind('.');
        if (mark == std::string::npos || mark == 0 || dot == std::string::npos || dot <= mark + kMark.size() ||
            dot - mark - kMark.size() > 10)
            return std::nullopt;
        const std::string digits = name.substr(mark + kMark.size(), dot - mark - kMark.size());
        if (digits.size() < 6 || digits.find_first_not_of("0123456789") != std::string::npos)
            return std::nullopt;
        return std::pair(name.substr(0, mark), static_cast<std::int64_t>(std::stoll(digits)));
    }

    Result<void> readAnnotation(const Json& annotation, std::size_t number) {
        const Json& numbers = member(annotation, "keypoints");
        const auto category = whole(member(annotation, "category_id"));
        const auto skeleton = category ? m_skeletons.find(*category) : m_skeletons.end();
        if (!numbers.is_array() || numbers.empty() || skeleton == m_skeletons.end()) {
            ++m_withoutPoints;
            return {};
        }
        const auto image = whole(member(annotation, "image_id"));
        const auto place = image ? m_places.find(*image) : m_places.end();
        if (place == m_places.end())
            return m_task.bad("annotation " + std::to_string(number) +
                              " belongs to a picture that is not in the list.");
        const std::size_t nodes = m_labels.skeletons()[skeleton->second].nodes.size();
        if (numbers.size() != 3 * nodes)
            return m_task.bad("annotation " + std::to_string(number) + " has " + std::to_string(numbers.size()) +
                              " numbers where " + std::to_string(3 * nodes) + " belong.");
        project::InstanceData instance;
        project::InstanceHeader& header = instance.header;
        header.skeleton = static_cast<std::uint32_t>(skeleton->second);
        header.kind = project::InstanceKind::User;
        if (const Json& score = member(annotation, "score"); score.is_number()) {
            header.kind = project::InstanceKind::Predicted;
            header.score = score.get<float>();
        }
        header.track = trackOf(annotation);
        instance.points.resize(nodes);
        for (std::size_t n = 0; n < nodes; ++n) {
            const Json &x = numbers[3 * n], &y = numbers[3 * n + 1], &v = numbers[3 * n + 2];
            if (!v.is_number() || v.get<double>() <= 0)
                continue;
            if (!x.is_number() || !y.is_number())
                return m_task.bad("annotation " + std::to_string(number) + " has a key point that is no number.");
            project::Point& point = instance.points[n];
            point.x = x.get<double>();
            point.y = y.get<double>();
            // 1 is "labelled, but not visible".
            point.visible = v.get<double>() >= 2;
            point.complete = header.kind == project::InstanceKind::User;
        }
        m_frames.at(place->second.first, place->second.second).instances.push_back(std::move(instance));
        return {};
    }

    std::int32_t trackOf(const Json& annotation) {
        Json id = member(member(annotation, "attributes"), "object_id");
        for (const char* key : {"track_id", "instance_id"})
            if (id.is_null())
                id = member(annotation, key);
        if (!id.is_number_integer() && !id.is_string())
            return -1;
        const std::string name = "track_" + (id.is_string() ? id.get<std::string>() : id.dump());
        const auto [at, isNew] = m_tracks.try_emplace(name, m_labels.tracks().size());
        if (isNew)
            m_labels.editTracks().push_back({name, 0, -1});
        return static_cast<std::int32_t>(at->second);
    }

    const Task& m_task;
    project::Labels m_labels;
    FrameCollector m_frames;
    std::map<std::int64_t, std::size_t> m_skeletons;                          ///< by category
    std::map<std::int64_t, std::pair<std::uint32_t, std::int64_t>> m_places;  ///< of pictures
    std::map<std::string, std::size_t> m_tracks;
    std::size_t m_withoutPoints = 0;
};

}  // namespace

Result<project::Labels> readCoco(const Task& task) {
    return CocoReader(task).read();
}

}  // namespace skein::formats::importing
