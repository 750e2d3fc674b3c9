// SPDX-License-Identifier: BSD-3-Clause
#include "engine/formats/cropped_video.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/formats/hdf5/dataset.h"
#include "engine/formats/json/json.h"
#include "engine/formats/slp/carried.h"
#include "engine/formats/try.h"

namespace skein::formats {
namespace {

using video::FrameNumber;
using video::PixelFormat;

constexpr std::int64_t kMaxSide = 1 << 16;

Image cut(const Image& whole, const VideoCrop& crop) {
    Image part{crop.width(), crop.height(), whole.channels, {}};
    const auto channels = static_cast<std::size_t>(whole.channels);
    part.pixels.assign(part.rowBytes() * static_cast<std::size_t>(part.height), crop.fill);
    // The fourth channel of a 32-bit picture is opacity, beyond the frame too.
    if (channels == 4)
        for (std::size_t i = 3; i < part.pixels.size(); i += 4)
            part.pixels[i] = 255;
    const int firstX = std::max(crop.left, 0);
    const int lastX = std::min(crop.right, whole.width);
    for (int y = std::max(crop.top, 0); y < std::min(crop.bottom, whole.height) && firstX < lastX; ++y) {
        const std::size_t from =
            static_cast<std::size_t>(y) * whole.rowBytes() + static_cast<std::size_t>(firstX) * channels;
        const std::size_t to = static_cast<std::size_t>(y - crop.top) * part.rowBytes() +
                               static_cast<std::size_t>(firstX - crop.left) * channels;
        std::memcpy(part.pixels.data() + to, whole.pixels.data() + from,
                    static_cast<std::size_t>(lastX - firstX) * channels);
    }
    return part;
}

class CroppedVideoSource final : public video::VideoSource {
public:
    CroppedVideoSource(std::shared_ptr<video::VideoSource> whole, const VideoCrop& crop)
        : m_whole(std::move(whole)), m_crop(crop) {}

    FrameNumber frameCount() const override { return m_whole->frameCount(); }
    int width() const override { return m_crop.width(); }
    int height() const override { return m_crop.height(); }
    bool isGray() const override { return m_whole->isGray(); }
    double timeOf(FrameNumber frame) const override { return m_whole->timeOf(frame); }
    double fps() const override { return m_whole->fps(); }
    bool isVariableRate() const override { return m_whole->isVariableRate(); }
    std::string codecName() const override { return m_whole->codecName(); }
    std::string decoderNote() const override { return m_whole->decoderNote(); }
    std::vector<std::string> warnings() const override { return m_whole->warnings(); }
    std::optional<video::CutEnd> cutEnd() const override { return m_whole->cutEnd(); }
    video::FrameState stateOf(FrameNumber frame) const override { return m_whole->stateOf(frame); }
    std::string frameName(FrameNumber frame) const override { return m_whole->frameName(frame); }
    void release() override { m_whole->release(); }

    Result<ImagePtr> read(FrameNumber frame, PixelFormat format, std::stop_token stop) override {
        SKEIN_TRY(image, m_whole->read(frame, format, std::move(stop)));
        return std::make_shared<const Image>(cut(*image, m_crop));
    }

    Result<std::shared_ptr<video::VideoSource>> openAnother() const override {
        SKEIN_TRY(another, m_whole->openAnother());
        return croppedVideo(another, m_crop);
    }

private:
    std::shared_ptr<video::VideoSource> m_whole;
    VideoCrop m_crop;
};

}  // namespace

std::optional<VideoCrop> cropOf(const project::Labels& labels, std::uint32_t videoIndex) {
    const slp::Carried* carried = slp::Carried::of(labels);
    const std::int32_t row = labels.videos()[videoIndex].originRow;
    if (carried == nullptr || row < 0)
        return std::nullopt;
    const h5::Session session;
    if (!carried->has("objects/video_crops"))
        return std::nullopt;
    const auto texts = h5::readStrings(carried->root(), "objects/video_crops");
    if (!texts || texts->empty())
        return std::nullopt;
    const auto crops = parseJson(texts->front(), "The list of cropped videos");
    if (!crops)
        return std::nullopt;
    for (const Json& entry : *crops) {
        const Json& box = member(entry, "crop");
        if (member(entry, "video") != Json(row) || !box.is_array() || box.size() != 4 ||
            !std::all_of(box.begin(), box.end(), [](const Json& side) {
                return side.is_number_integer() && side.get<std::int64_t>() > -kMaxSide &&
                       side.get<std::int64_t>() < kMaxSide;
            }))
            continue;
        VideoCrop crop{box[0].get<int>(), box[1].get<int>(), box[2].get<int>(), box[3].get<int>(), 0};
        if (const Json& fill = member(entry, "fill"); fill.is_number())
            crop.fill = static_cast<std::uint8_t>(std::clamp(fill.get<double>(), 0.0, 255.0));
        if (crop.width() > 0 && crop.height() > 0)
            return crop;
    }
    return std::nullopt;
}

std::shared_ptr<video::VideoSource> croppedVideo(std::shared_ptr<video::VideoSource> whole, const VideoCrop& crop) {
    return std::make_shared<CroppedVideoSource>(std::move(whole), crop);
}

}  // namespace skein::formats
