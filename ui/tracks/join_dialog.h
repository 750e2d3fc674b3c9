// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>

#include "engine/proofread/joins.h"
#include "ui/tracks/track_dialog.h"

class QSpinBox;
class QTimer;

namespace skein::ui {

class StopWalk;

/// "Join Broken Tracks": what would be joined and what that gives, before it is done. What is counted follows edits
/// made meanwhile. GUI thread only.
class JoinDialog : public TrackDialog {
    Q_OBJECT
public:
    JoinDialog(const Document* document, QWidget* parent);

    std::function<QString(std::int64_t)> frameNumber;
    [[nodiscard]] proofread::JoinOptions options() const;
    [[nodiscard]] bool isUpToDate() const { return m_answered == m_asked; }

Q_SIGNALS:
    /// Where the one ends and the other begins, and the names of both tracks.
    void placeWanted(int video, qint64 last, qint64 first, const QStringList& tracks);
    void joinWanted(const skein::proofread::JoinOptions& options, bool all);

private:
    struct Counted {
        proofread::TrackSummary before, after;
        proofread::Joined joined;
    };
    void look();
    void count();
    void showCounted(Counted counted);
    [[nodiscard]] QString wordsOf(const proofread::JoinMade& made) const;

    const Document* m_document;
    QSpinBox *m_longest, *m_animals;
    QCheckBox* m_safe;
    QLabel* m_summary;
    StopWalk* m_walk;
    QPushButton* m_join;
    QTimer* m_delay;
    std::vector<proofread::JoinMade> m_made;
    std::stop_source m_stop;
    std::uint64_t m_asked = 0, m_answered = 0;
};

}  // namespace skein::ui
