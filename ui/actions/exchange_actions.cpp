// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action_rows.h"

namespace skein::ui {

std::vector<ActionSpec> exchangeActions() {
    using N = Need;
    const auto row = [](const char* id, const char* text, const char* menu, std::initializer_list<const char*> list,
                        const char* tip, std::vector<Need> needs) {
        return ActionSpec{id, text, menu, keys(list), "", tip, std::move(needs)};
    };
    constexpr const char* kImport = "File/Import";
    constexpr const char* kExport = "File/Export";
    constexpr const char* kPackage = "File/Export/Labels Package";
    const std::vector<Need> results{N::Project, N::AnyInstances, N::NoExport};
    const std::vector<Need> package{N::Project, N::NoExport};
    ActionSpec tidy = row("fileExportCsvTidy", "&Tidy CSV...", kExport, {},
                          "Write one row for each frame, instance and node, for R and pandas.", results);
    ActionSpec json =
        row("fileExportJson", "&JSON...", kExport, {}, "Write everything in the project as readable text.", package);
    json.separatorBefore = true;
    ActionSpec render = row("fileRender", "&Render Video...", "File", {"Ctrl+R"},
                            "Draw the labels into a video of its own.", {N::Frames, N::NoExport});
    render.separatorBefore = true;
    ActionSpec coco = row("fileImportCoco", "&COCO...", kImport, {}, "Read key points of a COCO file.", {N::NoExport});
    return {
        coco,
        row("fileImportDlc", "&DeepLabCut...", kImport, {}, "Read tables of DeepLabCut, CSV or HDF5.", {N::NoExport}),
        row("fileImportDlcFolder", "DeepLabCut &Folder...", kImport, {}, "Read all labels of a DeepLabCut project.",
            {N::NoExport}),
        row("fileImportNwb", "&NWB...", kImport, {}, "Read poses of an NWB file.", {N::NoExport}),
        row("fileImportAnalysis", "&Analysis HDF5...", kImport, {}, "Read an analysis file of SLEAP or Skein.",
            {N::NoExport}),
        row("fileImportCsv", "C&SV...", kImport, {}, "Read a table of SLEAP, sleap-io or Skein.", {N::NoExport}),
        row("fileExportAnalysisCurrent", "&Analysis HDF5 of This Video...", kExport, {"Ctrl+Alt+E"},
            "Write this video's positions and tracks as arrays.", results),
        row("fileExportAnalysisAll", "Analysis &HDF5 of All Videos...", kExport, {},
            "Write positions and tracks as arrays, one file for each video.", results),
        row("fileExportCsvCurrent", "&CSV of This Video...", kExport, {},
            "Write this video's instances as SLEAP's table.", results),
        row("fileExportCsvAll", "C&SV of All Videos...", kExport, {},
            "Write the instances as SLEAP's table, one file for each video.", results),
        tidy,
        row("fileExportCoco", "C&OCO...", kExport, {}, "Write key points for training other networks.", results),
        row("fileExportDlc", "&DeepLabCut CSV...", kExport, {}, "Write a table as DeepLabCut has it.", results),
        row("fileExportNwb", "&NWB...", kExport, {}, "Write poses for archives of neuroscience.", results),
        json,
        row("fileExportPackageUser", "&Labelled Frames...", kPackage, {},
            "Write the labels with the pictures of labelled frames in one file.", package),
        row("fileExportPackageSuggested", "Labelled and &Suggested Frames...", kPackage, {},
            "The same with the pictures of suggested frames too.", package),
        row("fileExportPackageFull", "Labelled, Suggested and &Predicted Frames...", kPackage, {},
            "The same with the pictures of predicted frames too.", package),
        render,
        row("fileExtractClip", "E&xtract Clip with Labels...", "File", {},
            "Write the selected frames as a video of its own, with their labels.", {N::Frames, N::Range, N::NoExport}),
    };
}

}  // namespace skein::ui
