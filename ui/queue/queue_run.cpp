// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_run.h"

#include <algorithm>
#include <utility>

#include "ui/dialogs/run_request.h"
#include "ui/queue/queue_controller.h"
#include "ui/text.h"

namespace skein::ui {
namespace {

/// Apart from the numbers of the open project's runs.
constexpr std::uint64_t kFirstNumber = std::uint64_t{1} << 32;

RunState stateOf(const batch::Entry& entry) {
    switch (entry.state) {
        case batch::EntryState::Running:
            return RunState::Running;
        case batch::EntryState::Done:
        case batch::EntryState::Partly:
        case batch::EntryState::Skipped:
            return RunState::Finished;
        case batch::EntryState::Failed:
            return RunState::Failed;
        case batch::EntryState::Waiting:  // it was interrupted
        case batch::EntryState::Cancelled:
            break;
    }
    return RunState::Cancelled;
}

}  // namespace

QueueRun::QueueRun(QueueController* queue, QObject* parent) : QObject(parent), m_queue(queue) {
    connect(queue, &QueueController::changed, this, &QueueRun::look);
}

const QueueRow* QueueRun::rowOf(std::int64_t id) const {
    const auto& rows = m_queue->rows();
    const auto found =
        std::find_if(rows.begin(), rows.end(), [id](const QueueRow& row) { return row.isHere() && row.id == id; });
    return found == rows.end() ? nullptr : &*found;
}

/// Between two looks one run may have ended and another one begun.
void QueueRun::look() {
    const batch::QueueSnapshot& seen = m_queue->seen();
    const QueueRow* ended = seen.lastId != 0 && seen.lastId != seen.runningId ? rowOf(seen.lastId) : nullptr;
    if (ended != nullptr && m_ended != Turn{ended->id, ended->entry->startedAt}) {
        m_ended = {ended->id, ended->entry->startedAt};
        if (seen.last.job)
            Q_EMIT changed(snapshotOf(*ended, seen.last));
    }
    if (const QueueRow* running = seen.runningId != 0 ? rowOf(seen.runningId) : nullptr)
        Q_EMIT changed(snapshotOf(*running, seen.running));
}

RunSnapshot QueueRun::snapshotOf(const QueueRow& row, const pipeline::RunStatus& status) {
    const batch::Entry& entry = *row.entry;
    if (const Turn turn{entry.id, entry.startedAt}; turn != m_current) {
        m_current = turn;
        ++m_runs;
    }
    RunSnapshot run;
    run.info.id = kFirstNumber + m_runs;
    run.info.ofQueue = true;
    run.info.title = rowTitle(row);
    QStringList names, paths;
    for (const auto& model : entry.settings.models) {
        paths << text::fromPath(model);
        names << text::fromPath(model.filename());
    }
    run.info.model = names.join(QStringLiteral(" + "));
    run.info.modelPath = modelKey(paths.value(0), paths.value(1));
    run.info.started = QDateTime::fromString(QString::fromStdString(entry.startedAt), Qt::ISODate);
    run.info.framesTotal = status.job ? status.job->framesTotal : entry.framesTotal;
    run.info.batchSize = entry.settings.inference.batchSize;
    run.info.queueMaxsize = entry.settings.queueMaxsize;
    run.info.groupThreads = entry.settings.groupThreads;
    run.state = stateOf(entry);
    run.paused = row.paused;
    run.progress = status.job;
    return run;
}

}  // namespace skein::ui
