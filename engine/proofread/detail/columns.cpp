// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/detail/columns.h"

#include <algorithm>
#include <unordered_map>

namespace skein::proofread {

namespace {

// Fewer edges than this have no usual length.
constexpr std::int64_t kLeastEdges = 30;
// A speed is told over at most this many frames.
constexpr std::int64_t kLongestStep = 5;

Item itemOf(const project::InstanceView& instance, std::size_t place) {
    Item item;
    item.id = instance.header->id;
    item.track = instance.header->track;
    item.skeleton = instance.header->skeleton;
    item.place = static_cast<std::uint32_t>(place);
    item.user = instance.header->kind == project::InstanceKind::User;
    double x = 0, y = 0, score = 0;
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
    std::size_t count = 0;
    for (const project::Point& p : instance.points) {
        if (!p.exists())
            continue;
        ++count;
        x += p.x;
        y += p.y;
        score += p.score;
        left = std::min(left, p.x);
        right = std::max(right, p.x);
        top = std::min(top, p.y);
        bottom = std::max(bottom, p.y);
    }
    if (count == 0) {
        item.x = item.y = project::kNaN;
        item.score = std::numeric_limits<float>::quiet_NaN();
        return item;
    }
    const auto n = static_cast<double>(count);
    item.complete = count == instance.points.size();
    item.nodes = static_cast<std::uint32_t>(count);
    item.x = x / n;
    item.y = y / n;
    item.left = static_cast<float>(left);
    item.top = static_cast<float>(top);
    item.right = static_cast<float>(right);
    item.bottom = static_cast<float>(bottom);
    item.score = item.user ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(score / n);
    return item;
}

bool standsFor(const project::InstanceHeader& user, const project::InstanceHeader& prediction) {
    return user.kind == project::InstanceKind::User &&
           (user.fromPredicted == prediction.id || (user.track >= 0 && user.track == prediction.track));
}

}  // namespace

double LogHistogram::quantile(double q) const {
    if (m_total == 0)
        return 0;
    auto left = static_cast<std::int64_t>(q * static_cast<double>(m_total - 1));
    for (std::size_t bin = 0; bin < m_counts.size(); ++bin) {
        left -= m_counts[bin];
        if (left < 0)
            return middleOf(bin);
    }
    return middleOf(kBins - 1);
}

double LogHistogram::deviation(double centre) const {
    std::vector<std::pair<double, std::int64_t>> distances;
    for (std::size_t bin = 0; bin < m_counts.size(); ++bin)
        if (m_counts[bin] > 0)
            distances.emplace_back(std::abs(middleOf(bin) - centre), m_counts[bin]);
    std::sort(distances.begin(), distances.end());
    std::int64_t left = (m_total - 1) / 2;
    for (const auto& [distance, count] : distances) {
        left -= count;
        if (left < 0)
            return distance;
    }
    return 0;
}

std::size_t Columns::firstSlotFrom(std::int64_t frame) const {
    const auto it = std::lower_bound(slots.begin(), slots.end(), frame,
                                     [](const Slot& slot, std::int64_t key) { return slot.frame < key; });
    return static_cast<std::size_t>(it - slots.begin());
}

void appendItems(const project::FrameView& frame, std::vector<Item>& items) {
    const bool users = frame.hasUserInstance();
    for (std::size_t i = 0; i < frame.instanceCount(); ++i) {
        const project::InstanceView instance = frame.instance(i);
        bool hidden = false;
        if (users && instance.header->kind == project::InstanceKind::Predicted)
            for (std::size_t u = 0; u < frame.instanceCount() && !hidden; ++u)
                hidden = standsFor(*frame.instance(u).header, *instance.header);
        if (!hidden)
            items.push_back(itemOf(instance, i));
    }
}

Columns columnsOf(const project::Labels& labels, std::uint32_t video) {
    Columns columns;
    for (const std::size_t row : labels.rowsOf(video)) {
        const project::FrameView frame = labels.frame(row);
        if (!columns.slots.empty() && columns.slots.back().frame == frame.frameIndex())
            continue;
        const std::size_t begin = columns.items.size();
        appendItems(frame, columns.items);
        columns.slots.push_back({frame.frameIndex(), row, begin, columns.items.size()});
    }
    return columns;
}

void EdgeLengths::count(const project::Labels& labels, const Columns& columns, const Slot& slot, std::int64_t times) {
    const project::FrameView frame = labels.frame(slot.row);
    for (std::size_t i = slot.begin; i < slot.end; ++i) {
        const Item& item = columns.items[i];
        if (item.skeleton >= labels.skeletons().size())
            continue;
        const auto& edges = labels.skeletons()[item.skeleton].edges;
        if (of.size() <= item.skeleton)
            of.resize(item.skeleton + 1);
        auto& lengths = of[item.skeleton];
        lengths.resize(edges.size());
        const auto points = frame.instance(item.place).points;
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const auto from = static_cast<std::size_t>(edges[e].source);
            const auto to = static_cast<std::size_t>(edges[e].destination);
            if (from < points.size() && to < points.size() && points[from].exists() && points[to].exists())
                lengths[e].add(std::hypot(points[from].x - points[to].x, points[from].y - points[to].y), times);
        }
    }
}

Scale scaleOf(const Columns& columns, const EdgeLengths& edges, double scoreQuantile) {
    LogHistogram sizes, speeds, scores;
    std::vector<std::int64_t> counts;
    struct Last {
        std::int64_t frame = 0;
        double x = 0, y = 0;
    };
    std::unordered_map<std::int32_t, Last> last;
    for (const Slot& slot : columns.slots) {
        const std::size_t count = slot.end - slot.begin;
        if (counts.size() <= count)
            counts.resize(count + 1, 0);
        ++counts[count];
        for (std::size_t i = slot.begin; i < slot.end; ++i) {
            const Item& item = columns.items[i];
            if (!item.somewhere())
                continue;
            sizes.add(item.diagonal());
            if (item.score == item.score)
                scores.add(item.score);
            if (item.track < 0)
                continue;
            const auto [known, isNew] = last.try_emplace(item.track, Last{slot.frame, item.x, item.y});
            const std::int64_t steps = slot.frame - known->second.frame;
            if (!isNew && steps > 0 && steps <= kLongestStep)
                speeds.add(std::hypot(item.x - known->second.x, item.y - known->second.y) / static_cast<double>(steps));
            known->second = {slot.frame, item.x, item.y};
        }
    }
    Scale scale;
    scale.speedMedian = speeds.quantile(0.5);
    scale.speedDeviation = speeds.deviation(scale.speedMedian);
    scale.step95 = speeds.quantile(0.95);
    // Poses of a single node have no size; what an animal covers in some frames must do.
    scale.body = std::max({sizes.quantile(0.5), sizes.quantile(0.5) > 0 ? 0.0 : 5 * scale.step95, 1.0});
    scale.scoreMedian = scores.quantile(0.5);
    scale.lowScore = scores.quantile(scoreQuantile);
    if (!counts.empty())
        scale.usualCount = static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    for (const auto& skeleton : edges.of) {
        auto& norms = scale.edges.emplace_back();
        for (const LogHistogram& lengths : skeleton) {
            EdgeNorm& norm = norms.emplace_back();
            if (lengths.total() < kLeastEdges)
                continue;
            norm.median = lengths.quantile(0.5);
            // A bin's width is no deviation.
            norm.deviation = std::max(lengths.deviation(norm.median), 0.02 * norm.median);
        }
    }
    return scale;
}

}  // namespace skein::proofread
