// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_run_host.h"

#include <algorithm>

#include "engine/video/video_source.h"
#include "ui/dialogs/target_frames.h"
#include "ui/main_window.h"
#include "ui/panels/videos_panel.h"
#include "ui/tracks/proofreading.h"

namespace skein::ui {

/// As far as it is known; `problem` only says what will not change by waiting.
RunVideo WindowRunHost::describe(int index) const {
    Document& document = *m_window->m_document;
    const VideoState& state = document.videoState(index);
    RunVideo video;
    video.index = static_cast<std::uint32_t>(index);
    video.name = document.videoName(index);
    video.source = state.source;
    video.frameCount = document.frameCount(index);
    if (state.source) {
        video.width = state.source->width();
        video.height = state.source->height();
    } else if (state.kind == VideoState::Kind::Missing || state.kind == VideoState::Kind::Unreadable) {
        video.problem = state.problem.message;
    }
    return video;
}

std::optional<RunVideo> WindowRunHost::currentVideo() const {
    const int index = m_window->m_view->video();
    if (index < 0 || index >= m_window->m_document->videoCount())
        return std::nullopt;
    RunVideo video = describe(index);
    if (!video.source && video.problem.isEmpty())
        video.problem = MainWindow::tr("%1 is still being read.").arg(video.name);
    return video;
}

std::vector<RunVideo> WindowRunHost::videos() const {
    std::vector<RunVideo> videos;
    for (int index = 0; index < m_window->m_document->videoCount(); ++index)
        videos.push_back(describe(index));
    return videos;
}

std::vector<std::uint32_t> WindowRunHost::selectedVideos() const {
    std::vector<std::uint32_t> selected;
    for (const std::size_t index : m_window->m_videos->selectedVideos())
        selected.push_back(static_cast<std::uint32_t>(index));
    return selected;
}

void WindowRunHost::wantVideo(std::uint32_t video) {
    m_window->m_document->wantVideo(static_cast<int>(video));
}

std::optional<std::vector<FrameRange>> WindowRunHost::issueFrames(std::uint32_t video) const {
    const IssueList& issues = m_window->m_proofreading->issues();
    if (!issues.isWanted())
        return std::nullopt;
    std::vector<FrameRange> frames;
    for (const IssueList::Entry& entry : issues.entries())
        if (entry.state == IssueList::State::Open && entry.issue.video == video)
            frames.push_back({entry.issue.first, entry.issue.last});
    std::sort(frames.begin(), frames.end(), [](const FrameRange& a, const FrameRange& b) { return a.first < b.first; });
    return unionOf(frames, {});
}

std::int64_t WindowRunHost::currentFrame() const {
    return m_window->m_view->frame();
}
std::optional<FrameRange> WindowRunHost::selection() const {
    return m_window->m_view->range();
}
bool WindowRunHost::countFramesFromZero() const {
    return m_window->m_countFromZero;
}
const project::Labels& WindowRunHost::labels() const {
    return m_window->m_document->labels();
}

void WindowRunHost::applyRun(project::Labels next, const RunChange& change) {
    Change what;
    what.kinds = ChangeKinds(ChangeKind::Frames) | ChangeKind::Tracks | ChangeKind::Skeletons;
    what.video = change.video;
    what.first = change.frames.empty() ? 0 : change.frames.front();
    what.last = change.frames.empty() ? -1 : change.frames.back();
    m_window->m_document->commitRun(change.run, change.text, std::move(next), what);
}

void WindowRunHost::showFrame(std::uint32_t video, std::int64_t frame) {
    const int index = static_cast<int>(video);
    if (index != m_window->m_view->video())
        m_window->showVideo(index, frame);
    m_window->m_view->setFrame(frame);
}

}  // namespace skein::ui
