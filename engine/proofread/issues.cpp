// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/issues.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "engine/proofread/detail/assemble.h"
#include "engine/proofread/detail/scan.h"

namespace skein::proofread {

namespace {

constexpr std::array<std::string_view, kIssueKinds> kNames{"swap",         "jump",      "break",    "new_track",
                                                           "short_track",  "duplicate", "flip",     "edge_length",
                                                           "count_change", "low_score", "encounter"};

// Shares of the work: reading poses into columns, and looking at them.
constexpr double kReading = 0.4;

struct VideoState {
    Columns columns;
    EdgeLengths edges;
    Scale scale;
    Found found;
};

/// Where a row of the project now was in the project before.
class Before {
public:
    Before(const project::Labels& now, const project::Labels* before) {
        if (before != nullptr)
            m_runs = now.rowsSharedWith(*before);
    }
    [[nodiscard]] std::size_t rowOf(std::size_t now) const {
        const auto after = std::upper_bound(m_runs.begin(), m_runs.end(), now,
                                            [](std::size_t row, const auto& run) { return row < run.now; });
        if (after == m_runs.begin())
            return kNone;
        const project::SharedRows& run = *std::prev(after);
        return now - run.now < run.count ? run.before + (now - run.now) : kNone;
    }

private:
    std::vector<project::SharedRows> m_runs;
};

std::vector<FrameRange> rangesAfter(std::vector<std::int64_t> frames) {
    std::sort(frames.begin(), frames.end());
    std::vector<FrameRange> ranges;
    for (const std::int64_t frame : frames) {
        if (!ranges.empty() && frame <= ranges.back().last + 1)
            ranges.back().last = std::max(ranges.back().last, frame + kReach);
        else
            ranges.push_back({frame, frame + kReach});
    }
    return ranges;
}

bool lies(std::int64_t frame, const std::vector<FrameRange>& ranges) {
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), frame,
                                        [](std::int64_t f, const FrameRange& range) { return f < range.first; });
    return after != ranges.begin() && frame <= std::prev(after)->last;
}

/// Takes what was found in `ranges` out of `list` and puts `fresh` there.
template <class T>
void renew(std::vector<T>& list, std::vector<T> fresh, const std::vector<FrameRange>& ranges) {
    list.erase(std::remove_if(list.begin(), list.end(), [&](const T& one) { return lies(one.frame, ranges); }),
               list.end());
    const auto middle = static_cast<std::ptrdiff_t>(list.size());
    list.insert(list.end(), fresh.begin(), fresh.end());
    std::inplace_merge(list.begin(), list.begin() + middle, list.end(),
                       [](const T& a, const T& b) { return a.frame < b.frame; });
}

bool worse(const Issue& a, const Issue& b) {
    return std::tuple(-a.severity, a.video, a.frame, a.kind, a.first) <
           std::tuple(-b.severity, b.video, b.frame, b.kind, b.first);
}

}  // namespace

std::string_view nameOf(IssueKind kind) {
    return kNames[static_cast<std::size_t>(kind)];
}

std::optional<IssueKind> issueKindOf(std::string_view name) {
    const auto it = std::find(kNames.begin(), kNames.end(), name);
    if (it == kNames.end())
        return std::nullopt;
    return static_cast<IssueKind>(it - kNames.begin());
}

struct IssueFinder::State {
    IssueOptions options;
    std::optional<project::Labels> seen;  // what `videos` belongs to
    std::vector<VideoState> videos;
    std::vector<Signal> signals;
    std::size_t scanned = 0;

    /// False: stopped.
    bool look(const project::Labels& labels, std::uint32_t video, const Before& before,
              const std::function<bool(double)>& tick);
};

bool IssueFinder::State::look(const project::Labels& labels, std::uint32_t video, const Before& before,
                              const std::function<bool(double)>& tick) {
    VideoState& state = videos[video];
    std::vector<std::size_t> slotOfRow(seen ? seen->frameCount() : 0, kNone);
    for (std::size_t s = 0; s < state.columns.slots.size(); ++s)
        slotOfRow[state.columns.slots[s].row] = s;
    std::vector<bool> kept(state.columns.slots.size(), false);

    Columns columns;
    std::vector<std::int64_t> changed;
    std::vector<std::size_t> fresh;
    const std::vector<std::size_t> rows = labels.rowsOf(video);
    columns.slots.reserve(rows.size());
    columns.items.reserve(state.columns.items.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const project::FrameView frame = labels.frame(rows[k]);
        if (!columns.slots.empty() && columns.slots.back().frame == frame.frameIndex())
            continue;
        const std::size_t begin = columns.items.size();
        const std::size_t rowBefore = before.rowOf(rows[k]);
        const std::size_t slotBefore = rowBefore == kNone ? kNone : slotOfRow[rowBefore];
        if (slotBefore != kNone) {
            const Slot& slot = state.columns.slots[slotBefore];
            columns.items.insert(columns.items.end(),
                                 state.columns.items.begin() + static_cast<std::ptrdiff_t>(slot.begin),
                                 state.columns.items.begin() + static_cast<std::ptrdiff_t>(slot.end));
            kept[slotBefore] = true;
        } else {
            appendItems(frame, columns.items);
            changed.push_back(frame.frameIndex());
            fresh.push_back(columns.slots.size());
        }
        columns.slots.push_back({frame.frameIndex(), rows[k], begin, columns.items.size()});
        if (k % 1024 == 1023 && !tick(kReading * static_cast<double>(k) / static_cast<double>(rows.size())))
            return false;
    }
    for (std::size_t s = 0; s < kept.size(); ++s)
        if (!kept[s]) {
            state.edges.count(*seen, state.columns, state.columns.slots[s], -1);
            changed.push_back(state.columns.slots[s].frame);
        }
    for (const std::size_t s : fresh)
        state.edges.count(labels, columns, columns.slots[s], 1);
    state.columns = std::move(columns);

    const Scale scale = scaleOf(state.columns, state.edges, options.scoreQuantile);
    std::vector<FrameRange> ranges = rangesAfter(std::move(changed));
    if (!(scale == state.scale) && !state.columns.slots.empty())
        ranges = {{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}};
    state.scale = scale;
    Found found;
    std::size_t done = 0;
    const bool finished = scan(labels, video, state.columns, scale, options, ranges, found, [&](std::size_t slots) {
        done = slots;
        return tick(kReading + (1 - kReading) * static_cast<double>(slots) /
                                   static_cast<double>(std::max<std::size_t>(1, state.columns.slots.size())));
    });
    if (!finished)
        return false;
    for (const FrameRange& range : ranges)
        scanned += state.columns.firstSlotFrom(
                       range.last == std::numeric_limits<std::int64_t>::max() ? range.last : range.last + 1) -
                   state.columns.firstSlotFrom(range.first);
    renew(state.found.signals, std::move(found.signals), ranges);
    renew(state.found.doubts, std::move(found.doubts), ranges);
    return true;
}

