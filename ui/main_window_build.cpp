// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/find/find_bar.h"
#include "ui/icons.h"
#include "ui/main_window.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/instances_panel.h"
#include "ui/panels/jobs_panel.h"
#include "ui/panels/profiling_panel.h"
#include "ui/panels/videos_panel.h"
#include "ui/run_controller.h"
#include "ui/tracks/proofreading.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/job_bar.h"

namespace skein::ui {

namespace {
constexpr int kDockWidth = 440;
constexpr int kTimelineHeight = 112;
}  // namespace

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_messages = new MessageBar(centre);
    m_pages = new QStackedWidget(centre);
    m_pages->setObjectName(QStringLiteral("pages"));
    column->addWidget(m_messages);
    column->addWidget(m_pages, 1);
    m_jobBar = new JobBar(centre);
    column->addWidget(m_jobBar);
    m_empty = new EmptyState(m_recent, m_pages);
    m_splitter = new QSplitter(Qt::Vertical, m_pages);
    m_splitter->setObjectName(QStringLiteral("viewSplitter"));
    m_splitter->setChildrenCollapsible(false);
    m_canvas = new VideoCanvas(m_splitter);
    // The search lies over the timeline, on which it shows what it found.
    auto* lower = new QWidget(m_splitter);
    auto* lowerColumn = new QVBoxLayout(lower);
    lowerColumn->setContentsMargins(0, 0, 0, 0);
    lowerColumn->setSpacing(0);
    m_find = new FindBar(m_document, m_view, m_settings.get(), lower);
    m_timeline = new Timeline(m_view, lower);
    lowerColumn->addWidget(m_find);
    lowerColumn->addWidget(m_timeline, 1);
    m_splitter->addWidget(m_canvas);
    m_splitter->addWidget(lower);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_splitter);
    setCentralWidget(centre);

    m_hiddenBadge = new Badge(QStringLiteral("hiddenBadge"), tr("HIDDEN"), m_canvas);
    m_liveBadge = new Badge(QStringLiteral("liveBadge"), tr("LIVE"), m_canvas);
    m_liveBadge->setPressable(true);
    m_liveBadge->setToolTip(tr("Follow the newest finished frame, or stop following."));
    m_negativeBadge = new Badge(QStringLiteral("negativeBadge"), tr("NEGATIVE FRAME"), m_canvas);
    m_negativeBadge->hide();
    m_hiddenBadge->hide();
    m_liveBadge->hide();
}

QDockWidget* MainWindow::addDock(const char* objectName, const QString& title, QWidget* contents,
                                 const QKeySequence& key) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(QLatin1String(objectName));
    dock->setAccessibleName(title);
    dock->setWidget(contents);
    dock->setMinimumSize(220, 120);
    // A dock behind another tab is moved out of sight, not hidden; its contents are, so that they do no work.
    connect(dock, &QDockWidget::visibilityChanged, contents, &QWidget::setVisible);
    QSizePolicy policy = contents->sizePolicy();
    policy.setRetainSizeWhenHidden(true);  // the other docks of the stack shall not shrink for it
    contents->setSizePolicy(policy);
    QAction* toggle = dock->toggleViewAction();
    toggle->setObjectName(QStringLiteral("window") + QString::fromLatin1(objectName).mid(4));
    toggle->setToolTip(tr("Show or hide the dock %1.").arg(title));
    toggle->setShortcut(key);
    m_actions->adopt(toggle, QStringLiteral("Window"));
    return dock;
}

