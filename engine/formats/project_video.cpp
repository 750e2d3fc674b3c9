// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/project_video.h"

#include <map>

#include "engine/formats/cropped_video.h"
#include "engine/formats/embedded_video.h"
#include "engine/formats/hdf5/attribute.h"
#include "engine/formats/hdf5/file.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/try.h"
#include "engine/formats/video_path.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

constexpr double kStatesChannelOrder = 1.4;

bool holdsDataset(const fs::path& path, const std::string& dataset) {
    const h5::Session session;
    const auto file = h5::openFile(path);
    return file && h5::exists(file->get(), dataset);
}

/// The labels format of a file, which decides what images without a stated channel order mean; a new one when unknown.
double formatOf(const fs::path& path) {
    const h5::Session session;
    const auto file = h5::openFile(path);
    if (!file || h5::objectKind(file->get(), "metadata") == h5::ObjectKind::None)
        return kStatesChannelOrder;
    const h5::Id metadata(H5Oopen(file->get(), "metadata", H5P_DEFAULT));
    return h5::numberAttribute(metadata.get(), "format_id").value_or(0);
}

tl::unexpected<Error> missing(const project::Video& video, const VideoSearch& search) {
    return fail(ErrorCode::NotFound, "The video " + video.filename + " was not found, neither there nor as " +
                                         storedBaseName(video.filename) + " in " +
                                         (search.projectFolder.empty() ? "." : search.projectFolder.string()) +
                                         "; put it beside the project or tell where it is.");
}

/// Files of an image list: when the first one moved, the others are looked for in the same way and then beside it.
std::vector<fs::path> findImages(const project::Video& video, const VideoSearch& search, const fs::path& first) {
    std::vector<fs::path> files;
    for (const std::string& image : video.imageFiles) {
        auto found = resolveVideoPath(image, search);
        files.push_back(found ? std::move(*found) : first.parent_path() / storedBaseName(image));
    }
    return files;
}

}  // namespace

bool isEmbedded(const project::Video& video) {
    return !video.dataset.empty();
}

namespace {

Result<std::shared_ptr<video::VideoSource>> openWhole(const project::Labels& labels, std::uint32_t videoIndex,
                                                      const fs::path& projectFile, video::OpenOptions options) {
    SKEIN_EXPECTS(videoIndex < labels.videos().size(), "a video of the project");
    const project::Video& video = labels.videos()[videoIndex];
    VideoSearch search;
    search.projectFolder = projectFile.parent_path().empty() ? fs::path(".") : projectFile.parent_path();
    if (video.grayscale)
        options.grayscale = video.grayscale;
    if (isEmbedded(video)) {
        EmbeddedVideoSource::Description description;
        description.dataset = video.dataset;
        description.grayscale = options.grayscale;
        const Json backend = slp::backendOf(slp::storedRow(video));
        description.channelsFirst =
            stringMember(backend, "input_format") == "channels_first" && !slp::embeddedNumber(video.dataset);
        const std::string& origin = labels.origin().path;
        const fs::path own = origin.empty() ? projectFile : fs::path(origin);
        const auto named = video.filename == "." ? std::nullopt : resolveVideoPath(video.filename, search);
        if (named)
            description.file = *named;
        else if (video.filename == "." || holdsDataset(own, video.dataset))
            description.file = own;
        else
            return missing(video, search);
        description.bgrUnlessStated = formatOf(description.file) < kStatesChannelOrder;
        SKEIN_TRY(source, EmbeddedVideoSource::open(std::move(description)));
        return std::shared_ptr<video::VideoSource>(source);
    }
    const auto path = resolveVideoPath(video.filename, search);
    if (!path)
        return missing(video, search);
    if (!video.imageFiles.empty())
        return video::openImages(findImages(video, search, *path), std::move(options));
    return video::openVideo(*path, std::move(options));
}

}  // namespace

Result<std::shared_ptr<video::VideoSource>> openProjectVideo(const project::Labels& labels, std::uint32_t videoIndex,
                                                             const fs::path& projectFile, video::OpenOptions options) {
    SKEIN_TRY(whole, openWhole(labels, videoIndex, projectFile, std::move(options)));
    const auto crop = cropOf(labels, videoIndex);
    return crop ? croppedVideo(whole, *crop) : whole;
}

std::vector<project::Video> externalVideos(const project::Labels& labels, const fs::path& projectFile) {
    std::vector<project::Video> videos = labels.videos();
    for (project::Video& video : videos) {
        video.originRow = -1;
        if (!isEmbedded(video))
            continue;
        std::error_code ec;
        const bool here = video.filename == "." || !fs::exists(video.filename, ec);
        if (here && (video.filename == "." || holdsDataset(projectFile, video.dataset))) {
            // The row describes the images as a part of that file; here they are another file's.
            video.filename = projectFile.generic_string();
            video.rowJson.clear();
        }
    }
    return videos;
}

std::function<ImagePtr(std::uint32_t, std::int64_t)> frameImages(const project::Labels& labels,
                                                                 const fs::path& projectFile) {
    struct Sources {
        project::Labels labels;
        fs::path projectFile;
        std::map<std::uint32_t, std::shared_ptr<video::VideoSource>> open;
    };
    auto sources = std::make_shared<Sources>(Sources{labels, projectFile, {}});
    return [sources](std::uint32_t index, std::int64_t frame) -> ImagePtr {
        if (index >= sources->labels.videos().size())
            return nullptr;
        auto known = sources->open.find(index);
        if (known == sources->open.end()) {
            auto opened = openProjectVideo(sources->labels, index, sources->projectFile);
            known = sources->open.emplace(index, opened ? *opened : nullptr).first;
        }
        if (!known->second)
            return nullptr;
        auto image = known->second->read(frame, known->second->engineFormat());
        return image ? *image : nullptr;
    };
}

}  // namespace skein::formats
