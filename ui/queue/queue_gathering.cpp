// SPDX-License-Identifier: GPL-3.0-or-later
// The queue and what is with clusters as rows.
#include <algorithm>
#include <set>
#include <utility>

#include "ui/queue/cluster_follower.h"
#include "ui/queue/queue_controller.h"
#include "ui/text.h"

namespace skein::ui {
namespace {

/// A column is narrow: of "may/bottomup" beside "june/bottomup" the folder alone says enough.
std::map<batch::ModelPaths, std::string> namesInTable(std::map<batch::ModelPaths, std::string> names) {
    auto shorter = names;
    std::set<std::string> different;
    for (auto& [paths, name] : shorter) {
        name.erase(std::min(name.size(), name.rfind('/')));
        different.insert(name);
    }
    return different.size() == names.size() ? shorter : names;
}

}  // namespace

void QueueController::gatherRows() {
    // Entries that are as they were keep their copy.
    std::vector<QueueRow> rows;
    rows.reserve(m_entries.size());
    const auto shared = [this](std::size_t place, const batch::Entry& entry) {
        if (place < m_rows.size() && m_rows[place].isHere() && m_rows[place].id == entry.id &&
            entry.state != batch::EntryState::Running && m_rows[place].entry->state == entry.state &&
            m_rows[place].entry->output == entry.output && m_rows[place].entry->paused == entry.paused &&
            m_rows[place].entry->endedAt == entry.endedAt)
            return m_rows[place].entry;
        return std::make_shared<const batch::Entry>(entry);
    };
    for (batch::Entry& entry : m_entries) {
        QueueRow row;
        row.id = entry.id;
        if (entry.id == m_seen.runningId) {
            row.paused = m_seen.isPaused;
            if (const auto& job = m_seen.running.job) {
                entry.framesDone = job->framesDone;
                entry.framesTotal = job->framesTotal;
                entry.instances = job->instances;
                row.framesPerSecond = job->framesPerSecond;
                row.secondsLeft = job->secondsLeft;
            }
            // While frames are being found their number says more.
            const bool counts = m_seen.running.job && m_seen.running.job->framesDone > 0 &&
                                m_seen.running.job->phase == pipeline::JobPhase::Predicting;
            if (!counts)
                row.phase = QString::fromStdString(m_seen.running.phase);
        }
        row.entry = shared(rows.size(), entry);
        rows.push_back(std::move(row));
    }
    for (const auto& cluster : m_clusters) {
        ClusterSnapshot now = cluster->snapshot();
        if (!now.problem.empty())
            m_problem = QString::fromStdString(now.problem);
        for (batch::Entry& entry : now.entries) {
            QueueRow row;
            row.id = entry.id;
            row.cluster = text::fromPath(cluster->folder());
            if (!batch::isOver(entry.state)) {
                row.phase = !now.phase.empty()          ? QString::fromStdString(now.phase)
                            : now.tasksDone < now.tasks ? tr("job %1: %2 of %3 tasks")
                                                              .arg(QString::fromStdString(now.job))
                                                              .arg(now.tasksDone)
                                                              .arg(now.tasks)
                                                        : tr("gathering");
                if (now.phase.empty() && !now.why.empty())
                    row.phase += QStringLiteral(" (%1)").arg(QString::fromStdString(now.why));
            }
            row.entry = std::make_shared<const batch::Entry>(std::move(entry));
            rows.push_back(std::move(row));
        }
    }
    nameModels(rows);
    m_rows = std::move(rows);
}

void QueueController::nameModels(std::vector<QueueRow>& rows) {
    std::set<batch::ModelPaths> models;
    for (const QueueRow& row : rows)
        models.insert(row.entry->settings.models);
    const bool same = std::equal(models.begin(), models.end(), m_modelNames.begin(), m_modelNames.end(),
                                 [](const auto& paths, const auto& named) { return paths == named.first; });
    if (!same)
        m_modelNames = namesInTable(batch::modelNames(models));
    if (models.size() > 1)
        for (QueueRow& row : rows)
            row.model = QString::fromStdString(m_modelNames.at(row.entry->settings.models));
}

}  // namespace skein::ui
