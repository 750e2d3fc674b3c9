// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proofread/smoothing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <unordered_map>

#include "engine/proofread/detail/columns.h"
#include "engine/proofread/detail/filters.h"

namespace skein::proofread {

namespace {

constexpr double kUsualFps = 25;
constexpr std::string_view kNames[] = {"savitzky_golay", "one_euro", "kalman"};

Result<SmoothOptions> checked(SmoothOptions options, const project::Video& video) {
    if (options.method == SmoothMethod::SavitzkyGolay &&
        (options.window < 3 || options.window > 501 || options.window % 2 == 0))
        return fail(ErrorCode::InvalidArgument, "The window of the smoothing must be an odd number from 3 to 501.");
    if (options.method == SmoothMethod::SavitzkyGolay &&
        (options.order < 0 || options.order > 5 || options.order >= options.window))
        return fail(ErrorCode::InvalidArgument,
                    "The order of the smoothing must be from 0 to 5 and below the window's length.");
    if (!(options.minCutoff > 0) || !(options.beta >= 0) || !std::isfinite(options.minCutoff + options.beta))
        return fail(ErrorCode::InvalidArgument,
                    "The smoothing's cut-off must be above 0 Hz, and its growth with speed must not be below 0.");
    if (!(options.timeConstant > 0) || !std::isfinite(options.timeConstant))
        return fail(ErrorCode::InvalidArgument, "The smoothing's time constant must be above 0 frames.");
    if (!(options.framesPerSecond > 0))
        options.framesPerSecond = video.fps > 0 ? video.fps : kUsualFps;
    return options;
}

}  // namespace

std::string_view nameOf(SmoothMethod method) {
    return kNames[static_cast<std::size_t>(method)];
}

std::optional<SmoothMethod> smoothMethodNamed(std::string_view name) {
    for (std::size_t i = 0; i < std::size(kNames); ++i)
        if (kNames[i] == name)
            return static_cast<SmoothMethod>(i);
    return std::nullopt;
}

class Smoother {
public:
    Smoother(const project::Labels& labels, std::uint32_t video, const SmoothOptions& options)
        : m_labels(labels), m_columns(columnsOf(labels, video)), m_options(options) {}

    bool run(PointLayer& layer, const Progress& progress, const std::stop_token& stop) {
        struct Entry {
            project::InstanceId id = 0;
            std::int32_t track = -1;
            std::size_t row = 0, instance = 0;
            Place place;
        };
        std::vector<Entry> entries;
        std::unordered_map<std::int32_t, std::int64_t> last;
        for (const Slot& slot : m_columns.slots)
            for (std::size_t i = slot.begin; i < slot.end; ++i) {
                const Item& item = m_columns.items[i];
                if (item.track < 0 || !item.somewhere() || !isWanted(item.track))
                    continue;
                // Two of one track on a frame (a file's mistake): the first counts.
                const auto [known, isNew] = last.try_emplace(item.track, slot.frame);
                if (!isNew && known->second == slot.frame)
                    continue;
                known->second = slot.frame;
                entries.push_back({item.id, item.track, slot.row, item.place, {slot.frame, 0, 0}});
            }
        std::vector<std::size_t> byId(entries.size());
        std::iota(byId.begin(), byId.end(), std::size_t{0});
        std::sort(byId.begin(), byId.end(),
                  [&](std::size_t a, std::size_t b) { return entries[a].id < entries[b].id; });
        for (const std::size_t e : byId) {
            Entry& entry = entries[e];
            const auto points = m_labels.frame(entry.row).instance(entry.instance).points;
            entry.place.begin = layer.m_points.size();
            entry.place.nodes = points.size();
            layer.m_ids.push_back(entry.id);
            layer.m_points.insert(layer.m_points.end(), points.begin(), points.end());
            layer.m_ends.push_back(layer.m_points.size());
        }
        std::map<std::int32_t, std::vector<Place>> tracks;
        for (const Entry& entry : entries)
            tracks[entry.track].push_back(entry.place);
        std::size_t done = 0;
        for (const auto& [track, places] : tracks) {
            smoothTrack(places, layer.m_points);
            done += places.size();
            if (progress)
                progress(static_cast<double>(done) / static_cast<double>(entries.size()));
            if (stop.stop_requested())
                return false;
        }
        return true;
    }

private:
    struct Place {
        std::int64_t frame = 0;
        std::size_t begin = 0, nodes = 0;  // in the layer's points
    };

    [[nodiscard]] bool isWanted(std::int32_t track) const {
        const auto& wanted = m_options.tracks;
        const auto index = static_cast<std::size_t>(track);
        return wanted.empty() ||
               (index < m_labels.tracks().size() &&
                std::find(wanted.begin(), wanted.end(), m_labels.tracks()[index].name) != wanted.end());
    }

    void smoothTrack(const std::vector<Place>& places, std::vector<project::Point>& points) const {
        std::size_t nodes = 0;
        for (const Place& place : places)
            nodes = std::max(nodes, place.nodes);
        std::vector<std::int64_t> frames;
        std::vector<std::size_t> where;
        for (std::size_t node = 0; node < nodes; ++node) {
            frames.clear();
            where.clear();
            for (const Place& place : places) {
                if (node >= place.nodes || !points[place.begin + node].exists())
                    continue;
                if (!frames.empty() && place.frame - frames.back() - 1 > m_options.longestGap) {
                    smoothStretch(frames, where, points);
                    frames.clear();
                    where.clear();
                }
                frames.push_back(place.frame);
                where.push_back(place.begin + node);
            }
            smoothStretch(frames, where, points);
        }
    }

