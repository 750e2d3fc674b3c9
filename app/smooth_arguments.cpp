// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/smooth_arguments.h"

namespace skein::app {

void addSmoothOptions(CLI::App& command, SmoothArguments& arguments) {
    proofread::SmoothOptions& o = arguments.options;
    addOption(command, "--smooth", arguments.method,
              "Write smoothed points: savitzky_golay, one_euro, kalman or none [none]")
        ->check(CLI::IsMember({"none", "savitzky_golay", "one_euro", "kalman"}));
    addOption(command, "--smooth_window", o.window, "savitzky_golay: frames, an odd number from 3 to 501 [9]");
    addOption(command, "--smooth_order", o.order, "savitzky_golay: degree of the curve, 0 to 5 [2]");
    addOption(command, "--smooth_cutoff", o.minCutoff, "one_euro: cut-off at rest in Hz [1]");
    addOption(command, "--smooth_beta", o.beta, "one_euro: growth of the cut-off with speed [0.05]");
    addOption(command, "--smooth_time", o.timeConstant, "kalman: frames over which movement may change [4]");
    addOption(command, "--smooth_gap", o.longestGap, "Nothing is drawn together over longer absences, in frames [5]")
        ->check(CLI::NonNegativeNumber);
}

Result<void> smoothIfAsked(project::Labels& labels, const SmoothArguments& arguments) {
    const auto method = proofread::smoothMethodNamed(arguments.method);
    if (!method)
        return {};
    proofread::SmoothOptions options = arguments.options;
    options.method = *method;
    auto smoothed = proofread::smoothedProject(labels, options);
    if (!smoothed)
        return fail(std::move(smoothed.error()));
    labels = std::move(*smoothed);
    return {};
}

}  // namespace skein::app
