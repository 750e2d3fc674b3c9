// SPDX-License-Identifier: BSD-3-Clause
#include "engine/batch/queue.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/local_time.h"
#include "engine/base/thread_name.h"
#include "engine/batch/entry_run.h"
#include "engine/batch/queue_file.h"

namespace skein::batch {
namespace fs = std::filesystem;
namespace {

/// Holds a file that only one process can hold; the system lets go of it when the process ends, however it ends.
class Lock {
public:
    [[nodiscard]] static Result<Lock> take(const fs::path& queue) {
        const std::string path = queue.string() + ".lock";
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (file < 0)
            return fail(ErrorCode::Io, "The folder of " + queue.string() + " is not there or not writable.");
        Lock lock(file);
        if (::flock(file, LOCK_EX | LOCK_NB) != 0)
            return fail(ErrorCode::Io, "Another run of Skein works on " + queue.string() + "; wait for it or end it.");
        return lock;
    }
    Lock(Lock&& other) noexcept : m_file(std::exchange(other.m_file, -1)) {}
    Lock& operator=(Lock&& other) noexcept {
        std::swap(m_file, other.m_file);
        return *this;
    }
    ~Lock() {
        if (m_file >= 0)
            ::close(m_file);
    }

private:
    explicit Lock(int file) : m_file(file) {}
    int m_file;
};

}  // namespace

struct Queue::Impl {
    Impl(fs::path f, QueueParts p, Lock l)
        : file(std::move(f)),
          parts(std::move(p)),
          lock(std::move(l)),
          cache(parts.modelsKept, parts.loadRunner ? parts.loadRunner : pipeline::loadWithBackend) {}

    const fs::path file;
    const QueueParts parts;
    Lock lock;
    ModelCache cache;

    mutable std::mutex mutex;  // guards what follows
    std::condition_variable_any changed;
    std::vector<Entry> entries;
    std::int64_t nextId = 1;
    std::int64_t runningId = 0;
    pipeline::RunStatus running;
    std::int64_t lastId = 0;
    pipeline::RunStatus last;
    bool isCancelled = false;  // the running entry
    bool isDiscarded = false;  // and nothing of it stays
    bool isLeft = false;       // it is paused by itself: the next one takes its place
    bool isPaused = false;
    bool isHeld = false;
    bool isStarted = false;
    bool isStopping = false;
    bool isDirty = false;  // the file is behind
    std::uint64_t version = 0;
    std::string problem;
    std::stop_source opening;  // of the running entry's data
    std::jthread thread;       // joined before anything above goes

    static bool canBegin(const Entry& entry) { return entry.state == EntryState::Waiting && !entry.paused; }
    Entry* find(std::int64_t id) {
        const auto found =
            std::find_if(entries.begin(), entries.end(), [id](const Entry& entry) { return entry.id == id; });
        return found == entries.end() ? nullptr : &*found;
    }
    [[nodiscard]] bool isIdle() const {
        return runningId == 0 && std::none_of(entries.begin(), entries.end(), canBegin);
    }
    /// With the mutex held: all but the entries.
    [[nodiscard]] QueueSnapshot picture() const {
        QueueSnapshot snapshot;
        snapshot.runningId = runningId;
        snapshot.running = running;
        snapshot.lastId = lastId;
        snapshot.last = last;
        snapshot.isPaused = isPaused;
        snapshot.isStarted = isStarted;
        snapshot.version = version;
        snapshot.problem = problem;
        return snapshot;
    }
    /// With the mutex held.
    void note() {
        ++version;
        isDirty = true;
        changed.notify_all();
    }

    /// On the queue's thread.
    void save() {
        std::vector<Entry> copy;
        {
            const std::lock_guard guard(mutex);
            if (!std::exchange(isDirty, false))
                return;
            copy = entries;
        }
        const auto written = writeQueue(file, copy);
        const std::lock_guard guard(mutex);
        problem = written ? std::string() : written.error().describe();
        changed.notify_all();
    }

