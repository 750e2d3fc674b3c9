// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/merge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "engine/project/edit/pose.h"

namespace skein::project::edit {
namespace {

/// Two instances are of one animal when the median distance of their nodes is below this share of their size: one node
/// that somebody has corrected makes no other animal.
constexpr double kSameShare = 0.1;

bool sameNumber(double a, double b) {
    return a == b || (a != a && b != b);
}

bool isUser(const InstanceData& instance) {
    return instance.header.kind == InstanceKind::User;
}

bool equalInstances(const InstanceData& a, const InstanceData& b) {
    return a.header.kind == b.header.kind && a.header.skeleton == b.header.skeleton &&
           a.header.track == b.header.track &&
           std::equal(
               a.points.begin(), a.points.end(), b.points.begin(), b.points.end(), [](const Point& p, const Point& q) {
                   return sameNumber(p.x, q.x) && sameNumber(p.y, q.y) && (p.visible == q.visible || !hasPlace(p));
               });
}

bool onOneAnother(const InstanceData& a, const InstanceData& b) {
    if (a.header.skeleton != b.header.skeleton || a.points.size() != b.points.size())
        return false;
    Box box;
    if (!boundsOf(a.points, box))
        return false;
    std::vector<double> distances;
    for (std::size_t i = 0; i < a.points.size(); ++i)
        if (hasPlace(a.points[i]) && hasPlace(b.points[i]))
            distances.push_back(std::hypot(a.points[i].x - b.points[i].x, a.points[i].y - b.points[i].y));
    if (distances.empty())
        return false;
    // Of two nodes both count.
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    // A single node has no size: a few pixels are one place.
    return *middle <= std::max(2.0, kSameShare * box.diagonal());
}

class Merger {
public:
    Merger(const Labels& mine, const Labels& theirs, const MergeOptions& options)
        : m_theirs(theirs), m_options(options) {
        m_result.labels = mine;
    }

    Merged merge() {
        for (std::size_t row = 0; row < m_theirs.frameCount(); ++row)
            for (std::size_t i = 0; i < m_theirs.frame(row).instanceCount(); ++i) {
                const InstanceHeader& header = *m_theirs.frame(row).instance(i).header;
                if (header.fromPredicted != 0)
                    m_userOf.emplace(header.fromPredicted, header.id);
            }
        matchVideos();
        matchSkeletons();
        matchTracks();
        mergeFrames();
        mergeLists();
        return std::move(m_result);
    }

private:
    void matchVideos() {
        for (std::size_t i = 0; i < m_theirs.videos().size(); ++i) {
            const std::int32_t here = i < m_options.videos.size() ? m_options.videos[i] : -1;
            if (here >= 0 && static_cast<std::size_t>(here) < m_result.labels.videos().size()) {
                m_videos.push_back(static_cast<std::uint32_t>(here));
                ++m_result.counts.videosMatched;
                continue;
            }
            m_videos.push_back(static_cast<std::uint32_t>(m_result.labels.videos().size()));
            Video video = m_theirs.videos()[i];
            video.originRow = -1;
            m_result.labels.editVideos().push_back(std::move(video));
            ++m_result.counts.videosAdded;
        }
    }

    void matchSkeletons() {
        for (const Skeleton& skeleton : m_theirs.skeletons()) {
            const auto& own = m_result.labels.skeletons();
            const auto same = std::find_if(own.begin(), own.end(), [&skeleton](const Skeleton& s) {
                return s.nodes.size() == skeleton.nodes.size() &&
                       std::all_of(s.nodes.begin(), s.nodes.end(), [&skeleton](const std::string& node) {
                           return skeleton.nodeIndex(node).has_value();
                       });
            });
            SkeletonMap map;
            if (same != own.end()) {
                map.index = static_cast<std::uint32_t>(same - own.begin());
                for (const std::string& node : same->nodes)
                    map.from.push_back(static_cast<std::size_t>(*skeleton.nodeIndex(node)));
            } else {
                map.index = static_cast<std::uint32_t>(own.size());
                for (std::size_t i = 0; i < skeleton.nodes.size(); ++i)
                    map.from.push_back(i);
                m_result.labels.editSkeletons().push_back(skeleton);
                ++m_result.counts.skeletonsAdded;
            }
            m_skeletons.push_back(std::move(map));
        }
    }

