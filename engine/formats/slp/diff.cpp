// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "engine/base/assignment.h"
#include "engine/formats/json/json.h"
#include "engine/formats/slp.h"
#include "engine/formats/slp_diff.h"
#include "engine/formats/try.h"
#include "engine/formats/video_path.h"

namespace skein::formats {
namespace fs = std::filesystem;
namespace {

using project::FrameView;
using project::InstanceKind;
using project::InstanceView;
using project::Labels;

/// Instances further apart than this, on average over common points, are never taken for the same one.
constexpr double kFarthestMatch = 50;
constexpr double kForbidden = std::numeric_limits<double>::infinity();

std::string shown(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

/// Name by which a video is known: of the video that its images were taken from, where it is a package.
std::string videoKey(const project::Video& video) {
    std::string name = video.filename;
    Json source;
    if (!video.sourceJson.empty())
        if (auto parsed = parseJson(video.sourceJson, "The source of a video"))
            source = std::move(*parsed);
    while (source.is_object()) {
        const Json& backend = member(source, "backend");
        const Json& files = member(backend, "filenames");
        if (files.is_array() && !files.empty() && files.front().is_string())
            name = files.front().get<std::string>();
        else
            name = stringMember(backend, "filename", stringMember(source, "filename", name));
        Json next = member(source, "source_video");
        source = std::move(next);
    }
    return storedBaseName(name);
}

double scoreDifference(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && std::isnan(b) ? 0 : kForbidden;
    return std::abs(a - b);
}

/// Whether a project is what a run has left that did not come to its end.
bool isPart(const Labels& labels) {
    const auto provenance = parseJson(labels.provenanceJson(), "The provenance");
    return provenance && stringMember(*provenance, "run_state") == "partial";
}

std::vector<std::array<int, 2>> sortedPairs(const project::Skeleton& skeleton) {
    auto pairs = skeleton.symmetries;
    for (auto& pair : pairs)
        std::sort(pair.begin(), pair.end());
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

class Comparison {
public:
    Comparison(const Labels& a, const Labels& b, const DiffOptions& options) : m_a(a), m_b(b), m_options(options) {}

    DiffReport run() {
        matchVideos();
        compareSkeletons();
        compareSuggestions();
        compareFrames();
        compareTracks();
        if (isPart(m_a) != isPart(m_b))
            add("unfinished", std::string("the run of the ") + (isPart(m_a) ? "first" : "second") +
                                  " file was stopped before its end, and frames are missing");
        m_report.framesA = m_a.frameCount();
        m_report.framesB = m_b.frameCount();
        m_report.instancesA = m_a.instanceCount();
        m_report.instancesB = m_b.instanceCount();
        if (m_report.comparedPoints > 0)
            m_report.meanDistance = m_distanceSum / static_cast<double>(m_report.comparedPoints);
        return std::move(m_report);
    }

private:
    void add(const std::string& kind, const std::string& text) {
        m_report.equal = false;
        ++m_report.kinds[kind];
        if (m_report.lines.size() < m_options.maxLines)
            m_report.lines.push_back("[" + kind + "] " + text);
    }

    void matchVideos() {
        const auto keys = [](const Labels& labels) {
            std::vector<std::string> names;
            for (const project::Video& video : labels.videos())
                names.push_back(videoKey(video));
            return names;
        };
        const auto a = keys(m_a);
        const auto b = keys(m_b);
        m_videoOfA.assign(a.size(), -1);
        if (a == b || (a.size() == 1 && b.size() == 1)) {
            std::iota(m_videoOfA.begin(), m_videoOfA.end(), 0);
        } else {
            std::set<std::size_t> used;
            for (std::size_t i = 0; i < a.size(); ++i)
                for (std::size_t k = 0; k < b.size(); ++k)
                    if (a[i] == b[k] && used.insert(k).second) {
                        m_videoOfA[i] = static_cast<std::int64_t>(k);
                        break;
                    }
        }
        if (a.size() != b.size())
            add("videos", std::to_string(a.size()) + " videos against " + std::to_string(b.size()));
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (m_videoOfA[i] < 0) {
                add("videos", "video " + std::to_string(i + 1) + " (" + a[i] + ") is in the first file only");
                continue;
            }
            const auto& other = b[static_cast<std::size_t>(m_videoOfA[i])];
            if (a[i] != other)
                add("videos", "video " + std::to_string(i + 1) + " is " + a[i] + " against " + other);
        }
    }

    void compareSkeletons() {
        const auto& a = m_a.skeletons();
        const auto& b = m_b.skeletons();
        if (a.size() != b.size())
            add("skeletons", std::to_string(a.size()) + " skeletons against " + std::to_string(b.size()));
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            const std::string which = "skeleton " + std::to_string(i + 1);
            if (a[i].name != b[i].name)
                add("skeletons", which + " is named " + a[i].name + " against " + b[i].name);
            if (a[i].nodes != b[i].nodes)
                add("skeletons", which + " has other nodes or another order of them");
            if (a[i].edges != b[i].edges)
                add("skeletons", which + " has other edges or another order of them");
            if (sortedPairs(a[i]) != sortedPairs(b[i]))
                add("skeletons", which + " has other symmetries");
        }
    }

    void compareSuggestions() {
        const auto keys = [](const Labels& labels, const auto& videoOf) {
            std::vector<std::array<std::int64_t, 3>> list;
            for (const project::Suggestion& s : labels.suggestions())
                list.push_back({videoOf(s.video), s.frameIndex, s.group});
            return list;
        };
        const auto a = keys(m_a, [this](std::uint32_t video) { return m_videoOfA[video]; });
        const auto b = keys(m_b, [](std::uint32_t video) { return static_cast<std::int64_t>(video); });
        if (a != b)
            add("suggestions",
                std::to_string(a.size()) + " suggestions against " + std::to_string(b.size()) + ", or other ones");
    }

    static std::string place(const FrameView& frame) {
        return "video " + std::to_string(frame.video() + 1) + " frame " + std::to_string(frame.frameIndex());
    }

    void compareFrames() {
        std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> rowsOfB;
        for (std::size_t row = 0; row < m_b.frameCount(); ++row) {
            const FrameView frame = m_b.frame(row);
            rowsOfB[{frame.video(), frame.frameIndex()}].push_back(row);
        }
        std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> next;
        std::vector<bool> seen(m_b.frameCount(), false);
        const std::set<std::pair<std::uint32_t, std::int64_t>> negativeA(m_a.negativeFrames().begin(),
                                                                         m_a.negativeFrames().end());
        const std::set<std::pair<std::uint32_t, std::int64_t>> negativeB(m_b.negativeFrames().begin(),
                                                                         m_b.negativeFrames().end());
        for (std::size_t row = 0; row < m_a.frameCount(); ++row) {
            const FrameView frame = m_a.frame(row);
            const std::pair key(m_videoOfA[frame.video()], frame.frameIndex());
            const auto rows = rowsOfB.find(key);
            std::size_t& used = next[key];
            if (rows == rowsOfB.end() || used >= rows->second.size()) {
                if (frame.instanceCount() > 0)
                    add("frames", place(frame) + " (" + std::to_string(frame.instanceCount()) +
                                      " instances) is in the first file only");
                else
                    ++m_report.emptyOnlyInA;
                continue;
            }
            const std::size_t other = rows->second[used++];
            seen[other] = true;
            const FrameView frameB = m_b.frame(other);
            if (negativeA.contains({frame.video(), frame.frameIndex()}) !=
                negativeB.contains({frameB.video(), frameB.frameIndex()}))
                add("negative", place(frame) + " is marked as background in one file only");
            compareInstances(frame, frameB);
        }
        for (std::size_t row = 0; row < m_b.frameCount(); ++row) {
            const FrameView frame = m_b.frame(row);
            if (seen[row])
                continue;
            if (frame.instanceCount() > 0)
                add("frames", place(frame) + " (" + std::to_string(frame.instanceCount()) +
                                  " instances) is in the second file only");
            else
                ++m_report.emptyOnlyInB;
        }
    }

    static double matchCost(const InstanceView& a, const InstanceView& b) {
        if (a.header->skeleton != b.header->skeleton || a.header->kind != b.header->kind ||
            a.points.size() != b.points.size())
            return kForbidden;
        double sum = 0;
        std::size_t common = 0, mismatched = 0, any = 0;
        for (std::size_t i = 0; i < a.points.size(); ++i) {
            const bool inA = a.points[i].exists();
            const bool inB = b.points[i].exists();
            any += inA || inB ? 1U : 0U;
            mismatched += inA != inB ? 1U : 0U;
            if (inA && inB) {
                sum += std::hypot(a.points[i].x - b.points[i].x, a.points[i].y - b.points[i].y);
                ++common;
            }
        }
        const double mean = common > 0 ? sum / static_cast<double>(common) : any == 0 ? 0 : kFarthestMatch;
        return mean > kFarthestMatch ? kForbidden : mean + 1e-3 * static_cast<double>(mismatched);
    }

    void compareInstances(const FrameView& a, const FrameView& b) {
        const std::size_t rows = a.instanceCount();
        const std::size_t columns = b.instanceCount();
        std::vector<double> cost(rows * columns);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t k = 0; k < columns; ++k) {
                // Among equals the same place, and the same track name, is the likelier partner.
                const double away = std::abs(static_cast<double>(i) - static_cast<double>(k));
                cost[i * columns + k] = matchCost(a.instance(i), b.instance(k)) + 1e-9 * away +
                                        (trackName(m_a, a.instance(i)) == trackName(m_b, b.instance(k)) ? 0 : 1e-7);
            }
        std::vector<bool> matchedA(rows, false), matchedB(columns, false);
        for (const AssignedPair& pair : m_assigner.minimise(cost, rows, columns)) {
            const auto i = static_cast<std::size_t>(pair.row);
            const auto k = static_cast<std::size_t>(pair.column);
            matchedA[i] = matchedB[k] = true;
            ++m_report.matchedInstances;
            comparePair(a, i, a.instance(i), b.instance(k));
        }
        for (std::size_t i = 0; i < rows; ++i)
            if (!matchedA[i])
                add("instances", place(a) + " instance " + std::to_string(i + 1) + " is in the first file only");
        for (std::size_t k = 0; k < columns; ++k)
            if (!matchedB[k])
                add("instances", place(b) + " instance " + std::to_string(k + 1) + " is in the second file only");
    }

