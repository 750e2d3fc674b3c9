// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <filesystem>
#include <functional>

#include "engine/base/result.h"

namespace skein {

/// Writes `target` so that at every moment the old or the new file is on disk, complete: `write` fills a temporary file
/// in the same folder, which is flushed to disk and then renamed over the target (keeping its permissions). On any
/// failure the temporary file is removed and the target is untouched. Symbolic links are followed, not replaced.
/// Errors: what `write` returns; Io (folder missing, not writable, disk full).
[[nodiscard]] Result<void> writeAtomically(const std::filesystem::path& target,
                                           const std::function<Result<void>(const std::filesystem::path&)>& write);

}  // namespace skein
