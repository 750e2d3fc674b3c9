// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDateTime>
#include <QString>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/project/journal/delta.h"
#include "engine/project/journal/journal_file.h"
#include "ui/document.h"

namespace skein::ui {

/// Work that a crash left behind.
struct UnsavedWork {
    std::filesystem::path journal;
    QString name;  ///< of the project, as its window called it
    QString path;  ///< of the project's file; empty: it was never saved
    QDateTime when;
    std::uint64_t edits = 0;
    bool onNewerFile = false;  ///< the file has been saved or replaced since; the work is on the version before

    [[nodiscard]] QString sentence() const;  ///< "57 edits, today 12:03"
};

/// All that nobody works on, the latest first; at most a few. Touches the disk: for workers, as all of these.
[[nodiscard]] std::vector<UnsavedWork> findUnsavedWork(const QString& folder);

struct RecoveredWork {
    RecoveredProject project;
    project::journal::Difference difference;  ///< to what is in the file
    std::uint64_t edits = 0;
    bool onNewerFile = false;  ///< as UnsavedWork says
    bool complete = true;      ///< false: the record is damaged, and `edits` of it could be done again
    std::shared_ptr<project::journal::JournalFile> journal;
};

/// Takes the journal into possession, reads the file that it starts from and does the edits again, each a step. On a
/// newer file there is one step from what that holds to what was recovered. Errors: NotFound
/// (another window has it), Format, Io; Unsupported (the file is another one now).
[[nodiscard]] Result<RecoveredWork> recoverWork(const UnsavedWork& work);

/// Deletes the journal, unless another window has taken it.
void discardWork(const UnsavedWork& work);

/// "3 frames changed, 2 instances added": one thing a line.
[[nodiscard]] QStringList inWords(const project::journal::Difference& difference);

}  // namespace skein::ui
