// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action_rows.h"

namespace skein::ui {

namespace {

using N = Need;

ActionSpec row(const char* id, const char* text, const char* menu, std::initializer_list<const char*> shortcuts,
               const char* tip, std::vector<Need> needs) {
    return {id, text, menu, keys(shortcuts), "", tip, std::move(needs)};
}

ActionSpec choice(const char* id, const char* text, const char* menu, const char* group, const char* tip) {
    ActionSpec spec = row(id, text, menu, {}, tip, {});
    spec.checkable = true;
    spec.group = group;
    return spec;
}

ActionSpec separated(ActionSpec spec) {
    spec.separatorBefore = true;
    return spec;
}

ActionSpec withIcon(ActionSpec spec, const char* icon) {
    spec.icon = icon;
    return spec;
}

}  // namespace

std::vector<ActionSpec> labelActions() {
    constexpr const char* kPlacement = "Labels/Instance Placement";
    constexpr const char* kDelete = "Labels/Delete Predictions";
    ActionSpec nudge = row("labelNudge", "Nudge Node by &Keys", "Labels", {"M"},
                           "Arrow keys move the node touched last: 1 px, with Shift 0.1, with Ctrl 10; Tab takes the "
                           "next node, Esc ends it.",
                           {N::Selection});
    nudge.checkable = true;
    ActionSpec area =
        row("labelDeletePredArea", "in &Area...", kDelete, {"Ctrl+K"},
            "Draw a rectangle: predictions of this video that lie wholly inside it are deleted.", {N::AnyPredictions});
    area.checkable = true;
    ActionSpec ghost = row("labelGhostDrag", "Drag Predictions to Correct Them", "Labels", {},
                           "Dragging a node of a prediction makes a user instance of it.", {});
    ghost.checkable = true;
    ActionSpec negative = row("labelNegative", "Mark Frame as &Negative", "Labels", {"N"},
                              "This frame shows background only; training may use it so.", {N::Frames});
    negative.checkable = true;
    return {
        withIcon(row("labelAdd", "Add &Instance", "Labels", {"Ctrl+I"}, "Add an instance to this frame.",
                     {N::Frames, N::Skeleton}),
                 "add"),
        choice("labelPlaceBest", "&Best", kPlacement, "placement",
               "A prediction of this frame, else the animal that is missing from the frame before, else the average."),
        choice("labelPlaceAverage", "&Average Instance", kPlacement, "placement",
               "The mean shape of what was labelled."),
        choice("labelPlaceForce", "&Force Directed", kPlacement, "placement", "The skeleton laid out as a graph."),
        choice("labelPlaceRandom", "&Random", kPlacement, "placement", "Every node somewhere in view."),
        choice("labelPlacePrior", "Copy &Prior Frame", kPlacement, "placement",
               "An instance of the labelled frame before this one."),
        choice("labelPlacePrediction", "Copy Pre&dictions", kPlacement, "placement",
               "The best prediction of this frame."),
        withIcon(row("labelDelete", "&Delete Instance", "Labels", {"Ctrl+Backspace", "Delete"},
                     "Delete the selected instances.", {N::Selection}),
                 "delete"),
        row("labelMerge", "&Merge Instances", "Labels", {},
            "Make one of the selected user instances; the first that was selected keeps its nodes.",
            {N::TwoUsersSelected}),
        separated(row("labelAcceptFrame", "Accept &All Predictions on Frame", "Labels", {"Ctrl+Shift+A"},
                      "Make user instances of all predictions on this frame.", {N::FramePredictions})),
        row("labelAcceptAll", "Accept All Predictions of &Video", "Labels", {},
            "Make user instances of all predictions of this video.", {N::AnyPredictions}),
        separated(row("labelToggleNode", "Toggle Node &Visibility", "Labels", {"V"},
                      "Mark the node under the pointer, or the one touched last, as visible or not.",
                      {N::UserSelected})),
        row("labelComplete", "Mark Instance &Complete", "Labels", {},
            "Confirm all nodes of the selected user instance.", {N::UserSelected}),
        row("labelAddMissing", "Add Mi&ssing Nodes", "Labels", {},
            "Give nodes without a place one, marked as not visible.", {N::UserSelected}),
        nudge,
        ghost,
        negative,
        row("labelDeletePredFrame", "on &Frame", kDelete, {}, "Delete the predictions of this frame.",
            {N::FramePredictions}),
        row("labelDeletePredClip", "in &Selection", kDelete, {}, "Delete the predictions of the selected frames.",
            {N::Range, N::AnyPredictions}),
        area,
        row("labelDeletePredScore", "with &Low Score...", kDelete, {},
            "Delete predictions whose score lies below a limit.", {N::AnyPredictions}),
        row("labelDeletePredMax", "beyond &Max Instances...", kDelete, {},
            "Keep only the best predictions of each frame of this video.", {N::AnyPredictions}),
        row("labelDeletePredFrames", "beyond F&rame Limit...", kDelete, {},
            "Keep only predictions of a stretch of this video.", {N::AnyPredictions}),
        row("labelDeletePredOnUser", "on &User Frames", kDelete, {},
            "Delete predictions on frames that a person labelled.", {N::AnyPredictions}),
        separated(row("labelDeletePredAll", "&All", kDelete, {}, "Delete every prediction of the project.",
                      {N::AnyPredictions})),
        row("labelCustomDelete", "Custom Instance &Delete...", "Labels", {},
            "Delete instances by kind, video, frames, track and score.", {N::AnyInstances}),
    };
}

std::vector<ActionSpec> trackActions() {
    constexpr const char* kSet = "Tracks/Set Instance Track";
    static const char* const kSetIds[] = {"trackSet1", "trackSet2", "trackSet3", "trackSet4", "trackSet5",
                                          "trackSet6", "trackSet7", "trackSet8", "trackSet9"};
    static const char* const kSetTexts[] = {"Track &1", "Track &2", "Track &3", "Track &4", "Track &5",
                                            "Track &6", "Track &7", "Track &8", "Track &9"};
    static const char* const kSetKeys[] = {"Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+4", "Ctrl+5",
                                           "Ctrl+6", "Ctrl+7", "Ctrl+8", "Ctrl+9"};
    std::vector<ActionSpec> rows;
    for (std::size_t i = 0; i < 9; ++i) {
        rows.push_back(row(kSetIds[i], kSetTexts[i], kSet, {kSetKeys[i]},
                           "Give the selected instance this track; with Propagate on, to the end of the video.",
                           {N::Selection, N::ProjectTracks}));
        rows.back().leastTracks = i + 1;
    }
    rows.push_back(separated(row("trackNew", "&New Track", kSet, {"Ctrl+0"},
                                 "Give the selected instance a track of its own.", {N::Selection})));
    rows.push_back(row("trackClear", "N&o Track", kSet, {}, "Take the track from the selected instance, on this frame.",
                       {N::SelectionTrack}));
    ActionSpec propagate = row("trackPropagate", "&Propagate Track Labels", "Tracks", {"P"},
                               "Changes of tracks reach to the end of the video, or over the selected frames.", {});
    propagate.checkable = true;
    rows.push_back(propagate);
    rows.push_back(separated(row("trackTranspose", "&Transpose Instance Tracks", "Tracks", {"Ctrl+T"},
                                 "Exchange the tracks of two instances.", {N::Instances, N::ProjectTracks})));
    rows.push_back(
        row("trackSplit", "&Split Track Here", "Tracks", {"Ctrl+Shift+T"},
            "From this frame on, or to the end of the selected frames, the selected instance has a new track.",
            {N::SelectionTrack, N::TrackBefore}));
    rows.push_back(row("trackRename", "&Rename Track...", "Tracks", {"F2"}, "Name the selected instance's track.",
                       {N::SelectionTrack}));
    rows.push_back(separated(row(
        "trackDeleteInstanceAndTrack", "&Delete Instance and Track", "Tracks", {"Ctrl+Shift+Backspace"},
        "Delete every instance of this track in this video, and the track; only on the selected frames, if any are.",
        {N::Selection})));
    rows.push_back(row("trackDelete", "Delete Track, &Keep Instances", "Tracks", {},
                       "Remove the selected instance's track from the project; its instances stay without one.",
                       {N::SelectionTrack}));
    rows.push_back(row("trackDeleteUnused", "Delete &Unused Tracks", "Tracks", {},
                       "Remove tracks that no instance has.", {N::ProjectTracks}));
    rows.push_back(row("trackDeleteAll", "Delete &All Tracks", "Tracks", {},
                       "Remove all tracks from the project; the instances stay without one.", {N::ProjectTracks}));
    return rows;
}

}  // namespace skein::ui
