// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>
#include <optional>
#include <stop_token>

#include "ui/document.h"
#include "ui/tracks/proofread_state.h"
#include "ui/view_state.h"

namespace skein::ui {

/// The smoothed points of the shown video, while somebody wants to see them: computed by a worker, and again after
/// edits. How they are smoothed is kept in ProofreadState; a dialog may try something else first. GUI thread only.
class SmoothedTracks : public QObject {
    Q_OBJECT
public:
    struct Smoothed {
        project::Labels labels;  ///< the project with smoothed points in the video; for showing alone
        proofread::SmoothEffect effect;
    };

    SmoothedTracks(Document* document, ViewState* view, ProofreadState* state, QObject* parent);
    ~SmoothedTracks() override;

    /// What a dialog tries, in place of the setting; nullopt: nothing any more.
    void setTrial(std::optional<SmoothSetting> trial);
    /// What is used now; nullopt: no smoothing.
    [[nodiscard]] const std::optional<SmoothSetting>& setting() const;
    /// The smoothed points, if they are to be shown and are known. They may be those before the last edit for a moment.
    [[nodiscard]] const std::optional<Smoothed>& result() const { return m_result; }
    [[nodiscard]] bool isUpToDate() const { return !m_dirty && !m_working; }

Q_SIGNALS:
    void changed();  ///< result(), setting()
    void problem(const skein::ui::UiError& error);

private:
    [[nodiscard]] bool isWanted() const;
    void follow();
    void invalidate();
    void work();

    Document* m_document;
    ViewState* m_view;
    ProofreadState* m_state;
    std::optional<SmoothSetting> m_trial, m_used;
    std::optional<Smoothed> m_result;
    std::stop_source m_stop;
    QTimer m_delay;
    bool m_dirty = false, m_working = false;
};

}  // namespace skein::ui
