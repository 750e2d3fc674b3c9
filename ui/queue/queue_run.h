// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <string>

#include "ui/bridge/run_snapshot.h"
#include "ui/queue/queue_rows.h"

namespace skein::ui {

class QueueController;

/// What the queue computes, as a run: live while it goes on, and once more with its final figures. GUI thread only.
class QueueRun : public QObject {
    Q_OBJECT
public:
    /// `queue` outlives it.
    QueueRun(QueueController* queue, QObject* parent);

Q_SIGNALS:
    void changed(const skein::ui::RunSnapshot& run);

private:
    void look();
    [[nodiscard]] RunSnapshot snapshotOf(const QueueRow& row, const pipeline::RunStatus& status);
    [[nodiscard]] const QueueRow* rowOf(std::int64_t id) const;

    /// An entry that is tried again is another run.
    struct Turn {
        std::int64_t entry = 0;
        std::string startedAt;
        friend bool operator==(const Turn&, const Turn&) = default;
    };

    QueueController* m_queue;
    Turn m_current, m_ended;  ///< told of last, and the last whose end was told
    std::uint64_t m_runs = 0;
};

}  // namespace skein::ui
