// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QVariant>
#include <string_view>
#include <vector>

#include "engine/inference/options.h"
#include "engine/tracking/tracker_options.h"

namespace skein::ui {

enum class RunTarget {
    CurrentFrame,
    SelectedRange,
    WholeVideo,
    Labelled,     ///< frames with an instance that a person made
    Suggestions,  ///< suggested frames that are not labelled yet
    Predicted,    ///< frames with predictions
    NotPredicted,
    RandomSample,
    WithIssues,  ///< frames that an open issue of proofreading touches
    Custom,      ///< frames that the person lists
    SelectedVideos,
    AllVideos,
    SampleOfAll  ///< of each video of the project as many random frames
};

/// What becomes of predictions that are there already.
enum class ExistingPredictions {
    Replace,  ///< those on frames that are really processed go when the new ones arrive
    Clear,    ///< all of the video go when the first new ones arrive
    Keep      ///< they stay beside the new ones
};

/// Everything a person chooses for a run, but the model. Defaults are sleap-nn's, the queue's length apart.
struct RunSettings {
    RunTarget target = RunTarget::WholeVideo;
    int sampleSize = 20;        ///< of RunTarget::RandomSample and SampleOfAll
    QString frameList;          ///< of RunTarget::Custom: "1-100, 250", counted as the window counts
    bool skipLabelled = false;  ///< leave out what a person has labelled
    ExistingPredictions existing = ExistingPredictions::Replace;
    inference::InferenceOptions inference;
    int queueMaxsize = 16;
    bool tracking = false;
    bool trackOnly = false;  ///< no model: the predictions that are there get new tracks
    tracking::TrackerOptions tracker;
    tracking::ExplicitChoices chosen;  ///< what a person set, as against defaults that a one-node skeleton changes
};

/// How instances are followed, as a person chooses it: the engine's algorithms, the classic one with its two motion
/// models apart.
enum class TrackerChoice { None, Classic, Flow, Kalman, Sort, ByteTrack, OcSort, Skein };
[[nodiscard]] TrackerChoice trackerChoice(const RunSettings& settings);
void chooseTracker(RunSettings& settings, TrackerChoice choice);
/// Not of the classic kind: has a motion of its own and links tracks at the end.
[[nodiscard]] bool isBoxTracker(TrackerChoice choice);

/// What a run does with its models, as far as options depend on it.
enum class ModelUse {
    Unknown,  ///< no model yet: every option is shown
    Single,
    Centroids,  ///< a centroid model alone
    TopDown,
    Around,  ///< a centered-instance model around instances that are there
    BottomUp,
    ClassBottomUp,
    ClassTopDown,
    ClassAround
};

enum class OptionKind { Integer, Number, Flag, Choice, Node, Text };

/// Where the dialog shows an option.
enum class OptionGroup { Basic, Peaks, Filters, Grouping, Input, Tracker, TrackerDetails, Motion, Counts };

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
    std::vector<ModelUse> uses = {};           ///< runs that it concerns; empty: all
    std::vector<TrackerChoice> trackers = {};  ///< trackers that it concerns; empty: all
    /// On the command line, where it is not `--name value`: of a flag the word that turns it on or off ("1"), else what
    /// stands before the value ("--mot_param name=").
    const char* argument = nullptr;
};

/// Whether the option belongs to a tracker.
[[nodiscard]] bool isOfTracker(const RunOption& option);
/// Whether it can change anything in such a run. With TrackerChoice::None the classic tracker's options count.
[[nodiscard]] bool concerns(const RunOption& option, ModelUse use, TrackerChoice tracker);

[[nodiscard]] const std::vector<RunOption>& runOptions();
/// Precondition: an option of that name exists.
[[nodiscard]] const RunOption& runOption(std::string_view name);
/// A value of the option in words: "All nodes", "No limit", "0.2".
[[nodiscard]] QString valueTitle(const RunOption& option, const QVariant& value);
/// Help with its default and its name on the command line, for a tooltip.
[[nodiscard]] QString helpText(const RunOption& option);

}  // namespace skein::ui
