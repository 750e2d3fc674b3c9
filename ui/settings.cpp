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
        {Setting::ShowScores, "view/showScores", false},
        {Setting::ShowReplaced, "view/showReplaced", false},
        {Setting::ColorPredicted, "view/colorPredicted", true},
        {Setting::DashPredicted, "view/dashPredicted", false},
        {Setting::Palette, "view/palette", 0},
        {Setting::Focus, "view/focus", 0},
        {Setting::EdgeStyle, "view/edgeStyle", 0},
        {Setting::MarkerSize, "view/markerSize", 4},
        {Setting::LabelSize, "view/labelSize", 12},
        {Setting::GhostDrag, "labels/ghostDrag", true},
        {Setting::EveryFrame, "play/everyFrame", false},
        {Setting::Decoder, "video/decoder", 0},
        {Setting::AutosaveMinutes, "files/autosaveMinutes", 0},
        {Setting::KeepBackups, "files/keepBackups", true},
        {Setting::RecoveryFolder, "files/recoveryFolder", QString()},
        {Setting::VideoReplacements, "files/videoReplacements", QStringList()},
        {Setting::MediumStep, "go/mediumStep", 10},
        {Setting::LargeStep, "go/largeStep", 100},
        {Setting::SpacePlays, "go/spacePlays", false},
        {Setting::RecentCount, "files/recentCount", 10},
        {Setting::FontPercent, "look/fontPercent", 100},
        {Setting::Shortcuts, "keys/shortcuts", QStringList()},
        {Setting::FindFilters, "find/filters", QVariantMap()},
        {Setting::TimelineStatistics, "timeline/statistics", QStringList()},
        {Setting::TimelineStacked, "timeline/stacked", false},
        {Setting::TimelineStripHeight, "timeline/stripHeight", 40},
        {Setting::TimelineTime, "timeline/time", false},
        {Setting::LaneOrder, "timeline/laneOrder", 0},
        {Setting::LanesPacked, "timeline/lanesPacked", true},
        {Setting::TrailLength, "trails/length", 0},
        {Setting::TrailWhen, "trails/when", 0},
        {Setting::TrailNode, "trails/node", QString()},
        {Setting::TrailFade, "trails/fade", true},
        {Setting::TrailOpacity, "trails/opacity", 100},
        {Setting::TrailWidth, "trails/width", 2},
        {Setting::DeletedTracks, "tracks/deleted", 0},
        {Setting::CancelledEntries, "queue/cancelledEntries", 0},
    };
    for (const Entry& e : entries)
        if (e.setting == setting)
            return e;
    Q_UNREACHABLE();
}
}  // namespace

Settings::Settings(QObject* parent)
    : QObject(parent),
      m_store(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("skein"), QStringLiteral("skein")) {}

void Settings::setFolder(const QString& folder) {
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder);
}

QVariant Settings::get(Setting setting) const {
    const Entry& e = entry(setting);
    return m_store.value(QLatin1String(e.name), e.byDefault);
}

QVariant Settings::defaultOf(Setting setting) {
    return entry(setting).byDefault;
}

void Settings::set(Setting setting, const QVariant& value) {
    const QLatin1String name(entry(setting).name);
    // A file of text gives texts back: what looks the same is the same.
    if (m_store.contains(name) && get(setting) == value)
        return;
    m_store.setValue(name, value);
    Q_EMIT changed(setting);
}

void Settings::reset(Setting setting) {
    const QLatin1String name(entry(setting).name);
    if (!m_store.contains(name))
        return;
    m_store.remove(name);
    Q_EMIT changed(setting);
}

QByteArray Settings::tableState(const QString& table) const {
    return m_store.value(QStringLiteral("tables/") + table).toByteArray();
}

void Settings::setTableState(const QString& table, const QByteArray& state) {
    m_store.setValue(QStringLiteral("tables/") + table, state);
}

video::DecoderChoice decoderOf(const Settings& settings) {
    return settings.get(Setting::Decoder).toInt() == 1 ? video::DecoderChoice::Gpu : video::DecoderChoice::Processor;
}

}  // namespace skein::ui
