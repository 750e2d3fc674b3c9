// SPDX-License-Identifier: BSD-3-Clause
#include "engine/suggestions/detail/cluster.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein::suggestions::detail {

namespace {

constexpr int kPowerSteps = 100;
constexpr int kStarts = 10;
constexpr int kMostSteps = 300;

double distance2(const double* a, const double* b, std::size_t columns) {
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

double unit(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

struct Clustering {
    std::vector<std::size_t> of;
    double spread = std::numeric_limits<double>::infinity();
};

Clustering cluster(const Table& table, std::size_t clusters, std::mt19937_64& random) {
    const std::size_t columns = table.columns;
    std::vector<double> centres;
    std::vector<double> nearest(table.rows, std::numeric_limits<double>::infinity());
    std::size_t chosen = drawn(random, table.rows);
    while (centres.size() < clusters * columns) {
        centres.insert(centres.end(), table.row(chosen), table.row(chosen) + columns);
        double sum = 0;
        for (std::size_t r = 0; r < table.rows; ++r) {
            nearest[r] = std::min(nearest[r], distance2(table.row(r), table.row(chosen), columns));
            sum += nearest[r];
        }
        if (sum <= 0)
            break;  // all rows are among the centres
        double at = unit(random) * sum;
        chosen = 0;
        for (std::size_t r = 0; r < table.rows && at >= 0; ++r)
            if (nearest[r] > 0) {
                chosen = r;
                at -= nearest[r];
            }
    }
    const std::size_t count = centres.size() / columns;
    Clustering result;
    result.of.assign(table.rows, count);
    for (int step = 0; step < kMostSteps; ++step) {
        bool moved = false;
        result.spread = 0;
        for (std::size_t r = 0; r < table.rows; ++r) {
            std::size_t best = 0;
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < count; ++k)
                if (const double d = distance2(table.row(r), centres.data() + k * columns, columns); d < least) {
                    least = d;
                    best = k;
                }
            moved = moved || result.of[r] != best;
            result.of[r] = best;
            result.spread += least;
        }
        if (!moved)
            break;
        std::vector<double> sums(centres.size(), 0);
        std::vector<std::size_t> sizes(count, 0);
        for (std::size_t r = 0; r < table.rows; ++r) {
            ++sizes[result.of[r]];
            for (std::size_t c = 0; c < columns; ++c)
                sums[result.of[r] * columns + c] += table.row(r)[c];
        }
        for (std::size_t k = 0; k < count; ++k)
            if (sizes[k] > 0)  // an empty one stays where it is
                for (std::size_t c = 0; c < columns; ++c)
                    centres[k * columns + c] = sums[k * columns + c] / static_cast<double>(sizes[k]);
    }
    return result;
}

/// Makes the columns orthonormal (Gram and Schmidt, twice for the rounding); a column without direction becomes zero.
void orthonormalise(std::vector<std::vector<double>>& columns) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t before = 0; before < c; ++before) {
                double dot = 0;
                for (std::size_t i = 0; i < columns[c].size(); ++i)
                    dot += columns[c][i] * columns[before][i];
                for (std::size_t i = 0; i < columns[c].size(); ++i)
                    columns[c][i] -= dot * columns[before][i];
            }
        double norm = 0;
        for (const double v : columns[c])
            norm += v * v;
        norm = std::sqrt(norm);
        for (double& v : columns[c])
            v = norm > 1e-12 ? v / norm : 0;
    }
}

}  // namespace

std::size_t drawn(std::mt19937_64& random, std::size_t below) {
    return below == 0 ? 0 : static_cast<std::size_t>(unit(random) * static_cast<double>(below));
}

Table principalScores(std::size_t rows, std::size_t components,
                      const std::function<double(std::size_t, std::size_t)>& product) {
    const std::size_t kept = std::min(components, rows);
    std::vector<double> gram(rows * rows);
    for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = a; b < rows; ++b)
            gram[a * rows + b] = gram[b * rows + a] = product(a, b);
    // Products of the samples less their mean, from the products of the samples themselves.
    std::vector<double> means(rows, 0);
    double all = 0;
    for (std::size_t a = 0; a < rows; ++a) {
        for (std::size_t b = 0; b < rows; ++b)
            means[a] += gram[a * rows + b];
        means[a] /= static_cast<double>(rows);
        all += means[a] / static_cast<double>(rows);
    }
    for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = 0; b < rows; ++b)
            gram[a * rows + b] += all - means[a] - means[b];

    std::mt19937_64 random(1);
    std::vector<std::vector<double>> vectors(kept, std::vector<double>(rows));
    for (auto& vector : vectors)
        for (double& v : vector)
            v = unit(random) - 0.5;
    orthonormalise(vectors);
    std::vector<double> values(kept, 0);
    for (int step = 0; step < kPowerSteps; ++step) {
        for (std::size_t c = 0; c < kept; ++c) {
            std::vector<double> next(rows, 0);
            for (std::size_t a = 0; a < rows; ++a)
                for (std::size_t b = 0; b < rows; ++b)
                    next[a] += gram[a * rows + b] * vectors[c][b];
            values[c] = 0;
            for (std::size_t a = 0; a < rows; ++a)
                values[c] += vectors[c][a] * next[a];
            vectors[c] = std::move(next);
        }
        orthonormalise(vectors);
    }
    Table scores{rows, kept, std::vector<double>(rows * kept)};
    for (std::size_t c = 0; c < kept; ++c) {
        const auto largest = std::max_element(vectors[c].begin(), vectors[c].end(),
                                              [](double x, double y) { return std::abs(x) < std::abs(y); });
        const double sign = largest != vectors[c].end() && *largest < 0 ? -1 : 1;
        for (std::size_t r = 0; r < rows; ++r)
            scores.row(r)[c] = sign * vectors[c][r] * std::sqrt(std::max(0.0, values[c]));
    }
    return scores;
}

std::vector<std::size_t> kMeans(const Table& table, std::size_t clusters, std::mt19937_64& random) {
    if (table.rows == 0 || table.columns == 0 || clusters == 0)
        return std::vector<std::size_t>(table.rows, 0);
    Clustering best;
    for (int start = 0; start < kStarts; ++start)
        if (Clustering one = cluster(table, std::min(clusters, table.rows), random); one.spread < best.spread)
            best = std::move(one);
    return best.of;
}

}  // namespace skein::suggestions::detail
