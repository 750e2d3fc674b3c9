// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSize>
#include <QStringList>
#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "ui/exchange/render_settings.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace skein::ui {

/// What the form must know of the video and its project.
struct RenderFacts {
    std::uint32_t video = 0;
    QSize frameSize;
    std::optional<FrameRange> selection;
    int firstFrameNumber = 1;
    QStringList nodes;  ///< of the first skeleton
    QStringList tracks;
};

/// The choices of the render dialog: frames, look, trails, crop, what is written into the picture, and the file.
class RenderForm : public QWidget {
    Q_OBJECT
public:
    RenderForm(const RenderFacts& facts, const RenderOptions& look, QWidget* parent);

    [[nodiscard]] RenderSettings settings() const;
    /// Takes colours, sizes and trails over; all else stays as it is.
    void setLook(const RenderOptions& look);

Q_SIGNALS:
    void changed();

private:
    QFormLayout* addSection(const QString& title);
    template <class Field>
    Field* addRow(QFormLayout* section, const QString& words, const char* objectName, const QString& tip);
    QCheckBox* addCheck(QFormLayout* section, const QString& words, const char* objectName, const QString& tip);
    QSpinBox* addNumber(QFormLayout* section, const QString& words, const char* objectName, const QString& tip,
                        int least, int most, int value, const QString& unit);
    QDoubleSpinBox* addDecimal(QFormLayout* section, const QString& words, const char* objectName, const QString& tip,
                               double least, double most, double value, const QString& unit);
    void makeFrames();
    void makeLook();
    void makeTrails();
    void makeCrop();
    void makeBurnIn();
    void makeOutput();
    void updateRows();
    void tell();
    void readLook(RenderOptions& o) const;
    void readExtras(RenderOptions& o) const;
    void readOutput(RenderSettings& settings) const;

    RenderFacts m_facts;
    RenderOptions m_look;  ///< what the form does not show of it stays
    bool m_showing = false;
    QVBoxLayout* m_column;
    std::map<QWidget*, QFormLayout*> m_sections;  ///< that each field is a row of

    QComboBox* m_range;
    QLineEdit* m_custom;
    QCheckBox* m_withoutLabels;

    QComboBox *m_colorBy, *m_palette, *m_shape, *m_background;
    QSpinBox *m_markerSize, *m_opacity;
    QDoubleSpinBox* m_lineWidth;
    QCheckBox *m_nodes, *m_edges, *m_names, *m_trackNames;

    QCheckBox *m_trails, *m_trailFade;
    QSpinBox *m_trailLength, *m_trailOpacity;
    QDoubleSpinBox* m_trailWidth;
    QComboBox *m_trailNode, *m_trailColor;

    QComboBox *m_crop, *m_track;
    QSpinBox *m_left, *m_top, *m_width, *m_height, *m_margin;

    QCheckBox *m_burnFrame, *m_burnTime, *m_scaleBar;
    QDoubleSpinBox* m_barLength;
    QLineEdit* m_barText;

    QComboBox *m_preset, *m_codec;
    QDoubleSpinBox *m_scale, *m_fps, *m_speed;
    QSpinBox* m_crf;
    QCheckBox *m_matchRate, *m_open;
};

}  // namespace skein::ui
