// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace skein::test {

namespace detail {
inline std::optional<std::filesystem::path> sharedFolder(const char* variable, const char* name) {
    const char* given = std::getenv(variable);
    const std::filesystem::path path = given != nullptr
                                           ? std::filesystem::path(given)
                                           : std::filesystem::path(SKEIN_SOURCE_DIR) / ".." / "shared" / name;
    std::error_code ec;
    if (!std::filesystem::is_directory(path, ec))
        return std::nullopt;
    return std::filesystem::canonical(path, ec);
}
}  // namespace detail

/// The reference pack (models, videos, recorded results), where it lies beside the repository or where
/// SKEIN_REFERENCE_DIR points. Tests that need it skip, visibly, where it is missing. Read-only: copy before writing.
inline std::optional<std::filesystem::path> referenceDir() {
    return detail::sharedFolder("SKEIN_REFERENCE_DIR", "reference");
}

/// The folder of the `*-cases.json` test vectors (SKEIN_SPEC_DIR).
inline std::optional<std::filesystem::path> specDir() {
    return detail::sharedFolder("SKEIN_SPEC_DIR", "spec");
}

}  // namespace skein::test

/// First line of a test that needs the reference pack: defines `name` or skips.
#define SKEIN_NEEDS_REFERENCE(name)                               \
    const auto name##Found = ::skein::test::referenceDir();       \
    if (!name##Found)                                             \
        QSKIP("the reference pack is not beside the repository"); \
    const std::filesystem::path& name = *name##Found

#define SKEIN_NEEDS_SPEC(name)                                   \
    const auto name##Found = ::skein::test::specDir();           \
    if (!name##Found)                                            \
        QSKIP("the test vectors are not beside the repository"); \
    const std::filesystem::path& name = *name##Found
