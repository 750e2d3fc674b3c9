// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/arguments.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>

namespace skein::app {

std::string bothSpellings(const std::string& names) {
    std::string all;
    std::set<std::string> seen;
    const auto add = [&](const std::string& name) {
        if (seen.insert(name).second)
            all += (all.empty() ? "" : ",") + name;
    };
    std::stringstream parts(names);
    for (std::string name; std::getline(parts, name, ',');) {
        add(name);
        if (name.starts_with("--")) {
            for (const auto& [from, to] : {std::pair('_', '-'), std::pair('-', '_')}) {
                std::string other = name;
                std::replace(other.begin() + 2, other.end(), from, to);
                add(other);
            }
        }
    }
    return all;
}

std::string whyNoNumber(const std::string& text) {
    const double number = std::strtod(text.c_str(), nullptr);
    return std::isfinite(number) ? std::string() : "\"" + text + "\" is no ordinary number";
}

CLI::Option* addDecoderOption(CLI::App& app, video::DecoderChoice& decoder) {
    return app
        .add_option_function<std::string>(
            "--decoder",
            [&decoder](const std::string& word) {
                decoder = word == "gpu" ? video::DecoderChoice::Gpu : video::DecoderChoice::Processor;
            },
            "What decodes the video: cpu (default), or gpu: an NVIDIA GPU where it gives the same pixels; it notices "
            "less "
            "of a damaged file")
        ->check(CLI::IsMember({"cpu", "gpu"}));
}

void printError(const Error& error) {
    std::fprintf(stderr, "skein: %s\n", error.message().c_str());
    for (const std::string& context : error.context())
        std::fprintf(stderr, "       %s\n", context.c_str());
}

void whenGiven(CLI::App& command, int& exitCode, std::function<Result<int>()> run) {
    command.callback([run = std::move(run), &exitCode] {
        const Result<int> result = run();
        if (result) {
            exitCode = *result;
            return;
        }
        printError(result.error());
        exitCode = result.error().code() == ErrorCode::InvalidArgument ? kWrongUsage : kFailed;
    });
}

void printWarning(const std::string& sentence) {
    std::fprintf(stderr, "skein: warning: %s\n", sentence.c_str());
}

}  // namespace skein::app
