// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/instance_clip.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <cmath>

namespace skein::ui {

namespace {
const auto kFormat = QStringLiteral("application/x-skein-instance+json");
constexpr qsizetype kLargest = 1 << 22;  ///< bytes; a clip is some kilobytes

QJsonValue json(double value) {
    return std::isfinite(value) ? QJsonValue(value) : QJsonValue();
}
double number(const QJsonValue& value) {
    return value.isDouble() ? value.toDouble() : project::kNaN;
}
}  // namespace

QString poseText(const project::edit::Clip& clip) {
    QStringList lines{QStringLiteral("node\tx\ty\tvisible\tscore")};
    const auto text = [](double value) { return value == value ? QString::number(value, 'f', 4) : QString(); };
    for (std::size_t i = 0; i < clip.points.size(); ++i) {
        const project::Point& p = clip.points[i];
        lines << QStringList{QString::fromStdString(i < clip.nodes.size() ? clip.nodes[i] : std::to_string(i)),
                             text(p.x), text(p.y), p.visible ? QStringLiteral("1") : QStringLiteral("0"), text(p.score)}
                     .join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

QMimeData* toMime(const project::edit::Clip& clip) {
    QJsonArray points;
    for (std::size_t i = 0; i < clip.points.size(); ++i) {
        const project::Point& p = clip.points[i];
        points.append(QJsonObject{{QStringLiteral("node"), QString::fromStdString(clip.nodes[i])},
                                  {QStringLiteral("x"), json(p.x)},
                                  {QStringLiteral("y"), json(p.y)},
                                  {QStringLiteral("visible"), p.visible}});
    }
    const QJsonObject object{{QStringLiteral("track"), QString::fromStdString(clip.track)},
                             {QStringLiteral("points"), points}};
    auto* data = new QMimeData;
    data->setData(kFormat, QJsonDocument(object).toJson(QJsonDocument::Compact));
    data->setText(poseText(clip));
    return data;
}

bool hasClip(const QMimeData* data) {
    return data != nullptr && data->hasFormat(kFormat);
}

std::optional<project::edit::Clip> clipFrom(const QMimeData* data) {
    if (!hasClip(data))
        return std::nullopt;
    const QByteArray bytes = data->data(kFormat);
    if (bytes.size() > kLargest)
        return std::nullopt;
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    project::edit::Clip clip;
    clip.track = object.value(QLatin1String("track")).toString().toStdString();
    for (const QJsonValue& value : object.value(QLatin1String("points")).toArray()) {
        const QJsonObject point = value.toObject();
        project::Point p;
        p.x = number(point.value(QLatin1String("x")));
        p.y = number(point.value(QLatin1String("y")));
        if (p.x != p.x || p.y != p.y)
            p.x = p.y = project::kNaN;
        p.visible = point.value(QLatin1String("visible")).toBool();
        clip.nodes.push_back(point.value(QLatin1String("node")).toString().toStdString());
        clip.points.push_back(p);
    }
    if (clip.points.empty())
        return std::nullopt;
    return clip;
}

}  // namespace skein::ui
