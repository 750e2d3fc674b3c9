// SPDX-License-Identifier: GPL-3.0-or-later
// How the window shows a frame: colours, sizes, overlays, the picture.
#include <algorithm>
#include <array>

#include "ui/bridge/background.h"
#include "ui/bridge/checked_model.h"
#include "ui/main_window.h"
#include "ui/run_controller.h"
#include "ui/session.h"
#include "ui/text.h"
#include "ui/view_tools.h"
#include "ui/widgets/badge.h"

namespace skein::ui {

namespace {

struct Choice {
    const char* id;
    int value;
};

/// A group of actions that exclude each other and one setting that remembers which was chosen.
struct Choices {
    Setting setting;
    std::vector<Choice> list;
    void (*set)(OverlayStyle& style, int value);
};

template <class E>
constexpr int number(E value) {
    return static_cast<int>(value);
}

const std::vector<Choices>& choices() {
    static const std::vector<Choices> all = {
        {Setting::ColorBy,
         {{"viewColorByTrack", number(ColorBy::Track)},
          {"viewColorByInstance", number(ColorBy::Instance)},
          {"viewColorByNode", number(ColorBy::Node)},
          {"viewColorByEdge", number(ColorBy::Edge)},
          {"viewColorByScore", number(ColorBy::Score)},
          {"viewColorBySpeed", number(ColorBy::Speed)}},
         [](OverlayStyle& style, int value) { style.colorBy = static_cast<ColorBy>(value); }},
        {Setting::Palette,
         {{"viewPaletteSafe", number(theme::Palette::Safe)},
          {"viewPaletteStandard", number(theme::Palette::Standard)},
          {"viewPaletteFivePlus", number(theme::Palette::FivePlus)},
          {"viewPaletteSolarized", number(theme::Palette::Solarized)},
          {"viewPaletteAlphabet", number(theme::Palette::Alphabet)}},
         [](OverlayStyle& style, int value) { style.palette = static_cast<theme::Palette>(value); }},
        {Setting::Focus,
         {{"viewFocusManual", number(Focus::Manual)},
          {"viewFocusSelected", number(Focus::OnlySelected)},
          {"viewFocusVisible", number(Focus::VisibleOnly)},
          {"viewFocusHiddenOfSelected", number(Focus::HiddenOfSelected)}},
         [](OverlayStyle& style, int value) { style.focus = static_cast<Focus>(value); }},
        {Setting::EdgeStyle,
         {{"viewEdgeLine", number(EdgeStyle::Line)}, {"viewEdgeWedge", number(EdgeStyle::Wedge)}},
         [](OverlayStyle& style, int value) { style.edgeStyle = static_cast<EdgeStyle>(value); }},
        {Setting::MarkerSize,
         {{"viewMarkerSize1", 1},
          {"viewMarkerSize2", 2},
          {"viewMarkerSize3", 3},
          {"viewMarkerSize4", 4},
          {"viewMarkerSize6", 6},
          {"viewMarkerSize8", 8},
          {"viewMarkerSize12", 12}},
         [](OverlayStyle& style, int value) { style.markerSize = value; }},
        {Setting::LabelSize,
         {{"viewLabelSize6", 6},
          {"viewLabelSize9", 9},
          {"viewLabelSize12", 12},
          {"viewLabelSize18", 18},
          {"viewLabelSize24", 24},
          {"viewLabelSize36", 36}},
         [](OverlayStyle& style, int value) { style.labelSize = value; }}};
    return all;
}

constexpr struct {
    const char* id;
    Setting setting;
    bool OverlayStyle::*field;
} kSwitches[] = {{"viewShowHiddenNodes", Setting::ShowHiddenNodes, &OverlayStyle::hiddenNodes},
                 {"viewShowNames", Setting::ShowNames, &OverlayStyle::names},
                 {"viewShowEdges", Setting::ShowEdges, &OverlayStyle::edges},
                 {"viewShowScores", Setting::ShowScores, &OverlayStyle::scores},
                 {"viewShowReplaced", Setting::ShowReplaced, &OverlayStyle::replaced},
                 {"viewColorPredicted", Setting::ColorPredicted, &OverlayStyle::colorPredicted},
                 {"viewDashPredicted", Setting::DashPredicted, &OverlayStyle::dashPredicted}};

constexpr struct {
    const char* id;
    MapChoice choice;
} kOverlays[] = {{"viewOverlayNone", MapChoice::None},
                 {"viewOverlayConfidence", MapChoice::Confidence},
                 {"viewOverlayPaf", MapChoice::PartAffinity},
                 {"viewOverlayCentroids", MapChoice::Centroids}};

}  // namespace

void MainWindow::connectStyle() {
    ActionTable& a = *m_actions;
    for (const auto& s : kSwitches)
        connect(a.get(s.id), &QAction::toggled, this, [this, s](bool on) { m_settings->set(s.setting, on); });
    for (const Choices& group : choices())
        for (const Choice& choice : group.list)
            connect(a.get(choice.id), &QAction::triggered, this,
                    [this, &group, value = choice.value] { m_settings->set(group.setting, value); });
    for (const auto& s : kSwitches)
        applyStyleSetting(s.setting);
    for (const Choices& group : choices())
        applyStyleSetting(group.setting);
    a.get("viewShowInstances")->setChecked(true);
    connect(a.get("viewShowInstances"), &QAction::toggled, m_view, &ViewState::setShowInstances);
}

/// Whoever changed the setting, menu or preferences: the menu shows it and the view obeys. Others are not looked at.
void MainWindow::applyStyleSetting(Setting setting) {
    OverlayStyle style = m_view->style();
    for (const auto& s : kSwitches)
        if (s.setting == setting) {
            style.*s.field = m_settings->get(setting).toBool();
            m_actions->get(s.id)->setChecked(style.*s.field);
        }
    for (const Choices& group : choices()) {
        if (group.setting != setting)
            continue;
        // A settings file of another version may hold anything.
        const auto place = [&group](int value) {
            return std::find_if(group.list.begin(), group.list.end(),
                                [value](const Choice& choice) { return choice.value == value; });
        };
        bool isNumber = false;
        auto chosen = place(m_settings->get(setting).toInt(&isNumber));
        if (chosen == group.list.end() || !isNumber)
            chosen = place(Settings::defaultOf(setting).toInt());
        group.set(style, chosen->value);
        m_actions->get(chosen->id)->setChecked(true);
    }
    theme::setPalette(style.palette);
    m_view->setStyle(style);
}

void MainWindow::connectView() {
    ActionTable& a = *m_actions;
    connectStyle();

    a.on("viewFitSelection", [this] { m_canvas->fitSelection(); });
    const auto showFit = [this] {
        const VideoCanvas::Fit fit = m_canvas->fit();
        m_actions->get("viewFitFrame")->setChecked(fit == VideoCanvas::Fit::Frame);
        m_actions->get("viewFit")->setChecked(fit == VideoCanvas::Fit::Instances);
        m_actions->get("viewFitSelection")->setChecked(fit == VideoCanvas::Fit::Selection);
    };
    connect(m_canvas, &VideoCanvas::zoomChanged, this, showFit);
    // A click on the mode that is on unchecks its action, and the mode stays.
    for (const char* id : {"viewFitFrame", "viewFit", "viewFitSelection"})
        connect(a.get(id), &QAction::triggered, this, showFit);
    showFit();

    const auto setGhostDrag = [this](bool on) { m_canvas->setGhostDrag(on); };
    const auto setEveryFrame = [this](bool on) { m_playback->setEveryFrame(on); };
    const struct {
        const char* id;
        Setting setting;
        std::function<void(bool)> set;
    } remembered[] = {{"labelGhostDrag", Setting::GhostDrag, setGhostDrag},
                      {"goEveryFrame", Setting::EveryFrame, setEveryFrame}};
    for (const auto& r : remembered) {
        QAction* action = a.get(r.id);
        action->setChecked(m_settings->get(r.setting).toBool());
        r.set(action->isChecked());
        connect(action, &QAction::toggled, this, [this, r](bool on) {
            r.set(on);
            m_settings->set(r.setting, on);
        });
    }

    m_viewTools = new ViewTools(m_document, m_view, m_contents, m_presenter, m_playback, m_canvas, this);
    m_viewTools->lastRun = [this] {
        const pipeline::JobSpec& job = m_run->lastJob();
        return ViewTools::Models{m_run->run().info.id, job.models, job.inference};
    };
    connect(m_viewTools, &ViewTools::notice, m_status, &StatusFields::notice);
    connect(m_viewTools, &ViewTools::modelWanted, this, &MainWindow::askForOverlayModel);
    connect(m_playback, &Playback::stateChanged, this, [this] { m_canvas->setGliding(m_playback->isPlaying()); });
    a.on("viewContrast", [this] { m_viewTools->showPictureDialog(); });
    for (const char* id : {"viewLoupe", "viewBeforeAfter"})
        m_viewTools->holdByKey(a.get(id));
    connect(a.get("viewLoupe"), &QAction::toggled, m_canvas, &VideoCanvas::setLoupe);
    connect(a.get("viewBeforeAfter"), &QAction::toggled, m_viewTools, &ViewTools::setBefore);

    for (const auto& overlay : kOverlays)
        a.on(overlay.id, [this, choice = overlay.choice] { m_viewTools->setMapChoice(choice); });
    a.on("viewOverlay", [this] {
        const auto next = (static_cast<std::size_t>(m_viewTools->mapChoice()) + 1) % std::size(kOverlays);
        m_viewTools->setMapChoice(kOverlays[next].choice);
        m_status->notice(tr("Overlay: %1").arg(m_actions->get(kOverlays[next].id)->text().remove(QLatin1Char('&'))));
    });
    const auto showChoice = [this](MapChoice choice) {
        for (const auto& overlay : kOverlays)
            if (overlay.choice == choice)
                m_actions->get(overlay.id)->setChecked(true);
    };
    connect(m_viewTools, &ViewTools::mapChoiceChanged, this, showChoice);
    showChoice(MapChoice::None);
}

/// There was no run whose model could be looked through.
void MainWindow::askForOverlayModel() {
    m_session->dialogs().chooseFolder(
        this, tr("Choose a Model to Look Through"), m_settings->get(Setting::LastModelFolder).toString(),
        [this](const QString& folder) {
            if (folder.isEmpty())
                return;
            inBackground(
                this, [folder]() -> Result<CheckedModel> { return checkModel(folder); },
                [this, folder](Result<CheckedModel> model) {
                    if (!model || !model->canRun()) {
                        m_status->notice(model && model->problem ? model->problem->message
                                                                 : tr("%1 cannot be run.").arg(folder));
                        return;
                    }
                    m_settings->set(Setting::LastModelFolder, folder);
                    m_viewTools->setModels({*model->spec});
                    using K = models::HeadKind;
                    const models::ModelSpec& spec = *model->spec;
                    m_viewTools->setMapChoice(spec.head(K::CentroidConfmaps) != nullptr ? MapChoice::Centroids
                                                                                        : MapChoice::Confidence);
                });
        });
}

void MainWindow::applyOverlayStyle() {
    m_canvas->setOverlayStyle(m_view->style());
    m_canvas->setInstancesShown(m_view->showInstances());
    m_timeline->update();
    m_hiddenBadge->setVisible(!m_view->showInstances());
    placeBadges();
}

}  // namespace skein::ui
