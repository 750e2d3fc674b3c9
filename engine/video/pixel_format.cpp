// SPDX-License-Identifier: BSD-3-Clause
#include "engine/video/pixel_format.h"

#include <cstddef>
#include <utility>

#include "engine/base/result.h"

namespace skein::video {
namespace {

// Place of red in a pixel of this many channels: RGB and grey start with it, BGRA has it third.
std::size_t redPlace(int channels) {
    return channels == 4 ? 2 : 0;
}
std::size_t bluePlace(int channels) {
    return channels == 3 ? 2 : 0;
}

}  // namespace

ImagePtr toFormat(const ImagePtr& image, PixelFormat format) {
    SKEIN_EXPECTS(image != nullptr, "there is an image");
    const int wanted = channelsOf(format);
    if (image->channels == wanted)
        return image;
    SKEIN_EXPECTS(image->channels == 1 || image->channels == 3 || image->channels == 4, "grey, RGB or BGRA");
    const auto from = static_cast<std::size_t>(image->channels);
    const auto to = static_cast<std::size_t>(wanted);
    const std::size_t red = redPlace(image->channels);
    const std::size_t green = image->channels == 1 ? 0 : 1;
    const std::size_t blue = bluePlace(image->channels);
    const std::size_t count = image->pixels.size() / from;

    Image out;
    out.width = image->width;
    out.height = image->height;
    out.channels = wanted;
    out.pixels.resize(count * to);
    const std::uint8_t* in = image->pixels.data();
    std::uint8_t* p = out.pixels.data();
    for (std::size_t i = 0; i < count; ++i, in += from, p += to) {
        if (to == 1) {
            p[0] = in[red];
        } else if (to == 3) {
            p[0] = in[red];
            p[1] = in[green];
            p[2] = in[blue];
        } else {
            p[0] = in[blue];
            p[1] = in[green];
            p[2] = in[red];
            p[3] = 255;
        }
    }
    return std::make_shared<const Image>(std::move(out));
}

bool redEqualsBlue(const Image& image) {
    if (image.channels == 1)
        return true;
    const auto step = static_cast<std::size_t>(image.channels);
    for (std::size_t i = 0; i + 2 < image.pixels.size(); i += step)
        if (image.pixels[i] != image.pixels[i + 2])
            return false;
    return true;
}

}  // namespace skein::video
