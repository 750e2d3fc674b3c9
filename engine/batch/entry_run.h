// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <functional>

#include "engine/batch/entry.h"
#include "engine/batch/queue.h"

namespace skein::batch {

/// The run that an entry stands for, ready for execute(). Errors: InvalidArgument, those of the models, the data and
/// the tracking options.
[[nodiscard]] Result<std::unique_ptr<pipeline::PredictionRun>> openRun(const Entry& entry, const QueueParts& parts,
                                                                       std::stop_token stop = {});

/// Runs an entry to its end: fills in its state, reason, notes and numbers, and writes its log. `makeRunner`: as
/// JobSpec::makeRunner. Failures are the entry's; nothing is thrown.
void runEntry(Entry& entry, const QueueParts& parts, const ModelCache::Loader& makeRunner,
              const pipeline::RunObserver& observe, std::stop_token stop);

/// Looks after an output that is there already; true: the entry is over. May change the output's name.
[[nodiscard]] bool settleExisting(Entry& entry);

/// Removes what an unfinished run of the entry has left: its checkpoint, and with it the output that is a part.
void removePart(Entry& entry);

/// How an outcome reads as a state with its reason.
void judge(Entry& entry, const Result<pipeline::PredictionOutcome>& outcome);

/// Where some of its videos could not be opened, or end early, an entry is done in part, and the reason says so.
void judgeInput(Entry& entry, const pipeline::PredictionRun& run);

}  // namespace skein::batch
