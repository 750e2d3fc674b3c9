// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/proofread/issues.h"

/// A review with a number: a person judges random encounters and random frames, and the share of wrong identities is
/// stated with its confidence interval.
namespace skein::proofread {

enum class Verdict : std::uint8_t { Unanswered, Right, Wrong, Unsure };

/// One question: "does everybody have the right track here?"
struct SampleItem {
    bool encounter = false;  ///< two tracks that meet; else a frame with all its tracks
    std::uint32_t video = 0;
    std::int64_t frame = 0;
    std::int64_t first = 0, last = 0;  ///< what to play: the encounter, or the frame
    std::vector<std::int32_t> tracks;
    Verdict verdict = Verdict::Unanswered;
    std::uint64_t seen = 0;  ///< tracksSeen() when it was judged; 0: not known
};

struct ReviewSample {
    std::uint64_t seed = 1;
    std::size_t encounters = 0, frames = 0;  ///< in the project, of which the items were drawn
    std::vector<SampleItem> items;           ///< encounters first; each part by video and frame
};

/// Draws without replacement, every encounter (issues of that kind in `issues`) and every recorded frame with a track
/// being as likely as any other. The same seed draws the same.
[[nodiscard]] ReviewSample drawSample(const project::Labels& labels, std::span<const Issue> issues,
                                      std::size_t encounters, std::size_t frames, std::uint64_t seed);

struct SampleSpec {
    std::size_t encounters = 100, frames = 100;  ///< to be drawn; fewer where there are fewer
    std::uint64_t seed = 1;
};
/// Looks for all encounters of the project and draws of them. Errors: those of findIssues().
[[nodiscard]] Result<ReviewSample> sampleProject(const project::Labels& labels, const SampleSpec& spec,
                                                 const Progress& progress = {}, std::stop_token stop = {});

/// Says which instances of the item's frames have which tracks, by name: of an encounter those that meet, else all.
/// Another value: the tracks have been changed there. Never 0.
[[nodiscard]] std::uint64_t tracksSeen(const project::Labels& labels, const SampleItem& item);
/// Items whose tracks have been changed since they were judged, ascending.
[[nodiscard]] std::vector<std::size_t> changedSince(const project::Labels& labels, const ReviewSample& sample);
/// What a reader of the rates must know then; empty: nothing was changed.
[[nodiscard]] std::string warningOf(std::size_t changed);

struct Interval {
    double low = 0, high = 1;
};
/// Wilson's score interval for a share of `wrong` in `count` (E. B. Wilson 1927), at 95 % by default. (0, 1) for none.
[[nodiscard]] Interval wilsonInterval(std::size_t wrong, std::size_t count, double z = 1.959963984540054);

struct ErrorRate {
    std::size_t asked = 0, answered = 0, wrong = 0, unsure = 0;  ///< those unsure are not counted as answered
    double rate = 0;
    Interval interval;
};
[[nodiscard]] ErrorRate rateOf(const ReviewSample& sample, bool encounters);
/// The rate as a sentence for a methods section: what was drawn of what, how many were wrong, the interval.
[[nodiscard]] std::string sentenceOf(const ReviewSample& sample, bool encounters);

struct ReportFacts {
    std::string project;  ///< what was reviewed
    std::string date;     ///< as it is to be printed
    std::string version;  ///< of the program
    int firstFrame = 0;   ///< what frame index 0 is called
};
/// A page for a methods section: numbers, how they were drawn, every answer. Names are escaped.
[[nodiscard]] std::string reportHtml(const project::Labels& labels, const ReviewSample& sample,
                                     const ReportFacts& facts);
/// Errors: those of writeAtomically().
[[nodiscard]] Result<void> writeReport(const std::filesystem::path& file, const project::Labels& labels,
                                       const ReviewSample& sample, const ReportFacts& facts);

}  // namespace skein::proofread
