// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <cstdint>
#include <filesystem>

/// Numbers and paths in the words of the window. Digits are grouped, units are set apart by a thin space.
namespace skein::ui::text {

[[nodiscard]] QString number(std::int64_t value);                                      ///< 1,100
[[nodiscard]] QString fixed(double value, int decimals);                               ///< 1,234.50; "–" for NaN
[[nodiscard]] QString withUnit(const QString& number, const QString& unit);            ///< 12 px, thin space
[[nodiscard]] QString bytes(std::uint64_t count);                                      ///< 3 significant digits
[[nodiscard]] QString time(double seconds);                                            ///< 00:01:02.04
[[nodiscard]] QString count(std::int64_t n, const QString& one, const QString& many);  ///< "1 frame", "2 frames"

/// Home folder as "~".
[[nodiscard]] QString tidyPath(const QString& path);

[[nodiscard]] std::filesystem::path toPath(const QString& path);
[[nodiscard]] QString fromPath(const std::filesystem::path& path);

}  // namespace skein::ui::text
