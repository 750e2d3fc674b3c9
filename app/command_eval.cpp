// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/arguments.h"
#include "engine/evaluation/identity_metrics.h"
#include "engine/evaluation/pose_metrics.h"
#include "engine/formats/slp.h"

namespace skein::app {
namespace {

using Json = nlohmann::ordered_json;
using evaluation::IdentityMetrics;
using evaluation::PoseMetrics;

struct EvalArguments {
    std::string truth, prediction;
    std::string method = "auto";
    std::string what = "auto";
    evaluation::PoseOptions pose;
    double trackThreshold = 0;
    bool everyLabel = false;
    bool userTracksOnly = false;
    bool json = false;
    bool switches = false;
};

/// JSON has no NaN.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <class Values>
Json numbers(const Values& values) {
    Json list = Json::array();
    for (const double value : values)
        list.push_back(number(value));
    return list;
}

Json describe(const PoseMetrics& m) {
    Json json;
    const bool byPose = m.method == evaluation::MatchMethod::Oks;
    json["match_method"] = byPose ? "oks" : "centroid";
    json["frames"] = m.frames;
    json["matched"] = m.matched;
    json["missed"] = m.missed;
    json["surplus"] = m.surplus;
    json["precision"] = number(m.precision);
    json["recall"] = number(m.recall);
    json["f1"] = number(m.f1);
    json["distance"] = {{"avg", number(m.distance.mean)}, {"p50", number(m.distance.p50)},
                        {"p75", number(m.distance.p75)},  {"p90", number(m.distance.p90)},
                        {"p95", number(m.distance.p95)},  {"p99", number(m.distance.p99)}};
    if (!byPose)
        return json;
    json["mOKS"] = number(m.mOks);
    const auto voc = [](const evaluation::VocMetrics& v) {
        return Json{{"mAP", v.mAP}, {"mAR", v.mAR}, {"AP", v.averagePrecision}, {"AR", v.recall}};
    };
    json["oks_voc"] = voc(m.oksVoc);
    json["pck_voc"] = voc(m.pckVoc);
    json["PCK"] = numbers(m.pck);
    json["mPCK"] = number(m.mPck);
    Json parts = Json::object();
    for (std::size_t i = 0; i < m.mPckOfNode.size() && i < m.nodes.size(); ++i)
        parts[m.nodes[i]] = number(m.mPckOfNode[i]);
    json["mPCK_parts"] = parts;
    json["visibility"] = {{"tp", m.visibleBoth},
                          {"fp", m.visiblePredicted},
                          {"tn", m.visibleNeither},
                          {"fn", m.visibleTrue},
                          {"precision", number(m.visibilityPrecision)},
                          {"recall", number(m.visibilityRecall)}};
    return json;
}

Json describe(const IdentityMetrics& m) {
    const evaluation::IdentityScores& s = m.scores;
    Json json;
    json["frames"] = m.frames;
    json["frames_without_prediction"] = m.framesWithoutPrediction;
    json["true_tracks"] = m.trueTracks;
    json["predicted_tracks"] = m.predictedTracks;
    json["MOTA"] = number(s.mota);
    json["MOTP"] = number(s.motp);
    json["IDF1"] = number(s.idf1);
    json["IDP"] = number(s.idPrecision);
    json["IDR"] = number(s.idRecall);
    json["HOTA"] = number(s.hota);
    json["DetA"] = number(s.detA);
    json["AssA"] = number(s.assA);
    json["LocA"] = number(s.locA);
    json["IDSW"] = s.switches;
    json["switches_per_1000_frames"] = number(m.switchesPerThousand);
    json["Frag"] = s.fragments;
    json["MT"] = s.mostlyTracked;
    json["PT"] = s.partlyTracked;
    json["ML"] = s.mostlyLost;
    json["TP"] = s.truePositives;
    json["FN"] = s.missed;
    json["FP"] = s.surplus;
    json["IDTP"] = s.idTruePositives;
    json["untracked_truth"] = m.untrackedTruth;
    json["untracked_prediction"] = m.untrackedPrediction;
    json["ignored"] = m.ignored;
    json["step_over_size"] = number(m.stepOverSize);
    Json switches = Json::array();
    for (const evaluation::TrackSwitch& one : m.switches)
        switches.push_back({{"video", one.video},
                            {"frame", one.frameIndex},
                            {"animal", one.animal},
                            {"from", one.from},
                            {"to", one.to}});
    json["switches"] = std::move(switches);
    json["HOTA_alpha"] = numbers(s.hotaOf);
    return json;
}

void line(const char* name, double value, const char* unit = "") {
    if (std::isfinite(value))
        std::printf("  %-22s %.4f%s\n", name, value, unit);
    else
        std::printf("  %-22s -\n", name);
}
void line(const char* name, std::int64_t value) {
    std::printf("  %-22s %lld\n", name, static_cast<long long>(value));
}

void print(const PoseMetrics& m) {
    std::printf("Poses\n");
    line("frames", m.frames);
    line("matched", m.matched);
    line("missed", m.missed);
    line("surplus", m.surplus);
    line("precision", m.precision);
    line("recall", m.recall);
    line("F1", m.f1);
    line("distance, mean", m.distance.mean, " px");
    line("distance, p50", m.distance.p50, " px");
    line("distance, p75", m.distance.p75, " px");
    line("distance, p90", m.distance.p90, " px");
    line("distance, p95", m.distance.p95, " px");
    line("distance, p99", m.distance.p99, " px");
    if (m.method != evaluation::MatchMethod::Oks)
        return;
    line("mOKS", m.mOks);
    line("mAP (OKS)", m.oksVoc.mAP);
    line("mAR (OKS)", m.oksVoc.mAR);
    line("mAP (PCK)", m.pckVoc.mAP);
    line("mAR (PCK)", m.pckVoc.mAR);
    line("mPCK", m.mPck);
    line("PCK@5px", m.pck[4]);
    line("PCK@10px", m.pck[9]);
    line("visibility precision", m.visibilityPrecision);
    line("visibility recall", m.visibilityRecall);
    for (std::size_t i = 0; i < m.mPckOfNode.size() && i < m.nodes.size(); ++i)
        line(("mPCK " + m.nodes[i]).c_str(), m.mPckOfNode[i]);
}

void print(const IdentityMetrics& m) {
    const evaluation::IdentityScores& s = m.scores;
    std::printf("Tracks\n");
    line("frames", m.frames);
    line("true tracks", m.trueTracks);
    line("predicted tracks", m.predictedTracks);
    line("HOTA", s.hota);
    line("DetA", s.detA);
    line("AssA", s.assA);
    line("LocA", s.locA);
    line("IDF1", s.idf1);
    line("MOTA", s.mota);
    line("MOTP", s.motp);
    line("found (TP)", s.truePositives);
    line("missed (FN)", s.missed);
    line("surplus (FP)", s.surplus);
    line("identity switches", s.switches);
    line("switches/1000 frames", m.switchesPerThousand);
    line("fragmentations", s.fragments);
    line("mostly tracked", s.mostlyTracked);
    line("partly tracked", s.partlyTracked);
    line("mostly lost", s.mostlyLost);
}

void printSwitches(const IdentityMetrics& m) {
    std::printf("Switches (frames count from 0)\n  %5s %9s  %-20s %-20s %s\n", "video", "frame", "animal", "from track",
                "to track");
    for (const evaluation::TrackSwitch& s : m.switches)
        std::printf("  %5u %9lld  %-20s %-20s %s\n", s.video, static_cast<long long>(s.frameIndex), s.animal.c_str(),
                    s.from.c_str(), s.to.c_str());
}

Result<project::Labels> read(const std::string& path) {
    formats::LoadReport report;
    auto labels = formats::readSlp(path, &report);
    for (const std::string& warning : report.warnings)
        printWarning(warning);
    return labels;
}

Result<int> evaluate(EvalArguments& a) {
    if (a.method == "oks")
        a.pose.method = evaluation::MatchMethod::Oks;
    else if (a.method == "centroid")
        a.pose.method = evaluation::MatchMethod::Centroid;
    a.pose.userLabelsOnly = !a.everyLabel;
    evaluation::IdentityOptions identity;
    identity.oksStddev = a.pose.oksStddev;
    identity.userLabelsOnly = a.userTracksOnly;
    if (a.trackThreshold != 0)
        identity.matchThreshold = a.trackThreshold;

    auto truth = read(a.truth);
    if (!truth)
        return fail(std::move(truth.error()));
    auto prediction = read(a.prediction);
    if (!prediction)
        return fail(std::move(prediction.error()));

    Json json;
    std::vector<std::string> notes;
    const bool tracksKnown = evaluation::hasTracks(*truth) && evaluation::hasTracks(*prediction);
    const bool wantPoses = a.what != "tracks";
    const bool wantTracks = a.what == "tracks" || a.what == "both" || (a.what == "auto" && tracksKnown);
    if (wantPoses) {
        auto poses = evaluation::poseMetrics(*truth, *prediction, a.pose);
        if (!poses)
            return fail(std::move(poses.error()));
        notes = poses->notes;
        json["poses"] = describe(*poses);
        if (!a.json)
            print(*poses);
    }
    if (wantTracks) {
        auto tracks = evaluation::identityMetrics(*truth, *prediction, identity);
        if (!tracks)
            return fail(std::move(tracks.error()));
        for (const std::string& note : tracks->notes)
            if (std::find(notes.begin(), notes.end(), note) == notes.end())
                notes.push_back(note);
        json["tracks"] = describe(*tracks);
        if (!a.json)
            print(*tracks);
        if (!a.json && a.switches)
            printSwitches(*tracks);
    } else if (a.what == "auto") {
        notes.push_back(std::string("No track scores: the ") +
                        (evaluation::hasTracks(*truth) ? "prediction" : "truth") + " has no tracks.");
    }
    for (const std::string& note : notes)
        std::fprintf(stderr, "skein: note: %s\n", note.c_str());
    if (a.json) {
        json["notes"] = notes;
        std::printf("%s\n", json.dump(2).c_str());
    }
    return kDone;
}

}  // namespace

void addEvalCommand(CLI::App& app, int& exitCode) {
    CLI::App* command =
        app.add_subcommand("eval", "Compare predictions with the truth: poses, and tracks if there are");
    auto arguments = std::make_shared<EvalArguments>();
    addOption(*command, "-g,--ground_truth_path", arguments->truth, "Labels file with the truth")->required();
    addOption(*command, "-p,--predicted_path", arguments->prediction, "Labels file with the predictions")->required();
    addFlag(*command, "--json", arguments->json, "Print JSON instead of a table");
    addFlag(*command, "--switches", arguments->switches,
            "List where true animals go on under another track (JSON always does)");
    addOption(*command, "--metrics", arguments->what, "poses, tracks, both, or auto: tracks where both files have them")
        ->check(CLI::IsMember({"poses", "tracks", "both", "auto"}));
    addOption(*command, "--match_method", arguments->method,
              "oks (whole poses), centroid (one point), or auto: centroid for a single node [auto]")
        ->check(CLI::IsMember({"oks", "centroid", "auto"}));
    addOption(*command, "--oks_stddev", arguments->pose.oksStddev, "Spread of the keypoint similarity [0.025]");
    addOption(*command, "--oks_scale", arguments->pose.oksScale, "Area in place of that of the true pose");
    addOption(*command, "--match_threshold", arguments->pose.matchThreshold,
              "Pairs of poses need more similarity than this [0]; centroids: most pixels apart [50]");
    addOption(*command, "--track_match_threshold", arguments->trackThreshold,
              "Least similarity of a pair for track scores [0.5]; single nodes: most pixels apart [50]");
    addFlag(*command, "--no-user_labels_only", arguments->everyLabel,
            "Predicted instances of the truth count as truth too");
    addFlag(*command, "--user_tracks_only", arguments->userTracksOnly,
            "Track scores: of the truth only what a person labelled");
    whenGiven(*command, exitCode, [arguments] { return evaluate(*arguments); });
}

}  // namespace skein::app
