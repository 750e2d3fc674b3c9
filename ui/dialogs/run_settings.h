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

/// Longest list of frames that is remembered, in characters.
inline constexpr int kLongestFrameList = 10000;

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

/// What differs between two settings, option by option: "Peak threshold 0.2 → 0.4"; empty where nothing that a network
/// does differs.
[[nodiscard]] QStringList changedOptions(const RunSettings& before, const RunSettings& now);

/// What the number of animals has set, one sentence; empty while it is not given.
[[nodiscard]] QString animalsNote(const RunSettings& settings);

/// Stores what differs from the defaults, under the options' own names in a group of the file. Reading takes only what
/// it understands.
void saveRunSettings(QSettings& file, const RunSettings& settings, const QString& group = QStringLiteral("inference"));
[[nodiscard]] RunSettings loadRunSettings(const QSettings& file, const QString& group = QStringLiteral("inference"));

/// The run as options for the `skein predict` command line (or, of those that only track, `skein track`): what differs
/// from the defaults. `sleap-nn predict` has the same names.
[[nodiscard]] QStringList commandLineOptions(const RunSettings& settings, ModelUse use = ModelUse::Unknown);

}  // namespace skein::ui
