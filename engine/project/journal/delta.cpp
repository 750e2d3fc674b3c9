// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/journal/delta.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/project/journal/bytes.h"
#include "engine/project/journal/list_codec.h"
#include "engine/project/journal/row_pairs.h"

namespace skein::project::journal {
namespace {

// A delta: rows and instances of the earlier version (a check), the lists, then the rows in order as runs: how they
// come about, and how many they are.
enum Run : std::uint64_t { End, Kept, Changed, New };
enum InstanceFlag : std::uint8_t { HasOld = 1, HasHeader = 2, HasPoints = 4 };
/// Where the prediction lies that a user instance was made from.
enum Link : std::uint64_t { NoLink, InFrame, AsBefore, Elsewhere };

constexpr std::size_t kPointBytes = 25;

class Encoder {
public:
    Encoder(const Labels& before, const Labels& now) : m_before(before), m_now(now) {}

    Bytes encode() {
        m_out.number(m_before.frameCount());
        m_out.number(m_before.instanceCount());
        writeLists(m_before, m_now, m_out);
        for (const RowRun& run : pairRows(m_before, m_now)) {
            if (run.shared) {
                keep(run.before, run.count);
                continue;
            }
            const FrameView now = m_now.frame(run.now);
            if (run.before == kNoRow) {
                flush();
                m_out.number(New);
                writeFrame(nullptr, now);
                continue;
            }
            const FrameView old = m_before.frame(run.before);
            if (sameFrame(old, now)) {
                keep(run.before, 1);
                continue;
            }
            flush();
            m_out.number(Changed);
            m_out.number(run.before);
            writeFrame(&old, now);
        }
        flush();
        m_out.number(End);
        return m_out.take();
    }

private:
    void keep(std::size_t row, std::size_t count) {
        if (m_keptCount > 0 && m_kept + m_keptCount == row) {
            m_keptCount += count;
            return;
        }
        flush();
        m_kept = row;
        m_keptCount = count;
    }
    void flush() {
        if (m_keptCount == 0)
            return;
        m_out.number(Kept);
        m_out.number(m_kept);
        m_out.number(m_keptCount);
        m_keptCount = 0;
    }

    static bool sameFrame(const FrameView& a, const FrameView& b) {
        if (a.video() != b.video() || a.frameIndex() != b.frameIndex() || a.instanceCount() != b.instanceCount())
            return false;
        for (std::size_t i = 0; i < a.instanceCount(); ++i) {
            const InstanceView x = a.instance(i), y = b.instance(i);
            if (x.header->id != y.header->id || !sameHeader(*x.header, *y.header) || !samePoints(x, y))
                return false;
        }
        return true;
    }

    void writeFrame(const FrameView* old, const FrameView& now) {
        m_out.number(now.video());
        m_out.integer(now.frameIndex());
        m_out.number(now.instanceCount());
        for (std::size_t i = 0; i < now.instanceCount(); ++i)
            writeInstance(old, now, i);
    }

    void writeInstance(const FrameView* old, const FrameView& frame, std::size_t place) {
        const InstanceView now = frame.instance(place);
        const std::size_t oldPlace = old == nullptr ? 0 : placeOf(*old, now.header->id, place);
        const bool hasOld = old != nullptr && oldPlace < old->instanceCount();
        const InstanceView was = hasOld ? old->instance(oldPlace) : InstanceView{};
        const bool header = !hasOld || !sameHeader(*was.header, *now.header);
        const bool points = !hasOld || !samePoints(was, now);
        m_out.fixed(
            static_cast<std::uint8_t>((hasOld ? HasOld : 0) | (header ? HasHeader : 0) | (points ? HasPoints : 0)));
        if (hasOld)
            m_out.number(oldPlace);
        if (header) {
            m_out.number(now.header->kind == InstanceKind::User ? 0 : 1);
            m_out.number(now.header->skeleton);
            m_out.integer(now.header->track);
            m_out.fixed(now.header->score);
            m_out.fixed(now.header->trackingScore);
            writeLink(hasOld ? was.header : nullptr, frame, *now.header);
        }
        if (points) {
            m_out.number(now.points.size());
            for (const Point& point : now.points) {
                m_out.fixed(point.x);
                m_out.fixed(point.y);
                m_out.fixed(point.score);
                m_out.fixed(static_cast<std::uint8_t>((point.visible ? 1 : 0) | (point.complete ? 2 : 0)));
            }
        }
    }

