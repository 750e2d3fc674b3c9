// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/labels.h"

namespace skein::ui {

/// What came in from files of other programs.
struct Imported {
    project::Labels labels;
    std::vector<std::string> warnings;
    std::size_t instances = 0;
    /// The file does not say which video it is about: the one that it has is named after itself and is not there.
    bool isWithoutVideo = false;
};

/// Reads the files, told apart by their content, as one project: videos, skeletons and tracks of the same names are the
/// same. Videos are looked for beside each file and in the folder "videos" of a DeepLabCut project. For a worker.
/// Errors: those of formats::importLabels; of several files the first that cannot be read ends it.
[[nodiscard]] Result<Imported> importFiles(const QStringList& paths, const std::stop_token& stop,
                                           const std::function<void(double)>& progress);

/// The tables of labels in a DeepLabCut project, or in a folder of its "labeled-data": for a worker. Where a table is
/// there as CSV and as HDF5, the CSV.
[[nodiscard]] QStringList deepLabCutTables(const QString& folder);

}  // namespace skein::ui
