// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/models/checkpoint/mapped_file.h"

namespace skein::models {

/// The members of a zip file whose members are stored without compression, as PyTorch writes its checkpoints; zip64
/// too. Every offset and size is checked against the file before use. Immutable, thread-safe. Format: PKWARE
/// APPNOTE.TXT 6.3.
class ZipArchive {
public:
    struct Member {
        std::string name;
        std::uint64_t size = 0;
        std::uint64_t headerOffset = 0;
    };

    /// Errors: Format, when the file is no zip, ends early, or its directory makes no sense.
    [[nodiscard]] static Result<ZipArchive> open(std::shared_ptr<const MappedFile> file);

    [[nodiscard]] const std::vector<Member>& members() const noexcept { return m_members; }

    /// The member's bytes inside the mapped file. Errors: Format (its place lies outside the file, or it is
    /// compressed).
    [[nodiscard]] Result<std::span<const std::byte>> data(const Member& member) const;

    [[nodiscard]] const std::shared_ptr<const MappedFile>& file() const noexcept { return m_file; }

private:
    explicit ZipArchive(std::shared_ptr<const MappedFile> file) : m_file(std::move(file)) {}
    std::shared_ptr<const MappedFile> m_file;
    std::vector<Member> m_members;
};

}  // namespace skein::models
