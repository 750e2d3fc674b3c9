// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/picture_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace {
constexpr int kSliderWidth = 220;
// Sliders count in hundredths; contrast and gamma in hundredths of a power of two, so that the middle means "as it is".
constexpr int kSteps = 100;
double ofPower(int value) {
    return std::exp2(static_cast<double>(value) / kSteps);
}
int toPower(double factor) {
    return static_cast<int>(std::lround(std::log2(std::max(factor, 1e-3)) * kSteps));
}
}  // namespace

PictureDialog::PictureDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("pictureDialog"));
    setWindowTitle(tr("Picture"));
    setAccessibleName(windowTitle());
    setWindowFlag(Qt::Tool);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(theme::kGap);
    form->setVerticalSpacing(theme::kMargin);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    column->addLayout(form);
    const auto add = [form](const QString& name, const Row& row) {
        auto* line = new QHBoxLayout;
        line->setSpacing(theme::kMargin);
        line->addWidget(row.slider, 1);
        line->addWidget(row.value);
        form->addRow(name, line);
        static_cast<QLabel*>(form->labelForField(line))->setBuddy(row.slider);
    };
    m_brightness = makeRow("pictureBrightness", tr("Brightness"),
                           tr("Adds the same to every level. Only what is shown changes."), -kSteps, kSteps);
    add(tr("&Brightness"), m_brightness);
    m_contrast = makeRow("pictureContrast", tr("Contrast"), tr("Spreads the levels about middle grey."), -2 * kSteps,
                         2 * kSteps);
    add(tr("&Contrast"), m_contrast);
    m_gamma = makeRow("pictureGamma", tr("Gamma"), tr("Above 1 lightens what is dark and keeps what is light."),
                      -2 * kSteps, 2 * kSteps);
    add(tr("&Gamma"), m_gamma);
    m_map = new QComboBox(this);
    m_map->setObjectName(QStringLiteral("pictureMap"));
    m_map->setAccessibleName(tr("Colour map"));
    m_map->setToolTip(tr("False colours for grey pictures."));
    m_map->addItems({tr("None"), tr("Violet to yellow"), tr("Heat"), tr("Cold")});
    form->addRow(tr("Colour &map"), m_map);
    m_invert = new QCheckBox(tr("&Invert"), this);
    m_invert->setObjectName(QStringLiteral("pictureInvert"));
    m_invert->setAccessibleName(tr("Invert"));
    m_invert->setToolTip(tr("Dark becomes light."));
    form->addRow(QString(), m_invert);

    auto* foot = new QHBoxLayout;
    auto* note = new QLabel(tr("Kept for this video until Skein is closed."), this);
    QPalette quiet = note->palette();
    quiet.setColor(QPalette::WindowText, theme::tokens().text2);
    note->setPalette(quiet);
    m_reset = new QPushButton(tr("&Reset"), this);
    m_reset->setObjectName(QStringLiteral("pictureReset"));
    m_reset->setAccessibleName(tr("Reset"));
    m_reset->setToolTip(tr("Show the picture as it is in the file."));
    m_reset->setAutoDefault(false);
    foot->addWidget(note, 1);
    foot->addWidget(m_reset);
    column->addLayout(foot);
    column->setSizeConstraint(QLayout::SetFixedSize);

    for (const Row& row : {m_brightness, m_contrast, m_gamma})
        connect(row.slider, &QSlider::valueChanged, this, &PictureDialog::take);
    connect(m_map, &QComboBox::currentIndexChanged, this, &PictureDialog::take);
    connect(m_invert, &QCheckBox::toggled, this, &PictureDialog::take);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        setAdjustment({});
        Q_EMIT adjusted(m_adjustment);
    });
    setAdjustment({});
}

PictureDialog::Row PictureDialog::makeRow(const char* objectName, const QString& name, const QString& tip, int least,
                                          int most) {
    Row row;
    row.slider = new QSlider(Qt::Horizontal, this);
    row.slider->setObjectName(QLatin1String(objectName));
    row.slider->setAccessibleName(name);
    row.slider->setToolTip(tip);
    row.slider->setRange(least, most);
    row.slider->setPageStep(kSteps / 10);
    row.slider->setMinimumWidth(kSliderWidth);
    row.value = new QLabel(this);
    row.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row.value->setMinimumWidth(row.value->fontMetrics().horizontalAdvance(QStringLiteral("-0.00")));
    return row;
}

void PictureDialog::setAdjustment(const PictureAdjustment& adjustment) {
    m_adjustment = adjustment;
    const std::pair<QSlider*, int> places[] = {
        {m_brightness.slider, static_cast<int>(std::lround(adjustment.brightness * kSteps))},
        {m_contrast.slider, toPower(adjustment.contrast)},
        {m_gamma.slider, toPower(adjustment.gamma)}};
    for (const auto& [slider, value] : places) {
        const QSignalBlocker quiet(slider);
        slider->setValue(value);
    }
    const QSignalBlocker quietMap(m_map), quietInvert(m_invert);
    m_map->setCurrentIndex(static_cast<int>(adjustment.map));
    m_invert->setChecked(adjustment.invert);
    showValues();
}

void PictureDialog::take() {
    m_adjustment.brightness = static_cast<double>(m_brightness.slider->value()) / kSteps;
    m_adjustment.contrast = ofPower(m_contrast.slider->value());
    m_adjustment.gamma = ofPower(m_gamma.slider->value());
    m_adjustment.map = static_cast<PictureAdjustment::Map>(m_map->currentIndex());
    m_adjustment.invert = m_invert->isChecked();
    showValues();
    Q_EMIT adjusted(m_adjustment);
}

void PictureDialog::showValues() {
    m_brightness.value->setText(text::fixed(m_adjustment.brightness, 2));
    m_contrast.value->setText(text::fixed(m_adjustment.contrast, 2));
    m_gamma.value->setText(text::fixed(m_adjustment.gamma, 2));
    m_reset->setEnabled(!m_adjustment.isNeutral());
}

}  // namespace skein::ui
