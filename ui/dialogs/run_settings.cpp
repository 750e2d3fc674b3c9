// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_settings.h"

#include <QCoreApplication>
#include <QSettings>
#include <array>
#include <string>
#include <utility>

namespace skein::ui {
namespace {

using tracking::Feature;
using tracking::ScoringMethod;
using tracking::TrackerOptions;

QString tr(const char* text) {
    return QCoreApplication::translate("RunOption", text);
}

constexpr std::array<std::pair<const char*, RunTarget>, 13> kTargets = {{{"frame", RunTarget::CurrentFrame},
                                                                         {"range", RunTarget::SelectedRange},
                                                                         {"video", RunTarget::WholeVideo},
                                                                         {"labelled", RunTarget::Labelled},
                                                                         {"suggestions", RunTarget::Suggestions},
                                                                         {"predicted", RunTarget::Predicted},
                                                                         {"not_predicted", RunTarget::NotPredicted},
                                                                         {"sample", RunTarget::RandomSample},
                                                                         {"issues", RunTarget::WithIssues},
                                                                         {"list", RunTarget::Custom},
                                                                         {"selected_videos", RunTarget::SelectedVideos},
                                                                         {"all_videos", RunTarget::AllVideos},
                                                                         {"sample_of_all", RunTarget::SampleOfAll}}};
constexpr std::array<std::pair<const char*, TrackerChoice>, 8> kTrackers = {{{"none", TrackerChoice::None},
                                                                             {"classic", TrackerChoice::Classic},
                                                                             {"flow", TrackerChoice::Flow},
                                                                             {"kalman", TrackerChoice::Kalman},
                                                                             {"sort", TrackerChoice::Sort},
                                                                             {"bytetrack", TrackerChoice::ByteTrack},
                                                                             {"ocsort", TrackerChoice::OcSort},
                                                                             {"skein", TrackerChoice::Skein}}};
constexpr std::array<std::pair<const char*, ExistingPredictions>, 3> kExisting = {
    {{"replace", ExistingPredictions::Replace},
     {"clear", ExistingPredictions::Clear},
     {"keep", ExistingPredictions::Keep}}};

template <class T, std::size_t N>
QString nameOf(T value, const std::array<std::pair<const char*, T>, N>& names) {
    for (const auto& [name, candidate] : names)
        if (candidate == value)
            return QLatin1String(name);
    return {};
}

template <class T, std::size_t N>
T valueOf(const QString& name, const std::array<std::pair<const char*, T>, N>& names, T otherwise) {
    for (const auto& [candidate, value] : names)
        if (name == QLatin1String(candidate))
            return value;
    return otherwise;
}

/// Which score each feature goes with when the chosen one does not.
ScoringMethod usualScore(Feature feature) {
    switch (feature) {
        case Feature::Keypoints:
            return ScoringMethod::Oks;
        case Feature::Centroids:
            return ScoringMethod::EuclideanDistance;
        case Feature::Boxes:
            return ScoringMethod::Iou;
    }
    return ScoringMethod::EuclideanDistance;
}

/// Whether the tracker takes this pair at all; asked of the tracker itself, so that the two cannot disagree.
bool goTogether(Feature feature, ScoringMethod scoring) {
    TrackerOptions options;
    options.feature = feature;
    options.scoring = scoring;
    return tracking::resolveOptions(options, {}, {.feature = true, .scoring = true}).has_value();
}

}  // namespace

QString impossibleBecause(const RunSettings& settings, const RunOption& option, std::string_view value) {
    if (option.name == std::string_view("scoring_method")) {
        const auto scoring = tracking::parseScoringMethod(value);
        if (scoring && !goTogether(settings.tracker.feature, *scoring))
            return *scoring == ScoringMethod::Oks ? tr("OKS compares nodes. Choose Compare: All nodes to use it.")
                                                  : tr("IoU compares boxes. Choose Compare: Boxes to use it.");
    }
    return {};
}

QString withoutEffectBecause(const RunSettings& settings, const RunOption& option) {
    const std::string_view name = option.name;
    if (name == "integral_patch_size" && !settings.inference.integralRefinement)
        return tr("Used by integral refinement, which is off.");
    if (name.starts_with("filter_overlapping_") && !settings.inference.filters.overlapping)
        return tr("Used where overlapping instances are dropped, which is off.");
    if (name == "oks_stddev" && settings.tracker.scoring != ScoringMethod::Oks)
        return tr("Used by OKS only.");
    if (name == "robust_best_instance" && settings.tracker.reduction != tracking::ScoreReduction::RobustQuantile)
        return tr("Used by Several scores: Quantile only.");
    if (name == "candidates_method" && settings.tracker.maxTracks)
        return tr(
            "A fixed number of animals needs the last instances of each track. Set Number of animals to Any to "
            "choose.");
    if (isOfTracker(option) && !settings.tracking)
        return tr("Tracking is off.");
    if (name == "link_tracklets" && trackerChoice(settings) == TrackerChoice::Skein)
        return tr("This tracker always links.");
    if (name == "link_tracklets" && isBoxTracker(trackerChoice(settings)) && settings.tracker.maxTracks)
        return tr("With a number of animals these trackers always link.");
    const bool countKnown = settings.tracker.targetInstanceCount || settings.inference.maxInstances > 0;
    if ((name == "tracking_pre_cull_to_target" || name == "post_connect_single_breaks") && !countKnown)
        return tr("Needs the number of animals.");
    if (name == "tracking_pre_cull_iou_threshold" && !(settings.tracker.preCullToTarget && countKnown))
        return tr("Used by the cull before tracking, which is off.");
    if (name == "tracking_clean_iou_threshold" && settings.tracker.cleanInstanceCount == 0)
        return tr("Used where instances are dropped after tracking, which is off.");
    return {};
}

tracking::TrackerOptions effectiveTracker(const RunSettings& settings) {
    const TrackerChoice choice = trackerChoice(settings);
    const TrackerOptions& chosen = settings.tracker;
    TrackerOptions options;
    if (isBoxTracker(choice)) {
        options.tracker = chosen.tracker;
        // Skein has no constants to choose.
        if (choice != TrackerChoice::Skein)
            options.mot = chosen.mot;
        // SORT has no stage for doubtful instances.
        if (choice == TrackerChoice::Sort)
            options.mot.lowThreshold.reset();
    } else {
        const TrackerOptions standard;
        options = chosen;
        options.mot = {};
        if (choice != TrackerChoice::Flow) {
            options.flowImageScale = standard.flowImageScale;
            options.flowWindowSize = standard.flowWindowSize;
            options.flowMaxLevels = standard.flowMaxLevels;
        }
        if (choice != TrackerChoice::Kalman) {
            options.kalmanFeature = standard.kalmanFeature;
            options.kalmanInitFrameCount = standard.kalmanInitFrameCount;
            options.kalmanNodes = standard.kalmanNodes;
            options.kalmanResetGap = standard.kalmanResetGap;
        }
        if (chosen.scoring != ScoringMethod::Oks)
            options.oksStddev.reset();
    }
    // What all trackers have; an option that has no effect now is not asked for.
    const auto has = [&settings](const char* name) {
        return withoutEffectBecause(settings, runOption(name)).isEmpty();
    };
    options.maxTracks = chosen.maxTracks;
    options.linkTracklets = chosen.linkTracklets;
    options.targetInstanceCount = chosen.targetInstanceCount;
    options.preCullToTarget = chosen.preCullToTarget && has("tracking_pre_cull_to_target");
    options.preCullIou = chosen.preCullIou;
    options.cleanInstanceCount = chosen.cleanInstanceCount;
    options.cleanIou = chosen.cleanIou;
    options.connectSingleBreaks =
        !isBoxTracker(choice) && chosen.connectSingleBreaks && has("post_connect_single_breaks");
    options.matchSleapNn = settings.inference.matchSleapNn;
    return options;
}

inference::InferenceOptions effectiveInference(const RunSettings& settings, ModelUse use) {
    RunSettings effective = settings;
    const RunSettings standard;
    for (const RunOption& option : runOptions())
        if (!isOfTracker(option) && !concerns(option, use, TrackerChoice::None))
            option.set(effective, option.get(standard));
    return effective.inference;
}

QStringList changedOptions(const RunSettings& before, const RunSettings& now) {
    QStringList changes;
    for (const RunOption& option : runOptions()) {
        if (isOfTracker(option))
            continue;
        const QVariant from = option.get(before), to = option.get(now);
        if (from != to)
            changes
                << QStringLiteral("%1 %2 → %3").arg(tr(option.label), valueTitle(option, from), valueTitle(option, to));
    }
    return changes;
}

QString animalsNote(const RunSettings& settings) {
    const TrackerChoice choice = trackerChoice(settings);
    if (choice == TrackerChoice::None || !settings.tracker.maxTracks)
        return {};
    const int animals = *settings.tracker.maxTracks;
    QStringList set;
    set << (animals == 1 ? tr("at most 1 track") : tr("at most %1 tracks").arg(animals));
    if (settings.tracker.targetInstanceCount)
        set << tr("target count %1").arg(*settings.tracker.targetInstanceCount);
    set << (isBoxTracker(choice) ? tr("tracks are linked at the end of the video")
                                 : tr("detections are compared with the last instances of each track"));
    return tr("Sets: %1.").arg(set.join(QStringLiteral(", ")));
}

QString reconcile(RunSettings& settings, int nodes) {
    TrackerOptions& tracker = settings.tracker;
    QStringList changes;
    // sleap-nn's rule for one-node skeletons: neither OKS nor a box means anything for a single point.
    if (nodes == 1) {
        bool changed = false;
        if (!settings.chosen.feature && tracker.feature != Feature::Centroids) {
            tracker.feature = Feature::Centroids;
            changed = true;
        }
        if (!settings.chosen.scoring && tracker.scoring != ScoringMethod::EuclideanDistance) {
            tracker.scoring = ScoringMethod::EuclideanDistance;
            changed = true;
        }
        if (changed)
            changes << tr("One node: centroids are compared by distance.");
    } else if (nodes > 1) {
        const TrackerOptions standard;
        if (!settings.chosen.feature)
            tracker.feature = standard.feature;
        if (!settings.chosen.scoring && goTogether(tracker.feature, standard.scoring))
            tracker.scoring = standard.scoring;
    }
    if (!goTogether(tracker.feature, tracker.scoring)) {
        tracker.scoring = usualScore(tracker.feature);
        changes << tr("Score by was set to %1.")
                       .arg(valueTitle(runOption("scoring_method"), runOption("scoring_method").get(settings)));
    }
    return changes.join(QLatin1Char(' '));
}

void saveRunSettings(QSettings& file, const RunSettings& settings, const QString& group) {
    const RunSettings standard;
    const auto store = [&file](const QString& key, const QVariant& value, const QVariant& usual) {
        if (value == usual)
            file.remove(key);
        else
            // Invalid is how QSettings says "not there": an unset option is stored as an empty text.
            file.setValue(key, value.isValid() ? value : QVariant(QString()));
    };
    file.beginGroup(group);
    for (const RunOption& option : runOptions())
        // The number of animals brings the target count with it when it is read.
        store(QLatin1String(option.name), option.get(settings),
              option.name == std::string_view("tracking_target_instance_count") && settings.tracker.maxTracks
                  ? QVariant(*settings.tracker.maxTracks)
                  : option.get(standard));
    store(QStringLiteral("device"), QString::fromStdString(settings.inference.device),
          QString::fromStdString(standard.inference.device));
    store(QStringLiteral("tracker"), nameOf(trackerChoice(settings), kTrackers),
          nameOf(trackerChoice(standard), kTrackers));
    store(QStringLiteral("track_only"), settings.trackOnly, false);
    store(QStringLiteral("frame_list"), settings.frameList, QString());
    store(QStringLiteral("sample"), settings.sampleSize, standard.sampleSize);
    store(QStringLiteral("skip_labelled"), settings.skipLabelled, standard.skipLabelled);
    store(QStringLiteral("features_chosen"), settings.chosen.feature, false);
    store(QStringLiteral("scoring_chosen"), settings.chosen.scoring, false);
    store(QStringLiteral("target"), nameOf(settings.target, kTargets), nameOf(standard.target, kTargets));
    store(QStringLiteral("existing"), nameOf(settings.existing, kExisting), nameOf(standard.existing, kExisting));
    file.endGroup();
}

RunSettings loadRunSettings(const QSettings& file, const QString& group) {
    RunSettings settings;
    const auto stored = [&](const char* key) { return file.value(group + QLatin1Char('/') + QLatin1String(key)); };
    for (const RunOption& option : runOptions()) {
        QVariant value = stored(option.name);
        if (!value.isValid())
            continue;
        // A file can be edited or come from another version: what is no number, or out of range, is not taken.
        if (option.kind == OptionKind::Integer || option.kind == OptionKind::Number) {
            if (value.toString().isEmpty()) {
                if (option.noneText == nullptr)
                    continue;
                value = QVariant();
            } else {
                bool isNumber = false;
                const double number = value.toDouble(&isNumber);
                if (!isNumber || !(number >= option.minimum && number <= option.maximum))
                    continue;
                value = option.kind == OptionKind::Integer ? QVariant(static_cast<int>(number)) : QVariant(number);
            }
        }
        option.set(settings, value);
    }
    if (const QString device = stored("device").toString(); !device.isEmpty())
        settings.inference.device = device.toStdString();
    chooseTracker(settings, valueOf(stored("tracker").toString(), kTrackers, TrackerChoice::None));
    settings.trackOnly = settings.tracking && stored("track_only").toBool();
    settings.frameList = stored("frame_list").toString().left(kLongestFrameList);
    bool isNumber = false;
    if (const int sample = stored("sample").toInt(&isNumber); isNumber && sample >= 1 && sample <= kLargestSample)
        settings.sampleSize = sample;
    settings.skipLabelled = stored("skip_labelled").toBool();
    settings.chosen.feature = stored("features_chosen").toBool();
    settings.chosen.scoring = stored("scoring_chosen").toBool();
    settings.target = valueOf(stored("target").toString(), kTargets, settings.target);
    settings.existing = valueOf(stored("existing").toString(), kExisting, settings.existing);
    reconcile(settings, 0);
    return settings;
}

QStringList commandLineOptions(const RunSettings& settings, ModelUse use) {
    const RunSettings standard;
    const TrackerChoice choice = trackerChoice(settings);
    QStringList words;
    for (const RunOption& option : runOptions()) {
        const QVariant value = option.get(settings);
        if (value == option.get(standard) || !concerns(option, use, choice) ||
            (settings.trackOnly && !isOfTracker(option)) ||
            (isOfTracker(option) && !withoutEffectBecause(settings, option).isEmpty()))
            continue;
        const QString name = QStringLiteral("--") + QLatin1String(option.name);
        const bool triState =
            option.name == std::string_view("ensure_rgb") || option.name == std::string_view("ensure_grayscale");
        if (triState) {
            words << (value.toString() == QLatin1String("yes") ? name : QStringLiteral("--no_") + name.mid(2));
        } else if (option.kind == OptionKind::Flag) {
            words << name;
            if (option.argument == nullptr)
                words << (value.toBool() ? QStringLiteral("integral") : QStringLiteral("none"));
            else if (*option.argument != '\0')
                words << QLatin1String(option.argument);
        } else if (option.argument != nullptr) {
            words << (QLatin1String(option.argument) + value.toString()).split(QLatin1Char(' '));
        } else {
            // Of the batch size alone "not set" is no default, but a choice.
            words << name << (value.isValid() ? value.toString() : QStringLiteral("auto"));
        }
    }
    if (settings.tracking && !settings.trackOnly)
        words << QStringLiteral("--tracking");
    if (choice == TrackerChoice::Flow)
        words << QStringLiteral("--use_flow");
    if (choice == TrackerChoice::Kalman)
        words << QStringLiteral("--use_kalman");
    if (isBoxTracker(choice))
        words << QStringLiteral("--tracker") << nameOf(choice, kTrackers);
    if (settings.inference.device != standard.inference.device && !settings.trackOnly)
        words << QStringLiteral("--device") << QString::fromStdString(settings.inference.device);
    return words;
}

}  // namespace skein::ui
