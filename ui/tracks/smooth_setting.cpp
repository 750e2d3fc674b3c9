// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/smooth_setting.h"

#include <QJsonArray>

namespace skein::ui {

namespace {

void read(const QJsonObject& json, const char* key, int& value) {
    value = json.value(QLatin1String(key)).toInt(value);
}

void read(const QJsonObject& json, const char* key, double& value) {
    value = json.value(QLatin1String(key)).toDouble(value);
}

}  // namespace

QJsonObject toJson(const SmoothSetting& setting) {
    const proofread::SmoothOptions& o = setting.options;
    const std::string_view method = proofread::nameOf(o.method);
    QJsonArray tracks;
    for (const std::string& name : o.tracks)
        tracks.append(QString::fromStdString(name));
    return {{QStringLiteral("method"), QString::fromLatin1(method.data(), static_cast<int>(method.size()))},
            {QStringLiteral("window"), o.window},
            {QStringLiteral("order"), o.order},
            {QStringLiteral("min_cutoff"), o.minCutoff},
            {QStringLiteral("beta"), o.beta},
            {QStringLiteral("frames_per_second"), o.framesPerSecond},
            {QStringLiteral("time_constant"), o.timeConstant},
            {QStringLiteral("longest_gap"), static_cast<double>(o.longestGap)},
            {QStringLiteral("tracks"), tracks},
            {QStringLiteral("shown"), setting.shown}};
}

std::optional<SmoothSetting> smoothSettingOf(const QJsonObject& json) {
    const auto method = proofread::smoothMethodNamed(json.value(QLatin1String("method")).toString().toStdString());
    if (!method)
        return std::nullopt;
    SmoothSetting setting;
    proofread::SmoothOptions& o = setting.options;
    o.method = *method;
    read(json, "window", o.window);
    read(json, "order", o.order);
    read(json, "min_cutoff", o.minCutoff);
    read(json, "beta", o.beta);
    read(json, "frames_per_second", o.framesPerSecond);
    read(json, "time_constant", o.timeConstant);
    double gap = static_cast<double>(o.longestGap);
    read(json, "longest_gap", gap);
    o.longestGap = static_cast<std::int64_t>(gap);
    for (const QJsonValue& name : json.value(QLatin1String("tracks")).toArray())
        if (name.isString())
            o.tracks.push_back(name.toString().toStdString());
    setting.shown = json.value(QLatin1String("shown")).toBool(true);
    return setting;
}

}  // namespace skein::ui
