// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "engine/project/journal/recorder.h"
#include "ui/document.h"

namespace skein::ui {

/// Keeps the journal of the open project while it has unsaved changes, and lets it go when they are saved or discarded.
/// GUI thread only; nothing here waits for the disk.
class RecoveryKeeper : public QObject {
    Q_OBJECT
public:
    RecoveryKeeper(Document* document, QObject* parent);
    /// The project is left: what was to be saved was saved.
    ~RecoveryKeeper() override;

    /// Where journals are; takes effect with the next one.
    void setFolder(const QString& folder) { m_folder = folder; }
    [[nodiscard]] QString folder() const { return m_folder; }
    /// The user's data folder, shared by all windows and processes.
    [[nodiscard]] static QString defaultFolder();

    /// The recovered project is on record from now on; then the journal that it came from is deleted.
    void takeOver(std::shared_ptr<project::journal::JournalFile> journal);
    /// Waits until all edits are on disk. For tests.
    void flush();

Q_SIGNALS:
    /// Why unsaved work is not kept at the moment; empty: it is.
    void problemChanged(const QString& problem);

private:
    using Recorder = project::journal::Recorder;
    void documentChanged();
    void documentOpened();
    void documentSaved();
    [[nodiscard]] std::shared_ptr<Recorder> newRecorder() const;
    static void letGo(std::shared_ptr<Recorder> recorder);

    Document* m_document;
    QString m_folder;
    std::shared_ptr<Recorder> m_recorder;
    std::uint64_t m_edits = 0;        ///< since the file was read or written
    std::uint64_t m_editsAtSave = 0;  ///< when the running save began
    QTimer m_look;
    QString m_problem;
};

}  // namespace skein::ui
