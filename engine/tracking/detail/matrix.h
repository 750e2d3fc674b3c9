// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace skein::tracking {

/// Small dense matrix, row-major.
class Matrix {
public:
    Matrix() = default;
    Matrix(std::size_t rows, std::size_t columns) : m_rows(rows), m_columns(columns), m_values(rows * columns, 0.0) {}
    [[nodiscard]] static Matrix identity(std::size_t size);

    [[nodiscard]] std::size_t rows() const noexcept { return m_rows; }
    [[nodiscard]] std::size_t columns() const noexcept { return m_columns; }
    [[nodiscard]] double& operator()(std::size_t row, std::size_t column) { return m_values[row * m_columns + column]; }
    [[nodiscard]] double operator()(std::size_t row, std::size_t column) const {
        return m_values[row * m_columns + column];
    }
    [[nodiscard]] std::span<double> values() noexcept { return m_values; }
    [[nodiscard]] std::span<const double> values() const noexcept { return m_values; }

    Matrix& operator+=(const Matrix& other);
    Matrix& operator-=(const Matrix& other);
    Matrix& operator*=(double factor);

private:
    std::size_t m_rows = 0, m_columns = 0;
    std::vector<double> m_values;
};

[[nodiscard]] Matrix multiply(const Matrix& a, const Matrix& b);
/// a times b transposed.
[[nodiscard]] Matrix multiplyTransposed(const Matrix& a, const Matrix& b);
[[nodiscard]] std::vector<double> multiply(const Matrix& a, std::span<const double> v);

/// Moore-Penrose inverse of a symmetric matrix (its symmetric part is taken). Directions whose eigenvalue is below
/// size x machine epsilon x the largest one, in magnitude, are left out.
[[nodiscard]] Matrix pseudoInverse(const Matrix& symmetric);

}  // namespace skein::tracking
