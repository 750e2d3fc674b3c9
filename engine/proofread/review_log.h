// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/proofread/issues.h"
#include "engine/proofread/review_sample.h"

namespace skein::proofread {

enum class ReviewState : std::uint8_t { Open, Fixed, Dismissed };

/// What a person has said about issues, and about a random sample. It is kept in a file of its own beside the project,
/// so that the .slp stays standard. Issues are found anew each time; a record is recognised by kind, video, tracks (by
/// name) and frames, which may have moved a little. Thread-compatible.
class ReviewLog {
public:
    /// "session.slp" has "session.slp.review.json" beside it.
    [[nodiscard]] static std::filesystem::path pathFor(const std::filesystem::path& project);

    /// An empty log where there is no such file. Errors: Io; Format (no such JSON; the file is left alone).
    [[nodiscard]] static Result<ReviewLog> read(const std::filesystem::path& file);
    /// Errors: those of writeAtomically().
    [[nodiscard]] Result<void> write(const std::filesystem::path& file) const;

    /// `labels`: those in which the issue was found. Open takes the record away.
    void setState(const project::Labels& labels, const Issue& issue, ReviewState state);

    /// A state for each of `issues`, as found in `labels`. An issue that was fixed and is found again as clearly as
    /// before is open again: the fix was taken back.
    [[nodiscard]] std::vector<ReviewState> statesOf(const project::Labels& labels, std::span<const Issue> issues) const;

    struct Progress {
        std::size_t reviewed = 0, all = 0;
    };
    /// "17 / 64 reviewed": fixed issues are not found any more, but count.
    [[nodiscard]] Progress progress(const project::Labels& labels, std::span<const Issue> issues) const;

    /// Begins a review with a number, in place of the one before; nullopt: none. Videos and tracks are kept by name.
    void setSample(const project::Labels& labels, std::optional<ReviewSample> sample);
    /// `seen`: tracksSeen() of it.
    void setVerdict(std::size_t item, Verdict verdict, std::uint64_t seen = 0);
    /// The sample in the project as it is now: tracks that are gone are left out, and an item whose video is gone has
    /// the number of videos as its video. nullopt: none was drawn.
    [[nodiscard]] std::optional<ReviewSample> sample(const project::Labels& labels) const;

    [[nodiscard]] bool isEmpty() const { return m_records.empty() && !m_sample; }

private:
    /// What an item of the sample is about, by name.
    struct Names {
        std::string video;
        std::vector<std::string> tracks;
    };
    struct Record {
        IssueKind kind = IssueKind::Swap;
        std::string video;  ///< file and dataset: indices change when videos are added
        std::int64_t first = 0, last = 0, frame = 0;
        std::vector<std::string> tracks;  ///< sorted
        double severity = 0;
        ReviewState state = ReviewState::Open;
    };
    [[nodiscard]] static Record recordOf(const project::Labels& labels, const Issue& issue);
    [[nodiscard]] static bool isSame(const Record& record, const Record& other);
    /// Position of the record that fits best; that behind the last when there is none.
    [[nodiscard]] std::size_t find(const Record& wanted) const;
    [[nodiscard]] ReviewState stateOf(const Record& wanted, std::size_t known) const;

    std::vector<Record> m_records;
    std::optional<ReviewSample> m_sample;
    std::vector<Names> m_sampleNames;  ///< of each of its items
};

}  // namespace skein::proofread
