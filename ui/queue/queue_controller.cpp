// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_controller.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QStandardPaths>
#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "engine/batch/entry_list.h"
#include "ui/bridge/background.h"
#include "ui/queue/cluster_follower.h"
#include "ui/run_text.h"

namespace skein::ui {
namespace fs = std::filesystem;
namespace {

constexpr int kRetryMs = 5000;

using OpenQueue = std::shared_ptr<std::unique_ptr<batch::Queue>>;

Result<OpenQueue> openQueue(const QString& file) {
    std::error_code ec;
    fs::create_directories(text::toPath(file).parent_path(), ec);
    auto queue = batch::Queue::open(text::toPath(file));
    if (!queue)
        return fail(std::move(queue.error()));
    return std::make_shared<std::unique_ptr<batch::Queue>>(std::move(*queue));
}

}  // namespace

QueueController::QueueController(const QString& folder, const QString& program, QObject* parent)
    : QObject(parent), m_folder(folder), m_program(program) {
    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &QueueController::poll);
}

QueueController::~QueueController() = default;

QString QueueController::defaultFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/skein/queue");
}

QString QueueController::defaultProgram() {
    return QCoreApplication::applicationDirPath() + QStringLiteral("/skein");
}

QString QueueController::queueFile() const {
    return m_folder + QStringLiteral("/skein-queue.json");
}

void QueueController::openKept() {
    followKeptClusters();
    inBackground(
        this, [file = queueFile()]() -> Result<bool> { return QFile::exists(file); },
        [this](const Result<bool>& exists) {
            if (exists && *exists)
                open([this] {
                    if (countsHere().left() > 0 && !m_started)
                        Q_EMIT keptFound();
                });
        });
}

void QueueController::open(std::function<void()> then) {
    if (m_queue)
        return then();
    m_whenOpen.push_back(std::move(then));
    if (std::exchange(m_opening, true))
        return;
    inBackground(
        this, [file = queueFile()] { return openQueue(file); },
        [this](Result<OpenQueue> queue) {
            m_opening = false;
            m_canStartAfresh = !queue && queue.error().code() != ErrorCode::Io;
            m_problem = queue ? QString() : QString::fromStdString(queue.error().describe());
            if (!queue) {
                // Who has it may let it go.
                if (!m_canStartAfresh)
                    QTimer::singleShot(kRetryMs, this, [this] {
                        if (!m_queue && !m_whenOpen.empty())
                            open([] {});
                    });
                return Q_EMIT changed();
            }
            m_queue = std::move(**queue);
            m_hasSeen = false;
            apply();
            refresh(true);
            for (const auto& next : std::exchange(m_whenOpen, {}))
                next();
        });
}

/// Another one of the same name is not overwritten.
void QueueController::startAfresh() {
    inBackground(
        this,
        [file = queueFile()]() -> Result<bool> {
            std::error_code ec;
            const fs::path damaged = text::toPath(file).parent_path() / "skein-queue.damaged.json";
            fs::rename(text::toPath(file), fs::exists(damaged, ec) ? batch::numbered(damaged) : damaged, ec);
            if (ec)
                return fail(ErrorCode::Io,
                            "The file " + file.toStdString() + " cannot be moved: " + ec.message() + ".");
            return true;
        },
        [this](const Result<bool>& moved) {
            if (moved)
                return open([] {});
            m_problem = QString::fromStdString(moved.error().message());
            Q_EMIT changed();
        });
}

void QueueController::add(std::vector<batch::Entry> entries, bool start) {
    open([this, entries = std::move(entries), start] {
        for (const batch::Entry& entry : entries)
            m_queue->add(entry);
        if (start)
            this->start();
        refresh(true);
    });
}

void QueueController::start() {
    m_started = true;
    m_paused = false;
    open([this] {
        apply();
        m_timer.start();
        refresh(true);
        m_worked = isWorking();
    });
}

void QueueController::setPaused(bool paused) {
    m_paused = paused;
    apply();
    refresh(true);
}

