// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_side.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "ui/actions/action_table.h"
#include "ui/bridge/background.h"
#include "ui/bridge/desktop_notice.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/inference_dialog.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/run_rates.h"
#include "ui/panels/jobs_panel.h"
#include "ui/panels/profiling_panel.h"
#include "ui/queue/after_queue.h"
#include "ui/queue/batch_dialog.h"
#include "ui/queue/cluster_dialog.h"
#include "ui/queue/dropped_videos.h"
#include "ui/queue/queue_log.h"
#include "ui/queue/queue_panel.h"
#include "ui/queue/queue_run.h"
#include "ui/run_controller.h"
#include "ui/run_text.h"
#include "ui/session.h"
#include "ui/settings.h"

namespace skein::ui {
namespace {

constexpr int kGraceMs = 30000;
const QString kKept = QStringLiteral("queueKept");
const QString kAfter = QStringLiteral("queueAfter");

}  // namespace

QueueSide::QueueSide(Window window, const QString& folder, const QString& program)
    : QObject(window.window),
      m_w(std::move(window)),
      m_file(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("skein"), QStringLiteral("skein")),
      m_queue(new QueueController(folder, program, this)) {
    QList<QAction*> actions;
    for (const char* id : {"predictFolder", "queueStart", "queuePause", "queueCancel", "queueRetry", "queueFirst",
                           "queueUp", "queueDown", "queuePauseRows", "queueResumeRows", "queueResult", "queueLog",
                           "queueRemove", "queueClear", "queueCluster"})
        actions << m_w.actions->get(id);
    m_panel = new QueuePanel(m_queue, actions, m_w.jobs);
    m_w.jobs->setQueuePage(m_panel);
    m_grace.setSingleShot(true);
    m_grace.setInterval(kGraceMs);
    connect(&m_grace, &QTimer::timeout, this, &QueueSide::afterwards);
    connect(m_panel, &QueuePanel::selectionChanged, this, &QueueSide::factsChanged);
    connect(m_panel, &QueuePanel::resultWanted, this, &QueueSide::openResult);
    connect(m_panel, &QueuePanel::freshWanted, m_queue, &QueueController::startAfresh);
    connect(m_queue, &QueueController::changed, this, [this] {
        refreshKept();
        const QueueCounts counts = m_queue->counts();
        m_w.jobs->setQueueTitle(counts.left() > 0 ? tr("Queue (%1 left)").arg(text::number(counts.left()))
                                                  : tr("Queue"));
        // The run of the open project goes before it.
        if (!m_w.run->isRunning())
            showTaskbarProgress(m_queue->isComputing() ? m_queue->fraction() : -1);
        Q_EMIT factsChanged();
    });
    connect(m_queue, &QueueController::keptFound, this, &QueueSide::offerKept);
    connect(m_queue, &QueueController::ended, this, &QueueSide::ended);
    auto* computed = new QueueRun(m_queue, this);
    connect(computed, &QueueRun::changed, this, [this](const RunSnapshot& now) {
        if (ProfilingPanel* panel = m_w.run->profilingPanel())
            panel->setRun(now);
        if (now.state == RunState::Finished)
            RunRates(&m_file).note(now);
    });
    connectActions();
    connectTurns();
    connect(m_panel, &QueuePanel::seen, this, [this] {
        askWhetherSystemSleeps(this, [this](bool, const QString& why) { m_panel->setSleepProblem(why); });
    });
    m_queue->openKept();
}

QueueSide::~QueueSide() {
    // Both look at what goes with this.
    delete m_panel;
    delete m_batch;
}

void QueueSide::connectActions() {
    ActionTable& a = *m_w.actions;
    a.on("predictFolder", [this] {
        BatchDialog* dialog = batchDialog();
        if (dialog->isVisible())
            return dialog->showFor({});
        showBatch({}, {});
    });
    connect(m_w.run->dialog(), &InferenceDialog::queueWanted, this, [this] {
        // The model that was chosen there is the last one now.
        const ModelPicker* chosen = m_w.run->dialog()->modelPicker();
        QStringList models{chosen->path()};
        if (!chosen->partnerPath().isEmpty())
            models << chosen->partnerPath();
        models.removeAll(QString());
        showBatch(m_w.videos ? m_w.videos() : QStringList(), models);
    });
    a.on("queueStart", [this] {
        withdrawKept();
        letPausedGoOn();
        m_queue->start();
    });
    a.on("queuePause", [this](bool on) { m_queue->setPaused(on); });
    a.on("queueCancel", [this] { cancelSelected(); });
    for (const bool paused : {true, false})
        a.on(paused ? "queuePauseRows" : "queueResumeRows", [this, paused] {
            for (const QueueRow& row : m_panel->selectedRows())
                m_queue->setRowPaused(row, paused);
        });
    a.on("queueRetry", [this] {
        const bool wasOver = m_queue->counts().left() == 0;
        for (const QueueRow& row : m_panel->selectedRows())
            if (batch::isOver(row.entry->state))
                m_queue->retry(row);
        if (wasOver)
            m_queue->start();
    });
    a.on("queueRemove", [this] {
        for (const QueueRow& row : m_panel->selectedRows())
            m_queue->remove(row);
    });
    a.on("queueClear", [this] { m_queue->removeOver(); });
    a.on("queueFirst", [this] { moveSelected(0, true); });
    a.on("queueUp", [this] { moveSelected(-1, false); });
    a.on("queueDown", [this] { moveSelected(1, false); });
    a.on("queueResult", [this] { openResult(); });
    a.on("queueLog", [this] { showLog(); });
    a.on("queueCluster", [this] { showCluster(); });
}

void QueueSide::cancelSelected() {
    std::vector<QueueRow> onCluster;
    for (const QueueRow& row : m_panel->selectedRows())
        if (batch::isOver(row.entry->state))
            continue;
        else if (!row.isHere())
            onCluster.push_back(row);
        else if (row.entry->state == batch::EntryState::Running && row.entry->framesDone > 0)
            cancelRunning(row);
        else
            m_queue->cancel(row);
    if (!onCluster.empty())
        m_w.session->dialogs().confirm(m_w.window, tr("Cancel the whole job on the cluster?"),
                                       tr("All rows that were sent together end; what their tasks have found is lost."),
                                       tr("Cancel Job"), [this, row = onCluster.front()](bool yes) {
                                           if (yes)
                                               m_queue->cancel(row);
                                       });
}

void QueueSide::cancelRunning(const QueueRow& row) {
    using Finished = batch::Queue::Finished;
    constexpr int kAsk = 0, kKeep = 1;
    if (const int known = m_w.settings->get(Setting::CancelledEntries).toInt(); known != kAsk)
        return m_queue->cancel(row, known == kKeep ? Finished::Keep : Finished::Discard);
    m_w.session->dialogs().askOnce(m_w.window, tr("Cancel %1").arg(text::fromPath(row.entry->data.filename())),
                                   // It runs on behind the question: a number would be another one by the answer.
                                   tr("It goes on until you choose. Keep the frames that are finished by then?"),
                                   {tr("Keep"), tr("Discard")}, tr("Let It Run"), [this, row](int choice, bool always) {
                                       if (choice < 0)
                                           return;
                                       if (always)
                                           m_w.settings->set(Setting::CancelledEntries, choice + kKeep);
                                       m_queue->cancel(row, choice == 0 ? Finished::Keep : Finished::Discard);
                                   });
}

/// The queue and the run of the open project never compute at the same time.
void QueueSide::connectTurns() {
    RunController* run = m_w.run;
    run->mayCompute = [this] { return m_queue->letRunCompute(); };
    connect(m_queue, &QueueController::mayCompute, run, &RunController::goOn);
    connect(run, &RunController::stateChanged, this, [this, run] {
        using Turn = QueueController::ProjectRun;
        m_queue->setProjectRun(!run->isRunning()                        ? Turn::None
                               : run->run().state == RunState::Starting ? Turn::Waits
                                                                        : Turn::Computes);
    });
}

BatchDialog* QueueSide::batchDialog() {
    if (m_batch == nullptr) {
        m_batch = new BatchDialog(&m_file, &m_w.session->dialogs(), m_w.window);
        m_batch->taken = [this] {
            std::vector<std::filesystem::path> taken;
            for (const QueueRow& row : m_queue->rows())
                if (!batch::isOver(row.entry->state))
                    taken.push_back(row.entry->output);
            return taken;
        };
        m_batch->setDevices(m_w.run->devices());
        connect(m_batch, &BatchDialog::modelReady, m_w.run, &RunController::findDevices);
        connect(m_w.run, &RunController::deviceKnown, m_batch, [this] { m_batch->setDevices(m_w.run->devices()); });
        connect(m_batch, &BatchDialog::queueWanted, this, [this](std::vector<batch::Entry> entries, bool start) {
            for (batch::Entry& entry : entries)
                entry.settings.decoder = decoderOf(*m_w.settings);
            withdrawKept();
            m_queue->add(entries, start);
            m_w.jobs->showQueue();
            Q_EMIT jobsWanted();
        });
    }
    return m_batch;
}

void QueueSide::showBatch(const QStringList& paths, const QStringList& models) {
    BatchDialog* dialog = batchDialog();
    if (models.size() == 1)
        dialog->modelPicker()->setPath(models.first());
    else if (models.size() > 1)
        dialog->modelPicker()->setPair(models[0], models[1]);
    dialog->scanModels(m_w.modelFolders ? m_w.modelFolders() : QStringList());
    dialog->showFor(paths);
}

void QueueSide::dropped(const QStringList& paths, std::function<void()> open) {
    inBackground(
        this, [paths]() -> Result<DroppedVideos> { return lookThrough(paths); },
        [this, paths, open = std::move(open)](Result<DroppedVideos> drop) {
            const int all = drop ? drop->videos + drop->deeper : 0;
            if (all == 0 || drop->other || (all == 1 && drop->models.isEmpty()))
                return open();
            QStringList videos;
            for (const QString& path : paths)
                if (!drop->models.contains(QFileInfo(path).absoluteFilePath()))
                    videos << path;
            // What lies in subfolders alone cannot be opened by its folder.
            if (!drop->models.isEmpty() || drop->videos == 0)
                return showBatch(videos, drop->models);
            m_w.session->dialogs().askChoice(m_w.window,
                                             tr("%1 were dropped").arg(text::count(all, tr("video"), tr("videos"))),
                                             tr("Open them here, or queue a prediction of each?"),
                                             {tr("Open"), tr("Predict...")}, [this, videos, open](int choice) {
                                                 if (choice == 0)
                                                     open();
                                                 else if (choice == 1)
                                                     showBatch(videos, {});
                                             });
        });
}

void QueueSide::gatherFacts(ActionFacts& facts) const {
    QueueFacts& q = facts.queue;
    for (const QueueRow& row : m_queue->rows()) {
        q.waits = q.waits || (row.isHere() && row.entry->state == batch::EntryState::Waiting);
        q.over = q.over || batch::isOver(row.entry->state);
    }
    q.started = m_queue->isStarted();
    q.working = m_queue->isWorking();
    const std::vector<QueueRow> selected = m_panel->selectedRows();
    q.rows = !selected.empty();
    for (const QueueRow& row : selected) {
        const bool over = batch::isOver(row.entry->state);
        q.cancellable = q.cancellable || !over;
        q.pausable = q.pausable || (row.isHere() && !over && !row.entry->paused);
        q.resumable = q.resumable || row.entry->paused;
        q.retriable = q.retriable || over;
        q.removable = q.removable || (row.isHere() ? row.entry->state != batch::EntryState::Running : over);
    }
    if (selected.size() == 1) {
        const batch::Entry& entry = *selected.front().entry;
        q.result = batch::ownsOutput(entry) || entry.state == batch::EntryState::Skipped;
        q.log = !entry.log.empty();
    }
    QAction* pause = m_w.actions->get("queuePause");
    if (pause->isChecked() != m_queue->isPaused())
        pause->setChecked(m_queue->isPaused());
}

void QueueSide::moveSelected(int by, bool toFront) {
    QList<qint64> ids;
    int first = -1, last = -1;
    const auto& rows = m_queue->rows();
    for (const QueueRow& row : m_panel->selectedRows())
        if (row.isHere())
            ids << row.id;
    for (int i = 0; i < static_cast<int>(rows.size()); ++i)
        if (rows[static_cast<std::size_t>(i)].isHere() && ids.contains(rows[static_cast<std::size_t>(i)].id)) {
            first = first < 0 ? i : first;
            last = i;
        }
    if (first < 0)
        return;
    if (toFront) {
        // Before all that waits: what is over or in work stays where it is.
        int place = 0;
        while (place < static_cast<int>(rows.size()) &&
               rows[static_cast<std::size_t>(place)].entry->state != batch::EntryState::Waiting)
            ++place;
        return m_queue->move(ids, place);
    }
    m_queue->move(ids, by < 0 ? std::max(0, first - 1) : last + 2);
}

void QueueSide::openResult() {
    const std::vector<QueueRow> rows = m_panel->selectedRows();
    if (rows.size() == 1 && m_w.actions->get("queueResult")->isEnabled())
        m_w.session->openPaths({text::fromPath(rows.front().entry->output)});
}

void QueueSide::showLog() {
    const std::vector<QueueRow> rows = m_panel->selectedRows();
    if (rows.size() == 1)
        showQueueLog(m_w.window, tr("Log of %1").arg(text::fromPath(rows.front().entry->data.filename())),
                     text::fromPath(rows.front().entry->log));
}

void QueueSide::showCluster() {
    std::vector<batch::Entry> entries;
    const auto take = [&entries](const std::vector<QueueRow>& rows) {
        for (const QueueRow& row : rows)
            if (row.isHere() && row.entry->state == batch::EntryState::Waiting) {
                entries.push_back(*row.entry);
                entries.back().paused = false;
            }
    };
    take(m_panel->selectedRows());
    if (entries.empty())
        take(m_queue->rows());
    if (entries.empty())
        return;
    auto* dialog = new ClusterDialog(m_queue, std::move(entries), &m_file, &m_w.session->dialogs(), m_w.window);
    dialog->show();
}

void QueueSide::offerKept() {
    m_offersKept = true;
    refreshKept();
    // Opening a project clears the messages; this one stands until it is answered.
    connect(m_w.messages, &MessageBar::cleared, this, [this] {
        m_keptWords.clear();
        refreshKept();
    });
}

/// Says what is left as long as that is so: entries may be removed, or go to a cluster.
void QueueSide::refreshKept() {
    if (!m_offersKept)
        return;
    const QueueCounts counts = m_queue->countsHere();
    if (counts.left() == 0 || m_queue->isStarted())
        return withdrawKept();
    const QString words =
        (counts.left() == 1 ? tr("%1 of %2 is left in the queue.") : tr("%1 of %2 are left in the queue."))
            .arg(text::number(counts.left()), text::count(counts.total, tr("row"), tr("rows")));
    if (std::exchange(m_keptWords, words) == words)
        return;
    m_w.messages->post(kKept, Severity::Info, {words, {}},
                       {{tr("Go On"), [this] { m_w.actions->get("queueStart")->trigger(); }},
                        {tr("Later"), [this] { withdrawKept(); }},
                        {tr("Show"), [this] {
                             m_w.jobs->showQueue();
                             Q_EMIT jobsWanted();
                         }}});
}

/// To start a queue of which only paused rows are left means them.
void QueueSide::letPausedGoOn() {
    std::vector<QueueRow> paused;
    for (const QueueRow& row : m_queue->rows()) {
        if (!row.isHere() || batch::isOver(row.entry->state))
            continue;
        if (!row.entry->paused)
            return;
        paused.push_back(row);
    }
    for (const QueueRow& row : paused)
        m_queue->setRowPaused(row, false);
}

void QueueSide::withdrawKept() {
    m_offersKept = false;
    m_keptWords.clear();
    m_w.messages->withdraw(kKept);
}

void QueueSide::ended(const QueueCounts& counts) {
    const QString words = tr("The queue has ended: %1.").arg(countWords(counts));
    Q_EMIT notice(words);
    notifyDesktop(m_w.window, tr("Queue"), words);
    if (m_queue->after() == AfterQueue::Nothing)
        return;
    const QString what =
        m_queue->after() == AfterQueue::Quit ? tr("Skein quits in %1.") : tr("The computer sleeps in %1.");
    m_w.messages->post(kAfter, Severity::Info,
                       {words + QLatin1Char(' ') + what.arg(text::duration(m_grace.interval() / 1000.0)), {}},
                       {{tr("Do Nothing"), [this] {
                             m_grace.stop();
                             m_w.messages->withdraw(kAfter);
                         }}});
    m_grace.start();
}

void QueueSide::afterwards() {
    m_w.messages->withdraw(kAfter);
    // Somebody has given it new work meanwhile.
    if (m_queue->counts().left() > 0)
        return;
    if (m_queue->after() == AfterQueue::Quit)
        m_w.window->close();
    else if (m_queue->after() == AfterQueue::Sleep && !putSystemToSleep())
        Q_EMIT notice(tr("The computer could not be put to sleep."));
}

bool QueueSide::finishBeforeClosing(std::function<void()> then) {
    if (m_leaving || !m_queue->isWorking())
        return true;
    if (std::exchange(m_asking, true))
        return false;
    const QueueCounts counts = m_queue->counts();
    m_w.session->dialogs().askChoice(
        m_w.window, tr("The queue is not finished"),
        tr("%1. What is in work is kept and goes on where it was, or is given up with the rest.")
            .arg(countWords(counts)),
        {tr("Go On Next Time"), tr("Give Up the %1 Left").arg(text::number(counts.left()))},
        [this, then = std::move(then)](int choice) {
            m_asking = false;
            if (choice < 0)
                return;
            if (choice == 1)
                m_queue->cancelAll();
            m_leaving = true;
            Q_EMIT notice(tr("Keeping what is in work..."));
            m_queue->stop(then);
        });
    return false;
}

}  // namespace skein::ui
