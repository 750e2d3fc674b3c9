// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/repair.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/project/edit/tracks.h"
#include "engine/proofread/apply_fix.h"

namespace skein::proofread {

namespace {

constexpr int kMostRounds = 12;

class Repairer {
public:
    Repairer(const project::Labels& labels, const RepairOptions& options, const Progress& progress,
             std::stop_token stop)
        : m_options(options), m_progress(progress), m_stop(std::move(stop)), m_finder(options.issues) {
        m_before = m_repaired.labels = labels;
        m_repaired.report.before = summaryOf(labels);
    }

    Result<Repaired> run() {
        for (m_round = 0; m_round < kMostRounds; ++m_round) {
            auto changed = acceptIssues();
            if (!changed)
                return fail(std::move(changed.error()));
            if (*changed)
                continue;
            auto joined = join();
            if (!joined)
                return fail(std::move(joined.error()));
            if (!*joined)
                break;
        }
        if (m_options.gaps) {
            const GapPlan plan = planGaps(m_repaired.labels, *m_options.gaps);
            GapOptions whole = *m_options.gaps;
            whole.longestNode = 0;
            auto outcome = applyGaps(m_repaired.labels, plan, whole);
            auto nodes = applyGaps(outcome.labels, {}, *m_options.gaps);
            m_repaired.report.adopted = plan.adoptions.size();
            m_repaired.report.filledInstances = outcome.made.size();
            m_repaired.report.filledNodes = nodes.changed;
            m_repaired.labels = std::move(nodes.labels);
        }
        dropEmptied();
        m_repaired.report.after = summaryOf(m_repaired.labels);
        if (m_progress)
            m_progress(1);
        return std::move(m_repaired);
    }

private:
    /// Tracks of duplicates have nothing left; those that were empty before are a person's.
    void dropEmptied() {
        std::set<std::string> before;
        for (const std::int32_t track : project::edit::unusedTracks(m_before))
            before.insert(m_before.tracks()[static_cast<std::size_t>(track)].name);
        std::vector<std::int32_t> emptied = project::edit::unusedTracks(m_repaired.labels);
        emptied.erase(std::remove_if(emptied.begin(), emptied.end(),
                                     [&](std::int32_t track) {
                                         const auto& tracks = m_repaired.labels.tracks();
                                         return before.count(tracks[static_cast<std::size_t>(track)].name) != 0;
                                     }),
                      emptied.end());
        if (!emptied.empty())
            m_repaired.labels = project::edit::deleteTracks(m_repaired.labels, emptied, false).labels;
    }

    [[nodiscard]] std::optional<double> leastOf(IssueKind kind) const {
        switch (kind) {
            case IssueKind::Swap:
                return m_options.swaps;
            case IssueKind::Flip:
                return m_options.flips;
            case IssueKind::Duplicate:
                return m_options.duplicates;
            default:
                return std::nullopt;
        }
    }

    /// Tracks by name: indices move when tracks are joined.
    using Key = std::tuple<IssueKind, std::uint32_t, std::int64_t, std::string, std::string>;
    [[nodiscard]] Key keyOf(const Issue& issue) const {
        const auto name = [this](std::int32_t track) {
            const auto& tracks = m_repaired.labels.tracks();
            return track >= 0 && static_cast<std::size_t>(track) < tracks.size()
                       ? tracks[static_cast<std::size_t>(track)].name
                       : std::string();
        };
        std::string a = name(issue.fix.a), b = name(issue.fix.b);
        if (b < a)
            std::swap(a, b);
        return {issue.kind, issue.video, issue.frame, std::move(a), std::move(b)};
    }

    /// What was done is not done again. But where an exchange that was made is asked back as surely as it was asked
    /// for, nobody can tell, and it stays as it was given.
    [[nodiscard]] bool isToBeDone(const Issue& issue) {
        const auto [known, isNew] = m_done.try_emplace(keyOf(issue), Done{issue.fix.confidence, false});
        if (isNew)
            return true;
        if (issue.kind != IssueKind::Swap || known->second.takenBack || issue.fix.confidence < known->second.confidence)
            return false;
        known->second.takenBack = true;
        return true;
    }

    Result<bool> acceptIssues() {
        if (!m_options.swaps && !m_options.flips && !m_options.duplicates)
            return false;
        auto issues = m_finder.find(
            m_repaired.labels,
            [this](double share) {
                // Most is found in the first rounds.
                if (m_progress)
                    m_progress(1 - (1 - 0.5 * share) / (1 << std::min(m_round, 20)));
            },
            m_stop);
        if (!issues)
            return fail(std::move(issues.error()));
        // Duplicates would look like swaps; the latest swap first.
        const auto rank = [](IssueKind kind) {
            return kind == IssueKind::Duplicate ? 0 : kind == IssueKind::Flip ? 1 : 2;
        };
        std::stable_sort(issues->begin(), issues->end(), [&](const Issue& a, const Issue& b) {
            return std::tuple(rank(a.kind), -a.frame) < std::tuple(rank(b.kind), -b.frame);
        });
        bool any = false;
        IssueKind round = IssueKind::Swap;
        for (const Issue& issue : *issues) {
            const auto least = leastOf(issue.kind);
            if (!least || issue.fix.confidence < *least || !(issue.fix.confidence > 0) ||
                issue.fix.kind == Fix::Kind::None)
                continue;
            if (any && issue.kind != round)
                break;
            if (!isToBeDone(issue))
                continue;
            const bool back = m_done.at(keyOf(issue)).takenBack;
            auto outcome = applyFix(m_repaired.labels, issue);
            if (outcome.changed == 0)
                continue;
            m_repaired.labels = std::move(outcome.labels);
            any = true;
            round = issue.kind;
            RepairReport& report = m_repaired.report;
            if (back) {
                --report.swaps;
                report.done.push_back("Taken back, since it cannot be decided: " + issue.reason);
                continue;
            }
            ++(issue.kind == IssueKind::Swap   ? report.swaps
               : issue.kind == IssueKind::Flip ? report.flips
                                               : report.duplicates);
            report.done.push_back(issue.reason);
        }
        return any;
    }

    Result<bool> join() {
        if (m_options.joins == JoinChoice::None)
            return false;
        auto joined = joinUntilNone(m_repaired.labels, m_options.joining, m_options.joins == JoinChoice::All, m_stop);
        if (!joined)
            return fail(std::move(joined.error()));
        m_repaired.labels = std::move(joined->labels);
        m_repaired.report.joins += joined->made.size();
        for (const JoinMade& made : joined->made)
            m_repaired.report.done.push_back("\"" + made.from + "\" ends on frame " +
                                             std::to_string(made.join.lastFrame) + " and goes on as \"" + made.to +
                                             "\" from frame " + std::to_string(made.join.firstFrame) + ".");
        return !joined->made.empty();
    }

    const RepairOptions& m_options;
    const Progress& m_progress;
    std::stop_token m_stop;
    IssueFinder m_finder;
    project::Labels m_before;
    Repaired m_repaired;
    int m_round = 0;
    struct Done {
        double confidence = 0;
        bool takenBack = false;
    };
    std::map<Key, Done> m_done;
};

}  // namespace

Result<Repaired> repair(const project::Labels& labels, const RepairOptions& options, const Progress& progress,
                        std::stop_token stop) {
    return Repairer(labels, options, progress, std::move(stop)).run();
}

}  // namespace skein::proofread
