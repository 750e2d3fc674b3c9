// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action_table.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>

#include "engine/base/result.h"
#include "ui/actions/edit_actions.h"
#include "ui/icons.h"

namespace skein::ui {

const std::vector<ActionSpec>& ActionTable::specs() {
    using N = Need;
    const auto key = [](const char* keys) { return std::vector<QKeySequence>{QKeySequence(QLatin1String(keys))}; };
    const auto keys = [](std::initializer_list<const char*> list) {
        std::vector<QKeySequence> result;
        for (const char* entry : list)
            result.emplace_back(QLatin1String(entry));
        return result;
    };
    static const std::vector<ActionSpec> rows = {
        // File
        {"fileNew",
         "&New Project",
         "File",
         key("Ctrl+N"),
         "",
         "Close this project and start an empty one.",
         {N::NotSaving}},
        {"fileOpen", "&Open...", "File", key("Ctrl+O"), "open", "Open a project, videos, or a model.", {}},
        {"fileOpenFolder",
         "Open &Folder...",
         "File",
         {},
         "",
         "Open a folder of images, a folder of videos, or a model.",
         {}},
        {"fileAddVideos",
         "Add &Videos...",
         "File",
         {},
         "video",
         "Add videos to this project.",
         {N::Project},
         false,
         "",
         true},
        {"fileReplaceVideos",
         "Find &Missing Video...",
         "File",
         {},
         "search",
         "Say where the missing video is now.",
         {N::LostVideo}},
        {"fileSave",
         "&Save",
         "File",
         key("Ctrl+S"),
         "save",
         "Save the project.",
         {N::Project, N::NotSaving},
         false,
         "",
         true},
        {"fileSaveAs",
         "Save &As...",
         "File",
         key("Ctrl+Shift+S"),
         "",
         "Save the project under another name.",
         {N::Project, N::NotSaving}},
        {"fileQuit", "&Quit", "File", key("Ctrl+Q"), "", "Close this window.", {}, false, "", true},
        // Edit
        {"editUndo", "&Undo", "Edit", key("Ctrl+Z"), "undo", "Take back the last step.", {N::Undo}},
        {"editRedo",
         "&Redo",
         "Edit",
         keys({"Ctrl+Shift+Z", "Ctrl+Y"}),
         "redo",
         "Do again what was taken back.",
         {N::Redo}},
        {"editCopyInstance",
         "&Copy Instance",
         "Edit",
         key("Ctrl+C"),
         "",
         "Copy the selected instance, for another frame, video or window.",
         {N::Selection},
         false,
         "",
         true},
        {"editPasteInstance",
         "&Paste Instance",
         "Edit",
         key("Ctrl+V"),
         "",
         "Put the copied instance on this frame.",
         {N::Frames, N::Skeleton, N::ClipInstance}},
        {"editCopyTrack",
         "Copy Instance &Track",
         "Edit",
         key("Ctrl+Shift+C"),
         "",
         "Copy the selected instance's track.",
         {N::Selection, N::SelectionTrack}},
        {"editPasteTrack",
         "Paste Instance T&rack",
         "Edit",
         key("Ctrl+Shift+V"),
         "",
         "Give the selected instance the copied track.",
         {N::Selection, N::ClipTrack}},
        {"editCopyPose",
         "Copy P&ose as Text",
         "Edit",
         key("Ctrl+Alt+C"),
         "",
         "Copy the selected instance's nodes as a table: name, x, y, visible, score.",
         {N::Selection}},
        {"editPalette",
         "&Command Palette...",
         "Edit",
         key("Ctrl+P"),
         "search",
         "Find any command by name; a number goes to that frame.",
         {},
         false,
         "",
         true},
        {"editHistory", "&History", "Edit", {}, "", "Show every step since the project was opened.", {}},
        // Go
        {"goPlay", "&Play", "Go", key("F"), "play", "Play forward, or pause.", {N::Frames}},
        {"goPlayBack", "Play &Backward", "Go", key("D"), "play-back", "Play backward, or pause.", {N::Frames}},
        {"goFaster", "Faster", "Go", key("Shift+F"), "", "Play at the next higher speed.", {N::Frames}},
        {"goSlower", "Slower", "Go", key("Shift+D"), "", "Play at the next lower speed.", {N::Frames}},
        {"goLoop", "&Loop Selection", "Go", key("L"), "", "Play the selected range again and again.", {N::Range}, true},
        {"goNextFrame", "&Next Frame", "Go", key("Right"), "next", "One frame forward.", {N::Frames}, false, "", true},
        {"goPrevFrame", "P&revious Frame", "Go", key("Left"), "previous", "One frame back.", {N::Frames}},
        {"goNextMedium", "Forward 10 Frames", "Go", key("Ctrl+Right"), "", "Ten frames forward.", {N::Frames}},
        {"goPrevMedium", "Back 10 Frames", "Go", key("Ctrl+Left"), "", "Ten frames back.", {N::Frames}},
        {"goNextLarge",
         "Forward 100 Frames",
         "Go",
         key("Ctrl+Alt+Right"),
         "",
         "A hundred frames forward.",
         {N::Frames}},
        {"goPrevLarge", "Back 100 Frames", "Go", key("Ctrl+Alt+Left"), "", "A hundred frames back.", {N::Frames}},
        {"goFirst", "&First Frame", "Go", key("Home"), "first", "Go to the first frame.", {N::Frames}},
        {"goLast", "&Last Frame", "Go", key("End"), "last", "Go to the last frame.", {N::Frames}},
        {"goFrame", "&Go to Frame...", "Go", key("Ctrl+J"), "", "Go to a frame by its number.", {N::Frames}},
        {"goNextLabelled",
         "Next Labelled Frame",
         "Go",
         key("Alt+Right"),
         "",
         "Go to the next frame with an instance.",
         {N::Labels},
         false,
         "",
         true},
        {"goPrevLabelled",
         "Previous Labelled Frame",
         "Go",
         key("Alt+Left"),
         "",
         "Go to the frame with an instance before this one.",
         {N::Labels}},
        {"goNextUser",
         "Next User-Labelled Frame",
         "Go",
         key("Ctrl+U"),
         "",
         "Go to the next frame that a person labelled.",
         {N::UserLabels}},
        {"goPrevUser",
         "Previous User-Labelled Frame",
         "Go",
         key("Ctrl+Shift+U"),
         "",
         "Go to the frame before this one that a person labelled.",
         {N::UserLabels}},
        {"goLastInteracted",
         "Last &Interacted Frame",
         "Go",
         key("Ctrl+A"),
         "",
         "Go to the frame that was edited last.",
         {N::Touched}},
        {"goNextSuggestion",
         "Next &Suggestion",
         "Go",
         key("Space"),
         "",
         "Go to the next suggested frame.",
         {N::Suggestions}},
        {"goPrevSuggestion",
         "Previous Suggestion",
         "Go",
         key("Shift+Space"),
         "",
         "Go to the suggested frame before this one.",
         {N::Suggestions}},
        {"goSpanStart",
         "Start of Labelled Span",
         "Go",
         key("J"),
         "",
         "Go to the start of the labelled frames around this one.",
         {N::Labels}},
        {"goSpanEnd",
         "End of Labelled Span",
         "Go",
         key("K"),
         "",
         "Go to the end of the labelled frames around this one.",
         {N::Labels}},
        {"goNextTrackSpawn",
         "Next Track Start",
         "Go",
         key("Ctrl+E"),
         "",
         "Go to the next frame on which a track begins.",
         {N::Tracks}},
        {"goPrevTrackSpawn",
         "Previous Track Start",
         "Go",
         key("Ctrl+Shift+E"),
         "",
         "Go to the frame before this one on which a track begins.",
         {N::Tracks}},
        {"goNextTrackEnd",
         "Next Track End",
         "Go",
         key("Ctrl+Alt+End"),
         "",
         "Go to the next frame on which a track ends.",
         {N::Tracks}},
        {"goSelectTo",
         "Select to Frame...",
         "Go",
         key("Ctrl+Shift+J"),
         "",
         "Select the frames from this one to another.",
         {N::Frames},
         false,
         "",
         true},
        {"goMark", "&Mark Frame", "Go", key("Ctrl+M"), "", "Remember this frame.", {N::Frames}},
        {"goMarked",
         "Go to Marked Frame",
         "Go",
         key("Ctrl+Shift+M"),
         "",
         "Go back to the frame that was marked.",
         {N::Mark}},
        {"goBack",
         "&Back",
         "Go",
         key("Alt+Up"),
         "",
         "Go back to the place visited before.",
         {N::Back},
         false,
         "",
         true},
        {"goForward", "For&ward", "Go", key("Alt+Down"), "", "Go forward again through visited places.", {N::Forward}},
        {"goNextVideo",
         "Next Video",
         "Go",
         key("Alt+Shift+Right"),
         "",
         "Show the next video of the project.",
         {N::TwoVideos},
         false,
         "",
         true},
        {"goPrevVideo",
         "Previous Video",
         "Go",
         key("Alt+Shift+Left"),
         "",
         "Show the video before this one.",
         {N::TwoVideos}},
        {"goSelectNext",
         "Select Next Instance",
         "Go",
         keys({"`", "Ctrl+Down"}),
         "",
         "Select the next instance on this frame.",
         {N::Instances},
         false,
         "",
         true},
        {"goClear", "Clear Selection", "Go", key("Esc"), "", "Select no instance and no frames.", {}},
        {"goNextFrameSelect", "Next Frame, Extending the Selection", "", key("Shift+Right"), "", "", {N::Frames}},
        {"goPrevFrameSelect", "Previous Frame, Extending the Selection", "", key("Shift+Left"), "", "", {N::Frames}},
        {"goNextMediumSelect",
         "Forward 10 Frames, Extending the Selection",
         "",
         key("Ctrl+Shift+Right"),
         "",
         "",
         {N::Frames}},
        {"goPrevMediumSelect",
         "Back 10 Frames, Extending the Selection",
         "",
         key("Ctrl+Shift+Left"),
         "",
         "",
         {N::Frames}},
        {"goNextLargeSelect",
         "Forward 100 Frames, Extending the Selection",
         "",
         key("Ctrl+Alt+Shift+Right"),
         "",
         "",
         {N::Frames}},
        {"goPrevLargeSelect",
         "Back 100 Frames, Extending the Selection",
         "",
         key("Ctrl+Alt+Shift+Left"),
         "",
         "",
         {N::Frames}},
        {"goFirstSelect", "First Frame, Extending the Selection", "", key("Shift+Home"), "", "", {N::Frames}},
        {"goLastSelect", "Last Frame, Extending the Selection", "", key("Shift+End"), "", "", {N::Frames}},
        {"goSelect1", "Select Instance 1", "", key("1"), "", "", {N::Instances}},
        {"goSelect2", "Select Instance 2", "", key("2"), "", "", {N::Instances}},
        {"goSelect3", "Select Instance 3", "", key("3"), "", "", {N::Instances}},
        {"goSelect4", "Select Instance 4", "", key("4"), "", "", {N::Instances}},
        {"goSelect5", "Select Instance 5", "", key("5"), "", "", {N::Instances}},
        {"goSelect6", "Select Instance 6", "", key("6"), "", "", {N::Instances}},
        {"goSelect7", "Select Instance 7", "", key("7"), "", "", {N::Instances}},
        {"goSelect8", "Select Instance 8", "", key("8"), "", "", {N::Instances}},
        {"goSelect9", "Select Instance 9", "", key("9"), "", "", {N::Instances}},
        // View
        {"viewFitFrame", "&Whole Frame", "View", key("Ctrl+-"), "fit", "Show the whole frame.", {N::Frames}},
        {"viewFit",
         "Fit View to &Instances",
         "View",
         key("Ctrl+="),
         "",
         "Show the part of the frame with instances.",
         {N::Instances}},
        {"viewActual",
         "&Actual Size",
         "View",
         {},
         "actual",
         "One pixel of the video on one pixel of the screen.",
         {N::Frames}},
        {"viewShowInstances",
         "&Show Instances",
         "View",
         key("H"),
         "visible",
         "Draw the skeletons.",
         {},
         true,
         "",
         true},
        {"viewShowHiddenNodes",
         "Show Non-&Visible Nodes",
         "View",
         key("Shift+V"),
         "",
         "Also draw nodes that are marked not visible.",
         {},
         true},
        {"viewShowNames",
         "Show Node &Names",
         "View",
         key("Ctrl+Tab"),
         "",
         "Write the nodes' names beside them.",
         {},
         true},
        {"viewShowEdges", "Show &Edges", "View", key("Ctrl+Shift+Tab"), "", "Draw the lines between nodes.", {}, true},
        {"viewColorByTrack", "Track", "View/Colour by", {}, "", "One colour for each track.", {}, true, "color"},
        {"viewColorByInstance",
         "Instance",
         "View/Colour by",
         {},
         "",
         "One colour for each place on the frame.",
         {},
         true,
         "color"},
        {"viewRotate0", "0\u00b0", "View/Rotate View", {}, "", "Show the video as it is.", {}, true, "rotate"},
        {"viewRotate90",
         "90\u00b0",
         "View/Rotate View",
         {},
         "",
         "Turn the view clockwise by a quarter.",
         {},
         true,
         "rotate"},
        {"viewRotate180", "180\u00b0", "View/Rotate View", {}, "", "Turn the view upside down.", {}, true, "rotate"},
        {"viewRotate270",
         "270\u00b0",
         "View/Rotate View",
         {},
         "",
         "Turn the view counterclockwise by a quarter.",
         {},
         true,
         "rotate"},
        {"viewThemeSystem", "System", "View/Theme", {}, "", "Follow the desktop.", {}, true, "theme"},
        {"viewThemeLight", "Light", "View/Theme", {}, "", "Light window.", {}, true, "theme"},
        {"viewThemeDark", "Dark", "View/Theme", {}, "", "Dark window.", {}, true, "theme"},
        {"viewCountFromZero",
         "Count Frames from 0",
         "View",
         {},
         "",
         "Number frames from 0, as files do, instead of from 1.",
         {},
         true,
         "",
         true},
        {"viewReset", "&Reset Layout", "View", {}, "", "Put docks and tool bar back where they were at first.", {}},
        // Predict
        {"predictRun",
         "&Run Inference...",
         "Predict",
         key("Ctrl+L"),
         "predict",
         "Choose a model and predict frames of this video.",
         {N::RunPossible}},
        {"predictAgain",
         "Predict This Frame &Again",
         "Predict",
         key("Ctrl+Shift+L"),
         "",
         "Predict the shown frame with the last settings.",
         {N::RunPossible}},
        {"predictPause",
         "&Pause",
         "Predict",
         {},
         "pause",
         "Pause the run; it keeps its place.",
         {N::Running},
         true,
         "",
         true},
        {"predictCancel", "&Cancel", "Predict", {}, "stop", "Stop the run; finished frames can be kept.", {N::Running}},
        {"predictFollow",
         "&Follow Live Results",
         "Predict",
         {},
         "",
         "Keep showing the newest finished frame.",
         {N::Running},
         true},
        {"predictMetrics",
         "&Evaluate Against User Labels...",
         "Predict",
         {},
         "",
         "Compare predictions with what people labelled: distances, OKS, PCK, tracks.",
         {N::Project},
         false,
         "",
         true},
        // Help
        {"helpShortcuts", "&Keyboard Shortcuts", "Help", key("F1"), "", "All commands with their keys.", {}},
        {"helpDiagnostics",
         "Copy &Diagnostics",
         "Help",
         {},
         "",
         "Copy versions and settings for a report; no paths are in it.",
         {}},
        {"helpAbout", "&About Skein", "Help", {}, "info", "Versions and licences.", {}},
    };
    static const std::vector<ActionSpec> table = [] {
        std::vector<ActionSpec> all = rows;
        for (const auto& part : {labelActions(), trackActions()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return table;
}

ActionTable::ActionTable(QObject* parent) : QObject(parent) {
    std::map<QString, QActionGroup*> groups;
    for (const ActionSpec& spec : specs()) {
        auto* action = new QAction(tr(spec.text), this);
        action->setObjectName(QLatin1String(spec.id));
        action->setShortcuts(QList<QKeySequence>(spec.keys.begin(), spec.keys.end()));
        action->setCheckable(spec.checkable);
        if (*spec.icon != 0)
            action->setIcon(icon(QLatin1String(spec.icon)));
        if (*spec.group != 0) {
            QActionGroup*& group = groups[QLatin1String(spec.group)];
            if (group == nullptr)
                group = new QActionGroup(this);
            group->addAction(action);
        }
        m_actions.push_back(action);
        m_byId[action->objectName()] = action;
        m_paths[action] = QLatin1String(spec.menu);
    }
    refresh({});
}

QAction* ActionTable::get(const char* id) const {
    const auto it = m_byId.find(QLatin1String(id));
    SKEIN_EXPECTS(it != m_byId.end(), "no such action");
    return it->second;
}

void ActionTable::adopt(QAction* action, const QString& menuPath) {
    m_actions.push_back(action);
    m_paths[action] = menuPath;
}

QString ActionTable::menuPathOf(const QAction* action) const {
    const auto it = m_paths.find(action);
    return it == m_paths.end() ? QString() : it->second;
}

std::map<QString, QMenu*> ActionTable::buildMenus(QMenuBar* bar) {
    std::map<QString, QMenu*> menus;
    // The order of the menu bar, also for menus that get their contents elsewhere.
    for (const char* title :
         {QT_TR_NOOP("&File"), QT_TR_NOOP("&Edit"), QT_TR_NOOP("&Go"), QT_TR_NOOP("&View"), QT_TR_NOOP("&Labels"),
          QT_TR_NOOP("&Tracks"), QT_TR_NOOP("&Predict"), QT_TR_NOOP("&Window"), QT_TR_NOOP("&Help")}) {
        QMenu* menu = bar->addMenu(tr(title));
        menu->setToolTipsVisible(true);
        menus[QString::fromLatin1(title).remove(QLatin1Char('&'))] = menu;
    }
    for (const ActionSpec& spec : specs()) {
        if (*spec.menu == 0)
            continue;
        const QString path = QLatin1String(spec.menu);
        QMenu*& menu = menus[path];
        if (menu == nullptr) {
            menu = menus[path.section(QLatin1Char('/'), 0, 0)]->addMenu(
                tr(path.section(QLatin1Char('/'), 1).toLatin1().constData()));
            menu->setToolTipsVisible(true);
        }
        if (spec.separatorBefore)
            menu->addSeparator();
        menu->addAction(get(spec.id));
    }
    return menus;
}

QString ActionTable::reasonAgainst(Need need, const ActionFacts& f) {
    switch (need) {
        case Need::Project:
            return f.project ? QString() : tr("Open a project or a video first.");
        case Need::Frames:
            return f.frames ? QString() : tr("Open a video first.");
        case Need::TwoVideos:
            return f.twoVideos ? QString() : tr("The project has only one video.");
        case Need::LostVideo:
            return f.lostVideo ? QString() : tr("The shown video is not missing.");
        case Need::Instances:
            return f.instances ? QString() : tr("There is no instance on this frame.");
        case Need::Selection:
            return f.selection ? QString() : tr("Select an instance first.");
        case Need::UserSelected:
            return f.userSelected ? QString()
                   : f.selection  ? tr("The selected instance is a prediction; double-click accepts it.")
                                  : tr("Select a user instance first.");
        case Need::TwoUsersSelected:
            return f.twoUsersSelected ? QString() : tr("Select two user instances first: Shift and click the second.");
        case Need::SelectionTrack:
            return f.selectionTrack ? QString()
                   : f.selection    ? tr("The selected instance has no track.")
                                    : tr("Select an instance first.");
        case Need::FramePredictions:
            return f.framePredictions ? QString() : tr("There is no prediction on this frame.");
        case Need::AnyPredictions:
            return f.anyPredictions ? QString() : tr("The project has no predictions.");
        case Need::AnyInstances:
            return f.anyInstances ? QString() : tr("The project has no instances.");
        case Need::Skeleton:
            return f.skeleton ? QString() : tr("The project has no skeleton yet.");
        case Need::ProjectTracks:
            return f.projectTracks ? QString() : tr("The project has no tracks.");
        case Need::ClipInstance:
            return f.clipInstance ? QString() : tr("Copy an instance first.");
        case Need::ClipTrack:
            return f.clipTrack ? QString() : tr("Copy an instance's track first.");
        case Need::Touched:
            return f.touched ? QString() : tr("Nothing was edited yet.");
        case Need::Suggestions:
            return f.suggestions ? QString() : tr("The project has no suggestions.");
        case Need::Back:
            return f.back ? QString() : tr("There is no earlier place.");
        case Need::Forward:
            return f.forward ? QString() : tr("There is no later place.");
        case Need::Range:
            return f.range ? QString() : tr("Select a range first: Shift and drag on the timeline.");
        case Need::Labels:
            return f.labels ? QString() : tr("No frame of this video has an instance.");
        case Need::UserLabels:
            return f.userLabels ? QString() : tr("Nobody labelled a frame of this video yet.");
        case Need::Tracks:
            return f.tracks ? QString() : tr("This video has no tracks.");
        case Need::Mark:
            return f.mark ? QString() : tr("Mark a frame first.");
        case Need::Undo:
            return f.undo ? QString() : tr("Nothing was changed yet.");
        case Need::Redo:
            return f.redo ? QString() : tr("Nothing was taken back.");
        case Need::NotSaving:
            return f.saving ? tr("The project is being saved.") : QString();
        case Need::RunPossible:
            return f.runBlocked;
        case Need::Running:
            return f.running ? QString() : tr("Nothing is running.");
    }
    return {};
}

void ActionTable::refresh(const ActionFacts& facts) {
    for (const ActionSpec& spec : specs()) {
        QAction* action = get(spec.id);
        QString reason;
        for (const Need need : spec.needs)
            if (reason.isEmpty())
                reason = reasonAgainst(need, facts);
        action->setEnabled(reason.isEmpty());
        QString tip = tr(*spec.tip != 0 ? spec.tip : spec.text).remove(QLatin1Char('&'));
        if (!action->shortcut().isEmpty())
            tip += QStringLiteral("  (%1)").arg(action->shortcut().toString(QKeySequence::NativeText));
        action->setToolTip(reason.isEmpty() ? tip : reason);
        action->setStatusTip(reason);
    }
}

}  // namespace skein::ui
