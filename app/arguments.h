// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#include "engine/base/result.h"
#include "engine/video/decoder_choice.h"

namespace skein::app {

// What a command returns to the shell.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUsage = 2;
inline constexpr int kInterrupted = 130;

/// "a_b" also as "a-b": sleap-nn's names use underscores, most tools' hyphens. `names` as CLI11 takes them.
[[nodiscard]] std::string bothSpellings(const std::string& names);

/// Empty, or why the text is no finite number.
[[nodiscard]] std::string whyNoNumber(const std::string& text);

/// Adds an option under both spellings of its names.
template <class T>
CLI::Option* addOption(CLI::App& app, const std::string& names, T& value, const std::string& help) {
    CLI::Option* option = app.add_option(bothSpellings(names), value, help);
    // "nan" lies within every range.
    if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::optional<double>>)
        option->check(&whyNoNumber);
    return option;
}
inline CLI::Option* addFlag(CLI::App& app, const std::string& names, bool& value, const std::string& help) {
    return app.add_flag(bothSpellings(names), value, help);
}
/// --decoder cpu or gpu.
CLI::Option* addDecoderOption(CLI::App& app, video::DecoderChoice& decoder);

/// Prints "skein: <sentence>" on standard error, with the context of `error` on lines of its own.
void printError(const Error& error);
void printWarning(const std::string& sentence);

/// What becomes of a command when it is given: `run` returns the exit code; its error is printed, and wrong usage told
/// from failure.
void whenGiven(CLI::App& command, int& exitCode, std::function<Result<int>()> run);

// Each adds its subcommand; `exitCode` gets the outcome when it runs.
void addPredictCommand(CLI::App& app, int& exitCode);
void addTrackCommand(CLI::App& app, int& exitCode);
void addBatchCommand(CLI::App& app, int& exitCode);
void addProfileCommand(CLI::App& app, int& exitCode);
void addConvertCommand(CLI::App& app, int& exitCode);
void addClipCommand(CLI::App& app, int& exitCode);
void addInfoCommand(CLI::App& app, int& exitCode);
void addFramesCommand(CLI::App& app, int& exitCode);
void addDiffCommand(CLI::App& app, int& exitCode);
void addEvalCommand(CLI::App& app, int& exitCode);
void addIssuesCommand(CLI::App& app, int& exitCode);
void addFixCommand(CLI::App& app, int& exitCode);

}  // namespace skein::app
