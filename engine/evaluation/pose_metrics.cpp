// SPDX-License-Identifier: BSD-3-Clause
#include "engine/evaluation/pose_metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "engine/base/assignment.h"
#include "engine/evaluation/detail/similarity.h"

namespace skein::evaluation {

namespace {

using project::InstanceKind;
using project::InstanceView;

constexpr int kPckThresholds = 10;  // pixels 1, 2, ... 10
constexpr int kRecalls = 101;

/// One matched pair, as far as the figures need it.
struct Pair {
    double instanceScore = 0;
    double matchScore = 0;  // similarity
    double pck = 0;         // mean over nodes and thresholds
};

double ratio(std::int64_t part, std::int64_t rest) {
    return part + rest == 0 ? project::kNaN : static_cast<double>(part) / static_cast<double>(part + rest);
}

VocMetrics vocMetrics(const std::vector<Pair>& pairs, double Pair::*score, std::int64_t instances) {
    VocMetrics voc;
    if (pairs.empty())
        return voc;
    std::vector<std::size_t> order(pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&pairs](std::size_t a, std::size_t b) {
        return pairs[a].instanceScore > pairs[b].instanceScore;
    });
    std::vector<double> precision(pairs.size());
    std::vector<double> recall(pairs.size());
    for (std::size_t t = 0; t < VocMetrics::kThresholds; ++t) {
        // The spacing of the peer's list of thresholds, so that a score on the border falls on the same side.
        const double threshold = static_cast<double>(t) * ((0.95 - 0.5) / 9.0) + 0.5;
        std::int64_t right = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            right += pairs[order[i]].*score >= threshold ? 1 : 0;
            recall[i] = static_cast<double>(right) / static_cast<double>(instances);
            precision[i] =
                static_cast<double>(right) / (static_cast<double>(i + 1) + std::numeric_limits<double>::epsilon());
        }
        for (std::size_t i = precision.size() - 1; i > 0; --i)
            precision[i - 1] = std::max(precision[i - 1], precision[i]);
        double sum = 0;
        for (int r = 0; r < kRecalls; ++r) {
            const auto place = std::lower_bound(recall.begin(), recall.end(), static_cast<double>(r) * 0.01);
            if (place != recall.end())
                sum += precision[static_cast<std::size_t>(place - recall.begin())];
        }
        voc.averagePrecision[t] = sum / kRecalls;
        voc.recall[t] = recall.back();
    }
    voc.mAP = std::accumulate(voc.averagePrecision.begin(), voc.averagePrecision.end(), 0.0) / VocMetrics::kThresholds;
    voc.mAR = std::accumulate(voc.recall.begin(), voc.recall.end(), 0.0) / VocMetrics::kThresholds;
    return voc;
}

DistanceSummary summarise(std::vector<double>& distances) {
    DistanceSummary summary;
    if (distances.empty())
        return summary;
    summary.mean = std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(distances.size());
    std::sort(distances.begin(), distances.end());
    summary.p50 = percentile(distances, 50);
    summary.p75 = percentile(distances, 75);
    summary.p90 = percentile(distances, 90);
    summary.p95 = percentile(distances, 95);
    summary.p99 = percentile(distances, 99);
    return summary;
}

class PoseEvaluation {
public:
    PoseEvaluation(const project::Labels& truth, const project::Labels& prediction, const PoseOptions& options,
                   PoseMetrics& metrics)
        : m_truth(truth), m_prediction(prediction), m_options(options), m_metrics(metrics) {}

    void run(const FramePairs& pairs) {
        for (const project::Skeleton& skeleton : m_truth.skeletons())
            m_nodes = std::max(m_nodes, skeleton.nodes.size());
        m_nodeHits.assign(m_nodes, 0);
        for (const FramePair& pair : pairs.frames)
            if (pair.prediction)
                frame(pair);
        finish();
    }

private:
    void frame(const FramePair& pair) {
        const project::FrameView truth = m_truth.frame(pair.truth);
        const project::FrameView found = m_prediction.frame(*pair.prediction);
        m_true.clear();
        for (std::size_t i = 0; i < truth.instanceCount(); ++i)
            if (!m_options.userLabelsOnly || truth.instance(i).header->kind == InstanceKind::User)
                m_true.push_back(truth.instance(i));
        if (m_true.empty() && m_options.userLabelsOnly)
            return;  // not a labelled frame
        ++m_metrics.frames;
        m_found.clear();
        for (std::size_t i = 0; i < found.instanceCount(); ++i)
            if (m_handMade || found.instance(i).header->kind == InstanceKind::Predicted)
                m_found.push_back(found.instance(i));
        const std::int64_t before = m_metrics.matched;
        if (m_metrics.method == MatchMethod::Oks)
            matchByPose();
        else
            matchByCentroid();
        const std::int64_t matched = m_metrics.matched - before;
        m_metrics.missed += static_cast<std::int64_t>(m_true.size()) - matched;
    }

