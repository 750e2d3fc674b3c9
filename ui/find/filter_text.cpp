// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/find/filter_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace skein::ui {

using project::FindBy;
using project::FindCondition;

namespace {
struct Named {
    FindBy by;
    const char* name;
};
constexpr Named kNames[] = {{FindBy::InstanceCount, "instances"}, {FindBy::ScoreBelow, "score"},
                            {FindBy::NodeInvisible, "node"},      {FindBy::Track, "track"},
                            {FindBy::SpeedAbove, "speed"},        {FindBy::TracksClose, "distance"},
                            {FindBy::Inside, "inside"},           {FindBy::User, "user"},
                            {FindBy::Predicted, "predicted"},     {FindBy::Empty, "empty"},
                            {FindBy::Negative, "negative"}};
}  // namespace

QString filterText(const std::vector<FindCondition>& conditions) {
    QJsonArray list;
    for (const FindCondition& c : conditions) {
        QJsonObject one;
        for (const Named& named : kNames)
            if (named.by == c.by)
                one[QStringLiteral("by")] = QLatin1String(named.name);
        one[QStringLiteral("not")] = c.negated;
        one[QStringLiteral("compare")] = static_cast<int>(c.compare);
        one[QStringLiteral("number")] = static_cast<qint64>(c.number);
        one[QStringLiteral("limit")] = c.limit;
        one[QStringLiteral("node")] = QString::fromStdString(c.node);
        one[QStringLiteral("track")] = QString::fromStdString(c.track);
        one[QStringLiteral("otherTrack")] = QString::fromStdString(c.otherTrack);
        one[QStringLiteral("region")] = QJsonArray{c.region.left, c.region.top, c.region.right, c.region.bottom};
        list.append(one);
    }
    return QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact));
}

std::vector<FindCondition> filterFromText(const QString& text) {
    std::vector<FindCondition> conditions;
    const QJsonArray list = QJsonDocument::fromJson(text.toUtf8()).array();
    for (const QJsonValue& value : list) {
        const QJsonObject one = value.toObject();
        FindCondition c;
        bool known = false;
        for (const Named& named : kNames)
            if (one[QStringLiteral("by")].toString() == QLatin1String(named.name)) {
                c.by = named.by;
                known = true;
            }
        if (!known)
            continue;
        c.negated = one[QStringLiteral("not")].toBool();
        c.compare = static_cast<project::Compare>(std::clamp(one[QStringLiteral("compare")].toInt(), 0, 2));
        c.number = one[QStringLiteral("number")].toInteger();
        c.limit = one[QStringLiteral("limit")].toDouble();
        c.node = one[QStringLiteral("node")].toString().toStdString();
        c.track = one[QStringLiteral("track")].toString().toStdString();
        c.otherTrack = one[QStringLiteral("otherTrack")].toString().toStdString();
        const QJsonArray region = one[QStringLiteral("region")].toArray();
        c.region = {region.at(0).toDouble(), region.at(1).toDouble(), region.at(2).toDouble(), region.at(3).toDouble()};
        conditions.push_back(std::move(c));
    }
    return conditions;
}

}  // namespace skein::ui
