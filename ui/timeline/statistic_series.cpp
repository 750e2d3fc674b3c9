// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/statistic_series.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/bridge/background.h"

namespace skein::ui {

namespace {
QString words(const char* text) {
    return QCoreApplication::translate("StatisticSeries", text);
}
}  // namespace

const std::vector<StatisticName>& statisticNames() {
    using S = Statistic;
    static const QString px = QStringLiteral("px");
    static const std::vector<StatisticName> names = {
        {S::InstanceCount, "instanceCount", "timelineInstanceCount", words("Instance count"), {}},
        {S::PointDisplacementSum, "pointSum", "timelinePointSum", words("Point displacement (sum)"), px, true},
        {S::PointDisplacementMean, "pointMean", "timelinePointMean", words("Point displacement (mean)"), px, true},
        {S::PointDisplacementMax, "pointMax", "timelinePointMax", words("Point displacement (max)"), px, true},
        {S::PrimaryDisplacementSum, "primarySum", "timelinePrimarySum", words("Primary-node displacement (sum)"), px,
         true},
        {S::PrimaryDisplacementMax, "primaryMax", "timelinePrimaryMax", words("Primary-node displacement (max)"), px,
         true},
        {S::TrackingScoreMean, "trackingMean", "timelineTrackingMean", words("Tracking score (mean)"), {}},
        {S::TrackingScoreMin, "trackingMin", "timelineTrackingMin", words("Tracking score (min)"), {}},
        {S::InstanceScoreSum, "instanceSum", "timelineInstanceSum", words("Instance score (sum)"), {}},
        {S::InstanceScoreMin, "instanceMin", "timelineInstanceMin", words("Instance score (min)"), {}},
        {S::InstanceScoreMean, "instanceMean", "timelineInstanceMean", words("Instance score (mean)"), {}},
        {S::PointScoreSum, "scoreSum", "timelineScoreSum", words("Point score (sum)"), {}},
        {S::PointScoreMin, "scoreMin", "timelineScoreMin", words("Point score (min)"), {}},
        {S::PointScoreMean, "scoreMean", "timelineScoreMean", words("Point score (mean)"), {}},
        {S::PredictedPoints, "points", "timelinePoints", words("Number of predicted points"), {}},
        {S::MinCentroidDistance, "proximity", "timelineProximity", words("Minimum centroid distance"), px},
        {S::TrackSpeed, "speed", "timelineSpeed", words("Speed of selected track"), words("px/frame"), true},
        {S::SwapSuspicion, "swap", "timelineSwap", words("Identity-swap suspicion"), {}, true},
        {S::UserPredictionDistance, "userDistance", "timelineUserDistance", words("User-to-prediction distance"), px},
    };
    return names;
}

const StatisticName& nameOf(Statistic statistic) {
    const auto& names = statisticNames();
    return *std::find_if(names.begin(), names.end(),
                         [statistic](const StatisticName& name) { return name.statistic == statistic; });
}

StatisticSeries::StatisticSeries(const Document* document, const ViewState* view, QObject* parent)
    : QObject(parent), m_document(document), m_view(view) {
    connect(document, &Document::opened, this, &StatisticSeries::restart);
    connect(document, &Document::changed, this, &StatisticSeries::take);
    connect(view, &ViewState::videoChanged, this, &StatisticSeries::restart);
    connect(view, &ViewState::frameCountChanged, this, [this] {
        if (m_view->frameCount() != m_frames)
            restart();
    });
}

void StatisticSeries::show(const std::vector<Statistic>& statistics) {
    std::vector<Series> next;
    for (const Statistic statistic : statistics) {
        if (next.size() == kMost)
            break;
        const auto known = std::find_if(m_series.begin(), m_series.end(),
                                        [statistic](const Series& s) { return s.request.statistic == statistic; });
        if (known != m_series.end()) {
            next.push_back(*known);
            continue;
        }
        Series series;
        series.request.statistic = statistic;
        next.push_back(std::move(series));
    }
    m_series = std::move(next);
    restart();
}

void StatisticSeries::setTrack(int track) {
    if (std::exchange(m_track, track) == track)
        return;
    for (std::size_t i = 0; i < m_series.size(); ++i)
        if (m_series[i].request.statistic == Statistic::TrackSpeed) {
            request(i);
            if (m_dirty.size() != m_series.size())
                m_dirty.resize(m_series.size());
            m_dirty[i] = Stretch{0, m_frames - 1};
            work();
        }
}

void StatisticSeries::request(std::size_t place) {
    StatisticRequest& request = m_series[place].request;
    request.video = static_cast<std::uint32_t>(std::max(0, m_view->video()));
    request.track = request.statistic == Statistic::TrackSpeed ? m_track : -1;
}

/// Everything anew: another video, another project, another choice.
void StatisticSeries::restart() {
    ++m_generation;
    m_known = project::Labels();
    m_frames = m_view->video() >= 0 ? m_view->frameCount() : 0;
    m_dirty.assign(m_series.size(), Stretch{0, m_frames - 1});
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        request(i);
        m_series[i].values = nullptr;
    }
    if (m_frames == 0)
        m_dirty.clear();
    Q_EMIT changed();
    work();
}

