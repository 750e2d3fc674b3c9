// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QString>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/tracking/presets.h"
#include "ui/dialogs/run_options.h"

namespace skein::ui {

/// A named choice of all options and of the tracker. Not of it: the model, the frames, the device, and what becomes of
/// predictions that are there; applyPreset() leaves these alone.
struct RunPreset {
    QString name;
    QString description;  ///< of built-in ones, one sentence
    RunSettings settings;
};

/// Largest file that is taken for a preset, in bytes.
inline constexpr qint64 kLargestPreset = 1 << 20;
/// Longest name of a preset, in characters.
inline constexpr int kLongestPresetName = 80;

/// "Default" first.
[[nodiscard]] const std::vector<RunPreset>& builtInPresets();
[[nodiscard]] bool isBuiltInPreset(const QString& name);

void applyPreset(RunSettings& settings, const RunPreset& preset);
/// Whether the two are the same as far as presets go.
[[nodiscard]] bool sameChoices(const RunSettings& a, const RunSettings& b);

/// As a file that people exchange.
[[nodiscard]] QByteArray presetToJson(const RunPreset& preset);
/// Takes nothing on trust. Errors: Format (no preset, another version), InvalidArgument (a value of the wrong kind or
/// out of its range), one sentence that names the option.
[[nodiscard]] Result<RunPreset> presetFromJson(const QByteArray& text);

/// The tracker of one of the engine's presets, for as many animals as the settings know.
void chooseTrackingPreset(RunSettings& settings, const tracking::TrackingPreset& preset);
/// The key of the preset that the tracker is set to; empty: none, or a choice of the person's own.
[[nodiscard]] std::string_view trackingPresetOf(const RunSettings& settings);

}  // namespace skein::ui
