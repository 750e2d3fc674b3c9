// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/project_editor.h"

#include <QJsonDocument>
#include <QJsonObject>

#include "engine/project/edit/suggestions.h"
#include "engine/project/edit/videos.h"
#include "ui/bridge/background.h"
#include "ui/text.h"

namespace skein::ui {

namespace edit = project::edit;

namespace {
/// Instances up to which an edit of all of them is made at once.
constexpr std::size_t kLargeProject = 20'000;

std::string rowWith(const std::string& reason) {
    if (reason.empty())
        return {};
    const QJsonObject row{{QStringLiteral("reason"), QString::fromStdString(reason)}};
    return QJsonDocument(row).toJson(QJsonDocument::Compact).toStdString();
}

QString suggestionsWord(std::size_t n) {
    return text::count(static_cast<std::int64_t>(n), ProjectEditor::tr("suggestion"), ProjectEditor::tr("suggestions"));
}
}  // namespace

ProjectEditor::ProjectEditor(Document* document, ViewState* view, QObject* parent)
    : QObject(parent), m_document(document), m_view(view) {
    frameNumber = [](std::int64_t frame) { return text::number(frame + 1); };
    blocked = [] { return QString(); };
}

bool ProjectEditor::apply(const QString& title, edit::Outcome outcome, ChangeKinds kinds) {
    if (outcome.changed == 0)
        return false;
    m_document->commit(title, std::move(outcome.labels), {kinds, 0, 0, -1});
    return true;
}

void ProjectEditor::applyLarge(const QString& title, const Compute& compute, ChangeKinds kinds,
                               const std::function<void()>& then) {
    if (m_working) {
        Q_EMIT notice(tr("The last change is still being made."));
        return;
    }
    if (m_document->labels().instanceCount() <= kLargeProject) {
        if (apply(title, compute(m_document->labels()), kinds) && then)
            then();
        return;
    }
    m_working = true;
    inBackground(
        this, [snapshot = m_document->snapshot(), compute]() -> Result<edit::Outcome> { return compute(snapshot); },
        [this, snapshot = m_document->snapshot(), title, compute, kinds, then](Result<edit::Outcome> outcome) {
            m_working = false;
            if (!outcome)
                Q_EMIT notice(QString::fromStdString(outcome.error().message()));
            else if (!m_document->labels().isUnchangedCopyOf(snapshot))
                applyLarge(title, compute, kinds, then);  // the person went on meanwhile
            else if (apply(title, std::move(*outcome), kinds) && then)
                then();
        });
}

bool ProjectEditor::mayChange() {
    const QString reason = blocked();
    if (!reason.isEmpty())
        Q_EMIT notice(reason);
    return reason.isEmpty();
}

// --- Suggestions ---------------------------------------------------------------------------------------------------

QString ProjectEditor::reasonOf(const project::Suggestion& suggestion) {
    if (suggestion.rowJson.find("reason") == std::string::npos)
        return {};
    return QJsonDocument::fromJson(QByteArray::fromStdString(suggestion.rowJson))
        .object()
        .value(QStringLiteral("reason"))
        .toString();
}

void ProjectEditor::addSuggestion(int video, std::int64_t frame) {
    if (video < 0)
        return;
    const project::Suggestion added[] = {
        {static_cast<std::uint32_t>(video), frame, 0, rowWith(tr("chosen by hand").toStdString())}};
    if (!apply(tr("Suggest frame %1").arg(frameNumber(frame)), edit::addSuggestions(m_document->labels(), added),
               ChangeKind::Suggestions))
        Q_EMIT notice(tr("Frame %1 is suggested already.").arg(frameNumber(frame)));
}

void ProjectEditor::addSuggestions(const std::vector<suggestions::Suggested>& found, bool replace) {
    std::vector<project::Suggestion> added;
    added.reserve(found.size());
    for (const suggestions::Suggested& one : found)
        added.push_back({one.video, one.frame, one.group, rowWith(one.reason)});
    if (!apply(tr("Suggest %1").arg(text::count(static_cast<std::int64_t>(found.size()), tr("frame"), tr("frames"))),
               edit::addSuggestions(m_document->labels(), added, replace), ChangeKind::Suggestions))
        Q_EMIT notice(tr("No frame was added: none was found that is not suggested or labelled already."));
    else
        Q_EMIT notice(tr("%1 added.").arg(suggestionsWord(found.size())));
}

void ProjectEditor::removeSuggestions(const std::vector<std::size_t>& places) {
    apply(tr("Remove %1").arg(suggestionsWord(places.size())), edit::removeSuggestions(m_document->labels(), places),
          ChangeKind::Suggestions);
}

void ProjectEditor::clearSuggestions() {
    apply(tr("Clear %1").arg(suggestionsWord(m_document->labels().suggestions().size())),
          edit::clearSuggestions(m_document->labels()), ChangeKind::Suggestions);
}

// --- Skeletons -----------------------------------------------------------------------------------------------------

namespace {
constexpr auto kOutline = ChangeKind::Skeletons;  // names and lines: no instance changes
const ChangeKinds kNodes = ChangeKinds(ChangeKind::Skeletons) | ChangeKind::Frames;
}  // namespace

const project::Skeleton* ProjectEditor::skeletonAt(std::size_t skeleton) const {
    const auto& all = m_document->labels().skeletons();
    return skeleton < all.size() ? &all[skeleton] : nullptr;
}

QString ProjectEditor::nodeName(std::size_t skeleton, std::size_t node) const {
    const project::Skeleton* one = skeletonAt(skeleton);
    return one != nullptr && node < one->nodes.size() ? QString::fromStdString(one->nodes[node]) : QString();
}

void ProjectEditor::addSkeleton(project::Skeleton skeleton) {
    if (mayChange())
        apply(tr("New skeleton"), edit::addSkeleton(m_document->labels(), std::move(skeleton)), kOutline);
}

void ProjectEditor::replaceSkeleton(std::size_t skeleton, project::Skeleton next, const QString& title) {
    if (mayChange())
        applyLarge(
            title,
            [skeleton, next = std::move(next)](const project::Labels& labels) {
                return edit::replaceSkeleton(labels, skeleton, next);
            },
            kNodes);
}

void ProjectEditor::renameSkeleton(std::size_t skeleton, const QString& name) {
    if (mayChange())
        apply(tr("Rename skeleton to %1").arg(name),
              edit::renameSkeleton(m_document->labels(), skeleton, name.toStdString()), kOutline);
}

void ProjectEditor::addNode(std::size_t skeleton, const QString& name) {
    if (mayChange())
        applyLarge(
            tr("New node %1").arg(name),
            [skeleton, n = name.toStdString()](const project::Labels& labels) {
                return edit::addNode(labels, skeleton, n);
            },
            kNodes);
}

void ProjectEditor::removeNodes(std::size_t skeleton, std::vector<std::size_t> nodes) {
    if (!mayChange() || nodes.empty())
        return;
    const QString what = nodes.size() == 1
                             ? tr("node %1").arg(nodeName(skeleton, nodes.front()))
                             : text::count(static_cast<std::int64_t>(nodes.size()), tr("node"), tr("nodes"));
    applyLarge(
        tr("Delete %1").arg(what),
        [skeleton, nodes = std::move(nodes)](const project::Labels& labels) {
            return edit::removeNodes(labels, skeleton, nodes);
        },
        kNodes);
}

bool ProjectEditor::renameNode(std::size_t skeleton, std::size_t node, const QString& name) {
    const QString before = nodeName(skeleton, node);
    if (name == before || !mayChange())
        return false;
    if (apply(tr("Rename node %1 to %2").arg(before, name),
              edit::renameNode(m_document->labels(), skeleton, node, name.toStdString()), kOutline))
        return true;
    Q_EMIT notice(name.isEmpty() ? tr("A node needs a name.") : tr("There is a node %1 already.").arg(name));
    return false;
}

void ProjectEditor::moveNode(std::size_t skeleton, std::size_t node, std::size_t to) {
    if (mayChange())
        applyLarge(
            tr("Move node %1").arg(nodeName(skeleton, node)),
            [skeleton, node, to](const project::Labels& labels) { return edit::moveNode(labels, skeleton, node, to); },
            kNodes);
}

bool ProjectEditor::addEdge(std::size_t skeleton, project::Edge edge) {
    if (!mayChange())
        return false;
    const QString from = nodeName(skeleton, static_cast<std::size_t>(edge.source)),
                  to = nodeName(skeleton, static_cast<std::size_t>(edge.destination));
    if (apply(tr("New edge %1 to %2").arg(from, to), edit::addEdge(m_document->labels(), skeleton, edge), kOutline))
        return true;
    Q_EMIT notice(edge.source == edge.destination ? tr("An edge leads from one node to another.")
                                                  : tr("There is an edge from %1 to %2 already.").arg(from, to));
    return false;
}

bool ProjectEditor::setEdge(std::size_t skeleton, std::size_t at, project::Edge next) {
    const project::Skeleton* one = skeletonAt(skeleton);
    if (one == nullptr || at >= one->edges.size() || one->edges[at] == next || !mayChange())
        return false;
    if (apply(tr("Change edge %1 to %2")
                  .arg(nodeName(skeleton, static_cast<std::size_t>(next.source)),
                       nodeName(skeleton, static_cast<std::size_t>(next.destination))),
              edit::setEdge(m_document->labels(), skeleton, at, next), kOutline))
        return true;
    Q_EMIT notice(next.source == next.destination ? tr("An edge leads from one node to another.")
                                                  : tr("That edge is there already."));
    return false;
}

void ProjectEditor::removeEdges(std::size_t skeleton, std::vector<std::size_t> edges) {
    if (mayChange())
        apply(tr("Delete %1").arg(text::count(static_cast<std::int64_t>(edges.size()), tr("edge"), tr("edges"))),
              edit::removeEdges(m_document->labels(), skeleton, edges), kOutline);
}

void ProjectEditor::setSymmetry(std::size_t skeleton, std::size_t node, std::optional<std::size_t> other) {
    if (mayChange())
        apply(other ? tr("Pair %1 with %2").arg(nodeName(skeleton, node), nodeName(skeleton, *other))
                    : tr("Unpair %1").arg(nodeName(skeleton, node)),
              edit::setSymmetry(m_document->labels(), skeleton, node, other), kOutline);
}

// --- Videos --------------------------------------------------------------------------------------------------------

namespace {
const ChangeKinds kVideoLists = ChangeKinds(ChangeKind::Videos) | ChangeKind::Frames | ChangeKind::Suggestions;
}

void ProjectEditor::removeVideos(std::vector<std::size_t> videos) {
    if (!mayChange() || videos.empty())
        return;
    const QString what = videos.size() == 1
                             ? m_document->videoName(static_cast<int>(videos.front()))
                             : text::count(static_cast<std::int64_t>(videos.size()), tr("video"), tr("videos"));
    int shown = m_view->video();
    for (const std::size_t video : videos)
        if (static_cast<int>(video) == m_view->video())
            shown = -1;
        else if (shown >= 0 && static_cast<int>(video) < m_view->video())
            --shown;
    applyLarge(
        tr("Remove %1").arg(what),
        [videos](const project::Labels& labels) { return edit::removeVideos(labels, videos); }, kVideoLists,
        [this, shown] { Q_EMIT videosRearranged(shown); });
}

void ProjectEditor::moveVideo(std::size_t video, std::size_t to) {
    if (!mayChange() || static_cast<int>(video) >= m_document->videoCount())
        return;
    int shown = m_view->video();
    const auto from = static_cast<int>(video), target = static_cast<int>(to);
    if (shown == from)
        shown = target;
    else if (from < shown && shown <= target)
        --shown;
    else if (target <= shown && shown < from)
        ++shown;
    applyLarge(
        tr("Move %1").arg(m_document->videoName(from)),
        [video, to](const project::Labels& labels) { return edit::moveVideo(labels, video, to); }, kVideoLists,
        [this, shown] { Q_EMIT videosRearranged(shown); });
}

void ProjectEditor::setGrayscale(std::vector<std::size_t> videos, std::optional<bool> grayscale) {
    const QString title = !grayscale   ? tr("Treat %1 as the pictures say")
                          : *grayscale ? tr("Treat %1 as grey")
                                       : tr("Treat %1 as colour");
    if (mayChange())
        apply(title.arg(text::count(static_cast<std::int64_t>(videos.size()), tr("video"), tr("videos"))),
              edit::setGrayscale(m_document->labels(), videos, grayscale), ChangeKind::Videos);
}

}  // namespace skein::ui
