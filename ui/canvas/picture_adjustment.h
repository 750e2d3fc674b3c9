// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <array>

namespace skein::ui {

/// How a picture is brightened for the eye. The pixels that models and files see stay as they are.
struct PictureAdjustment {
    enum class Map { None, Ramp, Heat, Cold };
    double brightness = 0;  ///< added, -1 to 1 of the full range
    double contrast = 1;    ///< about middle grey, 0 to 4
    double gamma = 1;       ///< above 1 lightens the dark, 0.2 to 5
    bool invert = false;
    Map map = Map::None;  ///< false colours; of coloured pictures for their lightness
    [[nodiscard]] bool isNeutral() const { return *this == PictureAdjustment(); }
    friend bool operator==(const PictureAdjustment&, const PictureAdjustment&) = default;
};

/// What each of the 256 levels becomes: gamma, then contrast and brightness, then inversion.
[[nodiscard]] std::array<unsigned char, 256> levels(const PictureAdjustment& adjustment);

/// `picture` (32-bit RGB) as it shall be seen, by look-up tables: one pass, about a nanosecond a pixel.
[[nodiscard]] QImage adjusted(const QImage& picture, const PictureAdjustment& adjustment);

}  // namespace skein::ui
