// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/batch/entry.h"

namespace skein::ui {

/// One line of the queue as the window shows it: an entry that is computed here, or one that is with a cluster.
struct QueueRow {
    std::int64_t id = 0;                        ///< of the entry, in the queue or in its cluster run
    QString cluster;                            ///< folder of the cluster run; empty: computed here
    std::shared_ptr<const batch::Entry> entry;  ///< never null
    QString model;                              ///< tells its models from other rows'; empty: all have the same
    bool paused = false;                        ///< it runs, and stands still
    QString phase;                              ///< what a running one does; empty: predicting
    double framesPerSecond = 0;                 ///< of a running one, over the last seconds; 0 unknown
    double secondsLeft = -1;                    ///< of a running one; -1 unknown
    [[nodiscard]] bool isHere() const { return cluster.isEmpty(); }
    friend bool sameRow(const QueueRow& a, const QueueRow& b) { return a.id == b.id && a.cluster == b.cluster; }
};

/// How many entries are how far.
struct QueueCounts {
    int total = 0, waiting = 0, running = 0, done = 0, failed = 0, cancelled = 0;
    [[nodiscard]] int left() const { return waiting + running; }
};
[[nodiscard]] QueueCounts countRows(const std::vector<QueueRow>& rows);

/// Name of its data: "fly.mp4", "fly.mp4 and 3 more".
[[nodiscard]] QString rowTitle(const QueueRow& row);
/// "Waiting", "Running", "Partly done": the state of a row in a word or two.
[[nodiscard]] QString stateWords(const QueueRow& row);
/// "3 of 20 done, 1 failed, 16 left": the whole in one line; empty without rows.
[[nodiscard]] QString countWords(const QueueCounts& counts);
/// "fly.mp4: The file ends early.": what the run has said about a row; empty while that is nothing.
[[nodiscard]] QString rowRemarks(const QueueRow& row);
/// All that is known of a row, for a tool tip: one thing a line.
[[nodiscard]] QString rowDetails(const QueueRow& row);
/// Share done, 0 to 1; -1 while it cannot be said.
[[nodiscard]] double rowFraction(const QueueRow& row);
/// Mean frames per second of a row that is over, the present ones of a running one; 0 unknown.
[[nodiscard]] double rowRate(const QueueRow& row);

}  // namespace skein::ui
