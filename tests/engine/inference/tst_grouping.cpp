// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <cmath>
#include <limits>
#include <set>

#include "engine/inference/bottomup_grouping.h"
#include "engine/inference/bottomup_packer.h"
#include "engine/inference/grouping.h"
#include "engine/inference/packed_layout.h"
#include "tests/engine/inference/inference_cases.h"
#include "tests/engine/inference/map_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using test::Maps;
using test::near;

namespace {

std::vector<project::Edge> edgesOf(const nlohmann::json& json) {
    std::vector<project::Edge> edges;
    for (const auto& edge : json)
        edges.push_back({edge[0].get<int>(), edge[1].get<int>()});
    return edges;
}

models::ModelSpec specOf(int nodes, std::vector<project::Edge> edges) {
    models::ModelSpec spec;
    for (int n = 0; n < nodes; ++n)
        spec.partNames.push_back(std::string(1, static_cast<char>('a' + n)));
    spec.pafEdges = std::move(edges);
    return spec;
}

/// min_instance_peaks of a case: a count, or a share as the peer reads any fraction.
int minPeaksOf(const nlohmann::json& value, int nodes) {
    return value.is_object() ? minInstancePeaks(value["fraction"], nodes, true)
                             : minInstancePeaks(value.get<double>(), nodes, false);
}

}  // namespace

