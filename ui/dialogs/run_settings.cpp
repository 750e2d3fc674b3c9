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

constexpr std::array<std::pair<const char*, RunTarget>, 3> kTargets = {
    {{"frame", RunTarget::CurrentFrame}, {"range", RunTarget::SelectedRange}, {"video", RunTarget::WholeVideo}}};
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
    if (name == "oks_stddev" && settings.tracker.scoring != ScoringMethod::Oks)
        return tr("Used by OKS only.");
    if (name == "robust_best_instance" && settings.tracker.reduction != tracking::ScoreReduction::RobustQuantile)
        return tr("Used by Several scores: Quantile only.");
    if (name == "candidates_method" && settings.tracker.maxTracks)
        return tr(
            "A fixed number of animals needs the last instances of each track. Set Number of animals to Any to "
            "choose.");
    const bool ofTracker = option.group == OptionGroup::Tracker || option.group == OptionGroup::TrackerDetails;
    if (ofTracker && !settings.tracking)
        return tr("Tracking is off.");
    return {};
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

void saveRunSettings(QSettings& file, const RunSettings& settings) {
    const RunSettings standard;
    const auto store = [&file](const QString& key, const QVariant& value, const QVariant& usual) {
        if (value == usual)
            file.remove(key);
        else
            // Invalid is how QSettings says "not there": an unset option is stored as an empty text.
            file.setValue(key, value.isValid() ? value : QVariant(QString()));
    };
    file.beginGroup(QStringLiteral("inference"));
    for (const RunOption& option : runOptions())
        store(QLatin1String(option.name), option.get(settings), option.get(standard));
    store(QStringLiteral("device"), QString::fromStdString(settings.inference.device),
          QString::fromStdString(standard.inference.device));
    store(QStringLiteral("tracking"), settings.tracking, standard.tracking);
    store(QStringLiteral("features_chosen"), settings.chosen.feature, false);
    store(QStringLiteral("scoring_chosen"), settings.chosen.scoring, false);
    store(QStringLiteral("target"), nameOf(settings.target, kTargets), nameOf(standard.target, kTargets));
    store(QStringLiteral("existing"), nameOf(settings.existing, kExisting), nameOf(standard.existing, kExisting));
    file.endGroup();
}

RunSettings loadRunSettings(const QSettings& file) {
    RunSettings settings;
    const auto stored = [&file](const char* key) {
        return file.value(QStringLiteral("inference/") + QLatin1String(key));
    };
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
    settings.tracking = stored("tracking").toBool();
    settings.chosen.feature = stored("features_chosen").toBool();
    settings.chosen.scoring = stored("scoring_chosen").toBool();
    settings.target = valueOf(stored("target").toString(), kTargets, settings.target);
    settings.existing = valueOf(stored("existing").toString(), kExisting, settings.existing);
    reconcile(settings, 0);
    return settings;
}

QStringList commandLineOptions(const RunSettings& settings) {
    const RunSettings standard;
    QStringList words;
    for (const RunOption& option : runOptions()) {
        const bool ofTracker = option.group == OptionGroup::Tracker || option.group == OptionGroup::TrackerDetails;
        const QVariant value = option.get(settings);
        if ((ofTracker && !settings.tracking) || value == option.get(standard))
            continue;
        words << QStringLiteral("--") + QLatin1String(option.name);
        if (option.kind == OptionKind::Flag)
            words << (value.toBool() ? QStringLiteral("integral") : QStringLiteral("none"));
        else
            words << value.toString();
    }
    if (settings.tracking)
        words << QStringLiteral("--tracking");
    if (settings.inference.device != standard.inference.device)
        words << QStringLiteral("--device") << QString::fromStdString(settings.inference.device);
    return words;
}

}  // namespace skein::ui
