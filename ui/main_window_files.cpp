// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/exchange.h"
#include "ui/files/project_tools.h"
#include "ui/main_window.h"
#include "ui/queue/queue_side.h"
#include "ui/recovery/project_safety.h"
#include "ui/tracks/proofreading.h"
#include "ui/widgets/job_bar.h"

namespace skein::ui {

void MainWindow::connectFiles() {
    m_tools = new ProjectTools(m_document, m_session, m_settings.get(), m_messages, this);
    m_safety = new ProjectSafety(m_document, m_session, m_settings.get(), m_messages, m_empty, this);
    m_safety->merge = [this](const QString& path, std::function<void()> then) {
        m_tools->merge(path, std::move(then));
    };
    m_safety->isOfQueue = [queue = m_queue->queue()](const QString& path, const QDateTime& since) {
        return queue->hasWritten(path, since);
    };
    ActionTable& a = *m_actions;
    a.on("fileReplaceVideos", [this] { m_tools->findVideos(); });
    a.on("fileMerge", [this] { m_tools->chooseAndMerge(); });

    auto* jobs = new FileJobs(m_jobBar, this);
    connect(jobs, &FileJobs::busyChanged, this, &MainWindow::scheduleUpdate);
    const auto trackInks = [this] {
        std::vector<int> inks(m_document->labels().tracks().size());
        for (std::size_t track = 0; track < inks.size(); ++track)
            inks[track] = m_proofreading->state().inkOf(static_cast<int>(track));
        return inks;
    };
    auto* exchange = new Exchange(
        {m_document, m_view, m_session, m_settings.get(), m_messages, jobs, this,
         [this](const QString& word) { m_status->notice(word); }, [this] { return firstFrameNumber(); }, trackInks},
        this);
    exchange->connectActions(a);
    connect(m_session, &Session::importWanted, exchange, &Exchange::importPaths);
}

}  // namespace skein::ui
