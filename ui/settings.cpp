// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

namespace skein::ui {

namespace {
struct Entry {
    Setting setting;
    const char* name;
    QVariant byDefault;
};

const Entry& entry(Setting setting) {
    static const Entry entries[] = {
        {Setting::WindowGeometry, "window/geometry", {}},
        {Setting::WindowState, "window/state", {}},
        {Setting::SplitterState, "window/splitter", {}},
        {Setting::RecentFiles, "files/recent", QStringList()},
        {Setting::Theme, "look/theme", 0},
        {Setting::CountFramesFromZero, "look/countFramesFromZero", false},
        {Setting::LastFolder, "files/lastFolder", QString()},
        {Setting::LastModelFolder, "files/lastModelFolder", QString()},
        {Setting::ColorBy, "view/colorBy", 0},
        {Setting::ShowNames, "view/showNames", false},
        {Setting::ShowEdges, "view/showEdges", true},
        {Setting::ShowHiddenNodes, "view/showHiddenNodes", true},
        {Setting::Placement, "labels/placement", 0},
        {Setting::PropagateTracks, "tracks/propagate", true},
        {Setting::FindFilters, "find/filters", QVariantMap()},
    };
    for (const Entry& e : entries)
        if (e.setting == setting)
            return e;
    Q_UNREACHABLE();
}
}  // namespace

Settings::Settings()
    : m_store(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("skein"), QStringLiteral("skein")) {}

QVariant Settings::get(Setting setting) const {
    const Entry& e = entry(setting);
    return m_store.value(QLatin1String(e.name), e.byDefault);
}

void Settings::set(Setting setting, const QVariant& value) {
    m_store.setValue(QLatin1String(entry(setting).name), value);
}

QByteArray Settings::tableState(const QString& table) const {
    return m_store.value(QStringLiteral("tables/") + table).toByteArray();
}

void Settings::setTableState(const QString& table, const QByteArray& state) {
    m_store.setValue(QStringLiteral("tables/") + table, state);
}

}  // namespace skein::ui