    void work() {
        setThreadName("skein-queue");
        for (;;) {
            save();
            Entry entry;
            {
                std::unique_lock guard(mutex);
                changed.wait(guard, [this] { return isStopping || isDirty || (next() != nullptr); });
                if (isDirty)
                    continue;
                if (isStopping)
                    return;
                Entry* chosen = next();
                // Before it counts as running: from then on a file of that name is its own.
                if (settleExisting(*chosen)) {
                    chosen->startedAt = chosen->endedAt = localTime();
                    note();
                    continue;
                }
                chosen->state = EntryState::Running;
                chosen->startedAt = localTime();
                chosen->endedAt.clear();
                if (chosen->log.empty())
                    chosen->log = file.parent_path() / "logs" / (chosen->output.filename().string() + ".log");
                runningId = chosen->id;
                running = {"Opening the data", nullptr};
                isCancelled = isDiscarded = isLeft = false;
                opening = std::stop_source();
                note();
                entry = *chosen;
            }
            save();
            runEntry(
                entry, parts,
                [this](const pipeline::JobSpec& spec, profile::Profiler& profiler) {
                    return cache.lend(spec, profiler);
                },
                [this](const pipeline::RunStatus& status) { return observe(status); }, opening.get_token());
            if (entry.state == EntryState::Cancelled && isToBeDiscarded())
                removePart(entry);
            finish(std::move(entry));
        }
    }

    /// With the mutex held: what would run now; null: nothing.
    Entry* next() {
        if (!isStarted || isPaused || isHeld || isStopping)
            return nullptr;
        const auto found = std::find_if(entries.begin(), entries.end(), canBegin);
        return found == entries.end() ? nullptr : &*found;
    }

    pipeline::RunWish observe(const pipeline::RunStatus& status) {
        save();
        const std::lock_guard guard(mutex);
        running = status;
        if (isDiscarded)
            return pipeline::RunWish::Discard;
        if (isCancelled || isStopping || isLeft)
            return pipeline::RunWish::Cancel;
        return isPaused ? pipeline::RunWish::Pause : pipeline::RunWish::GoOn;
    }

    bool isToBeDiscarded() {
        const std::lock_guard guard(mutex);
        return isDiscarded;
    }

