// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "app/arguments.h"
#include "engine/pipeline/profile_table.h"

namespace skein::app {
namespace {

struct ProfileArguments {
    std::string run, other;
    bool asMarkdown = false;
};

Result<int> showProfile(const ProfileArguments& a) {
    const auto run = pipeline::readProfile(a.run);
    if (!run)
        return fail(run.error());
    std::optional<pipeline::SavedProfile> other;
    if (!a.other.empty()) {
        auto read = pipeline::readProfile(a.other);
        if (!read)
            return fail(std::move(read.error()));
        other = std::move(*read);
    }
    std::fputs(pipeline::profileTable(*run, other ? &*other : nullptr, a.asMarkdown).c_str(), stdout);
    return kDone;
}

}  // namespace

void addProfileCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("profile", "Show what a run cost, stage by stage, and compare two runs");
    auto arguments = std::make_shared<ProfileArguments>();
    command->add_option("run", arguments->run, "Profile that \"skein predict --profile\" wrote")->required();
    command->add_option("other", arguments->other, "Another one, to compare with");
    addFlag(*command, "--markdown", arguments->asMarkdown, "As a table of Markdown");
    whenGiven(*command, exitCode, [arguments] { return showProfile(*arguments); });
}

}  // namespace skein::app
