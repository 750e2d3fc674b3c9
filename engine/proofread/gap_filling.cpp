// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/gap_filling.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/proofread/detail/columns.h"

namespace skein::proofread {

namespace {

namespace edit = project::edit;

const Slot* slotAt(const Columns& columns, std::int64_t frame) {
    const std::size_t s = columns.firstSlotFrom(frame);
    return s < columns.slots.size() && columns.slots[s].frame == frame ? &columns.slots[s] : nullptr;
}

const Item* itemOf(const Columns& columns, std::int64_t frame, std::int32_t track) {
    if (const Slot* slot = slotAt(columns, frame))
        for (std::size_t i = slot->begin; i < slot->end; ++i)
            if (columns.items[i].track == track && columns.items[i].somewhere())
                return &columns.items[i];
    return nullptr;
}

class Planner {
public:
    Planner(const project::Labels& labels, std::uint32_t video, const GapOptions& options, GapPlan& plan)
        : m_labels(labels),
          m_video(video),
          m_options(options),
          m_columns(columnsOf(labels, video)),
          m_scale(scaleOf(m_columns, {}, 0.02)),
          m_plan(plan) {}

    void run() {
        const auto& tracks = m_options.tracks;
        for (const edit::Gap& gap : edit::gapsOf(m_labels, m_video, -1, m_options.longest))
            if (tracks.empty() || std::find(tracks.begin(), tracks.end(), gap.track) != tracks.end())
                look(gap);
    }

private:
    void look(const edit::Gap& gap) {
        const Item* before = itemOf(m_columns, gap.span.first - 1, gap.track);
        const Item* after = itemOf(m_columns, gap.span.last + 1, gap.track);
        if (before == nullptr || after == nullptr)
            return;
        const auto frames = static_cast<double>(gap.frames());
        if (std::hypot(before->x - after->x, before->y - after->y) >
            std::max(m_scale.body, 3 * m_scale.step95 * frames)) {
            ++m_plan.tooFar;
            return;
        }
        if (!haveCommonNode(gap.span.first - 1, *before, gap.span.last + 1, *after)) {
            ++m_plan.strange;
            return;
        }
        // What is left between adopted detections is filled from these.
        std::int64_t open = gap.span.first;
        for (std::int64_t f = gap.span.first; f <= gap.span.last; ++f) {
            const double share = static_cast<double>(f - gap.span.first + 1) / (frames + 1);
            const Item* found = detectionNear(f, before->x + share * (after->x - before->x),
                                              before->y + share * (after->y - before->y));
            if (found == nullptr)
                continue;
            m_taken.insert(found->id);
            m_plan.adoptions.push_back({m_video, f, found->id, gap.track});
            if (open < f)
                m_plan.gaps.push_back({m_video, gap.track, {open, f - 1}});
            open = f + 1;
        }
        if (open <= gap.span.last)
            m_plan.gaps.push_back({m_video, gap.track, {open, gap.span.last}});
    }

    [[nodiscard]] bool haveCommonNode(std::int64_t frameA, const Item& a, std::int64_t frameB, const Item& b) const {
        const auto poseOf = [this](std::int64_t frame, const Item& item) {
            return m_labels.frame(slotAt(m_columns, frame)->row).instance(item.place).points;
        };
        const auto first = poseOf(frameA, a), second = poseOf(frameB, b);
        for (std::size_t n = 0; n < std::min(first.size(), second.size()); ++n)
            if (first[n].exists() && second[n].exists())
                return true;
        return false;
    }

    [[nodiscard]] const Item* detectionNear(std::int64_t frame, double x, double y) const {
        const Slot* slot = slotAt(m_columns, frame);
        const Item* nearest = nullptr;
        double least = m_scale.body / 2;
        for (std::size_t i = slot == nullptr ? 0 : slot->begin; slot != nullptr && i < slot->end; ++i) {
            const Item& item = m_columns.items[i];
            if (item.track >= 0 || !item.somewhere() || m_taken.count(item.id) != 0)
                continue;
            const double distance = std::hypot(item.x - x, item.y - y);
            if (distance < least) {
                least = distance;
                nearest = &item;
            }
        }
        return nearest;
    }

    const project::Labels& m_labels;
    std::uint32_t m_video;
    const GapOptions& m_options;
    Columns m_columns;
    Scale m_scale;
    std::set<project::InstanceId> m_taken;
    GapPlan& m_plan;
};

}  // namespace

GapPlan planGaps(const project::Labels& labels, const GapOptions& options) {
    GapPlan plan;
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video)
        if (video == options.video.value_or(video))
            Planner(labels, video, options, plan).run();
    return plan;
}

edit::Outcome applyGaps(const project::Labels& labels, const GapPlan& plan, const GapOptions& options) {
    edit::Outcome outcome = edit::unchanged(labels);
    const auto take = [&outcome](edit::Outcome next) {
        outcome.labels = std::move(next.labels);
        outcome.changed += next.changed;
        outcome.made.insert(outcome.made.end(), next.made.begin(), next.made.end());
    };
    for (const Adoption& one : plan.adoptions)
        take(edit::setTrack(outcome.labels, {one.video, one.frame, one.instance}, one.track, std::nullopt));
    take(edit::fillGaps(outcome.labels, plan.gaps, options.path));
    for (std::uint32_t video = 0; video < labels.videos().size(); ++video)
        if (options.longestNode > 0 && video == options.video.value_or(video))
            take(edit::fillNodes(outcome.labels, video, options.longestNode, options.tracks));
    outcome.extent.everywhere = true;
    return outcome.changed == 0 ? edit::unchanged(labels) : outcome;
}

}  // namespace skein::proofread
