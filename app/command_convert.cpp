// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/arguments.h"
#include "app/output_guard.h"
#include "app/run_progress.h"
#include "app/smooth_arguments.h"
#include "engine/base/atomic_file.h"
#include "engine/formats/export/export_labels.h"
#include "engine/formats/import/import_labels.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp_dump.h"
#include "engine/formats/write_package.h"

namespace skein::app {
namespace {

namespace fs = std::filesystem;
using formats::ExportFormat;

constexpr const char* kKinds = "slp, pkg, analysis, csv, csv-tidy, coco, dlc, nwb or json";
constexpr std::array kEndings{".slp", ".h5", ".csv", ".json", ".nwb"};

struct ConvertArguments {
    std::string input, output, to, axes = "matlab", embed = "all";
    int video = -1;
    bool onlyLabeledFrames = false;
    SmoothArguments smooth;
};

bool endsWith(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The format that the output's name asks for; empty: it could be several.
std::string kindByName(const std::string& output) {
    for (const auto& [end, kind] :
         {std::pair(".pkg.slp", "pkg"), std::pair(".slp", "slp"), std::pair(".analysis.h5", "analysis"),
          std::pair(".nwb", "nwb"), std::pair(".coco.json", "coco"), std::pair(".json", "json")})
        if (endsWith(output, end))
            return kind;
    return {};
}

/// The ending that a file of a kind has, whatever stands before it.
std::string endingOf(const std::string& kind) {
    return kind == "slp" || kind == "pkg"     ? ".slp"
           : kind == "analysis"               ? ".h5"
           : kind == "coco" || kind == "json" ? ".json"
           : kind == "nwb"                    ? ".nwb"
                                              : ".csv";
}

/// A name that promises another format than is written would be taken for a file of that. Errors: InvalidArgument.
Result<void> checkName(const std::string& output, const std::string& kind) {
    const fs::path name(output);
    const std::string given = name.extension().string(), own = endingOf(kind);
    const bool isOther = given != own && std::any_of(kEndings.begin(), kEndings.end(),
                                                     [&given](const char* ending) { return given == ending; });
    if (!isOther)
        return {};
    return fail(ErrorCode::InvalidArgument, "The name " + output + " promises another format than --to " + kind +
                                                " writes: name it " + fs::path(name).replace_extension(own).string() +
                                                ", or give another --to.");
}

void print(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings)
        printWarning(warning);
}

std::string countOf(std::size_t count, const std::string& noun) {
    return withThousands(static_cast<std::int64_t>(count)) + " " + noun + (count == 1 ? "" : "s");
}

/// What was found in the input, so that a file taken for another kind, or in part, is noticed.
void printRead(const ConvertArguments& a, const project::Labels& labels) {
    const std::size_t all = labels.instanceCount(), predicted = labels.predictedInstanceCount();
    std::string instances = countOf(all, "instance");
    if (all > 0)
        instances += predicted == 0 ? " (by hand)"
                     : predicted == all
                         ? " (predicted)"
                         : " (" + withThousands(static_cast<std::int64_t>(all - predicted)) + " by hand, " +
                               withThousands(static_cast<std::int64_t>(predicted)) + " predicted)";
    const auto format = formats::detectFormat(a.input);
    std::printf("Read   %s%s%s: %s, %s, %s, %s\n", a.input.c_str(), format ? ", " : "",
                format ? std::string(formats::describe(*format)).c_str() : "",
                countOf(labels.frameCount(), "labelled frame").c_str(), instances.c_str(),
                countOf(labels.tracks().size(), "track").c_str(), countOf(labels.videos().size(), "video").c_str());
}

void printWrote(const fs::path& file) {
    std::printf("Wrote  %s\n", file.c_str());
}

/// The files that the conversion will write.
std::vector<fs::path> outputsOf(const ConvertArguments& a, const project::Labels& labels,
                                std::optional<ExportFormat> format) {
    std::vector<fs::path> outputs{a.output};
    if (format && formats::isPerVideo(*format) && labels.videos().size() > 1 && a.video < 0)
        for (std::uint32_t video = 0; video < labels.videos().size(); ++video)
            outputs.push_back(formats::pathOfVideo(a.output, labels, video));
    return outputs;
}

Result<void> writePackage(const ConvertArguments& a, const project::Labels& labels) {
    const auto content = a.embed == "user"        ? formats::PackageContent::User
                         : a.embed == "suggested" ? formats::PackageContent::UserAndSuggested
                                                  : formats::PackageContent::UserSuggestedPredicted;
    auto packed = formats::writePackage(labels, a.input, a.output, content);
    if (!packed)
        return fail(std::move(packed.error()));
    print(packed->warnings);
    printWrote(a.output);
    std::printf("       %s in it\n", packed->embedded == 1
                                         ? "1 frame has its picture"
                                         : (countOf(packed->embedded, "frame") + " have their picture").c_str());
    return {};
}

Result<void> writeExport(const ConvertArguments& a, const project::Labels& labels, ExportFormat format) {
    formats::ExportOptions options;
    options.projectFile = a.input;
    options.standardAxes = a.axes == "standard";
    options.everyFrame = !a.onlyLabeledFrames;
    if (a.video >= 0)
        options.video = static_cast<std::uint32_t>(a.video);
    auto written = formats::exportLabels(labels, format, a.output, options);
    if (!written)
        return fail(std::move(written.error()));
    print(written->warnings);
    for (const fs::path& file : written->files)
        printWrote(file);
    return {};
}

/// The description of a labels file also says what the file itself is; of other inputs there is the project alone.
Result<void> writeDescription(const ConvertArguments& a, const project::Labels& labels) {
    auto input = formats::detectFormat(a.input);
    if (!input || *input != formats::ImportFormat::Slp)
        return writeExport(a, labels, ExportFormat::Json);
    auto written = writeAtomically(a.output, [&](const fs::path& temporary) {
        return formats::writeDump(labels, temporary, {}, {}, fs::path(a.input));
    });
    if (written)
        printWrote(a.output);
    return written;
}

Result<void> convert(const ConvertArguments& a) {
    const std::string kind = a.to.empty() ? kindByName(a.output) : a.to;
    const auto format = formats::exportFormatNamed(kind);
    if (!format && kind != "slp" && kind != "pkg")
        return fail(ErrorCode::InvalidArgument,
                    a.to.empty() ? "The name " + a.output + " does not tell the format; give --to " + kKinds + "."
                                 : "There is no format \"" + a.to + "\"; give --to " + kKinds + ".");
    if (auto named = checkName(a.output, kind); !named)
        return named;
    formats::ImportReport loaded;
    auto labels = formats::importLabels(a.input, &loaded);
    if (!labels)
        return fail(std::move(labels.error()));
    print(loaded.warnings);
    printRead(a, *labels);
    std::vector<fs::path> inputs{a.input};
    addFiles(inputs, labels->videos(), a.input);
    if (auto usable = guardOutputs(outputsOf(a, *labels, format), inputs); !usable)
        return usable;
    if (auto smoothed = smoothIfAsked(*labels, a.smooth); !smoothed)
        return smoothed;
    if (format == ExportFormat::Json)
        return writeDescription(a, *labels);
    if (format)
        return writeExport(a, *labels, *format);
    if (kind == "pkg")
        return writePackage(a, *labels);
    formats::SaveReport saved;
    auto written = formats::writeSlp(*labels, a.output, {}, &saved);
    print(saved.warnings);
    if (written)
        printWrote(a.output);
    return written;
}

}  // namespace

void addConvertCommand(CLI::App& app, int& exitCode) {
    CLI::App* command =
        app.add_subcommand("convert", "Read labels of SLEAP, DeepLabCut, COCO or NWB and write them in another format");
    auto arguments = std::make_shared<ConvertArguments>();
    command
        ->add_option("input", arguments->input,
                     "Labels file, package, analysis HDF5, CSV, COCO, DeepLabCut or NWB file; told apart by content")
        ->required();
    addOption(*command, "-o,--output", arguments->output,
              "File to write; of formats with one video a file and several videos, one beside it for each")
        ->required();
    addOption(*command, "--to", arguments->to, std::string("Format: ") + kKinds + "; by the output's name when absent");
    addOption(*command, "--video", arguments->video, "Only this video, by its place in the project from 0")
        ->check(CLI::NonNegativeNumber);
    addOption(*command, "--axes", arguments->axes,
              "Analysis: \"matlab\" for SLEAP's order (track, xy, node, frame), \"standard\" for (frame, track, node, "
              "xy)")
        ->check(CLI::IsMember({"matlab", "standard"}));
    addOption(*command, "--embed", arguments->embed,
              "Package: pictures of frames with \"user\" labels, also of \"suggested\" ones, or of \"all\" labelled")
        ->check(CLI::IsMember({"user", "suggested", "all"}));
    addFlag(*command, "--only-labeled-frames", arguments->onlyLabeledFrames,
            "CSV: no rows for frames in which nothing is");
    addSmoothOptions(*command, arguments->smooth);
    whenGiven(*command, exitCode, [arguments]() -> Result<int> {
        if (auto done = convert(*arguments); !done)
            return fail(std::move(done.error()));
        return kDone;
    });
}

}  // namespace skein::app
