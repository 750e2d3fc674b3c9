// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "app/arguments.h"
#include "app/output_guard.h"
#include "engine/base/atomic_file.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp_dump.h"

namespace skein::app {
namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
    std::string input, output;
};

Result<void> convert(const ConvertArguments& a) {
    const std::string extension = fs::path(a.output).extension().string();
    if (extension == ".json") {
        if (auto usable = guardOutputs({a.output}, {a.input}); !usable)
            return usable;
        auto json = formats::dumpJson(fs::path(a.input));
        if (!json)
            return fail(std::move(json.error()));
        return writeAtomically(a.output, [&](const fs::path& temporary) -> Result<void> {
            std::ofstream out(temporary, std::ios::binary);
            out << *json;
            out.close();
            if (!out)
                return fail(ErrorCode::Io, "The text could not be written; is the disk full?");
            return {};
        });
    }
    if (extension != ".slp")
        return fail(ErrorCode::InvalidArgument,
                    "The output " + a.output + " must end in .slp (labels file) or .json (readable dump).");
    formats::LoadReport loaded;
    auto labels = formats::readSlp(a.input, &loaded);
    if (!labels)
        return fail(std::move(labels.error()));
    for (const std::string& warning : loaded.warnings)
        printWarning(warning);
    std::vector<fs::path> inputs{a.input};
    addFiles(inputs, labels->videos(), a.input);
    if (auto usable = guardOutputs({a.output}, inputs); !usable)
        return usable;
    formats::SaveReport saved;
    auto written = formats::writeSlp(*labels, a.output, {}, &saved);
    for (const std::string& warning : saved.warnings)
        printWarning(warning);
    return written;
}

}  // namespace

void addConvertCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("convert", "Open a labels file and save it as .slp or as a readable .json");
    auto arguments = std::make_shared<ConvertArguments>();
    command->add_option("input", arguments->input, "Labels file")->required();
    addOption(*command, "-o,--output", arguments->output, "File to write: .slp or .json")->required();
    whenGiven(*command, exitCode, [arguments]() -> Result<int> {
        if (auto done = convert(*arguments); !done)
            return fail(std::move(done.error()));
        return kDone;
    });
}

}  // namespace skein::app
