// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

class QApplication;

/// Colours and sizes of the whole window: the only place where a colour or a size is written down.
/// GUI thread only. After a change every widget gets QEvent::PaletteChange; caches that hold colours are dropped then.
namespace skein::ui::theme {

enum class Mode { System, Light, Dark };

struct Tokens {
    QColor canvas;    ///< around the video; dark in both themes, so that the frame's edge is seen
    QColor surface;   ///< docks, tables
    QColor surface2;  ///< headers, tool bars, ground of the timeline
    QColor line;      ///< separators of 1 px
    QColor text;
    QColor text2;   ///< secondary text
    QColor accent;  ///< selection, focus, running job, the one primary button
    QColor good;
    QColor warn;
    QColor bad;

    // Derived from the ones above.
    QColor onAccent;    ///< text on an accent ground
    QColor hover;       ///< ground under the pointer
    QColor pressed;     ///< ground of a pressed or checked control
    QColor selection;   ///< ground of selected rows and of the selected range
    QColor canvasText;  ///< text over the canvas ground
    QColor disabled;    ///< text and icons of what cannot be used now
    bool dark = false;
};

// Sizes in logical pixels, on a grid of 4.
inline constexpr int kGrid = 4;
inline constexpr int kMargin = 8;
inline constexpr int kGap = 12;
inline constexpr int kControlHeight = 28;
inline constexpr int kRowHeight = 24;
inline constexpr int kRadius = 4;
inline constexpr int kMinTarget = 24;
inline constexpr int kIconSize = 20;
inline constexpr int kScrollBar = 10;
inline constexpr int kMotionMs = 100;

/// Colours for tracks, instances and nodes. Safe: twelve that stay apart under the common colour-vision deficiencies
/// and on black and on white pictures (the eight of Okabe and Ito without black, and darker and lighter relatives of
/// them). The others are for habit or for many animals; Alphabet has 26.
enum class Palette { Safe, Standard, FivePlus, Solarized, Alphabet };
inline constexpr int kPalettes = 5;
void setPalette(Palette palette);
[[nodiscard]] Palette palette();
[[nodiscard]] int paletteSize();
/// Around and around: index modulo paletteSize().
[[nodiscard]] QColor trackColor(int index);
/// From low (0) to high (1), even steps to the eye, also without colour vision.
[[nodiscard]] QColor rampColor(double share);
/// Predictions that shall have no colour of their own, and the outline that marks them.
[[nodiscard]] QColor uncoloredColor();
[[nodiscard]] QColor uncoloredOutline();
// Over the picture, the same in both themes: text and marks, the edges of skeletons, and what lies under names and
// tags.
[[nodiscard]] QColor onPicture();
[[nodiscard]] QColor lightHalo();
[[nodiscard]] QColor darkHalo();
[[nodiscard]] QColor nameGround(bool strong);
[[nodiscard]] QColor tagGround();
/// Names of confirmed and of unconfirmed nodes, on their dark box over the picture: the same in both themes.
[[nodiscard]] QColor completeName();
[[nodiscard]] QColor incompleteName();
/// For instances without a track where colours mean tracks.
[[nodiscard]] QColor neutralColor();

[[nodiscard]] const Tokens& tokens();
[[nodiscard]] Mode mode();

/// Sets style, palette and fonts. Called once at start and again by the theme menu.
void apply(Mode mode);

/// Makes the text of the whole window this many percent of the desktop's. To be called once, before the first window:
/// parts measure their text when they are made.
void scaleFont(int percent);
/// Heights that hold a line of text in the font of the window, never less than the constants above.
[[nodiscard]] int rowHeight();
[[nodiscard]] int controlHeight();

/// Semibold of the UI font: dock titles, headings. `steps` grows the size by that many points.
[[nodiscard]] QFont headingFont(int steps = 0);

/// Perceived lightness of a colour, 0 (black) to 1 (white): relative luminance as in WCAG.
[[nodiscard]] double luminance(const QColor& color);

/// Mixes: 0 gives `a`, 1 gives `b`.
[[nodiscard]] QColor mix(const QColor& a, const QColor& b, double share);

}  // namespace skein::ui::theme
