// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/detail/assemble.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/project/edit/tracks.h"
#include "engine/proofread/detail/words.h"

namespace skein::proofread {

namespace {

// Signs of one issue are at most this far apart, and an issue spans at most that many frames.
constexpr std::int64_t kTogether = 5, kLongest = 15;
constexpr std::int64_t kEncounterPause = 15;
// How much each kind of sign is worth alone, by SignalKind.
constexpr std::array<double, kSignalKinds> kWeight{0.8, 0.7, 0.7, 0.7, 0.5};
constexpr double kBirthWeight = 0.7;
// What a sign is worth that takes a few nodes for a whole animal.
constexpr double kFragmentWeight = 0.3;

class Assembler {
public:
    Assembler(const project::Labels& labels, std::uint32_t video, const Columns& columns, const Scale& scale,
              const IssueOptions& options, const LifeCycle& life, const Found& found, std::vector<Issue>& issues)
        : m_words(labels),
          m_video(video),
          m_columns(columns),
          m_scale(scale),
          m_options(options),
          m_life(life),
          m_found(found),
          m_issues(issues) {}

    void run() {
        clusterSignals();
        tracks();
        counts();
        flips();
        runs();
    }

private:
    Issue& add(IssueKind kind, std::int64_t first, std::int64_t last, std::int64_t frame, double severity) {
        Issue& issue = m_issues.emplace_back();
        issue.kind = kind;
        issue.video = m_video;
        issue.first = first;
        issue.last = last;
        issue.frame = frame;
        issue.severity = std::clamp(severity, 0.0, 1.0);
        return issue;
    }

    // ---- swaps and jumps

    struct Cluster {
        std::int64_t first = 0, last = 0;
        std::vector<const Signal*> signals;
        std::size_t movedTo = kNone;
    };

    /// Of a track that begins here, or comes back after long, the end of another says what to do about it.
    [[nodiscard]] bool isBirth(const Signal& signal) const {
        if (signal.kind == SignalKind::Birth)
            return true;
        const TrackSpan* span = signal.kind == SignalKind::Ensemble ? m_life.spanOf(signal.a) : nullptr;
        return span != nullptr && span->first == signal.frame && signal.ofB == 0;
    }

    void clusterSignals() {
        std::vector<const Signal*> signals;
        for (const auto* list : {&m_found.signals, &m_life.signals})
            for (const Signal& signal : *list)
                if (!isBirth(signal))
                    signals.push_back(&signal);
        std::stable_sort(signals.begin(), signals.end(),
                         [](const Signal* a, const Signal* b) { return a->frame < b->frame; });
        std::vector<Cluster> clusters;
        std::unordered_map<std::int32_t, std::size_t> open;  // by track
        const auto current = [&](std::size_t c) {
            while (clusters[c].movedTo != kNone)
                c = clusters[c].movedTo;
            return c;
        };
        for (const Signal* signal : signals) {
            std::size_t home = kNone;
            for (const std::int32_t track : {signal->a, signal->b}) {
                const auto known = track < 0 ? open.end() : open.find(track);
                if (known == open.end())
                    continue;
                const std::size_t c = current(known->second);
                if (signal->frame - clusters[c].last > kTogether || signal->frame - clusters[c].first > kLongest ||
                    c == home)
                    continue;
                if (home == kNone) {
                    home = c;
                    continue;
                }
                clusters[home].first = std::min(clusters[home].first, clusters[c].first);
                clusters[home].signals.insert(clusters[home].signals.end(), clusters[c].signals.begin(),
                                              clusters[c].signals.end());
                clusters[c].signals.clear();
                clusters[c].movedTo = home;
            }
            if (home == kNone) {
                home = clusters.size();
                clusters.push_back({signal->frame, signal->frame, {}, kNone});
            }
            clusters[home].last = signal->frame;
            clusters[home].signals.push_back(signal);
            for (const std::int32_t track : {signal->a, signal->b})
                if (track >= 0)
                    open[track] = home;
        }
        for (const Cluster& cluster : clusters)
            if (cluster.movedTo == kNone)
                addCluster(cluster);
    }

