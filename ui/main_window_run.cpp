// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <algorithm>

#include "ui/bridge/job_bridge.h"
#include "ui/dialogs/evaluation_dialog.h"
#include "ui/main_window.h"
#include "ui/panels/jobs_panel.h"
#include "ui/panels/profiling_panel.h"
#include "ui/panels/videos_panel.h"
#include "ui/queue/queue_side.h"
#include "ui/run_controller.h"
#include "ui/tracks/proofreading.h"
#include "ui/widgets/badge.h"
#include "ui/window_run_host.h"

namespace skein::ui {

void MainWindow::buildRun(RunServices services) {
    m_runHost = std::make_unique<WindowRunHost>(this);
    m_run = std::make_unique<RunController>(*m_runHost, this, std::move(services));
}

void MainWindow::connectRun() {
    RunController* run = m_run.get();
    m_contents->setLive({[run](std::uint32_t video, std::int64_t frame) { return run->liveFrame(video, frame); },
                         [run]() -> const project::Skeleton& { return run->liveSkeleton(); },
                         [run](int track) { return run->liveTrackName(track); }});
    m_session->setRunGuard([run](std::function<void()> then) { return run->finishBeforeClosing(std::move(then)); });
    connect(m_session, &Session::modelWanted, run, &RunController::openModel);

    ActionTable& a = *m_actions;
    a.on("predictRun", [run] { run->showDialog(); });
    a.on("predictAgain", [run] { run->predictAgain(); });
    a.on("predictPause", [run](bool on) { run->setPaused(on); });
    a.on("predictCancel", [run] { run->cancel(); });
    a.on("predictFollow", [run](bool on) { run->setFollowing(on); });
    a.on("predictMetrics", [this] {
        // Made when it is first asked for; it follows the project from then on.
        auto* evaluation = findChild<EvaluationDialog*>();
        if (evaluation == nullptr) {
            evaluation = new EvaluationDialog(&m_session->dialogs(), this);
            const auto tell = [this, evaluation] { evaluation->setProject(m_document->labels()); };
            connect(m_document, &Document::changed, evaluation, tell);
            connect(m_document, &Document::opened, evaluation, tell);
        }
        evaluation->setProject(m_document->labels());
        evaluation->show();
        evaluation->raise();
        evaluation->activateWindow();
    });
    connect(m_liveBadge, &QAbstractButton::clicked, this, [run](bool on) { run->setFollowing(on); });

    const auto follow = [this](bool following) {
        m_liveBadge->setChecked(following);
        m_actions->get("predictFollow")->setChecked(following);
    };
    connect(run, &RunController::followingChanged, this, follow);
    connect(run, &RunController::stateChanged, this, [this, run] {
        m_liveBadge->setVisible(run->isRunning() && !run->awaitsQueue());
        m_liveBadge->setChecked(run->isFollowing());
        m_actions->get("predictPause")->setChecked(run->isPaused());
        placeBadges();
        updateRunShading();
        m_presenter->refreshContents();
        scheduleUpdate();
    });
    connect(run, &RunController::statusChanged, this,
            [this](const RunStatus& status) { m_status->job(status.text, status.running ? status.fraction : 2); });
    connect(run, &RunController::framesFinished, this,
            [this](quint32 video, const std::vector<qint64>& frames) { liveFramesArrived(video, frames); });
    connect(run, &RunController::deviceKnown, this, [this](const QString& device, const QString& reason) {
        m_device = device;
        m_deviceReason = reason;
        // The bar's room is for messages: why it is not a GPU stands in the tip.
        m_status->device->set(device);
        m_status->device->setToolTip(reason.isEmpty() ? tr("Inference runs on %1.").arg(device)
                                                      : tr("Inference runs on %1: %2.").arg(device, reason));
    });
    JobBridge* bridge = run->bridge();
    run->profilingPanel()->setControls({[bridge] { bridge->resetProfile(); }, [bridge] { bridge->recordTrace(); },
                                        [bridge] { return bridge->takeTrace(); },
                                        [this]() -> DialogService& { return m_session->dialogs(); }});
    const auto raise = [this](const QString& name) {
        if (auto* dock = findChild<QDockWidget*>(name)) {
            dock->show();
            dock->raise();
        }
    };
    connect(run, &RunController::panelWanted, this, raise);
    connect(m_status, &StatusFields::jobClicked, this, [raise] { raise(QStringLiteral("dockJobs")); });
    connect(run, &RunController::notice, m_status, &StatusFields::notice);
    connect(m_videos, &VideosPanel::selectionChanged, run, &RunController::hostChanged);
    connect(&m_proofreading->issues(), &IssueList::changed, run, &RunController::hostChanged);
    connect(run, &RunController::resumeOffered, this, [this, run](const QString& sentence, const QString& button) {
        const QString key = QStringLiteral("resumeRun");
        if (sentence.isEmpty())
            return m_messages->withdraw(key);
        std::vector<Banner::Action> actions;
        if (!button.isEmpty())
            actions.push_back({button, [run] { run->resumeRun(); }});
        actions.push_back({tr("Discard"), [run] { run->forgetUnfinished(); }});
        m_messages->post(key, Severity::Warning, {sentence, {}}, actions);
    });
}

void MainWindow::connectQueue() {
    m_queue = new QueueSide({this, m_actions, m_session, m_messages, m_run.get(), m_run->jobsPanel(), m_settings.get(),
                             [this] { return m_run->modelFolders(); },
                             [this] {
                                 QStringList videos;
                                 for (int i = 0; i < m_document->videoCount(); ++i)
                                     if (m_document->videoState(i).kind == VideoState::Kind::Ready)
                                         videos << m_document->videoState(i).path;
                                 return videos;
                             }},
                            QueueController::defaultFolder(), QueueController::defaultProgram());
    connect(m_queue, &QueueSide::factsChanged, this, &MainWindow::scheduleUpdate);
    connect(m_queue, &QueueSide::notice, m_status, &StatusFields::notice);
    connect(m_empty, &EmptyState::predictWanted, m_actions->get("predictFolder"), &QAction::trigger);
    const QueueController* queue = m_queue->queue();
    connect(queue, &QueueController::changed, this, [this, queue, shown = false]() mutable {
        // The run of the open project goes before it.
        const bool show = queue->isComputing() && !m_run->isRunning();
        if (show)
            m_status->job(queue->statusLine(), queue->fraction());
        else if (shown && !m_run->isRunning())
            m_status->job(m_run->status().text, 2);
        shown = show;
    });
    connect(m_queue, &QueueSide::jobsWanted, this, [this] {
        m_jobsDock->show();
        m_jobsDock->raise();
    });
}

void MainWindow::addLiveFrame(std::uint32_t video, std::int64_t frame) {
    const project::FrameData* live = m_run->liveFrame(video, frame);
    if (live == nullptr)
        return;
    if (!m_live) {
        m_live = std::make_shared<TimelineData>();
        m_live->video = video;
    }
    std::vector<int> tracks;
    for (const project::InstanceData& instance : live->instances)
        if (instance.header.track >= 0)
            tracks.push_back(instance.header.track);
    m_live->add(frame, {}, tracks, false, !live->instances.empty());
    m_liveFrames.push_back(frame);
}

/// Marks and lanes of frames that the run has finished and the project does not hold yet.
void MainWindow::liveFramesArrived(std::uint32_t video, const std::vector<qint64>& frames) {
    if (static_cast<int>(video) == m_view->video() && !frames.empty()) {
        for (const qint64 frame : frames)
            addLiveFrame(video, frame);
        m_timeline->setLive(m_live);
        const ShownFrame& shown = m_presenter->shown();
        if (shown.video == video && std::find(frames.begin(), frames.end(), shown.frame) != frames.end())
            m_presenter->refreshContents();
    }
    updateRunShading();
    scheduleUpdate();
}

/// After the project has taken results over: what it still does not hold.
void MainWindow::refreshLive() {
    const std::vector<std::int64_t> frames = std::exchange(m_liveFrames, {});
    m_live = nullptr;
    if (m_view->video() >= 0)
        for (const std::int64_t frame : frames)
            addLiveFrame(static_cast<std::uint32_t>(m_view->video()), frame);
    m_timeline->setLive(m_live);
}

/// Another video is shown: its share of the run.
void MainWindow::gatherLive() {
    m_liveFrames.clear();
    m_live = nullptr;
    if (m_view->video() >= 0 && static_cast<int>(m_run->runVideo()) == m_view->video())
        for (const FrameRange& range : m_run->finishedRanges())
            for (std::int64_t frame = range.first; frame <= range.last; ++frame)
                addLiveFrame(m_run->runVideo(), frame);
    m_timeline->setLive(m_live);
    updateRunShading();
}

void MainWindow::updateRunShading() {
    if (m_run->isRunning() && static_cast<int>(m_run->runVideo()) == m_view->video())
        m_timeline->setRun(m_run->finishedRanges(), m_run->wantedRanges());
    else
        m_timeline->setRun({}, {});
}

}  // namespace skein::ui
