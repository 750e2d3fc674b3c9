// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action_rows.h"

namespace skein::ui {

namespace {

using N = Need;

ActionSpec row(const char* id, const char* text, const char* menu, std::initializer_list<const char*> shortcuts,
               const char* tip, std::vector<Need> needs = {}) {
    return {id, text, menu, keys(shortcuts), "", tip, std::move(needs)};
}

ActionSpec checked(ActionSpec spec, const char* group = "") {
    spec.checkable = true;
    spec.group = group;
    return spec;
}

ActionSpec separated(ActionSpec spec) {
    spec.separatorBefore = true;
    return spec;
}

}  // namespace

std::vector<ActionSpec> trailActions() {
    constexpr const char* kLength = "View/Trail Length";
    constexpr const char* kWhen = "View/Trails";
    constexpr const char* kOpacity = "View/Trail Opacity";
    constexpr const char* kWidth = "View/Trail Width";
    const char* const lengthTip = "Over how many frames the way of each track is drawn.";
    const char* const opacityTip = "How strong trails are where they are newest.";
    const char* const widthTip = "How wide trails are drawn, whatever the zoom.";
    return {
        checked(row("viewTrailLength0", "No Trails", kLength, {}, "Draw no trails."), "trailLength"),
        checked(row("viewTrailLength10", "10 Frames", kLength, {}, lengthTip), "trailLength"),
        checked(row("viewTrailLength50", "50 Frames", kLength, {}, lengthTip), "trailLength"),
        checked(row("viewTrailLength100", "100 Frames", kLength, {}, lengthTip), "trailLength"),
        checked(row("viewTrailLength250", "250 Frames", kLength, {}, lengthTip), "trailLength"),
        checked(row("viewTrailLength500", "500 Frames", kLength, {}, lengthTip), "trailLength"),
        checked(row("viewTrailPast", "Past", kWhen, {}, "Trails show where the animals came from."), "trailWhen"),
        checked(row("viewTrailFuture", "Future", kWhen, {}, "Trails show where the animals go."), "trailWhen"),
        checked(row("viewTrailBoth", "Past and Future", kWhen, {}, "Trails show both."), "trailWhen"),
        separated(checked(row("viewTrailFade", "Fade", kWhen, {}, "Trails grow pale with the distance in time."))),
        row("viewTrailNode", "Of Node...", kWhen, {}, "Choose the node that trails follow, or the centre.",
            {N::Skeleton}),
        checked(row("viewTrailWidth1", "1", kWidth, {}, widthTip), "trailWidth"),
        checked(row("viewTrailWidth2", "2", kWidth, {}, widthTip), "trailWidth"),
        checked(row("viewTrailWidth3", "3", kWidth, {}, widthTip), "trailWidth"),
        checked(row("viewTrailWidth5", "5", kWidth, {}, widthTip), "trailWidth"),
        checked(row("viewTrailOpacity25", "25 %", kOpacity, {}, opacityTip), "trailOpacity"),
        checked(row("viewTrailOpacity50", "50 %", kOpacity, {}, opacityTip), "trailOpacity"),
        checked(row("viewTrailOpacity75", "75 %", kOpacity, {}, opacityTip), "trailOpacity"),
        checked(row("viewTrailOpacity100", "100 %", kOpacity, {}, opacityTip), "trailOpacity"),
    };
}

std::vector<ActionSpec> proofreadActions() {
    constexpr const char* kStatistic = "Tracks/Timeline Statistic";
    constexpr const char* kLanes = "Tracks/Timeline Lanes";
    constexpr const char* kRows = "Tracks/Selected Tracks";
    constexpr const char* kIssues = "Tracks/Issues";
    constexpr const char* kReview = "Tracks/Review";
    const auto graph = [](const char* id, const char* text, const char* tip) {
        return checked(row(id, text, kStatistic, {}, tip, {N::Frames}));
    };
    return {
        // Rows of the dock, or the selected instance's track.
        separated(row("trackReviewed", "Mark Track Re&viewed", "Tracks", {"Ctrl+Return"},
                      "Note that this track was looked through, or that it was not.", {N::TrackRows})),
        row("trackJoin", "&Join Tracks...", "Tracks", {"Ctrl+Alt+J"},
            "Make one track of two: the selected ones, or the selected one and another.", {N::TrackRows}),
        row("trackJoinBroken", "Join &Broken Tracks...", "Tracks", {},
            "Join tracks that broke off, those that are safe or all, after a look at what that gives.",
            {N::ProjectTracks}),
        row("trackInterpolate", "&Interpolate Gap", "Tracks", {"Ctrl+G"},
            "Fill the pause of the track at this frame, or its next one, with poses on the way.", {N::KnownTrack}),
        row("trackFillGaps", "&Fill Gaps...", "Tracks", {},
            "Fill short pauses of all tracks with poses on the way, after a look at what that gives.",
            {N::ProjectTracks}),
        row("trackSmooth", "S&mooth Tracks...", "Tracks", {},
            "Choose how points are smoothed, as a layer beside the points themselves.", {N::ProjectTracks}),
        checked(row("viewSmoothed", "Sh&ow Smoothed Points", "Tracks", {},
                    "Draw the smoothed points over the picture and in the plots.", {N::Smoothed})),
        row("trackExportSmoothed", "&Export Smoothed Points...", "Tracks", {},
            "Write the smoothed points as CSV or analysis HDF5; the project keeps its own.",
            {N::Smoothed, N::NoExport}),
        row("trackDeleteBefore", "Delete &Before This Frame", kRows, {},
            "Delete the selected tracks' instances on all earlier frames of this video, or of the selected frames.",
            {N::TrackRows}),
        row("trackDeleteAfter", "Delete A&fter This Frame", kRows, {},
            "Delete the selected tracks' instances on all later frames of this video, or of the selected frames.",
            {N::TrackRows}),
        row("trackTrim", "&Trim to Selected Frames", kRows, {},
            "Delete the selected tracks' instances outside the selected frames.", {N::TrackRows, N::Range}),
        separated(row("trackSolo", "&Solo", kRows, {}, "Show the selected tracks alone.", {N::TrackRows})),
        row("trackHide", "&Hide", kRows, {}, "Do not show the selected tracks.", {N::TrackRows}),
        row("trackShowAll", "Show &All", kRows, {}, "Show every track again.", {N::HiddenTracks}),
        separated(row("trackColor", "&Colour...", kRows, {},
                      "Give the selected tracks another colour of the palette; it is kept beside the project.",
                      {N::TrackRows})),
        row("trackRenameRows", "Rename by &Pattern...", kRows, {},
            "Name the selected tracks after a pattern, in which # stands for their number.", {N::TrackRows}),
        row("trackExportRows", "&Export...", kRows, {}, "Write the selected tracks as CSV or analysis HDF5.",
            {N::TrackRows, N::NoExport}),
        row("trackMergeRows", "&Merge", kRows, {}, "Make one track of the selected ones.", {N::TwoTrackRows}),
        separated(row("trackDeleteRows", "&Delete Tracks...", kRows, {},
                      "Remove the selected tracks; their instances stay without one or go too, as is asked once.",
                      {N::TrackRows})),

        row("analyzeIssues", "&Find Issues", kIssues, {},
            "Look for tracks that may have changed over, jumps, breaks and other doubts.", {N::AnyInstances}),
        separated(row("issueAccept", "&Accept Repair", kIssues, {"Y"}, "Do what the issue under review proposes.",
                      {N::IssueFix})),
        row("issueDismiss", "&Dismiss", kIssues, {"X"}, "The issue under review is none.", {N::Issue}),
        row("issueReopen", "&Reopen", kIssues, {}, "The selected issue is open again.", {N::Issue}),
        row("goNextIssue", "Next &Issue", "Go", {"F8"},
            "The next open issue of the list, from its top if none was looked at.", {N::Issues}),
        row("goPrevIssue", "Previous Issue", "Go", {"Shift+F8"}, "The open issue before it in the list.", {N::Issues}),

        row("reviewStart", "Review a &Sample...", kReview, {},
            "Judge encounters and frames drawn at random, for an error rate with its confidence interval.",
            {N::ProjectTracks}),
        row("reviewResume", "&Go On", kReview, {}, "Go to the first item of the sample that is not judged yet.",
            {N::Sample}),
        separated(row("reviewRight", "&Right", kReview, {"R"}, "Identities are right here.", {N::SampleItem})),
        row("reviewWrong", "&Wrong", kReview, {"W"}, "An identity is wrong here.", {N::SampleItem}),
        row("reviewUnsure", "&Unclear", kReview, {"U"}, "It cannot be told; the item is left out of the rate.",
            {N::SampleItem}),
        row("reviewBack", "&Back", kReview, {"B"}, "The item before.", {N::SampleItem}),
        separated(row("reviewReport", "Save Re&port...", kReview, {},
                      "Write rates, intervals and every answer as PDF or HTML.", {N::SampleAnswer})),

        checked(row("timelineNone", "&None", kStatistic, {}, "Show no graph on the timeline.")),
        separated(graph("timelineInstanceCount", "Instance &Count", "How many instances are on each frame.")),
        graph("timelinePointSum", "Point Displacement (Sum)", "How far all nodes moved since the frame before."),
        graph("timelinePointMean", "Point Displacement (Mean)", "How far nodes moved on average, added over animals."),
        graph("timelinePointMax", "Point Displacement (Max)", "How far the fastest node moved, added over animals."),
        graph("timelinePrimarySum", "Primary-Node Displacement (Sum)", "How far the first nodes of all tracks moved."),
        graph("timelinePrimaryMax", "Primary-Node Displacement (Max)", "How far the first node that moved most did."),
        graph("timelineTrackingMean", "Tracking Score (Mean)", "Mean score of the tracker."),
        graph("timelineTrackingMin", "Tracking Score (Min)", "Lowest score of the tracker."),
        graph("timelineInstanceSum", "Instance Score (Sum)", "Scores of the predictions, added up."),
        graph("timelineInstanceMin", "Instance Score (Min)", "Lowest score of a prediction."),
        graph("timelineInstanceMean", "Instance Score (Mean)", "Mean score of the predictions."),
        graph("timelineScoreSum", "Point Score (Sum)", "Scores of the predicted nodes, added up."),
        graph("timelineScoreMin", "Point Score (Min)", "Lowest score of a predicted node."),
        graph("timelineScoreMean", "Point Score (Mean)", "Mean score of the predicted nodes."),
        graph("timelinePoints", "Number of &Predicted Points", "How many nodes were predicted."),
        graph("timelineProximity", "Minimum Centroid &Distance", "How near the two nearest animals are."),
        graph("timelineSpeed", "&Speed of Selected Track", "How fast the selected instance's track moves."),
        graph("timelineSwap", "Identity-S&wap Suspicion", "How much shorter ways would be if two tracks changed over."),
        graph("timelineUserDistance", "&User-to-Prediction Distance", "How far user instances lie from predictions."),
        separated(checked(row("timelineStack", "S&tack Graphs", kStatistic, {},
                              "Choosing a statistic adds it to those that are shown, up to three."))),
        separated(row("timelineLine", "&Line Across Graph", kStatistic, {},
                      "Draw a line across the graph that can be dragged, or take it away.", {N::Graph})),
        row("timelineNextAbove", "Next Frame &Above Line", kStatistic, {"Ctrl+Alt+PgUp"},
            "The next stretch of frames whose value lies above the line.", {N::GraphLine}),
        row("timelineNextBelow", "Next Frame &Below Line", kStatistic, {"Ctrl+Alt+PgDown"},
            "The next stretch of frames whose value lies below the line.", {N::GraphLine}),
        row("timelineSuggestAbove", "Suggest Frames Above Line", kStatistic, {},
            "Suggest the highest frame of each stretch above the line, twenty at most.", {N::GraphLine}),
        row("timelineSuggestBelow", "Suggest Frames Below Line", kStatistic, {},
            "Suggest the lowest frame of each stretch below the line, twenty at most.", {N::GraphLine}),

        checked(row("timelineOrderIndex", "As in &Project", kLanes, {}, "Lanes in the order of the project's tracks."),
                "laneOrder"),
        checked(row("timelineOrderFirst", "By &First Frame", kLanes, {}, "Tracks that begin first stand first."),
                "laneOrder"),
        checked(row("timelineOrderLength", "By &Length", kLanes, {}, "Tracks with the most frames stand first."),
                "laneOrder"),
        checked(row("timelineOrderName", "By &Name", kLanes, {}, "Lanes in the order of the tracks' names."),
                "laneOrder"),
        checked(row("timelineOrderIssues", "By Open &Issues", kLanes, {}, "Tracks with the most issues stand first."),
                "laneOrder"),
        separated(checked(row("timelinePack", "&Pack Lanes", kLanes, {},
                              "With more than forty tracks, those that do not overlap share a lane."))),
        checked(row("timelineTime", "&Time on the Ruler", kLanes, {}, "The ruler shows times instead of frames.")),
    };
}

}  // namespace skein::ui
