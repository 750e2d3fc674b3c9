// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recovery/file_watch.h"

#include "ui/bridge/background.h"
#include "ui/text.h"

namespace skein::ui {

namespace {
/// A program that writes a file does so in many pieces.
constexpr int kSettleMs = 300;
}  // namespace

FileWatch::FileWatch(Document* document, QObject* parent) : QObject(parent), m_document(document) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &FileWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_settle.start(); });
    connect(document, &Document::pathChanged, this, &FileWatch::follow);
    connect(document, &Document::saved, this, [this] {
        ++m_saves;
        follow();
    });
}

void FileWatch::follow() {
    const QString path = m_document->path();
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    if (!path.isEmpty())
        m_watcher.addPath(path);
    m_told = {};
}

void FileWatch::look() {
    const QString path = m_document->path();
    if (path.isEmpty() || !m_document->fileStamp().exists() || m_document->isSaving())
        return;
    inBackground(
        this, [path]() -> Result<FileStamp> { return stampOf(text::toPath(path)); },
        [this, path, saves = m_saves](Result<FileStamp> result) {
            // A file that went away is no news: the next save makes it anew.
            if (result)
                judge(path, *result, saves);
        });
}

void FileWatch::judge(const QString& path, const FileStamp& stamp, std::uint64_t saves) {
    if (path != m_document->path() || m_document->isSaving())
        return;
    if (saves != m_saves) {
        look();  // it may have been looked at before our own save was done
        return;
    }
    // Where the file was replaced the watcher lost it.
    if (!m_watcher.files().contains(path))
        m_watcher.addPath(path);
    if (stamp.sameContent(m_document->fileStamp()) || stamp.sameContent(m_told))
        return;
    m_told = stamp;
    Q_EMIT fileChanged(path, stamp);
}

}  // namespace skein::ui