    void matchByPose() {
        std::stable_sort(m_found.begin(), m_found.end(), [](const InstanceView& a, const InstanceView& b) {
            return a.header->score > b.header->score;
        });
        m_free.assign(m_true.size(), true);
        std::size_t left = m_true.size();
        for (const InstanceView& found : m_found) {
            std::size_t best = m_true.size();
            double similarity = m_options.matchThreshold.value_or(0.0);
            for (std::size_t i = 0; left > 0 && i < m_true.size(); ++i) {
                if (!m_free[i])
                    continue;
                const double s = poseSimilarity(m_true[i].points, found.points, m_options.oksStddev,
                                                m_options.oksScale.value_or(0.0));
                if (s > similarity) {
                    similarity = s;
                    best = i;
                }
            }
            if (best == m_true.size()) {
                ++m_metrics.surplus;
                continue;
            }
            m_free[best] = false;
            --left;
            addPair(m_true[best], found, similarity);
        }
    }

    void addPair(const InstanceView& truth, const InstanceView& found, double similarity) {
        ++m_metrics.matched;
        double pck = 0;  // node by node, so that rounding at a threshold falls as in the peer
        for (std::size_t k = 0; k < m_nodes; ++k) {
            const bool there = k < truth.points.size() && truth.points[k].exists();
            const bool seen = k < found.points.size() && found.points[k].exists();
            if (!there || !seen) {
                ++(there ? m_metrics.visibleTrue : (seen ? m_metrics.visiblePredicted : m_metrics.visibleNeither));
                continue;
            }
            ++m_metrics.visibleBoth;
            const double distance =
                std::sqrt((truth.points[k].x - found.points[k].x) * (truth.points[k].x - found.points[k].x) +
                          (truth.points[k].y - found.points[k].y) * (truth.points[k].y - found.points[k].y));
            m_metrics.distances.push_back(distance);
            int hits = 0;
            for (int t = 0; t < kPckThresholds; ++t)
                if (distance < t + 1) {
                    ++m_hits[static_cast<std::size_t>(t)];
                    ++m_nodeHits[k];
                    ++hits;
                }
            pck += static_cast<double>(hits) / kPckThresholds;
        }
        pck /= std::max(1.0, static_cast<double>(m_nodes));
        m_pairs.push_back({static_cast<double>(found.header->score), similarity, pck});
    }

    void matchByCentroid() {
        const double most = m_options.matchThreshold.value_or(kPointMatchPixels);
        const auto known = [](const InstanceView& instance) { return !std::isnan(centroidOf(instance.points)[0]); };
        m_found.erase(std::remove_if(m_found.begin(), m_found.end(), std::not_fn(known)), m_found.end());
        std::vector<std::array<double, 2>> truth;
        for (const InstanceView& instance : m_true)
            if (known(instance))
                truth.push_back(centroidOf(instance.points));
        m_cost.clear();
        for (const InstanceView& found : m_found) {
            const auto at = centroidOf(found.points);
            for (const auto& place : truth)
                m_cost.push_back(std::hypot(at[0] - place[0], at[1] - place[1]));
        }
        std::int64_t matched = 0;
        for (const AssignedPair& pair : m_assigner.minimise(m_cost, m_found.size(), truth.size())) {
            const double distance =
                m_cost[static_cast<std::size_t>(pair.row) * truth.size() + static_cast<std::size_t>(pair.column)];
            if (distance > most)
                continue;
            ++matched;
            m_metrics.distances.push_back(distance);
        }
        m_metrics.matched += matched;
        m_metrics.surplus += static_cast<std::int64_t>(m_found.size()) - matched;
    }

