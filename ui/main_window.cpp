// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMimeData>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolButton>

#include "engine/video/video_source.h"
#include "ui/desktop_scheme.h"
#include "ui/dialogs/command_palette.h"
#include "ui/edit/editor.h"
#include "ui/find/find_bar.h"
#include "ui/icons.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/instances_panel.h"
#include "ui/panels/jobs_panel.h"
#include "ui/panels/profiling_panel.h"
#include "ui/panels/suggestions_panel.h"
#include "ui/panels/videos_panel.h"
#include "ui/queue/queue_side.h"
#include "ui/run_controller.h"
#include "ui/text.h"
#include "ui/tracks/proofreading.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/job_bar.h"
#include "ui/window_run_host.h"

static void initResources() {
    Q_INIT_RESOURCE(skein);
}

namespace skein::ui {

namespace {
constexpr int kDefaultWidth = 1600, kDefaultHeight = 1000;
constexpr int kLeastWidth = 960, kLeastHeight = 600;
constexpr int kStateVersion = 1;
constexpr int kRateMs = 500;
}  // namespace

MainWindow::MainWindow(RunServices services, QWidget* parent)
    : QMainWindow(parent),
      m_settings(std::make_unique<Settings>()),
      m_actions(new ActionTable(this)),
      m_document(new Document(this)),
      m_view(new ViewState(this)),
      m_recent(new RecentFiles(m_settings.get(), this)),
      m_frames(new FrameService(FrameService::defaultCacheBytes(), this)),
      m_contents(new FrameContents(m_document, m_view, this)),
      m_digest(new ProjectDigest(m_document, m_view, this)),
      m_editor(new Editor(m_document, m_view, m_contents, this)) {
    initResources();
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/skein-app.svg")));
    setAcceptDrops(true);
    setAnimated(false);
    setDockNestingEnabled(true);
    setMinimumSize(kLeastWidth, kLeastHeight);
    m_countFromZero = m_settings->get(Setting::CountFramesFromZero).toBool();

    buildCentre();
    m_session = new Session(m_document, m_settings.get(), m_recent, m_messages, this);
    m_presenter = new FramePresenter(m_document, m_view, m_contents, m_canvas, m_frames, this);
    m_playback = new Playback(m_document, m_view, m_presenter, m_canvas, this);
    m_status = new StatusFields(statusBar());
    buildRun(std::move(services));
    buildDocks();
    buildToolBar();
    buildMenus();
    m_palette = new CommandPalette(m_actions, this);

    m_update.setSingleShot(true);
    m_update.setInterval(0);
    connect(&m_update, &QTimer::timeout, this, &MainWindow::updateNow);
    qApp->installEventFilter(this);
    m_rateTimer.setInterval(kRateMs);
    connect(&m_rateTimer, &QTimer::timeout, this, &MainWindow::updateFrameStatus);

    connectParts();
    connectActions();
    connectEditing();
    connectRun();
    connectQueue();
    connectView();
    connectFiles();
    connectProject();
    connectPreferences();
    m_proofreading->connectActions();
    restoreLayout();
    applyOverlayStyle();
    setCountFromZero(m_countFromZero);
    projectOpened();
}

MainWindow::~MainWindow() {
    delete m_proofreading;
    // The parts below talk to each other: first the run, then what it looks at.
    m_contents->setLive({});
    delete m_queue;
    m_run.reset();
    m_runHost.reset();
    // Children die after this window's own members; what they say on the way out must not reach it any more.
    for (QObject* part : findChildren<QObject*>())
        disconnect(part, nullptr, this, nullptr);
}

void MainWindow::connectParts() {
    connect(m_document, &Document::opened, this, &MainWindow::projectOpened);
    connect(m_document, &Document::changed, this, [this](const Change& change) {
        if (change.kinds.testFlag(ChangeKind::Videos) && m_view->video() < 0 && m_document->videoCount() > 0)
            showVideo(0);
        else if (change.kinds.testFlag(ChangeKind::Videos))
            showVideo(std::min(m_view->video(), m_document->videoCount() - 1), m_view->frame());
        if (m_view->video() >= 0)
            m_view->setFrameCount(m_document->frameCount(m_view->video()));
        m_run->hostChanged();
        scheduleUpdate();
    });
    connect(m_document, &Document::modifiedChanged, this, &MainWindow::updateTitle);
    connect(m_document, &Document::pathChanged, this, &MainWindow::updateTitle);
    connect(m_document, &Document::busyChanged, this, [this] {
        m_empty->setBusy(m_document->isOpening() ? tr("Reading...") : QString());
        if (!m_document->isSaving())
            m_run->hostChanged();
        scheduleUpdate();
    });
    connect(m_document, &Document::saveProgress, this,
            [this](double fraction) { m_status->hover(tr("Saving %1%").arg(static_cast<int>(fraction * 100))); });
    connect(m_document, &Document::saved, this, [this](const QString& path) {
        m_status->hover({});
        m_status->notice(tr("Saved %1").arg(QFileInfo(path).fileName()));
    });
    connect(m_document, &Document::saveFailed, this, [this] { m_status->hover({}); });
    connect(m_document, &Document::saveConflict, this, [this] { m_status->hover({}); });
    connect(m_document, &Document::videoStateChanged, this, &MainWindow::videoStateChanged);
    connect(m_document->undoStack(), &QUndoStack::indexChanged, this, &MainWindow::scheduleUpdate);

    connect(m_view, &ViewState::frameChanged, this, [this] {
        updateFrameStatus();
        m_run->hostChanged();
    });
    connect(m_view, &ViewState::videoChanged, this, &MainWindow::gatherLive);
    connect(m_view, &ViewState::selectionChanged, this, [this] {
        m_canvas->setSelection(m_view->selection());
        scheduleUpdate();
    });
    connect(m_view, &ViewState::rangeChanged, this, [this] {
        updateFrameStatus();
        m_run->hostChanged();
        scheduleUpdate();
    });
    connect(m_view, &ViewState::displayChanged, this, &MainWindow::applyOverlayStyle);

    connect(m_presenter, &FramePresenter::contentsChanged, this, &MainWindow::contentsChanged);
    connect(m_presenter, &FramePresenter::pendingChanged, this, &MainWindow::updateFrameStatus);
    connect(m_canvas, &VideoCanvas::hoverChanged, m_status, &StatusFields::hover);
    connect(m_timeline, &Timeline::sought, this, [this] {
        m_playback->stop();
        m_run->personMoved();
    });
    m_timeline->trackName = [this](int track) { return m_contents->trackName(track); };
    m_timeline->timeText = [this](std::int64_t frame) {
        const auto& source = m_document->videoState(m_view->video()).source;
        return source && frame < source->frameCount() && source->fps() > 0 ? text::time(source->timeOf(frame))
                                                                           : QString();
    };
    connect(m_digest, &ProjectDigest::updated, this, [this] {
        m_timeline->setData(m_digest->timeline());
        refreshLive();
        scheduleUpdate();
    });
    connect(m_playback, &Playback::stateChanged, this, [this] {
        m_actions->get("goPlay")->setIcon(
            icon(m_playback->direction() > 0 ? QStringLiteral("pause") : QStringLiteral("play")));
        m_actions->get("goPlayBack")
            ->setIcon(icon(m_playback->direction() < 0 ? QStringLiteral("pause") : QStringLiteral("play-back")));
        m_playback->isPlaying() ? m_rateTimer.start() : m_rateTimer.stop();
        updateFrameStatus();
    });
    connect(m_playback, &Playback::speedChanged, this, [this] {
        m_speedButton->setText(Playback::speedText(m_playback->speed()));
        m_status->notice(tr("Speed %1").arg(Playback::speedText(m_playback->speed())));
    });
    connect(m_videos, &VideosPanel::videoWanted, this, [this](int video) {
        m_run->personMoved();
        showVideo(video);
    });
    connect(m_empty, &EmptyState::openWanted, m_session, &Session::chooseAndOpen);
    connect(m_empty, &EmptyState::openFolderWanted, m_session, &Session::chooseFolderAndOpen);
    connect(m_empty, &EmptyState::recentWanted, this, [this](const QString& path) { openPaths({path}); });
    connect(m_recent, &RecentFiles::changed, this, &MainWindow::rebuildRecentMenu);
    connect(&DesktopScheme::instance(), &DesktopScheme::changed, this, [this] {
        if (theme::mode() == theme::Mode::System)
            applyTheme(theme::Mode::System);
    });
}

// --- The project ---------------------------------------------------------------------------------------------------

void MainWindow::openPaths(const QStringList& paths) {
    m_session->openPaths(paths);
}

void MainWindow::projectOpened() {
    m_run->projectReplaced();
    m_playback->stop();
    m_mark = -1;
    m_visited.clear();
    m_visitedAt = 0;
    cancelPicking();
    m_timeline->setData(nullptr);
    m_pages->setCurrentWidget(m_document->isOpen() ? static_cast<QWidget*>(m_splitter) : m_empty);
    if (m_document->videoCount() > 0) {
        // The first labelled frame is where there is something to see.
        const auto first = m_document->labels().nextFrame(0, 0);
        showVideo(0, first ? m_document->labels().frame(*first).frameIndex() : 0);
    } else {
        m_canvas->setPlaceholder(m_document->isOpen() ? tr("This project has no video. Drop one here.") : QString());
        m_view->setVideo(-1, 0);
    }
    updateTitle();
    updateBanners();
    m_run->hostChanged();
    scheduleUpdate();
}

void MainWindow::showVideo(int video, std::int64_t frame) {
    if (video < 0 || video >= m_document->videoCount()) {
        m_view->setVideo(-1, 0);
        return;
    }
    if (frame < 0)
        frame = video == m_view->video() ? m_view->frame() : 0;
    m_view->setVideo(video, std::max(m_document->frameCount(video), frame + 1), frame);
    m_document->wantVideo(video);
    updateBanners();
    m_run->hostChanged();
    scheduleUpdate();
}

void MainWindow::videoStateChanged(int video) {
    if (video == m_view->video()) {
        const VideoState& state = m_document->videoState(video);
        if (state.kind != VideoState::Kind::Opening)
            m_view->setFrameCount(m_document->frameCount(video));
        updateFrameStatus();
    }
    m_run->hostChanged();
    updateBanners();
    scheduleUpdate();
}

void MainWindow::updateBanners() {
    const QString key = QStringLiteral("video");
    QStringList missing;
    for (int i = 0; i < m_document->videoCount(); ++i)
        if (m_document->videoState(i).kind == VideoState::Kind::Missing)
            missing << m_document->videoName(i);
    const int shown = m_view->video();
    const VideoState* state = shown >= 0 && shown < m_document->videoCount() ? &m_document->videoState(shown) : nullptr;
    const auto replace = [this, shown] { m_session->chooseReplacement(shown); };
    const auto find = [this] { m_actions->get("fileReplaceVideos")->trigger(); };
    const QString said = m_messages->find(key) != nullptr ? m_messages->find(key)->sentence() : QString();
    const auto post = [&](Severity severity, const UiError& message, const std::vector<Banner::Action>& actions) {
        if (message.message != said)
            m_messages->post(key, severity, message, actions);
    };
    if (state != nullptr && state->kind == VideoState::Kind::Missing)
        post(Severity::Warning,
             missing.size() == 1
                 ? state->problem
                 : UiError{tr("%1 videos not found.").arg(missing.size()), missing.join(QLatin1Char('\n'))},
             {{tr("Find..."), find}});
    else if (state != nullptr && state->kind == VideoState::Kind::Unreadable)
        post(Severity::Error, state->problem, {{tr("Replace..."), replace}});
    else if (state != nullptr && state->kind == VideoState::Kind::Ready && !state->problem.message.isEmpty())
        post(Severity::Warning, state->problem, {});
    else if (state == nullptr || state->kind != VideoState::Kind::Opening)
        m_messages->withdraw(key);  // while it is opened again, the last word stands
    if (m_document->isReadOnly() && m_messages->find(QStringLiteral("readonly")) == nullptr)
        m_messages->post(QStringLiteral("readonly"), Severity::Info, {m_document->readOnlyReason(), {}},
                         {{tr("Save As..."), [this] { m_session->saveAs(); }}});
    else if (!m_document->isReadOnly())
        m_messages->withdraw(QStringLiteral("readonly"));
}

void MainWindow::contentsChanged(const ShownFrame& shown) {
    m_instances->setFrame(shown);
    m_inspector->frameChanged();
    const int users = shown.userCount();
    const auto all = static_cast<std::int64_t>(shown.instances.size());
    QString words;
    if (shown.frame >= 0) {
        words = text::count(all, tr("instance"), tr("instances"));
        if (users > 0)
            words += tr(" (%1 user)").arg(users);
    }
    m_status->onFrame->set(words);
    scheduleUpdate();
}

void MainWindow::updateTitle() {
    setWindowTitle(m_document->isOpen() ? tr("%1[*] - Skein").arg(m_document->displayName())
                                        : QStringLiteral("Skein[*]"));
    setWindowModified(m_document->isModified());
    setWindowFilePath(m_document->path());
}

QString MainWindow::frameNumber(std::int64_t frame) const {
    return text::number(frame + firstFrameNumber());
}

void MainWindow::updateFrameStatus() {
    const bool has = m_view->video() >= 0 && m_view->frameCount() > 0;
    QString words;
    if (has) {
        words = tr("Frame %1/%2").arg(frameNumber(m_view->frame()), frameNumber(m_view->frameCount() - 1));
        if (const auto& range = m_view->range())
            words += tr(" (selection %1\u2013%2)").arg(frameNumber(range->first), frameNumber(range->last));
    }
    m_status->frame->set(words);
    m_status->frame->setQuiet(m_presenter->isPending());
    QString time;
    if (has)
        if (const auto& source = m_document->videoState(m_view->video()).source)
            if (source->fps() > 0 && m_view->frame() < source->frameCount())
                time = text::time(source->timeOf(m_view->frame()));
    m_status->time->set(time);
    m_status->fps->set(m_playback->isPlaying() ? m_playback->rateText() : QString());
}

void MainWindow::updateStatus() {
    const int video = m_view->video();
    const bool has = video >= 0 && video < m_document->videoCount();
    m_status->video->set(has ? tr("Video %1/%2").arg(video + 1).arg(m_document->videoCount()) : QString());
    QString labelled, predicted;
    if (has) {
        const VideoCounts counts = m_digest->counts(video), total = m_digest->total();
        labelled = m_document->videoCount() > 1
                       ? tr("Labelled %1 (video) / %2 (project)")
                             .arg(text::number(counts.userFrames), text::number(total.userFrames))
                       : tr("Labelled %1").arg(text::number(counts.userFrames));
        const std::int64_t frames = std::max<std::int64_t>(1, m_view->frameCount());
        // A run tells itself how far it is; what it finds counts when it is in the project.
        if (!m_run->isRunning())
            predicted = tr("Predicted %1 (%2%)")
                            .arg(text::number(counts.predictedFrames))
                            .arg(100 * counts.predictedFrames / frames);
    }
    m_status->labelled->set(labelled);
    m_status->predicted->set(predicted);
    updateFrameStatus();
}

void MainWindow::updateNow() {
    m_update.stop();
    updateStatus();
    updateActions();
}

// Keys may come in a burst, after a moment in which the program was busy: each finds the actions as the one before left
// them.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && m_update.isActive())
        updateNow();
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::scheduleUpdate() {
    if (!m_update.isActive())
        m_update.start();
}

// --- Window --------------------------------------------------------------------------------------------------------

void MainWindow::restoreLayout() {
    // A window that is larger than the screen hides its own docks; the frame around it is not known before it is shown.
    constexpr QSize kFrame{16, 40};
    const QSize room = screen() != nullptr ? screen()->availableSize() - kFrame : QSize(kDefaultWidth, kDefaultHeight);
    resize(QSize(kDefaultWidth, kDefaultHeight).boundedTo(room));
    restoreGeometry(m_settings->get(Setting::WindowGeometry).toByteArray());
    if (!isMaximized() && !isFullScreen())
        resize(size().boundedTo(room));
    restoreState(m_settings->get(Setting::WindowState).toByteArray(), kStateVersion);
    m_splitter->restoreState(m_settings->get(Setting::SplitterState).toByteArray());
    m_splitter->setOrientation(Qt::Vertical);
}

void MainWindow::storeState() {
    m_settings->set(Setting::WindowGeometry, saveGeometry());
    m_settings->set(Setting::WindowState, saveState(kStateVersion));
    m_settings->set(Setting::SplitterState, m_splitter->saveState());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_jobBar->isBusy() && !m_jobBar->isStopping()) {
        event->ignore();
        m_session->dialogs().confirm(
            this, tr("Stop and close?"),
            tr("%1 has not ended yet. What is written so far will be removed.").arg(m_jobBar->what()),
            tr("Stop and Close"), [this](bool yes) {
                if (!yes)
                    return;
                m_jobBar->stop();
                QMetaObject::invokeMethod(
                    this, [this] { close(); }, Qt::QueuedConnection);
            });
        return;
    }
    if (!m_leaving) {
        // Questions are answered later; until then the window stays. Without a question it goes at once.
        const auto asked = std::make_shared<bool>(false);
        m_session->leave([this, asked] {
            const bool free = m_queue->finishBeforeClosing([this] {
                m_leaving = true;
                close();
            });
            if (!free)
                return;
            m_leaving = true;
            if (*asked)
                close();
        });
        if (!m_leaving) {
            *asked = true;
            event->ignore();
            return;
        }
    }
    storeState();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!event->mimeData()->hasUrls())
        return;
    event->acceptProposedAction();
    m_empty->setDropping(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
    m_empty->setDropping(false);
}