    void matchTracks() {
        std::map<std::string, std::vector<std::int32_t>> byName;
        const auto& own = m_result.labels.tracks();
        for (std::size_t i = 0; i < own.size(); ++i)
            byName[own[i].name].push_back(static_cast<std::int32_t>(i));
        std::map<std::string, std::size_t> seen;
        for (const Track& track : m_theirs.tracks()) {
            const std::size_t nth = seen[track.name]++;
            std::vector<std::int32_t>& known = byName[track.name];
            if (nth >= known.size()) {
                known.push_back(static_cast<std::int32_t>(m_result.labels.tracks().size()));
                m_result.labels.editTracks().push_back({track.name, track.spawnedOn, -1});
                ++m_result.counts.tracksAdded;
            }
            m_tracks.push_back(known[nth]);
        }
    }

    /// One of theirs in the terms of this project. Links follow when all are known.
    InstanceData translated(InstanceData instance) {
        InstanceHeader& header = instance.header;
        const InstanceId before = header.id;
        header.id = m_result.labels.newInstanceId();
        m_ids.emplace(before, header.id);
        if (const auto user = m_userOf.find(before); user != m_userOf.end())
            m_userOfNew.emplace(header.id, user->second);
        if (header.fromPredicted != 0)
            m_links.emplace(header.id, header.fromPredicted);
        header.fromPredicted = 0;
        header.originRow = -1;
        header.track = header.track >= 0 && static_cast<std::size_t>(header.track) < m_tracks.size()
                           ? m_tracks[static_cast<std::size_t>(header.track)]
                           : -1;
        if (header.skeleton < m_skeletons.size()) {
            const SkeletonMap& map = m_skeletons[header.skeleton];
            header.skeleton = map.index;
            Pose points(map.from.size());
            for (std::size_t i = 0; i < map.from.size(); ++i)
                if (map.from[i] < instance.points.size())
                    points[i] = instance.points[map.from[i]];
            instance.points = std::move(points);
        }
        return instance;
    }

    void mergeFrames() {
        std::map<std::size_t, FrameData> changed;
        for (std::size_t row = 0; row < m_theirs.frameCount(); ++row) {
            FrameData frame = m_theirs.frame(row).toData();
            if (frame.video >= m_videos.size())
                continue;
            frame.video = m_videos[frame.video];
            frame.originRow = -1;
            for (InstanceData& instance : frame.instances)
                instance = translated(std::move(instance));
            const auto here = m_result.labels.findFrame(frame.video, frame.frameIndex);
            if (!here) {
                ++m_result.counts.framesAdded;
                for (const InstanceData& instance : frame.instances)
                    ++(isUser(instance) ? m_result.counts.usersAdded : m_result.counts.predictionsAdded);
                (void)m_result.labels.appendFrame(std::move(frame));
                continue;
            }
            const auto known = changed.find(*here);
            FrameData mine = known != changed.end() ? known->second : m_result.labels.frame(*here).toData();
            ++m_result.counts.framesOfBoth;
            if (mergeFrame(mine, std::move(frame.instances)))
                changed.insert_or_assign(*here, std::move(mine));
        }
        std::vector<std::size_t> rows;
        for (const auto& [row, frame] : changed)
            rows.push_back(row);
        (void)m_result.labels.rewriteFrames(rows, [next = changed.begin()](FrameData& data) mutable {
            data = std::move((next++)->second);
            return true;
        });
        link();
    }

