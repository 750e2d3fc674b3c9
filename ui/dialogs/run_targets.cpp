// SPDX-License-Identifier: GPL-3.0-or-later
// Which frames, of which videos, a target means.
#include <algorithm>

#include "ui/dialogs/run_plan.h"

namespace skein::ui {

bool needsLabels(RunTarget target) {
    return target == RunTarget::Labelled || target == RunTarget::Suggestions || target == RunTarget::Predicted ||
           target == RunTarget::NotPredicted;
}

bool isOfVideos(RunTarget target) {
    return target == RunTarget::SelectedVideos || target == RunTarget::AllVideos || target == RunTarget::SampleOfAll;
}

bool canSkipLabelled(RunTarget target) {
    return target != RunTarget::Labelled && target != RunTarget::Suggestions && target != RunTarget::CurrentFrame;
}

FrameRanges framesOf(RunTarget target, const RunSettings& settings, const RunSituation& situation) {
    if (!situation.video || situation.video->frameCount <= 0)
        return {};
    // Labels may speak of frames that the file does not have.
    std::int64_t count = situation.video->frameCount;
    if (situation.video->source)
        count = std::min(count, static_cast<std::int64_t>(situation.video->source->frameCount()));
    const FrameRanges all{{0, count - 1}};
    static const LabelFrames kUnknown;
    const LabelFrames& labels = situation.labelFrames ? *situation.labelFrames : kUnknown;
    if (needsLabels(target) && !situation.labelFrames)
        return {};
    FrameRanges frames;
    switch (target) {
        case RunTarget::CurrentFrame:
            frames = {{situation.frame, situation.frame}};
            break;
        case RunTarget::SelectedRange:
            if (situation.selection && situation.selection->count() > 0)
                frames = {*situation.selection};
            break;
        case RunTarget::WholeVideo:
        case RunTarget::RandomSample:
            frames = all;
            break;
        case RunTarget::Labelled:
            frames = labels.labelled;
            break;
        case RunTarget::Suggestions:
            frames = labels.suggested;
            break;
        case RunTarget::Predicted:
            frames = labels.predicted;
            break;
        case RunTarget::NotPredicted:
            frames = difference(all, labels.predicted);
            break;
        case RunTarget::WithIssues:
            if (situation.issueFrames)
                frames = *situation.issueFrames;
            break;
        case RunTarget::Custom:
            if (const auto listed = listedFrames(settings.frameList, situation.fromZero, count))
                frames = *listed;
            break;
        case RunTarget::SelectedVideos:
        case RunTarget::AllVideos:
        case RunTarget::SampleOfAll:
            // Each of them is a plan of its own.
            return {};
    }
    frames = intersection(frames, all);
    if (settings.skipLabelled && canSkipLabelled(target))
        frames = difference(frames, labels.labelled);
    const ModelUse use = modelUse(situation);
    if (settings.trackOnly) {
        frames = intersection(frames, labels.predicted);
    } else if (use == ModelUse::Around || use == ModelUse::ClassAround) {
        frames = intersection(frames, unionOf(labels.labelled, labels.predicted));
    }
    return target == RunTarget::RandomSample ? sampleOf(frames, settings.sampleSize, situation.sampleSeed) : frames;
}

ModelUse modelUse(const RunSituation& situation) {
    if (!situation.model || situation.model->spec == nullptr)
        return ModelUse::Unknown;
    const models::ModelSpec& model = *situation.model->spec;
    const bool pair = situation.partner && situation.partner->spec != nullptr;
    const bool classes = model.type == models::ModelType::MultiClassTopDown ||
                         (pair && situation.partner->spec->type == models::ModelType::MultiClassTopDown);
    switch (model.type) {
        case models::ModelType::SingleInstance:
            return ModelUse::Single;
        case models::ModelType::BottomUp:
            return ModelUse::BottomUp;
        case models::ModelType::MultiClassBottomUp:
            return ModelUse::ClassBottomUp;
        case models::ModelType::Centroid:
            if (situation.alone)
                return ModelUse::Centroids;
            break;
        case models::ModelType::CenteredInstance:
        case models::ModelType::MultiClassTopDown:
            if (situation.alone)
                return classes ? ModelUse::ClassAround : ModelUse::Around;
            break;
    }
    return classes ? ModelUse::ClassTopDown : ModelUse::TopDown;
}

std::vector<RunVideo> videosOf(RunTarget target, const RunSituation& situation) {
    if (target != RunTarget::SelectedVideos)
        return situation.videos;
    std::vector<RunVideo> videos;
    for (const std::uint32_t index : situation.selectedVideos)
        if (index < situation.videos.size())
            videos.push_back(situation.videos[index]);
    return videos;
}

RunTarget targetOfEach(RunTarget target) {
    return target == RunTarget::SampleOfAll ? RunTarget::RandomSample : RunTarget::WholeVideo;
}

std::int64_t frameCountOf(RunTarget target, const RunSettings& settings, const RunSituation& situation) {
    RunSituation shared = situation;
    shared.videos.clear();  // not copied once for each of them
    std::int64_t count = 0;
    for (const RunVideo& video : videosOf(target, situation)) {
        if (video.frameCount == 0 && video.problem.isEmpty())
            return -1;
        count += countOf(framesOf(targetOfEach(target), settings, situationOf(video, shared)));
    }
    return count;
}

RunSituation situationOf(const RunVideo& video, const RunSituation& situation) {
    RunSituation one = situation;
    one.video = video;
    one.opensLater = true;
    one.selection.reset();
    one.issueFrames.reset();
    one.labelFrames.reset();
    one.framesWithPredictions = one.framesWithTracks = -1;
    if (situation.allLabelFrames && video.index < situation.allLabelFrames->size()) {
        const LabelFrames& labels = (*situation.allLabelFrames)[video.index];
        one.labelFrames = {situation.allLabelFrames, &labels};
        one.framesWithPredictions = countOf(labels.predicted);
        one.framesWithTracks = countOf(labels.tracked);
    }
    return one;
}

}  // namespace skein::ui
