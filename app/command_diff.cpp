// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>

#include "app/arguments.h"
#include "engine/formats/slp_diff.h"

namespace skein::app {

void addDiffCommand(CLI::App& app, int& exitCode) {
    struct Arguments {
        std::string a, b;
        formats::DiffOptions options;
    };
    CLI::App* command = app.add_subcommand("diff", "Compare two labels files; exit code 1 if they differ");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("a", arguments->a, "Reference")->required();
    command->add_option("b", arguments->b, "Candidate")->required();
    addOption(*command, "--tol", arguments->options.tolerance,
              "Largest allowed distance of two points in pixels [1e-6]");
    addOption(*command, "--score_tol", arguments->options.scoreTolerance,
              "Largest allowed difference of scores [1e-5]");
    command->callback([arguments, &exitCode] {
        auto report = formats::diffSlp(arguments->a, arguments->b, arguments->options);
        if (!report) {
            printError(report.error());
            // As diff and cmp do: 1 says "different", 2 says "could not be compared".
            exitCode = kWrongUsage;
            return;
        }
        std::fputs(report->text().c_str(), stdout);
        exitCode = report->equal ? kDone : kFailed;
    });
}

}  // namespace skein::app
