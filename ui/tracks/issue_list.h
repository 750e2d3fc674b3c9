// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/proofread/issues.h"
#include "ui/review/review_notes.h"

namespace skein::ui {

/// The doubts about the open project, found by a worker and kept true while it is edited: once somebody has asked for
/// them, every change has them looked for again around what changed. What a person says of them is kept in `notes`. GUI
/// thread only.
class IssueList : public QObject {
    Q_OBJECT
public:
    using State = proofread::ReviewState;
    struct Entry {
        proofread::Issue issue;
        State state = State::Open;
    };

    IssueList(Document* document, ReviewNotes* notes, QObject* parent);
    ~IssueList() override;

    /// Looks for them, unless that was done and is kept true anyway.
    void find();
    void stop();
    [[nodiscard]] bool isWanted() const { return m_wanted; }  ///< somebody has asked for them
    [[nodiscard]] bool isWorking() const { return m_working; }
    [[nodiscard]] bool isUpToDate() const { return m_wanted && !m_working && !m_dirty; }
    [[nodiscard]] double progress() const { return m_progress; }  ///< 0 to 1, while working

    /// Worst first.
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    [[nodiscard]] std::size_t openCount() const;
    [[nodiscard]] proofread::ReviewLog::Progress reviewed() const;
    /// Share of the frames that no issue of identity touches; nullopt: there are no tracks to judge.
    [[nodiscard]] std::optional<double> cleanShare() const { return m_clean; }
    /// How many open issues each track has, by index.
    [[nodiscard]] std::vector<int> openByTrack() const;
    void setState(int entry, State state);
    /// Everything that was said is in the file.
    [[nodiscard]] bool isSaved() const { return m_notes->isSaved(); }

Q_SIGNALS:
    void changed();          ///< entries(), or what was said of them
    void progressChanged();  ///< isWorking(), progress()
    void problem(const skein::ui::UiError& error);

private:
    void reset();
    void work();
    void takeStates();

    Document* m_document;
    ReviewNotes* m_notes;
    std::vector<Entry> m_entries;
    project::Labels m_labels;                          ///< in which they were found
    std::shared_ptr<proofread::IssueFinder> m_finder;  ///< used by one worker at a time
    std::stop_source m_stop;
    std::uint64_t m_generation = 0;
    double m_progress = 0;
    std::optional<double> m_clean;
    bool m_wanted = false, m_dirty = false, m_working = false;
};

}  // namespace skein::ui
