// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <span>
#include <vector>

#include "engine/project/edit/edit.h"

/// Edits of the list of suggested frames. Outcome::changed counts suggestions; Extent::instances is off, since no
/// instance changes.
namespace skein::project::edit {

/// Adds suggestions at the end, in the order given; frames that are suggested already (or twice in `added`) are passed
/// over. With `replace` the old ones go first, and only then is anything "suggested already".
[[nodiscard]] Outcome addSuggestions(const Labels& labels, std::span<const Suggestion> added, bool replace = false);
/// Takes out the suggestions at these places of the list, in any order, without duplicates.
[[nodiscard]] Outcome removeSuggestions(const Labels& labels, std::span<const std::size_t> places);
[[nodiscard]] Outcome clearSuggestions(const Labels& labels);
[[nodiscard]] bool isSuggested(const Labels& labels, std::uint32_t video, std::int64_t frame);

}  // namespace skein::project::edit
