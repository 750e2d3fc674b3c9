// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <functional>
#include <optional>

#include "engine/proofread/gap_filling.h"
#include "ui/document.h"
#include "ui/view_state.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTimer;

namespace skein::ui {

/// "Fill Gaps": which pauses of tracks are filled and how, with what that gives shown on the picture before it is done.
/// Not modal; what is counted follows edits made meanwhile. GUI thread only.
class FillGapsDialog : public QDialog {
    Q_OBJECT
public:
    FillGapsDialog(const Document* document, const ViewState* view, QWidget* parent);

    std::function<QString(std::int64_t)> frameNumber;
    std::function<QString(int)> trackName;
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
        bool adopted = false;
    };
    void look();
    void count();
    void showPlan(const proofread::GapPlan& plan, std::size_t changed);
    void showDraft();
    void goBy(int step);
    void showStop();

    const Document* m_document;
    const ViewState* m_view;
    QSpinBox *m_longest, *m_longestNode;
    QComboBox *m_path, *m_videos;
    QLabel *m_summary, *m_where;
    QCheckBox* m_show;
    QPushButton *m_previous, *m_next, *m_fill;
    QTimer* m_delay;
    std::optional<project::Labels> m_draft;
    std::vector<Stop> m_stops;
    int m_stop = -1;
    std::uint64_t m_asked = 0, m_answered = 0;
};

}  // namespace skein::ui