    bool mergeFrame(FrameData& mine, std::vector<InstanceData> theirs) {
        // What is here already; its links and those to it mean the instance that is here.
        std::erase_if(theirs, [&](const InstanceData& instance) {
            const auto same = std::find_if(mine.instances.begin(), mine.instances.end(),
                                           [&](const InstanceData& m) { return equalInstances(m, instance); });
            if (same == mine.instances.end())
                return false;
            m_same.emplace(instance.header.id, same->header.id);
            m_links.erase(instance.header.id);
            ++m_result.counts.duplicates;
            return true;
        });
        bool changed = false;
        for (InstanceData& instance : theirs)
            if (isUser(instance))
                changed = mergeUser(mine, instance) || changed;
        return mergePredictions(mine, theirs) || changed;
    }

    bool mergeUser(FrameData& mine, InstanceData& instance) {
        const auto rival = std::find_if(mine.instances.begin(), mine.instances.end(), [&](const InstanceData& m) {
            return isUser(m) && m_fresh.count(m.header.id) == 0 &&
                   ((m.header.track >= 0 && m.header.track == instance.header.track) || onOneAnother(m, instance));
        });
        if (rival != mine.instances.end()) {
            ++m_result.counts.userConflicts;
            if (m_options.users == Prefer::Mine) {
                m_same.emplace(instance.header.id, rival->header.id);
                m_links.erase(instance.header.id);
                return false;
            }
            if (m_options.users == Prefer::Theirs) {
                // Its place in the frame, its identity and where it came from stay.
                m_same.emplace(instance.header.id, rival->header.id);
                if (m_links.count(instance.header.id) > 0)
                    m_links.emplace(rival->header.id, m_links.at(instance.header.id));
                rival->points = std::move(instance.points);
                rival->header.track = instance.header.track >= 0 ? instance.header.track : rival->header.track;
                ++m_result.counts.replaced;
                return true;
            }
            instance.header.track = instance.header.track == rival->header.track ? -1 : instance.header.track;
        }
        ++m_result.counts.usersAdded;
        m_fresh.insert(instance.header.id);
        mine.instances.push_back(std::move(instance));
        return true;
    }

    /// The user instance that the prediction lies on, or null.
    static InstanceData* userOn(FrameData& frame, const InstanceData& prediction) {
        for (InstanceData& m : frame.instances)
            if (isUser(m) && onOneAnother(m, prediction))
                return &m;
        return nullptr;
    }

    /// Whether a user instance of theirs that was taken over was made from this prediction of theirs.
    bool isSourceOfKept(InstanceId prediction) const {
        const auto user = m_userOfNew.find(prediction);
        const auto id = user == m_userOfNew.end() ? m_ids.end() : m_ids.find(user->second);
        if (id == m_ids.end())
            return false;
        const auto same = m_same.find(id->second);
        return m_links.count(same == m_same.end() ? id->second : same->second) > 0;
    }

    bool mergePredictions(FrameData& mine, std::vector<InstanceData>& theirs) {
        const auto unclaimed = [&](const InstanceData& m) {
            return !isUser(m) && std::none_of(mine.instances.begin(), mine.instances.end(), [&](const InstanceData& u) {
                return u.header.fromPredicted == m.header.id;
            });
        };
        const bool haveSome = std::any_of(mine.instances.begin(), mine.instances.end(), unclaimed);
        std::vector<InstanceData> open;
        bool changed = false;
        for (InstanceData& prediction : theirs) {
            if (isUser(prediction) || prediction.points.empty())
                continue;
            InstanceData* user = userOn(mine, prediction);
            const bool linked =
                user != nullptr && (user->header.fromPredicted != 0 || m_links.count(user->header.id) > 0);
            const bool isSource = isSourceOfKept(prediction.header.id);
            if (user != nullptr && linked && !isSource)
                continue;  // accepted already, from another run
            if (user != nullptr || isSource) {
                if (user != nullptr && !linked)
                    user->header.fromPredicted = prediction.header.id;
                ++m_result.counts.predictionsAdded;
                mine.instances.push_back(std::move(prediction));
                changed = true;
                continue;
            }
            open.push_back(std::move(prediction));
        }
        if (open.empty())
            return changed;
        if (haveSome) {
            ++m_result.counts.predictionConflicts;
            if (m_options.predictions == Prefer::Mine)
                return changed;
            if (m_options.predictions == Prefer::Theirs) {
                const std::size_t before = mine.instances.size();
                std::vector<InstanceData> kept;
                for (InstanceData& m : mine.instances)
                    if (!unclaimed(m))
                        kept.push_back(m);
                m_result.counts.replaced += before - kept.size();
                mine.instances = std::move(kept);
            }
        }
        m_result.counts.predictionsAdded += open.size();
        std::move(open.begin(), open.end(), std::back_inserter(mine.instances));
        return true;
    }

