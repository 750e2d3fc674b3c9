// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action_rows.h"

namespace skein::ui {

namespace {

ActionSpec row(const char* id, const char* text, const char* menu, std::initializer_list<const char*> shortcuts,
               const char* tip, std::vector<Need> needs = {}) {
    return {id, text, menu, keys(shortcuts), "", tip, std::move(needs)};
}

ActionSpec checked(ActionSpec spec, const char* group = "") {
    spec.checkable = true;
    spec.group = group;
    return spec;
}

ActionSpec choice(const char* id, const char* text, const char* menu, const char* group, const char* tip,
                  std::vector<Need> needs = {}) {
    return checked(row(id, text, menu, {}, tip, std::move(needs)), group);
}

ActionSpec separated(ActionSpec spec) {
    spec.separatorBefore = true;
    return spec;
}

}  // namespace

std::vector<ActionSpec> viewActions() {
    using N = Need;
    constexpr const char* kColor = "View/Colour by";
    constexpr const char* kPalette = "View/Palette";
    constexpr const char* kFocus = "View/Instance Focus";
    constexpr const char* kEdges = "View/Edge Style";
    constexpr const char* kMarker = "View/Marker Size";
    constexpr const char* kLabel = "View/Label Size";
    constexpr const char* kOverlay = "View/Overlay";
    const char* const markerTip = "How large nodes are drawn, whatever the zoom.";
    const char* const labelTip = "How large names are written, whatever the zoom.";
    std::vector<ActionSpec> rows = {
        checked(row("viewShowScores", "Show S&cores", "View", {}, "Write the scores of predicted nodes beside them.")),
        checked(row("viewShowReplaced", "Show &Replaced Predictions", "View", {},
                    "Also draw predictions that a user instance was made from.")),
        separated(checked(row("viewColorPredicted", "Colour &Predicted Instances", "View", {},
                              "Off: predictions are grey with a yellow outline."))),
        choice("viewColorByTrack", "Track", kColor, "color", "One colour for each track."),
        choice("viewColorByInstance", "Instance", kColor, "color", "One colour for each place on the frame."),
        choice("viewColorByNode", "Node", kColor, "color", "One colour for each node of the skeleton."),
        choice("viewColorByEdge", "Edge", kColor, "color", "One colour for each edge of the skeleton."),
        choice("viewColorByScore", "Score", kColor, "color", "From violet (0) to yellow (1) by the nodes' scores."),
        choice("viewColorBySpeed", "Speed", kColor, "color",
               "From violet (still) to yellow (half a body length a frame), by the track's last step."),
        choice("viewPaletteSafe", "Colour-Blind Safe", kPalette, "palette", "Twelve colours for all eyes."),
        choice("viewPaletteStandard", "Standard", kPalette, "palette", "Seven colours."),
        choice("viewPaletteFivePlus", "Five+", kPalette, "palette", "Five strong colours and five pale ones."),
        choice("viewPaletteSolarized", "Solarized", kPalette, "palette", "Eight colours of even lightness."),
        choice("viewPaletteAlphabet", "Alphabet", kPalette, "palette", "Twenty-six colours, for many animals."),
        choice("viewFocusManual", "Manual", kFocus, "focus", "Draw all but what the eye in Instances hides."),
        choice("viewFocusSelected", "Only Selected", kFocus, "focus", "Draw the selected instance alone."),
        choice("viewFocusVisible", "Visible Points Only", kFocus, "focus", "Leave out nodes that are not visible."),
        choice("viewFocusHiddenOfSelected", "Visible and Hidden of Selected", kFocus, "focus",
               "Nodes that are not visible are drawn for the selected instance alone."),
        choice("viewEdgeLine", "Lines", kEdges, "edges", "Draw edges as lines."),
        choice("viewEdgeWedge", "Wedges", kEdges, "edges", "Draw edges as wedges that point to their destination."),
        separated(checked(
            row("viewDashPredicted", "Dash Predictions", kEdges, {}, "Draw the edges of predictions as dashes."))),
        choice("viewMarkerSize1", "1", kMarker, "marker", markerTip),
        choice("viewMarkerSize2", "2", kMarker, "marker", markerTip),
        choice("viewMarkerSize3", "3", kMarker, "marker", markerTip),
        choice("viewMarkerSize4", "4", kMarker, "marker", markerTip),
        choice("viewMarkerSize6", "6", kMarker, "marker", markerTip),
        choice("viewMarkerSize8", "8", kMarker, "marker", markerTip),
        choice("viewMarkerSize12", "12", kMarker, "marker", markerTip),
        choice("viewLabelSize6", "6", kLabel, "label", labelTip),
        choice("viewLabelSize9", "9", kLabel, "label", labelTip),
        choice("viewLabelSize12", "12", kLabel, "label", labelTip),
        choice("viewLabelSize18", "18", kLabel, "label", labelTip),
        choice("viewLabelSize24", "24", kLabel, "label", labelTip),
        choice("viewLabelSize36", "36", kLabel, "label", labelTip),
        choice("viewOverlayNone", "&None", kOverlay, "overlay", "Show the picture alone."),
        choice("viewOverlayConfidence", "&Confidence Maps", kOverlay, "overlay",
               "Where the model of the last run sees nodes on this frame.", {N::Frames}),
        choice("viewOverlayPaf", "&Part Affinity Fields", kOverlay, "overlay",
               "Which way the model of the last run sees edges go on this frame.", {N::Frames}),
        choice("viewOverlayCentroids", "C&entroids", kOverlay, "overlay",
               "Where the model of the last run sees whole animals on this frame.", {N::Frames}),
        separated(row("viewOverlay", "Ne&xt Overlay", kOverlay, {"O"},
                      "Go through what the model of the last run sees on this frame.", {N::Frames})),
        row("viewContrast", "&Brightness, Contrast...", "View", {},
            "Brightness, contrast, gamma, inversion and false colours of the shown picture.", {N::Frames}),
        checked(row("viewLoupe", "&Loupe", "View", {"Z"}, "A magnifier at the pointer, as long as the key is held.",
                    {N::Frames})),
        checked(row("viewBeforeAfter", "Frame as &Saved", "View", {"Q"},
                    "Show the frame as it was opened or saved last, as long as the key is held.", {N::Frames})),
    };
    return rows;
}

}  // namespace skein::ui
