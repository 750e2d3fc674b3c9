// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <optional>

#include "engine/proofread/gap_filling.h"
#include "ui/tracks/track_dialog.h"
#include "ui/view_state.h"

class QComboBox;
class QSpinBox;
class QTimer;

namespace skein::ui {

class StopWalk;
class TrackChoice;

/// "Fill Gaps": which pauses of tracks are filled and how, with what that gives shown on the picture before it is done.
/// What is counted follows edits made meanwhile. GUI thread only.
class FillGapsDialog : public TrackDialog {
    Q_OBJECT
public:
    FillGapsDialog(const Document* document, const ViewState* view, QWidget* parent);

    std::function<QString(std::int64_t)> frameNumber;
    std::function<QString(int)> trackName;
    /// Tracks that may be chosen in place of all.
    [[nodiscard]] TrackChoice* tracks() const { return m_tracks; }
    [[nodiscard]] proofread::GapOptions options() const;
    [[nodiscard]] bool isUpToDate() const { return m_answered == m_asked; }

    void done(int result) override;

Q_SIGNALS:
    /// The project as it would be, for a look; nullopt: no look any more.
    void draftChanged(const std::optional<skein::project::Labels>& draft);
    /// The middle of a gap.
    void placeWanted(int video, qint64 frame, int track);
    void fillWanted(const skein::proofread::GapOptions& options);

private:
    struct Stop {
        int video = -1;
        std::int64_t first = 0, last = 0;
        int track = -1;
    };
    void buildForm();
    void look();
    void count();
    void showPlan(const proofread::GapPlan& plan, std::size_t changed);
    void showDraft();
    [[nodiscard]] QString wordsOf(const Stop& stop) const;

    const Document* m_document;
    const ViewState* m_view;
    QSpinBox *m_longest, *m_longestNode;
    QComboBox *m_path, *m_videos;
    TrackChoice* m_tracks;
    QLabel* m_summary;
    QCheckBox* m_show;
    StopWalk* m_walk;
    QPushButton* m_fill;
    QTimer* m_delay;
    std::optional<project::Labels> m_draft;
    std::vector<Stop> m_stops;
    std::uint64_t m_asked = 0, m_answered = 0;
};

}  // namespace skein::ui
