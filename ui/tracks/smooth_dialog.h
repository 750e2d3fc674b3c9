// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

#include "ui/tracks/smoothed_tracks.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace skein::ui {

/// "Smooth Tracks": how points are smoothed, seen on the picture and in the plots while it is chosen. Not modal. GUI
/// thread only.
class SmoothDialog : public QDialog {
    Q_OBJECT
public:
    SmoothDialog(SmoothedTracks* smoothed, ProofreadState* state, Document* document, QWidget* parent);
    [[nodiscard]] SmoothSetting setting() const;

    void accept() override;
    void reject() override;

private:
    void addRow(QFormLayout* form, const char* id, const QString& name, const QString& tip, QWidget* field);
    void take(const proofread::SmoothOptions& options);
    void changed();
    void showEffect();

    SmoothedTracks* m_smoothed;
    ProofreadState* m_state;
    QComboBox* m_method;
    QFormLayout* m_form;
    QSpinBox *m_window, *m_order, *m_gap;
    QDoubleSpinBox *m_cutoff, *m_beta, *m_time;
    QLabel* m_effect;
    QCheckBox* m_show;
    QPushButton* m_use;
    bool m_ready = false;
};

}  // namespace skein::ui