    void smoothStretch(const std::vector<std::int64_t>& frames, const std::vector<std::size_t>& where,
                       std::vector<project::Point>& points) const {
        std::vector<double> values(where.size());
        for (double project::Point::*axis : {&project::Point::x, &project::Point::y}) {
            for (std::size_t k = 0; k < where.size(); ++k)
                values[k] = points[where[k]].*axis;
            filterSeries(frames, values, m_options);
            for (std::size_t k = 0; k < where.size(); ++k)
                points[where[k]].*axis = values[k];
        }
    }

    const project::Labels& m_labels;
    Columns m_columns;
    const SmoothOptions& m_options;
};

std::span<const project::Point> PointLayer::pointsOf(project::InstanceId instance) const {
    const auto it = std::lower_bound(m_ids.begin(), m_ids.end(), instance);
    if (it == m_ids.end() || *it != instance)
        return {};
    const auto k = static_cast<std::size_t>(it - m_ids.begin());
    const std::size_t begin = k == 0 ? 0 : m_ends[k - 1];
    return std::span(m_points).subspan(begin, m_ends[k] - begin);
}

Result<PointLayer> smooth(const project::Labels& labels, std::uint32_t video, const SmoothOptions& options,
                          const Progress& progress, std::stop_token stop) {
    PointLayer layer;
    if (video >= labels.videos().size())
        return layer;
    auto resolved = checked(options, labels.videos()[video]);
    if (!resolved)
        return fail(std::move(resolved.error()));
    if (!Smoother(labels, video, *resolved).run(layer, progress, stop))
        return fail(ErrorCode::Cancelled, "Smoothing was stopped.");
    return layer;
}

project::Labels withLayer(const project::Labels& labels, std::uint32_t video, const PointLayer& layer) {
    project::Labels smoothed = labels;
    std::vector<std::size_t> rows = labels.rowsOf(video);
    std::sort(rows.begin(), rows.end());
    smoothed.rewriteFrames(rows, [&](project::FrameData& frame) {
        bool any = false;
        for (project::InstanceData& instance : frame.instances) {
            const auto points = layer.pointsOf(instance.header.id);
            for (std::size_t n = 0; n < std::min(points.size(), instance.points.size()); ++n) {
                instance.points[n].x = points[n].x;
                instance.points[n].y = points[n].y;
                any = true;
            }
        }
        return any;
    });
    return smoothed;
}

Result<project::Labels> smoothedProject(const project::Labels& labels, const SmoothOptions& options,
                                        const Progress& progress, std::stop_token stop) {
    project::Labels smoothed = labels;
    const auto count = static_cast<std::uint32_t>(labels.videos().size());
    for (std::uint32_t video = 0; video < count; ++video) {
        const auto part = [&](double share) {
            if (progress)
                progress((video + share) / count);
        };
        auto layer = smooth(labels, video, options, part, stop);
        if (!layer)
            return fail(std::move(layer.error()));
        smoothed = withLayer(smoothed, video, *layer);
    }
    return smoothed;
}

SmoothEffect effectOf(const project::Labels& labels, std::uint32_t video, const PointLayer& layer) {
    struct Last {
        std::int64_t frame = 0;
        int run = 0;  // frames in a row
        std::vector<project::Point> raw[2], smooth[2];
    };
    const auto length = [](const project::Point& a, const project::Point& b, const project::Point& c) {
        return std::hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y);
    };
    SmoothEffect effect;
    LogHistogram moves, before, after;
    std::unordered_map<std::int32_t, Last> tracks;
    double sum = 0;
    const Columns columns = columnsOf(labels, video);
    for (const Slot& slot : columns.slots)
        for (std::size_t i = slot.begin; i < slot.end; ++i) {
            const Item& item = columns.items[i];
            const auto smoothed = layer.pointsOf(item.id);
            if (smoothed.empty())
                continue;
            const auto raw = labels.frame(slot.row).instance(item.place).points;
            Last& last = tracks[item.track];
            last.run = last.run > 0 && slot.frame == last.frame + 1 ? last.run + 1 : 1;
            for (std::size_t n = 0; n < std::min(raw.size(), smoothed.size()); ++n) {
                if (!raw[n].exists())
                    continue;
                const double move = std::hypot(smoothed[n].x - raw[n].x, smoothed[n].y - raw[n].y);
                sum += move;
                effect.mostMove = std::max(effect.mostMove, move);
                moves.add(move);
                if (last.run >= 3 && n < last.raw[0].size() && n < last.raw[1].size() && last.raw[0][n].exists() &&
                    last.raw[1][n].exists()) {
                    before.add(length(last.raw[1][n], last.raw[0][n], raw[n]));
                    after.add(length(last.smooth[1][n], last.smooth[0][n], smoothed[n]));
                }
            }
            last.frame = slot.frame;
            std::swap(last.raw[0], last.raw[1]);
            std::swap(last.smooth[0], last.smooth[1]);
            last.raw[0].assign(raw.begin(), raw.end());
            last.smooth[0].assign(smoothed.begin(), smoothed.end());
        }
    effect.points = static_cast<std::size_t>(moves.total());
    if (effect.points > 0)
        effect.meanMove = sum / static_cast<double>(effect.points);
    effect.move95 = moves.quantile(0.95);
    effect.restlessBefore = before.quantile(0.5);
    effect.restlessAfter = after.quantile(0.5);
    return effect;
}

}  // namespace skein::proofread
