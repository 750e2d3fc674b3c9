// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDateTime>
#include <QObject>
#include <QTimer>
#include <functional>

#include "ui/recovery/file_watch.h"
#include "ui/recovery/recovery_keeper.h"
#include "ui/recovery/recovery_offer.h"
#include "ui/session.h"
#include "ui/settings.h"

namespace skein::ui {

/// That nothing is lost: keeps and offers unsaved work, saves by itself where that is wanted, and speaks up when
/// another program changed the project's file. GUI thread only.
class ProjectSafety : public QObject {
    Q_OBJECT
public:
    ProjectSafety(Document* document, Session* session, Settings* settings, MessageBar* messages, EmptyState* empty,
                  QWidget* window);

    [[nodiscard]] bool savesByItself() const { return m_autosave.isActive(); }
    [[nodiscard]] RecoveryKeeper& keeper() { return *m_keeper; }
    [[nodiscard]] RecoveryOffer& offer() { return *m_offer; }
    [[nodiscard]] FileWatch& watch() { return *m_watch; }

    /// Merges a project file into the open one, after asking how; `then` when that was done.
    std::function<void(const QString& path, std::function<void()> then)> merge;
    /// Whether it was the queue that has written the file since the version of that time.
    std::function<bool(const QString& path, const QDateTime& since)> isOfQueue;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void obey(Setting setting);
    void autosave();
    void fileChanged(const QString& path, const FileStamp& stamp);
    void showChanged(const QString& path, bool refused);
    [[nodiscard]] QString changedWords(const QString& path) const;
    void reload(const QString& path);
    void keepMine(const QString& path);

    Document* m_document;
    Session* m_session;
    Settings* m_settings;
    MessageBar* m_messages;
    RecoveryKeeper* m_keeper;
    RecoveryOffer* m_offer;
    FileWatch* m_watch;
    QTimer m_autosave;
    bool m_saveWanted = false;  ///< the change was noticed by a save
};

}  // namespace skein::ui
