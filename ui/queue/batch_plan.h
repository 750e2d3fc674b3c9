// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>
#include <filesystem>
#include <vector>

#include "engine/base/result.h"
#include "engine/batch/entry.h"
#include "ui/dialogs/run_plan.h"

namespace skein::ui {

/// What a person wants done with some videos.
struct BatchWish {
    QStringList videos;
    std::vector<std::filesystem::path> models;
    batch::Settings settings;
    QString folder;         ///< of the results; empty: beside each video
    QString pattern;        ///< {video} and {model} are filled in
    bool together = false;  ///< one project for all; {video} is then the name of their folder
    batch::ExistingOutput existing = batch::ExistingOutput::Skip;
    std::vector<qint64> frames;  ///< of each video, 0 not known
    /// Results of entries that wait or run already.
    std::vector<std::filesystem::path> taken;
};

/// What would be queued.
struct BatchPlan {
    std::vector<batch::Entry> entries;
    QStringList results;       ///< name of each video's result
    std::vector<bool> exists;  ///< of each video: the result is there already, and whole
    int existing = 0;          ///< such results
    int unfinished = 0;        ///< results that an unfinished run has left: they are made whole, whatever is chosen
    QString clash;             ///< a result that another entry of the queue will write; empty: none
};

/// The settings of an entry, from those of a plan that can run.
[[nodiscard]] Result<batch::Settings> entrySettings(const RunSettings& settings, const RunPlan& plan);

/// Touches the disk: for a worker. Errors: InvalidArgument (the pattern, a result that is one of the videos).
[[nodiscard]] Result<BatchPlan> planBatch(const BatchWish& wish);

/// Makes the folders of the results where they are missing and checks that they can be written; for a worker. Errors:
/// Io, with the folder.
[[nodiscard]] Result<bool> prepareFolders(const std::vector<batch::Entry>& entries);

}  // namespace skein::ui
