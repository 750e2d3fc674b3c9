// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/arguments.h"
#include "app/run_progress.h"
#include "engine/evaluation/identity_metrics.h"
#include "engine/formats/slp.h"
#include "engine/proofread/issues.h"

namespace skein::app {
namespace {

using Json = nlohmann::ordered_json;

struct IssuesArguments {
    std::string input;
    std::vector<std::string> kinds;
    double leastSeverity = 0;
    std::int64_t most = 0;
    int animals = 0;
    bool json = false;
};

/// "swap, jump, ...": what --kind takes.
std::string kindNames() {
    std::string names;
    for (std::size_t kind = 0; kind < proofread::kIssueKinds; ++kind)
        names += (kind == 0 ? "" : ", ") + std::string(proofread::nameOf(static_cast<proofread::IssueKind>(kind)));
    return names;
}

std::string framesOf(const proofread::Issue& issue) {
    return issue.first == issue.last ? std::to_string(issue.first)
                                     : std::to_string(issue.first) + "-" + std::to_string(issue.last);
}

std::string cleannessOf(const project::Labels& labels, const std::vector<proofread::Issue>& issues) {
    if (!evaluation::hasTracks(labels))
        return "there are no tracks to judge.";
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "%.0f %% of the frames are probably clean.",
                  100 * proofread::cleanShare(labels, issues));
    return text.data();
}

Result<int> listIssues(const IssuesArguments& a) {
    std::set<proofread::IssueKind> kinds;
    for (const std::string& name : a.kinds) {
        const auto kind = proofread::issueKindOf(name);
        if (!kind)
            return fail(ErrorCode::InvalidArgument,
                        "There is no kind of issue called " + name + "; there are " + kindNames() + ".");
        kinds.insert(*kind);
    }
    formats::LoadReport report;
    auto labels = formats::readSlp(a.input, &report);
    if (!labels)
        return fail(std::move(labels.error()));
    for (const std::string& warning : report.warnings)
        printWarning(warning);
    const InterruptGuard interrupts;
    std::stop_source stop;
    proofread::IssueOptions options;
    if (a.animals > 0)
        options.animals = a.animals;
    auto issues = proofread::findIssues(
        *labels, options,
        [&stop](double) {
            if (InterruptGuard::interrupted())
                stop.request_stop();
        },
        stop.get_token());
    if (!issues) {
        if (issues.error().code() == ErrorCode::Cancelled)
            return kInterrupted;
        return fail(std::move(issues.error()));
    }
    Json list = Json::array();
    std::int64_t shown = 0, all = 0;
    for (const proofread::Issue& issue : *issues) {
        if (issue.severity < a.leastSeverity || (!kinds.empty() && kinds.count(issue.kind) == 0))
            continue;
        ++all;
        if (a.most > 0 && shown == a.most)
            continue;
        ++shown;
        const std::string kind(proofread::nameOf(issue.kind));
        if (!a.json) {
            const std::string video =
                labels->videos().size() > 1 ? "video " + std::to_string(issue.video) + "  " : std::string();
            std::printf("%.2f  %-12s %s%-13s %s\n", issue.severity, kind.c_str(), video.c_str(),
                        framesOf(issue).c_str(), issue.reason.c_str());
            continue;
        }
        Json tracks = Json::array();
        for (const std::int32_t track : issue.tracks)
            tracks.push_back(labels->tracks()[static_cast<std::size_t>(track)].name);
        list.push_back({{"kind", kind},
                        {"video", issue.video},
                        {"first", issue.first},
                        {"last", issue.last},
                        {"frame", issue.frame},
                        {"tracks", tracks},
                        {"severity", issue.severity},
                        {"reason", issue.reason}});
    }
    if (a.json)
        std::printf("%s\n", list.dump(1, ' ', false, Json::error_handler_t::replace).c_str());
    else
        std::printf("%s%s %s; %s Frames count from 0.\n", shown < all ? (withThousands(shown) + " of ").c_str() : "",
                    withThousands(all).c_str(), all == 1 ? "issue" : "issues", cleannessOf(*labels, *issues).c_str());
    return kDone;
}

}  // namespace

void addIssuesCommand(CLI::App& app, int& exitCode) {
    CLI::App* command =
        app.add_subcommand("issues", "List what is doubtful in the tracks of a labels file; frames count from 0");
    auto arguments = std::make_shared<IssuesArguments>();
    command->add_option("file,-i,--data_path,--data-path", arguments->input, "Labels file")->required();
    addFlag(*command, "--json", arguments->json, "Print JSON, worst first, instead of a table");
    addOption(*command, "--kind", arguments->kinds, "Only these: " + kindNames())->delimiter(',');
    addOption(*command, "--least_severity", arguments->leastSeverity, "Leave out what is less severe, 0 to 1 [0]")
        ->check(CLI::Range(0.0, 1.0));
    addOption(*command, "--most", arguments->most, "Print at most this many; 0: all [0]")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
    addOption(*command, "--animals", arguments->animals, "Animals that there are; 0: not known [0]")
        ->check(CLI::Range(0, 10'000));
    whenGiven(*command, exitCode, [arguments] { return listIssues(*arguments); });
}

}  // namespace skein::app
