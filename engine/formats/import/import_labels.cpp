// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/import/import_labels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>

#include "engine/formats/hdf5/file.h"
#include "engine/formats/import/csv_table.h"
#include "engine/formats/import/readers.h"
#include "engine/formats/try.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

Result<ImportFormat> detectHdf5(const fs::path& path) {
    const h5::Session session;
    SKEIN_TRY(file, h5::openFile(path));
    if (h5::exists(file.get(), "/metadata"))
        return ImportFormat::Slp;
    if (h5::exists(file.get(), "/track_occupancy"))
        return ImportFormat::Analysis;
    if (h5::exists(file.get(), "/df_with_missing"))
        return ImportFormat::DlcH5;
    if (h5::exists(file.get(), "/processing"))
        return ImportFormat::Nwb;
    return fail(ErrorCode::Format, path.filename().string() +
                                       " is an HDF5 file, but holds neither SLEAP labels or analysis, nor DeepLabCut "
                                       "results, nor NWB poses.");
}

/// By the first lines of a text.
Result<ImportFormat> detectText(const fs::path& path) {
    importing::CsvTable table(path);
    std::vector<std::string> cells;
    bool isScorer = false;
    for (int line = 0; line < 5 && table.next(cells); ++line) {
        if (cells.empty())
            continue;
        if (line == 0 && cells.front() == "scorer")
            isScorer = true;
        if (isScorer && cells.front() == "coords")
            return ImportFormat::Dlc;
        if (line == 0 && std::find(cells.begin(), cells.end(), "frame_idx") != cells.end())
            return ImportFormat::Csv;
    }
    return fail(ErrorCode::Format,
                path.filename().string() +
                    " is no file that Skein knows: SLEAP labels, analysis or CSV, COCO, DeepLabCut or NWB.");
}

}  // namespace

Result<ImportFormat> detectFormat(const fs::path& path) {
    std::error_code ec;
    if (!fs::exists(path, ec))
        return fail(ErrorCode::NotFound, "The file " + path.string() + " does not exist.");
    if (fs::is_directory(path, ec))
        return fail(ErrorCode::Io, path.string() + " is a folder; give the name of a file.");
    if (!fs::is_regular_file(path, ec))
        return fail(ErrorCode::Io, path.string() + " is no ordinary file but a pipe or a device; give a file.");
    std::ifstream in(path, std::ios::binary);
    std::array<char, 64> head{};
    in.read(head.data(), head.size());
    const auto count = static_cast<std::size_t>(in.gcount());
    if (!in && count == 0)
        return fail(in.bad() ? ErrorCode::Io : ErrorCode::Format,
                    in.bad() ? "Cannot read " + path.string() + "." : path.string() + " is empty.");
    if (count >= 8 && std::memcmp(head.data(), "\x89HDF\r\n\x1a\n", 8) == 0)
        return detectHdf5(path);
    const std::string_view text(head.data(), count);
    const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first != std::string_view::npos && text[first] == '{')
        return ImportFormat::Coco;
    return detectText(path);
}

std::string_view describe(ImportFormat format) {
    switch (format) {
        case ImportFormat::Slp:
            return "SLEAP labels";
        case ImportFormat::Analysis:
            return "SLEAP analysis HDF5";
        case ImportFormat::Csv:
            return "CSV table";
        case ImportFormat::Coco:
            return "COCO key points";
        case ImportFormat::Dlc:
            return "DeepLabCut CSV";
        case ImportFormat::DlcH5:
            return "DeepLabCut HDF5";
        case ImportFormat::Nwb:
            return "NWB poses";
    }
    return {};
}

Result<project::Labels> importLabels(const fs::path& path, ImportReport* report, const ImportOptions& options) {
    SKEIN_TRY(format, detectFormat(path));
    ImportReport own;
    const importing::Task task{path, options, report != nullptr ? *report : own};
    switch (format) {
        case ImportFormat::Slp: {
            LoadReport loaded;
            SlpReadOptions slp{options.stop, options.progress};
            auto labels = readSlp(path, &loaded, slp);
            task.report.warnings.insert(task.report.warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
            return labels;
        }
        case ImportFormat::Analysis:
            return importing::readAnalysis(task);
        case ImportFormat::Csv:
            return importing::readCsv(task);
        case ImportFormat::Coco:
            return importing::readCoco(task);
        case ImportFormat::Dlc:
            return importing::readDlc(task);
        case ImportFormat::DlcH5:
            return importing::readDlcH5(task);
        case ImportFormat::Nwb:
            return importing::readNwb(task);
    }
    return fail(ErrorCode::Format, "There is no such format.");
}

namespace importing {

void FrameCollector::move(std::uint32_t video, std::int64_t frame, std::int64_t number) {
    auto node = m_frames.extract({video, frame});
    if (node.empty())
        return;
    node.key().second = number;
    node.mapped().frameIndex = number;
    m_frames.insert(std::move(node));
}

project::Labels FrameCollector::finish(project::Labels labels) {
    project::LabelsBuilder builder(std::move(labels));
    for (auto& [key, frame] : m_frames) {
        builder.beginFrame(frame.video, frame.frameIndex);
        for (const project::InstanceData& instance : frame.instances) {
            const auto points = builder.addInstance(instance.header, instance.points.size());
            std::copy(instance.points.begin(), instance.points.end(), points.begin());
        }
        frame.instances = {};
    }
    m_frames.clear();
    return builder.finish();
}

std::optional<double> numberFrom(std::string_view text) {
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    if (text.empty())
        return project::kNaN;
    if (text.front() == '+')
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

}  // namespace importing
}  // namespace skein::formats
