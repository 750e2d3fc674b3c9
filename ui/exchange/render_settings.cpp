// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exchange/render_settings.h"

#include <QCoreApplication>
#include <algorithm>
#include <numeric>

#include "engine/pipeline/frame_list.h"
#include "ui/text.h"

namespace skein::ui {

namespace {
QString tr(const char* sentence) {
    return QCoreApplication::translate("RenderSettings", sentence);
}

Result<std::vector<std::int64_t>> customFrames(const QString& words, std::int64_t frameCount, int firstNumber) {
    const auto list = pipeline::parseFrameList(QString(words).remove(QLatin1Char(' ')).toStdString());
    if (!list || list->ranges.empty())
        return fail(ErrorCode::InvalidArgument, tr("Name frames like this: 1-100, 150, 200-240.").toStdString());
    pipeline::FrameList shifted;
    for (const auto& range : list->ranges)
        shifted.ranges.push_back({range.first - firstNumber, range.last - firstNumber});
    std::int64_t outside = 0;
    std::vector<std::int64_t> frames = shifted.within(frameCount, &outside);
    if (outside > 0)
        return fail(ErrorCode::InvalidArgument,
                    tr("The video has the frames %1 to %2.")
                        .arg(text::number(firstNumber), text::number(frameCount - 1 + firstNumber))
                        .toStdString());
    std::sort(frames.begin(), frames.end());
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
    return frames;
}
}  // namespace

Result<std::vector<std::int64_t>> framesToRender(const RenderSettings& settings, const project::Labels& labels,
                                                 std::int64_t frameCount, const std::optional<FrameRange>& selection,
                                                 int firstNumber) {
    std::vector<std::int64_t> frames;
    if (settings.range == RenderRange::Custom) {
        auto custom = customFrames(settings.custom, frameCount, firstNumber);
        if (!custom)
            return custom;
        frames = std::move(*custom);
    } else {
        FrameRange range{0, frameCount - 1};
        if (settings.range == RenderRange::Selection && selection)
            range = {std::max<std::int64_t>(0, selection->first), std::min(frameCount - 1, selection->last)};
        frames.resize(static_cast<std::size_t>(range.count()));
        std::iota(frames.begin(), frames.end(), range.first);
    }
    if (!settings.withoutLabels) {
        std::vector<std::int64_t> labelled;
        for (const std::size_t row : labels.rowsOf(settings.options.video))
            if (const project::FrameView frame = labels.frame(row); frame.instanceCount() > 0)
                labelled.push_back(frame.frameIndex());
        std::vector<std::int64_t> both;
        std::set_intersection(frames.begin(), frames.end(), labelled.begin(), labelled.end(), std::back_inserter(both));
        frames = std::move(both);
    }
    if (frames.empty())
        return fail(ErrorCode::InvalidArgument,
                    (settings.withoutLabels ? tr("There are no such frames.") : tr("None of these frames is labelled."))
                        .toStdString());
    return frames;
}

QString endingOf(RenderCodec codec) {
    switch (codec) {
        case RenderCodec::ProRes:
            return QStringLiteral(".mov");
        case RenderCodec::Gif:
            return QStringLiteral(".gif");
        case RenderCodec::PngSequence:
            return {};
        case RenderCodec::H264:
        case RenderCodec::H265:
        case RenderCodec::Av1:
            break;
    }
    return QStringLiteral(".mp4");
}

Result<RenderPlan> planRender(const RenderSettings& settings, const project::Labels& labels,
                              const video::VideoSource& source, const std::optional<FrameRange>& selection,
                              int firstNumber) {
    auto frames = framesToRender(settings, labels, source.frameCount(), selection, firstNumber);
    if (!frames)
        return fail(std::move(frames.error()));
    RenderPlan plan{settings.options, {}};
    plan.options.frames = std::move(*frames);
    plan.promise = renderPromise(labels, source, plan.options);
    return plan;
}

}  // namespace skein::ui