IssueFinder::IssueFinder(IssueOptions options) : m_state(std::make_unique<State>()) {
    m_state->options = options;
}
IssueFinder::~IssueFinder() = default;
IssueFinder::IssueFinder(IssueFinder&&) noexcept = default;
IssueFinder& IssueFinder::operator=(IssueFinder&&) noexcept = default;

std::span<const Signal> IssueFinder::signals() const {
    return m_state->signals;
}

std::size_t IssueFinder::framesScanned() const {
    return m_state->scanned;
}

Result<std::vector<Issue>> IssueFinder::find(const project::Labels& labels, const Progress& progress,
                                             std::stop_token stop) {
    State& state = *m_state;
    // Other videos or skeletons: frames may have changed without their rows having.
    if (state.seen && (&state.seen->videos() != &labels.videos() || &state.seen->skeletons() != &labels.skeletons())) {
        state.seen.reset();
        state.videos.clear();
    }
    state.videos.resize(labels.videos().size());
    state.signals.clear();
    state.scanned = 0;
    const Before before(labels, state.seen ? &*state.seen : nullptr);
    std::vector<Issue> issues;
    const auto videos = static_cast<double>(std::max<std::size_t>(1, labels.videos().size()));
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video) {
        const auto tick = [&](double share) {
            if (progress)
                progress((video + share) / videos);
            return !stop.stop_requested();
        };
        if (!tick(0) || !state.look(labels, video, before, tick)) {
            state.seen.reset();
            state.videos.clear();
            return fail(ErrorCode::Cancelled, "The search for issues was stopped.");
        }
        const VideoState& now = state.videos[video];
        const LifeCycle life = lifeCycle(video, now.columns, now.scale, state.options);
        assemble(labels, video, now.columns, now.scale, state.options, life, now.found, issues);
        const std::size_t begin = state.signals.size();
        state.signals.insert(state.signals.end(), now.found.signals.begin(), now.found.signals.end());
        state.signals.insert(state.signals.end(), life.signals.begin(), life.signals.end());
        std::stable_sort(state.signals.begin() + static_cast<std::ptrdiff_t>(begin), state.signals.end(),
                         [](const Signal& a, const Signal& b) { return a.frame < b.frame; });
    }
    state.seen = labels;
    std::sort(issues.begin(), issues.end(), worse);
    std::array<std::size_t, kIssueKinds> ofKind{};
    issues.erase(std::remove_if(issues.begin(), issues.end(),
                                [&](const Issue& issue) {
                                    return ++ofKind[static_cast<std::size_t>(issue.kind)] > state.options.mostOfKind;
                                }),
                 issues.end());
    if (progress)
        progress(1);
    return issues;
}

Result<std::vector<Issue>> findIssues(const project::Labels& labels, const IssueOptions& options,
                                      const Progress& progress, std::stop_token stop) {
    return IssueFinder(options).find(labels, progress, stop);
}

double cleanShare(const project::Labels& labels, std::span<const Issue> issues) {
    double frames = 0, doubtful = 0;
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video) {
        const std::vector<std::size_t> rows = labels.rowsOf(video);
        if (rows.empty())
            continue;
        frames +=
            static_cast<double>(labels.frame(rows.back()).frameIndex() - labels.frame(rows.front()).frameIndex() + 1);
        std::vector<FrameRange> ranges;
        for (const Issue& issue : issues)
            if (issue.video == video && (issue.kind == IssueKind::Swap || issue.kind == IssueKind::Jump ||
                                         issue.kind == IssueKind::Break || issue.kind == IssueKind::NewTrack))
                ranges.push_back({issue.first, issue.last});
        std::sort(ranges.begin(), ranges.end(),
                  [](const FrameRange& a, const FrameRange& b) { return a.first < b.first; });
        std::int64_t upTo = std::numeric_limits<std::int64_t>::min();
        for (const FrameRange& range : ranges) {
            const std::int64_t from = std::max(range.first, upTo);
            if (range.last >= from)
                doubtful += static_cast<double>(range.last - from + 1);
            upTo = std::max(upTo, range.last + 1);
        }
    }
    return frames > 0 ? std::max(0.0, 1 - doubtful / frames) : 1;
}

}  // namespace skein::proofread