    void finish(Entry entry) {
        const std::lock_guard guard(mutex);
        // Stopped, not given up: it goes on next time.
        if ((isStopping || isLeft) && !isCancelled && entry.state == EntryState::Cancelled) {
            entry.state = EntryState::Waiting;
            entry.resume = true;
            entry.paused = isLeft;
        }
        if (isOver(entry.state)) {
            entry.endedAt = localTime();
            entry.interrupted = false;
        }
        if (Entry* kept = find(entry.id))
            *kept = std::move(entry);
        lastId = std::exchange(runningId, 0);
        last = std::exchange(running, {});
        note();
    }
};

Queue::Queue() = default;

Result<std::unique_ptr<Queue>> Queue::open(const fs::path& file, QueueParts parts) {
    std::error_code ec;
    const fs::path absolute = fs::absolute(file, ec);
    auto lock = Lock::take(absolute);
    if (!lock)
        return fail(std::move(lock.error()));
    std::vector<Entry> entries;
    if (fs::exists(absolute, ec)) {
        auto read = readQueue(absolute);
        if (!read)
            return fail(std::move(read.error()));
        entries = std::move(*read);
    }
    std::unique_ptr<Queue> queue(new Queue);
    queue->m_impl = std::make_unique<Impl>(absolute, std::move(parts), std::move(*lock));
    Impl& impl = *queue->m_impl;
    for (Entry& entry : entries) {
        // Whoever ran it is gone.
        if (entry.state == EntryState::Running) {
            entry.state = EntryState::Waiting;
            entry.resume = entry.interrupted = true;
        }
        impl.nextId = std::max(impl.nextId, entry.id + 1);
    }
    for (Entry& entry : entries)
        if (entry.id <= 0)
            entry.id = impl.nextId++;
    impl.entries = std::move(entries);
    impl.thread = std::jthread([&impl] { impl.work(); });
    return queue;
}

Queue::~Queue() {
    if (m_impl)
        stop();
}

std::int64_t Queue::add(Entry entry) {
    const std::lock_guard guard(m_impl->mutex);
    entry.id = m_impl->nextId++;
    m_impl->entries.push_back(std::move(entry));
    m_impl->note();
    return m_impl->entries.back().id;
}

bool Queue::remove(std::int64_t id) {
    const std::lock_guard guard(m_impl->mutex);
    const Entry* entry = m_impl->find(id);
    if (entry == nullptr || entry->state == EntryState::Running)
        return false;
    m_impl->entries.erase(m_impl->entries.begin() + (entry - m_impl->entries.data()));
    m_impl->note();
    return true;
}

bool Queue::move(std::int64_t id, std::size_t place) {
    const std::lock_guard guard(m_impl->mutex);
    std::vector<Entry>& entries = m_impl->entries;
    const Entry* entry = m_impl->find(id);
    if (entry == nullptr)
        return false;
    const auto from = entries.begin() + (entry - entries.data());
    const auto to = entries.begin() + static_cast<std::ptrdiff_t>(std::min(place, entries.size() - 1));
    if (from < to)
        std::rotate(from, from + 1, to + 1);
    else
        std::rotate(to, from, from + 1);
    m_impl->note();
    return true;
}

bool Queue::retry(std::int64_t id) {
    const std::lock_guard guard(m_impl->mutex);
    Entry* entry = m_impl->find(id);
    if (entry == nullptr || !isOver(entry->state))
        return false;
    if (ownsOutput(*entry))
        entry->existing = ExistingOutput::Overwrite;
    entry->state = EntryState::Waiting;
    entry->reason.clear();
    entry->resume = true;
    m_impl->note();
    return true;
}

bool Queue::cancel(std::int64_t id, Finished finished) {
    const std::lock_guard guard(m_impl->mutex);
    Entry* entry = m_impl->find(id);
    if (entry == nullptr || isOver(entry->state))
        return false;
    if (entry->state == EntryState::Running) {
        m_impl->isCancelled = true;
        m_impl->isDiscarded = finished == Finished::Discard;
        m_impl->opening.request_stop();
    } else {
        entry->state = EntryState::Cancelled;
        entry->paused = false;
        entry->endedAt = localTime();
        m_impl->note();
    }
    return true;
}

bool Queue::setEntryPaused(std::int64_t id, bool paused) {
    const std::lock_guard guard(m_impl->mutex);
    Entry* entry = m_impl->find(id);
    if (entry == nullptr || isOver(entry->state))
        return false;
    if (entry->state == EntryState::Running) {
        // Once it stops there is no way back but to begin it again, which finish() leaves to the person.
        m_impl->isLeft = m_impl->isLeft || paused;
        if (paused)
            m_impl->opening.request_stop();
    } else {
        entry->paused = paused;
    }
    m_impl->note();
    return true;
}

void Queue::start() {
    const std::lock_guard guard(m_impl->mutex);
    m_impl->isStarted = true;
    m_impl->changed.notify_all();
}

void Queue::setPaused(bool paused) {
    const std::lock_guard guard(m_impl->mutex);
    m_impl->isPaused = paused;
    m_impl->changed.notify_all();
}

void Queue::setHeld(bool held) {
    const std::lock_guard guard(m_impl->mutex);
    m_impl->isHeld = held;
    m_impl->changed.notify_all();
}

void Queue::stop() {
    {
        const std::lock_guard guard(m_impl->mutex);
        m_impl->isStopping = true;
        m_impl->opening.request_stop();
        m_impl->changed.notify_all();
    }
    if (m_impl->thread.joinable())
        m_impl->thread.join();
}

void Queue::wait() {
    while (!waitFor(std::chrono::hours(1))) {
    }
}

bool Queue::waitFor(std::chrono::milliseconds time) {
    Impl& impl = *m_impl;
    std::unique_lock guard(impl.mutex);
    return impl.changed.wait_for(
        guard, time, [&] { return !impl.isStarted || impl.isStopping || (impl.isIdle() && !impl.isDirty); });
}

QueueSnapshot Queue::glance() const {
    const std::lock_guard guard(m_impl->mutex);
    return m_impl->picture();
}

QueueSnapshot Queue::snapshot() const {
    const Impl& impl = *m_impl;
    const std::lock_guard guard(impl.mutex);
    QueueSnapshot snapshot = impl.picture();
    snapshot.entries = impl.entries;
    if (impl.running.job)
        for (Entry& entry : snapshot.entries)
            if (entry.id == impl.runningId) {
                entry.framesDone = impl.running.job->framesDone;
                entry.framesTotal = impl.running.job->framesTotal;
                entry.instances = impl.running.job->instances;
            }
    return snapshot;
}

}  // namespace skein::batch
