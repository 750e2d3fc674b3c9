// SPDX-License-Identifier: BSD-3-Clause
#include "engine/tracking/break_connector.h"

#include <algorithm>
#include <iterator>

namespace skein::tracking {

void BreakConnector::reset() {
    m_started = false;
    m_good.clear();
    m_continues.clear();
}

void BreakConnector::collect(std::span<const std::int64_t> identities) {
    m_current.assign(identities.begin(), identities.end());
    std::sort(m_current.begin(), m_current.end());
    m_current.erase(std::unique(m_current.begin(), m_current.end()), m_current.end());
}

void BreakConnector::connect(std::span<std::int64_t> identities) {
    collect(identities);
    if (!m_started) {
        m_good = m_current;
        m_started = true;
    }
    for (std::int64_t& identity : identities) {
        const auto known = m_continues.find(identity);
        if (known != m_continues.end() && !std::binary_search(m_current.begin(), m_current.end(), known->second)) {
            identity = known->second;
            collect(identities);
        }
    }

    m_extra.clear();
    m_missing.clear();
    std::set_difference(m_current.begin(), m_current.end(), m_good.begin(), m_good.end(), std::back_inserter(m_extra));
    std::set_difference(m_good.begin(), m_good.end(), m_current.begin(), m_current.end(),
                        std::back_inserter(m_missing));
    if (m_extra.size() == 1 && m_missing.size() == 1) {
        const auto newcomer = std::find(identities.begin(), identities.end(), m_extra.front());
        *newcomer = m_missing.front();
        m_continues[m_extra.front()] = m_missing.front();
    } else if (m_current.size() >= m_good.size()) {
        // Only a frame with at least as many identities replaces the reference; otherwise the missing would be
        // forgotten.
        m_good = m_current;
    }
}

}  // namespace skein::tracking