    void writeLink(const InstanceHeader* was, const FrameView& frame, const InstanceHeader& now) {
        if (now.fromPredicted == 0) {
            m_out.number(NoLink);
            return;
        }
        const std::size_t place = placeOf(frame, now.fromPredicted, 0);
        if (place < frame.instanceCount()) {
            m_out.number(InFrame);
            m_out.number(place);
        } else if (was != nullptr && was->fromPredicted == now.fromPredicted) {
            m_out.number(AsBefore);
        } else if (const auto it = places().find(now.fromPredicted); it != places().end()) {
            m_out.number(Elsewhere);
            m_out.number(it->second.first);
            m_out.number(it->second.second);
        } else {
            m_out.number(NoLink);  // it is gone
        }
    }

    /// Row and place of every instance; made only when a link leads out of its frame, which is rare.
    const std::unordered_map<InstanceId, std::pair<std::size_t, std::size_t>>& places() {
        if (m_places.empty())
            for (std::size_t row = 0; row < m_now.frameCount(); ++row) {
                const FrameView frame = m_now.frame(row);
                for (std::size_t i = 0; i < frame.instanceCount(); ++i)
                    m_places.emplace(frame.instance(i).header->id, std::pair(row, i));
            }
        return m_places;
    }

    const Labels& m_before;
    const Labels& m_now;
    ByteWriter m_out;
    std::size_t m_kept = 0, m_keptCount = 0;
    std::unordered_map<InstanceId, std::pair<std::size_t, std::size_t>> m_places;
};

class Decoder {
public:
    Decoder(const Labels& before, std::span<const std::uint8_t> bytes) : m_before(before), m_in(bytes) {}

    Result<Labels> decode() {
        if (m_in.number() != m_before.frameCount() || m_in.number() != m_before.instanceCount())
            return broken();
        m_now = m_before;
        readLists(m_before, m_in, m_now);
        readRows();
        if (!m_in.ok() || !m_in.atEnd())
            return broken();
        m_inPlace ? patch() : rebuild();
        return linkElsewhere() ? Result<Labels>(std::move(m_now)) : broken();
    }

private:
    struct Row {
        std::size_t before = kNoRow;
        std::size_t count = 1;  ///< of kept rows
        std::size_t frame = 0;  ///< in m_frames, when there is one
        bool kept = false;
    };
    struct FarLink {
        InstanceId instance;
        std::size_t row, place;
    };

    static Result<Labels> broken() {
        return fail(ErrorCode::Format, "A record of the recovery file does not fit the project.");
    }

    void use(std::size_t row, std::size_t count) {
        for (std::size_t i = row; i < row + count; ++i) {
            if (m_used[i])
                m_in.spoil();
            m_used[i] = true;
        }
        m_inPlace = m_inPlace && row >= m_nextOld && !m_anyNew;
        m_nextOld = row + count;
    }

    void readRows() {
        m_used.assign(m_before.frameCount(), false);
        while (m_in.ok()) {
            const std::uint64_t kind = m_in.number();
            if (kind == End)
                return;
            Row row;
            if (kind == Kept) {
                row.before = m_in.numberUpTo(m_before.frameCount());
                row.count = m_in.numberUpTo(m_before.frameCount() - row.before);
                row.kept = true;
                if (m_in.ok())
                    use(row.before, row.count);
            } else if (kind == Changed && m_before.frameCount() > 0) {
                row.before = m_in.numberUpTo(m_before.frameCount() - 1);
                const FrameView old = m_before.frame(row.before);
                row.frame = readFrame(&old);
                if (m_in.ok())
                    use(row.before, 1);
            } else if (kind == New) {
                row.frame = readFrame(nullptr);
                m_anyNew = true;
            } else {
                m_in.spoil();
            }
            m_rows.push_back(row);
        }
    }