    static std::string trackName(const Labels& labels, const InstanceView& instance) {
        return instance.header->track < 0 ? std::string()
                                          : labels.tracks()[static_cast<std::size_t>(instance.header->track)].name;
    }

    void comparePair(const FrameView& frame, std::size_t index, const InstanceView& a, const InstanceView& b) {
        const std::string where = place(frame) + " instance " + std::to_string(index + 1);
        double farthest = 0, scores = 0;
        std::size_t farthestPoint = 0, visibility = 0, flags = 0;
        for (std::size_t i = 0; i < a.points.size(); ++i) {
            const project::Point& p = a.points[i];
            const project::Point& q = b.points[i];
            if (p.exists() != q.exists()) {
                ++visibility;
                continue;
            }
            flags += p.complete != q.complete || p.visible != q.visible ? 1U : 0U;
            if (!p.exists())
                continue;
            const double distance = std::hypot(p.x - q.x, p.y - q.y);
            m_distanceSum += distance;
            ++m_report.comparedPoints;
            if (distance > farthest) {
                farthest = distance;
                farthestPoint = i;
            }
            if (a.header->kind == InstanceKind::Predicted)
                scores = std::max(scores, scoreDifference(p.score, q.score));
        }
        m_report.maxDistance = std::max(m_report.maxDistance, farthest);
        if (farthest > m_options.tolerance)
            add("points",
                where + " point " + std::to_string(farthestPoint + 1) + " is " + shown(farthest) + " px apart");
        if (visibility > 0)
            add("visibility", where + ": " + std::to_string(visibility) + " points exist in one file only");
        if (flags > 0)
            add("flags", where + ": visible or complete flags of " + std::to_string(flags) + " points differ");
        if (a.header->kind == InstanceKind::Predicted)
            scores = std::max(scores, scoreDifference(a.header->score, b.header->score));
        // NaN and 0 both mean "none" in one or the other version of the format.
        const auto tracking = [](float score) { return std::isnan(score) ? 0.0 : static_cast<double>(score); };
        scores = std::max(scores, std::abs(tracking(a.header->trackingScore) - tracking(b.header->trackingScore)));
        if (std::isfinite(scores))
            m_report.maxScoreDifference = std::max(m_report.maxScoreDifference, scores);
        if (scores > m_options.scoreTolerance)
            add("scores", where + " scores differ by " + (std::isfinite(scores) ? shown(scores) : "one being absent"));
        if ((a.header->fromPredicted != 0) != (b.header->fromPredicted != 0))
            add("links", where + " comes from a prediction in one file only");
        ++m_trackPairs[{a.header->track, b.header->track}];
    }

