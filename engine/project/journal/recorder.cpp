// SPDX-License-Identifier: BSD-3-Clause
#include "engine/project/journal/recorder.h"

#include <unistd.h>

#include <atomic>
#include <exception>

#include "engine/base/thread_name.h"
#include "engine/project/journal/delta.h"

namespace skein::project::journal {
namespace {

std::int64_t nowMs() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// A name that no other window or process takes.
std::string freshName() {
    static std::atomic<unsigned> counter{0};
    return std::to_string(nowMs()) + "-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

}  // namespace

Recorder::Recorder(std::filesystem::path folder, Header header, Labels base, Options options)
    : m_folder(std::move(folder)),
      m_header(std::move(header)),
      m_base(std::move(base)),
      m_options(options),
      m_written(m_base),
      m_thread([this](const std::stop_token& stop) { work(stop); }) {}

Recorder::~Recorder() {
    m_thread.request_stop();
    m_thread.join();
    if (m_drop && m_file)
        m_file->remove();
}

void Recorder::enqueue(Entry entry, bool urgent) {
    {
        const std::lock_guard lock(m_mutex);
        // Of plain states only the last one counts.
        if (entry.labels && !m_queue.empty() && m_queue.back().labels && !m_queue.back().save)
            m_queue.pop_back();
        m_queue.push_back(std::move(entry));
        m_urgent = m_urgent || urgent;
    }
    m_changed.notify_all();
}

void Recorder::record(Labels now, std::uint64_t edits) {
    enqueue({std::move(now), edits, false, std::nullopt}, false);
}

void Recorder::saveBegins(Labels saved, std::uint64_t edits) {
    enqueue({std::move(saved), edits, true, std::nullopt}, true);
}

void Recorder::fileWillBe(const FileStamp& stamp) {
    enqueue({std::nullopt, 0, false, stamp}, true);
    flush();
}

void Recorder::flush() {
    std::unique_lock lock(m_mutex);
    m_urgent = true;
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return m_queue.empty() && !m_busy; });
    m_urgent = false;
}

void Recorder::drop() {
    {
        const std::lock_guard lock(m_mutex);
        m_drop = true;
        m_queue.clear();
    }
    m_changed.notify_all();
}

std::string Recorder::problem() const {
    const std::lock_guard lock(m_mutex);
    return m_problem;
}

void Recorder::work(const std::stop_token& stop) {
    setThreadName("skein-journal");
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, stop, [this] { return !m_queue.empty(); });
        if (m_queue.empty())
            return;  // stopped, and nothing waits
        m_changed.wait_for(lock, stop, m_options.gather, [this] { return m_urgent; });
        std::deque<Entry> entries = std::exchange(m_queue, {});
        m_urgent = false;
        m_busy = true;
        lock.unlock();
        std::string problem;
        for (const Entry& entry : entries) {
            try {
                if (auto written = write(entry); !written)
                    problem = written.error().message();
            } catch (const std::exception&) {
                problem = "There is not enough memory to keep unsaved work safe.";
            }
        }
        // Old chunks go here and not on the caller's thread.
        entries.clear();
        lock.lock();
        m_busy = false;
        m_problem = std::move(problem);
        m_changed.notify_all();
    }
}

Result<void> Recorder::write(const Entry& entry) {
    if (!m_file) {
        auto made = JournalFile::create(m_folder / (freshName() + ".journal"), m_header);
        if (!made)
            return fail(std::move(made.error()));
        m_file.emplace(std::move(*made));
        m_afterShrink = m_file->size();
    }
    if (entry.stamp) {
        m_hasBases = true;
        return m_file->append(BaseRecord{*entry.stamp, m_savedDeltas});
    }
    if (!m_hasBases && m_file->size() > m_options.largest && m_file->size() > 4 * m_afterShrink)
        return shrink(entry);
    if (!entry.labels->isUnchangedCopyOf(m_written)) {
        if (auto written = m_file->append(DeltaRecord{entry.edits, nowMs(), encodeDelta(m_written, *entry.labels)});
            !written)
            return written;
        m_written = *entry.labels;
        ++m_deltas;
    }
    if (entry.save)
        m_savedDeltas = m_deltas;
    return {};
}

/// One delta from the base says the same as all there were.
Result<void> Recorder::shrink(const Entry& entry) {
    auto fresh = JournalFile::create(m_folder / (freshName() + ".new"), m_header);
    if (!fresh)
        return fail(std::move(fresh.error()));
    auto written = fresh->append(DeltaRecord{entry.edits, nowMs(), encodeDelta(m_base, *entry.labels)});
    if (written)
        written = fresh->replace(*m_file);
    if (!written) {
        fresh->remove();
        return written;
    }
    m_file.emplace(std::move(*fresh));
    m_afterShrink = m_file->size();
    m_written = *entry.labels;
    m_deltas = 1;
    m_savedDeltas = entry.save ? 1 : 0;
    return {};
}

}  // namespace skein::project::journal
