// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSize>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"
#include "engine/video/video_source.h"
#include "ui/render/render_options.h"

namespace skein::ui {

/// What a rendered video will be, or was. Nothing of it changes between promise and file.
struct RenderReport {
    QSize size;      ///< of the pictures in the file, after what the codec needs
    double fps = 0;  ///< mean, where the source's uneven times are kept
    std::int64_t frames = 0;
    std::int64_t unreadable = 0;        ///< frames of the video that could not be read; their skeletons are on black
    std::string decoder;                ///< who decoded, where a GPU was asked for: VideoSource::decoderNote()
    std::vector<std::string> warnings;  ///< one sentence each
};

using RenderProgress = std::function<void(std::int64_t done, std::int64_t all)>;

/// What renderVideo() would write from a video that is open.
[[nodiscard]] RenderReport renderPromise(const project::Labels& labels, const video::VideoSource& source,
                                         const RenderOptions& options);

/// Whether the installed FFmpeg can write it.
[[nodiscard]] bool canRender(RenderCodec codec);

/// Draws the frames and writes them to `path`: a video file, or a folder that does not exist yet for a sequence of
/// pictures (000000.png on). The file appears when it is complete and was read again with the right number of frames;
/// before that, and for good after an error or a stop, there is none. Blocks: for a worker thread. `progress` is called
/// from it. Errors: NotFound (video missing where it is wanted), InvalidArgument (no frames), Unsupported (codec), Io,
/// Cancelled.
[[nodiscard]] Result<RenderReport> renderVideo(const project::Labels& labels, const std::filesystem::path& projectFile,
                                               const RenderOptions& options, const std::filesystem::path& path,
                                               std::stop_token stop = {}, const RenderProgress& progress = {});

/// The same on a thread of its own, to be asked how far it is. One thread at a time may use it.
class RenderJob {
public:
    RenderJob(project::Labels labels, std::filesystem::path projectFile, RenderOptions options,
              std::filesystem::path path);
    /// Stops it and waits: less than a frame's time, and the encoder's.
    ~RenderJob();
    RenderJob(const RenderJob&) = delete;
    RenderJob& operator=(const RenderJob&) = delete;

    void cancel() { m_stop.request_stop(); }
    [[nodiscard]] std::int64_t done() const { return m_done; }
    [[nodiscard]] std::int64_t all() const { return m_all; }
    [[nodiscard]] bool isFinished() const { return m_finished; }
    /// The outcome; waits for it.
    [[nodiscard]] const Result<RenderReport>& result();

private:
    std::stop_source m_stop;
    std::atomic<std::int64_t> m_done{0};
    std::int64_t m_all = 0;
    std::atomic<bool> m_finished{false};
    std::optional<Result<RenderReport>> m_result;
    std::thread m_thread;
};

}  // namespace skein::ui
