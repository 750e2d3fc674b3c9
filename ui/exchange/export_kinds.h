// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <optional>
#include <vector>

#include "engine/formats/export/export_labels.h"
#include "engine/formats/write_package.h"

namespace skein::ui {

/// What the window writes for other programs.
enum class ExportKind { Analysis, Csv, CsvTidy, Coco, Dlc, Nwb, Json, Package };

struct ExportFacts {
    ExportKind kind;
    const char* title;
    const char* purpose;                          ///< one or two sentences
    const char* ending;                           ///< ".analysis.h5"
    const char* filter;                           ///< of a file dialog
    std::optional<formats::ExportFormat> format;  ///< nullopt: a package
};
[[nodiscard]] const ExportFacts& factsOf(ExportKind kind);

/// What a person chose. Options that the kind does not have are without effect.
struct ExportChoice {
    ExportKind kind = ExportKind::Analysis;
    std::optional<std::uint32_t> video;  ///< nullopt: all with labels
    bool standardAxes = false;
    bool everyFrame = true;
    formats::PackageContent content = formats::PackageContent::User;
};

/// What would be written, counted before it is.
struct ExportCounts {
    std::size_t videos = 0, frames = 0, userInstances = 0, predictions = 0;
    std::size_t untracked = 0;  ///< instances without a track in a project that has tracks
    std::size_t pictures = 0;   ///< of a package
};
/// Goes through all labels: for a worker.
[[nodiscard]] ExportCounts countExport(const project::Labels& labels, const ExportChoice& choice);
/// The counts in a sentence; what the format leaves out in a second one.
[[nodiscard]] QString exportSummary(const ExportCounts& counts, const ExportChoice& choice);

}  // namespace skein::ui
