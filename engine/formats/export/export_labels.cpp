// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/export/export_labels.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "engine/base/atomic_file.h"
#include "engine/formats/export/writers.h"
#include "engine/formats/slp_dump.h"
#include "engine/formats/try.h"
#include "engine/formats/video_path.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

using exporting::Task;

constexpr std::array<std::pair<std::string_view, ExportFormat>, 7> kNames = {{{"analysis", ExportFormat::Analysis},
                                                                              {"csv", ExportFormat::Csv},
                                                                              {"csv-tidy", ExportFormat::CsvTidy},
                                                                              {"coco", ExportFormat::Coco},
                                                                              {"dlc", ExportFormat::Dlc},
                                                                              {"nwb", ExportFormat::Nwb},
                                                                              {"json", ExportFormat::Json}}};

Result<void> writeOne(const Task& task, ExportFormat format, std::uint32_t video, const fs::path& path) {
    switch (format) {
        case ExportFormat::Analysis:
            return exporting::writeAnalysis(task, video, path);
        case ExportFormat::Csv:
            return exporting::writeCsv(task, video, path);
        case ExportFormat::CsvTidy:
            return exporting::writeCsvTidy(task, path);
        case ExportFormat::Coco:
            return exporting::writeCoco(task, path);
        case ExportFormat::Dlc:
            return exporting::writeDlc(task, video, path);
        case ExportFormat::Nwb:
            return exporting::writeNwb(task, path);
        case ExportFormat::Json:
            task.report.instances = task.labels.instanceCount();
            return writeDump(task.labels, path, task.options.stop, task.options.progress);
    }
    return fail(ErrorCode::InvalidArgument, "There is no such format.");
}

/// Writes one file; the report gets what is in it only when it is there.
Result<void> writeFile(const Task& task, ExportFormat format, std::uint32_t video, const fs::path& path) {
    ExportReport part;
    const Task own{task.labels, task.options, part};
    SKEIN_CHECK(
        writeAtomically(path, [&](const fs::path& temporary) { return writeOne(own, format, video, temporary); }));
    task.report.files.push_back(path);
    task.report.instances += part.instances;
    task.report.leftOut += part.leftOut;
    std::move(part.warnings.begin(), part.warnings.end(), std::back_inserter(task.report.warnings));
    return {};
}

Result<void> writeEachVideo(const Task& task, ExportFormat format, const std::vector<std::uint32_t>& videos,
                            const fs::path& path) {
    std::optional<Error> first;
    for (std::size_t i = 0; i < videos.size(); ++i) {
        ExportOptions options = task.options;
        if (options.progress)
            options.progress = [&, i](std::string_view phase, double fraction) {
                task.options.progress(phase, (static_cast<double>(i) + fraction) / static_cast<double>(videos.size()));
            };
        const Task own{task.labels, options, task.report};
        auto written =
            writeFile(own, format, videos[i], videos.size() == 1 ? path : pathOfVideo(path, task.labels, videos[i]));
        if (written)
            continue;
        if (written.error().code() == ErrorCode::Cancelled || videos.size() == 1)
            return fail(std::move(written.error()));
        task.report.warnings.push_back(written.error().message());
        if (!first)
            first = std::move(written.error());
    }
    if (task.report.files.empty() && first)
        return fail(std::move(*first));
    return {};
}

}  // namespace

std::string exporting::stemOf(const project::Video& video) {
    const fs::path name = storedBaseName(video.filename);
    const std::string stem = name.stem().string();
    return stem.empty() || stem == "." ? "video" : stem;
}

bool isPerVideo(ExportFormat format) {
    return format == ExportFormat::Analysis || format == ExportFormat::Csv || format == ExportFormat::Dlc;
}

std::optional<ExportFormat> exportFormatNamed(std::string_view name) {
    for (const auto& [known, format] : kNames)
        if (known == name)
            return format;
    return std::nullopt;
}

fs::path pathOfVideo(const fs::path& path, const project::Labels& labels, std::uint32_t video) {
    std::string name = path.filename().string();
    std::string end = path.extension().string();
    if (const std::string analysis = ".analysis" + end;
        name.size() > analysis.size() && name.compare(name.size() - analysis.size(), analysis.size(), analysis) == 0)
        end = analysis;
    name.resize(name.size() - end.size());
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), ".%03u_", video);
    return path.parent_path() / (name + number.data() + exporting::stemOf(labels.videos()[video]) + end);
}

Result<ExportReport> exportLabels(const project::Labels& labels, ExportFormat format, const fs::path& path,
                                  const ExportOptions& options) {
    if (options.video && *options.video >= labels.videos().size())
        return fail(ErrorCode::InvalidArgument, "The project has " + std::to_string(labels.videos().size()) +
                                                    " videos; there is no number " + std::to_string(*options.video) +
                                                    " (the first is 0).");
    std::vector<std::uint32_t> videos;
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video)
        if ((!options.video || *options.video == video) && labels.nextFrame(video, 0))
            videos.push_back(video);
    if (videos.empty() && format != ExportFormat::Json)
        return fail(ErrorCode::InvalidArgument,
                    options.video ? "The video " + labels.videos()[*options.video].filename +
                                        " has no labelled frame; nothing was exported."
                                  : std::string("The project has no labelled frame; nothing was exported."));
    ExportReport report;
    const Task task{labels, options, report};
    if (isPerVideo(format))
        SKEIN_CHECK(writeEachVideo(task, format, videos, path));
    else
        SKEIN_CHECK(writeFile(task, format, 0, path));
    if (report.leftOut > 0)
        report.warnings.push_back(
            std::to_string(report.leftOut) + (report.leftOut == 1 ? " instance has" : " instances have") +
            " no place in this format and " + (report.leftOut == 1 ? "was" : "were") +
            " left out: without a track beside tracked ones, without any point, of another skeleton, or twice on one "
            "track in a frame.");
    return report;
}

}  // namespace skein::formats
