// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

#include "ui/settings.h"

namespace skein::ui {

/// Files opened last, newest first. Whether they still exist is found out in the background. GUI thread only.
class RecentFiles : public QObject {
    Q_OBJECT
public:
    struct Entry {
        QString path;
        bool exists = true;
    };

    RecentFiles(Settings* settings, QObject* parent);

    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    void add(const QString& path);
    void clear();
    /// Looks again which files exist; changed() follows when the answer differs.
    void check();

Q_SIGNALS:
    void changed();

private:
    void store();
    [[nodiscard]] std::size_t most() const;
    Settings* m_settings;
    std::vector<Entry> m_entries;
};

}  // namespace skein::ui