class TestGrouping : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedEdgeOrders() {
        test::forCases("edge_order", 10, [](const nlohmann::json& c, const std::string& id) {
            const auto order = edgeOrder(edgesOf(c["inputs"]["edges"]));
            if (c["expected"].is_object()) {
                QVERIFY2(!order, id.c_str());
                return;
            }
            QVERIFY2(order.has_value(), id.c_str());
            QVERIFY2(*order == c["expected"].get<std::vector<int>>(), id.c_str());
        });
        QVERIFY(!edgeOrder({}));
    }

    /// Candidates have no list of their own in Skein: the pair of peaks is the position in the packed scores. The set
    /// of pairs that are scored must be the recorded one.
    void recordedCandidates() {
        test::forCases("candidates", 3, [](const nlohmann::json& c, const std::string& id) {
            const auto edges = edgesOf(c["params"]["edges"]);
            const auto channels = c["inputs"]["peak_channels"].get<std::vector<int>>();
            const int nodes = c["params"]["n_nodes"];
            // One peak a row, far enough apart; row r is peak r.
            const int height = 3 * static_cast<int>(channels.size()) + 3;
            std::vector<float> confmaps(static_cast<std::size_t>(nodes * height * 3), 0.0F);
            for (std::size_t i = 0; i < channels.size(); ++i)
                confmaps[(static_cast<std::size_t>(channels[i]) * static_cast<std::size_t>(height) + 3 * i + 1) * 3 +
                         1] = 1;
            const Maps maps(1, nodes, height, 3, confmaps);
            const std::vector<float> field(edges.size() * 2 * static_cast<std::size_t>(height) * 3, 0.0F);
            const Maps pafs(1, static_cast<int>(2 * edges.size()), height, 3, field);
            BottomUpPacker packer({{0.2F, false, 5}, {}, 1, 1, nodes, edges});
            packer.begin();
            packer.add(maps.view(0), pafs.view(0));
            const auto batch = packer.finish();
            QVERIFY(batch.has_value());
            const PackedLayout layout = layoutOf(*batch);
            std::multiset<std::array<int, 3>> expected, got;
            for (std::size_t k = 0; k < c["expected"]["edge"].size(); ++k)
                expected.insert({c["expected"]["edge"][k].get<int>(), c["expected"]["src_dst"][k][0].get<int>(),
                                 c["expected"]["src_dst"][k][1].get<int>()});
            const auto peakOf = [&](int node, std::size_t slot) {
                return static_cast<int>(batch->packed[layout.peak(0, static_cast<std::size_t>(node), slot) + 1]) / 3;
            };
            for (std::size_t e = 0; e < layout.edges; ++e)
                for (std::size_t i = 0; i < layout.slots; ++i)
                    for (std::size_t j = 0; j < layout.slots; ++j)
                        if (!std::isnan(batch->packed[layout.score(0, e, i, j)]))
                            got.insert(
                                {static_cast<int>(e), peakOf(edges[e].source, i), peakOf(edges[e].destination, j)});
            QVERIFY2(got == expected, id.c_str());
        });
    }

    void recordedMatches() {
        test::forCases("match", 12, [](const nlohmann::json& c, const std::string& id) {
            std::vector<Match> got;
            Assigner assigner;
            std::vector<double> costs;
            for (int edge = 0; edge < c["params"]["n_edges"].get<int>(); ++edge) {
                std::set<int> sources, destinations;
                for (std::size_t k = 0; k < c["inputs"]["edge"].size(); ++k)
                    if (c["inputs"]["edge"][k] == edge) {
                        sources.insert(c["inputs"]["src_dst"][k][0].get<int>());
                        destinations.insert(c["inputs"]["src_dst"][k][1].get<int>());
                    }
                std::vector<float> scores(sources.size() * destinations.size(),
                                          std::numeric_limits<float>::quiet_NaN());
                for (std::size_t k = 0; k < c["inputs"]["edge"].size(); ++k)
                    if (c["inputs"]["edge"][k] == edge) {
                        const auto row = std::distance(sources.begin(), sources.find(c["inputs"]["src_dst"][k][0]));
                        const auto column =
                            std::distance(destinations.begin(), destinations.find(c["inputs"]["src_dst"][k][1]));
                        scores[static_cast<std::size_t>(row) * destinations.size() + static_cast<std::size_t>(column)] =
                            test::number(c["inputs"]["score"][k]);
                    }
                matchEdge(assigner, costs, edge, scores.data(), destinations.size(), sources.size(),
                          destinations.size(), got);
            }
            const auto& e = c["expected"];
            if (e.contains("error")) {
                // Where the peer gives up, Skein leaves out the pairs that cannot be.
                for (const Match& match : got)
                    QVERIFY2(std::isfinite(match.score), id.c_str());
                QVERIFY2(got.size() < c["inputs"]["edge"].size(), id.c_str());
                return;
            }
            QVERIFY2(got.size() == e["edge"].size(), id.c_str());
            for (std::size_t i = 0; i < got.size(); ++i)
                QVERIFY2(got[i].edge == e["edge"][i].get<int>() && got[i].source == e["src"][i].get<int>() &&
                             got[i].destination == e["dst"][i].get<int>() &&
                             got[i].score == test::number(e["score"][i]),
                         id.c_str());
        });
    }

    void recordedAssemblies() {
        test::forCases("assign", 10, [](const nlohmann::json& c, const std::string& id) {
            const auto edges = edgesOf(c["inputs"]["edges"]);
            std::vector<int> order;
            std::vector<std::vector<Match>> connections;
            int largestNode = 0;
            int largestPeak = 0;
            for (std::size_t e = 0; e < edges.size(); ++e) {
                order.push_back(static_cast<int>(e));
                connections.emplace_back();
                largestNode = std::max({largestNode, edges[e].source, edges[e].destination});
                for (const auto& m : c["inputs"]["connections"][e]) {
                    connections.back().push_back({static_cast<int>(e), m[0], m[1], test::number(m[2])});
                    largestPeak = std::max({largestPeak, m[0].get<int>(), m[1].get<int>()});
                }
            }
            const std::vector<int> peaks(static_cast<std::size_t>(largestNode + 1), largestPeak + 1);
            const int nodes = c["params"]["n_nodes"].is_null() ? largestNode + 1 : c["params"]["n_nodes"].get<int>();
            const auto members = assembleInstances(edges, order, connections, peaks,
                                                   minPeaksOf(c["params"]["min_instance_peaks"], nodes));
            QVERIFY2(members.size() == c["expected"].size(), id.c_str());
            for (const Member& m : members) {
                const auto row = nlohmann::json::array({m.node, m.peak, m.instance});
                QVERIFY2(std::find(c["expected"].begin(), c["expected"].end(), row) != c["expected"].end(), id.c_str());
            }
        });
    }

    void recordedGroups() {
        test::forCases("group", 7, [](const nlohmann::json& c, const std::string& id) {
            const auto edges = edgesOf(c["params"]["edges"]);
            const int nodes = c["params"]["n_nodes"];
            std::vector<NodePeaks> peaks(static_cast<std::size_t>(nodes));
            const auto& in = c["inputs"];
            for (std::size_t i = 0; i < in["peaks"].size(); ++i) {
                NodePeaks& node = peaks[in["channels"][i].get<std::size_t>()];
                node.x.push_back(test::number(in["peaks"][i][0]));
                node.y.push_back(test::number(in["peaks"][i][1]));
                node.value.push_back(test::number(in["values"][i]));
            }
            std::vector<Match> matches;
            for (std::size_t i = 0; i < in["match_edge"].size(); ++i)
                matches.push_back(
                    {in["match_edge"][i], in["match_src"][i], in["match_dst"][i], test::number(in["match_score"][i])});
            const auto order = edgeOrder(edges);
            QVERIFY2(order.has_value(), id.c_str());
            const GroupingOptions options{c["params"]["min_line_scores"].get<float>(),
                                          minPeaksOf(c["params"]["min_instance_peaks"], nodes)};
            const FrameDetections got = groupFrame(edges, *order, peaks, matches, options);
            compare(got, c["expected"]["instances"], c["expected"]["point_scores"], c["expected"]["scores"], id);
        });
    }

    /// From maps to instances in image pixels, scales undone.
    void recordedBottomUp() {
        test::forCases("bottomup", 6, [](const nlohmann::json& c, const std::string& id) {
            const auto& p = c["params"];
            const Maps confmaps(c["inputs"]["confmaps"]);
            const Maps pafs(c["inputs"]["pafs"]);
            const auto edges = edgesOf(p["edges"]);
            InferenceOptions options;
            options.minLineScores = p["min_line_scores"];
            options.minInstancePeaks = p["min_instance_peaks"];
            options.maxInstances = p["max_instances"].is_null() ? 0 : p["max_instances"].get<int>();
            options.maxPeaksPerNode = p["max_peaks_per_node"].is_null() ? 0 : p["max_peaks_per_node"].get<int>();
            BottomUpPacker packer({{p["threshold"], p["refinement"] == "integral", p["patch"]},
                                   {p["max_edge_length_ratio"], p["dist_penalty_weight"], p["n_points"]},
                                   p["cms_stride"],
                                   p["pafs_stride"],
                                   p["n_nodes"],
                                   edges});
            packer.begin();
            for (int f = 0; f < confmaps.frames; ++f)
                packer.add(confmaps.view(f), pafs.view(f));
            auto batch = packer.finish();
            QVERIFY(batch.has_value());
            batch->inputScale = p["input_scale"];
            batch->effScale = p["eff_scale"].get<std::vector<float>>();
            const auto grouper = Grouper::create(specOf(p["n_nodes"], edges), options);
            QVERIFY(grouper.has_value());
            profile::Profiler profiler;
            const auto frames = grouper->group(*batch, profiler);
            QCOMPARE(frames.size(), c["expected"]["keypoints"].size());
            for (std::size_t f = 0; f < frames.size(); ++f)
                compare(frames[f], c["expected"]["keypoints"][f], c["expected"]["point_scores"][f],
                        c["expected"]["scores"][f], id);
            const auto summary = profiler.summary();
            QCOMPARE(summary.stages[static_cast<std::size_t>(profile::Stage::PafScorer)].count, std::uint64_t{1});
            QCOMPARE(summary.stages[static_cast<std::size_t>(profile::Stage::Postprocess)].count, std::uint64_t{1});
        });
    }

    void unusedEdgesAreMentioned() {
        const auto clean = Grouper::create(specOf(3, {{0, 1}, {1, 2}}), {});
        QVERIFY(clean && clean->warnings().empty());
        const auto twoRoots = Grouper::create(specOf(3, {{0, 1}, {2, 1}}), {});
        QVERIFY(twoRoots && twoRoots->warnings().size() == 1);
        QVERIFY(twoRoots->warnings()[0].find("from c to b") != std::string::npos);
        const auto cycle = Grouper::create(specOf(3, {{0, 1}, {1, 2}, {2, 0}}), {});
        QVERIFY(!cycle && cycle.error().message().find("cycle") != std::string::npos);
    }

    void minimumOfPeaks() {
        QCOMPARE(minInstancePeaks(0, 4, false), 0);
        QCOMPARE(minInstancePeaks(-1, 4, false), 0);
        QCOMPARE(minInstancePeaks(3, 4, false), 3);
        QCOMPARE(minInstancePeaks(3, 4, true), 12);  // the peer's command line takes every value for a share
        QCOMPARE(minInstancePeaks(0.99, 3, false), 2);
        QCOMPARE(minInstancePeaks(0.75, 4, true), 3);
        QCOMPARE(minInstancePeaks(std::numeric_limits<double>::quiet_NaN(), 4, false), 0);
        QCOMPARE(minInstancePeaks(1e300, 4, true), 1000000000);
    }

    void limitKeepsTheBest() {
        FrameDetections frame;
        frame.nodes = 1;
        frame.instanceScores = {0.5F, 0.9F, 0.5F, 0.1F};
        frame.points = {0, 0, 1, 1, 2, 2, 3, 3};
        frame.pointScores = {10, 11, 12, 13};
        frame.trackingScores = {0, 1, 2, 3};
        FrameDetections all = frame;
        limitInstances(all, 4);
        QCOMPARE(all.points, frame.points);  // creation order where nothing is cut
        limitInstances(all, 0);
        QCOMPARE(all.count(), 4);
        limitInstances(frame, 3);
        QCOMPARE(frame.instanceScores, (std::vector<float>{0.9F, 0.5F, 0.5F}));
        QCOMPARE(frame.pointScores, (std::vector<float>{11, 12, 10}));  // of equal scores the later first
        QCOMPARE(frame.points, (std::vector<float>{1, 1, 2, 2, 0, 0}));
        QCOMPARE(frame.trackingScores, (std::vector<float>{1, 2, 0}));
    }

    /// A frame with too many peaks of one node is empty; as the peer does it, so is its whole batch.
    void crowdedFrames() {
        const std::vector<project::Edge> edges = {{0, 1}};
        std::vector<float> confmaps(2 * 2 * 9 * 9, 0.0F);
        const auto put = [&](std::size_t frame, std::size_t node, std::size_t y, std::size_t x) {
            confmaps[((frame * 2 + node) * 9 + y) * 9 + x] = 1;
        };
        put(0, 0, 1, 1);
        put(0, 1, 1, 5);
        put(1, 0, 1, 1);
        put(1, 0, 5, 1);
        put(1, 1, 1, 5);
        const Maps maps(2, 2, 9, 9, confmaps);
        const Maps pafs(2, 2, 9, 9, std::vector<float>(2 * 2 * 81, 0.7F));
        const auto run = [&](bool matchPeer) {
            BottomUpPacker packer({{}, {1.0, 1.0, 10}, 1, 1, 2, edges});
            packer.begin();
            packer.add(maps.view(0), pafs.view(0));
            packer.add(maps.view(1), pafs.view(1));
            InferenceOptions options;
            options.maxPeaksPerNode = 1;
            options.matchSleapNn = matchPeer;
            profile::Profiler profiler;
            return Grouper::create(specOf(2, edges), options)->group(*packer.finish(), profiler);
        };
        const auto own = run(false);
        QCOMPARE(own[0].count(), 1);
        QCOMPARE(own[1].count(), 0);
        const auto peer = run(true);
        QCOMPARE(peer[0].count(), 0);
        QCOMPARE(peer[1].count(), 0);
        QCOMPARE(peer[0].nodes, 2);
    }

private:
    static void compare(const FrameDetections& got, const nlohmann::json& points, const nlohmann::json& pointScores,
                        const nlohmann::json& scores, const std::string& id) {
        // The peer pads with slots that hold nothing.
        std::size_t count = 0;
        for (const auto& score : scores)
            count += score.is_null() ? 0 : 1;
        QVERIFY2(static_cast<std::size_t>(got.count()) == count, id.c_str());
        const auto nodes = static_cast<std::size_t>(got.nodes);
        for (std::size_t i = 0; i < count; ++i) {
            QVERIFY2(near(got.instanceScores[i], test::number(scores[i])), id.c_str());
            for (std::size_t n = 0; n < nodes; ++n) {
                QVERIFY2(near(got.points[2 * (i * nodes + n)], test::number(points[i][n][0]), 1e-4F), id.c_str());
                QVERIFY2(near(got.points[2 * (i * nodes + n) + 1], test::number(points[i][n][1]), 1e-4F), id.c_str());
                QVERIFY2(near(got.pointScores[i * nodes + n], test::number(pointScores[i][n])), id.c_str());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestGrouping)
#include "tst_grouping.moc"