/// What the person wants and what the run of the open project leaves room for.
void QueueController::apply() {
    if (!m_queue)
        return;
    // After its end it waits to be started again, whatever is added.
    m_queue->setHeld(m_projectRun != ProjectRun::None || m_sending || !m_started);
    m_queue->setPaused(m_paused || m_projectRun == ProjectRun::Computes);
    if (m_started)
        m_queue->start();
}

bool QueueController::isComputing() const {
    return m_queue && m_seen.runningId != 0 && !m_seen.isPaused;
}

bool QueueController::isWorking() const {
    return m_queue && m_started && !m_paused && std::any_of(m_rows.begin(), m_rows.end(), [](const QueueRow& row) {
               return row.isHere() && !batch::isOver(row.entry->state) && !row.entry->paused;
           });
}

void QueueController::setProjectRun(ProjectRun run) {
    if (std::exchange(m_projectRun, run) == run)
        return;
    apply();
    refresh(true);
}

bool QueueController::letRunCompute() {
    if (!m_queue)
        return true;
    m_projectRun = ProjectRun::Waits;
    apply();
    // From here on nothing new begins.
    return m_queue->glance().runningId == 0 || m_paused;
}

void QueueController::cancel(const QueueRow& row, batch::Queue::Finished finished) {
    if (row.isHere()) {
        if (m_queue)
            m_queue->cancel(row.id, finished);
    } else {
        for (const auto& cluster : m_clusters)
            if (text::fromPath(cluster->folder()) == row.cluster)
                cluster->cancel();
    }
    refresh(true);
}

void QueueController::cancelAll() {
    for (const QueueRow& row : m_rows)
        if (row.isHere() && !batch::isOver(row.entry->state) && m_queue)
            m_queue->cancel(row.id);
    refresh(true);
}

void QueueController::setRowPaused(const QueueRow& row, bool paused) {
    if (m_queue && row.isHere())
        m_queue->setEntryPaused(row.id, paused);
    refresh(true);
}

void QueueController::retry(const QueueRow& row) {
    if (row.isHere()) {
        if (m_queue)
            m_queue->retry(row.id);
    } else {
        // What a cluster did not finish is computed here, unless it is sent again.
        batch::Entry entry = *row.entry;
        if (batch::ownsOutput(entry))
            entry.existing = batch::ExistingOutput::Overwrite;
        entry.state = batch::EntryState::Waiting;
        entry.reason.clear();
        add({std::move(entry)}, false);
    }
    refresh(true);
}

void QueueController::remove(const QueueRow& row) {
    if (row.isHere()) {
        if (m_queue)
            m_queue->remove(row.id);
    } else {
        const auto gone = std::remove_if(m_clusters.begin(), m_clusters.end(), [&row](const auto& cluster) {
            return text::fromPath(cluster->folder()) == row.cluster && cluster->snapshot().isOver;
        });
        m_clusters.erase(gone, m_clusters.end());
        writeClusters();
    }
    refresh(true);
}

void QueueController::removeOver() {
    for (const QueueRow& row : std::vector<QueueRow>(m_rows))
        if (batch::isOver(row.entry->state))
            remove(row);
}

void QueueController::move(const QList<qint64>& ids, int place) {
    if (!m_queue)
        return;
    // What is moved leaves its place first: counted among the others, the target keeps its neighbours.
    int target = 0;
    for (int i = 0; i < std::min(place, static_cast<int>(m_entries.size())); ++i)
        target += ids.contains(m_rows[static_cast<std::size_t>(i)].id) ? 0 : 1;
    const int last = static_cast<int>(m_entries.size()) - 1;
    for (const qint64 id : ids)
        m_queue->move(id, static_cast<std::size_t>(last));
    for (const qint64 id : ids)
        m_queue->move(id, static_cast<std::size_t>(target++));
    refresh(true);
}

