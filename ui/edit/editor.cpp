// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/editor.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <algorithm>

#include "engine/video/video_source.h"
#include "ui/bridge/background.h"
#include "ui/edit/instance_clip.h"
#include "ui/text.h"

namespace skein::ui {

namespace edit = project::edit;

namespace {

/// Up to here an edit over the whole project is done at once; it takes a few milliseconds.
constexpr std::size_t kLargeProject = 20'000;
/// Series of nudges are numbered apart from runs.
constexpr std::uint64_t kSeriesBit = std::uint64_t{1} << 62;

Change changeOf(const edit::Extent& extent) {
    Change change;
    change.kinds = {};
    if (extent.instances)
        change.kinds |= ChangeKind::Frames;
    if (extent.tracks)
        change.kinds |= ChangeKind::Tracks;
    if (!extent.everywhere) {
        change.video = extent.video;
        change.first = extent.span.first;
        change.last = extent.span.last;
    }
    return change;
}

}  // namespace

Editor::Editor(Document* document, ViewState* view, const FrameContents* contents, QObject* parent)
    : QObject(parent), m_document(document), m_view(view), m_contents(contents) {
    frameNumber = [](std::int64_t frame) { return text::number(frame + 1); };
    placementView = [] { return edit::PlacementView(); };
    connect(document, &Document::opened, this, [this] { m_lastTouched.reset(); });
}

// --- Words and places ----------------------------------------------------------------------------------------------

edit::Place Editor::placeOf(project::InstanceId instance) const {
    return {video(), m_view->frame(), instance};
}

StepPlace Editor::here() const {
    return {m_view->video(), m_view->frame(), m_view->selection()};
}

QString Editor::onFrame() const {
    return tr(", frame %1").arg(frameNumber(m_view->frame()));
}

QString Editor::trackName(int track) const {
    return track < 0 ? tr("no track") : m_contents->trackName(track);
}

QString Editor::instanceName(project::InstanceId instance) const {
    const ShownFrame frame = m_contents->at(video(), m_view->frame());
    const ShownInstance* shown = frame.find(instance);
    if (shown == nullptr)
        return tr("instance");
    return shown->trackName.isEmpty() ? tr("instance %1").arg(shown->place + 1) : shown->trackName;
}

QString Editor::nodeName(project::InstanceId instance, int node) const {
    const project::InstanceView view = edit::find(m_document->labels(), placeOf(instance));
    const auto& skeletons = m_document->labels().skeletons();
    if (view.header == nullptr || view.header->skeleton >= skeletons.size() || node < 0 ||
        static_cast<std::size_t>(node) >= skeletons[view.header->skeleton].nodes.size())
        return tr("node");
    return QString::fromStdString(skeletons[view.header->skeleton].nodes[static_cast<std::size_t>(node)]);
}

std::optional<edit::FrameSpan> Editor::span() const {
    if (!m_propagate)
        return std::nullopt;
    if (const auto& range = m_view->range())
        return edit::FrameSpan{range->first, range->last};
    return edit::FrameSpan{m_view->frame(), edit::kToEnd};
}

std::optional<edit::FrameSpan> Editor::selectedFrames() const {
    const auto& range = m_view->range();
    return range ? std::optional(edit::FrameSpan{range->first, range->last}) : std::nullopt;
}

bool Editor::isInSelectedFrames() {
    return isInReach(selectedFrames());
}

/// A step over the selected frames is judged by the frame that is seen: where that is none of them, it says so.
bool Editor::isInReach() {
    return isInReach(span());
}

bool Editor::isInReach(const std::optional<edit::FrameSpan>& reach) {
    if (!reach || (reach->first <= m_view->frame() && m_view->frame() <= reach->last))
        return true;
    Q_EMIT notice(tr("Nothing was changed: this frame lies outside the selected frames %1\u2013%2. Go into them, or "
                     "clear the selection.")
                      .arg(frameNumber(reach->first), frameNumber(reach->last)));
    return false;
}

bool Editor::isInReach(project::InstanceId instance) {
    const project::InstanceView view = edit::find(m_document->labels(), placeOf(instance));
    return (view.header != nullptr && view.header->track < 0) || isInReach();
}

QString Editor::overFrames() const {
    const auto reach = span();
    if (!reach)
        return onFrame();
    const std::int64_t last = std::min(reach->last, m_view->frameCount() - 1);
    return reach->first >= last ? onFrame()
                                : tr(", frames %1\u2013%2").arg(frameNumber(reach->first), frameNumber(last));
}

QSize Editor::frameSize() const {
    if (m_view->video() < 0 || m_view->video() >= m_document->videoCount())
        return {};
    if (const auto& source = m_document->videoState(m_view->video()).source)
        return {source->width(), source->height()};
    const project::Video& stored = m_document->labels().videos()[video()];
    return {stored.width, stored.height};
}

std::optional<std::uint32_t> Editor::skeletonForNew() const {
    const project::InstanceView view = edit::find(m_document->labels(), placeOf(m_view->selected()));
    if (view.header != nullptr && view.header->skeleton < m_document->labels().skeletons().size())
        return view.header->skeleton;
    for (std::uint32_t i = 0; i < m_document->labels().skeletons().size(); ++i)
        if (!m_document->labels().skeletons()[i].nodes.empty())
            return i;
    return std::nullopt;
}

project::InstanceId Editor::settled(project::InstanceId instance) {
    const Selection one = settled(Selection{instance});
    return one.empty() ? 0 : one.front();
}

Editor::Selection Editor::settled(Selection instances) {
    const auto isLive = [](project::InstanceId id) { return (id & kLiveId) != 0; };
    if (std::none_of(instances.begin(), instances.end(), isLive))
        return instances;
    const ShownFrame shown = m_contents->at(video(), m_view->frame());
    if (!settleFrame())
        return {};
    // The frame's predictions keep their order on the way into the project.
    std::vector<project::InstanceId> before, after;
    for (const ShownInstance& instance : shown.instances)
        if (instance.header.kind == project::InstanceKind::Predicted)
            before.push_back(instance.header.id);
    for (const project::InstanceData& instance :
         edit::frameAt(m_document->labels(), video(), m_view->frame()).instances)
        if (instance.header.kind == project::InstanceKind::Predicted)
            after.push_back(instance.header.id);
    const auto translate = [&](Selection& list) {
        for (project::InstanceId& id : list) {
            const auto at = static_cast<std::size_t>(std::find(before.begin(), before.end(), id) - before.begin());
            if (isLive(id))
                id = at < std::min(before.size(), after.size()) ? after[at] : 0;
        }
        std::erase(list, 0);
    };
    Selection selection = m_view->selection();
    translate(selection);
    m_view->setSelection(std::move(selection));
    const std::size_t wanted = instances.size();
    translate(instances);
    return instances.size() == wanted ? instances : Selection{};
}

bool Editor::settleFrame() {
    if (!bringIn || bringIn(video(), m_view->frame()))
        return true;
    Q_EMIT notice(tr("These predictions get their tracks when the run is over; until then they cannot be changed."));
    return false;
}

// --- Steps ---------------------------------------------------------------------------------------------------------

bool Editor::apply(const QString& title, edit::Outcome outcome, std::optional<Selection> selection,
                   std::uint64_t series) {
    if (outcome.changed == 0)
        return false;
    const StepPlace before = here();
    StepPlace after = before;
    if (selection)
        after.selection = std::move(*selection);
    // What is no longer there cannot be selected.
    std::erase_if(after.selection, [&](project::InstanceId id) {
        return edit::find(outcome.labels, {video(), m_view->frame(), id}).header == nullptr;
    });
    m_lastTouched = after;
    if (series == 0)
        m_nudged = {0, -1};
    m_document->commitEdit(title, std::move(outcome.labels), changeOf(outcome.extent), before, after, series);
    m_view->setSelection(after.selection);
    return true;
}

void Editor::applyLarge(const std::function<QString(std::size_t)>& title, Compute compute, const QString& nothing) {
    if (m_working) {
        Q_EMIT notice(tr("The last change is still being made."));
        return;
    }
    if (m_document->labels().instanceCount() <= kLargeProject) {
        finishLarge(title, compute(m_document->labels()), nothing);
        return;
    }
    m_working = true;
    Q_EMIT workingChanged();
    inBackground(
        this, [snapshot = m_document->snapshot(), compute]() -> Result<edit::Outcome> { return compute(snapshot); },
        [this, snapshot = m_document->snapshot(), title, compute, nothing](Result<edit::Outcome> outcome) {
            m_working = false;
            Q_EMIT workingChanged();
            if (!outcome)
                return;
            // The person went on meanwhile: it is made again from what the project is now.
            if (!m_document->labels().isUnchangedCopyOf(snapshot))
                applyLarge(title, compute, nothing);
            else
                finishLarge(title, std::move(*outcome), nothing);
        });
}

void Editor::finishLarge(const std::function<QString(std::size_t)>& title, edit::Outcome outcome,
                         const QString& nothing) {
    const std::size_t changed = outcome.changed;
    const QString words = title(changed);
    if (apply(words, std::move(outcome)))
        Q_EMIT notice(tr("%1. Undo takes it back.").arg(words));
    else
        Q_EMIT notice(nothing);
}

// --- Instances -----------------------------------------------------------------------------------------------------

void Editor::add(edit::Placement placement) {
    const auto skeleton = skeletonForNew();
    if (!skeleton || m_view->video() < 0)
        return;
    edit::Outcome outcome =
        edit::addInstance(m_document->labels(), video(), m_view->frame(), *skeleton, placement, placementView());
    const std::vector<project::InstanceId> made = outcome.made;
    apply(tr("Add instance%1").arg(onFrame()), std::move(outcome), made);
}

void Editor::addAt(edit::Placement placement, QPointF scene) {
    const auto skeleton = skeletonForNew();
    if (!skeleton || m_view->video() < 0)
        return;
    edit::PlacementView view = placementView();
    view.at = edit::Vec{scene.x(), scene.y()};
    edit::Outcome outcome =
        edit::addInstance(m_document->labels(), video(), m_view->frame(), *skeleton, placement, view);
    const std::vector<project::InstanceId> made = outcome.made;
    apply(tr("Add instance%1").arg(onFrame()), std::move(outcome), made);
}

void Editor::drag(DragResult result) {
    result.instance = settled(result.instance);
    if (result.instance == 0)
        return;
    const project::Labels& labels = m_document->labels();
    const edit::Place place = placeOf(result.instance);
    const auto node = static_cast<std::size_t>(std::max(result.node, 0));
    const QString name = instanceName(result.instance);
    switch (result.kind) {
        case DragKind::Node:
            apply(tr("Move node %1%2").arg(nodeName(result.instance, result.node), onFrame()),
                  edit::moveNode(labels, place, node, result.pose.at(node).x, result.pose.at(node).y));
            break;
        case DragKind::Ghost: {
            edit::Outcome outcome = edit::acceptMoved(labels, place, result.pose, node);
            const std::vector<project::InstanceId> made = outcome.made;
            apply(tr("Correct node %1 of prediction%2").arg(nodeName(result.instance, result.node), onFrame()),
                  std::move(outcome), made);
            break;
        }
        case DragKind::Instance:
            apply((result.turned ? tr("Turn %1%2") : tr("Move %1%2")).arg(name, onFrame()),
                  edit::setPose(labels, place, result.pose));
            break;
        case DragKind::Scale:
            apply(tr("Scale %1%2").arg(name, onFrame()), edit::setPose(labels, place, result.pose));
            break;
        case DragKind::Duplicate: {
            edit::Outcome outcome = edit::duplicate(labels, place, result.pose);
            const std::vector<project::InstanceId> made = outcome.made;
            apply(tr("Duplicate %1%2").arg(name, onFrame()), std::move(outcome), made);
            break;
        }
    }
}

void Editor::nudge(project::InstanceId instance, int node, double dx, double dy) {
    instance = settled(instance);
    if (instance == 0 || node < 0)
        return;
    const project::InstanceView view = edit::find(m_document->labels(), placeOf(instance));
    const auto n = static_cast<std::size_t>(node);
    if (view.header == nullptr || n >= view.points.size() || !hasPlace(view.points[n]))
        return;
    edit::Pose pose(view.points.begin(), view.points.end());
    const edit::Pose before = pose;
    pose[n].x += dx;
    pose[n].y += dy;
    edit::Box box;
    if (edit::frameBox(frameSize().width(), frameSize().height(), box))
        pose = edit::clamped(std::move(pose), before, box);
    const QString title = tr("Nudge node %1%2").arg(nodeName(instance, node), onFrame());
    if (view.header->kind == project::InstanceKind::Predicted) {
        edit::Outcome outcome = edit::acceptMoved(m_document->labels(), placeOf(instance), pose, n);
        const std::vector<project::InstanceId> made = outcome.made;
        apply(title, std::move(outcome), made);
        return;
    }
    if (m_nudged != std::pair(instance, node) || m_nudgedFrame != m_view->frame())
        ++m_series;
    if (apply(title, edit::moveNode(m_document->labels(), placeOf(instance), n, pose[n].x, pose[n].y), std::nullopt,
              kSeriesBit | m_series)) {
        m_nudged = {instance, node};
        m_nudgedFrame = m_view->frame();
    }
}

void Editor::setPoint(project::InstanceId instance, int node, const project::Point& point) {
    instance = settled(instance);
    if (instance != 0 && node >= 0)
        apply(tr("Edit node %1%2").arg(nodeName(instance, node), onFrame()),
              edit::setPoint(m_document->labels(), placeOf(instance), static_cast<std::size_t>(node), point));
}

void Editor::toggleVisible(project::InstanceId instance, int node) {
    instance = settled(instance);
    if (instance == 0 || node < 0)
        return;
    const project::InstanceView view = edit::find(m_document->labels(), placeOf(instance));
    const auto n = static_cast<std::size_t>(node);
    if (view.header == nullptr || n >= view.points.size())
        return;
    const QString title = view.points[n].visible ? tr("Mark node %1 not visible%2") : tr("Mark node %1 visible%2");
    if (!apply(title.arg(nodeName(instance, node), onFrame()),
               edit::toggleVisible(m_document->labels(), placeOf(instance), n)))
        Q_EMIT notice(tr("Only nodes of user instances can be shown or hidden; double-click accepts a prediction."));
}

void Editor::markComplete(project::InstanceId instance) {
    instance = settled(instance);
    if (instance != 0)
        apply(tr("Mark %1 complete%2").arg(instanceName(instance), onFrame()),
              edit::markComplete(m_document->labels(), placeOf(instance)));
}

void Editor::addMissingNodes(project::InstanceId instance) {
    const QSize size = frameSize();
    instance = settled(instance);
    if (instance != 0 &&
        !apply(tr("Add missing nodes of %1%2").arg(instanceName(instance), onFrame()),
               edit::addMissingNodes(m_document->labels(), placeOf(instance), size.width(), size.height())))
        Q_EMIT notice(tr("This instance has all its nodes."));
}

void Editor::accept(project::InstanceId prediction, bool complete) {
    prediction = settled(prediction);
    if (prediction == 0)
        return;
    const QString name = instanceName(prediction);
    edit::Outcome outcome = edit::acceptPrediction(m_document->labels(), placeOf(prediction), complete);
    const std::vector<project::InstanceId> made = outcome.made;
    apply((complete ? tr("Accept %1 as complete%2") : tr("Accept %1%2")).arg(name, onFrame()), std::move(outcome),
          made);
}

void Editor::acceptFrame() {
    if (m_view->video() < 0 || !settleFrame())
        return;
    edit::Outcome outcome = edit::acceptFrame(m_document->labels(), video(), m_view->frame());
    const std::size_t count = outcome.changed;
    const std::vector<project::InstanceId> made = outcome.made;
    if (!apply(tr("Accept %1%2")
                   .arg(text::count(static_cast<std::int64_t>(count), tr("prediction"), tr("predictions")), onFrame()),
               std::move(outcome), made.empty() ? Selection{} : Selection{made.back()}))
        Q_EMIT notice(tr("Every prediction on this frame was accepted already."));
}

void Editor::acceptVideo() {
    applyLarge(
        [](std::size_t n) {
            return tr("Accept %1").arg(text::count(static_cast<std::int64_t>(n), tr("prediction"), tr("predictions")));
        },
        [v = video()](const project::Labels& labels) { return edit::acceptVideo(labels, v); },
        tr("Every prediction of this video was accepted already."));
}

void Editor::deleteSelected() {
    for (const project::InstanceId id : m_view->selection())
        if (settled(id) == 0)
            return;
    const Selection selected = m_view->selection();
    const QString title = selected.size() == 1 ? tr("Delete %1%2").arg(instanceName(selected.front()), onFrame())
                                               : tr("Delete %1 instances%2").arg(selected.size()).arg(onFrame());
    apply(title, edit::deleteInstances(m_document->labels(), video(), m_view->frame(), selected), Selection{});
}

void Editor::mergeSelected() {
    // The first chosen one stays.
    const Selection selected = m_view->selection();
    if (!apply(tr("Merge %1 instances%2").arg(selected.size()).arg(onFrame()),
               edit::mergeInstances(m_document->labels(), video(), m_view->frame(), selected)))
        Q_EMIT notice(tr("Only user instances of one skeleton can be merged."));
}

void Editor::mergeWith(project::InstanceId other) {
    const Selection pair{m_view->selected(), other};
    if (!apply(tr("Merge %1 with %2%3").arg(instanceName(pair[0]), instanceName(other), onFrame()),
               edit::mergeInstances(m_document->labels(), video(), m_view->frame(), pair), Selection{pair[0]}))
        Q_EMIT notice(tr("Only user instances of one skeleton can be merged."));
}

void Editor::toggleNegative() {
    if (m_view->video() < 0)
        return;
    const bool is = edit::isNegative(m_document->labels(), video(), m_view->frame());
    apply((is ? tr("Unmark negative frame %1") : tr("Mark frame %1 as negative")).arg(frameNumber(m_view->frame())),
          edit::toggleNegative(m_document->labels(), video(), m_view->frame()));
}

// --- Clipboard -----------------------------------------------------------------------------------------------------

void Editor::copyInstance() {
    const auto clip = edit::copyInstance(m_document->labels(), placeOf(m_view->selected()));
    if (!clip)
        return;
    QGuiApplication::clipboard()->setMimeData(toMime(*clip));
    Q_EMIT notice(tr("Copied %1.").arg(instanceName(m_view->selected())));
}

bool Editor::clipboardHasInstance() {
    return hasClip(QGuiApplication::clipboard()->mimeData());
}

void Editor::pasteInstance() {
    const auto clip = clipFrom(QGuiApplication::clipboard()->mimeData());
    const auto skeleton = skeletonForNew();
    if (!clip || !skeleton || m_view->video() < 0)
        return;
    edit::Outcome outcome = edit::pasteInstance(m_document->labels(), video(), m_view->frame(), *skeleton, *clip);
    const std::vector<project::InstanceId> made = outcome.made;
    if (!apply(tr("Paste instance%1").arg(onFrame()), std::move(outcome), made))
        Q_EMIT notice(tr("The copied instance has no node that this project's skeleton knows."));
}

void Editor::copyTrack() {
    const project::InstanceView view = edit::find(m_document->labels(), placeOf(m_view->selected()));
    if (view.header == nullptr || view.header->track < 0)
        return;
    m_copiedTrack = m_document->labels().tracks().at(static_cast<std::size_t>(view.header->track)).name;
    Q_EMIT notice(tr("Copied the track %1.").arg(QString::fromStdString(m_copiedTrack)));
}

int Editor::copiedTrack() const {
    const auto& tracks = m_document->labels().tracks();
    for (std::size_t t = 0; t < tracks.size() && !m_copiedTrack.empty(); ++t)
        if (tracks[t].name == m_copiedTrack)
            return static_cast<int>(t);
    return -1;
}

void Editor::pasteTrack() {
    if (copiedTrack() >= 0)
        setTrack(copiedTrack());
}

}  // namespace skein::ui
