// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_plan_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "engine/inference/model_set.h"
#include "ui/run_text.h"

namespace skein::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RunPlan", text);
}

QString scoringWord(tracking::ScoringMethod scoring) {
    switch (scoring) {
        case tracking::ScoringMethod::Oks:
            return tr("OKS");
        case tracking::ScoringMethod::Iou:
            return tr("IoU");
        case tracking::ScoringMethod::CosineSimilarity:
            return tr("cosine similarity");
        case tracking::ScoringMethod::EuclideanDistance:
            return tr("distance");
    }
    return {};
}

}  // namespace

QString fixTitle(const RunPlan& plan) {
    switch (plan.fix) {
        case RunPlan::Fix::None:
            break;
        case RunPlan::Fix::ChooseModel:
            return tr("Choose a model…");
        case RunPlan::Fix::ChoosePartner:
            return tr("Choose the second model…");
        case RunPlan::Fix::WholeVideo:
            return tr("Use the whole video");
        case RunPlan::Fix::ShowDock:
            return plan.fixPlace == QLatin1String("dockJobs")     ? tr("Show Jobs")
                   : plan.fixPlace == QLatin1String("dockIssues") ? tr("Show Issues")
                                                                  : tr("Show Videos");
        case RunPlan::Fix::ShowOption:
            return tr("Show the option");
    }
    return {};
}

QString trackingWords(TrackerChoice choice, const tracking::TrackerOptions& options) {
    QString words;
    switch (choice) {
        case TrackerChoice::None:
            return tr("not tracked");
        case TrackerChoice::Sort:
            words = tr("track with SORT");
            break;
        case TrackerChoice::ByteTrack:
            words = tr("track with ByteTrack");
            break;
        case TrackerChoice::OcSort:
            words = tr("track with OC-SORT");
            break;
        case TrackerChoice::Skein:
            words = tr("track with Skein");
            break;
        default: {
            const QString matching =
                options.matching == tracking::MatchingMethod::Hungarian ? tr("Hungarian") : tr("greedy");
            words = tr("track with %1 + %2").arg(scoringWord(options.scoring), matching);
            if (choice == TrackerChoice::Flow)
                words += tr(" with optical flow");
            if (choice == TrackerChoice::Kalman)
                words += tr(" with Kalman filters");
        }
    }
    if (options.maxTracks)
        words +=
            *options.maxTracks == 1 ? tr(" as 1 animal") : tr(" as %1 animals").arg(text::number(*options.maxTracks));
    if (options.linkTracklets)
        words += tr(", linked at the end");
    return words;
}

QString timeWords(std::int64_t frames, const RunSituation& situation) {
    if (situation.device.isEmpty())
        return {};
    if (situation.knownRate <= 0 || frames <= 0)
        return tr("on %1").arg(situation.device);
    // No more digits than one run can promise for the next.
    const double seconds = std::max(1.0, static_cast<double>(frames) / situation.knownRate);
    const double step = seconds < 60 ? 1 : seconds < 600 ? 10 : seconds < 3600 ? 60 : 300;
    return tr("about %1 on this device (%2)").arg(text::duration(std::round(seconds / step) * step), situation.device);
}

QString existingWords(const RunSettings& settings, const RunSituation& situation, bool givesTracks) {
    const std::int64_t count = situation.framesWithPredictions;
    if (count <= 0)
        return {};
    if (settings.existing == ExistingPredictions::Keep)
        return tr("Adds to the predictions of %1.").arg(text::frames(count));
    const bool clears = settings.existing == ExistingPredictions::Clear;
    const QString removes = isOfVideos(settings.target) ? tr("Removes all predictions of these videos first.")
                                                        : tr("Removes all predictions of this video first.");
    QString words = clears ? removes : tr("Replaces the predictions of %1.").arg(text::frames(count));
    // Nobody means to lose tracks by leaving out a tracker.
    if (!givesTracks && situation.framesWithTracks > 0)
        words += QLatin1Char(' ') + tr("Those of %1 have tracks, and the new ones will have none: choose a tracker to "
                                       "keep identities.")
                                        .arg(text::frames(situation.framesWithTracks));
    return words;
}

QString frameWords(RunTarget target, const FrameRanges& frames, bool fromZero) {
    if (frames.size() == 1 && !needsLabels(target))
        return text::frameRange(frames.front(), fromZero);
    const std::int64_t count = countOf(frames);
    const QString n = text::number(count);
    const bool one = count == 1;
    switch (target) {
        case RunTarget::Labelled:
            return one ? tr("1 labelled frame") : tr("%1 labelled frames").arg(n);
        case RunTarget::Suggestions:
            return one ? tr("1 suggested frame") : tr("%1 suggested frames").arg(n);
        case RunTarget::Predicted:
            return one ? tr("1 frame with predictions") : tr("%1 frames with predictions").arg(n);
        case RunTarget::NotPredicted:
            return one ? tr("1 frame without predictions") : tr("%1 frames without predictions").arg(n);
        case RunTarget::WithIssues:
            return one ? tr("1 frame with issues") : tr("%1 frames with issues").arg(n);
        case RunTarget::RandomSample:
            return one ? tr("1 random frame") : tr("%1 random frames").arg(n);
        default:
            return tr("%1 of %2").arg(n, text::frameRange({frames.front().first, frames.back().last}, fromZero));
    }
}

QString noFrames(const RunSettings& settings, const RunSituation& situation, const RunPlan& plan) {
    if (!situation.labelFrames && (needsLabels(settings.target) || inference::needsCentroids(plan.models)))
        return tr("Looking through the labels…");
    if (inference::needsCentroids(plan.models))
        return tr("There are no instances to look around on these frames. Choose a centroid model, or other frames.");
    switch (settings.target) {
        case RunTarget::Labelled:
            return tr("No frame of this video has instances that a person made.");
        case RunTarget::Suggestions:
            return tr("This video has no suggested frames that are not labelled yet.");
        case RunTarget::Predicted:
            return tr("No frame of this video has predictions.");
        case RunTarget::NotPredicted:
            return tr("Every frame of this video has predictions.");
        case RunTarget::WithIssues:
            return situation.issueFrames ? tr("No frame of this video has an open issue.")
                                         : tr("Nobody has looked for issues yet. Find them in the Issues dock first.");
        case RunTarget::Custom: {
            const auto listed = listedFrames(settings.frameList, situation.fromZero, situation.video->frameCount);
            return listed ? tr("There is no frame to run on.") : QString::fromStdString(listed.error().message());
        }
        case RunTarget::SelectedVideos:
            return tr("No video is selected. Select some in the Videos dock.");
        default:
            return tr("There is no frame to run on.");
    }
}

}  // namespace skein::ui