QueueCounts QueueController::countsHere() const {
    std::vector<QueueRow> here;
    std::copy_if(m_rows.begin(), m_rows.end(), std::back_inserter(here),
                 [](const QueueRow& row) { return row.isHere(); });
    return countRows(here);
}

double QueueController::secondsLeft() const {
    double left = 0, known = 0, rate = 0;
    int counted = 0, unknown = 0;
    for (const QueueRow& row : m_rows) {
        if (!row.isHere())
            continue;
        const auto frames = static_cast<double>(row.entry->framesTotal);
        known += frames;
        counted += frames > 0 ? 1 : 0;
        if (batch::isOver(row.entry->state) || row.entry->paused)
            continue;
        unknown += frames > 0 ? 0 : 1;
        left += frames > 0 ? frames - static_cast<double>(row.entry->framesDone) : 0;
        if (row.entry->state == batch::EntryState::Running)
            rate = row.framesPerSecond;
    }
    // Videos that nobody has looked into are taken to be as long as the others are.
    return rate > 0 && counted > 0 ? (left + unknown * known / counted) / rate : -1;
}

QString QueueController::statusLine() const {
    const QueueCounts now = counts();
    QStringList parts{tr("Queue: %1 of %2").arg(now.total - now.left()).arg(now.total)};
    for (const QueueRow& row : m_rows)
        if (row.isHere() && row.entry->state == batch::EntryState::Running) {
            parts << text::fromPath(row.entry->data.filename());
            if (row.framesPerSecond > 0)
                parts << text::rate(row.framesPerSecond);
        }
    return parts.join(QStringLiteral(" · "));
}

double QueueController::fraction() const {
    double done = 0;
    for (const QueueRow& row : m_rows)
        done += batch::isOver(row.entry->state) ? 1 : std::max(0.0, rowFraction(row));
    return m_rows.empty() ? 0 : std::min(0.99, done / static_cast<double>(m_rows.size()));
}

bool QueueController::hasWritten(const QString& file, const QDateTime& since) const {
    const fs::path path = text::toPath(file);
    return std::any_of(m_rows.begin(), m_rows.end(), [&](const QueueRow& row) {
        const batch::Entry& entry = *row.entry;
        return entry.output == path && (entry.state == batch::EntryState::Running || batch::ownsOutput(entry)) &&
               // It is known to the second.
               QDateTime::fromString(QString::fromStdString(entry.startedAt), Qt::ISODate).toSecsSinceEpoch() >=
                   since.toSecsSinceEpoch();
    });
}

void QueueController::poll() {
    refresh(false);
    if (m_projectRun == ProjectRun::Waits && (m_seen.runningId == 0 || m_paused))
        Q_EMIT mayCompute();
    if (isWorking())
        m_worked = true;
    const QueueCounts now = counts();
    if (m_worked && now.left() == 0) {
        m_worked = false;
        m_started = false;
        apply();
        Q_EMIT ended(now);
    }
}

void QueueController::refresh(bool all) {
    bool isNew = all;
    if (m_queue) {
        batch::QueueSnapshot now = m_queue->glance();
        if (all || !m_hasSeen || now.version != m_seen.version) {
            now = m_queue->snapshot();
            m_entries = std::exchange(now.entries, {});
            m_hasSeen = isNew = true;
        }
        isNew = isNew || now.runningId != 0 || now.problem != m_seen.problem;
        m_seen = std::move(now);
        m_problem = QString::fromStdString(m_seen.problem);
    }
    if (isNew || !m_clusters.empty()) {
        gatherRows();
        Q_EMIT changed();
    }
}

void QueueController::stop(std::function<void()> then) {
    m_timer.stop();
    if (!m_queue)
        return then();
    const std::shared_ptr<batch::Queue> queue(std::move(m_queue));
    // Keeping what is in work takes as long as the batch on the device.
    inBackground(
        this,
        [queue]() -> Result<bool> {
            queue->stop();
            return true;
        },
        [then = std::move(then)](const Result<bool>&) { then(); });
}

}  // namespace skein::ui
