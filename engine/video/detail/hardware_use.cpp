// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/detail/hardware_use.h"

#include "engine/base/log.h"

namespace skein::video::detail {

void HardwareUse::trust() {
    const std::lock_guard lock(m_mutex);
    m_isTrusted = true;
}

void HardwareUse::leave(const std::string& reason) {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_reason.empty())
            return;
        m_reason = reason;
    }
    log::info("\"" + m_video.string() + "\" is decoded by " + note());
}

std::string HardwareUse::note() const {
    const std::lock_guard lock(m_mutex);
    if (m_reason.empty())
        return "the GPU.";
    return (m_isTrusted ? "the GPU and, from some frame on, the processor. " : "the processor. ") + m_reason;
}

}  // namespace skein::video::detail
