// SPDX-License-Identifier: GPL-3.0-or-later
// The editor's steps on tracks and on many instances at once.
#include <algorithm>

#include "ui/edit/editor.h"
#include "ui/text.h"

namespace skein::ui {

namespace edit = project::edit;

// --- Tracks --------------------------------------------------------------------------------------------------------

void Editor::setTrack(int track) {
    setTrackOf(m_view->selected(), track);
}

void Editor::setTrackOf(project::InstanceId instance, int track) {
    instance = settled(instance);
    if (instance == 0)
        return;
    const project::InstanceView view = edit::find(m_document->labels(), placeOf(instance));
    if (view.header == nullptr)
        return;
    const bool reaches = view.header->track >= 0 && track >= 0;
    if (reaches && !isInReach())
        return;
    if (!apply(tr("Set track of %1 to %2%3")
                   .arg(instanceName(instance), trackName(track), reaches ? overFrames() : onFrame()),
               edit::setTrack(m_document->labels(), placeOf(instance), track, span())) &&
        view.header->track == track)
        Q_EMIT notice(tr("It has this track already."));
}

void Editor::newTrack() {
    if (settled(m_view->selected()) != 0 && isInReach(m_view->selected()))
        apply(tr("New track for %1%2").arg(instanceName(m_view->selected()), overFrames()),
              edit::setNewTrack(m_document->labels(), placeOf(m_view->selected()), span()));
}

void Editor::newTrackFor(project::InstanceId instance, const QString& name) {
    instance = settled(instance);
    if (instance == 0 || !isInReach(instance))
        return;
    edit::Outcome outcome = edit::setNewTrack(m_document->labels(), placeOf(instance), span());
    if (outcome.changed > 0 && !name.isEmpty())
        outcome.labels.editTracks().back().name = name.toStdString();
    apply(tr("New track for %1%2").arg(instanceName(instance), overFrames()), std::move(outcome));
}

void Editor::transpose(project::InstanceId a, project::InstanceId b) {
    if (!isInReach())
        return;
    // Both at once: what brings the first one in gives the second one its number, too.
    const std::vector<project::InstanceId> pair = settled(Selection{a, b});
    if (pair.empty())
        return;
    a = pair[0];
    b = pair[1];
    const QString title = tr("Transpose %1 and %2%3").arg(instanceName(a), instanceName(b), overFrames());
    if (!apply(title, edit::transposeInstances(m_document->labels(), video(), m_view->frame(), a, b, span())))
        Q_EMIT notice(tr("These two have the same track, or none."));
}

void Editor::transposeTracks(int a, int b) {
    if (m_view->video() < 0 || !isInReach())
        return;
    const edit::FrameSpan reach = span().value_or(edit::FrameSpan{m_view->frame(), m_view->frame()});
    apply(tr("Transpose %1 and %2%3").arg(trackName(a), trackName(b), overFrames()),
          edit::transposeTracks(m_document->labels(), video(), reach, a, b));
}

void Editor::splitTrack() {
    if (settled(m_view->selected()) == 0 || !isInSelectedFrames())
        return;
    const auto reach = selectedFrames();
    const QString name = instanceName(m_view->selected());
    const QString title =
        reach ? tr("Split %1, frames %2\u2013%3").arg(name, frameNumber(m_view->frame()), frameNumber(reach->last))
              : tr("Split %1 at frame %2").arg(name, frameNumber(m_view->frame()));
    if (!apply(title,
               edit::splitTrack(m_document->labels(), placeOf(m_view->selected()), reach ? reach->last : edit::kToEnd)))
        Q_EMIT notice(tr("This is the track's first frame, so nothing of it would be left; go to a later one."));
}

void Editor::renameTrack(int track, const QString& name) {
    apply(tr("Rename track %1 to %2").arg(trackName(track), name),
          edit::renameTrack(m_document->labels(), track, name.toStdString()));
}

void Editor::deleteInstanceAndTrack() {
    const project::InstanceId selected = settled(m_view->selected());
    if (selected == 0 || !isInSelectedFrames())
        return;
    const QString name = instanceName(selected);
    const auto reach = selectedFrames();
    const QString where =
        reach ? tr(", frames %1\u2013%2").arg(frameNumber(reach->first), frameNumber(reach->last)) : QString();
    applyLarge(
        [name, where](std::size_t n) {
            return tr("Delete %1 of %2%3")
                .arg(text::count(static_cast<std::int64_t>(n), tr("instance"), tr("instances")), name, where);
        },
        [place = placeOf(selected), reach](const project::Labels& labels) {
            return edit::deleteInstanceAndTrack(labels, place, reach);
        },
        tr("Nothing was deleted."));
}

void Editor::deleteTracks(std::vector<std::int32_t> tracks, bool withInstances) {
    std::sort(tracks.begin(), tracks.end());
    const QString name = tracks.size() == 1 ? trackName(tracks.front()) : QString();
    applyLarge(
        [name, withInstances](std::size_t n) {
            const QString count = text::count(static_cast<std::int64_t>(n), tr("track"), tr("tracks"));
            if (name.isEmpty())
                return withInstances ? tr("Delete %1 and their instances").arg(count) : tr("Delete %1").arg(count);
            return withInstances ? tr("Delete track %1 and its instances").arg(name) : tr("Delete track %1").arg(name);
        },
        [tracks, withInstances](const project::Labels& labels) {
            return edit::deleteTracks(labels, tracks, withInstances);
        },
        tr("There is no such track."));
}

void Editor::deleteUnusedTracks() {
    applyLarge(
        [](std::size_t n) {
            return tr("Delete %1")
                .arg(text::count(static_cast<std::int64_t>(n), tr("unused track"), tr("unused tracks")));
        },
        [](const project::Labels& labels) { return edit::deleteTracks(labels, edit::unusedTracks(labels), false); },
        tr("Every track is used."));
}

// --- Many at once --------------------------------------------------------------------------------------------------

void Editor::deleteMatching(const edit::InstanceFilter& filter, const QString& title) {
    const bool predictions = filter.kind == project::InstanceKind::Predicted;
    applyLarge(
        [title, predictions](std::size_t n) {
            const auto count = static_cast<std::int64_t>(n);
            return tr("Delete %1%2")
                .arg(predictions ? text::count(count, tr("prediction"), tr("predictions"))
                                 : text::count(count, tr("instance"), tr("instances")),
                     title);
        },
        [filter](const project::Labels& labels) { return edit::deleteMatching(labels, filter); },
        predictions ? tr("There is no such prediction.") : tr("There is no such instance."));
}

void Editor::deletePredictionsOnFrame() {
    if (!settleFrame())
        return;
    edit::InstanceFilter filter;
    filter.kind = project::InstanceKind::Predicted;
    filter.video = video();
    filter.frames = edit::FrameSpan{m_view->frame(), m_view->frame()};
    edit::Outcome outcome = edit::deleteMatching(m_document->labels(), filter);
    const auto count = static_cast<std::int64_t>(outcome.changed);
    if (!apply(tr("Delete %1%2").arg(text::count(count, tr("prediction"), tr("predictions")), onFrame()),
               std::move(outcome)))
        Q_EMIT notice(tr("There is no prediction on this frame."));
}

void Editor::deletePredictionsInRange() {
    const auto& range = m_view->range();
    if (!range)
        return;
    edit::InstanceFilter filter;
    filter.kind = project::InstanceKind::Predicted;
    filter.video = video();
    filter.frames = edit::FrameSpan{range->first, range->last};
    deleteMatching(filter, tr(", frames %1\u2013%2").arg(frameNumber(range->first), frameNumber(range->last)));
}

void Editor::deletePredictionsEverywhere() {
    edit::InstanceFilter filter;
    filter.kind = project::InstanceKind::Predicted;
    deleteMatching(filter, {});
}

void Editor::deletePredictionsInArea(const QRectF& scene) {
    if (m_view->video() < 0)
        return;
    const edit::Box box{scene.left(), scene.top(), scene.right(), scene.bottom()};
    applyLarge(
        [](std::size_t n) {
            return tr("Delete %1 in an area")
                .arg(text::count(static_cast<std::int64_t>(n), tr("prediction"), tr("predictions")));
        },
        [v = video(), box](const project::Labels& labels) { return edit::deletePredictionsInArea(labels, v, box); },
        tr("No prediction of this video lies wholly inside that area."));
}

void Editor::deletePredictionsBelow(double score) {
    edit::InstanceFilter filter;
    filter.kind = project::InstanceKind::Predicted;
    filter.scoreBelow = score;
    deleteMatching(filter, tr(" with a score below %1").arg(QString::number(score)));
}

void Editor::deletePredictionsBeyond(std::int64_t most) {
    if (m_view->video() < 0 || most < 0)
        return;
    applyLarge(
        [most](std::size_t n) {
            return tr("Delete %1 beyond %2 on a frame")
                .arg(text::count(static_cast<std::int64_t>(n), tr("prediction"), tr("predictions")),
                     text::number(most));
        },
        [v = video(), most](const project::Labels& labels) {
            return edit::deletePredictionsBeyond(labels, v, static_cast<std::size_t>(most));
        },
        tr("No frame of this video has more predictions than that."));
}

void Editor::deletePredictionsOutside(FrameRange kept) {
    if (m_view->video() < 0)
        return;
    applyLarge(
        [this, kept](std::size_t n) {
            return tr("Delete %1 outside frames %2\u2013%3")
                .arg(text::count(static_cast<std::int64_t>(n), tr("prediction"), tr("predictions")),
                     frameNumber(kept.first), frameNumber(kept.last));
        },
        [v = video(), kept](const project::Labels& labels) {
            return edit::deletePredictionsOutside(labels, v, {kept.first, kept.last});
        },
        tr("No prediction of this video lies outside those frames."));
}

void Editor::deletePredictionsOnUserFrames() {
    edit::InstanceFilter filter;
    filter.kind = project::InstanceKind::Predicted;
    filter.onUserFrames = true;
    deleteMatching(filter, tr(" on user-labelled frames"));
}

}  // namespace skein::ui
