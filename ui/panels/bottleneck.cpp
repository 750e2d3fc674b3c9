// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/bottleneck.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/run_text.h"

namespace skein::ui {
namespace {

using profile::Stage;

QString tr(const char* text) {
    return QCoreApplication::translate("Bottleneck", text);
}

// Less than this says more about start-up than about the run.
constexpr double kLeastSeconds = 1;
constexpr std::uint64_t kLeastBatches = 3;
// A network that waits for frames this much of the time is not the limit.
constexpr double kStarved = 0.3;
constexpr double kCostly = 0.2;

}  // namespace

Bottleneck findBottleneck(const pipeline::JobProgress& progress, int groupThreads, bool isOver) {
    const profile::Summary& profile = progress.profile;
    const double wallMs = progress.secondsElapsed * 1000;
    if (profile.stages.size() < profile::kStageCount || progress.secondsElapsed < kLeastSeconds ||
        profile.batches < kLeastBatches)
        return {std::nullopt,
                isOver ? tr("Too short to tell what limited it: %1 in %2.")
                             .arg(text::count(static_cast<std::int64_t>(profile.batches), tr("batch"), tr("batches")),
                                  text::withUnit(text::significant(progress.secondsElapsed), tr("s")))
                       : tr("Measuring: a few batches are needed to tell what limits the run."),
                {}};
    const auto share = [&](Stage stage) { return profile.stages[static_cast<std::size_t>(stage)].totalMs / wallMs; };

    const double waiting = share(Stage::FrameBufferGet);
    const double device = share(Stage::BatchPrepare) + share(Stage::BatchAssemble) + share(Stage::Forward);
    const double grouping = share(Stage::PafScorer) / std::max(1, groupThreads);
    const double tracking = share(Stage::TrackerTrack) + share(Stage::Postprocess) + share(Stage::Write);
    const auto percent = [](double value) { return text::percent(std::min(value, 1.0)); };

    Bottleneck result;
    if (waiting >= kStarved && waiting > std::max(grouping, tracking)) {
        result.stage = Stage::FrameBufferGet;
        result.sentence = tr("Decode-bound: the network waits %1 of the time for frames.").arg(percent(waiting));
    } else if (device >= std::max(grouping, tracking)) {
        result.stage = share(Stage::Forward) >= share(Stage::BatchAssemble) ? Stage::Forward : Stage::BatchAssemble;
        result.sentence =
            result.stage == Stage::Forward
                ? tr("Network-bound: Forward takes %1 of the time.").arg(percent(share(Stage::Forward)))
                : tr("Upload-bound: BatchAssemble takes %1 of the time.").arg(percent(share(Stage::BatchAssemble)));
    } else if (grouping >= tracking) {
        result.stage = Stage::PafScorer;
        result.sentence = tr("Grouping-bound: PAFScorer.predict takes %1 of the time.").arg(percent(grouping));
    } else {
        result.stage = Stage::TrackerTrack;
        result.sentence =
            tr("Tracking-bound: Tracker.track and what follows take %1 of the time.").arg(percent(tracking));
    }
    if (const double prepare = share(Stage::BatchPrepare); prepare >= kCostly)
        result.hint = tr("Bringing frames to one shape costs %1 of the time.").arg(percent(prepare));
    else if (profile.partialBatches * 2 > profile.batches && profile.batches > 8)
        result.hint = tr("%1 of %2 batches left before they were full: frames arrive too slowly, or change their size.")
                          .arg(text::number(static_cast<std::int64_t>(profile.partialBatches)),
                               text::number(static_cast<std::int64_t>(profile.batches)));
    else if (const double forward = share(Stage::Forward) * progress.secondsElapsed;
             result.stage == Stage::FrameBufferGet && forward > 0)
        result.hint = tr("The network alone would take %1.")
                          .arg(text::rate(static_cast<double>(progress.framesDone - progress.framesResumed) / forward));
    return result;
}

std::array<double, profile::kStageCount> criticalPath(const pipeline::JobProgress& progress, int groupThreads) {
    std::array<double, profile::kStageCount> path{};
    const profile::Summary& profile = progress.profile;
    if (profile.stages.size() < profile::kStageCount || progress.secondsElapsed <= 0)
        return path;
    const auto ms = [&](Stage stage) { return profile.stages[static_cast<std::size_t>(stage)].totalMs; };
    double onDevice = 0;
    for (const Stage stage : {Stage::FrameBufferGet, Stage::BatchPrepare, Stage::BatchAssemble, Stage::Forward})
        onDevice += ms(stage);
    // On a GPU the device's time and the waiting for frames may overlap and exceed the clock's.
    const double wall = std::max(progress.secondsElapsed * 1000, onDevice);
    for (const Stage stage : {Stage::FrameBufferGet, Stage::BatchPrepare, Stage::BatchAssemble, Stage::Forward})
        path[static_cast<std::size_t>(stage)] = ms(stage) / wall;
    const double grouping = ms(Stage::PafScorer) / std::max(1, groupThreads);
    const double after = ms(Stage::Postprocess) + ms(Stage::TrackerTrack) + ms(Stage::Write);
    // No stage can be waited for longer than it works.
    const double rest = std::min(wall - onDevice, std::max(grouping, after)) / wall;
    if (grouping >= after)
        path[static_cast<std::size_t>(Stage::PafScorer)] = rest;
    else
        for (const Stage stage : {Stage::Postprocess, Stage::TrackerTrack, Stage::Write})
            path[static_cast<std::size_t>(stage)] = rest * ms(stage) / after;
    return path;
}

}  // namespace skein::ui
