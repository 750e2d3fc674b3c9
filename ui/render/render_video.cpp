// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/render_video.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

#include "engine/base/atomic_file.h"
#include "engine/base/thread_name.h"
#include "engine/formats/project_video.h"
#include "ui/render/frame_renderer.h"

namespace skein::ui {

namespace fs = std::filesystem;

namespace {

constexpr double kUnknownFps = 30;

video::VideoCodec codecOf(RenderCodec codec) {
    switch (codec) {
        case RenderCodec::H265:
            return video::VideoCodec::H265;
        case RenderCodec::Av1:
            return video::VideoCodec::Av1;
        case RenderCodec::ProRes:
            return video::VideoCodec::ProRes;
        case RenderCodec::Gif:
            return video::VideoCodec::Gif;
        case RenderCodec::H264:
        case RenderCodec::PngSequence:
            break;
    }
    return video::VideoCodec::H264;
}

/// The source's own uneven times are kept when its frames come in a row and no other rate is asked for.
bool keepsTimes(const video::VideoSource& source, const RenderOptions& options) {
    return options.fps <= 0 && source.isVariableRate() && std::is_sorted(options.frames.begin(), options.frames.end());
}

Error cancelled() {
    return {ErrorCode::Cancelled, "Rendering was cancelled; no file was written."};
}

/// Reads on one thread, draws on several, hands the pictures over in order.
class DrawingLine {
public:
    DrawingLine(const project::Labels& labels, const RenderOptions& options, video::VideoSource& source,
                std::stop_token stop)
        : m_labels(labels),
          m_options(options),
          m_source(source),
          m_stop(std::move(stop)),
          m_size(source.width(), source.height()),
          m_fps(source.fps()) {
        m_times.reserve(options.frames.size());
        for (const std::int64_t frame : options.frames)
            m_times.push_back(source.timeOf(frame));
        const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
        const int workers = std::clamp(options.threads > 0 ? options.threads : cores, 1, 32);
        m_window = static_cast<std::size_t>(2 * workers + 2);
        m_threads.emplace_back([this] { read(); });
        for (int i = 0; i < workers; ++i)
            m_threads.emplace_back([this] { draw(); });
    }
    ~DrawingLine() {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
        }
        m_changed.notify_all();
        for (std::thread& thread : m_threads)
            thread.join();
    }
    DrawingLine(const DrawingLine&) = delete;
    DrawingLine& operator=(const DrawingLine&) = delete;

    /// The next picture; null when stopped.
    QImage next() {
        std::unique_lock lock(m_mutex);
        const auto isReady = [this] { return m_drawn.contains(m_taken) || m_stop.stop_requested(); };
        while (!isReady())
            m_changed.wait_for(lock, std::chrono::milliseconds(50));
        if (m_stop.stop_requested())
            return {};
        QImage image = std::move(m_drawn.extract(m_taken).mapped());
        ++m_taken;
        m_changed.notify_all();
        return image;
    }
    [[nodiscard]] std::int64_t unreadable() const { return m_unreadable; }
    /// Presentation time of the picture, s.
    [[nodiscard]] double timeOf(std::size_t index) const { return m_times[index]; }

private:
    struct Task {
        std::size_t index = 0;
        ImagePtr picture;
    };

    void read() {
        setThreadName("skein-read");
        const bool wanted = m_options.background == RenderBackground::Video;
        for (std::size_t i = 0; i < m_options.frames.size(); ++i) {
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, [&] { return m_ended || i < m_taken + m_window; });
                if (m_ended)
                    return;
            }
            Task task{i, nullptr};
            if (wanted) {
                auto picture = m_source.read(m_options.frames[i], video::PixelFormat::Bgra32, m_stop);
                if (picture)
                    task.picture = std::move(*picture);
                else
                    ++m_unreadable;
            }
            const std::lock_guard lock(m_mutex);
            m_tasks.push_back(std::move(task));
            m_changed.notify_all();
        }
    }

    void draw() {
        setThreadName("skein-draw");
        FrameRenderer renderer(m_labels, m_options, m_size, m_fps);
        for (;;) {
            Task task;
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, [this] { return m_ended || !m_tasks.empty(); });
                if (m_ended)
                    return;
                task = std::move(m_tasks.front());
                m_tasks.pop_front();
            }
            QImage picture;
            if (task.picture)
                picture = QImage(task.picture->pixels.data(), task.picture->width, task.picture->height,
                                 static_cast<qsizetype>(task.picture->rowBytes()), QImage::Format_RGB32);
            const std::int64_t frame = m_options.frames[task.index];
            QImage image = renderer.draw(frame, picture, m_times[task.index]);
            const std::lock_guard lock(m_mutex);
            m_drawn.emplace(task.index, std::move(image));
            m_changed.notify_all();
        }
    }

    const project::Labels& m_labels;
    const RenderOptions& m_options;
    video::VideoSource& m_source;
    std::stop_token m_stop;
    QSize m_size;
    double m_fps;
    std::vector<double> m_times;  ///< of the frames, s: one source is read by one thread
    std::size_t m_window = 0;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Task> m_tasks;
    std::map<std::size_t, QImage> m_drawn;
    std::size_t m_taken = 0;
    std::atomic<std::int64_t> m_unreadable{0};
    bool m_ended = false;
    std::vector<std::thread> m_threads;
};

