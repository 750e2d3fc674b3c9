// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QVariant>
#include <string_view>
#include <vector>

#include "engine/inference/options.h"
#include "engine/tracking/tracker_options.h"

namespace skein::ui {

enum class RunTarget { CurrentFrame, SelectedRange, WholeVideo };

/// What becomes of predictions that are there already.
enum class ExistingPredictions {
    Replace,  ///< those on frames that are really processed go when the new ones arrive
    Clear,    ///< all of the video go when the first new ones arrive
    Keep      ///< they stay beside the new ones
};

/// Everything a person chooses for a run, but the model. Defaults are sleap-nn's, the queue's length apart.
struct RunSettings {
    RunTarget target = RunTarget::WholeVideo;
    ExistingPredictions existing = ExistingPredictions::Replace;
    inference::InferenceOptions inference;
    int queueMaxsize = 16;
    bool tracking = false;
    tracking::TrackerOptions tracker;
    tracking::ExplicitChoices chosen;  ///< what a person set, as against defaults that a one-node skeleton changes
};

enum class OptionKind { Integer, Number, Flag, Choice };

/// Where the dialog shows an option.
enum class OptionGroup { Basic, Peaks, Grouping, Input, Tracker, TrackerDetails };

/// One option: how it is called, edited, stored and explained. The table of all of them is what the dialog, the
/// settings file and the tests go by.
struct RunOption {
    struct Value {
        const char* name;   ///< as on the command line
        const char* title;  ///< for people
    };

    const char* name;  ///< sleap-nn's name on the command line
    OptionGroup group;
    const char* label;
    const char* help;  ///< effect, one or two sentences; the default is added by helpText()
    OptionKind kind;
    double minimum = 0, maximum = 0, step = 1;
    int decimals = 0;
    const char* noneText = nullptr;                 ///< the editor's word for "not set", where that is possible
    std::vector<Value> values = {};                 ///< of a Choice
    QVariant (*get)(const RunSettings&) = nullptr;  ///< invalid: not set
    void (*set)(RunSettings&, const QVariant&) = nullptr;
};

[[nodiscard]] const std::vector<RunOption>& runOptions();
/// Precondition: an option of that name exists.
[[nodiscard]] const RunOption& runOption(std::string_view name);
/// A value of the option in words: "All nodes", "No limit", "0.2".
[[nodiscard]] QString valueTitle(const RunOption& option, const QVariant& value);
/// Help with its default and its name on the command line, for a tooltip.
[[nodiscard]] QString helpText(const RunOption& option);

}  // namespace skein::ui
