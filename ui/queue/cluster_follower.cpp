// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/cluster_follower.h"

#include <chrono>
#include <exception>
#include <utility>

#include "engine/base/thread_name.h"

namespace skein::ui {
namespace {

/// Between two questions to the controller, which all of the cluster's people ask.
constexpr std::chrono::seconds kPoll{3};

}  // namespace

ClusterFollower::ClusterFollower(batch::ClusterRun run, std::filesystem::path folder)
    : m_folder(std::move(folder)), m_run(std::move(run)) {
    publish({});
    m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

ClusterFollower::~ClusterFollower() {
    m_thread.request_stop();
}

void ClusterFollower::cancel() {
    const std::lock_guard guard(m_mutex);
    m_cancelWanted = true;
    m_changed.notify_all();
}

ClusterSnapshot ClusterFollower::snapshot() const {
    const std::lock_guard guard(m_mutex);
    return m_seen;
}

void ClusterFollower::publish(const std::string& phase) {
    ClusterSnapshot now;
    now.entries = m_run.entries();
    now.job = m_run.job();
    now.phase = phase;
    now.isOver = m_run.isOver();
    for (const batch::ClusterTask& task : m_run.tasks()) {
        ++now.tasks;
        now.tasksDone += task.state == "done" ? 1 : 0;
        if (task.state == "waiting" && now.why.empty())
            now.why = task.reason;
    }
    const std::lock_guard guard(m_mutex);
    now.version = m_seen.version + 1;
    now.problem = std::move(m_seen.problem);
    m_seen = std::move(now);
}

void ClusterFollower::work(const std::stop_token& stop) {
    setThreadName("skein-cluster");
    const auto say = [this](const std::string& problem) {
        const std::lock_guard guard(m_mutex);
        m_seen.problem = problem;
        ++m_seen.version;
    };
    while (!stop.stop_requested() && !m_run.isOver()) {
        try {
            bool cancel = false;
            {
                const std::lock_guard guard(m_mutex);
                cancel = std::exchange(m_cancelWanted, false);
            }
            if (cancel)
                if (auto ended = m_run.cancel(); !ended)
                    say(ended.error().describe());
            // A controller that is restarted does not answer for a while; the tasks go on meanwhile.
            const auto looked = m_run.poll();
            say(looked ? std::string() : looked.error().describe());
            publish({});
            m_run.gather({}, [&](const pipeline::RunStatus& status) {
                const std::lock_guard guard(m_mutex);
                m_seen.phase = status.phase;
                ++m_seen.version;
                return stop.stop_requested() ? pipeline::RunWish::Cancel : pipeline::RunWish::GoOn;
            });
            publish({});
        } catch (const std::exception& e) {
            say(std::string("An internal error occurred: ") + e.what());
        }
        std::unique_lock guard(m_mutex);
        m_changed.wait_for(guard, stop, kPoll, [this] { return m_cancelWanted; });
    }
}

}  // namespace skein::ui
