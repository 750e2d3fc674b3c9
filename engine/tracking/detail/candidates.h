// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/tracking/detail/scores.h"
#include "engine/tracking/tracker.h"

namespace skein::tracking {

class FlowImage;

/// Identity of an instance that has none.
inline constexpr int kUntracked = -1;

/// An instance of the current frame, then remembered. Its vectors are recycled from frame to frame.
struct StoredInstance {
    std::size_t detection = 0;  ///< position in the span given to Tracker::update()
    std::vector<PointD> points;
    std::vector<double> feature;
    Extent extent;                  ///< of `feature`, where scores are bounded by it
    std::vector<double> embedding;  ///< appearance vector; empty: none, or not compared
    int visible = 0;
    int trackId = kUntracked;
    double score = 0;
    std::int64_t frameIndex = 0;
    std::shared_ptr<const FlowImage> image;  ///< of its frame; optical flow only
};

/// A remembered instance that may be matched, with its feature as it is expected in the current frame.
struct Candidate {
    const StoredInstance* source = nullptr;
    std::span<const double> feature;
};

/// The candidates of one identity: candidates[begin, end) of the table.
struct CandidateColumn {
    int trackId = kUntracked;
    std::size_t begin = 0, end = 0;
};

/// All candidates of a frame, column by column. Valid until the store changes.
struct CandidateTable {
    std::vector<CandidateColumn> columns;
    std::vector<Candidate> candidates;

    void clear() {
        columns.clear();
        candidates.clear();
    }
};

/// Detection `row` continues the identity of column `column`.
struct Match {
    std::size_t row = 0;
    std::size_t column = 0;
    double score = 0;
};

/// What is remembered of earlier frames, and who gets a new identity.
class CandidateStore {
public:
    virtual ~CandidateStore() = default;
    CandidateStore(const CandidateStore&) = delete;
    CandidateStore& operator=(const CandidateStore&) = delete;

    /// Nothing to match with: start() instead of update().
    [[nodiscard]] virtual bool empty() const = 0;

    /// Fills `table` with the features as stored. `allUntracked`: the column of instances without identity, where there
    /// is one, lists all of them rather than one per frame.
    virtual void list(CandidateTable& table, bool allUntracked) const = 0;

    /// Identities that can still be given; nullopt: any number.
    [[nodiscard]] virtual std::optional<int> freeIdentities() const = 0;

    /// First instances. Appends to `out` what becomes of them; takes over the instances (their storage is swapped).
    virtual void start(std::span<StoredInstance> instances, std::vector<Assignment>& out) = 0;

    /// As start(), with `matches` in the order of the matcher; column numbers are those of the last list().
    virtual void update(std::span<StoredInstance> instances, std::span<const Match> matches,
                        const CandidateTable& table, std::vector<Assignment>& out) = 0;

protected:
    CandidateStore() = default;
};

[[nodiscard]] std::unique_ptr<CandidateStore> makeFixedWindow(const TrackerOptions& options);
[[nodiscard]] std::unique_ptr<CandidateStore> makeLocalQueues(const TrackerOptions& options);

}  // namespace skein::tracking
