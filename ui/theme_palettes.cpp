// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "ui/palette_colors.h"
#include "ui/theme.h"

namespace skein::ui::theme {

namespace {

// Hue alone fails colour-blind eyes, so neighbours in this list also differ in lightness.
constexpr QRgb kSafe[] = {0x56B4E9, 0xE69F00, 0x00B386, 0xF0E442, 0xCC79A7, 0xD55E00,
                          0x2F7FD0, 0x9BE3C4, 0xA05CE0, 0xFFC9A3, 0x7A9A01, 0xF4A6D7};
constexpr QRgb kStandard[] = {0x0072BD, 0xD95319, 0xEDB120, 0x7E2F8E, 0x77AC30, 0x4DBEEE, 0xA2142F};
// Five strong ones, and a pale relative of each.
constexpr QRgb kFivePlus[] = {0xE41A1C, 0x377EB8, 0x4DAF4A, 0x984EA3, 0xFF7F00,
                              0xFB9A99, 0xA6CEE3, 0xB2DF8A, 0xCAB2D6, 0xFDBF6F};
constexpr QRgb kSolarized[] = {0xB58900, 0xCB4B16, 0xDC322F, 0xD33682, 0x6C71C4, 0x268BD2, 0x2AA198, 0x859900};
// Green-Armytage's alphabet of colours (2010), without its black and its darkest ones at the front.
constexpr QRgb kAlphabet[] = {0xF0A3FF, 0x0075DC, 0x993F00, 0x2BCE48, 0xFFCC99, 0x808080, 0x94FFB5, 0x8F7C00, 0x9DCC00,
                              0xC20088, 0xFFA405, 0xFFA8BB, 0x426600, 0xFF0010, 0x5EF1F2, 0x00998F, 0xE0FF66, 0x740AFF,
                              0x990000, 0xFFFF80, 0xFFFF00, 0xFF5005, 0x003380, 0x005C31, 0x4C005C, 0x191919};
// Five points of the map "viridis".
constexpr QRgb kRamp[] = {0x440154, 0x3B528B, 0x21918C, 0x5EC962, 0xFDE725};

std::span<const QRgb> colorsOf(Palette palette) {
    switch (palette) {
        case Palette::Safe:
            return kSafe;
        case Palette::Standard:
            return kStandard;
        case Palette::FivePlus:
            return kFivePlus;
        case Palette::Solarized:
            return kSolarized;
        case Palette::Alphabet:
            return kAlphabet;
    }
    return kSafe;
}

Palette g_palette = Palette::Safe;

}  // namespace

void setPalette(Palette palette) {
    g_palette = palette;
}
Palette palette() {
    return g_palette;
}
int paletteSize() {
    return ui::paletteSize(g_palette);
}
QColor trackColor(int index) {
    return paletteColor(g_palette, index);
}

QColor rampColor(double share) {
    constexpr int kSpans = static_cast<int>(std::size(kRamp)) - 1;
    const double at = std::clamp(share, 0.0, 1.0) * kSpans;
    const int span = std::min(static_cast<int>(at), kSpans - 1);
    return mix(QColor(kRamp[span]), QColor(kRamp[span + 1]), at - span);
}

QColor uncoloredColor() {
    return 0x9A9A9A;
}
QColor uncoloredOutline() {
    return 0xFFE000;
}
QColor onPicture() {
    return Qt::white;
}
QColor lightHalo() {
    return {255, 255, 255, 190};
}
QColor darkHalo() {
    return {0, 0, 0, 170};
}
QColor nameGround(bool strong) {
    return {0, 0, 0, strong ? 200 : 150};
}
QColor tagGround() {
    return {0, 0, 0, 200};
}

}  // namespace skein::ui::theme

namespace skein::ui {

int paletteSize(theme::Palette palette) {
    return static_cast<int>(theme::colorsOf(palette).size());
}

QColor paletteColor(theme::Palette palette, int index) {
    const std::span<const QRgb> colors = theme::colorsOf(palette);
    const int size = static_cast<int>(colors.size());
    return QColor(colors[static_cast<std::size_t>(((index % size) + size) % size)]);
}

}  // namespace skein::ui
