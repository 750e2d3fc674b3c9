// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace skein::bench {

/// A table of costs over a size, with the exponent b of the best fit cost = a x size^b under each column: 1 is linear,
/// 0 is no growth at all.
class ScalingTable {
public:
    ScalingTable(const char* title, std::string size, std::vector<std::string> columns)
        : m_columns(std::move(columns)) {
        std::printf("\n%s\n%12s", title, size.c_str());
        for (const std::string& column : m_columns)
            std::printf(" %16s", column.c_str());
        std::printf("\n");
    }
    void row(double size, const std::vector<double>& costs) {
        std::printf("%12.0f", size);
        for (const double cost : costs)
            std::printf(" %16.4f", cost);
        std::printf("\n");
        std::fflush(stdout);
        m_sizes.push_back(size);
        m_costs.push_back(costs);
    }
    /// Prints the last line.
    void finish() const {
        std::printf("%12s", "exponent");
        for (std::size_t c = 0; c < m_columns.size(); ++c)
            std::printf(" %16.2f", exponent(c));
        std::printf("\n");
    }

private:
    /// Least squares over the logarithms.
    [[nodiscard]] double exponent(std::size_t column) const {
        double x = 0, y = 0, xx = 0, xy = 0;
        const auto n = static_cast<double>(m_sizes.size());
        for (std::size_t r = 0; r < m_sizes.size(); ++r) {
            const double size = std::log(m_sizes[r]), cost = std::log(m_costs[r][column]);
            x += size;
            y += cost;
            xx += size * size;
            xy += size * cost;
        }
        return (n * xy - x * y) / (n * xx - x * x);
    }

    std::vector<std::string> m_columns;
    std::vector<double> m_sizes;
    std::vector<std::vector<double>> m_costs;
};

}  // namespace skein::bench
