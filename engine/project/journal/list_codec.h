// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "engine/project/journal/bytes.h"
#include "engine/project/labels.h"

// How the journal stores the lists of a project; for the sources of the journal alone.
namespace skein::project::journal {

/// Everything of `now` but its frames, as far as it differs from `before`.
void writeLists(const Labels& before, const Labels& now, ByteWriter& out);

/// Brings the lists of `labels`, which is a copy of `before`, to what was written; the reader is not ok afterwards when
/// that does not fit.
void readLists(const Labels& before, ByteReader& in, Labels& labels);

/// Whether two lists differ in anything that is stored.
[[nodiscard]] bool listDiffers(const std::vector<Video>& a, const std::vector<Video>& b);
[[nodiscard]] bool listDiffers(const std::vector<Skeleton>& a, const std::vector<Skeleton>& b);
[[nodiscard]] bool listDiffers(const std::vector<Suggestion>& a, const std::vector<Suggestion>& b);
[[nodiscard]] bool listDiffers(const std::vector<std::pair<std::uint32_t, std::int64_t>>& a,
                               const std::vector<std::pair<std::uint32_t, std::int64_t>>& b);

}  // namespace skein::project::journal
