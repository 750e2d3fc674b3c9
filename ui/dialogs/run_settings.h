// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>
#include <string_view>

#include "ui/dialogs/run_options.h"

class QSettings;

namespace skein::ui {

/// Largest random sample of frames.
inline constexpr int kLargestSample = 100000;

/// Why `value` of the Choice `option` cannot be taken together with the other settings; empty when it can.
[[nodiscard]] QString impossibleBecause(const RunSettings& settings, const RunOption& option, std::string_view value);
/// Why the option has no effect with the other settings; empty when it has one.
[[nodiscard]] QString withoutEffectBecause(const RunSettings& settings, const RunOption& option);

/// Brings choices that another choice has made impossible to what is possible, e.g. the scoring after the features were
/// changed, and takes over the defaults of a one-node skeleton. `nodes` 0: not known. Returns what was changed, one
/// sentence, or nothing.
QString reconcile(RunSettings& settings, int nodes);

/// The tracker's options as far as they belong to the chosen tracker: what was set for another one is kept in the
/// settings and left out here.
[[nodiscard]] tracking::TrackerOptions effectiveTracker(const RunSettings& settings);

/// The options of the network's side as far as they concern such a run: what is hidden has no effect.
[[nodiscard]] inference::InferenceOptions effectiveInference(const RunSettings& settings, ModelUse use);

/// What the number of animals has set, one sentence; empty while it is not given.
[[nodiscard]] QString animalsNote(const RunSettings& settings);

/// Stores what differs from the defaults, under the options' own names. Reading takes only what it understands.
void saveRunSettings(QSettings& file, const RunSettings& settings);
[[nodiscard]] RunSettings loadRunSettings(const QSettings& file);

/// The run as options for the `skein predict` and `sleap-nn predict` command lines: what differs from the defaults.
[[nodiscard]] QStringList commandLineOptions(const RunSettings& settings, ModelUse use = ModelUse::Unknown);

}  // namespace skein::ui
