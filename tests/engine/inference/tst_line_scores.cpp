// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <cmath>

#include "engine/inference/line_scores.h"
#include "tests/engine/inference/inference_cases.h"
#include "tests/engine/inference/map_data.h"
#include "tests/support/reference.h"

using namespace skein;
using namespace skein::inference;
using test::Maps;
using test::near;

class TestLineScores : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedSamples() {
        test::forCases("line_subs", 5, [](const nlohmann::json& c, const std::string& id) {
            const auto& p = c["params"];
            const int n = p["n_points"];
            const LineScorer scorer({0.25, 1.0, n}, p["pafs_stride"], p["pafs_hw"][0], p["pafs_hw"][1], 1);
            for (std::size_t k = 0; k < c["inputs"]["src_dst"].size(); ++k) {
                const auto& a = c["inputs"]["peaks"][c["inputs"]["src_dst"][k][0].get<std::size_t>()];
                const auto& b = c["inputs"]["peaks"][c["inputs"]["src_dst"][k][1].get<std::size_t>()];
                for (int i = 0; i < n; ++i) {
                    int row = -1;
                    int column = -1;
                    scorer.sample(i, test::number(a[0]), test::number(a[1]), test::number(b[0]), test::number(b[1]),
                                  row, column);
                    const auto& e = c["expected"][k][static_cast<std::size_t>(i)];
                    QVERIFY2(row == e[0].get<int>() && column == e[1].get<int>(), id.c_str());
                    QVERIFY2(e[2].get<int>() == 2 * c["inputs"]["edge"][k].get<int>(), id.c_str());
                }
            }
        });
    }

    void recordedScores() {
        test::forCases("score_lines", 5, [](const nlohmann::json& c, const std::string& id) {
            const auto& p = c["params"];
            const Maps pafs(nlohmann::json::array({c["inputs"]["pafs_chw"]}));
            const LineScorer scorer({p["max_edge_length_ratio"], p["dist_penalty_weight"], p["n_points"]},
                                    p["pafs_stride"], pafs.height, pafs.width, pafs.channels / 2);
            for (std::size_t k = 0; k < c["expected"]["score"].size(); ++k) {
                const auto& pair = c["expected"]["src_dst"][k];
                const auto& a = c["inputs"]["peaks"][pair[0].get<std::size_t>()];
                const auto& b = c["inputs"]["peaks"][pair[1].get<std::size_t>()];
                const float score = scorer.score(pafs.view(0), c["expected"]["edge"][k], test::number(a[0]),
                                                 test::number(a[1]), test::number(b[0]), test::number(b[1]));
                QVERIFY2(near(score, test::number(c["expected"]["score"][k])), id.c_str());
            }
        });
    }

    void recordedPenalties() {
        test::forCases("distance_penalty", 2, [](const nlohmann::json& c, const std::string& id) {
            // A field of one pixel with one edge: the largest length is ratio x 2 channels x stride 1.
            const double longest = c["params"]["max_edge_length"];
            const LineScorer scorer({longest / 2, c["params"]["weight"], 10}, 1, 1, 1, 1);
            QCOMPARE(scorer.maxLength(), static_cast<float>(longest));
            for (std::size_t i = 0; i < c["expected"].size(); ++i)
                QVERIFY2(near(scorer.penalty(test::number(c["inputs"]["lengths"][i])), test::number(c["expected"][i])),
                         id.c_str());
        });
    }

    /// The samples run from 0 to 1, and the upper half is rounded once: at the default of ten points the seventh is the
    /// float nearest to two thirds, which two roundings would miss.
    void positionsRoundOnce() {
        const auto t = LineScorer::positions(10);
        QCOMPARE(t.front(), 0.0F);
        QCOMPARE(t.back(), 1.0F);
        QCOMPARE(t[6], 0.6666667F);
        for (int n = 2; n <= 200; ++n) {
            const auto p = LineScorer::positions(n);
            for (int i = n / 2; i < n; ++i) {
                const double step = static_cast<double>(1.0F / static_cast<float>(n - 1));
                QCOMPARE(p[static_cast<std::size_t>(i)], static_cast<float>(1.0 - (n - 1 - i) * step));
            }
        }
        QCOMPARE(LineScorer::positions(1), std::vector<float>{0.0F});
    }

    /// Places far outside, infinite or absent end at the border instead of outside the memory.
    void samplesStayInside() {
        const LineScorer scorer({0.25, 1.0, 3}, 4, 5, 6, 1);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float infinite = std::numeric_limits<float>::infinity();
        for (const float bad : {nan, infinite, -infinite, 1e30F, -1e30F, 1e8F, -1e8F})
            for (int i = 0; i < 3; ++i) {
                int row = -1;
                int column = -1;
                scorer.sample(i, 0, 0, bad, bad, row, column);
                QVERIFY(row >= 0 && row < 5 && column >= 0 && column < 6);
                scorer.sample(i, bad, bad, 0, 0, row, column);
                QVERIFY(row >= 0 && row < 5 && column >= 0 && column < 6);
            }
    }
};

QTEST_APPLESS_MAIN(TestLineScores)
#include "tst_line_scores.moc"
