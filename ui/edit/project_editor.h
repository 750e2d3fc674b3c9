// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "engine/project/edit/edit.h"
#include "engine/project/edit/skeletons.h"
#include "engine/suggestions/suggest.h"
#include "ui/document.h"
#include "ui/view_state.h"

namespace skein::ui {

/// Turns what a person does to the project's lists (suggestions, skeletons, videos) into undo steps, as Editor does for
/// what is on a frame. Edits that touch every instance of a large project are made by a worker. GUI thread only.
class ProjectEditor : public QObject {
    Q_OBJECT
public:
    ProjectEditor(Document* document, ViewState* view, QObject* parent);

    /// How the window numbers frames.
    std::function<QString(std::int64_t)> frameNumber;
    /// Why lists of videos and skeletons must stay as they are now; empty: they need not.
    std::function<QString()> blocked;

    void addSuggestion(int video, std::int64_t frame);
    void addSuggestions(const std::vector<suggestions::Suggested>& found, bool replace);
    void removeSuggestions(const std::vector<std::size_t>& places);
    void clearSuggestions();
    /// Why a frame was suggested, as the project's file keeps it; empty: not said.
    [[nodiscard]] static QString reasonOf(const project::Suggestion& suggestion);

    void addSkeleton(project::Skeleton skeleton);
    void replaceSkeleton(std::size_t skeleton, project::Skeleton next, const QString& title);
    void renameSkeleton(std::size_t skeleton, const QString& name);
    void addNode(std::size_t skeleton, const QString& name);
    void removeNodes(std::size_t skeleton, std::vector<std::size_t> nodes);
    bool renameNode(std::size_t skeleton, std::size_t node, const QString& name);
    void moveNode(std::size_t skeleton, std::size_t node, std::size_t to);
    bool addEdge(std::size_t skeleton, project::Edge edge);
    bool setEdge(std::size_t skeleton, std::size_t edge, project::Edge next);
    void removeEdges(std::size_t skeleton, std::vector<std::size_t> edges);
    void setSymmetry(std::size_t skeleton, std::size_t node, std::optional<std::size_t> other);

    void removeVideos(std::vector<std::size_t> videos);
    void moveVideo(std::size_t video, std::size_t to);
    void setGrayscale(std::vector<std::size_t> videos, std::optional<bool> grayscale);

    [[nodiscard]] bool isWorking() const { return m_working; }

Q_SIGNALS:
    void notice(const QString& words);
    /// The list of videos was rearranged; what was shown is video `shown` now (-1: it went).
    void videosRearranged(int shown);

private:
    using Compute = std::function<project::edit::Outcome(const project::Labels&)>;
    bool apply(const QString& title, project::edit::Outcome outcome, ChangeKinds kinds);
    void applyLarge(const QString& title, const Compute& compute, ChangeKinds kinds,
                    const std::function<void()>& then = {});
    [[nodiscard]] bool mayChange();
    [[nodiscard]] QString nodeName(std::size_t skeleton, std::size_t node) const;
    [[nodiscard]] const project::Skeleton* skeletonAt(std::size_t skeleton) const;

    Document* m_document;
    ViewState* m_view;
    bool m_working = false;
};

}  // namespace skein::ui
