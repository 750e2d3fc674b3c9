// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/write_package.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "engine/formats/cropped_video.h"
#include "engine/formats/json/json.h"
#include "engine/formats/project_video.h"
#include "engine/formats/slp/carried.h"
#include "engine/formats/slp/fresh_images.h"
#include "engine/formats/slp/video_row.h"
#include "engine/formats/try.h"
#include "engine/video/image_encoder.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

constexpr double kPicturesShare = 0.8;

using Place = std::pair<std::uint32_t, std::int64_t>;

/// The file in which pictures wait; gone with this object.
class Spool {
public:
    explicit Spool(const fs::path& target)
        : m_path(target.parent_path() /
                 ("." + target.stem().string() + "." + std::to_string(::getpid()) + ".pictures")),
          m_out(m_path, std::ios::binary | std::ios::trunc) {}
    ~Spool() {
        m_out.close();
        std::error_code ec;
        fs::remove(m_path, ec);
    }
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;

    Result<std::pair<std::uint64_t, std::uint64_t>> add(const std::vector<std::uint8_t>& bytes) {
        const std::pair place(m_size, std::uint64_t{bytes.size()});
        m_size += bytes.size();
        if (!m_out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
            return broken();
        return place;
    }
    Result<void> flush() {
        if (!m_out.flush())
            return broken();
        return {};
    }
    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    [[nodiscard]] tl::unexpected<Error> broken() const {
        return fail(ErrorCode::Io, "Cannot write into " + m_path.parent_path().string() +
                                       ": the folder is missing or write-protected, or the disk is full.");
    }
    fs::path m_path;
    std::ofstream m_out;
    std::uint64_t m_size = 0;
};

class Packer {
public:
    Packer(const project::Labels& labels, const fs::path& projectFile, const fs::path& target,
           const SlpWriteOptions& options)
        : m_labels(labels), m_projectFile(projectFile), m_target(target), m_options(options), m_spool(target) {}

    Result<PackageReport> pack(PackageContent content) {
        const std::vector<Place> frames = packageFrames(m_labels, content);
        m_total = frames.size();
        for (auto it = frames.begin(); it != frames.end();) {
            const std::uint32_t video = it->first;
            const auto end = std::find_if(it, frames.end(), [video](const Place& p) { return p.first != video; });
            SKEIN_CHECK(embed(video, {it, end}));
            m_done += static_cast<std::size_t>(end - it);
            it = end;
        }
        SKEIN_CHECK(m_spool.flush());
        SlpWriteOptions options = m_options;
        if (options.progress)
            options.progress = [&outer = m_options.progress](std::string_view phase, double fraction) {
                outer(phase, kPicturesShare + (1 - kPicturesShare) * fraction);
            };
        SaveReport saved;
        const auto pictures = [this](h5::OutputFile& file) -> Result<void> {
            for (const slp::FreshImages& images : m_images)
                SKEIN_CHECK(slp::writeFreshImages(file, images, m_spool.path(), m_options.stop));
            return {};
        };
        SKEIN_CHECK(slp::writeSlpWith(m_packed, m_target, options, &saved, pictures));
        m_report.warnings.insert(m_report.warnings.end(), saved.warnings.begin(), saved.warnings.end());
        return std::move(m_report);
    }

private:
    Result<void> embed(std::uint32_t index, const std::vector<Place>& frames) {
        const project::Video& video = m_labels.videos()[index];
        if (slp::isEmbeddedHere(video, slp::Carried::of(m_labels)))
            return {};  // copied with the rest of the file
        if (cropOf(m_labels, index)) {
            m_report.warnings.push_back("The pictures of " + video.filename +
                                        " are not embedded: it is shown cropped. The package refers to the video.");
            return {};
        }
        video::OpenOptions opening;
        opening.stop = m_options.stop;
        auto source = openProjectVideo(m_labels, index, m_projectFile, opening);
        if (!source) {
            if (source.error().code() == ErrorCode::Cancelled)
                return fail(std::move(source.error()));
            m_report.missing += frames.size();
            m_report.warnings.push_back(source.error().message());
            return {};
        }
        slp::FreshImages images;
        std::size_t missing = 0;
        for (const auto& [unused, frame] : frames) {
            SKEIN_CHECK(step(images.frames.size() + missing));
            auto picture = (*source)->read(frame, (*source)->engineFormat(), m_options.stop);
            if (!picture && picture.error().code() == ErrorCode::Cancelled)
                return fail(std::move(picture.error()));
            if (!picture) {
                ++missing;
                continue;
            }
            SKEIN_TRY(encoded, video::encodePng(**picture));
            SKEIN_TRY(place, m_spool.add(encoded));
            images.frames.push_back(frame);
            images.places.push_back(place);
            images.channels = (*picture)->channels;
        }
        m_report.missing += missing;
        if (missing > 0)
            m_report.warnings.push_back(std::to_string(missing) + " frames of " + video.filename +
                                        " cannot be read and are not embedded.");
        if (images.frames.empty())
            return {};
        images.group = freeGroup(index);
        images.sourceFrames = (*source)->frameCount();
        images.height = (*source)->height();
        images.width = (*source)->width();
        images.fps = (*source)->fps();
        images.sourceRow = writeStrictJson(slp::rowFromVideo(video));
        m_report.embedded += images.frames.size();

        project::Video& packed = m_packed.editVideos()[index];
        packed.dataset = images.group + "/video";
        packed.filename = ".";
        packed.imageFiles.clear();
        packed.rowJson.clear();
        packed.sourceJson = images.sourceRow;
        packed.frameCount = static_cast<std::int64_t>(images.frames.size());
        packed.height = images.height;
        packed.width = images.width;
        packed.channels = images.channels;
        packed.fps = images.fps;
        packed.grayscale = images.channels == 1;
        m_images.push_back(std::move(images));
        return {};
    }

