// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

namespace skein::ui {

/// Smallest and largest value of any stretch of a series, in a time that does not depend on its length: each level
/// holds both for every four entries of the one below. Values that are not numbers count as missing. A value without
/// Qt; thread-compatible.
class MinMaxPyramid {
public:
    struct Extremes {
        double least = 0, most = 0;
        bool any = false;  ///< false: no value there
    };

    MinMaxPyramid() = default;
    explicit MinMaxPyramid(std::vector<double> values);

    [[nodiscard]] const std::vector<double>& values() const { return m_values; }
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(m_values.size()); }
    /// Of entries `from` to `to`, the last one excluded; what lies outside the series is missing.
    [[nodiscard]] Extremes over(std::int64_t from, std::int64_t to) const;
    [[nodiscard]] Extremes all() const { return over(0, size()); }
    /// Puts values in place of those from `first` on. Cost: these and the entries above them.
    void replace(std::int64_t first, const std::vector<double>& values);

private:
    void rebuild(std::int64_t first, std::int64_t last);

    std::vector<double> m_values;
    std::vector<std::vector<Extremes>> m_levels;  ///< m_levels[0]: of four values each
};

}  // namespace skein::ui
