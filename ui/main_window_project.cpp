// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QFileInfo>
#include <algorithm>

#include "engine/project/edit/videos.h"
#include "engine/video/video_source.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/suggestion_dialog.h"
#include "ui/edit/project_editor.h"
#include "ui/find/find_bar.h"
#include "ui/main_window.h"
#include "ui/panels/skeleton_panel.h"
#include "ui/panels/suggestions_panel.h"
#include "ui/panels/videos_panel.h"
#include "ui/run_controller.h"
#include "ui/text.h"

// Lists of the project: suggestions, skeletons, videos, and finding frames.
namespace skein::ui {

void MainWindow::buildProjectDocks() {
    const auto a = [this](const char* id) { return m_actions->get(id); };
    m_projectEditor = new ProjectEditor(m_document, m_view, this);
    m_suggestions = new SuggestionsPanel(m_document, m_view, m_projectEditor,
                                         {a("suggestionAdd"), a("suggestionRemove"), a("suggestionClear"),
                                          a("goPrevSuggestion"), a("goNextSuggestion"), a("suggestionGenerate")},
                                         this);
    m_skeleton = new SkeletonPanel(m_document, m_projectEditor,
                                   {a("skeletonTemplate"), a("skeletonLoad"), a("skeletonSave")}, this);
    m_suggestionsDock = addDock("dockSuggestions", tr("Suggestions"), m_suggestions);
    m_skeletonDock = addDock("dockSkeleton", tr("Skeleton"), m_skeleton);
    m_find->setActions(a("findPrevious"), a("findNext"));
}

void MainWindow::connectProject() {
    ActionTable& a = *m_actions;
    m_projectEditor->frameNumber = [this](std::int64_t frame) { return frameNumber(frame); };
    const auto held = [this] {
        return m_run->isRunning() ? tr("Videos and skeletons stay as they are while a run is going.") : QString();
    };
    m_projectEditor->blocked = held;
    m_document->videosHeld = held;
    connect(m_document, &Document::stepRefused, m_status, &StatusFields::notice);
    const auto dialogs = [this]() -> DialogService& { return m_session->dialogs(); };
    m_skeleton->dialogs = dialogs;
    m_skeleton->folder = [this] { return QFileInfo(m_document->path()).absolutePath(); };
    m_find->dialogs = dialogs;
    connect(m_projectEditor, &ProjectEditor::notice, m_status, &StatusFields::notice);
    connect(m_skeleton, &SkeletonPanel::notice, m_status, &StatusFields::notice);
    connect(m_skeleton, &SkeletonPanel::problem, this,
            [this](const UiError& error) { m_messages->post(QStringLiteral("skeleton"), Severity::Error, error, {}); });
    connect(m_projectEditor, &ProjectEditor::videosRearranged, this, [this](int shown) {
        if (m_document->videoCount() > 0)
            showVideo(std::clamp(shown, 0, m_document->videoCount() - 1), shown >= 0 ? m_view->frame() : 0);
        else
            m_canvas->setPlaceholder(tr("This project has no video. Drop one here."));
    });

    const auto visit = [this](int video, qint64 frame) { goToPlace(video, frame); };
    connect(m_suggestions, &SuggestionsPanel::placeWanted, this, visit);
    connect(m_suggestions, &SuggestionsPanel::selectionChanged, this, &MainWindow::scheduleUpdate);
    connect(m_find, &FindBar::placeWanted, this, visit);
    connect(m_find, &FindBar::foundChanged, this, [this] {
        showFound();
        scheduleUpdate();
    });
    connect(m_view, &ViewState::videoChanged, this, &MainWindow::showFound);
    connect(m_find, &FindBar::regionWanted, this, [this] {
        m_canvas->setChoosingArea(true);
        m_status->notice(tr("Draw the rectangle to look in. Esc cancels."));
    });

    a.on("suggestionAdd", [this] { m_projectEditor->addSuggestion(m_view->video(), m_view->frame()); });
    a.on("suggestionRemove", [this] { m_suggestions->removeSelected(); });
    a.on("suggestionClear", [this] { m_projectEditor->clearSuggestions(); });
    a.on("suggestionGenerate", [this] {
        auto* dialog = new SuggestionDialog(m_document, &m_session->dialogs(), m_view->video(),
                                            m_videos->selectedVideos(), m_view->range(), firstFrameNumber(), this);
        connect(dialog, &SuggestionDialog::found, m_projectEditor, &ProjectEditor::addSuggestions);
        dialog->show();
    });
    a.on("skeletonTemplate", [this] { m_skeleton->chooseTemplate(); });
    a.on("skeletonLoad", [this] { m_skeleton->load(); });
    a.on("skeletonSave", [this] { m_skeleton->save(); });

    a.on("videoRemove", [this] { askToRemoveVideos(); });
    a.on("videoGray",
         [this](bool on) { m_projectEditor->setGrayscale(m_videos->selectedVideos(), std::optional(on)); });
    a.on("videoAuto", [this] { m_projectEditor->setGrayscale(m_videos->selectedVideos(), std::nullopt); });
    a.on("videoUp", [this] { moveSelectedVideo(-1); });
    a.on("videoDown", [this] { moveSelectedVideo(1); });
    connect(m_videos, &VideosPanel::selectionChanged, this, &MainWindow::scheduleUpdate);

    a.on("editFind", [this] { m_find->open(); });
    const auto found = [this](int direction) {
        if (const auto next = m_find->neighbour(m_view->video(), m_view->frame(), direction)) {
            goToPlace(next->video, next->frame);
            if (next->wrapped)
                m_status->notice(direction > 0 ? tr("Went on from the start.") : tr("Went on from the end."));
        } else {
            m_status->notice(tr("No frame was found."));
        }
    };
    a.on("findNext", [found] { found(1); });
    a.on("findPrevious", [found] { found(-1); });

    // A video that cannot be labelled for want of a skeleton: that dock in front, with its templates.
    connect(m_document, &Document::opened, this, [this] {
        if (m_document->isOpen() && m_document->videoCount() > 0 && m_document->labels().skeletons().empty() &&
            !m_skeletonDock->isHidden())
            m_skeletonDock->raise();
    });
}

/// The person goes to a place of the project.
void MainWindow::goToPlace(int video, std::int64_t frame) {
    if (video < 0 || video >= m_document->videoCount())
        return;
    m_playback->stop();
    leavePlace();
    m_run->personMoved();
    if (video != m_view->video())
        showVideo(video, frame);
    m_view->setFrame(frame);
}

void MainWindow::showFound() {
    std::vector<std::int64_t> frames;
    for (const project::FoundFrame& found : *m_find->found())
        if (static_cast<int>(found.video) == m_view->video())
            frames.push_back(found.frame);
    m_timeline->setFound(std::move(frames));
}

void MainWindow::moveSelectedVideo(int by) {
    const std::vector<std::size_t> videos = m_videos->selectedVideos();
    if (videos.size() != 1) {
        m_status->notice(tr("Select one video in the dock Videos first."));
        return;
    }
    const auto to = static_cast<std::ptrdiff_t>(videos.front()) + by;
    if (to >= 0 && to < m_document->videoCount())
        m_projectEditor->moveVideo(videos.front(), static_cast<std::size_t>(to));
}

void MainWindow::askToRemoveVideos() {
    const std::vector<std::size_t> videos = m_videos->selectedVideos();
    if (videos.empty())
        return;
    inBackground(
        this,
        [labels = m_document->snapshot(), videos]() -> Result<project::edit::VideoContents> {
            return project::edit::contentsOf(labels, videos);
        },
        [this, videos](Result<project::edit::VideoContents> counted) {
            // The numbers of videos mean what they meant only as long as the list is the same.
            if (!counted || videos.back() >= m_document->labels().videos().size())
                return;
            if (counted->isEmpty()) {
                m_projectEditor->removeVideos(videos);
                return;
            }
            QStringList parts;
            const auto add = [&parts](std::size_t n, const QString& one, const QString& many) {
                if (n > 0)
                    parts << text::count(static_cast<std::int64_t>(n), one, many);
            };
            add(counted->userInstances, tr("user instance"), tr("user instances"));
            add(counted->predictions, tr("prediction"), tr("predictions"));
            add(counted->suggestions, tr("suggestion"), tr("suggestions"));
            add(counted->negatives, tr("negative mark"), tr("negative marks"));
            const QString what = videos.size() == 1
                                     ? m_document->videoName(static_cast<int>(videos.front()))
                                     : text::count(static_cast<std::int64_t>(videos.size()), tr("video"), tr("videos"));
            m_session->dialogs().confirm(
                this, tr("Remove %1 from the project?").arg(what),
                parts.isEmpty() ? tr("Nothing is labelled in it. The video's file stays.")
                                : tr("With it go %1. The video's file stays, and Undo brings all back.")
                                      .arg(parts.join(QStringLiteral(", "))),
                videos.size() == 1 ? tr("Remove Video") : tr("Remove %1 Videos").arg(videos.size()),
                [this, videos](bool yes) {
                    if (yes)
                        m_projectEditor->removeVideos(videos);
                });
        });
}

void MainWindow::gatherProjectFacts(ActionFacts& facts) const {
    const std::vector<std::size_t> selected = m_videos->selectedVideos();
    facts.videos = m_document->videoCount() > 0 && !selected.empty();
    facts.found = !m_find->found()->empty();
    facts.suggestionsSelected = m_suggestions->hasSelection();
    facts.anySkeleton = !m_document->labels().skeletons().empty();
    // A tick when models get one channel of every selected video, by choice or because the pictures are grey.
    const bool gray = !selected.empty() && std::all_of(selected.begin(), selected.end(), [this](std::size_t v) {
        const auto& choice = m_document->labels().videos()[v].grayscale;
        const auto& source = m_document->videoState(static_cast<int>(v)).source;
        return choice.value_or(source && source->isGray());
    });
    m_actions->get("videoGray")->setChecked(gray);
}

}  // namespace skein::ui
