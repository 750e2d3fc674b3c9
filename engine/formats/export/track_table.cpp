// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/export/track_table.h"

#include <algorithm>

#include "engine/formats/try.h"

namespace skein::formats {
namespace {

using project::InstanceKind;
using project::InstanceView;

/// The instances of one frame number that may have a place, with how many there were beside them.
class FrameChoice {
public:
    FrameChoice(const project::Labels& labels, bool isTracked) : m_labels(labels), m_isTracked(isTracked) {}

    /// Looks at rows [begin, end) of `rows`, all of one frame number.
    void choose(std::span<const std::size_t> rows) {
        m_chosen.clear();
        m_total = 0;
        m_replaced.clear();
        for (const std::size_t row : rows) {
            const project::FrameView frame = m_labels.frame(row);
            for (std::size_t i = 0; i < frame.instanceCount() && !m_isTracked; ++i)
                if (const auto id = frame.instance(i).header->fromPredicted; id != 0)
                    m_replaced.push_back(id);
            for (std::size_t i = 0; i < frame.instanceCount(); ++i)
                consider(frame.instance(i));
        }
    }
    /// By track; of projects without tracks in their order.
    [[nodiscard]] const std::vector<InstanceView>& chosen() const { return m_chosen; }
    [[nodiscard]] std::size_t total() const { return m_total; }

private:
    void consider(const InstanceView& instance) {
        const project::InstanceHeader& header = *instance.header;
        if (!m_isTracked && std::find(m_replaced.begin(), m_replaced.end(), header.id) != m_replaced.end())
            return;  // stands there as the person's own
        ++m_total;
        if (header.skeleton != 0)
            return;
        if (!m_isTracked) {
            m_chosen.push_back(instance);
            return;
        }
        if (header.track < 0 || static_cast<std::size_t>(header.track) >= m_labels.tracks().size())
            return;
        const auto at = std::lower_bound(m_chosen.begin(), m_chosen.end(), header.track,
                                         [](const InstanceView& a, std::int32_t t) { return a.header->track < t; });
        if (at == m_chosen.end() || at->header->track != header.track) {
            m_chosen.insert(at, instance);
            return;
        }
        if (header.kind == InstanceKind::Predicted && at->header->kind == InstanceKind::Predicted)
            *at = instance;  // the later one, as SLEAP's own tables have it
        if (header.kind == InstanceKind::User) {
            // A prediction that a person has gone over is not lost.
            m_total -= at->header->kind == InstanceKind::Predicted ? 1 : 0;
            *at = instance;
        } else if (at->header->kind == InstanceKind::User) {
            --m_total;
        }
    }

    const project::Labels& m_labels;
    bool m_isTracked;
    std::vector<InstanceView> m_chosen;
    std::vector<project::InstanceId> m_replaced;
    std::size_t m_total = 0;
};

/// End of the run of rows that have the frame number of row `begin`.
std::size_t endOfFrame(const project::Labels& labels, const std::vector<std::size_t>& rows, std::size_t begin) {
    std::size_t end = begin + 1;
    const std::int64_t frame = labels.frame(rows[begin]).frameIndex();
    while (end < rows.size() && labels.frame(rows[end]).frameIndex() == frame)
        ++end;
    return end;
}

}  // namespace

Result<TrackTable> makeTrackTable(const project::Labels& labels, std::uint32_t video) {
    TrackTable table;
    table.video = video;
    if (video >= labels.videos().size() || labels.skeletons().empty())
        return fail(ErrorCode::InvalidArgument, "The project has no such video or no skeleton; nothing was exported.");
    table.rows = labels.rowsOf(video);
    std::erase_if(table.rows, [&labels](std::size_t row) { return labels.frame(row).frameIndex() < 0; });
    if (table.rows.empty())
        return fail(ErrorCode::InvalidArgument,
                    "The video " + labels.videos()[video].filename + " has no labelled frame; nothing was exported.");
    const std::int64_t last = labels.frame(table.rows.back()).frameIndex();
    table.frameCount = std::max(last + 1, labels.videos()[video].frameCount);
    table.isTracked = !labels.tracks().empty();

    std::vector<std::uint8_t> isTaken(labels.tracks().size(), 0);
    FrameChoice choice(labels, table.isTracked);
    for (std::size_t begin = 0, end = 0; begin < table.rows.size(); begin = end) {
        end = endOfFrame(labels, table.rows, begin);
        choice.choose(std::span(table.rows).subspan(begin, end - begin));
        const auto& chosen = choice.chosen();
        table.leftOut += choice.total() - chosen.size();
        if (!table.isTracked && chosen.size() > isTaken.size())
            isTaken.resize(chosen.size(), 1);
        for (std::size_t i = 0; i < chosen.size() && table.isTracked; ++i)
            isTaken[static_cast<std::size_t>(chosen[i].header->track)] = 1;
    }
    table.placeOf.assign(labels.tracks().size(), -1);
    for (std::size_t i = 0; i < isTaken.size(); ++i) {
        if (isTaken[i] == 0)
            continue;
        if (table.isTracked)
            table.placeOf[i] = static_cast<std::int32_t>(table.names.size());
        table.names.push_back(table.isTracked ? labels.tracks()[i].name : "track_" + std::to_string(i));
    }
    return table;
}

Result<void> visitFrames(
    const project::Labels& labels, const TrackTable& table, std::size_t from, std::size_t upTo,
    const std::function<Result<void>(std::int64_t frame, std::span<const PlacedInstance>)>& visit) {
    FrameChoice choice(labels, table.isTracked);
    std::vector<PlacedInstance> placed;
    for (std::size_t begin = from, end = 0; begin < upTo; begin = end) {
        end = endOfFrame(labels, table.rows, begin);
        choice.choose(std::span(table.rows).subspan(begin, end - begin));
        placed.clear();
        for (std::size_t i = 0; i < choice.chosen().size(); ++i) {
            const InstanceView& instance = choice.chosen()[i];
            placed.push_back({table.isTracked ? static_cast<std::size_t>(
                                                    table.placeOf[static_cast<std::size_t>(instance.header->track)])
                                              : i,
                              instance});
        }
        SKEIN_CHECK(visit(labels.frame(table.rows[begin]).frameIndex(), placed));
    }
    return {};
}

Result<void> visitFrames(
    const project::Labels& labels, const TrackTable& table,
    const std::function<Result<void>(std::int64_t frame, std::span<const PlacedInstance>)>& visit) {
    return visitFrames(labels, table, 0, table.rows.size(), visit);
}

}  // namespace skein::formats
