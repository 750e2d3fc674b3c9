// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the queue that is with clusters.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>
#include <algorithm>
#include <utility>

#include "engine/batch/cluster_run.h"
#include "ui/bridge/background.h"
#include "ui/queue/cluster_follower.h"
#include "ui/queue/queue_controller.h"
#include "ui/text.h"

namespace skein::ui {
namespace fs = std::filesystem;
namespace {

const QString kClusterFile = QStringLiteral("/clusters.json");

QStringList keptClusters(const QString& folder) {
    QFile file(folder + kClusterFile);
    QStringList folders;
    if (file.open(QIODevice::ReadOnly))
        for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).array())
            folders << value.toString();
    return folders;
}

}  // namespace

void QueueController::sendToCluster(const QString& folder, std::vector<batch::Entry> entries, int shards,
                                    batch::SlurmPreset preset, bool submit,
                                    std::function<void(std::optional<UiError>)> then) {
    m_sending = submit;
    apply();
    refresh(true);
    // What was begun here since it was chosen stays here.
    const auto begun = [this](const batch::Entry& entry) {
        return std::any_of(m_rows.begin(), m_rows.end(), [&entry](const QueueRow& row) {
            return row.isHere() && row.id == entry.id && row.entry->state != batch::EntryState::Waiting;
        });
    };
    entries.erase(std::remove_if(entries.begin(), entries.end(), begun), entries.end());
    if (entries.empty()) {
        m_sending = false;
        apply();
        return then(UiError{tr("Nothing of it waits any more: it was begun here."), {}});
    }
    std::vector<std::int64_t> ids;
    for (batch::Entry& entry : entries)
        ids.push_back(entry.id);
    using Sent = std::shared_ptr<batch::ClusterRun>;
    const fs::path place = text::toPath(folder);
    inBackground(
        this,
        [place, entries = std::move(entries), shards, preset = std::move(preset), submit,
         program = text::toPath(m_program)]() -> Result<Sent> {
            auto run = batch::ClusterRun::prepare(place, entries, shards, preset, program);
            if (!run)
                return fail(std::move(run.error()));
            if (submit && !run->isOver())
                if (auto sent = run->submit(); !sent) {
                    run->discard();
                    return fail(std::move(sent.error()));
                }
            return std::make_shared<batch::ClusterRun>(std::move(*run));
        },
        [this, place, ids, submit, then = std::move(then)](Result<Sent> sent) {
            m_sending = false;
            if (!sent) {
                apply();
                return then(toUiError(sent.error()));
            }
            if (submit) {
                m_clusters.push_back(std::make_unique<ClusterFollower>(std::move(**sent), place));
                writeClusters();
                for (const std::int64_t id : ids)
                    if (m_queue)
                        m_queue->remove(id);
                m_worked = true;
                m_timer.start();
            }
            apply();
            refresh(true);
            then(std::nullopt);
        });
}

void QueueController::followKeptClusters() {
    struct Kept {
        std::vector<std::pair<fs::path, std::shared_ptr<batch::ClusterRun>>> runs;
        QStringList lost;
    };
    inBackground(
        this,
        [folder = m_folder]() -> Result<Kept> {
            Kept kept;
            for (const QString& place : keptClusters(folder))
                if (auto run = batch::ClusterRun::reopen(text::toPath(place)))
                    kept.runs.emplace_back(text::toPath(place), std::make_shared<batch::ClusterRun>(std::move(*run)));
                else
                    kept.lost << place;  // not mounted now, maybe
            return kept;
        },
        [this](Result<Kept> kept) {
            if (!kept)
                return;
            m_lostClusters = kept->lost;
            if (kept->runs.empty())
                return;
            for (auto& [folder, run] : kept->runs)
                m_clusters.push_back(std::make_unique<ClusterFollower>(std::move(*run), folder));
            m_timer.start();
            refresh(true);
        });
}

void QueueController::writeClusters() const {
    QJsonArray folders = QJsonArray::fromStringList(m_lostClusters);
    for (const auto& cluster : m_clusters)
        folders << text::fromPath(cluster->folder());
    inBackground(
        const_cast<QueueController*>(this),
        [folder = m_folder, folders]() -> Result<bool> {
            QDir().mkpath(folder);
            QSaveFile file(folder + kClusterFile);
            return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(folders).toJson()) >= 0 && file.commit();
        },
        [](const Result<bool>&) {});
}

}  // namespace skein::ui
