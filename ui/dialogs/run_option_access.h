// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ui/dialogs/run_options.h"

// How the tables of run options read and write the settings; for these tables only.
namespace skein::ui::options {

/// Options of the network's side, in the order in which they are shown.
void addNetworkOptions(std::vector<RunOption>& list);
/// Options of the trackers.
void addTrackingOptions(std::vector<RunOption>& list);

inline QVariant orNone(const std::optional<int>& value) {
    return value ? QVariant(*value) : QVariant();
}
inline QVariant orNone(const std::optional<double>& value) {
    return value ? QVariant(*value) : QVariant();
}

inline std::optional<int> optionalInt(const QVariant& value) {
    return value.isValid() ? std::optional(value.toInt()) : std::nullopt;
}
inline std::optional<double> optionalDouble(const QVariant& value) {
    return value.isValid() ? std::optional(value.toDouble()) : std::nullopt;
}

inline QVariant text(std::string_view value) {
    return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

/// Takes the value if its name is known; a settings file of another version may name others.
template <class T>
void setParsed(T& target, const QVariant& value, Result<T> (*parse)(std::string_view)) {
    if (const auto parsed = parse(value.toString().toStdString()))
        target = *parsed;
}

// Shorthand for members, by the way to them; the table below stays readable that way.
template <auto... Path>
QVariant getBy(const RunSettings& s) {
    return (s.*....*Path);
}
template <auto... Path>
void setBy(RunSettings& s, const QVariant& value) {
    auto& member = (s.*....*Path);
    member = value.value<std::remove_reference_t<decltype(member)>>();
}
template <auto Member>
constexpr auto getInference = getBy<&RunSettings::inference, Member>;
template <auto Member>
constexpr auto setInference = setBy<&RunSettings::inference, Member>;
template <auto Member>
constexpr auto getTracker = getBy<&RunSettings::tracker, Member>;
template <auto Member>
constexpr auto setTracker = setBy<&RunSettings::tracker, Member>;
template <auto Member>
constexpr auto getFilter = getBy<&RunSettings::inference, &inference::InferenceOptions::filters, Member>;
template <auto Member>
constexpr auto setFilter = setBy<&RunSettings::inference, &inference::InferenceOptions::filters, Member>;

template <auto Member>
QVariant getBox(const RunSettings& s) {
    return orNone(s.tracker.mot.*Member);
}
template <auto Member>
void setBoxInt(RunSettings& s, const QVariant& value) {
    s.tracker.mot.*Member = optionalInt(value);
}
template <auto Member>
void setBoxNumber(RunSettings& s, const QVariant& value) {
    s.tracker.mot.*Member = optionalDouble(value);
}

}  // namespace skein::ui::options
