// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "engine/video/damage_map.h"
#include "engine/video/detail/hardware_check.h"
#include "engine/video/detail/hardware_use.h"
#include "engine/video/detail/index_data.h"
#include "engine/video/frame_index.h"
#include "engine/video/frame_reader.h"
#include "engine/video/video_source.h"

namespace skein::video {
namespace {

// What the sources of one file share. Immutable, but for the damage map and the spare reader, which are thread-safe.
struct Shared {
    std::shared_ptr<const FrameIndex> index;
    std::shared_ptr<DamageMap> damage;
    FrameReader::Options options;
    std::shared_ptr<detail::HardwareUse> gpu;  ///< set where one was asked for, whether or not it decodes
    int width = 0;
    int height = 0;
    bool isGray = false;

    // The reader that found the first picture, until somebody wants one: it has that picture still.
    std::unique_ptr<FrameReader> takeSpare() {
        const std::lock_guard lock(spareMutex);
        return std::move(spare);
    }
    std::mutex spareMutex;
    std::unique_ptr<FrameReader> spare;
};

class LibavSource final : public VideoSource {
public:
    explicit LibavSource(std::shared_ptr<Shared> shared, std::unique_ptr<FrameReader> reader = nullptr)
        : m_shared(std::move(shared)), m_reader(std::move(reader)) {}

    FrameNumber frameCount() const override { return m_shared->index->frameCount(); }
    int width() const override { return m_shared->width; }
    int height() const override { return m_shared->height; }
    bool isGray() const override { return m_shared->isGray; }

    Result<ImagePtr> read(FrameNumber frame, PixelFormat format, std::stop_token stop) override {
        if (!m_reader) {
            Result<std::unique_ptr<FrameReader>> reader = anyReader();
            if (!reader)
                return fail(std::move(reader.error()));
            m_reader = std::move(*reader);
        }
        return m_reader->read(frame, format, std::move(stop));
    }

    double timeOf(FrameNumber frame) const override { return m_shared->index->seconds(frame); }
    double fps() const override { return m_shared->index->fps(); }
    bool isVariableRate() const override { return m_shared->index->isVariableRate(); }
    std::string codecName() const override { return m_shared->index->data().codecName; }
    std::string decoderNote() const override { return m_shared->gpu ? m_shared->gpu->note() : std::string(); }

    std::vector<std::string> warnings() const override {
        std::vector<std::string> all = m_shared->index->warnings();
        if (const FrameNumber lost = m_shared->damage->unreadableFrames(); lost > 0)
            all.push_back(
                std::to_string(lost) + " of " + std::to_string(frameCount()) +
                " frames cannot be decoded, since the file is damaged there: " + m_shared->damage->describe() + ".");
        return all;
    }

    std::optional<CutEnd> cutEnd() const override { return m_shared->index->cutEnd(); }

    FrameState stateOf(FrameNumber frame) const override {
        SKEIN_EXPECTS(frame >= 0 && frame < frameCount(), "frame lies in the video");
        return m_shared->damage->stateOf(frame);
    }

    Result<std::shared_ptr<VideoSource>> openAnother() const override {
        Result<std::unique_ptr<FrameReader>> reader = anyReader();
        if (!reader)
            return fail(std::move(reader.error()));
        return std::make_shared<LibavSource>(m_shared, std::move(*reader));
    }

    void release() override {
        m_reader.reset();
        m_shared->takeSpare();
    }

private:
    Result<std::unique_ptr<FrameReader>> anyReader() const {
        if (std::unique_ptr<FrameReader> spare = m_shared->takeSpare())
            return spare;
        return FrameReader::open(m_shared->index, m_shared->options, m_shared->damage);
    }

    std::shared_ptr<Shared> m_shared;
    std::unique_ptr<FrameReader> m_reader;
};

/// Lets the readers of a video that is open decode on the GPU, if there is one that decodes this video exactly.
Result<void> useGpu(Shared& shared, const std::stop_token& stop) {
    const std::filesystem::path& path = shared.index->path();
    const auto gpu = detail::sharedGpu();
    shared.gpu = std::make_shared<detail::HardwareUse>(gpu ? *gpu : nullptr, path);
    if (!gpu) {
        shared.gpu->leave(gpu.error().message());
        return {};
    }
    FrameReader::Options options = shared.options;
    options.hardware = shared.gpu;
    Result<std::unique_ptr<FrameReader>> reader = detail::readerOnHardware(shared.index, options, *shared.spare, stop);
    if (!reader)
        return fail(std::move(reader.error()));
    if (*reader) {
        shared.options = options;
        shared.spare = std::move(*reader);
    }
    return {};
}

Result<std::shared_ptr<VideoSource>> openFile(const std::filesystem::path& path, const OpenOptions& options) {
    FrameIndex::Options indexOptions;
    indexOptions.progress = options.progress;
    indexOptions.stop = options.stop;
    indexOptions.threads = options.threads;
    Result<std::shared_ptr<const FrameIndex>> index = FrameIndex::build(path, indexOptions);
    if (!index)
        return fail(std::move(index.error()));

    auto shared = std::make_shared<Shared>();
    shared->index = std::move(*index);
    shared->damage = std::make_shared<DamageMap>(shared->index->frameCount());
    for (FrameNumber frame = 0; frame < shared->index->frameCount(); ++frame)
        if (!shared->index->hasData(frame))
            shared->damage->markUnreadable(frame);
    shared->options.matrix = options.matrix;
    shared->options.threads = options.threads;
    Result<std::unique_ptr<FrameReader>> reader = FrameReader::open(shared->index, shared->options, shared->damage);
    if (!reader)
        return fail(std::move(reader.error()));

    // Size and channels come from the first frame that can be read; a file of which none can is not usable.
    for (FrameNumber frame = 0; frame < shared->index->frameCount(); ++frame) {
        const Result<ImagePtr> first = (*reader)->read(frame, PixelFormat::Rgb24, options.stop);
        if (!first) {
            if (first.error().code() != ErrorCode::Decode)
                return fail(first.error());
            continue;
        }
        shared->width = (*first)->width;
        shared->height = (*first)->height;
        shared->isGray = options.grayscale.value_or(redEqualsBlue(**first));
        shared->spare = std::move(*reader);
        if (options.decoder == DecoderChoice::Gpu)
            if (const Result<void> used = useGpu(*shared, options.stop); !used)
                return fail(used.error());
        return std::make_shared<LibavSource>(std::move(shared));
    }
    return fail(ErrorCode::Format, "Cannot open \"" + path.string() + "\" as a video: none of its " +
                                       std::to_string(shared->index->frameCount()) + " frames can be decoded.");
}

}  // namespace

Result<std::shared_ptr<VideoSource>> openVideo(const std::filesystem::path& path, OpenOptions options) {
    std::error_code ec;
    if (std::filesystem::is_directory(path, ec)) {
        std::vector<std::filesystem::path> images = imagesIn(path);
        if (images.empty())
            return fail(ErrorCode::Format, "There are no images in the folder \"" + path.string() + "\".");
        return openImages(std::move(images), std::move(options));
    }
    if (hasImageExtension(path))
        return openImages({path}, std::move(options));
    return openFile(path, options);
}

}  // namespace skein::video