    void finish() {
        PoseMetrics& m = m_metrics;
        m.precision = ratio(m.matched, m.surplus);
        m.recall = ratio(m.matched, m.missed);
        m.f1 = m.matched == 0 ? 0.0 : 2 * m.precision * m.recall / (m.precision + m.recall);
        m.distance = summarise(m.distances);
        if (m.method != MatchMethod::Oks || m_pairs.empty())
            return;
        double sum = 0;
        for (const Pair& pair : m_pairs)
            sum += pair.matchScore;
        m.mOks = sum / static_cast<double>(m_pairs.size());
        m.oksVoc = vocMetrics(m_pairs, &Pair::matchScore, m.matched + m.missed);
        m.pckVoc = vocMetrics(m_pairs, &Pair::pck, m.matched + m.missed);
        const double all = static_cast<double>(m_pairs.size()) * static_cast<double>(m_nodes);
        for (std::size_t t = 0; t < m.pck.size(); ++t)
            m.pck[t] = static_cast<double>(m_hits[t]) / all;
        m.mPck = std::accumulate(m.pck.begin(), m.pck.end(), 0.0) / static_cast<double>(m.pck.size());
        for (const std::int64_t hits : m_nodeHits)
            m.mPckOfNode.push_back(static_cast<double>(hits) / static_cast<double>(m_pairs.size()) / kPckThresholds);
        m.nodes = m_truth.skeletons().front().nodes;
        m.visibilityPrecision = ratio(m.visibleBoth, m.visiblePredicted);
        m.visibilityRecall = ratio(m.visibleBoth, m.visibleTrue);
    }

public:
    void takeHandMade() { m_handMade = true; }

private:
    const project::Labels& m_truth;
    const project::Labels& m_prediction;
    const PoseOptions& m_options;
    PoseMetrics& m_metrics;
    bool m_handMade = false;
    std::size_t m_nodes = 0;
    std::vector<Pair> m_pairs;
    std::array<std::int64_t, kPckThresholds> m_hits{};
    std::vector<std::int64_t> m_nodeHits;
    // Of one frame.
    std::vector<InstanceView> m_true, m_found;
    std::vector<bool> m_free;
    std::vector<double> m_cost;
    Assigner m_assigner;
};

}  // namespace

Result<PoseMetrics> poseMetrics(const project::Labels& truth, const project::Labels& prediction,
                                const PoseOptions& options) {
    if (!(options.oksStddev > 0) || !std::isfinite(options.oksStddev))
        return fail(ErrorCode::InvalidArgument, "--oks_stddev must be greater than 0.");
    if (options.oksScale && !(*options.oksScale > 0 && std::isfinite(*options.oksScale)))
        return fail(ErrorCode::InvalidArgument, "--oks_scale must be greater than 0.");
    if (options.matchThreshold && !(*options.matchThreshold >= 0 && std::isfinite(*options.matchThreshold)))
        return fail(ErrorCode::InvalidArgument, "--match_threshold must not be negative.");
    auto pairs = pairFrames(truth, prediction);
    if (!pairs)
        return fail(std::move(pairs.error()));
    PoseMetrics metrics;
    metrics.notes = pairs->notes;
    metrics.method = options.method;
    if (metrics.method == MatchMethod::Auto)
        metrics.method = prediction.skeletons().front().nodes.size() == 1 ? MatchMethod::Centroid : MatchMethod::Oks;
    if (metrics.method == MatchMethod::Oks &&
        truth.skeletons().front().nodes.size() != prediction.skeletons().front().nodes.size())
        return fail(ErrorCode::InvalidArgument,
                    "Poses of different skeletons cannot be compared; use --match_method centroid.");
    if (prediction.instanceCount() == 0)
        return fail(ErrorCode::InvalidArgument, "The prediction holds no instance; there is nothing to evaluate.");
    const std::size_t byHand = truth.instanceCount() - truth.predictedInstanceCount();
    if (options.userLabelsOnly && byHand == 0)
        return fail(ErrorCode::InvalidArgument,
                    "The truth holds no instance that a person labelled; with --no-user_labels_only its predicted "
                    "instances are taken as the truth.");

    PoseEvaluation evaluation(truth, prediction, options, metrics);
    if (prediction.predictedInstanceCount() == 0) {
        evaluation.takeHandMade();
        metrics.notes.push_back(
            "The prediction holds labels made by hand only; they are compared as if they were predictions.");
    }
    evaluation.run(*pairs);
    if (metrics.frames == 0)
        return fail(ErrorCode::InvalidArgument,
                    "None of the frames that a person labelled was predicted; predict the labelled frames first.");
    return metrics;
}

}  // namespace skein::evaluation
