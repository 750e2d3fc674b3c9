// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/project/edit/edit.h"
#include "engine/project/labels.h"
#include "engine/proofread/signals.h"

/// Doubts about tracks and poses: what a person should look at, worst first, each with the repair that would settle it.
/// "Shown" instances are all but predictions that a user instance of the frame stands for (made from it, or of the same
/// track). Only these count. Where a file holds several records of one frame, the first counts.
namespace skein::proofread {

enum class IssueKind : std::uint8_t {
    Swap,         ///< two tracks may have changed over
    Jump,         ///< a track is suddenly elsewhere
    Break,        ///< a track ends and another begins soon and near: one animal?
    NewTrack,     ///< a track begins in the middle of the video, and none ended that it could continue
    ShortTrack,   ///< a track of a few frames
    Duplicate,    ///< two instances on one animal
    Flip,         ///< left and right changed over for some frames
    EdgeLength,   ///< an edge is much longer or shorter than it usually is
    CountChange,  ///< for some frames there are more or fewer instances than usual
    LowScore,     ///< the nodes' scores are among the lowest of the video
    Encounter     ///< two animals are very near each other: for review, no doubt of its own
};
inline constexpr std::size_t kIssueKinds = 11;

/// "swap", "jump", "break", "new_track", "short_track", "duplicate", "flip", "edge_length", "count_change",
/// "low_score", "encounter": as in files and on the command line.
[[nodiscard]] std::string_view nameOf(IssueKind kind);
[[nodiscard]] std::optional<IssueKind> issueKindOf(std::string_view name);

/// What would settle an issue.
struct Fix {
    enum class Kind : std::uint8_t {
        None,    ///< a person has to see
        Swap,    ///< exchange tracks `a` and `b` on the frames of `span`
        Join,    ///< all of track `a` becomes `b`, in this video
        Delete,  ///< delete `instances`
        Flip     ///< exchange left and right of track `a` on the frames of `span`
    };
    Kind kind = Kind::None;
    std::int32_t a = -1, b = -1;
    project::edit::FrameSpan span;
    std::vector<project::InstanceId> instances;
    /// How sure it is, 0 to 1. An issue may be severe for reasons that do not say what to do about it.
    double confidence = 0;
};

struct Issue {
    IssueKind kind = IssueKind::Swap;
    std::uint32_t video = 0;
    std::int64_t first = 0, last = 0;            ///< frames, both included
    std::int64_t frame = 0;                      ///< the one to look at
    std::vector<std::int32_t> tracks;            ///< indices into Labels::tracks(); may be empty
    std::vector<project::InstanceId> instances;  ///< those to select on `frame`
    double severity = 0;                         ///< 0 to 1
    std::string reason;                          ///< one sentence without markup
    Fix fix;
};

struct IssueOptions {
    /// Animals that there are; more tracks than this at a time make a new track more doubtful. nullopt: not known.
    std::optional<int> animals;
    double leastSwap = 0.1;             ///< weaker signs of a swap are no issue
    double jumpBodies = 0.3;            ///< a jump is at least this many body lengths a frame
    std::int64_t breakFrames = 30;      ///< longest pause of a joinable break
    double breakBodies = 1.5;           ///< and its longest distance in body lengths
    std::int64_t shortFrames = 5;       ///< a track of fewer frames is short
    double duplicateSimilarity = 0.85;  ///< object keypoint similarity (spread 0.1) above which two are one
    double duplicateNodesShare = 0.6;   ///< or the share of nodes within...
    double duplicateNodePx = 3;         ///< ...this many pixels
    std::int64_t flipFrames = 10;       ///< longest exchange of left and right
    double edgeMads = 6;                ///< an edge's length is odd beyond the median -/+ this many MAD
    std::int64_t countFrames = 5;       ///< longest stretch with another number of instances
    double scoreQuantile = 0.02;        ///< a mean node score below this quantile is low
    double encounterBodies = 0.5;       ///< centroids nearer than this are an encounter
    /// Of each kind the worst ones are kept, so that a list stays one that can be read.
    std::size_t mostOfKind = 5000;

    friend bool operator==(const IssueOptions&, const IssueOptions&) = default;
};

/// Share of the work done, 0 to 1; called on the calling thread.
using Progress = std::function<void(double)>;

/// Finds issues again and again while a project is edited: after the first time only frames that changed since, and the
/// frames whose signs depend on them, are looked at anew. The result is always that of a fresh finder. It keeps the
/// project it saw last (a cheap copy). Thread-compatible; meant for a worker.
class IssueFinder {
public:
    explicit IssueFinder(IssueOptions options = {});
    ~IssueFinder();
    IssueFinder(IssueFinder&&) noexcept;
    IssueFinder& operator=(IssueFinder&&) noexcept;

    /// Worst first; equally bad ones by video and frame. Cost: 1,000,000 instances take about a second the first time.
    /// Errors: Cancelled, after which the next call starts afresh.
    [[nodiscard]] Result<std::vector<Issue>> find(const project::Labels& labels, const Progress& progress = {},
                                                  std::stop_token stop = {});

    /// Signs of identity errors that the last call found, by video and frame: what the swap, jump, break and new-track
    /// issues were made of.
    [[nodiscard]] std::span<const Signal> signals() const;
    /// Frames that the last call looked at closely.
    [[nodiscard]] std::size_t framesScanned() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// The same once.
[[nodiscard]] Result<std::vector<Issue>> findIssues(const project::Labels& labels, const IssueOptions& options = {},
                                                    const Progress& progress = {}, std::stop_token stop = {});

/// Share of the videos' frames, from the first recorded to the last, that lie in none of `issues` of the kinds Swap,
/// Jump, Break and NewTrack: "probably clean".
[[nodiscard]] double cleanShare(const project::Labels& labels, std::span<const Issue> issues);

}  // namespace skein::proofread