    void addCluster(const Cluster& cluster) {
        std::array<const Signal*, kSignalKinds> best{};
        std::array<double, kSignalKinds> strengths{};
        for (const Signal* signal : cluster.signals) {
            const auto k = static_cast<std::size_t>(signal->kind);
            const double strength = signal->strength * (isOfFragment(*signal) ? kFragmentWeight : 1);
            if (best[k] == nullptr || strength > strengths[k]) {
                best[k] = signal;
                strengths[k] = strength;
            }
        }
        double clean = 1;
        for (std::size_t k = 0; k < kSignalKinds; ++k)
            clean *= 1 - kWeight[k] * strengths[k];
        const Signal* gain = best[static_cast<std::size_t>(SignalKind::SwapGain)];
        const Signal* links = best[static_cast<std::size_t>(SignalKind::Ensemble)];
        const Signal* back = best[static_cast<std::size_t>(SignalKind::Reappear)];
        const Signal* speed = best[static_cast<std::size_t>(SignalKind::Speed)];
        const Signal& main = gain != nullptr ? *gain : links != nullptr ? *links : back != nullptr ? *back : *speed;
        const bool swap = gain != nullptr || links != nullptr;
        // A fragment jumps about, which adds to what looks like a swap.
        const bool ofFragment = isOfFragment(main);
        Issue& issue = add(swap ? IssueKind::Swap : IssueKind::Jump, cluster.first, cluster.last, main.frame,
                           (1 - clean) * (ofFragment ? kFragmentWeight : 1));
        issue.tracks = {main.a};
        issue.instances = {main.ofA};
        if (main.b >= 0)
            issue.tracks.push_back(main.b);
        if (main.ofB != 0)
            issue.instances.push_back(main.ofB);
        if (swap)
            issue.fix = {Fix::Kind::Swap,
                         main.a,
                         main.b,
                         {main.frame, project::edit::kToEnd},
                         {},
                         ofFragment ? 0.0 : sureness(cluster, main)};
        issue.reason = gain != nullptr    ? m_words.swapGain(main)
                       : links != nullptr ? m_words.otherLinks(main)
                       : back != nullptr  ? m_words.reappears(main)
                                          : m_words.jumps(main);
    }

    /// Whether a sign takes a few nodes for a whole animal: the most that one of its two tracks has in the frames
    /// around it are fewer than half of the other's most. Nearly any way fits a few nodes.
    [[nodiscard]] bool isOfFragment(const Signal& signal) const {
        if (signal.a < 0 || signal.b < 0)
            return false;
        std::uint32_t a = 0, b = 0;
        for (std::size_t s = m_columns.firstSlotFrom(signal.frame - kBelieved);
             s < m_columns.slots.size() && m_columns.slots[s].frame <= signal.frame + kBelieved; ++s)
            for (std::size_t i = m_columns.slots[s].begin; i < m_columns.slots[s].end; ++i) {
                const Item& item = m_columns.items[i];
                if (item.track == signal.a || item.track == signal.b) {
                    std::uint32_t& most = item.track == signal.a ? a : b;
                    most = std::max(most, item.nodes);
                }
            }
        return a > 0 && b > 0 && 2 * std::min(a, b) < std::max(a, b);
    }

    /// How much speaks for exchanging the two tracks of `main`.
    [[nodiscard]] static double sureness(const Cluster& cluster, const Signal& main) {
        double gain = 0, links = 0;
        for (const Signal* signal : cluster.signals) {
            if (std::minmax(signal->a, signal->b) != std::minmax(main.a, main.b))
                continue;
            double& strongest = signal->kind == SignalKind::SwapGain ? gain : links;
            strongest = std::max(strongest, signal->strength);
        }
        return 1 - (1 - kWeight[static_cast<std::size_t>(SignalKind::SwapGain)] * gain) *
                       (1 - kWeight[static_cast<std::size_t>(SignalKind::Ensemble)] * links);
    }

    // ---- whole tracks

