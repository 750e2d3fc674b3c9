// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action_rows.h"

namespace skein::ui {

std::vector<ActionSpec> projectActions() {
    using N = Need;
    const auto row = [](const char* id, const char* text, const char* menu, std::initializer_list<const char*> list,
                        const char* icon, const char* tip, std::vector<Need> needs) {
        return ActionSpec{id, text, menu, keys(list), icon, tip, std::move(needs)};
    };
    constexpr const char* kSuggestions = "Labels/Suggestions";
    constexpr const char* kSkeleton = "Labels/Skeleton";
    constexpr const char* kVideos = "Edit/Videos";
    ActionSpec find = row("editFind", "&Find Frames...", "Edit", {"Ctrl+F"}, "search",
                          "Find frames by what is on them: counts, scores, tracks, speed, places.", {N::Project});
    find.separatorBefore = true;
    ActionSpec grey =
        row("videoGray", "&Grayscale", kVideos, {}, "",
            "Give models one channel of the selected videos instead of three.", {N::Videos, N::NotRunning});
    grey.checkable = true;
    ActionSpec automatic =
        row("videoAuto", "Grayscale as the &Pictures Say", kVideos, {}, "",
            "One channel for the selected videos whose first frame is grey.", {N::Videos, N::NotRunning});
    return {
        find,
        row("findNext", "Next Found Frame", "Go", {"F3"}, "next", "Go to the next frame that the search found.",
            {N::Found}),
        row("findPrevious", "Previous Found Frame", "Go", {"Shift+F3"}, "previous",
            "Go to the frame before this one that the search found.", {N::Found}),
        row("videoRemove", "&Remove Videos...", kVideos, {}, "delete",
            "Take the selected videos out of the project, with their labels.", {N::Videos, N::NotRunning}),
        grey,
        automatic,
        row("videoUp", "Move &Up", kVideos, {}, "", "Move the selected video up in the list.",
            {N::TwoVideos, N::NotRunning}),
        row("videoDown", "Move &Down", kVideos, {}, "", "Move the selected video down in the list.",
            {N::TwoVideos, N::NotRunning}),
        row("suggestionGenerate", "&Generate Suggestions...", kSuggestions, {}, "",
            "Let Skein pick frames that are worth labelling.", {N::Frames}),
        row("suggestionAdd", "&Add Frame to Suggestions", kSuggestions, {}, "", "Suggest the shown frame.",
            {N::Frames}),
        row("suggestionRemove", "&Remove Selected Suggestions", kSuggestions, {}, "",
            "Take the selected rows of the dock Suggestions out; the frames stay.", {N::SuggestionsSelected}),
        row("suggestionClear", "&Clear Suggestions", kSuggestions, {}, "", "Take all suggestions out; the frames stay.",
            {N::Suggestions}),
        row("skeletonTemplate", "Skeleton From &Template...", kSkeleton, {}, "",
            "Begin with a skeleton for a common animal.", {N::Project, N::NotRunning}),
        row("skeletonLoad", "&Load Skeleton...", kSkeleton, {}, "",
            "Read a skeleton from a SLEAP skeleton file or another project.", {N::Project, N::NotRunning}),
        row("skeletonSave", "&Save Skeleton...", kSkeleton, {}, "",
            "Write the skeleton to a file that SLEAP and Skein can load.", {N::AnySkeleton}),
    };
}

}  // namespace skein::ui
