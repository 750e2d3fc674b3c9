// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

#include "ui/dialogs/dialog_service.h"
#include "ui/document.h"
#include "ui/recent_files.h"
#include "ui/settings.h"
#include "ui/widgets/message_bar.h"

namespace skein::ui {

/// Opening, saving and leaving a project: asks what must be asked, and turns what goes wrong into messages. Nothing
/// waits: every step goes on when its answer or its file is there. GUI thread only.
class Session : public QObject {
    Q_OBJECT
public:
    Session(Document* document, Settings* settings, RecentFiles* recent, MessageBar* messages, QWidget* window);

    /// Tests put their answers here; the owner keeps it alive. Null: the dialogs that people see.
    void setDialogs(DialogService* dialogs) { m_dialogs = dialogs == nullptr ? &m_windowDialogs : dialogs; }
    [[nodiscard]] DialogService& dialogs() const { return *m_dialogs; }

    /// Asked before a project is left; returns true when nothing stands in the way, else calls back when that is so.
    void setRunGuard(std::function<bool(std::function<void()>)> guard) { m_runGuard = std::move(guard); }

    /// Opens what the paths are: a project, videos, folders of either, a model. `add`: videos join an open project
    /// instead of starting a new one.
    void openPaths(const QStringList& paths, bool add = false);
    void chooseAndOpen();
    void chooseFolderAndOpen();
    void chooseAndAddVideos();
    void chooseReplacement(int video);
    void newProject();
    void save();
    void saveAs();
    /// Calls `then` once it is safe to leave the project: saved or discarded, and no run going. Not at all when the
    /// person decides to stay or the save fails.
    void leave(std::function<void()> then);

Q_SIGNALS:
    void modelWanted(const QString& path);
    /// A project was dropped on an open one, to be merged into it.
    void mergeWanted(const QString& path);
    /// An HDF5 file that is no project: pictures may be in it. `add`: they join the open project.
    void arraysWanted(const QString& path, bool add);
    /// Labels of another program.
    void importWanted(const QStringList& paths);

private:
    void openOrMerge(const QString& path, bool add);
    void saveTo(const QString& path, std::function<void()> then);
    void saveAsThen(std::function<void()> then);
    void leaveSaved(std::function<void()> then);
    [[nodiscard]] QString startFolder() const;
    void rememberFolder(const QString& path);

    Document* m_document;
    Settings* m_settings;
    MessageBar* m_messages;
    QWidget* m_window;
    WindowDialogs m_windowDialogs;
    DialogService* m_dialogs = &m_windowDialogs;
    std::function<bool(std::function<void()>)> m_runGuard;
    std::function<void()> m_afterSave;
    bool m_asking = false;
};

}  // namespace skein::ui
