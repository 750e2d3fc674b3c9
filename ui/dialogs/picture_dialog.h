// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

#include "ui/canvas/picture_adjustment.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSlider;

namespace skein::ui {

/// Brightness, contrast, gamma, inversion and false colours of the shown picture. Not modal; every change is seen at
/// once. GUI thread only.
class PictureDialog : public QDialog {
    Q_OBJECT
public:
    explicit PictureDialog(QWidget* parent);

    [[nodiscard]] const PictureAdjustment& adjustment() const { return m_adjustment; }
    /// Shows these values; says nothing.
    void setAdjustment(const PictureAdjustment& adjustment);

Q_SIGNALS:
    void adjusted(const skein::ui::PictureAdjustment& adjustment);

private:
    struct Row {
        QSlider* slider = nullptr;
        QLabel* value = nullptr;
    };
    Row makeRow(const char* objectName, const QString& name, const QString& tip, int least, int most);
    void take();
    void showValues();

    PictureAdjustment m_adjustment;
    Row m_brightness, m_contrast, m_gamma;
    QCheckBox* m_invert;
    QComboBox* m_map;
    QPushButton* m_reset;
};

}  // namespace skein::ui
