// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/run_keeper.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QStandardPaths>
#include <QUuid>
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "engine/base/thread_name.h"
#include "engine/inference/given_centroids.h"
#include "engine/inference/model_set.h"
#include "engine/pipeline/checkpoint.h"
#include "engine/pipeline/frame_list.h"
#include "engine/pipeline/options_json.h"
#include "engine/pipeline/read_models.h"
#include "engine/pipeline/run_identity.h"
#include "ui/text.h"

namespace skein::ui {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr int kRecordVersion = 1;
const char* const kSuffix = ".unfinished";
// Nobody comes back for older ones.
constexpr qint64 kOldestDays = 30;
// A run of fewer frames is done again in less time than a question takes.
constexpr std::int64_t kFewestFrames = 200;

QString lockOf(const QString& file) {
    return file + QStringLiteral(".lock");
}

std::string textOf(const Json& json, const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Reads parts of the models' files and of the video: for a worker.
std::string recordOf(const RunRequest& request, const QString& project, const QString& videoFile) {
    const pipeline::JobSpec& job = request.job;
    Json json{{"skein_run", kRecordVersion},
              {"title", request.info.title.toStdString()},
              {"model", request.info.model.toStdString()},
              {"model_path", request.info.modelPath.toStdString()},
              {"project", project.toStdString()},
              {"video", videoFile.toStdString()},
              {"existing", static_cast<int>(request.existing)},
              {"queue_maxsize", job.queueMaxsize},
              {"group_threads", job.groupThreads},
              {"frames", pipeline::formatFrameList(job.sources.front().frames)},
              {"inference", pipeline::optionsJson(job.inference)}};
    Json& folders = json["models"] = Json::array();
    for (const models::ModelSpec& model : job.models)
        folders.push_back(model.folder.string());
    if (job.tracking)
        json["tracking"] = pipeline::optionsJson(*job.tracking);
    json["identity"] = pipeline::runIdentity(job, text::toPath(videoFile));
    return json.dump();
}

std::optional<UnfinishedRun> readRun(const QString& file) {
    const fs::path path = text::toPath(file);
    auto checkpoint = pipeline::readCheckpoint(path);
    if (!checkpoint || checkpoint->through <= 0)
        return std::nullopt;
    const Json json = Json::parse(checkpoint->identity, nullptr, false);
    if (!json.is_object() || json.value("skein_run", Json()) != kRecordVersion)
        return std::nullopt;
    const auto text = [&json](const char* name) { return QString::fromStdString(textOf(json, name)); };
    const auto frames = pipeline::parseFrameList(textOf(json, "frames"));
    if (!frames)
        return std::nullopt;
    UnfinishedRun run;
    run.file = path;
    run.title = text("title");
    run.model = text("model");
    run.modelPath = text("model_path");
    run.project = text("project");
    run.videoFile = text("video");
    run.through = checkpoint->through;
    for (const pipeline::FrameList::Range& range : frames->ranges) {
        const std::int64_t count = std::max<std::int64_t>(0, range.last - range.first + 1);
        if (run.through >= run.framesTotal && run.through < run.framesTotal + count)
            run.nextFrame = range.first + run.through - run.framesTotal;
        run.framesTotal += count;
    }
    run.record = std::move(checkpoint->identity);
    return run;
}

void removeFiles(const QString& file) {
    QFile::remove(file);
    QFile::remove(lockOf(file));
}

}  // namespace

/// The file and the thread that writes it.
struct RunKeeper::Writer {
    QString path;
    std::mutex mutex;
    std::condition_variable_any changed;
    std::vector<pipeline::FrameResult> waiting;
    bool wanted = true;  ///< false: the file shall go
    bool isWriting = true;
    std::unique_ptr<QLockFile> lock;
    std::jthread thread;

    /// `makeFile` begins or goes on with the file.
    void start(std::function<Result<pipeline::CheckpointWriter>()> makeFile) {
        thread =
            std::jthread([this, makeFile = std::move(makeFile)](const std::stop_token& stop) { work(makeFile, stop); });
    }
    ~Writer() {
        thread.request_stop();
        changed.notify_all();
    }

private:
    void work(const std::function<Result<pipeline::CheckpointWriter>()>& makeFile, const std::stop_token& stop) {
        setThreadName("skein-keep");
        auto file = makeFile();
        for (bool last = false; file && !last;) {
            std::vector<pipeline::FrameResult> found;
            {
                std::unique_lock guard(mutex);
                changed.wait_for(guard, stop, pipeline::CheckpointWriter::kSyncEvery,
                                 [this] { return !waiting.empty(); });
                found = std::exchange(waiting, {});
                last = stop.stop_requested();
            }
            // A disk that is full costs the file, not the run.
            if (!found.empty() && !file->add(found, found.back().sequence + 1))
                break;
            if (!file->syncWhenDue(Clock::now()))
                break;
        }
        const std::lock_guard guard(mutex);
        isWriting = false;
        waiting.clear();
        if (!wanted || !stop.stop_requested())
            QFile::remove(path);  // the lock goes with its owner
    }
};

RunKeeper::RunKeeper(QString folder) : m_folder(std::move(folder)) {}

RunKeeper::~RunKeeper() = default;

QString RunKeeper::defaultFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/skein/runs");
}

bool RunKeeper::canKeep(const RunRequest& request) {
    return !request.trackOnly && request.existing != ExistingPredictions::Keep && !request.job.sources.empty() &&
           std::ssize(request.job.sources.front().frames) >= kFewestFrames &&
           !inference::needsCentroids(request.job.models);
}

