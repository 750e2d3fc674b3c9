// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/prediction_input.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/formats/embedded_video.h"
#include "engine/formats/project_video.h"
#include "engine/formats/slp.h"
#include "engine/pipeline/frame_list.h"

namespace skein::pipeline {
namespace fs = std::filesystem;
namespace {

std::string plural(std::int64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// Frames that are wanted and that a file announces, but that lie beyond an end which is missing; with their warning.
void noteCutEnd(PredictionInput& input, const video::VideoSource& source, const FrameList* list) {
    const auto cut = source.cutEnd();
    if (!cut)
        return;
    const std::int64_t there = source.frameCount();
    std::int64_t outside = 0;
    std::int64_t missing = std::max<std::int64_t>(0, cut->announced - there);
    if (list != nullptr) {
        const auto wanted = std::ssize(list->within(there, &outside));
        missing = std::ssize(list->within(there + missing)) - wanted;
        // What lies before the end is whole.
        if (missing == 0 && (cut->announced > 0 || outside == 0))
            return;
    }
    input.missing += missing;
    input.cutShort.push_back(cut->sentence);
}

Result<PredictionInput> fromSource(std::shared_ptr<video::VideoSource> source, project::Video described,
                                   const fs::path& data, const FrameList* list) {
    PredictionInput input;
    input.videos.push_back(std::move(described));
    input.warnings = source->warnings();
    noteCutEnd(input, *source, list);
    JobSource job{0, source, {}, data.filename().string()};
    const std::int64_t count = source->frameCount();
    if (list != nullptr) {
        std::int64_t outside = 0;
        job.frames = list->within(count, &outside);
        if (outside > 0)
            input.warnings.push_back(plural(outside, "chosen frame") + " lie outside " + job.name + ", which has " +
                                     plural(count, "frame") + "; they are left out.");
    } else {
        job.frames.resize(static_cast<std::size_t>(count));
        std::iota(job.frames.begin(), job.frames.end(), std::int64_t{0});
    }
    input.sources.push_back(std::move(job));
    return input;
}

Result<PredictionInput> fromVideo(const fs::path& data, video::DecoderChoice decoder, const FrameList* list,
                                  std::stop_token stop) {
    video::OpenOptions options;
    options.decoder = decoder;
    options.stop = std::move(stop);
    auto source = video::openVideo(data, std::move(options));
    if (!source)
        return fail(std::move(source.error()));
    return fromSource(*source, describeVideo(data, **source), data, list);
}

/// Several videos as one input; what cannot be read does not keep the others from it.
Result<PredictionInput> fromVideos(const InputRequest& request, const FrameList* list, const std::stop_token& stop) {
    PredictionInput all;
    std::optional<Error> first;
    std::vector<fs::path> paths{request.data};
    paths.insert(paths.end(), request.more.begin(), request.more.end());
    for (const fs::path& path : paths) {
        auto one = fromVideo(path, request.decoder, list, stop);
        if (!one && one.error().code() == ErrorCode::Cancelled)
            return one;
        if (!one) {
            all.leftOut.push_back(one.error().describe());
            if (!first)
                first = std::move(one.error());
            continue;
        }
        one->sources.front().video = static_cast<std::uint32_t>(all.videos.size());
        all.videos.push_back(std::move(one->videos.front()));
        all.sources.push_back(std::move(one->sources.front()));
        for (const std::string& warning : one->warnings)
            all.warnings.push_back(path.filename().string() + ": " + warning);
        for (const std::string& sentence : one->cutShort)
            all.cutShort.push_back(path.filename().string() + ": " + sentence);
        all.missing += one->missing;
    }
    if (all.sources.empty())
        return fail(std::move(*first));
    return all;
}

/// An HDF5 file that holds pictures as an array and no labels.
Result<PredictionInput> fromArray(const InputRequest& request, const FrameList* list) {
    formats::EmbeddedVideoSource::Description description;
    description.file = request.data;
    description.dataset = request.videoDataset;
    description.channelsFirst = request.channelsFirst;
    if (description.dataset.empty()) {
        const auto names = formats::pictureDatasets(request.data);
        if (!names)
            return fail(names.error());
        if (names->empty())
            return fail(ErrorCode::Format,
                        "The file " + request.data.string() +
                            " holds neither labels nor pictures: there is no array of rank 4 in it.");
        if (names->size() > 1) {
            std::string choice;
            for (const std::string& name : *names)
                choice += (choice.empty() ? "" : ", ") + name;
            return fail(ErrorCode::InvalidArgument, "The file " + request.data.string() +
                                                        " holds several arrays of pictures; choose one with "
                                                        "--video_dataset: " +
                                                        choice + ".");
        }
        description.dataset = names->front();
    }
    auto source = formats::EmbeddedVideoSource::open(description);
    if (!source)
        return fail(std::move(source.error()));
    project::Video described = describeVideo(request.data, **source);
    described.dataset = description.dataset;
    const nlohmann::ordered_json backend = {
        {"type", "HDF5Video"},
        {"filename", described.filename},
        {"dataset", description.dataset},
        {"input_format", request.channelsFirst ? "channels_first" : "channels_last"},
        {"convert_range", false}};
    described.rowJson = nlohmann::ordered_json{{"filename", described.filename}, {"backend", backend}}.dump();
    return fromSource(*source, std::move(described), request.data, list);
}

/// Frames that have a picture, ascending.
std::vector<std::int64_t> available(const video::VideoSource& source) {
    if (const auto* embedded = dynamic_cast<const formats::EmbeddedVideoSource*>(&source))
        return {embedded->embeddedFrames().begin(), embedded->embeddedFrames().end()};
    std::vector<std::int64_t> frames(static_cast<std::size_t>(source.frameCount()));
    std::iota(frames.begin(), frames.end(), std::int64_t{0});
    return frames;
}

std::vector<std::int64_t> sortedOnce(std::vector<std::int64_t> frames) {
    std::sort(frames.begin(), frames.end());
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
    return frames;
}

/// The work on a labels file: which frames of which of its videos.
class LabelsInput {
public:
    LabelsInput(const InputRequest& request, const FrameList* list, project::Labels labels)
        : m_request(request), m_list(list), m_labels(std::move(labels)) {}

    Result<void> choose(PredictionInput& input) {
        const int videos = static_cast<int>(m_labels.videos().size());
        if (m_request.videoIndex && (*m_request.videoIndex < 0 || *m_request.videoIndex >= videos))
            return fail(ErrorCode::InvalidArgument, m_request.data.string() + " has no video " +
                                                        std::to_string(*m_request.videoIndex) + "; it has " +
                                                        plural(videos, "video") + ", the first being 0.");
        return m_request.videoIndex ? fromOneVideo(input) : fromAll(input);
    }

private:
    Result<void> fromAll(PredictionInput& input) {
        std::int64_t outside = 0;
        const auto chosen = selectFrames(m_labels, kind(), m_list, &outside);
        if (outside > 0)
            input.warnings.push_back(plural(outside, "chosen position") + " lie beyond the list of " +
                                     describe(kind()) +
                                     "; they are left out. Give --video_index to choose frame "
                                     "numbers of one video.");
        std::map<std::uint32_t, std::vector<std::int64_t>> frames;
        for (const auto& [video, frame] : chosen)
            frames[video].push_back(frame);
        for (auto& [video, list] : frames)
            if (auto added = add(input, video, sortedOnce(std::move(list)), nullptr); !added)
                return added;
        return {};
    }

    Result<void> fromOneVideo(PredictionInput& input) {
        const auto video = static_cast<std::uint32_t>(*m_request.videoIndex);
        auto source = open(video);
        if (!source)
            return fail(std::move(source.error()));
        std::vector<std::int64_t> frames = available(**source);
        if (m_request.kind == FrameKind::Any && !m_request.around) {
            noteCutEnd(input, **source, m_list);
            input.warnings.insert(input.warnings.end(), input.cutShort.begin(), input.cutShort.end());
        }
        if (m_list != nullptr) {
            const std::vector<std::int64_t> wanted = sortedOnce(m_list->within((*source)->frameCount()));
            std::vector<std::int64_t> both;
            std::set_intersection(frames.begin(), frames.end(), wanted.begin(), wanted.end(), std::back_inserter(both));
            frames = std::move(both);
        }
        return add(input, video, selectFromVideo(m_labels, video, frames, kind()), *source);
    }

    /// Where instances are must be known, so that only labelled frames count.
    [[nodiscard]] FrameKind kind() const {
        return m_request.around && m_request.kind == FrameKind::Any ? FrameKind::Labeled : m_request.kind;
    }

    Result<std::shared_ptr<video::VideoSource>> open(std::uint32_t video) const {
        video::OpenOptions options;
        options.decoder = m_request.decoder;
        auto source = formats::openProjectVideo(m_labels, video, m_request.data, std::move(options));
        if (!source)
            return fail(std::move(source.error())
                            .withContext("while opening video " + std::to_string(video + 1) + " of " +
                                         m_request.data.string()));
        return source;
    }

    Result<void> add(PredictionInput& input, std::uint32_t video, std::vector<std::int64_t> frames,
                     std::shared_ptr<video::VideoSource> source) {
        JobSource job{video, nullptr, std::move(frames), m_labels.videos()[video].filename};
        if (m_request.around)
            lookUpCentroids(job);
        if (job.frames.empty())
            return {};
        if (source == nullptr) {
            auto opened = open(video);
            if (!opened)
                return fail(std::move(opened.error()));
            source = *opened;
        }
        job.source = std::move(source);
        input.sources.push_back(std::move(job));
        return {};
    }

    void lookUpCentroids(JobSource& job) const {
        std::vector<std::int64_t> frames;
        for (const std::int64_t index : job.frames) {
            const auto row = m_labels.findFrame(job.video, index);
            if (!row)
                continue;
            const project::FrameView frame = m_labels.frame(*row);
            std::vector<inference::CentroidPoint> centroids;
            for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
                const project::InstanceView instance = frame.instance(i);
                if (instance.header->kind != project::InstanceKind::User)
                    continue;
                const project::Skeleton& skeleton = m_labels.skeletons()[instance.header->skeleton];
                if (const auto centroid = inference::centroidOf(instance.points, m_request.around->on(skeleton)))
                    centroids.push_back(*centroid);
            }
            if (!frame.hasUserInstance())
                continue;
            frames.push_back(index);
            job.centroids.push_back(std::move(centroids));
        }
        job.frames = std::move(frames);
    }

    const InputRequest& m_request;
    const FrameList* m_list;
    project::Labels m_labels;

public:
    [[nodiscard]] const project::Labels& labels() const { return m_labels; }
};

Result<PredictionInput> fromLabels(const InputRequest& request, const FrameList* list, std::stop_token stop) {
    formats::SlpReadOptions options;
    options.stop = std::move(stop);
    formats::LoadReport report;
    auto labels = formats::readSlp(request.data, &report, options);
    if (!labels)
        return fail(std::move(labels.error()));
    PredictionInput input;
    input.warnings = report.warnings;
    LabelsInput chooser(request, list, std::move(*labels));
    if (auto chosen = chooser.choose(input); !chosen)
        return fail(std::move(chosen.error()));
    if (input.sources.empty()) {
        const std::string what = request.around ? "frames with an instance that a person made" : describe(request.kind);
        return fail(ErrorCode::InvalidArgument, request.data.string() + " holds no " + what +
                                                    (list != nullptr ? " among the chosen ones" : "") +
                                                    ", so that there is nothing to predict.");
    }
    input.videos = formats::externalVideos(chooser.labels(), request.data);
    return input;
}

}  // namespace

bool isHdf5(const fs::path& path) {
    std::error_code ec;
    if (!fs::is_regular_file(path, ec))  // a pipe would be waited for
        return false;
    std::array<char, 8> head{};
    std::ifstream file(path, std::ios::binary);
    return file.read(head.data(), head.size()) && std::string_view(head.data(), head.size()) == "\x89HDF\r\n\x1a\n";
}

project::Video describeVideo(const fs::path& path, const video::VideoSource& source) {
    project::Video video;
    video.filename = path.generic_string();
    video.frameCount = source.frameCount();
    video.height = source.height();
    video.width = source.width();
    video.channels = source.channels();
    video.grayscale = source.isGray();
    video.fps = source.fps();
    std::error_code ec;
    if (fs::is_directory(path, ec))
        for (const fs::path& image : video::imagesIn(path))
            video.imageFiles.push_back(image.generic_string());
    if (!video.imageFiles.empty())
        video.filename = video.imageFiles.front();
    return video;
}

Result<PredictionInput> openPredictionInput(const InputRequest& request, std::stop_token stop) {
    std::error_code ec;
    if (request.more.empty() && !fs::exists(request.data, ec))
        return fail(ErrorCode::NotFound, "There is no file or folder " + request.data.string() + ".");
    Result<FrameList> list = parseFrameList(request.frames);
    if (!list)
        return fail(std::move(list.error()));
    const FrameList* chosen = list->ranges.empty() ? nullptr : &*list;
    const bool isArray =
        request.more.empty() && isHdf5(request.data) &&
        (!request.videoDataset.empty() || (request.data.extension() != ".slp" && !formats::holdsLabels(request.data)));
    if (!request.videoDataset.empty() && !isArray)
        return fail(ErrorCode::InvalidArgument,
                    "--video_dataset names an array in an HDF5 file, and " + request.data.string() + " is none.");
    if (request.more.empty() && !isArray && (isHdf5(request.data) || request.data.extension() == ".slp"))
        return fromLabels(request, chosen, std::move(stop));
    if (request.around)
        return fail(
            ErrorCode::InvalidArgument,
            "A centered-instance model alone looks around instances that a person has labelled, and a video has "
            "none. Give a centroid model too, or a labels file as input.");
    auto input = isArray                ? fromArray(request, chosen)
                 : request.more.empty() ? fromVideo(request.data, request.decoder, chosen, std::move(stop))
                                        : fromVideos(request, chosen, stop);
    if (input && (request.kind != FrameKind::Any || request.videoIndex))
        input->warnings.push_back(
            "Frames are chosen by labels in labels files only; all chosen frames of the video are predicted.");
    return input;
}

}  // namespace skein::pipeline