    void tracks() {
        std::set<std::int32_t> explained;
        for (const Break& b : findBreaks(m_life, m_scale, m_options)) {
            const TrackSpan &from = m_life.spans[b.from], &to = m_life.spans[b.to];
            const double reach = m_options.breakBodies * m_scale.body;
            const double strength = (1 - 0.5 * b.distance / reach) * (b.ambiguous ? 0.7 : 1.0);
            Issue& issue = add(IssueKind::Break, from.last, to.first, to.first, kBirthWeight * strength);
            issue.tracks = {from.track, to.track};
            issue.instances = {to.firstItem.id};
            issue.fix = {Fix::Kind::Join, to.track, from.track, {}, {}, issue.severity};
            issue.reason = m_words.breaks(from.track, to.track, to.first - from.last, b.distance);
            explained.insert(to.track);
        }
        for (const TrackSpan& span : m_life.spans) {
            if (span.frames >= m_options.shortFrames)
                continue;
            const double share = static_cast<double>(span.frames) / static_cast<double>(m_options.shortFrames);
            Issue& issue = add(IssueKind::ShortTrack, span.first, span.last, span.first, 0.35 - 0.15 * share);
            issue.tracks = {span.track};
            issue.instances = {span.firstItem.id};
            issue.reason = m_words.isShort(span.track, span.frames);
            explained.insert(span.track);
        }
        for (const Signal& signal : m_life.signals) {
            if (signal.kind != SignalKind::Birth || explained.count(signal.a) != 0)
                continue;
            Issue& issue =
                add(IssueKind::NewTrack, signal.frame, signal.frame, signal.frame, kBirthWeight * signal.strength);
            issue.tracks = {signal.a};
            issue.instances = {signal.ofA};
            issue.reason = m_words.isNew(signal.a);
        }
    }

    void counts() {
        const auto usual = static_cast<double>(m_scale.usualCount);
        for (const CountRun& run : m_life.counts) {
            const double off = std::abs(static_cast<double>(run.count) - usual) / std::max(usual, 1.0);
            Issue& issue = add(IssueKind::CountChange, run.first, run.last, run.first, std::min(0.3, 0.1 + 0.2 * off));
            issue.reason = m_words.count(run.count, m_scale.usualCount, run.last - run.first + 1);
            const std::size_t s = m_columns.firstSlotFrom(run.first);
            if (s < m_columns.slots.size() && m_columns.slots[s].frame == run.first)
                for (std::size_t i = m_columns.slots[s].begin; i < m_columns.slots[s].end; ++i)
                    issue.instances.push_back(m_columns.items[i].id);
        }
    }

    // ---- doubts about poses

    void flips() {
        std::unordered_map<std::int32_t, const PoseDoubt*> changed;  // where each track changed sides last
        for (const PoseDoubt& doubt : m_found.doubts) {
            if (doubt.kind != IssueKind::Flip)
                continue;
            const PoseDoubt*& before = changed[doubt.a];
            if (before == nullptr || doubt.frame - before->frame > m_options.flipFrames) {
                before = &doubt;
                continue;
            }
            const double strength = std::min(before->strength, doubt.strength);
            Issue& issue = add(IssueKind::Flip, before->frame, doubt.frame - 1, before->frame, 0.4 + 0.6 * strength);
            issue.tracks = {doubt.a};
            issue.instances = {before->ofA};
            issue.fix = {Fix::Kind::Flip, doubt.a, -1, {before->frame, doubt.frame - 1}, {}, issue.severity};
            issue.reason = m_words.flips(doubt.a, doubt.frame - before->frame);
            before = nullptr;
        }
    }

    /// What goes on over some frames is one issue.
    struct Run {
        std::int64_t first = 0, last = 0, frames = 0;
        const PoseDoubt* worst = nullptr;
        std::vector<const PoseDoubt*> all;  // Duplicate only: what is to be deleted
    };

    void runs() {
        std::map<std::tuple<IssueKind, std::int32_t, std::int32_t>, Run> open;
        for (const PoseDoubt& doubt : m_found.doubts) {
            if (doubt.kind == IssueKind::Flip)
                continue;
            Run& run = open[{doubt.kind, doubt.a, doubt.b}];
            const std::int64_t pause = doubt.kind == IssueKind::Encounter ? kEncounterPause : kTogether;
            // Without a track nothing says that it is the same animal.
            const bool goesOn = run.worst != nullptr && doubt.frame - run.last <= (doubt.a < 0 ? 1 : pause);
            if (run.worst != nullptr && !goesOn) {
                addRun(run);
                run = {};
            }
            if (run.worst == nullptr)
                run.first = doubt.frame;
            run.frames += run.worst == nullptr || doubt.frame != run.last ? 1 : 0;
            run.last = doubt.frame;
            if (run.worst == nullptr || doubt.strength > run.worst->strength)
                run.worst = &doubt;
            if (doubt.kind == IssueKind::Duplicate)
                run.all.push_back(&doubt);
        }
        for (const auto& [key, run] : open)
            addRun(run);
    }