class Renderer {
public:
    Renderer(const project::Labels& labels, const RenderOptions& options, video::VideoSource& source,
             std::stop_token stop, const RenderProgress& progress)
        : m_labels(labels),
          m_options(options),
          m_source(source),
          m_stop(std::move(stop)),
          m_progress(progress),
          m_report(renderPromise(labels, source, options)) {}

    Result<void> writeFile(const fs::path& path) {
        const FrameRenderer plan(m_labels, m_options, QSize(m_source.width(), m_source.height()), m_source.fps());
        video::VideoWriterOptions options;
        options.codec = codecOf(m_options.codec);
        options.width = plan.size().width();
        options.height = plan.size().height();
        options.fps = m_report.fps;
        options.hasTimes = keepsTimes(m_source, m_options) && options.codec != video::VideoCodec::Gif;
        options.crf = m_options.crf;
        options.preset = m_options.preset.toStdString();
        auto writer = video::VideoWriter::create(path, options);
        if (!writer)
            return fail(std::move(writer.error()));
        DrawingLine line(m_labels, m_options, m_source, m_stop);
        for (std::size_t i = 0; i < m_options.frames.size(); ++i) {
            const QImage image = line.next();
            if (image.isNull())
                return fail(cancelled());
            const double seconds = (line.timeOf(i) - line.timeOf(0)) / m_options.speed;
            if (auto added = (*writer)->add(packed(image), seconds); !added)
                return added;
            tell(i + 1);
        }
        m_report.unreadable = line.unreadable();
        if (auto finished = (*writer)->finish(); !finished)
            return finished;
        writer->reset();
        return readAgain(path);
    }

    Result<void> writePictures(const fs::path& folder) {
        DrawingLine line(m_labels, m_options, m_source, m_stop);
        for (std::size_t i = 0; i < m_options.frames.size(); ++i) {
            const QImage image = line.next();
            if (image.isNull())
                return fail(cancelled());
            const QString name = QStringLiteral("%1.png").arg(i, 6, 10, QLatin1Char('0'));
            if (!image.save(QString::fromStdString((folder / name.toStdString()).string()), "PNG"))
                return fail(ErrorCode::Io, "A picture could not be written into " + folder.parent_path().string() +
                                               ": the folder is write-protected or the disk is full.");
            tell(i + 1);
        }
        m_report.unreadable = line.unreadable();
        return {};
    }

    [[nodiscard]] RenderReport report() {
        m_report.decoder = m_source.decoderNote();
        if (m_report.unreadable > 0)
            m_report.warnings.push_back(std::to_string(m_report.unreadable) +
                                        " frames of the video cannot be read; their skeletons are on black.");
        return m_report;
    }

private:
    /// Rows without gaps, as the writer takes them.
    const std::uint8_t* packed(const QImage& image) {
        const auto row = static_cast<std::size_t>(image.width()) * 4;
        if (static_cast<std::size_t>(image.bytesPerLine()) == row)
            return image.constBits();
        m_rows.resize(row * static_cast<std::size_t>(image.height()));
        for (int y = 0; y < image.height(); ++y)
            std::copy_n(image.constScanLine(y), row, m_rows.data() + static_cast<std::size_t>(y) * row);
        return m_rows.data();
    }

    void tell(std::size_t done) const {
        if (m_progress)
            m_progress(static_cast<std::int64_t>(done), m_report.frames);
    }

    Result<void> readAgain(const fs::path& path) const {
        video::OpenOptions options;
        options.stop = m_stop;
        auto written = video::openVideo(path, std::move(options));
        if (!written)
            return fail(std::move(written.error()));
        if ((*written)->frameCount() != m_report.frames)
            return fail(ErrorCode::Internal, "The video that was written has " +
                                                 std::to_string((*written)->frameCount()) + " frames in place of " +
                                                 std::to_string(m_report.frames) + "; it was removed.");
        return {};
    }

    const project::Labels& m_labels;
    const RenderOptions& m_options;
    video::VideoSource& m_source;
    std::stop_token m_stop;
    const RenderProgress& m_progress;
    RenderReport m_report;
    std::vector<std::uint8_t> m_rows;
};

