// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_rows.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "engine/pipeline/checkpoint.h"
#include "ui/run_text.h"

namespace skein::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("QueueRows", text);
}

/// What was done of a row that was cancelled, and the file that keeps it; empty where nothing was kept.
QString keptWords(const QueueRow& row) {
    const batch::Entry& entry = *row.entry;
    if (entry.state != batch::EntryState::Cancelled || entry.framesDone <= 0 || !row.isHere())
        return {};
    return tr("%1 finished before were kept in the result. Retry goes on after them, by the file %2 beside it, which "
              "goes away when the run is done; to leave it at that, delete the file.")
        .arg(text::frames(entry.framesDone), text::fromPath(pipeline::checkpointPath(entry.output).filename()));
}

}  // namespace

QueueCounts countRows(const std::vector<QueueRow>& rows) {
    QueueCounts counts;
    counts.total = static_cast<int>(rows.size());
    for (const QueueRow& row : rows)
        switch (row.entry->state) {
            case batch::EntryState::Waiting:
                ++counts.waiting;
                break;
            case batch::EntryState::Running:
                ++counts.running;
                break;
            case batch::EntryState::Done:
            case batch::EntryState::Skipped:
                ++counts.done;
                break;
            case batch::EntryState::Partly:
            case batch::EntryState::Failed:
                ++counts.failed;
                break;
            case batch::EntryState::Cancelled:
                ++counts.cancelled;
                break;
        }
    return counts;
}

QString rowTitle(const QueueRow& row) {
    const QString name = text::fromPath(row.entry->data.filename());
    return row.entry->more.empty() ? name : tr("%1 and %2 more").arg(name).arg(row.entry->more.size());
}

QString stateWords(const QueueRow& row) {
    switch (row.entry->state) {
        case batch::EntryState::Waiting:
            return !row.isHere()            ? tr("Cluster: waits")
                   : row.entry->paused      ? tr("Paused")
                   : row.entry->interrupted ? tr("Interrupted")
                                            : tr("Waiting");
        case batch::EntryState::Running:
            if (!row.isHere())
                return tr("Cluster: runs");
            return row.paused ? tr("Paused") : tr("Running");
        case batch::EntryState::Done:
            return tr("Done");
        case batch::EntryState::Partly:
            return tr("Partly done");
        case batch::EntryState::Failed:
            return tr("Failed");
        case batch::EntryState::Skipped:
            return tr("Skipped");
        case batch::EntryState::Cancelled:
            return tr("Cancelled");
    }
    return {};
}

QString countWords(const QueueCounts& counts) {
    if (counts.total == 0)
        return {};
    QStringList parts{tr("%1 of %2 done").arg(text::number(counts.done), text::number(counts.total))};
    if (counts.failed > 0)
        parts << tr("%1 with problems").arg(text::number(counts.failed));
    if (counts.cancelled > 0)
        parts << tr("%1 cancelled").arg(text::number(counts.cancelled));
    if (counts.left() > 0)
        parts << tr("%1 left").arg(text::number(counts.left()));
    return parts.join(QStringLiteral(", "));
}

QString rowRemarks(const QueueRow& row) {
    QStringList sentences;
    if (!row.entry->reason.empty())
        sentences << QString::fromStdString(row.entry->reason);
    if (const QString kept = keptWords(row); !kept.isEmpty())
        sentences << kept;
    for (const std::string& note : row.entry->notes)
        sentences << QString::fromStdString(note);
    return sentences.isEmpty() ? QString() : tr("%1: %2").arg(rowTitle(row), sentences.join(QLatin1Char(' ')));
}

QString rowDetails(const QueueRow& row) {
    const batch::Entry& entry = *row.entry;
    QStringList lines{text::tidyPath(text::fromPath(entry.data))};
    if (!entry.more.empty())
        lines << tr("and %1 more")
                     .arg(text::count(static_cast<std::int64_t>(entry.more.size()), tr("video"), tr("videos")));
    QStringList models;
    for (const auto& model : entry.settings.models)
        models << text::tidyPath(text::fromPath(model));
    lines << tr("Model: %1").arg(models.join(QStringLiteral(" + ")));
    lines << tr("Result: %1").arg(text::tidyPath(text::fromPath(entry.output)));
    if (!entry.reason.empty())
        lines << QString::fromStdString(entry.reason);
    if (const QString kept = keptWords(row); !kept.isEmpty())
        lines << kept;
    for (const std::string& note : entry.notes)
        lines << QString::fromStdString(note);
    return lines.join(QLatin1Char('\n'));
}

double rowFraction(const QueueRow& row) {
    if (batch::isDone(row.entry->state))
        return 1;
    if (row.entry->framesTotal <= 0)
        return row.entry->state == batch::EntryState::Running ? -1 : 0;
    // A full bar means that all is done; tracking and saving come after the last frame.
    return std::min(0.99, static_cast<double>(row.entry->framesDone) / static_cast<double>(row.entry->framesTotal));
}

double rowRate(const QueueRow& row) {
    if (row.entry->state == batch::EntryState::Running)
        return row.framesPerSecond;
    return batch::meanRate(*row.entry);
}

}  // namespace skein::ui
