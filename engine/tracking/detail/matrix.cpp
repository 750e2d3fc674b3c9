// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/detail/matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/result.h"

namespace skein::tracking {

namespace {

/// Inverse by Cholesky factors; false where the matrix is not safely positive definite.
bool invertDefinite(const Matrix& a, Matrix& inverse) {
    const std::size_t n = a.rows();
    Matrix factor(n, n);
    double largest = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = a(i, j);
            for (std::size_t k = 0; k < j; ++k)
                sum -= factor(i, k) * factor(j, k);
            if (i == j) {
                largest = std::max(largest, sum);
                smallest = std::min(smallest, sum);
                // Near the limit the rounding of the factors would decide what is left out.
                if (!(sum > 0) || smallest < 1e-9 * largest)
                    return false;
                factor(i, i) = std::sqrt(sum);
            } else {
                factor(i, j) = sum / factor(j, j);
            }
        }
    // Columns of the inverse of the factor, then its Gram matrix.
    Matrix lower(n, n);
    for (std::size_t c = 0; c < n; ++c)
        for (std::size_t i = c; i < n; ++i) {
            double sum = i == c ? 1.0 : 0.0;
            for (std::size_t k = c; k < i; ++k)
                sum -= factor(i, k) * lower(k, c);
            lower(i, c) = sum / factor(i, i);
        }
    inverse = Matrix(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0;
            for (std::size_t k = i; k < n; ++k)
                sum += lower(k, i) * lower(k, j);
            inverse(i, j) = sum;
            inverse(j, i) = sum;
        }
    return true;
}

/// Cyclic Jacobi rotations: `a` becomes diagonal, `vectors` holds the eigenvectors as columns.
void diagonalise(Matrix& a, Matrix& vectors) {
    const std::size_t n = a.rows();
    vectors = Matrix::identity(n);
    for (int sweep = 0; sweep < 60; ++sweep) {
        double off = 0;
        double total = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                total += a(i, j) * a(i, j);
                if (i != j)
                    off += a(i, j) * a(i, j);
            }
        if (!(off > 1e-32 * total))
            return;
        for (std::size_t p = 0; p + 1 < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) {
                if (a(p, q) == 0)
                    continue;
                const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
                const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::hypot(theta, 1.0));
                const double c = 1 / std::hypot(t, 1.0);
                const double s = t * c;
                for (std::size_t k = 0; k < n; ++k) {
                    const double kp = a(k, p);
                    const double kq = a(k, q);
                    a(k, p) = c * kp - s * kq;
                    a(k, q) = s * kp + c * kq;
                }
                for (std::size_t k = 0; k < n; ++k) {
                    const double pk = a(p, k);
                    const double qk = a(q, k);
                    a(p, k) = c * pk - s * qk;
                    a(q, k) = s * pk + c * qk;
                    const double vp = vectors(k, p);
                    const double vq = vectors(k, q);
                    vectors(k, p) = c * vp - s * vq;
                    vectors(k, q) = s * vp + c * vq;
                }
            }
    }
}

}  // namespace

Matrix Matrix::identity(std::size_t size) {
    Matrix result(size, size);
    for (std::size_t i = 0; i < size; ++i)
        result(i, i) = 1;
    return result;
}

Matrix& Matrix::operator+=(const Matrix& other) {
    for (std::size_t i = 0; i < m_values.size(); ++i)
        m_values[i] += other.m_values[i];
    return *this;
}

Matrix& Matrix::operator-=(const Matrix& other) {
    for (std::size_t i = 0; i < m_values.size(); ++i)
        m_values[i] -= other.m_values[i];
    return *this;
}

Matrix& Matrix::operator*=(double factor) {
    for (double& value : m_values)
        value *= factor;
    return *this;
}

Matrix multiply(const Matrix& a, const Matrix& b) {
    SKEIN_EXPECTS(a.columns() == b.rows(), "matrix sizes must fit");
    Matrix result(a.rows(), b.columns());
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t k = 0; k < a.columns(); ++k)
            for (std::size_t j = 0; j < b.columns(); ++j)
                result(i, j) += a(i, k) * b(k, j);
    return result;
}

Matrix multiplyTransposed(const Matrix& a, const Matrix& b) {
    SKEIN_EXPECTS(a.columns() == b.columns(), "matrix sizes must fit");
    Matrix result(a.rows(), b.rows());
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < b.rows(); ++j)
            for (std::size_t k = 0; k < a.columns(); ++k)
                result(i, j) += a(i, k) * b(j, k);
    return result;
}

std::vector<double> multiply(const Matrix& a, std::span<const double> v) {
    SKEIN_EXPECTS(a.columns() == v.size(), "matrix and vector sizes must fit");
    std::vector<double> result(a.rows(), 0.0);
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t k = 0; k < a.columns(); ++k)
            result[i] += a(i, k) * v[k];
    return result;
}

Matrix pseudoInverse(const Matrix& symmetric) {
    SKEIN_EXPECTS(symmetric.rows() == symmetric.columns(), "matrix must be square");
    const std::size_t n = symmetric.rows();
    Matrix a(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            a(i, j) = (symmetric(i, j) + symmetric(j, i)) / 2;
    Matrix inverse;
    if (invertDefinite(a, inverse))
        return inverse;
    Matrix vectors;
    diagonalise(a, vectors);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i)
        largest = std::max(largest, std::abs(a(i, i)));
    const double limit = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest;
    inverse = Matrix(n, n);
    for (std::size_t e = 0; e < n; ++e) {
        if (!(std::abs(a(e, e)) > limit))
            continue;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                inverse(i, j) += vectors(i, e) * vectors(j, e) / a(e, e);
    }
    return inverse;
}

}  // namespace skein::tracking
