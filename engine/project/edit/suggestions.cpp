// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/edit/suggestions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/result.h"

namespace skein::project::edit {

namespace {
Outcome withList(const Labels& labels, std::vector<Suggestion> list, std::size_t changed) {
    Outcome outcome = unchanged(labels);
    outcome.labels.editSuggestions() = std::move(list);
    outcome.extent.instances = false;
    outcome.changed = changed;
    return outcome;
}
}  // namespace

Outcome addSuggestions(const Labels& labels, std::span<const Suggestion> added, bool replace) {
    std::vector<Suggestion> list;
    std::size_t changed = 0;
    if (replace)
        changed = labels.suggestions().size();
    else
        list = labels.suggestions();
    std::set<std::pair<std::uint32_t, std::int64_t>> known;
    for (const Suggestion& suggestion : list)
        known.emplace(suggestion.video, suggestion.frameIndex);
    for (const Suggestion& suggestion : added) {
        if (suggestion.video >= labels.videos().size() || suggestion.frameIndex < 0 ||
            !known.emplace(suggestion.video, suggestion.frameIndex).second)
            continue;
        list.push_back(suggestion);
        ++changed;
    }
    return changed == 0 ? unchanged(labels) : withList(labels, std::move(list), changed);
}

Outcome removeSuggestions(const Labels& labels, std::span<const std::size_t> places) {
    std::vector<bool> gone(labels.suggestions().size(), false);
    for (const std::size_t place : places) {
        SKEIN_EXPECTS(place < gone.size(), "suggestion outside the list");
        gone[place] = true;
    }
    std::vector<Suggestion> kept;
    kept.reserve(gone.size());
    for (std::size_t i = 0; i < gone.size(); ++i)
        if (!gone[i])
            kept.push_back(labels.suggestions()[i]);
    const std::size_t changed = gone.size() - kept.size();
    return changed == 0 ? unchanged(labels) : withList(labels, std::move(kept), changed);
}

Outcome clearSuggestions(const Labels& labels) {
    const std::size_t changed = labels.suggestions().size();
    return changed == 0 ? unchanged(labels) : withList(labels, {}, changed);
}

bool isSuggested(const Labels& labels, std::uint32_t video, std::int64_t frame) {
    return std::any_of(labels.suggestions().begin(), labels.suggestions().end(),
                       [&](const Suggestion& s) { return s.video == video && s.frameIndex == frame; });
}

}  // namespace skein::project::edit