    std::size_t readFrame(const FrameView* old) {
        FrameData frame;
        frame.video = static_cast<std::uint32_t>(m_in.numberUpTo(0xffffffffU));
        frame.frameIndex = m_in.integer();
        frame.originRow = old == nullptr ? -1 : old->originRow();
        if (frame.frameIndex < 0)
            m_in.spoil();
        if (frame.video >= m_now.videos().size() && (old == nullptr || frame.video != old->video()))
            m_in.spoil();
        m_inPlace =
            m_inPlace && (old == nullptr || (old->video() == frame.video && old->frameIndex() == frame.frameIndex));
        const std::size_t count = m_in.count();
        m_links.clear();
        for (std::size_t i = 0; i < count && m_in.ok(); ++i)
            frame.instances.push_back(readInstance(old, i));
        for (const auto& [from, to] : m_links) {
            if (to >= frame.instances.size())
                m_in.spoil();
            else
                frame.instances[from].header.fromPredicted = frame.instances[to].header.id;
        }
        m_frames.push_back(std::move(frame));
        return m_frames.size() - 1;
    }

    InstanceData readInstance(const FrameView* old, std::size_t place) {
        InstanceData instance;
        const auto flags = m_in.fixed<std::uint8_t>();
        if ((flags & HasOld) != 0) {
            const std::size_t at = m_in.number();
            if (old == nullptr || at >= old->instanceCount()) {
                m_in.spoil();
                return instance;
            }
            const InstanceView was = old->instance(at);
            instance.header = *was.header;
            instance.points.assign(was.points.begin(), was.points.end());
        } else {
            instance.header.id = m_now.newInstanceId();
        }
        if ((flags & HasHeader) != 0)
            readHeader(instance.header, (flags & HasOld) != 0, place);
        if ((flags & HasPoints) != 0) {
            instance.points.resize(m_in.count(kPointBytes));
            for (Point& point : instance.points) {
                point.x = m_in.fixed<double>();
                point.y = m_in.fixed<double>();
                point.score = m_in.fixed<double>();
                const auto seen = m_in.fixed<std::uint8_t>();
                point.visible = (seen & 1U) != 0;
                point.complete = (seen & 2U) != 0;
            }
        }
        if (flags == 0 || flags > (HasOld | HasHeader | HasPoints))
            m_in.spoil();
        return instance;
    }

    void readHeader(InstanceHeader& header, bool hasOld, std::size_t place) {
        header.kind = m_in.numberUpTo(1) == 0 ? InstanceKind::User : InstanceKind::Predicted;
        const auto skeleton = static_cast<std::uint32_t>(m_in.numberUpTo(0xffffffffU));
        const std::int64_t track = m_in.integer();
        if ((skeleton >= m_now.skeletons().size() && !(hasOld && skeleton == header.skeleton)) || track < -1 ||
            (track >= static_cast<std::int64_t>(m_now.tracks().size()) && !(hasOld && track == header.track)))
            m_in.spoil();
        header.skeleton = skeleton;
        header.track = static_cast<std::int32_t>(track);
        header.score = m_in.fixed<float>();
        header.trackingScore = m_in.fixed<float>();
        switch (m_in.numberUpTo(Elsewhere)) {
            case InFrame:
                m_links.emplace_back(place, m_in.number());
                break;
            case AsBefore:
                break;
            case Elsewhere: {
                const std::size_t row = m_in.number();
                m_farLinks.push_back({header.id, row, m_in.number()});
                break;
            }
            default:
                header.fromPredicted = 0;
        }
    }

    /// Rows keep their order, some go, some are new at the end: what edits do.
    void patch() {
        std::map<std::size_t, FrameData*> changed;
        for (const Row& row : m_rows)
            if (!row.kept && row.before != kNoRow)
                changed.emplace(row.before, &m_frames[row.frame]);
        std::vector<std::size_t> rows, removed;
        for (const auto& [row, frame] : changed)
            rows.push_back(row);
        auto next = changed.begin();
        (void)m_now.rewriteFrames(rows, [&next](FrameData& data) {
            data = std::move(*(next++)->second);
            return true;
        });
        for (std::size_t row = 0; row < m_used.size(); ++row)
            if (!m_used[row])
                removed.push_back(row);
        if (!removed.empty())
            m_now.removeFrames(removed);
        for (const Row& row : m_rows)
            if (row.before == kNoRow)
                (void)m_now.appendFrame(std::move(m_frames[row.frame]));
    }

