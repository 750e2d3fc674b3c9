// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>
#include <vector>

class QWidget;

namespace skein::ui {

/// (library, version) of what the window runs on, Skein first. Opens nothing: LibTorch is listed only where `device` is
/// known, i.e. once it was loaded.
[[nodiscard]] std::vector<std::pair<QString, QString>> windowVersions(const QString& device);

/// Versions, device and settings as text for a report; without paths.
[[nodiscard]] QString diagnosticsText(const QString& device, const QString& deviceReason);

/// Shows the box and returns at once.
void showAbout(QWidget* window, const QString& device, const QString& deviceReason);

}  // namespace skein::ui
