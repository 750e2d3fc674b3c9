// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "engine/base/result.h"

namespace skein {

/// What a file was when it was looked at, so that a later look tells whether it is another one.
struct FileStamp {
    std::uint64_t size = 0;
    std::int64_t modified = 0;  ///< nanoseconds since 1970; 0: there was no file
    std::uint64_t hash = 0;     ///< of the bytes: all of them up to 16 MiB, of larger files as many, evenly spread

    [[nodiscard]] bool exists() const noexcept { return modified != 0; }
    /// Same bytes, as far as they were looked at; a file that was copied or touched counts as the same.
    [[nodiscard]] bool sameContent(const FileStamp& other) const noexcept {
        return exists() && other.exists() && size == other.size && hash == other.hash;
    }
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// The hash that stamps use, of bytes in memory: tells chance apart, not intent.
[[nodiscard]] std::uint64_t hashOf(std::string_view bytes);

/// Reads up to 16 MiB: for worker threads. Errors: NotFound, Io.
[[nodiscard]] Result<FileStamp> stampOf(const std::filesystem::path& path);

/// Keeps the present `path` as `path`.bak, in place of an earlier one; nothing when there is no file. Costs no copy
/// where the file system knows hard links; `path` is then to be replaced and not written into. Errors: Io.
[[nodiscard]] Result<void> keepBackup(const std::filesystem::path& path);

}  // namespace skein
