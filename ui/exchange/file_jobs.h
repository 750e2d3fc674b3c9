// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <functional>
#include <stop_token>
#include <utility>

#include "ui/bridge/background.h"
#include "ui/bridge/throttled.h"
#include "ui/widgets/job_bar.h"

namespace skein::ui {

/// Files that are written or read while a person waits for them: one after the other, shown in the job bar. A thread of
/// its own, since a rendered video keeps it for minutes. GUI thread only.
class FileJobs : public QObject {
    Q_OBJECT
public:
    FileJobs(JobBar* bar, QObject* parent);
    /// Stops what is going on and waits for it: nothing half written stays behind.
    ~FileJobs() override;

    [[nodiscard]] bool isBusy() const { return m_bar->isBusy(); }
    /// What is being done: "Rendering fly.mp4".
    [[nodiscard]] QString what() const { return m_bar->what(); }
    /// The person wants no more of it.
    void stop() { m_bar->stop(); }

    /// Runs `work(stop, progress)`, which returns a Result, and `then(result)` afterwards. Not to be called while busy.
    template <class Work, class Then>
    void start(const QString& what, Work work, Then then) {
        const std::stop_token stop = m_bar->start(what);
        Q_EMIT busyChanged();
        auto progress = throttled(m_bar.data(), [this, bar = m_bar.data()](double fraction) {
            bar->setProgress(fraction);
            Q_EMIT progressed(fraction);
        });
        inBackground(
            this, [work = std::move(work), stop, progress]() { return work(stop, progress); },
            [this, then = std::move(then)](auto result) mutable {
                m_bar->finish();
                Q_EMIT busyChanged();
                then(std::move(result));
            },
            &m_pool);
    }

Q_SIGNALS:
    void busyChanged();
    void progressed(double fraction);

private:
    QPointer<JobBar> m_bar;
    QThreadPool m_pool;  // last: it waits in its destructor
};

}  // namespace skein::ui
