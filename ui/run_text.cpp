// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_text.h"

#include <QCoreApplication>
#include <cmath>

namespace skein::ui::text {
namespace {

constexpr QChar kEnDash(0x2013);

QString tr(const char* text, int n = -1) {
    return QCoreApplication::translate("RunText", text, nullptr, n);
}

}  // namespace

QString frames(std::int64_t count) {
    return count == 1 ? tr("1 frame") : tr("%1 frames").arg(number(count));
}

QString significant(double value) {
    if (!std::isfinite(value))
        return QString(kEnDash);
    const double size = std::abs(value);
    // The limits are where rounding to the next precision would add a digit: 9.995 is shown as 10.0.
    // What is slow keeps two digits: 0.018, not 0.02.
    const int decimals = size == 0        ? 2
                         : size < 0.00995 ? 4
                         : size < 0.0995  ? 3
                         : size < 9.995   ? 2
                         : size < 99.95   ? 1
                                          : 0;
    return fixed(value, decimals);
}

QString rate(double framesPerSecond) {
    if (!(framesPerSecond > 0))
        return QString(kEnDash);
    return withUnit(significant(framesPerSecond), tr("frames/s"));
}

QString duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return QString(kEnDash);
    const auto total = static_cast<std::int64_t>(std::llround(seconds));
    if (total < 60)
        return withUnit(number(total), tr("s"));
    if (total < 3600) {
        const QString minutes = withUnit(number(total / 60), tr("min"));
        return total % 60 == 0 ? minutes : minutes + QLatin1Char(' ') + withUnit(number(total % 60), tr("s"));
    }
    const QString hours = withUnit(number(total / 3600), tr("h"));
    const std::int64_t minutes = total % 3600 / 60;
    return minutes == 0 ? hours : hours + QLatin1Char(' ') + withUnit(number(minutes), tr("min"));
}

QString clock(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return QString(kEnDash);
    const auto total = static_cast<std::int64_t>(seconds);
    const QString secondsText = QStringLiteral("%1").arg(total % 60, 2, 10, QLatin1Char('0'));
    if (total < 3600)
        return QStringLiteral("%1:%2").arg(total / 60).arg(secondsText);
    return QStringLiteral("%1:%2:%3")
        .arg(total / 3600)
        .arg(total % 3600 / 60, 2, 10, QLatin1Char('0'))
        .arg(secondsText);
}

QString milliseconds(double ms) {
    return fixed(ms, ms < 99.995 ? 2 : 1);
}

QString percent(double fraction) {
    return withUnit(number(std::llround(fraction * 100)), QStringLiteral("%"));
}

QString frameNumber(std::int64_t frame, bool fromZero) {
    return number(fromZero ? frame : frame + 1);
}

QString frameRange(const FrameRange& range, bool fromZero) {
    if (range.first == range.last)
        return tr("frame %1").arg(frameNumber(range.first, fromZero));
    return tr("frames %1%2%3")
        .arg(frameNumber(range.first, fromZero), QString(kEnDash), frameNumber(range.last, fromZero));
}

std::vector<FrameRange> toRanges(const std::vector<std::int64_t>& ascending) {
    std::vector<FrameRange> ranges;
    for (const std::int64_t frame : ascending) {
        if (!ranges.empty() && frame <= ranges.back().last + 1)
            ranges.back().last = frame;
        else
            ranges.push_back({frame, frame});
    }
    return ranges;
}

}  // namespace skein::ui::text
