// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recent_files.h"

#include <QFileInfo>
#include <algorithm>

#include "ui/bridge/background.h"

namespace skein::ui {

RecentFiles::RecentFiles(Settings* settings, QObject* parent) : QObject(parent), m_settings(settings) {
    for (const QString& path : settings->get(Setting::RecentFiles).toStringList())
        if (m_entries.size() < most())
            m_entries.push_back({path, true});
    connect(settings, &Settings::changed, this, [this](Setting setting) {
        if (setting != Setting::RecentCount || m_entries.size() <= most())
            return;
        m_entries.resize(most());
        store();
        Q_EMIT changed();
    });
    check();
}

std::size_t RecentFiles::most() const {
    return static_cast<std::size_t>(std::clamp(m_settings->get(Setting::RecentCount).toInt(), 0, 50));
}

void RecentFiles::add(const QString& path) {
    std::erase_if(m_entries, [&path](const Entry& e) { return e.path == path; });
    m_entries.insert(m_entries.begin(), {path, true});
    if (m_entries.size() > most())
        m_entries.resize(most());
    store();
    Q_EMIT changed();
}

void RecentFiles::clear() {
    m_entries.clear();
    store();
    Q_EMIT changed();
}

void RecentFiles::store() {
    QStringList paths;
    for (const Entry& e : m_entries)
        paths << e.path;
    m_settings->set(Setting::RecentFiles, paths);
}

void RecentFiles::check() {
    if (m_entries.empty())
        return;
    inBackground(
        this,
        [entries = m_entries]() mutable -> Result<std::vector<Entry>> {
            for (Entry& e : entries)
                e.exists = QFileInfo::exists(e.path);
            return std::move(entries);
        },
        [this](Result<std::vector<Entry>> checked) {
            if (!checked)
                return;
            bool differs = false;
            for (Entry& e : m_entries)
                for (const Entry& seen : *checked)
                    if (seen.path == e.path && seen.exists != e.exists) {
                        e.exists = seen.exists;
                        differs = true;
                    }
            if (differs)
                Q_EMIT changed();
        });
}

}  // namespace skein::ui