    /// Tracks are numbered as they come, so two runs may name the same identity differently: the renaming that most
    /// instances agree with is taken, and what disagrees is counted.
    void compareTracks() {
        const std::size_t rows = m_a.tracks().size();
        const std::size_t columns = m_b.tracks().size();
        // Only tracks that share instances matter; the full matrix of two long lists would not fit into memory.
        std::map<std::int32_t, std::size_t> rowOf, columnOf;
        for (const auto& [pair, count] : m_trackPairs)
            if (pair.first >= 0 && pair.second >= 0) {
                rowOf.emplace(pair.first, rowOf.size());
                columnOf.emplace(pair.second, columnOf.size());
            }
        std::size_t total = 0, agreeing = 0;
        std::map<std::int32_t, std::int32_t> renamed;
        constexpr std::size_t kLargestMatrix = std::size_t{16} << 20U;
        if (rowOf.size() * columnOf.size() <= kLargestMatrix) {
            std::vector<double> cost(rowOf.size() * columnOf.size(), 0);
            for (const auto& [pair, count] : m_trackPairs)
                if (pair.first >= 0 && pair.second >= 0)
                    cost[rowOf[pair.first] * columnOf.size() + columnOf[pair.second]] = -static_cast<double>(count);
            std::vector<std::int32_t> trackOfRow(rowOf.size()), trackOfColumn(columnOf.size());
            for (const auto& [track, row] : rowOf)
                trackOfRow[row] = track;
            for (const auto& [track, column] : columnOf)
                trackOfColumn[column] = track;
            for (const AssignedPair& pair : m_assigner.minimise(cost, rowOf.size(), columnOf.size()))
                renamed[trackOfRow[static_cast<std::size_t>(pair.row)]] =
                    trackOfColumn[static_cast<std::size_t>(pair.column)];
        } else {
            // Largest overlap first: exact where the files agree, and never better than the true assignment.
            std::vector<std::pair<std::size_t, std::pair<std::int32_t, std::int32_t>>> byCount;
            for (const auto& [pair, count] : m_trackPairs)
                if (pair.first >= 0 && pair.second >= 0)
                    byCount.emplace_back(count, pair);
            std::stable_sort(byCount.begin(), byCount.end(),
                             [](const auto& x, const auto& y) { return x.first > y.first; });
            std::set<std::int32_t> taken;
            for (const auto& [count, pair] : byCount)
                if (!renamed.contains(pair.first) && taken.insert(pair.second).second)
                    renamed[pair.first] = pair.second;
        }
        for (const auto& [pair, count] : m_trackPairs) {
            total += count;
            const auto expected = renamed.find(pair.first);
            const bool agrees =
                pair.first < 0 ? pair.second < 0 : expected != renamed.end() && expected->second == pair.second;
            agreeing += agrees ? count : 0;
        }
        if (total > 0)
            m_report.trackAgreement = static_cast<double>(agreeing) / static_cast<double>(total);
        if (agreeing != total)
            add("tracks", "the tracks of " + std::to_string(total - agreeing) + " of " + std::to_string(total) +
                              " instances do not agree, whatever the renaming (" + std::to_string(rows) +
                              " tracks against " + std::to_string(columns) + ")");
    }

