// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/pyramid.h"

#include <algorithm>
#include <cmath>

namespace skein::ui {

namespace {
constexpr std::int64_t kFactor = 4;

void take(MinMaxPyramid::Extremes& into, double least, double most) {
    into.least = into.any ? std::min(into.least, least) : least;
    into.most = into.any ? std::max(into.most, most) : most;
    into.any = true;
}
}  // namespace

MinMaxPyramid::MinMaxPyramid(std::vector<double> values) : m_values(std::move(values)) {
    for (std::size_t entries = m_values.size(); entries > 1;) {
        entries = (entries + kFactor - 1) / kFactor;
        m_levels.emplace_back(entries);
    }
    rebuild(0, size() - 1);
}

void MinMaxPyramid::rebuild(std::int64_t first, std::int64_t last) {
    for (std::size_t level = 0; level < m_levels.size(); ++level) {
        first /= kFactor;
        last /= kFactor;
        for (std::int64_t entry = first; entry <= last; ++entry) {
            Extremes extremes;
            const std::int64_t from = entry * kFactor;
            const auto below = static_cast<std::int64_t>(level == 0 ? m_values.size() : m_levels[level - 1].size());
            for (std::int64_t i = from; i < std::min(from + kFactor, below); ++i) {
                const auto at = static_cast<std::size_t>(i);
                if (level == 0) {
                    if (!std::isnan(m_values[at]))
                        take(extremes, m_values[at], m_values[at]);
                } else if (m_levels[level - 1][at].any) {
                    take(extremes, m_levels[level - 1][at].least, m_levels[level - 1][at].most);
                }
            }
            m_levels[level][static_cast<std::size_t>(entry)] = extremes;
        }
    }
}

MinMaxPyramid::Extremes MinMaxPyramid::over(std::int64_t from, std::int64_t to) const {
    Extremes result;
    from = std::max<std::int64_t>(from, 0);
    to = std::min(to, size());
    std::size_t level = 0;  // entries [from, to) of this level are left; 0: the values
    const auto read = [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        if (level == 0) {
            if (!std::isnan(m_values[at]))
                take(result, m_values[at], m_values[at]);
        } else if (m_levels[level - 1][at].any) {
            take(result, m_levels[level - 1][at].least, m_levels[level - 1][at].most);
        }
    };
    while (from < to) {
        while (from < to && (from % kFactor != 0 || level == m_levels.size()))
            read(from++);
        while (from < to && to % kFactor != 0)
            read(--to);
        from /= kFactor;
        to /= kFactor;
        ++level;
    }
    return result;
}

void MinMaxPyramid::replace(std::int64_t first, const std::vector<double>& values) {
    if (first < 0 || values.empty() || first + static_cast<std::int64_t>(values.size()) > size())
        return;
    std::copy(values.begin(), values.end(), m_values.begin() + first);
    rebuild(first, first + static_cast<std::int64_t>(values.size()) - 1);
}

}  // namespace skein::ui
