// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/export_kinds.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <set>

#include "engine/base/result.h"
#include "ui/text.h"

namespace skein::ui {

namespace {

using formats::ExportFormat;

QString tr(const char* sentence) {
    return QCoreApplication::translate("ExportKinds", sentence);
}

constexpr std::array<ExportFacts, 8> kFacts = {{
    {ExportKind::Analysis, QT_TRANSLATE_NOOP("ExportKinds", "Analysis HDF5"),
     QT_TRANSLATE_NOOP("ExportKinds",
                       "Positions, scores and tracks as arrays, as SLEAP's notebooks, MATLAB and Python read them."),
     ".analysis.h5", QT_TRANSLATE_NOOP("ExportKinds", "Analysis files (*.analysis.h5 *.h5)"), ExportFormat::Analysis},
    {ExportKind::Csv, QT_TRANSLATE_NOOP("ExportKinds", "CSV"),
     QT_TRANSLATE_NOOP("ExportKinds", "SLEAP's table: one row for each instance, with its track, frame and nodes."),
     ".csv", QT_TRANSLATE_NOOP("ExportKinds", "Tables (*.csv)"), ExportFormat::Csv},
    {ExportKind::CsvTidy, QT_TRANSLATE_NOOP("ExportKinds", "Tidy CSV"),
     QT_TRANSLATE_NOOP("ExportKinds", "One row for each frame, instance and node, with times: for R and pandas."),
     ".tidy.csv", QT_TRANSLATE_NOOP("ExportKinds", "Tables (*.csv)"), ExportFormat::CsvTidy},
    {ExportKind::Coco, QT_TRANSLATE_NOOP("ExportKinds", "COCO Key Points"),
     QT_TRANSLATE_NOOP("ExportKinds",
                       "Annotations for training other networks. Coordinates are written as they are, with (0, 0) in "
                       "the middle of the first pixel; pictures are not written."),
     ".coco.json", QT_TRANSLATE_NOOP("ExportKinds", "COCO (*.json)"), ExportFormat::Coco},
    {ExportKind::Dlc, QT_TRANSLATE_NOOP("ExportKinds", "DeepLabCut CSV"),
     QT_TRANSLATE_NOOP("ExportKinds",
                       "DeepLabCut's table: one row for each frame, with individuals where there are "
                       "several tracks."),
     ".dlc.csv", QT_TRANSLATE_NOOP("ExportKinds", "Tables (*.csv)"), ExportFormat::Dlc},
    {ExportKind::Nwb, QT_TRANSLATE_NOOP("ExportKinds", "NWB"),
     QT_TRANSLATE_NOOP("ExportKinds", "Neurodata Without Borders, with the extension ndx-pose: for archives."), ".nwb",
     QT_TRANSLATE_NOOP("ExportKinds", "NWB (*.nwb)"), ExportFormat::Nwb},
    {ExportKind::Json, QT_TRANSLATE_NOOP("ExportKinds", "JSON"),
     QT_TRANSLATE_NOOP("ExportKinds", "Everything in the project as readable text."), ".json",
     QT_TRANSLATE_NOOP("ExportKinds", "JSON (*.json)"), ExportFormat::Json},
    {ExportKind::Package, QT_TRANSLATE_NOOP("ExportKinds", "Labels Package"),
     QT_TRANSLATE_NOOP("ExportKinds",
                       "The labels with their pictures in one file: for training on another computer, or for others."),
     ".pkg.slp", QT_TRANSLATE_NOOP("ExportKinds", "Packages (*.pkg.slp)"), std::nullopt},
}};

bool needsTracks(ExportKind kind) {
    return kind == ExportKind::Analysis || kind == ExportKind::Csv || kind == ExportKind::Dlc;
}

}  // namespace

const ExportFacts& factsOf(ExportKind kind) {
    const auto facts =
        std::find_if(kFacts.begin(), kFacts.end(), [kind](const ExportFacts& f) { return f.kind == kind; });
    SKEIN_EXPECTS(facts != kFacts.end(), "every kind has its facts");
    return *facts;
}

ExportCounts countExport(const project::Labels& labels, const ExportChoice& choice) {
    ExportCounts counts;
    std::set<std::uint32_t> videos;
    const bool hasTracks = !labels.tracks().empty();
    for (std::size_t row = 0; row < labels.frameCount(); ++row) {
        const project::FrameView frame = labels.frame(row);
        if ((choice.video && frame.video() != *choice.video) || frame.instanceCount() == 0)
            continue;
        ++counts.frames;
        videos.insert(frame.video());
        for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
            const project::InstanceHeader& header = *frame.instance(i).header;
            ++(header.kind == project::InstanceKind::User ? counts.userInstances : counts.predictions);
            counts.untracked += hasTracks && header.track < 0 ? 1 : 0;
        }
    }
    counts.videos = videos.size();
    if (choice.kind == ExportKind::Package)
        counts.pictures = formats::packageFrames(labels, choice.content).size();
    return counts;
}

QString exportSummary(const ExportCounts& counts, const ExportChoice& choice) {
    const auto count = [](std::size_t n, const char* one, const char* many) {
        return text::count(static_cast<std::int64_t>(n), tr(one), tr(many));
    };
    if (counts.frames == 0 && choice.kind != ExportKind::Json && choice.kind != ExportKind::Package)
        return choice.video ? tr("Nothing is labelled in this video.") : tr("Nothing is labelled in this project.");
    QStringList parts;
    if (counts.userInstances > 0)
        parts << count(counts.userInstances, QT_TRANSLATE_NOOP("ExportKinds", "user instance"),
                       QT_TRANSLATE_NOOP("ExportKinds", "user instances"));
    if (counts.predictions > 0)
        parts << count(counts.predictions, QT_TRANSLATE_NOOP("ExportKinds", "prediction"),
                       QT_TRANSLATE_NOOP("ExportKinds", "predictions"));
    if (parts.isEmpty())
        parts << tr("No instances");
    QString words = tr("%1 on %2 of %3.")
                        .arg(parts.join(tr(" and ")),
                             count(counts.frames, QT_TRANSLATE_NOOP("ExportKinds", "frame"),
                                   QT_TRANSLATE_NOOP("ExportKinds", "frames")),
                             count(counts.videos, QT_TRANSLATE_NOOP("ExportKinds", "video"),
                                   QT_TRANSLATE_NOOP("ExportKinds", "videos")));
    const ExportFacts& facts = factsOf(choice.kind);
    if (facts.format && formats::isPerVideo(*facts.format) && counts.videos > 1)
        words += QLatin1Char(' ') + tr("One file is written for each video.");
    if (needsTracks(choice.kind) && counts.untracked > 0)
        words += QLatin1Char(' ') + tr("%1 without a track have no place in this format and are left out.")
                                        .arg(count(counts.untracked, QT_TRANSLATE_NOOP("ExportKinds", "instance"),
                                                   QT_TRANSLATE_NOOP("ExportKinds", "instances")));
    if (choice.kind == ExportKind::Package)
        words += QLatin1Char(' ') +
                 tr("Pictures in the package: %1.").arg(text::number(static_cast<std::int64_t>(counts.pictures)));
    return words;
}

}  // namespace skein::ui