    void rebuild() {
        std::vector<std::size_t> all(m_now.frameCount());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = i;
        m_now.removeFrames(all);
        LabelsBuilder builder(std::move(m_now));
        const auto add = [&builder](const FrameData& frame) {
            builder.beginFrame(frame.video, frame.frameIndex, frame.originRow);
            for (const InstanceData& instance : frame.instances) {
                const std::span<Point> points = builder.addInstance(instance.header, instance.points.size());
                std::copy(instance.points.begin(), instance.points.end(), points.begin());
            }
        };
        for (const Row& row : m_rows) {
            if (!row.kept)
                add(m_frames[row.frame]);
            else
                for (std::size_t i = 0; i < row.count; ++i)
                    add(m_before.frame(row.before + i).toData());
        }
        m_now = builder.finish();
    }

    bool linkElsewhere() {
        std::unordered_map<InstanceId, InstanceId> targets;
        for (const FarLink& link : m_farLinks) {
            if (link.row >= m_now.frameCount() || link.place >= m_now.frame(link.row).instanceCount())
                return false;
            targets.emplace(link.instance, m_now.frame(link.row).instance(link.place).header->id);
        }
        if (targets.empty())
            return true;
        std::vector<std::size_t> rows(m_now.frameCount());
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] = i;
        (void)m_now.rewriteHeaders(rows, [&targets](const FrameView&, std::span<InstanceHeader> headers) {
            bool changed = false;
            for (InstanceHeader& header : headers)
                if (const auto it = targets.find(header.id); it != targets.end()) {
                    header.fromPredicted = it->second;
                    changed = true;
                }
            return changed;
        });
        return true;
    }

    const Labels& m_before;
    ByteReader m_in;
    Labels m_now;
    std::vector<Row> m_rows;
    std::vector<FrameData> m_frames;
    std::vector<std::pair<std::size_t, std::size_t>> m_links;  ///< of the frame being read: instance, target
    std::vector<FarLink> m_farLinks;
    std::vector<bool> m_used;  ///< rows of the earlier version that stay
    std::size_t m_nextOld = 0;
    bool m_anyNew = false;
    bool m_inPlace = true;
};

}  // namespace

Bytes encodeDelta(const Labels& before, const Labels& now) {
    return Encoder(before, now).encode();
}

Result<Labels> applyDelta(const Labels& before, std::span<const std::uint8_t> bytes) {
    return Decoder(before, bytes).decode();
}

Difference differenceOf(const Labels& before, const Labels& now) {
    Difference d;
    std::size_t kept = 0;
    for (const RowRun& run : pairRows(before, now)) {
        if (run.before == kNoRow) {
            ++d.framesAdded;
            d.instancesAdded += now.frame(run.now).instanceCount();
            continue;
        }
        kept += run.count;
        if (run.shared)
            continue;
        const FrameView old = before.frame(run.before), fresh = now.frame(run.now);
        std::size_t found = 0, changed = 0, added = 0;
        for (std::size_t i = 0; i < fresh.instanceCount(); ++i) {
            const InstanceView instance = fresh.instance(i);
            const std::size_t place = placeOf(old, instance.header->id, i);
            if (place == old.instanceCount()) {
                ++added;
                continue;
            }
            ++found;
            const InstanceView was = old.instance(place);
            if (!sameHeader(*was.header, *instance.header) || !samePoints(was, instance))
                ++changed;
        }
        const std::size_t gone = old.instanceCount() - found;
        d.instancesAdded += added;
        d.instancesChanged += changed;
        d.instancesRemoved += gone;
        if (added + changed + gone > 0 || old.video() != fresh.video() || old.frameIndex() != fresh.frameIndex())
            ++d.framesChanged;
    }
    d.framesRemoved = before.frameCount() - kept;
    // What went with whole frames is what is missing in the sum.
    d.instancesRemoved = before.instanceCount() + d.instancesAdded - now.instanceCount();
    const auto &a = before.tracks(), &b = now.tracks();
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
        d.tracksChanged += i >= a.size() || i >= b.size() || a[i].name != b[i].name ? 1 : 0;
    d.videos = listDiffers(before.videos(), now.videos());
    d.skeletons = listDiffers(before.skeletons(), now.skeletons());
    d.suggestions = listDiffers(before.suggestions(), now.suggestions());
    d.negatives = listDiffers(before.negativeFrames(), now.negativeFrames());
    return d;
}

}  // namespace skein::project::journal
