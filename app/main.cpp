// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <set>
#include <vector>

#include "app/arguments.h"
#include "engine/base/version.h"
#include "engine/inference/runner.h"

namespace {

namespace fs = std::filesystem;

/// Starts the window that lies beside this program, in place of it, with the same arguments.
int startWindow(char** argv) {
    std::error_code ec;
    const fs::path self = fs::read_symlink("/proc/self/exe", ec);
    const fs::path window = self.parent_path() / "skein-window";
    if (ec || !fs::exists(window)) {
        std::fprintf(stderr,
                     "skein: The window (%s) is not there. Commands such as \"skein predict\" work without it; "
                     "\"skein --help\" lists them.\n",
                     window.c_str());
        return skein::app::kFailed;
    }
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr &&
        std::getenv("QT_QPA_PLATFORM") == nullptr) {
        std::fprintf(stderr,
                     "skein: There is no display for the window. Commands such as \"skein predict\" work without one; "
                     "\"skein --help\" lists them.\n");
        return skein::app::kFailed;
    }
    argv[0] = const_cast<char*>(window.c_str());
    ::execv(window.c_str(), argv);
    std::fprintf(stderr, "skein: The window could not be started: %s.\n", std::strerror(errno));
    return skein::app::kFailed;
}

/// Drawing needs Qt, which lies in a program of its own beside this one.
int startRender(char** argv) {
    std::error_code ec;
    const fs::path self = fs::read_symlink("/proc/self/exe", ec);
    const fs::path render = self.parent_path() / "skein-render";
    argv[0] = const_cast<char*>(render.c_str());
    ::execv(render.c_str(), argv);
    std::fprintf(stderr, "skein: The program that draws videos (%s) could not be started: %s.\n", render.c_str(),
                 std::strerror(errno));
    return skein::app::kFailed;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace skein::app;
    int exitCode = kDone;
    CLI::App app("Skein: animal pose tracking. Without a command it opens the window, on the files given.", "skein");
    app.set_version_flag("--version", std::string("skein ") + skein::version());
    app.require_subcommand(0, 1);
    addPredictCommand(app, exitCode);
    addTrackCommand(app, exitCode);
    addBatchCommand(app, exitCode);
    addProfileCommand(app, exitCode);
    addConvertCommand(app, exitCode);
    addClipCommand(app, exitCode);
    app.add_subcommand("render", "Draw labels into a video");
    addInfoCommand(app, exitCode);
    addFramesCommand(app, exitCode);
    addDiffCommand(app, exitCode);
    addEvalCommand(app, exitCode);
    addIssuesCommand(app, exitCode);
    addFixCommand(app, exitCode);

    if (argc >= 2 && std::strcmp(argv[1], "render") == 0)
        return startRender(argv + 1);

    // File names instead of a command belong to the window.
    std::set<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({}))
        commands.insert(command->get_name());
    if (argc < 2 || (argv[1][0] != '-' && commands.count(argv[1]) == 0 && fs::exists(argv[1])))
        return startWindow(argv);

    if (argc == 2 && argv[1][0] != '-' && commands.count(argv[1]) == 0) {
        std::fprintf(stderr,
                     "skein: There is no command and no file of the name %s; \"skein --help\" lists the commands.\n",
                     argv[1]);
        return kWrongUsage;
    }

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        // Help and version are no errors; everything else is wrong usage, whatever CLI11's own number.
        return app.exit(e, std::cout, std::cerr) == 0 ? kDone : kWrongUsage;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "skein: There is not enough memory for this; smaller numbers need less.\n");
        return kFailed;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "skein: An internal error occurred: %s\n", e.what());
        return kFailed;
    }
    if (skein::inference::isBackendOpen()) {
        // Everything is written and closed; to take LibTorch down piece by piece takes it a tenth of a second.
        std::cout.flush();
        std::fflush(nullptr);
        std::_Exit(exitCode);
    }
    return exitCode;
}
