// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_run_host.h"

#include "engine/video/video_source.h"
#include "ui/main_window.h"

namespace skein::ui {

std::optional<RunVideo> WindowRunHost::currentVideo() const {
    const int index = m_window->m_view->video();
    Document& document = *m_window->m_document;
    if (index < 0 || index >= document.videoCount())
        return std::nullopt;
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
    } else {
        video.problem = MainWindow::tr("%1 is still being read.").arg(video.name);
    }
    return video;
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