void RunKeeper::begin(const RunRequest& request, const QString& project, const QString& videoFile,
                      const UnfinishedRun* resumed) {
    end();
    QDir().mkpath(m_folder);
    m_writer = std::make_unique<Writer>();
    m_writer->path = resumed != nullptr
                         ? text::fromPath(resumed->file)
                         : QStringLiteral("%1/%2%3").arg(m_folder, QUuid::createUuid().toString(QUuid::WithoutBraces),
                                                         QLatin1String(kSuffix));
    m_writer->lock = std::make_unique<QLockFile>(lockOf(m_writer->path));
    // As long as the process lives, whatever its age.
    m_writer->lock->setStaleLockTime(0);
    if (!m_writer->lock->tryLock(0)) {
        m_writer.reset();
        return;
    }
    if (resumed != nullptr)
        m_writer->start([path = resumed->file]() -> Result<pipeline::CheckpointWriter> {
            const auto before = pipeline::readCheckpoint(path);
            if (!before)
                return fail(before.error());
            return pipeline::CheckpointWriter::resume(path, *before);
        });
    else
        m_writer->start(
            [path = text::toPath(m_writer->path), request, project, videoFile]() -> Result<pipeline::CheckpointWriter> {
                return pipeline::CheckpointWriter::create(path, recordOf(request, project, videoFile));
            });
}

void RunKeeper::add(std::vector<pipeline::FrameResult> detections) {
    if (!m_writer || detections.empty())
        return;
    {
        const std::lock_guard guard(m_writer->mutex);
        if (!m_writer->isWriting)
            return;
        m_writer->waiting.insert(m_writer->waiting.end(), std::make_move_iterator(detections.begin()),
                                 std::make_move_iterator(detections.end()));
    }
    m_writer->changed.notify_all();
}

void RunKeeper::end() {
    if (!m_writer)
        return;
    {
        const std::lock_guard guard(m_writer->mutex);
        m_writer->wanted = false;
        m_writer->waiting.clear();
    }
    // The thread may be at the disk, which may be slow.
    m_reaper = std::jthread([writer = std::move(m_writer)]() mutable { writer.reset(); });
}

std::vector<UnfinishedRun> findUnfinishedRuns(const QString& folder) {
    std::vector<UnfinishedRun> runs;
    const auto entries =
        QDir(folder).entryInfoList({QLatin1Char('*') + QLatin1String(kSuffix)}, QDir::Files, QDir::Time);
    for (const QFileInfo& entry : entries) {
        QLockFile lock(lockOf(entry.filePath()));
        lock.setStaleLockTime(0);
        // Another window may only be looking too, which takes it a moment; a run of its own holds the file longer.
        constexpr int kLookMs = 500;
        if (!lock.tryLock(kLookMs))
            continue;
        auto run = readRun(entry.filePath());
        const bool old = entry.lastModified().daysTo(QDateTime::currentDateTime()) > kOldestDays;
        if (run && !old)
            runs.push_back(std::move(*run));
        else if (old || entry.size() < 1024)
            QFile::remove(entry.filePath());  // nothing in it, or nobody came back
    }
    return runs;
}

void discardUnfinishedRun(const UnfinishedRun& run) {
    removeFiles(text::fromPath(run.file));
}

Result<RunRequest> resumedRequest(const UnfinishedRun& run, const RunVideo& video) {
    const Json json = Json::parse(run.record, nullptr, false);
    auto checkpoint = pipeline::readCheckpoint(run.file);
    if (!checkpoint)
        return fail(std::move(checkpoint.error()));
    RunRequest request;
    request.info.title = run.title;
    request.info.model = run.model;
    request.info.modelPath = run.modelPath;
    request.info.video = video.index;
    request.info.framesTotal = run.framesTotal;
    request.existing = json.value("existing", 0) == static_cast<int>(ExistingPredictions::Clear)
                           ? ExistingPredictions::Clear
                           : ExistingPredictions::Replace;
    pipeline::JobSpec& job = request.job;
    std::vector<fs::path> folders;
    for (const Json& folder : json.value("models", Json::array()))
        folders.emplace_back(folder.is_string() ? folder.get<std::string>() : std::string());
    auto models = pipeline::readModels(folders);
    if (!models)
        return fail(std::move(models.error()));
    job.models = std::move(*models);
    auto options = pipeline::inferenceOptionsFrom(json.value("inference", Json::object()));
    if (!options)
        return fail(std::move(options.error()));
    job.inference = std::move(*options);
    if (const auto found = json.find("tracking"); found != json.end()) {
        auto tracker = pipeline::trackerOptionsFrom(*found);
        if (!tracker)
            return fail(std::move(tracker.error()));
        job.tracking = std::move(*tracker);
    }
    job.queueMaxsize = std::clamp(json.value("queue_maxsize", 16), 1, 1024);
    job.groupThreads = std::clamp(json.value("group_threads", 1), 1, 64);
    const auto frames = pipeline::parseFrameList(textOf(json, "frames"));
    if (!frames)
        return fail(frames.error());
    pipeline::JobSource source;
    source.video = video.index;
    source.source = video.source;
    source.name = video.name.toStdString();
    source.frames = frames->within(video.source->frameCount());
    job.sources.push_back(std::move(source));
    const std::string now = pipeline::runIdentity(job, text::toPath(run.videoFile));
    if (const std::string difference = pipeline::identityDifference(textOf(json, "identity"), now); !difference.empty())
        return fail(ErrorCode::InvalidArgument,
                    "The run cannot go on where it stopped: it was made with " + difference + ". Start it anew.");
    request.info.firstFrame = job.sources.front().frames.front();
    request.info.batchSize = job.inference.batchSize;
    request.info.queueMaxsize = job.queueMaxsize;
    request.info.groupThreads = job.groupThreads;
    job.resumeFrom = checkpoint->through;
    job.finished = std::move(checkpoint->frames);
    return request;
}

}  // namespace skein::ui