    void link() {
        if (m_links.empty())
            return;
        (void)m_result.labels.rewriteHeaders(
            allRows(m_result.labels), [this](const FrameView&, std::span<InstanceHeader> headers) {
                bool changed = false;
                for (InstanceHeader& header : headers) {
                    const auto link = m_links.find(header.id);
                    const auto target = link == m_links.end() ? m_ids.end() : m_ids.find(link->second);
                    if (target == m_ids.end())
                        continue;
                    const auto same = m_same.find(target->second);
                    header.fromPredicted = same == m_same.end() ? target->second : same->second;
                    changed = true;
                }
                return changed;
            });
    }

    void mergeLists() {
        std::set<std::pair<std::uint32_t, std::int64_t>> known;
        for (const Suggestion& s : m_result.labels.suggestions())
            known.emplace(s.video, s.frameIndex);
        for (const Suggestion& s : m_theirs.suggestions())
            if (s.video < m_videos.size() && known.emplace(m_videos[s.video], s.frameIndex).second) {
                m_result.labels.editSuggestions().push_back({m_videos[s.video], s.frameIndex, s.group, {}});
                ++m_result.counts.suggestionsAdded;
            }
        const auto& own = m_result.labels.negativeFrames();
        known = {own.begin(), own.end()};
        for (const auto& [video, frame] : m_theirs.negativeFrames()) {
            if (video >= m_videos.size())
                continue;
            const std::pair place(m_videos[video], frame);
            const auto row = m_result.labels.findFrame(place.first, place.second);
            if ((row && m_result.labels.frame(*row).hasUserInstance()) || !known.insert(place).second)
                continue;
            m_result.labels.editNegativeFrames().push_back(place);
            ++m_result.counts.negativesAdded;
        }
    }

    struct SkeletonMap {
        std::uint32_t index = 0;
        std::vector<std::size_t> from;  ///< for each node here the node there
    };

    const Labels& m_theirs;
    const MergeOptions& m_options;
    Merged m_result;
    std::vector<std::uint32_t> m_videos;
    std::vector<SkeletonMap> m_skeletons;
    std::vector<std::int32_t> m_tracks;
    std::unordered_map<InstanceId, InstanceId> m_ids;        ///< theirs: new id
    std::unordered_map<InstanceId, InstanceId> m_links;      ///< user instance here: id of its source there
    std::unordered_map<InstanceId, InstanceId> m_same;       ///< new id of what was left out: the instance that is it
    std::unordered_map<InstanceId, InstanceId> m_userOf;     ///< their prediction: their instance made from it
    std::unordered_map<InstanceId, InstanceId> m_userOfNew;  ///< the same, the prediction by its new id
    std::set<InstanceId> m_fresh;                            ///< user instances that came with the merge
};

}  // namespace

Merged mergeProjects(const Labels& mine, const Labels& theirs, const MergeOptions& options) {
    return Merger(mine, theirs, options).merge();
}

}  // namespace skein::project::edit
