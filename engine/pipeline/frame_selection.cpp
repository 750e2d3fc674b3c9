// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pipeline/frame_selection.h"

#include <algorithm>
#include <set>

namespace skein::pipeline {
namespace {

bool hasPrediction(const project::FrameView& frame) {
    for (std::size_t i = 0; i < frame.instanceCount(); ++i)
        if (frame.instance(i).header->kind == project::InstanceKind::Predicted)
            return true;
    return false;
}

bool isLabeled(const project::Labels& labels, const FrameKey& key) {
    const auto row = labels.findFrame(key.first, key.second);
    return row && labels.frame(*row).hasUserInstance();
}

}  // namespace

Result<FrameKind> frameKind(bool onlyLabeled, bool onlySuggested, bool excludeLabeled, bool onlyPredicted) {
    if (onlyLabeled && excludeLabeled)
        return fail(ErrorCode::InvalidArgument,
                    "Only labelled frames and no labelled frames leave nothing to predict; choose one.");
    if (onlyLabeled)
        return FrameKind::Labeled;
    if (onlySuggested)
        return FrameKind::Suggested;
    if (excludeLabeled)
        return FrameKind::NotLabeled;
    return onlyPredicted ? FrameKind::Predicted : FrameKind::Any;
}

const char* describe(FrameKind kind) {
    switch (kind) {
        case FrameKind::Labeled:
            return "frames that a person has labelled";
        case FrameKind::Suggested:
            return "suggested frames that are not labelled yet";
        case FrameKind::NotLabeled:
            return "frames that nobody has labelled";
        case FrameKind::Predicted:
            return "frames with predictions";
        case FrameKind::Any:
            break;
    }
    return "labelled frames";
}

std::vector<FrameKey> selectFrames(const project::Labels& labels, FrameKind kind, const FrameList* positions,
                                   std::int64_t* outside) {
    std::vector<FrameKey> frames;
    if (kind == FrameKind::Suggested) {
        for (const project::Suggestion& s : labels.suggestions())
            if (!isLabeled(labels, {s.video, s.frameIndex}))
                frames.emplace_back(s.video, s.frameIndex);
    } else {
        for (std::size_t row = 0; row < labels.frameCount(); ++row) {
            const project::FrameView frame = labels.frame(row);
            const bool wanted =
                kind == FrameKind::Any ||
                (kind == FrameKind::Predicted ? hasPrediction(frame)
                                              : frame.hasUserInstance() == (kind == FrameKind::Labeled));
            if (wanted)
                frames.emplace_back(frame.video(), frame.frameIndex());
        }
    }
    if (positions == nullptr)
        return frames;
    std::vector<FrameKey> picked;
    for (const std::int64_t position : positions->within(static_cast<std::int64_t>(frames.size()), outside))
        picked.push_back(frames[static_cast<std::size_t>(position)]);
    return picked;
}

std::vector<std::int64_t> selectFromVideo(const project::Labels& labels, std::uint32_t video,
                                          const std::vector<std::int64_t>& available, FrameKind kind) {
    if (kind == FrameKind::Any)
        return available;
    std::set<std::int64_t> named;
    if (kind == FrameKind::Suggested) {
        for (const project::Suggestion& s : labels.suggestions())
            if (s.video == video)
                named.insert(s.frameIndex);
    }
    std::vector<std::int64_t> frames;
    for (const std::int64_t frame : available) {
        const auto row = labels.findFrame(video, frame);
        const bool labeled = row && labels.frame(*row).hasUserInstance();
        bool wanted = false;
        switch (kind) {
            case FrameKind::Labeled:
                wanted = labeled;
                break;
            case FrameKind::Suggested:
                wanted = !labeled && named.count(frame) != 0;
                break;
            case FrameKind::NotLabeled:
                wanted = !labeled;
                break;
            case FrameKind::Predicted:
                wanted = row && hasPrediction(labels.frame(*row));
                break;
            case FrameKind::Any:
                wanted = true;
                break;
        }
        if (wanted)
            frames.push_back(frame);
    }
    return frames;
}

}  // namespace skein::pipeline
