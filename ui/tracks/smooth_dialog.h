// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/tracks/smoothed_tracks.h"
#include "ui/tracks/track_dialog.h"

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace skein::ui {

class TrackChoice;

/// "Smooth Tracks": how points are smoothed, seen on the picture and in the plots while it is chosen. GUI thread only.
class SmoothDialog : public TrackDialog {
    Q_OBJECT
public:
    SmoothDialog(SmoothedTracks* smoothed, ProofreadState* state, Document* document, QWidget* parent);
    [[nodiscard]] SmoothSetting setting() const;
    /// Tracks that may be chosen in place of all.
    [[nodiscard]] TrackChoice* tracks() const { return m_tracks; }

    void accept() override;
    void reject() override;

private:
    void buildForm();
    void take(const proofread::SmoothOptions& options);
    void changed();
    void showEffect();

    SmoothedTracks* m_smoothed;
    ProofreadState* m_state;
    QComboBox* m_method;
    QSpinBox *m_window, *m_order, *m_gap;
    QDoubleSpinBox *m_cutoff, *m_beta, *m_time;
    TrackChoice* m_tracks;
    QCheckBox* m_show;
    QLabel* m_effect;
    bool m_ready = false;
};

}  // namespace skein::ui