void MainWindow::buildDocks() {
    m_videos = new VideosPanel(
        m_document, m_view, m_digest,
        {m_actions->get("fileAddVideos"), m_actions->get("fileReplaceVideos"), m_actions->get("videoRemove"),
         m_actions->get("videoGray"), m_actions->get("videoUp"), m_actions->get("videoDown")},
        this);
    const auto shown = [this]() -> const ShownFrame& { return m_presenter->shown(); };
    m_instances = new InstancesPanel(
        m_document, m_view, m_editor,
        {m_actions->get("labelAdd"), m_actions->get("labelDelete"), m_actions->get("labelMerge")}, shown, this);
    m_inspector = new InspectorPanel(m_view, m_editor, shown, this);
    m_history = new HistoryPanel(m_document, this);
    m_videosDock = addDock("dockVideos", tr("Videos"), m_videos);
    m_instancesDock = addDock("dockInstances", tr("Instances"), m_instances);
    m_inspectorDock = addDock("dockInspector", tr("Inspector"), m_inspector);
    m_historyDock = addDock("dockHistory", tr("History"), m_history);
    buildProjectDocks();
    m_proofreading = new Proofreading(this);
    m_jobsDock = addDock("dockJobs", tr("Jobs"), m_run->jobsPanel());
    m_profilingDock = addDock("dockProfiling", tr("Profiling"), m_run->profilingPanel());
    resetLayout();
}

void MainWindow::resetLayout() {
    // No more than five in a row: the names of more are cut short where the window is 1280 pixels wide.
    arrange({m_videosDock, m_instancesDock, m_inspectorDock, m_suggestionsDock, m_skeletonDock},
            {m_jobsDock, m_profilingDock, m_historyDock, m_tracksDock, m_issuesDock}, kTimelineHeight);
    m_instancesDock->raise();
    m_jobsDock->raise();
    resizeDocks({m_instancesDock}, {kDockWidth}, Qt::Horizontal);
    resizeDocks({m_instancesDock, m_jobsDock}, {3, 2}, Qt::Vertical);
    if (m_toolBar != nullptr) {
        addToolBar(Qt::TopToolBarArea, m_toolBar);
        m_toolBar->show();
    }
}

void MainWindow::buildToolBar() {
    m_toolBar = addToolBar(tr("Tool bar"));
    m_toolBar->setObjectName(QStringLiteral("toolBar"));
    m_toolBar->setIconSize({theme::kIconSize, theme::kIconSize});
    m_toolBar->setMovable(false);
    m_toolBar->setContextMenuPolicy(Qt::PreventContextMenu);
    const auto add = [this](const char* id, bool words = false) {
        QAction* action = m_actions->get(id);
        m_toolBar->addAction(action);
        auto* button = qobject_cast<QToolButton*>(m_toolBar->widgetForAction(action));
        button->setObjectName(QLatin1String(id) + QStringLiteral("Button"));
        button->setAccessibleName(action->text().remove(QLatin1Char('&')));
        button->setFocusPolicy(Qt::TabFocus);
        if (words)
            button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        return button;
    };
    add("fileOpen");
    add("fileSave", true);
    m_toolBar->addSeparator();
    add("editUndo");
    add("editRedo");
    m_toolBar->addSeparator();
    add("goFirst");
    add("goPrevFrame");
    add("goPlayBack");
    add("goPlay");
    add("goNextFrame");
    add("goLast");
    m_speedButton = new QToolButton(m_toolBar);
    m_speedButton->setObjectName(QStringLiteral("speedButton"));
    m_speedButton->setAccessibleName(tr("Playing speed"));
    m_speedButton->setToolTip(tr("Playing speed; Shift+F is faster, Shift+D slower."));
    m_speedButton->setFocusPolicy(Qt::TabFocus);
    m_speedButton->setPopupMode(QToolButton::InstantPopup);
    m_speedButton->setText(Playback::speedText(m_playback->speed()));
    m_speedButton->setMinimumWidth(m_speedButton->fontMetrics().horizontalAdvance(QStringLiteral("1/4\u00d7")) + 32);
    auto* speeds = new QMenu(m_speedButton);
    for (int i = 0; i < Playback::kSpeeds; ++i)
        speeds->addAction(Playback::speedText(i), this, [this, i] { m_playback->setSpeed(i); });
    m_speedButton->setMenu(speeds);
    m_toolBar->addWidget(m_speedButton);
    m_toolBar->addSeparator();
    add("viewFitFrame");
    add("viewActual");
    auto* colors = new QToolButton(m_toolBar);
    colors->setObjectName(QStringLiteral("colorByButton"));
    colors->setAccessibleName(tr("Colour by"));
    colors->setToolTip(tr("What the colours of skeletons mean."));
    colors->setFocusPolicy(Qt::TabFocus);
    colors->setIcon(icon(QStringLiteral("color")));
    colors->setPopupMode(QToolButton::InstantPopup);
    auto* colorMenu = new QMenu(colors);
    for (const char* id : {"viewColorByTrack", "viewColorByInstance", "viewColorByNode", "viewColorByEdge",
                           "viewColorByScore", "viewColorBySpeed"})
        colorMenu->addAction(m_actions->get(id));
    colors->setMenu(colorMenu);
    m_toolBar->addWidget(colors);
    auto* room = new QWidget(m_toolBar);
    room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_toolBar->addWidget(room);
    // The one primary action: a button of its own, since the action's text and icon are those of the menu.
    QAction* run = m_actions->get("predictRun");
    auto* predict = new QToolButton(m_toolBar);
    predict->setObjectName(QStringLiteral("predictRunButton"));
    predict->setProperty("primary", true);
    predict->setText(tr("Predict"));
    predict->setAccessibleName(tr("Predict"));
    predict->setIcon(iconOnAccent(QStringLiteral("predict")));
    predict->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    predict->setFocusPolicy(Qt::TabFocus);
    const auto follow = [run, predict] {
        predict->setEnabled(run->isEnabled());
        predict->setToolTip(run->toolTip());
    };
    connect(run, &QAction::changed, predict, follow);
    connect(predict, &QToolButton::clicked, run, &QAction::trigger);
    follow();
    m_toolBar->addWidget(predict);
    auto* edge = new QWidget(m_toolBar);
    edge->setFixedWidth(theme::kGrid);
    m_toolBar->addWidget(edge);
}

