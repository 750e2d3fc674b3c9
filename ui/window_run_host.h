// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/run_host.h"

class QWidget;

namespace skein::ui {

class MainWindow;
class RunController;

/// What a run asks of the window, answered from its document and view. GUI thread only.
class WindowRunHost : public RunHost {
public:
    explicit WindowRunHost(MainWindow* window) : m_window(window) {}

    std::optional<RunVideo> currentVideo() const override;
    std::vector<RunVideo> videos() const override;
    std::vector<std::uint32_t> selectedVideos() const override;
    void wantVideo(std::uint32_t video) override;
    std::optional<std::vector<FrameRange>> issueFrames(std::uint32_t video) const override;
    std::int64_t currentFrame() const override;
    std::optional<FrameRange> selection() const override;
    bool countFramesFromZero() const override;
    const project::Labels& labels() const override;
    void applyRun(project::Labels next, const RunChange& change) override;
    void showFrame(std::uint32_t video, std::int64_t frame) override;

private:
    [[nodiscard]] RunVideo describe(int index) const;
    MainWindow* m_window;
};

}  // namespace skein::ui
