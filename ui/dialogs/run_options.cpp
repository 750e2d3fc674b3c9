// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/run_options.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/dialogs/run_option_access.h"

namespace skein::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RunOption", text);
}

}  // namespace

TrackerChoice trackerChoice(const RunSettings& settings) {
    if (!settings.tracking)
        return TrackerChoice::None;
    switch (settings.tracker.tracker) {
        case tracking::TrackerKind::Sort:
            return TrackerChoice::Sort;
        case tracking::TrackerKind::ByteTrack:
            return TrackerChoice::ByteTrack;
        case tracking::TrackerKind::OcSort:
            return TrackerChoice::OcSort;
        case tracking::TrackerKind::Skein:
            return TrackerChoice::Skein;
        case tracking::TrackerKind::Classic:
            break;
    }
    return settings.tracker.useFlow     ? TrackerChoice::Flow
           : settings.tracker.useKalman ? TrackerChoice::Kalman
                                        : TrackerChoice::Classic;
}

void chooseTracker(RunSettings& settings, TrackerChoice choice) {
    settings.tracking = choice != TrackerChoice::None;
    settings.tracker.useFlow = choice == TrackerChoice::Flow;
    settings.tracker.useKalman = choice == TrackerChoice::Kalman;
    settings.tracker.tracker = choice == TrackerChoice::Sort        ? tracking::TrackerKind::Sort
                               : choice == TrackerChoice::ByteTrack ? tracking::TrackerKind::ByteTrack
                               : choice == TrackerChoice::OcSort    ? tracking::TrackerKind::OcSort
                               : choice == TrackerChoice::Skein     ? tracking::TrackerKind::Skein
                                                                    : tracking::TrackerKind::Classic;
}

bool isBoxTracker(TrackerChoice choice) {
    return choice >= TrackerChoice::Sort;
}

bool isOfTracker(const RunOption& option) {
    return option.group >= OptionGroup::Tracker;
}

bool concerns(const RunOption& option, ModelUse use, TrackerChoice tracker) {
    const auto holds = [](const auto& list, auto value) {
        return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
    };
    return (use == ModelUse::Unknown || holds(option.uses, use)) &&
           holds(option.trackers, tracker == TrackerChoice::None ? TrackerChoice::Classic : tracker);
}

const std::vector<RunOption>& runOptions() {
    static const std::vector<RunOption> kOptions = [] {
        std::vector<RunOption> list;
        options::addNetworkOptions(list);
        options::addTrackingOptions(list);
        return list;
    }();
    return kOptions;
}

const RunOption& runOption(std::string_view name) {
    const auto& options = runOptions();
    const auto it = std::find_if(options.begin(), options.end(), [name](const RunOption& o) { return name == o.name; });
    SKEIN_EXPECTS(it != options.end(), "the option is in the table");
    return *it;
}

QString valueTitle(const RunOption& option, const QVariant& value) {
    if (!value.isValid())
        return option.noneText != nullptr ? tr(option.noneText) : tr("not set");
    switch (option.kind) {
        case OptionKind::Flag:
            return value.toBool() ? tr("on") : tr("off");
        case OptionKind::Choice:
            for (const RunOption::Value& v : option.values)
                if (value.toString() == QLatin1String(v.name))
                    return tr(v.title);
            return value.toString();
        default:
            return value.toString();
    }
}

QString helpText(const RunOption& option) {
    const QString standard = tr("Default: %1").arg(valueTitle(option, option.get(RunSettings())));
    const QString argument = option.argument != nullptr && option.kind != OptionKind::Flag
                                 ? QLatin1String(option.argument) + tr("VALUE")
                                 : QStringLiteral("--") + QLatin1String(option.name);
    return QStringLiteral("<p>%1</p><p>%2<br><code>%3</code></p>")
        .arg(tr(option.help).toHtmlEscaped(), standard.toHtmlEscaped(), argument.toHtmlEscaped());
}

}  // namespace skein::ui
