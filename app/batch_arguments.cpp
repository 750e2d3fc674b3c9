// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch_arguments.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/arguments.h"
#include "app/run_progress.h"
#include "engine/batch/entry_list.h"
#include "engine/batch/queue_file.h"
#include "engine/pipeline/frame_list.h"

namespace skein::app {

namespace fs = std::filesystem;

void BatchArguments::addTo(CLI::App& command) {
    command.add_option("input", input, "Folder of videos, one video, or a .json list of runs")->required();
    addOption(command, "-o,--output_folder", folder, "Folder for the results, the queue's file and the logs");
    m_run.addRunTo(command, false);
    addOption(command, "--frames", m_frames, "Frames of each video, e.g. 0-99,150 [all]");
    addOption(command, "--pattern", m_pattern, "Names of the results [{video}.predictions.slp]; {model} may be in it");
    addOption(command, "--existing", m_existing, "A result that is there: skip (default), overwrite or number")
        ->check(CLI::IsMember({"skip", "overwrite", "number"}));
    addFlag(command, "--recursive", recursive, "Of a folder also the videos in its subfolders");
    addFlag(command, "--resume", resume,
            "Go on with the queue in the folder: what is done stays done, and what was done in part goes on, or "
            "stays where its video could not be read further and has not changed");
    addFlag(command, "--json", asJson, "The outcome as JSON instead of a table");
    addFlag(command, "--quiet", quiet, "No progress");
    const std::string group = "Cluster";
    addFlag(command, "--slurm", slurm, "Compute on a cluster: a Slurm job array, followed until it is done")
        ->group(group);
    // Without it they would do nothing, and a cluster's job would run on the computer that it was to be sent from.
    const auto ofCluster = [&](CLI::Option* option) { return option->needs("--slurm")->group(group); };
    ofCluster(addOption(command, "--slurm_preset", preset, "Resources: cpu (default), gpu, or a .json file"));
    ofCluster(addOption(command, "--shards", shards, "Tasks that each video is split into [1]"))
        ->check(CLI::Range(1, 10000));
    ofCluster(addFlag(command, "--no_wait", noWait, "Submit and return; the same command with --resume follows"));
    // What the job script calls.
    addOption(command, "--slurm_task", slurmTask, "")->group("");
}

Result<batch::Entry> BatchArguments::usual() const {
    batch::Entry entry;
    batch::Settings& s = entry.settings;
    auto list = pipeline::parseFrameList(m_frames);
    if (!list)
        return fail(std::move(list.error()));
    if (m_run.modelPaths().empty()) {
        m_run.tellIdleOptions();
        auto inference = m_run.inferenceOptions();
        if (!inference)
            return fail(std::move(inference.error()));
        s.inference = std::move(*inference);
        if (m_run.tracking) {
            auto options = m_run.tracker.resolve({}, s.inference.matchSleapNn);
            if (!options)
                return fail(std::move(options.error()));
            s.tracking = std::move(*options);
        }
        s.keepEmptyFrames = !m_run.noEmptyFrames;
        s.queueMaxsize = m_run.queueMaxsize;
        s.groupThreads = std::max(1, m_run.hostThreads);
    } else {
        auto request = m_run.request();
        if (!request)
            return fail(std::move(request.error()));
        if (request->models.size() < m_run.modelPaths().size())
            return fail(ErrorCode::InvalidArgument,
                        "In a batch give the centroid model alone, in place of --centroid_only.");
        for (const models::ModelSpec& model : request->models)
            if (!model.backboneWeightsFile.empty() || !model.headWeightsFile.empty())
                return fail(ErrorCode::InvalidArgument,
                            "--backbone_ckpt_path and --head_ckpt_path are for \"skein predict\"; a batch takes models "
                            "as they are.");
        for (const std::string& path : m_run.modelPaths()) {
            std::error_code ec;
            s.models.push_back(fs::absolute(path, ec).lexically_normal());
        }
        s.inference = std::move(request->inference);
        s.tracking = std::move(request->tracking);
        s.centroids = request->centroids;
        s.keepEmptyFrames = request->keepEmptyFrames;
        s.queueMaxsize = request->queueMaxsize;
        s.groupThreads = request->groupThreads;
    }
    s.frames = m_frames;
    s.decoder = m_run.decoder;
    entry.existing = m_existing == "skip"        ? batch::ExistingOutput::Skip
                     : m_existing == "overwrite" ? batch::ExistingOutput::Overwrite
                                                 : batch::ExistingOutput::Number;
    entry.resume = resume;
    return entry;
}

Result<std::vector<batch::Entry>> BatchArguments::entries() const {
    auto usualEntry = usual();
    if (!usualEntry)
        return fail(std::move(usualEntry.error()));
    std::error_code ec;
    std::vector<batch::Entry> entries;
    if (fs::is_directory(input, ec)) {
        auto found = batch::videosIn(input, recursive ? batch::Subfolders::Take : batch::Subfolders::LeaveOut);
        if (!found)
            return fail(std::move(found.error()));
        const std::string more =
            found->leftOut == 1 ? "1 video is in its subfolders, which --recursive takes too."
            : found->leftOut > 1
                ? withThousands(found->leftOut) + " videos are in its subfolders, which --recursive takes too."
                : std::string();
        if (found->videos.empty())
            return fail(ErrorCode::InvalidArgument,
                        "The folder " + input + " holds no video." + (more.empty() ? "" : " " + more));
        if (!more.empty())
            printWarning("The folder " + input + ": " + more);
        for (const fs::path& video : found->videos) {
            entries.push_back(*usualEntry);
            entries.back().data = fs::absolute(video, ec);
        }
    } else if (fs::path(input).extension() == ".json") {
        auto read = batch::readQueue(input, *usualEntry);
        if (!read)
            return fail(std::move(read.error()));
        entries = std::move(*read);
        for (batch::Entry& entry : entries) {
            // A list says what to do; how far another queue came with it is not ours.
            entry.state = batch::EntryState::Waiting;
            entry.log.clear();
        }
        if (entries.empty())
            return fail(ErrorCode::InvalidArgument, "The list " + input + " holds no run.");
    } else if (fs::exists(input, ec)) {
        entries.push_back(*usualEntry);
        entries.back().data = fs::absolute(input, ec);
    } else {
        return fail(ErrorCode::NotFound, "There is no folder or file " + input + ".");
    }
    if (std::any_of(entries.begin(), entries.end(),
                    [](const batch::Entry& entry) { return entry.settings.models.empty(); }))
        return fail(ErrorCode::InvalidArgument, "Choose a model with --model_paths.");
    if (auto named = batch::nameOutputs(entries, fs::absolute(folder, ec),
                                        m_pattern.empty() ? batch::kOutputPattern : m_pattern);
        !named)
        return fail(std::move(named.error()));
    return entries;
}

}  // namespace skein::app