    const Labels& m_a;
    const Labels& m_b;
    const DiffOptions& m_options;
    DiffReport m_report;
    Assigner m_assigner;
    std::vector<std::int64_t> m_videoOfA;
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> m_trackPairs;  ///< matched instances by their tracks
    double m_distanceSum = 0;
};

}  // namespace

std::string DiffReport::text() const {
    std::string out;
    for (const std::string& line : lines)
        out += line + "\n";
    const std::size_t all = std::accumulate(kinds.begin(), kinds.end(), std::size_t{0},
                                            [](std::size_t n, const auto& k) { return n + k.second; });
    if (all > lines.size())
        out += "... " + std::to_string(all - lines.size()) + " more\n";
    out += "frames " + std::to_string(framesA) + " / " + std::to_string(framesB) + ", instances " +
           std::to_string(instancesA) + " / " + std::to_string(instancesB) + ", matched " +
           std::to_string(matchedInstances) + "\n";
    out += "points " + std::to_string(comparedPoints) + ": largest distance " + shown(maxDistance) + " px, mean " +
           shown(meanDistance) + " px; largest score difference " + shown(maxScoreDifference) + "\n";
    out += "tracks agree for " + shown(100 * trackAgreement) + " % of the instances, up to renaming\n";
    if (emptyOnlyInA + emptyOnlyInB > 0)
        out += "frames without instances in one file only: " + std::to_string(emptyOnlyInA) + " in the first, " +
               std::to_string(emptyOnlyInB) + " in the second\n";
    if (!kinds.empty()) {
        out += "differences:";
        for (const auto& [kind, count] : kinds)
            out += " " + kind + " " + std::to_string(count);
        out += "\n";
    }
    const bool isWhole = emptyOnlyInA + emptyOnlyInB == 0;
    return out + (!equal ? "different\n" : isWhole ? "same\n" : "same but for frames without instances\n");
}

DiffReport diffLabels(const Labels& a, const Labels& b, const DiffOptions& options) {
    return Comparison(a, b, options).run();
}

Result<DiffReport> diffSlp(const fs::path& a, const fs::path& b, const DiffOptions& options) {
    SKEIN_TRY(first, readSlp(a));
    SKEIN_TRY(second, readSlp(b));
    return diffLabels(first, second, options);
}

}  // namespace skein::formats