void MainWindow::dropEvent(QDropEvent* event) {
    m_empty->setDropping(false);
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    event->acceptProposedAction();
    m_queue->dropped(paths, [this, paths] { m_session->openPaths(paths, true); });
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    placeBadges();
}

/// The key of a command that cannot be used now comes through to here: why not is said.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    const QKeySequence key(event->keyCombination());
    for (const QAction* action : m_actions->all())
        if (!action->isEnabled() && action->shortcuts().contains(key))
            m_status->notice(action->toolTip());
    QMainWindow::keyPressEvent(event);
}

void MainWindow::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::BackButton)
        m_actions->get("goBack")->trigger();
    else if (event->button() == Qt::ForwardButton)
        m_actions->get("goForward")->trigger();
    else
        QMainWindow::mousePressEvent(event);
}

void MainWindow::placeBadges() {
    int x = theme::kGap;
    for (Badge* badge : {m_liveBadge, m_hiddenBadge, m_negativeBadge}) {
        if (!badge->isVisibleTo(m_canvas))
            continue;
        badge->resize(badge->sizeHint());
        badge->move(x, theme::kGap);
        x += badge->width() + theme::kGrid;
    }
}

void MainWindow::applyTheme(theme::Mode mode) {
    theme::apply(mode);
}

void MainWindow::setCountFromZero(bool fromZero) {
    m_countFromZero = fromZero;
    m_timeline->setFirstFrameNumber(firstFrameNumber());
    m_presenter->setFirstFrameNumber(firstFrameNumber());
    m_suggestions->model()->setFirstFrameNumber(firstFrameNumber());
    m_find->setFirstFrameNumber(firstFrameNumber());
    m_proofreading->setFirstFrameNumber(firstFrameNumber());
    m_run->hostChanged();
    updateFrameStatus();
}

}  // namespace skein::ui
