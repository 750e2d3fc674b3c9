// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "engine/base/result.h"

namespace skein::models {

/// A whole file as read-only memory; pages are read when touched. Immutable, thread-safe.
/// The file must not shrink while it is mapped: touching a lost page ends the process.
class MappedFile {
public:
    /// Errors: NotFound, Io (also for an empty file and for what is not a regular file).
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);

    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return m_bytes; }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }

private:
    MappedFile(std::filesystem::path path, std::span<const std::byte> bytes)
        : m_path(std::move(path)), m_bytes(bytes) {}
    std::filesystem::path m_path;
    std::span<const std::byte> m_bytes;
};

}  // namespace skein::models
