// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/preferences/preference_rows.h"

#include <QCoreApplication>

namespace skein::ui {

const std::vector<PreferenceRow>& preferenceRows() {
    using K = PreferenceRow::Kind;
    using P = PreferencePage;
    static const std::vector<PreferenceRow> rows = {
        {P::General, K::Switch, Setting::CountFramesFromZero, "prefCountFromZero", "Count frames from 0",
         "Number frames from 0, as files do, instead of from 1."},
        {P::General, K::Number, Setting::MediumStep, "prefMediumStep", "Medium step",
         "How far Ctrl+Right and Ctrl+Left go.", 2, 1'000'000, 1, "frames"},
        {P::General, K::Number, Setting::LargeStep, "prefLargeStep", "Large step",
         "How far Ctrl+Alt+Right and Ctrl+Alt+Left go.", 2, 10'000'000, 10, "frames"},
        {P::General, K::Switch, Setting::SpacePlays, "prefSpacePlays", "Space plays the video",
         "Space plays and pauses, F goes to the next suggestion; otherwise it is the other way round, as in SLEAP."},
        {P::General,
         K::Choice,
         Setting::CancelledEntries,
         "prefCancelledEntries",
         "Cancelled runs of the queue",
         "What becomes of the frames that a run of the queue had finished when it is cancelled.",
         0,
         0,
         1,
         "",
         {"Ask", "Keep finished frames", "Discard finished frames"}},
        {P::General, K::Number, Setting::RecentCount, "prefRecentCount", "Recent files",
         "How many files the list of recent ones holds.", 0, 50, 1, "files"},

        {P::Look,
         K::Choice,
         Setting::Theme,
         "prefTheme",
         "Theme",
         "Colours of the window.",
         0,
         0,
         1,
         "",
         {"As the desktop", "Light", "Dark"}},
        {P::Look, K::Number, Setting::FontPercent, "prefFontPercent", "Size of text",
         "Text of the whole window, compared with the desktop's.", 80, 200, 10, "%"},
        {P::Look,
         K::Choice,
         Setting::Palette,
         "prefPalette",
         "Colours of animals",
         "The list of colours for tracks and instances.",
         0,
         0,
         1,
         "",
         {"Colour-blind safe", "Standard", "Five+", "Solarized", "Alphabet"}},
        {P::Look, K::Switch, Setting::ColorPredicted, "prefColorPredicted", "Colour predicted instances",
         "Otherwise predictions are grey with a yellow outline, as in SLEAP at first."},
        {P::Look,
         K::Choice,
         Setting::MarkerSize,
         "prefMarkerSize",
         "Size of nodes",
         "Radius of the nodes.",
         0,
         0,
         1,
         "",
         {"1 px", "2 px", "3 px", "4 px", "6 px", "8 px", "12 px"},
         {1, 2, 3, 4, 6, 8, 12}},
        {P::Look,
         K::Choice,
         Setting::LabelSize,
         "prefLabelSize",
         "Size of node names",
         "Height of the names.",
         0,
         0,
         1,
         "",
         {"6 px", "9 px", "12 px", "18 px", "24 px", "36 px"},
         {6, 9, 12, 18, 24, 36}},
        {P::Look, K::Switch, Setting::ShowNames, "prefShowNames", "Show node names",
         "Write the nodes' names beside them."},
        {P::Look, K::Switch, Setting::ShowEdges, "prefShowEdges", "Show edges", "Draw the lines between nodes."},
        {P::Look, K::Switch, Setting::ShowHiddenNodes, "prefShowHiddenNodes", "Show non-visible nodes",
         "Also draw nodes that are marked not visible."},

        {P::Video, K::Switch, Setting::EveryFrame, "prefEveryFrame", "Play every frame",
         "Playing slows down where the computer cannot keep up; otherwise it leaves frames out to keep the time."},
        {P::Video,
         K::Choice,
         Setting::Decoder,
         "prefDecoder",
         "Decoder",
         "What decodes the videos that are opened from now on. A GPU has to be NVIDIA's and to give the processor's "
         "pictures; else the processor decodes, and the tip of a video in the list of videos says why. Damage inside "
         "a picture is noticed by the processor alone.",
         0,
         0,
         1,
         "",
         {"Processor", "GPU where possible"}},

        {P::Labelling, K::Switch, Setting::GhostDrag, "prefGhostDrag", "Drag predictions",
         "Dragging a node of a prediction makes an instance of your own from it; otherwise predictions stay where they "
         "are."},
        {P::Labelling,
         K::Choice,
         Setting::Placement,
         "prefPlacement",
         "New instances",
         "Where the nodes of a new instance are put.",
         0,
         0,
         1,
         "",
         {"Best guess", "Average instance", "Force directed", "Random", "Copy of the prior frame",
          "Copy of a prediction"}},

        {P::Tracks,
         K::Choice,
         Setting::DeletedTracks,
         "prefDeletedTracks",
         "Instances of deleted tracks",
         "What becomes of the instances of a track that is deleted in the dock Tracks or on the timeline.",
         0,
         0,
         1,
         "",
         {"Ask", "Keep them without a track", "Delete them too"}},
        {P::Tracks, K::Switch, Setting::PropagateTracks, "prefPropagateTracks", "Propagate track labels",
         "Changes of tracks reach to the end of the video, or over the selected frames."},

        {P::Files, K::Number, Setting::AutosaveMinutes, "prefAutosave", "Save by itself every",
         "0: only when you save. Unsaved work comes back after a crash in any case.", 0, 120, 1, "minutes"},
        {P::Files, K::Switch, Setting::KeepBackups, "prefKeepBackups", "Keep the file as it was",
         "The first save of a session leaves the file as it was before beside it, as .bak."},
    };
    return rows;
}

QString titleOf(PreferencePage page) {
    switch (page) {
        case PreferencePage::General:
            return QCoreApplication::translate("Preferences", "General");
        case PreferencePage::Look:
            return QCoreApplication::translate("Preferences", "Look");
        case PreferencePage::Video:
            return QCoreApplication::translate("Preferences", "Video");
        case PreferencePage::Labelling:
            return QCoreApplication::translate("Preferences", "Labelling");
        case PreferencePage::Tracks:
            return QCoreApplication::translate("Preferences", "Tracks");
        case PreferencePage::Files:
            return QCoreApplication::translate("Preferences", "Files");
    }
    return {};
}

QString preferenceText(const char* text) {
    return QCoreApplication::translate("Preferences", text);
}

}  // namespace skein::ui
