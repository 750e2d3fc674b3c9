// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text.h"

#include <QDir>
#include <QFile>
#include <QLocale>
#include <cmath>

namespace skein::ui::text {

namespace {
// The window's words are English, so are its numbers; the C locale would not group digits.
const QLocale& locale() {
    static const QLocale english(QLocale::English, QLocale::UnitedStates);
    return english;
}
constexpr QChar kThinSpace(0x2009);
constexpr QChar kDash(0x2013);
}  // namespace

QString number(std::int64_t value) {
    return locale().toString(static_cast<qlonglong>(value));
}

QString fixed(double value, int decimals) {
    return std::isfinite(value) ? locale().toString(value, 'f', decimals) : QString(kDash);
}

QString withUnit(const QString& number, const QString& unit) {
    return number + kThinSpace + unit;
}

QString bytes(std::uint64_t count) {
    const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = static_cast<double>(count);
    int unit = 0;
    while (value >= 999.5 && unit < 4) {
        value /= 1000;
        ++unit;
    }
    const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return withUnit(fixed(value, decimals), QString::fromLatin1(units[unit]));
}

QString time(double seconds) {
    if (!std::isfinite(seconds))
        return QString(kDash);
    const auto hundredths = static_cast<std::int64_t>(std::floor(seconds * 100 + 1e-6));
    const std::int64_t total = hundredths / 100;
    return QStringLiteral("%1:%2:%3.%4")
        .arg(total / 3600, 2, 10, QLatin1Char('0'))
        .arg(total / 60 % 60, 2, 10, QLatin1Char('0'))
        .arg(total % 60, 2, 10, QLatin1Char('0'))
        .arg(hundredths % 100, 2, 10, QLatin1Char('0'));
}

QString count(std::int64_t n, const QString& one, const QString& many) {
    return number(n) + QLatin1Char(' ') + (n == 1 ? one : many);
}

QString tidyPath(const QString& path) {
    const QString home = QDir::homePath();
    if (home.size() > 1 && path.startsWith(home + QLatin1Char('/')))
        return QLatin1Char('~') + path.mid(home.size());
    return path;
}

std::filesystem::path toPath(const QString& path) {
    return QFile::encodeName(path).toStdString();
}
QString fromPath(const std::filesystem::path& path) {
    return QFile::decodeName(QByteArray::fromStdString(path.string()));
}

}  // namespace skein::ui::text
