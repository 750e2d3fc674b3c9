// SPDX-License-Identifier: BSD-3-Clause
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "engine/base/assignment.h"
#include "tests/support/reference.h"

using namespace skein;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Pairs = std::vector<AssignedPair>;

double total(const std::vector<double>& cost, std::size_t columns, const Pairs& pairs) {
    double sum = 0;
    for (const AssignedPair& pair : pairs)
        sum += cost[static_cast<std::size_t>(pair.row) * columns + static_cast<std::size_t>(pair.column)];
    return sum;
}

/// Least total over all ways to serve every row (rows <= columns), by trying them all.
double leastByTrying(const std::vector<double>& cost, std::size_t rows, std::size_t columns) {
    std::vector<std::size_t> order(columns);
    std::iota(order.begin(), order.end(), std::size_t{0});
    double best = kInf;
    do {
        double sum = 0;
        for (std::size_t r = 0; r < rows; ++r)
            sum += cost[r * columns + order[r]];
        best = std::min(best, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

}  // namespace

class TestAssignment : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void emptyProblemsHaveEmptyAnswers() {
        QCOMPARE(assign({}, 0, 0), Pairs());
        QCOMPARE(assign({}, 0, 3), Pairs());
        QCOMPARE(assign({}, 3, 0), Pairs());
        QCOMPARE(assignGreedily({}, 0, 3), Pairs());
    }

    void wrongSizeIsABrokenPrecondition() {
        const std::vector<double> cost{1, 2, 3};
        QVERIFY_EXCEPTION_THROWN((void)assign(cost, 2, 2), std::logic_error);
    }

    void bestTotalWinsEvenWithABadPair() {
        // Scores .875 -.5 / .75 -.875: the best single pair is not part of the best total.
        QCOMPARE(assign(std::vector<double>{-.875, .5, -.75, .875}, 2, 2), (Pairs{{0, 1}, {1, 0}}));
    }

    void constantMatricesGiveTheIdentity() {
        QCOMPARE(assign(std::vector<double>(9, 4.0), 3, 3), (Pairs{{0, 0}, {1, 1}, {2, 2}}));
        QCOMPARE(assign(std::vector<double>(8, 0.0), 2, 4), (Pairs{{0, 0}, {1, 1}}));
        QCOMPARE(assign(std::vector<double>(8, 0.0), 4, 2), (Pairs{{0, 0}, {1, 1}}));
    }

    /// Recorded from SciPy: which of several best assignments comes out is part of the contract.
    void recordedTies() {
        SKEIN_NEEDS_SPEC(folder);
        std::ifstream file(folder / "inference-cases.json");
        const auto recorded = nlohmann::json::parse(file);
        int compared = 0;
        for (const auto& testCase : recorded.at("cases")) {
            if (testCase.at("op") != "linear_sum_assignment" || testCase.contains("error") ||
                testCase.at("expected").contains("error"))
                continue;
            std::vector<double> cost;
            const auto& rows = testCase.at("inputs").at("cost");
            for (const auto& row : rows)
                for (const auto& value : row)
                    cost.push_back(value.is_number() ? value.get<double>() : value == "inf" ? kInf : kNaN);
            const std::size_t columns = rows.empty() ? 0 : rows[0].size();
            Pairs expected;
            for (std::size_t k = 0; k < testCase.at("expected").at("row").size(); ++k)
                expected.push_back({testCase["expected"]["row"][k].get<std::int32_t>(),
                                    testCase["expected"]["col"][k].get<std::int32_t>()});
            QVERIFY2(assign(cost, rows.size(), columns) == expected, testCase.at("id").get<std::string>().c_str());
            ++compared;
        }
        QCOMPARE(compared, 8);
    }

    void randomTotalsAreTheLeastPossible() {
        std::mt19937 random(5);
        for (int round = 0; round < 2000; ++round) {
            const std::size_t rows = 1 + random() % 5;
            const std::size_t columns = rows + random() % 3;
            std::vector<double> cost(rows * columns);
            for (double& value : cost)
                value = static_cast<double>(random() % 7) - 3;  // many ties
            const Pairs pairs = assign(cost, rows, columns);
            QCOMPARE(pairs.size(), rows);
            QCOMPARE(total(cost, columns, pairs), leastByTrying(cost, rows, columns));

            std::vector<double> transposed(cost.size());
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < columns; ++c)
                    transposed[c * rows + r] = cost[r * columns + c];
            const Pairs other = assign(transposed, columns, rows);
            QCOMPARE(other.size(), rows);
            QCOMPARE(total(transposed, rows, other), total(cost, columns, pairs));
            QVERIFY(
                std::is_sorted(other.begin(), other.end(), [](const auto& a, const auto& b) { return a.row < b.row; }));
        }
    }

    void forbiddenPairsAreAvoidedAndNeverReturned() {
        QCOMPARE(assign(std::vector<double>{kInf, 5, 1, kInf}, 2, 2), (Pairs{{0, 1}, {1, 0}}));
        QCOMPARE(assign(std::vector<double>{kNaN}, 1, 1), Pairs());
        // Row 0 has no partner at all: row 1 still gets its best.
        QCOMPARE(assign(std::vector<double>{kNaN, kInf, 3, 2}, 2, 2), (Pairs{{1, 1}}));
        // Both rows want column 0; serving both is worth any price.
        QCOMPARE(assign(std::vector<double>{0, 1e6, 0, kInf}, 2, 2), (Pairs{{0, 1}, {1, 0}}));
    }

    void solverGivesTheSameAgainAfterOtherSizes() {
        Assigner assigner;
        const std::vector<double> small{3, 1, 2, 2};
        const std::vector<double> large{5, 9, 1, 8, 7, 6, 4, 4, 4, 3, 2, 1};
        const auto copy = [](std::span<const AssignedPair> pairs) { return Pairs(pairs.begin(), pairs.end()); };
        const Pairs first = copy(assigner.minimise(small, 2, 2));
        const Pairs other = copy(assigner.minimise(large, 3, 4));
        QCOMPARE(copy(assigner.minimise(small, 2, 2)), first);
        QCOMPARE(other, assign(large, 3, 4));
        QCOMPARE(copy(assigner.greedy(large, 4, 3)), assignGreedily(large, 4, 3));
    }

    void greedyTakesTheCheapestPairFirst() {
        QCOMPARE(assignGreedily(std::vector<double>{1, 2, 0, 9}, 2, 2), (Pairs{{1, 0}, {0, 1}}));
        // Equal costs: row by row.
        QCOMPARE(assignGreedily(std::vector<double>(6, 1.0), 2, 3), (Pairs{{0, 0}, {1, 1}}));
        // Infinite and missing costs come last, but are taken.
        QCOMPARE(assignGreedily(std::vector<double>{kNaN, kInf, 7, kInf}, 2, 2), (Pairs{{1, 0}, {0, 1}}));
        QCOMPARE(assignGreedily(std::vector<double>{4, 3, 2, 1}, 4, 1), (Pairs{{3, 0}}));
    }
};

QTEST_APPLESS_MAIN(TestAssignment)
#include "tst_assignment.moc"
