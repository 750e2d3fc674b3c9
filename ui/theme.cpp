// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme.h"

#include <QApplication>
#include <QToolTip>
#include <QWidget>
#include <cmath>

#include "ui/desktop_scheme.h"
#include "ui/skein_style.h"

namespace skein::ui::theme {

namespace {

Tokens lightTokens() {
    Tokens t;
    t.canvas = 0x3C4043;
    t.surface = 0xFFFFFF;
    t.surface2 = 0xF3F4F6;
    t.line = 0xD9DCE1;
    t.text = 0x1F2328;
    t.text2 = 0x5B6370;
    t.accent = 0x0B6BCB;
    t.good = 0x1A7F4B;
    t.warn = 0x9A6700;
    t.bad = 0xC6302B;
    t.onAccent = 0xFFFFFF;
    t.dark = false;
    return t;
}

Tokens darkTokens() {
    Tokens t;
    t.canvas = 0x17191C;
    t.surface = 0x23262A;
    t.surface2 = 0x2B2F34;
    t.line = 0x3A3F46;
    t.text = 0xE6E8EB;
    t.text2 = 0x9AA3AE;
    t.accent = 0x5AB0FF;
    t.good = 0x4CC38A;
    t.warn = 0xE2B340;
    t.bad = 0xFF6B63;
    t.onAccent = 0x10141A;
    t.dark = true;
    return t;
}

void derive(Tokens& t) {
    t.hover = mix(t.surface2, t.text, 0.07);
    t.pressed = mix(t.surface2, t.text, 0.14);
    t.selection = mix(t.surface, t.accent, t.dark ? 0.30 : 0.16);
    t.canvasText = 0xE6E8EB;
    t.disabled = mix(t.text2, t.surface2, 0.45);
}

Tokens g_tokens = [] {
    Tokens t = lightTokens();
    derive(t);
    return t;
}();
Mode g_mode = Mode::System;

QPalette paletteOf(const Tokens& t) {
    QPalette p;
    const auto set = [&p](QPalette::ColorRole role, const QColor& color) { p.setColor(role, color); };
    set(QPalette::Window, t.surface2);
    set(QPalette::WindowText, t.text);
    set(QPalette::Base, t.surface);
    set(QPalette::AlternateBase, t.surface2);
    set(QPalette::Text, t.text);
    set(QPalette::PlaceholderText, t.text2);
    set(QPalette::Button, t.surface2);
    set(QPalette::ButtonText, t.text);
    set(QPalette::BrightText, t.bad);
    set(QPalette::Highlight, t.selection);
    set(QPalette::HighlightedText, t.text);
    set(QPalette::Link, t.accent);
    set(QPalette::LinkVisited, t.accent);
    set(QPalette::ToolTipBase, t.surface);
    set(QPalette::ToolTipText, t.text);
    set(QPalette::Light, t.surface);
    set(QPalette::Midlight, t.line);
    set(QPalette::Mid, t.line);
    set(QPalette::Dark, t.line);
    set(QPalette::Shadow, t.line);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, t.disabled);
    p.setColor(QPalette::Disabled, QPalette::Highlight, t.hover);
    return p;
}

double channel(double value) {
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

}  // namespace

QColor completeName() {
    return {0x7F, 0xE0, 0xA8};
}
QColor incompleteName() {
    return {0xFF, 0xA0, 0x94};
}
QColor neutralColor() {
    return 0xC8CDD4;
}

const Tokens& tokens() {
    return g_tokens;
}
Mode mode() {
    return g_mode;
}

void apply(Mode newMode) {
    g_mode = newMode;
    const bool dark = newMode == Mode::Dark || (newMode == Mode::System && DesktopScheme::instance().isDark());
    g_tokens = dark ? darkTokens() : lightTokens();
    derive(g_tokens);
    if (qobject_cast<SkeinStyle*>(QApplication::style()) == nullptr)
        QApplication::setStyle(new SkeinStyle);
    const QPalette palette = paletteOf(g_tokens);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

void scaleFont(int percent) {
    QFont font = QApplication::font();
    if (percent == 100 || font.pointSizeF() <= 0)
        return;
    font.setPointSizeF(font.pointSizeF() * percent / 100);
    QApplication::setFont(font);
}

namespace {
int holding(int least) {
    return std::max(least, QFontMetrics(QApplication::font()).height() + 2 * kGrid);
}
}  // namespace

int rowHeight() {
    return holding(kRowHeight);
}
int controlHeight() {
    return holding(kControlHeight);
}

QFont headingFont(int steps) {
    QFont font = QApplication::font();
    font.setWeight(QFont::DemiBold);
    if (steps != 0 && font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() + steps);
    return font;
}

double luminance(const QColor& color) {
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}

QColor mix(const QColor& a, const QColor& b, double share) {
    const auto blend = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {blend(a.red(), b.red()), blend(a.green(), b.green()), blend(a.blue(), b.blue())};
}

}  // namespace skein::ui::theme
