// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/batch_plan.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "engine/batch/entry_list.h"
#include "engine/inference/model_set.h"
#include "engine/pipeline/checkpoint.h"
#include "ui/dialogs/run_settings.h"
#include "ui/text.h"

namespace skein::ui {
namespace fs = std::filesystem;
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("BatchPlan", text);
}

fs::path folderOf(const QString& video) {
    return text::toPath(QFileInfo(video).absolutePath());
}

/// Names results folder by folder, so that equal names in different folders are no clash.
Result<void> nameEach(std::vector<batch::Entry>& entries, const BatchWish& wish) {
    const std::string pattern = wish.pattern.toStdString();
    if (!wish.folder.isEmpty())
        return batch::nameOutputs(entries, text::toPath(wish.folder), pattern);
    std::map<fs::path, std::vector<std::size_t>> byFolder;
    for (std::size_t i = 0; i < entries.size(); ++i)
        byFolder[entries[i].data.parent_path()].push_back(i);
    for (const auto& [folder, places] : byFolder) {
        std::vector<batch::Entry> some;
        for (const std::size_t place : places)
            some.push_back(entries[place]);
        if (auto named = batch::nameOutputs(some, folder, pattern); !named)
            return named;
        for (std::size_t i = 0; i < places.size(); ++i)
            entries[places[i]].output = some[i].output;
    }
    return {};
}

}  // namespace

Result<batch::Settings> entrySettings(const RunSettings& settings, const RunPlan& plan) {
    batch::Settings result;
    result.inference = effectiveInference(settings, plan.use);
    result.queueMaxsize = settings.queueMaxsize;
    result.groupThreads = groupThreadsHere();
    if (settings.tracking) {
        auto options = resolvedTracker(settings, inference::outputSkeleton(plan.models));
        if (!options)
            return fail(std::move(options.error()));
        result.tracking = std::move(*options);
    }
    return result;
}

Result<BatchPlan> planBatch(const BatchWish& wish) {
    BatchPlan plan;
    batch::Entry usual;
    usual.settings = wish.settings;
    usual.settings.models = wish.models;
    usual.existing = wish.existing;
    for (int i = 0; i < wish.videos.size(); ++i) {
        const fs::path video = text::toPath(wish.videos[i]);
        const auto frames =
            static_cast<std::size_t>(i) < wish.frames.size() ? wish.frames[static_cast<std::size_t>(i)] : 0;
        if (wish.together && i > 0) {
            plan.entries.front().more.push_back(video);
            plan.entries.front().framesTotal += frames;
            continue;
        }
        plan.entries.push_back(usual);
        plan.entries.back().data = video;
        plan.entries.back().framesTotal = frames;
    }
    if (plan.entries.empty())
        return plan;
    if (wish.together) {
        // The pattern is filled in for a video that is called as the folder.
        std::vector<batch::Entry> all{plan.entries.front()};
        const fs::path home = folderOf(wish.videos.front());
        all.front().data = home / (home.filename().string() + ".folder");
        all.front().more.clear();
        const fs::path folder = wish.folder.isEmpty() ? home : text::toPath(wish.folder);
        if (auto named = batch::nameOutputs(all, folder, wish.pattern.toStdString()); !named)
            return fail(std::move(named.error()));
        plan.entries.front().output = all.front().output;
    } else if (auto named = nameEach(plan.entries, wish); !named) {
        return fail(std::move(named.error()));
    }
    std::set<fs::path> taken(wish.taken.begin(), wish.taken.end());
    for (const batch::Entry& entry : plan.entries) {
        std::error_code ec;
        const bool isThere = fs::exists(entry.output, ec);
        const bool isPart = isThere && fs::exists(pipeline::checkpointPath(entry.output), ec);
        const bool exists = isThere && !isPart;
        plan.unfinished += isPart ? 1 : 0;
        plan.existing += exists ? 1 : 0;
        if (taken.count(entry.output) != 0 && plan.clash.isEmpty())
            plan.clash = text::fromPath(entry.output.filename());
        for (std::size_t i = 0; i <= entry.more.size(); ++i) {
            plan.results << text::fromPath(entry.output.filename());
            plan.exists.push_back(exists);
        }
    }
    return plan;
}

Result<bool> prepareFolders(const std::vector<batch::Entry>& entries) {
    std::set<fs::path> folders;
    for (const batch::Entry& entry : entries)
        folders.insert(entry.output.parent_path());
    for (const fs::path& folder : folders) {
        std::error_code ec;
        fs::create_directories(folder, ec);
        if (!QFileInfo(text::fromPath(folder)).isDir())
            return fail(ErrorCode::Io, tr("The folder %1 cannot be made. Choose another one for the results.")
                                           .arg(text::fromPath(folder))
                                           .toStdString());
        if (!QFileInfo(text::fromPath(folder)).isWritable())
            return fail(ErrorCode::Io, tr("Nothing can be written to %1. Choose another folder for the results.")
                                           .arg(text::fromPath(folder))
                                           .toStdString());
    }
    return true;
}

}  // namespace skein::ui
