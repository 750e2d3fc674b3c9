// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace skein::suggestions::detail {

/// Rows of numbers, [rows, columns], row-major.
struct Table {
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;
    [[nodiscard]] const double* row(std::size_t r) const { return values.data() + r * columns; }
    [[nodiscard]] double* row(std::size_t r) { return values.data() + r * columns; }
};

/// Where each of `rows` samples lies along the principal components, largest first; fewer than `components` when there
/// are fewer samples. Works on the inner products between samples, so that the samples may have millions of values:
/// `product(a, b)` is called once for each pair a <= b. The signs are set so that the largest entry of each component
/// is positive. Source: the dual form of principal component analysis; eigenvectors by orthogonal iteration.
[[nodiscard]] Table principalScores(std::size_t rows, std::size_t components,
                                    const std::function<double(std::size_t, std::size_t)>& product);

/// Cluster of each row, 0 .. clusters - 1 (fewer when there are fewer distinct rows). Lloyd's iteration from k-means++
/// starts (Arthur and Vassilvitskii 2007), the best of ten.
[[nodiscard]] std::vector<std::size_t> kMeans(const Table& table, std::size_t clusters, std::mt19937_64& random);

/// 0 <= value < below; the same with every library.
[[nodiscard]] std::size_t drawn(std::mt19937_64& random, std::size_t below);

}  // namespace skein::suggestions::detail
