// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include "ui/document.h"

namespace skein::ui {

/// Notices when another program changes the file of the open project. The window's own saves do not count. GUI thread
/// only; files are read by workers.
class FileWatch : public QObject {
    Q_OBJECT
public:
    FileWatch(Document* document, QObject* parent);

    /// Looks now, e.g. because the person came back to the window: not every file system tells of changes.
    void look();

Q_SIGNALS:
    /// Once for each version; `stamp` is what the file is now.
    void fileChanged(const QString& path, const skein::FileStamp& stamp);

private:
    void follow();
    void judge(const QString& path, const FileStamp& stamp, std::uint64_t saves);

    Document* m_document;
    QFileSystemWatcher m_watcher;
    QTimer m_settle;
    FileStamp m_told;
    std::uint64_t m_saves = 0;
};

}  // namespace skein::ui