    /// A group has the number of its video where nothing else has that name.
    std::string freeGroup(std::uint32_t index) {
        std::set<std::string> taken;
        if (const slp::Carried* carried = slp::Carried::of(m_labels)) {
            taken.insert(carried->embedded().begin(), carried->embedded().end());
            taken.insert(carried->objects().begin(), carried->objects().end());
        }
        for (const slp::FreshImages& images : m_images)
            taken.insert(images.group);
        std::string name = "video" + std::to_string(index);
        for (std::size_t number = m_labels.videos().size(); taken.count(name) > 0; ++number)
            name = "video" + std::to_string(number);
        return name;
    }

    Result<void> step(std::size_t ofVideo) const {
        if (m_options.stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Writing the package was cancelled; nothing was changed.");
        if (m_options.progress)
            m_options.progress("pictures", kPicturesShare * static_cast<double>(m_done + ofVideo) /
                                               static_cast<double>(std::max<std::size_t>(1, m_total)));
        return {};
    }

    const project::Labels& m_labels;
    const fs::path& m_projectFile;
    const fs::path& m_target;
    const SlpWriteOptions& m_options;
    Spool m_spool;
    project::Labels m_packed = m_labels;
    std::vector<slp::FreshImages> m_images;
    PackageReport m_report;
    std::size_t m_done = 0, m_total = 0;
};

}  // namespace

std::vector<Place> packageFrames(const project::Labels& labels, PackageContent content) {
    std::set<Place> frames(labels.negativeFrames().begin(), labels.negativeFrames().end());
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        if (frame.hasUserInstance() || (content == PackageContent::UserSuggestedPredicted && frame.instanceCount() > 0))
            frames.emplace(frame.video(), frame.frameIndex());
    }
    if (content != PackageContent::User)
        for (const project::Suggestion& suggestion : labels.suggestions())
            frames.emplace(suggestion.video, suggestion.frameIndex);
    std::erase_if(frames, [&](const Place& place) { return place.first >= labels.videos().size(); });
    return {frames.begin(), frames.end()};
}

Result<PackageReport> writePackage(const project::Labels& labels, const fs::path& projectFile, const fs::path& path,
                                   PackageContent content, const SlpWriteOptions& options) {
    return Packer(labels, projectFile, path, options).pack(content);
}

}  // namespace skein::formats