    void addRun(const Run& run) {
        const PoseDoubt& worst = *run.worst;
        const auto strength = static_cast<double>(worst.strength);
        double severity = 0;
        if (worst.kind == IssueKind::EdgeLength)
            severity = std::min(0.5, 0.15 + 0.01 * (strength - m_options.edgeMads));
        else if (worst.kind == IssueKind::LowScore)
            severity = 0.05 + 0.25 * strength;
        else if (worst.kind == IssueKind::Encounter)
            severity = 0.2 * static_cast<double>(run.frames) / static_cast<double>(run.frames + 50);
        else
            severity = 0.95 * strength;
        Issue& issue = add(worst.kind, run.first, run.last, worst.frame, severity);
        for (const std::int32_t track : {worst.a, worst.b})
            if (track >= 0 && std::find(issue.tracks.begin(), issue.tracks.end(), track) == issue.tracks.end())
                issue.tracks.push_back(track);
        issue.instances = {worst.ofA};
        if (worst.ofB != 0)
            issue.instances.push_back(worst.ofB);
        switch (worst.kind) {
            case IssueKind::EdgeLength:
                issue.reason = m_words.edge(worst);
                break;
            case IssueKind::LowScore:
                issue.reason = m_words.lowScore(worst, m_scale.scoreMedian);
                break;
            case IssueKind::Encounter:
                issue.reason = m_words.meet(worst.a, worst.b, run.frames);
                break;
            default:
                issue.reason = m_words.duplicate(worst, run.frames);
                deleteSurplus(run, issue);
        }
    }

    /// Which of two instances on one animal is to go: a prediction before a user instance, the track that is there for
    /// fewer frames, the lower score. Two tracks that are there long before and after only pass each other.
    void deleteSurplus(const Run& run, Issue& issue) {
        const PoseDoubt& worst = *run.worst;
        const TrackSpan* spanA = m_life.spanOf(worst.a);
        const TrackSpan* spanB = m_life.spanOf(worst.b);
        const std::int64_t framesA = spanA != nullptr ? spanA->frames : 0;
        const std::int64_t framesB = spanB != nullptr ? spanB->frames : 0;
        if (2 * run.frames < std::min(framesA, framesB)) {
            issue.severity *= 0.3;
            return;
        }
        issue.fix.kind = Fix::Kind::Delete;
        for (const PoseDoubt* doubt : run.all) {
            const Item *a = itemOf(*doubt, doubt->ofA), *b = itemOf(*doubt, doubt->ofB);
            if (a == nullptr || b == nullptr)
                continue;
            const auto rank = [](const Item& item, std::int64_t frames) {
                return std::tuple(item.user, frames, item.score == item.score ? item.score : 0.0F);
            };
            const bool aGoes = rank(*a, framesA) < rank(*b, framesB);
            issue.fix.instances.push_back(aGoes ? a->id : b->id);
        }
        std::sort(issue.fix.instances.begin(), issue.fix.instances.end());
        issue.fix.instances.erase(std::unique(issue.fix.instances.begin(), issue.fix.instances.end()),
                                  issue.fix.instances.end());
        issue.fix.span = {run.first, run.last};
        issue.fix.confidence = issue.severity;
    }

    [[nodiscard]] const Item* itemOf(const PoseDoubt& doubt, project::InstanceId id) const {
        const std::size_t s = m_columns.firstSlotFrom(doubt.frame);
        if (s == m_columns.slots.size() || m_columns.slots[s].frame != doubt.frame)
            return nullptr;
        for (std::size_t i = m_columns.slots[s].begin; i < m_columns.slots[s].end; ++i)
            if (m_columns.items[i].id == id)
                return &m_columns.items[i];
        return nullptr;
    }

    Words m_words;
    std::uint32_t m_video;
    const Columns& m_columns;
    const Scale& m_scale;
    const IssueOptions& m_options;
    const LifeCycle& m_life;
    const Found& m_found;
    std::vector<Issue>& m_issues;
};

}  // namespace

void assemble(const project::Labels& labels, std::uint32_t video, const Columns& columns, const Scale& scale,
              const IssueOptions& options, const LifeCycle& life, const Found& found, std::vector<Issue>& issues) {
    Assembler(labels, video, columns, scale, options, life, found, issues).run();
}

}  // namespace skein::proofread
