// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>

#include "engine/profile/profiler.h"
#include "ui/bridge/run_snapshot.h"

namespace skein::test {

using profile::Stage;
using std::chrono::microseconds;
using ui::RunSnapshot;
using ui::RunState;

/// A run of an engine whose stages take exactly what is said here: 40 batches of 8 frames.
struct FixedEngine {
    profile::Profiler profiler;
    FixedEngine() {
        for (int batch = 0; batch < 40; ++batch) {
            // 19 of 20 forward passes take 20 ms, the others 60.
            profiler.record(Stage::Forward, microseconds(batch % 20 == 0 ? 60000 : 20000));
            profiler.record(Stage::BatchPrepare, microseconds(300));
            profiler.record(Stage::BatchAssemble, microseconds(1500));
            profiler.record(Stage::PafScorer, microseconds(4000));
            profiler.record(Stage::Write, microseconds(50));
            for (int frame = 0; frame < 8; ++frame) {
                profiler.record(Stage::FrameBufferGet, microseconds(250));
                profiler.record(Stage::Postprocess, microseconds(100));
                profiler.record(Stage::TrackerTrack, microseconds(1000));
            }
            profiler.countBatch(8, false);
            profiler.countCopyToDevice(8 * 384 * 384);
            profiler.countCopyToHost(65536);
        }
    }
};

inline RunSnapshot snapshot(const profile::Summary& summary, RunState state = RunState::Running) {
    RunSnapshot run;
    run.info.id = 1;
    run.info.title = "Frames 1–320 of fly.mp4";
    run.info.framesTotal = 320;
    run.info.queueMaxsize = 16;
    run.info.started = QDateTime(QDate(2026, 3, 1), QTime(12, 30));
    run.state = state;
    auto progress = std::make_shared<pipeline::JobProgress>();
    progress->phase = pipeline::JobPhase::Predicting;
    progress->framesDone = 320;
    progress->framesTotal = 320;
    progress->framesPerSecond = 310;
    progress->secondsElapsed = 1.1;
    progress->device = "cpu";
    progress->decodedQueue.depth = 12;
    progress->decodedQueue.maxDepth = 16;
    progress->profile = summary;
    run.progress = std::move(progress);
    return run;
}

}  // namespace skein::test
