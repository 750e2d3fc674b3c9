// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>
#include <optional>

#include "engine/proofread/smoothing.h"

namespace skein::ui {

/// How the points of a project are smoothed, and whether that is shown.
struct SmoothSetting {
    proofread::SmoothOptions options;
    bool shown = true;
    friend bool operator==(const SmoothSetting&, const SmoothSetting&) = default;
};

/// As in the file beside the project.
[[nodiscard]] QJsonObject toJson(const SmoothSetting& setting);
/// nullopt: no such setting, or of a method that is not known here.
[[nodiscard]] std::optional<SmoothSetting> smoothSettingOf(const QJsonObject& json);

}  // namespace skein::ui
