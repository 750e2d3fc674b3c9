// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <atomic>
#include <set>

#include "engine/video/video_source.h"

namespace skein::test {

/// A video made up in memory: every pixel of frame k holds k (its low byte). Frames may be marked broken, and the size
/// may change at one frame.
class FakeVideo : public video::VideoSource {
public:
    explicit FakeVideo(video::FrameNumber frames, int width = 8, int height = 6)
        : m_frames(frames), m_width(width), m_height(height) {}

    std::set<video::FrameNumber> broken;
    video::FrameNumber growsAt = -1;  ///< from here on pictures are twice as wide
    bool failsToOpen = false;
    std::shared_ptr<std::atomic<int>> reads = std::make_shared<std::atomic<int>>(0);

    [[nodiscard]] video::FrameNumber frameCount() const override { return m_frames; }
    [[nodiscard]] int width() const override { return m_width; }
    [[nodiscard]] int height() const override { return m_height; }
    [[nodiscard]] bool isGray() const override { return true; }
    [[nodiscard]] Result<ImagePtr> read(video::FrameNumber frame, video::PixelFormat, std::stop_token stop) override {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Stopped.");
        ++*reads;
        if (broken.count(frame) != 0)
            return fail(ErrorCode::Decode, "Frame " + std::to_string(frame) + " is damaged.");
        const int width = growsAt >= 0 && frame >= growsAt ? 2 * m_width : m_width;
        auto image = std::make_shared<Image>();
        image->width = width;
        image->height = m_height;
        image->channels = 1;
        image->pixels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(m_height),
                             static_cast<std::uint8_t>(frame));
        return ImagePtr(std::move(image));
    }
    [[nodiscard]] double timeOf(video::FrameNumber frame) const override { return static_cast<double>(frame) / 25; }
    [[nodiscard]] double fps() const override { return 25; }
    [[nodiscard]] std::string codecName() const override { return "made up"; }
    [[nodiscard]] video::FrameState stateOf(video::FrameNumber) const override { return video::FrameState::Unknown; }
    [[nodiscard]] Result<std::shared_ptr<video::VideoSource>> openAnother() const override {
        if (failsToOpen)
            return fail(ErrorCode::Io, "The file has gone.");
        auto copy = std::make_shared<FakeVideo>(m_frames, m_width, m_height);
        copy->broken = broken;
        copy->growsAt = growsAt;
        copy->reads = reads;
        return std::shared_ptr<video::VideoSource>(std::move(copy));
    }

private:
    video::FrameNumber m_frames;
    int m_width, m_height;
};

}  // namespace skein::test
