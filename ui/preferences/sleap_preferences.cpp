// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/preferences/sleap_preferences.h"

#include <yaml-cpp/yaml.h>

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "ui/preferences/preference_rows.h"

namespace skein::ui {

namespace {

constexpr qint64 kMostBytes = 1 << 20;

QString tr(const char* text) {
    return QCoreApplication::translate("SleapPreferences", text);
}

struct Counterpart {
    const char* name;  ///< in SLEAP's file
    Setting setting;
};

constexpr Counterpart kCounterparts[] = {
    {"medium step size", Setting::MediumStep},
    {"large step size", Setting::LargeStep},
    {"propagate track labels", Setting::PropagateTracks},
    {"show non-visible nodes", Setting::ShowHiddenNodes},
    {"color predicted", Setting::ColorPredicted},
    {"marker size", Setting::MarkerSize},
    {"node label size", Setting::LabelSize},
};

/// The value for a row of the preferences; invalid when it does not suit.
QVariant valueFor(const PreferenceRow& row, const YAML::Node& node) {
    if (!node.IsScalar())
        return {};
    const QString text = QString::fromStdString(node.Scalar()).trimmed();
    if (row.kind == PreferenceRow::Kind::Switch) {
        const QString word = text.toLower();
        if (word == QLatin1String("true") || word == QLatin1String("false"))
            return word == QLatin1String("true");
        return {};
    }
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (!isNumber)
        return {};
    const bool fits = row.kind == PreferenceRow::Kind::Number
                          ? number >= row.least && number <= row.most
                          : std::find(row.values.begin(), row.values.end(), number) != row.values.end();
    return fits ? QVariant(number) : QVariant();
}

}  // namespace

QString importSleapPreferences(const QString& path, Settings* settings) {
    const QString name = QFileInfo(path).fileName();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tr("%1 cannot be read: %2.").arg(name, file.errorString());
    const QByteArray text = file.read(kMostBytes + 1);
    YAML::Node root;
    try {
        if (text.size() <= kMostBytes)
            root = YAML::Load(text.toStdString());
    } catch (const YAML::Exception&) {
        root = YAML::Node();
    }
    if (!root.IsMap())
        return tr("%1 is no file of SLEAP's preferences.").arg(name);
    const auto& rows = preferenceRows();
    QStringList taken;
    for (const Counterpart& counterpart : kCounterparts) {
        const YAML::Node node = root[counterpart.name];
        const auto row = std::find_if(rows.begin(), rows.end(),
                                      [&](const PreferenceRow& r) { return r.setting == counterpart.setting; });
        if (!node || row == rows.end())
            continue;
        const QVariant value = valueFor(*row, node);
        if (!value.isValid())
            continue;
        settings->set(counterpart.setting, value);
        taken << preferenceText(row->label).toLower();
    }
    return taken.isEmpty() ? tr("%1 says nothing that Skein has, too.").arg(name)
                           : tr("Taken from SLEAP: %1.").arg(taken.join(QStringLiteral(", ")));
}

}  // namespace skein::ui
