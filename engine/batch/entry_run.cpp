// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/entry_run.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <system_error>
#include <utility>

#include "engine/base/local_time.h"
#include "engine/batch/entry_list.h"
#include "engine/inference/given_centroids.h"
#include "engine/inference/model_set.h"
#include "engine/pipeline/checkpoint.h"
#include "engine/pipeline/read_models.h"

namespace skein::batch {
namespace fs = std::filesystem;
namespace {

/// Lines with their time; a log that cannot be written stops nothing.
class Log {
public:
    explicit Log(const fs::path& file) {
        if (file.empty())
            return;
        std::error_code ec;
        fs::create_directories(file.parent_path(), ec);
        m_out.open(file, std::ios::app);
    }
    void line(const std::string& text) {
        if (m_out.is_open())
            m_out << localTime() << "  " << text << std::endl;
    }

private:
    std::ofstream m_out;
};

Result<pipeline::PredictionRequest> requestOf(const Entry& entry, const QueueParts& parts) {
    const Settings& s = entry.settings;
    if (s.models.empty())
        return fail(ErrorCode::InvalidArgument, "No model was chosen for it.");
    auto models = pipeline::readModels(s.models, parts.readModel);
    if (!models)
        return fail(std::move(models.error()));
    pipeline::PredictionRequest request;
    request.models = std::move(*models);
    request.inference = s.inference;
    if (s.tracking) {
        tracking::TrackingFacts facts;
        facts.skeletonNodeCounts = {static_cast<int>(inference::outputSkeleton(request.models).nodes.size())};
        if (s.inference.maxInstances > 0)
            facts.maxInstances = s.inference.maxInstances;
        auto tracking = tracking::resolveOptions(*s.tracking, facts);
        if (!tracking)
            return fail(std::move(tracking.error()));
        request.tracking = std::move(*tracking);
    }
    request.input.data = entry.data;
    request.input.more = entry.more;
    request.input.frames = s.frames;
    request.input.decoder = s.decoder;
    if (inference::needsCentroids(request.models)) {
        auto definition = inference::centroidDefinition(request.models, s.inference.anchorPart);
        if (!definition)
            return fail(std::move(definition.error()));
        request.input.around = std::move(*definition);
    }
    request.output = entry.output;
    request.centroids = s.centroids;
    request.keepEmptyFrames = s.keepEmptyFrames;
    request.resume = entry.resume;
    request.queueMaxsize = s.queueMaxsize;
    request.groupThreads = s.groupThreads;
    return request;
}

}  // namespace

bool settleExisting(Entry& entry) {
    std::error_code ec;
    if (!fs::exists(entry.output, ec))
        return false;
    // What an unfinished run has left beside it tells that the output is a part.
    if (fs::exists(pipeline::checkpointPath(entry.output), ec))
        return false;
    // Killed between saving and noting it down: nobody knows whether all of it is there, so it is made again.
    if (entry.interrupted)
        return false;
    if (entry.existing == ExistingOutput::Number)
        entry.output = numbered(entry.output);
    if (entry.existing != ExistingOutput::Skip)
        return false;
    entry.state = EntryState::Skipped;
    entry.reason = entry.output.filename().string() + " was there already.";
    return true;
}

Result<std::unique_ptr<pipeline::PredictionRun>> openRun(const Entry& entry, const QueueParts& parts,
                                                         std::stop_token stop) {
    auto request = requestOf(entry, parts);
    if (!request)
        return fail(std::move(request.error()));
    return pipeline::PredictionRun::open(std::move(*request), std::move(stop));
}

void removePart(Entry& entry) {
    std::error_code ec;
    if (!fs::remove(pipeline::checkpointPath(entry.output), ec))
        return;
    fs::remove(entry.output, ec);
    entry.framesDone = entry.framesResumed = entry.instances = 0;
}

void judge(Entry& entry, const Result<pipeline::PredictionOutcome>& outcome) {
    if (!outcome) {
        const Error& error = outcome.error();
        entry.state = error.code() == ErrorCode::Cancelled ? EntryState::Cancelled : EntryState::Failed;
        entry.reason = error.code() == ErrorCode::Cancelled ? std::string() : error.describe();
        return;
    }
    const pipeline::JobProgress& progress = *outcome->progress;
    const auto unreadable = static_cast<std::int64_t>(progress.unreadable.size());
    entry.framesDone = progress.framesDone - unreadable;
    entry.framesTotal = progress.framesTotal;
    entry.framesResumed = progress.framesResumed;
    entry.instances = outcome->instances;
    entry.reachedEnd = outcome->state == pipeline::JobState::Finished;
    entry.notes.insert(entry.notes.end(), outcome->notes.begin(), outcome->notes.end());
    entry.reason.clear();
    if (!progress.decoder.empty())
        entry.notes.insert(entry.notes.begin(), "Decoded by " + progress.decoder);
    switch (outcome->state) {
        case pipeline::JobState::Finished:
            entry.state = unreadable == 0 ? EntryState::Done : EntryState::Partly;
            if (unreadable > 0) {
                // It is the last of the notes, and here it is the reason.
                entry.reason = entry.notes.back();
                entry.notes.pop_back();
            }
            break;
        case pipeline::JobState::Failed:
            entry.state = EntryState::Partly;
            entry.reason = outcome->error ? outcome->error->describe() : "The run stopped early.";
            break;
        case pipeline::JobState::Cancelled:
        case pipeline::JobState::Running:
            entry.state = EntryState::Cancelled;
            break;
    }
}

void judgeInput(Entry& entry, const pipeline::PredictionRun& run) {
    const bool isWhole = run.leftOut().empty() && run.cutShort().empty();
    if (isWhole || !ownsOutput(entry))
        return;
    if (entry.state == EntryState::Done)
        entry.state = EntryState::Partly;
    entry.framesTotal += run.framesMissing();
    std::string reason;
    for (const auto* sentences : {&run.cutShort(), &run.leftOut()})
        for (const std::string& sentence : *sentences) {
            reason += (reason.empty() ? "" : " ") + sentence;
            // They were warnings before they were the reason.
            std::erase(entry.notes, sentence);
        }
    entry.reason = entry.reason.empty() ? reason : reason + " " + entry.reason;
}

void runEntry(Entry& entry, const QueueParts& parts, const ModelCache::Loader& makeRunner,
              const pipeline::RunObserver& observe, std::stop_token stop) {
    const auto begin = std::chrono::steady_clock::now();
    const Entry before = entry;
    entry.reason.clear();
    entry.notes.clear();
    entry.reachedEnd = false;
    entry.framesDone = entry.framesTotal = entry.framesResumed = entry.instances = 0;
    Log log(entry.log);
    log.line("Predicting " + entry.data.string() + " into " + entry.output.string());
    for (const fs::path& video : entry.more)
        log.line("and " + video.string());
    for (const fs::path& model : entry.settings.models)
        log.line("Model " + model.string());
    std::unique_ptr<pipeline::PredictionRun> opened;
    const auto work = [&]() -> Result<pipeline::PredictionOutcome> {
        auto request = requestOf(entry, parts);
        if (!request)
            return fail(std::move(request.error()));
        request->makeRunner = makeRunner;
        auto run = pipeline::PredictionRun::open(std::move(*request), std::move(stop));
        if (!run)
            return fail(std::move(run.error()));
        entry.framesTotal = (*run)->framesTotal();
        entry.notes = (*run)->inputWarnings();
        log.line(std::to_string(entry.framesTotal) + " frames");
        opened = std::move(*run);
        return opened->execute(observe);
    };
    try {
        const auto outcome = work();
        judge(entry, outcome);
        if (opened)
            judgeInput(entry, *opened);
        // Stopped before it could go on, it has what it had.
        std::error_code ec;
        if (entry.state == EntryState::Cancelled && !outcome &&
            fs::exists(pipeline::checkpointPath(entry.output), ec)) {
            entry.framesDone = entry.framesResumed = before.framesDone;
            entry.framesTotal = before.framesTotal;
            entry.instances = before.instances;
        }
        if (outcome && outcome->progress->framesResumed > 0)
            log.line("Went on after " + std::to_string(outcome->progress->framesResumed) + " frames");
        if (outcome && !outcome->progress->device.empty())
            log.line("Computed on " + outcome->progress->device);
    } catch (const std::exception& e) {
        entry.state = EntryState::Failed;
        entry.reason = std::string("An internal error occurred: ") + e.what();
    }
    if (entry.state == EntryState::Cancelled && entry.framesDone > 0)
        log.line("What is done is kept in " + entry.output.string() + "; another run goes on after it by the file " +
                 pipeline::checkpointPath(entry.output).string() + ", which goes away when the run is done");
    entry.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (const std::string& note : entry.notes)
        log.line("Note: " + note);
    std::array<char, 48> took{};
    std::snprintf(took.data(), took.size(), " (%.1f s)", entry.seconds);
    log.line(describe(entry) + took.data());
}

}  // namespace skein::batch