void MainWindow::buildMenus() {
    auto menus = m_actions->buildMenus(menuBar());
    m_recentMenu = new QMenu(tr("Open &Recent"), this);
    m_recentMenu->setObjectName(QStringLiteral("fileOpenRecent"));
    m_recentMenu->setToolTipsVisible(true);
    menus[QStringLiteral("File")]->insertMenu(m_actions->get("fileAddVideos"), m_recentMenu);
    menus[QStringLiteral("Window")]->addSeparator();
    for (QDockWidget* dock :
         {m_videosDock, m_instancesDock, m_inspectorDock, m_tracksDock, m_issuesDock, m_proofreading->reviewDock(),
          m_plotDock, m_suggestionsDock, m_skeletonDock, m_historyDock, m_jobsDock, m_profilingDock})
        menus[QStringLiteral("Window")]->addAction(dock->toggleViewAction());
    // Actions without a menu still have their keys.
    for (QAction* action : m_actions->all())
        addAction(action);
    rebuildRecentMenu();
}

void MainWindow::rebuildRecentMenu() {
    m_recentMenu->clear();
    for (const RecentFiles::Entry& entry : m_recent->entries()) {
        QString name = QFileInfo(entry.path).fileName();
        QAction* action = m_recentMenu->addAction(name.replace(QLatin1Char('&'), QStringLiteral("&&")), this,
                                                  [this, path = entry.path] { openPaths({path}); });
        action->setEnabled(entry.exists);
        action->setToolTip(entry.exists ? entry.path : tr("%1 is not there any more.").arg(entry.path));
    }
    m_recentMenu->addSeparator();
    QAction* clear = m_recentMenu->addAction(tr("Clear List"), m_recent, &RecentFiles::clear);
    clear->setObjectName(QStringLiteral("fileClearRecent"));
    clear->setEnabled(!m_recent->entries().empty());
    clear->setToolTip(clear->isEnabled() ? tr("Forget these files.") : tr("No file was opened yet."));
}

}  // namespace skein::ui