/// A folder that appears complete or not at all.
Result<void> writeFolder(const fs::path& target, const std::function<Result<void>(const fs::path&)>& write) {
    std::error_code ec;
    if (fs::exists(target, ec))
        return fail(ErrorCode::InvalidArgument,
                    target.string() + " exists already; give the name of a new folder for the pictures.");
    const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
    std::string hidden(1, '.');
    hidden += target.filename().string();
    hidden += '.';
    hidden += std::to_string(::getpid());
    hidden += ".part";
    const fs::path temporary = parent / hidden;
    if (!fs::create_directory(temporary, ec))
        return fail(ErrorCode::Io, "Cannot create a folder in " + parent.string() + ".");
    auto written = write(temporary);
    if (written) {
        fs::rename(temporary, target, ec);
        if (ec)
            written = fail(ErrorCode::Io, "Cannot name the folder " + target.string() + ": " + ec.message() + ".");
    }
    if (!written)
        fs::remove_all(temporary, ec);
    return written;
}

}  // namespace

bool canRender(RenderCodec codec) {
    return codec == RenderCodec::PngSequence || video::canWrite(codecOf(codec));
}

RenderReport renderPromise(const project::Labels& labels, const video::VideoSource& source,
                           const RenderOptions& options) {
    const FrameRenderer plan(labels, options, QSize(source.width(), source.height()), source.fps());
    RenderReport report;
    report.frames = static_cast<std::int64_t>(options.frames.size());
    report.size = plan.size();
    if (options.codec != RenderCodec::PngSequence)
        report.size = QSize(video::storedSize(codecOf(options.codec), plan.size().width()),
                            video::storedSize(codecOf(options.codec), plan.size().height()));
    const double own = source.fps() > 0 ? source.fps() : kUnknownFps;
    report.fps = (options.fps > 0 ? options.fps : own) * options.speed;
    return report;
}

Result<RenderReport> renderVideo(const project::Labels& labels, const fs::path& projectFile,
                                 const RenderOptions& options, const fs::path& path, std::stop_token stop,
                                 const RenderProgress& progress) {
    if (options.frames.empty() || options.video >= labels.videos().size())
        return fail(ErrorCode::InvalidArgument, "There are no frames to render.");
    video::OpenOptions opening;
    opening.stop = stop;
    opening.decoder = options.decoder;
    auto source = formats::openProjectVideo(labels, options.video, projectFile, std::move(opening));
    if (!source)
        return fail(std::move(source.error()));
    for (const std::int64_t frame : options.frames)
        if (frame < 0 || frame >= (*source)->frameCount())
            return fail(ErrorCode::InvalidArgument, "The video has " + std::to_string((*source)->frameCount()) +
                                                        " frames; there is no frame " + std::to_string(frame) + ".");
    const QRect picture(0, 0, (*source)->width(), (*source)->height());
    if (options.crop == RenderCrop::Rectangle && !options.rectangle.intersects(picture))
        return fail(ErrorCode::InvalidArgument, "The rectangle to render lies outside the pictures, which have " +
                                                    std::to_string(picture.width()) + " x " +
                                                    std::to_string(picture.height()) + " pixels, or is empty.");
    const auto hasNode = [&options](const project::Skeleton& skeleton) {
        return options.trails.node < static_cast<int>(skeleton.nodes.size());
    };
    if (options.trails.on && std::none_of(labels.skeletons().begin(), labels.skeletons().end(), hasNode))
        return fail(ErrorCode::InvalidArgument, "No skeleton has a node " + std::to_string(options.trails.node) +
                                                    " for the trails; the first is 0.");
    Renderer renderer(labels, options, **source, stop, progress);
    auto written = options.codec == RenderCodec::PngSequence
                       ? writeFolder(path, [&](const fs::path& folder) { return renderer.writePictures(folder); })
                       : writeAtomically(path, [&](const fs::path& file) { return renderer.writeFile(file); });
    if (!written)
        return fail(std::move(written.error()));
    return renderer.report();
}

RenderJob::RenderJob(project::Labels labels, fs::path projectFile, RenderOptions options, fs::path path)
    : m_all(static_cast<std::int64_t>(options.frames.size())),
      m_thread([this, labels = std::move(labels), projectFile = std::move(projectFile), options = std::move(options),
                path = std::move(path)] {
          setThreadName("skein-render");
          try {
              m_result.emplace(renderVideo(labels, projectFile, options, path, m_stop.get_token(),
                                           [this](std::int64_t done, std::int64_t) { m_done = done; }));
          } catch (const std::exception& e) {
              m_result.emplace(
                  fail(Error(ErrorCode::Internal, "Something went wrong inside Skein.").withContext(e.what())));
          }
          m_finished = true;
      }) {}

RenderJob::~RenderJob() {
    cancel();
    if (m_thread.joinable())
        m_thread.join();
}

const Result<RenderReport>& RenderJob::result() {
    if (m_thread.joinable())
        m_thread.join();
    return *m_result;
}

}  // namespace skein::ui
