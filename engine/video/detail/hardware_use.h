// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "engine/video/detail/hardware.h"

namespace skein::video::detail {

/// Whether the readers of one video decode on the GPU that was asked for, and why not. Shared by them; thread-safe.
class HardwareUse {
public:
    HardwareUse(std::shared_ptr<const Hardware> hardware, std::filesystem::path video)
        : m_hardware(std::move(hardware)), m_video(std::move(video)) {}

    /// nullptr: there is none.
    [[nodiscard]] const Hardware* hardware() const noexcept { return m_hardware.get(); }

    /// Its pictures were compared with the processor's and are the same.
    void trust();
    /// A reader goes on with the processor for good; the first one's sentence is kept, and logged.
    void leave(const std::string& reason);

    /// Who decodes, to follow "decoded by": "the GPU.", "the processor. There is no NVIDIA driver on this machine."
    [[nodiscard]] std::string note() const;

private:
    const std::shared_ptr<const Hardware> m_hardware;
    const std::filesystem::path m_video;
    mutable std::mutex m_mutex;
    bool m_isTrusted = false;
    std::string m_reason;
};

}  // namespace skein::video::detail
