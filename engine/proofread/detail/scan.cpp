// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/detail/scan.h"

#include <algorithm>

#include "engine/proofread/detail/link_doubts.h"
#include "engine/proofread/detail/pose_doubts.h"

namespace skein::proofread {

namespace {

class Scanner {
public:
    Scanner(const project::Labels& labels, std::uint32_t video, const Columns& columns, const Scale& scale,
            const IssueOptions& options, Found& found)
        : m_labels(labels),
          m_columns(columns),
          m_links(video, scale, options, found.signals),
          m_poses(labels, scale, options, found.doubts),
          m_trails(labels.tracks().size()) {}

    bool run(const FrameRange& range, const std::function<bool(std::size_t)>& tick) {
        for (const std::int32_t track : m_active)
            m_trails[static_cast<std::size_t>(track)] = {};
        m_active.clear();
        std::size_t slot = m_columns.firstSlotFrom(std::max<std::int64_t>(range.first, kReach) - kReach);
        for (; slot < m_columns.slots.size() && m_columns.slots[slot].frame <= range.last; ++slot) {
            if (!look(m_columns.slots[slot], m_columns.slots[slot].frame >= range.first))
                return false;
            if (++m_done % 512 == 0 && !tick(m_done))
                return false;
        }
        return true;
    }

private:
    bool look(const Slot& slot, bool wanted) {
        const project::FrameView view = m_labels.frame(slot.row);
        const std::span<const Item> items =
            std::span<const Item>(m_columns.items).subspan(slot.begin, slot.end - slot.begin);
        m_points.clear();
        m_present.clear();
        for (std::size_t i = 0; i < items.size(); ++i) {
            m_points.push_back(view.instance(items[i].place).points);
            if (hasTrail(items[i]))
                m_present.push_back(i);
        }
        // Tracks that were not seen for long are forgotten, so that a file of ten thousand tracks costs what is there.
        m_active.erase(std::remove_if(m_active.begin(), m_active.end(),
                                      [&](std::int32_t track) {
                                          Trail& trail = m_trails[static_cast<std::size_t>(track)];
                                          if (slot.frame - trail.last().frame <= kBelieved)
                                              return false;
                                          trail = {};
                                          return true;
                                      }),
                       m_active.end());
        // In an order that does not depend on where the scan began.
        std::sort(m_active.begin(), m_active.end());
        if (wanted) {
            m_links.look(slot.frame, items, m_points, m_present, m_active, m_trails);
            m_poses.look(slot.frame, items, m_points, m_trails);
        }
        for (const std::size_t i : m_present) {
            Trail& trail = m_trails[static_cast<std::size_t>(items[i].track)];
            if (!trail.isKnown())
                m_active.push_back(items[i].track);
            // Two of one track in a frame (a file's mistake): the first counts.
            else if (trail.last().frame == slot.frame)
                continue;
            trail.add(slot.frame, items[i], m_points[i]);
        }
        return true;
    }

    [[nodiscard]] bool hasTrail(const Item& item) const {
        return item.somewhere() && item.track >= 0 && static_cast<std::size_t>(item.track) < m_trails.size();
    }

    const project::Labels& m_labels;
    const Columns& m_columns;
    LinkDoubts m_links;
    PoseDoubts m_poses;
    std::vector<Trail> m_trails;         // of each track
    std::vector<std::int32_t> m_active;  // tracks seen within the last kBelieved frames
    std::vector<std::span<const project::Point>> m_points;
    std::vector<std::size_t> m_present;  // items with a track
    std::size_t m_done = 0;
};

}  // namespace

bool scan(const project::Labels& labels, std::uint32_t video, const Columns& columns, const Scale& scale,
          const IssueOptions& options, const std::vector<FrameRange>& ranges, Found& found,
          const std::function<bool(std::size_t)>& tick) {
    Scanner scanner(labels, video, columns, scale, options, found);
    for (const FrameRange& range : ranges)
        if (!scanner.run(range, tick))
            return false;
    return true;
}

}  // namespace skein::proofread
