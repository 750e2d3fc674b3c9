// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "engine/batch/model_names.h"
#include "engine/batch/queue.h"
#include "engine/batch/slurm.h"
#include "ui/queue/queue_rows.h"
#include "ui/ui_error.h"

namespace skein::ui {

class ClusterFollower;

/// What shall happen once nothing of the queue is left.
enum class AfterQueue { Nothing, Quit, Sleep };

/// The window's end of the queue: opens the one that is kept in the user's data folder, gives it work, and tells how it
/// goes on. The engine's queue works and writes on a thread of its own; what has to wait for it is left to a worker.
/// Runs that were sent to a cluster are followed beside it (queue_clusters.cpp); queue_gathering.cpp makes the rows.
/// GUI thread only.
class QueueController : public QObject {
    Q_OBJECT
public:
    /// `folder`: where the queue's file and logs lie; `program`: Skein's command, for clusters.
    QueueController(const QString& folder, const QString& program, QObject* parent);
    ~QueueController() override;

    /// In the user's data folder.
    [[nodiscard]] static QString defaultFolder();
    /// The command beside this program.
    [[nodiscard]] static QString defaultProgram();
    static constexpr int kIntervalMs = 250;

    /// Opens what an earlier session has left, if there is anything. Nothing runs before start().
    void openKept();
    /// At the end of the queue, which is opened when it is not; `start`: the queue goes on with them.
    void add(std::vector<batch::Entry> entries, bool start);
    void start();
    /// The person wants the queue to stand still.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_paused; }
    /// The queue was asked to work in this session.
    [[nodiscard]] bool isStarted() const { return m_started; }
    /// It computes, or would if it did not have to wait for the run of the open project.
    [[nodiscard]] bool isWorking() const;
    /// Something computes right now.
    [[nodiscard]] bool isComputing() const;

    /// Of one in work here `finished` says what becomes of its frames.
    void cancel(const QueueRow& row, batch::Queue::Finished finished = batch::Queue::Finished::Keep);
    /// Of one that is computed here.
    void setRowPaused(const QueueRow& row, bool paused);
    void retry(const QueueRow& row);
    void remove(const QueueRow& row);
    /// Moves entries that are computed here to before `place` of all rows.
    void move(const QList<qint64>& ids, int place);
    void removeOver();

    [[nodiscard]] const std::vector<QueueRow>& rows() const { return m_rows; }
    /// What runs and what has run last, as it was seen last; without its entries, which are rows().
    [[nodiscard]] const batch::QueueSnapshot& seen() const { return m_seen; }
    [[nodiscard]] QueueCounts counts() const { return countRows(m_rows); }
    /// Without what is with clusters, which goes on by itself.
    [[nodiscard]] QueueCounts countsHere() const;
    /// Seconds until nothing is left, as the frames so far say; -1 unknown.
    [[nodiscard]] double secondsLeft() const;
    /// One line for the status bar, and the share done from 0 to 1.
    [[nodiscard]] QString statusLine() const;
    [[nodiscard]] double fraction() const;
    /// Why the queue cannot be used or kept; empty: all is well.
    [[nodiscard]] QString problem() const { return m_problem; }
    /// The file cannot be read: it is put aside, and an empty queue takes its place.
    void startAfresh();
    [[nodiscard]] bool canStartAfresh() const { return m_canStartAfresh; }
    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] QString program() const { return m_program; }
    /// For tests, whose program lies elsewhere.
    void setProgram(const QString& program) { m_program = program; }

    /// The run of the open project: none; one that computes; or one that waits for the queue. They take turns: while a
    /// run waits, the queue finishes what it has in work and then lets it go first.
    enum class ProjectRun { None, Waits, Computes };
    void setProjectRun(ProjectRun run);
    [[nodiscard]] ProjectRun projectRun() const { return m_projectRun; }
    /// False while something of the queue is in work: the run has to wait for mayCompute().
    [[nodiscard]] bool letRunCompute();

    /// Whether a run that began after `since` has written the file, or is about to.
    [[nodiscard]] bool hasWritten(const QString& file, const QDateTime& since) const;

    void setAfter(AfterQueue after) { m_after = after; }
    [[nodiscard]] AfterQueue after() const { return m_after; }

    /// Ends the work so that it goes on at the next start; calls `then` once all is kept. At once when nothing works.
    void stop(std::function<void()> then);
    /// Cancels everything that waits or runs here.
    void cancelAll();

    /// Cuts entries into tasks for a cluster and writes what they need into `folder`; with `submit` they are sent, and
    /// followed from then on. The entries leave the queue then. `then`: what went wrong, or nothing.
    void sendToCluster(const QString& folder, std::vector<batch::Entry> entries, int shards, batch::SlurmPreset preset,
                       bool submit, std::function<void(std::optional<UiError>)> then);

Q_SIGNALS:
    /// Rows, counts, problem() or what is going on.
    void changed();
    /// An earlier session has left entries; once, after openKept().
    void keptFound();
    /// Nothing is left of a queue that has worked.
    void ended(const skein::ui::QueueCounts& counts);
    /// letRunCompute() would say yes now.
    void mayCompute();

private:
    void open(std::function<void()> then);
    void poll();
    void apply();
    void refresh(bool all);
    void gatherRows();
    void nameModels(std::vector<QueueRow>& rows);
    void followKeptClusters();
    void writeClusters() const;
    [[nodiscard]] QString queueFile() const;

    QString m_folder, m_program;
    std::unique_ptr<batch::Queue> m_queue;
    batch::QueueSnapshot m_seen;
    std::vector<batch::Entry> m_entries;
    std::vector<std::unique_ptr<ClusterFollower>> m_clusters;
    QStringList m_lostClusters;  ///< folders of runs that cannot be read now; they stay on the list
    std::vector<QueueRow> m_rows;
    std::map<batch::ModelPaths, std::string> m_modelNames;
    std::vector<std::function<void()>> m_whenOpen;
    bool m_opening = false, m_hasSeen = false, m_started = false, m_paused = false, m_worked = false;
    bool m_canStartAfresh = false;
    bool m_sending = false;  ///< nothing begins here meanwhile, so that nothing is computed twice
    ProjectRun m_projectRun = ProjectRun::None;
    AfterQueue m_after = AfterQueue::Nothing;
    QString m_problem;
    QTimer m_timer;
};

}  // namespace skein::ui