void StatisticSeries::take(const Change& change) {
    if (m_series.empty() || m_frames == 0 ||
        !(change.kinds & (ChangeKinds(ChangeKind::Frames) | ChangeKind::Tracks | ChangeKind::Skeletons)))
        return;
    const bool all = change.last < 0;
    if (!all && static_cast<int>(change.video) != m_view->video())
        return;
    const Stretch stretch = all ? Stretch{0, m_frames - 1} : Stretch{change.first, std::min(change.last, m_frames - 1)};
    m_dirty.resize(m_series.size());
    for (auto& dirty : m_dirty)
        dirty = dirty ? Stretch{std::min(dirty->first, stretch.first), std::max(dirty->last, stretch.last)} : stretch;
    work();
}

void StatisticSeries::work() {
    if (m_working || m_dirty.empty() || m_series.empty())
        return;
    m_working = true;
    struct Part {
        std::size_t place;
        StatisticRequest request;
        Stretch stretch;
        std::shared_ptr<const MinMaxPyramid> old;
        std::shared_ptr<const MinMaxPyramid> values;
        std::int64_t computed = 0;
    };
    std::vector<Part> parts;
    for (std::size_t i = 0; i < m_dirty.size(); ++i)
        if (m_dirty[i])
            parts.push_back({i, m_series[i].request, *m_dirty[i], m_series[i].values, nullptr, 0});
    m_dirty.clear();
    inBackground(
        this,
        [parts, before = m_known, after = m_document->snapshot(),
         frames = m_frames]() mutable -> Result<std::vector<Part>> {
            for (Part& part : parts) {
                std::vector<double> values;
                const bool whole = part.old == nullptr || part.old->size() != frames ||
                                   (part.stretch.first == 0 && part.stretch.last == frames - 1);
                const auto [first, last] =
                    whole ? std::pair<std::int64_t, std::int64_t>{0, frames - 1}
                          : framesConcerned(before, after, part.request, part.stretch.first, part.stretch.last, frames);
                values = statisticOf(after, part.request, first, last);
                part.computed = last - first + 1;
                if (whole) {
                    part.values = std::make_shared<MinMaxPyramid>(std::move(values));
                } else {
                    auto next = std::make_shared<MinMaxPyramid>(*part.old);
                    next->replace(first, values);
                    part.values = std::move(next);
                }
            }
            return parts;
        },
        [this, generation = m_generation, known = m_document->snapshot()](Result<std::vector<Part>> done) {
            m_working = false;
            if (generation == m_generation && done) {
                m_known = known;
                for (const Part& part : *done)
                    if (part.place < m_series.size() && m_series[part.place].request == part.request) {
                        m_series[part.place].values = part.values;
                        m_computed += part.computed;
                    }
                Q_EMIT changed();
            }
            work();
        });
}

}  // namespace skein::ui
