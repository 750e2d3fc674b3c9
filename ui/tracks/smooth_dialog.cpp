// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/smooth_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include "ui/text.h"
#include "ui/tracks/track_choice.h"

namespace skein::ui {

using proofread::SmoothMethod;

namespace {
constexpr int kEffectLines = 4;
}  // namespace

SmoothDialog::SmoothDialog(SmoothedTracks* smoothed, ProofreadState* state, Document* document, QWidget* parent)
    : TrackDialog("smoothDialog", tr("Smooth tracks"), document, parent),
      m_smoothed(smoothed),
      m_state(state),
      m_method(new QComboBox(this)),
      m_window(new QSpinBox(this)),
      m_order(new QSpinBox(this)),
      m_gap(new QSpinBox(this)),
      m_cutoff(new QDoubleSpinBox(this)),
      m_beta(new QDoubleSpinBox(this)),
      m_time(new QDoubleSpinBox(this)),
      m_tracks(new TrackChoice(this)) {
    explain(
        tr("Smoothed points are a layer beside the project's own, which stay as they are. They are shown dashed, and "
           "written by \u201cExport Smoothed Points\u201d."));
    buildForm();
    m_show = addCheck("smoothShow", tr("Show it on the picture and in the plots"), tr("Compare with and without."));
    m_effect = addWords("smoothEffect", kEffectLines);
    QPushButton* off =
        addButton("smoothOff", tr("No Smoothing"), tr("Forget how points were smoothed."), Button::Aside);
    off->setVisible(state->smoothing().has_value());
    QPushButton* cancel = addButton("smoothCancel", tr("Cancel"), tr("Leave everything as it was."), Button::Plain);
    QPushButton* use = addButton("smoothUse", tr("Use Smoothing"),
                                 tr("Keep this with the project; its points stay as they are."), Button::Primary);

    const std::optional<SmoothSetting> before = state->smoothing();
    take(before ? before->options : proofread::SmoothOptions());
    m_show->setChecked(true);
    connect(m_method, &QComboBox::currentIndexChanged, this, &SmoothDialog::changed);
    connect(m_tracks, &TrackChoice::choiceChanged, this, &SmoothDialog::changed);
    for (QSpinBox* box : {m_window, m_order, m_gap})
        connect(box, &QSpinBox::valueChanged, this, &SmoothDialog::changed);
    for (QDoubleSpinBox* box : {m_cutoff, m_beta, m_time})
        connect(box, &QDoubleSpinBox::valueChanged, this, &SmoothDialog::changed);
    connect(m_show, &QCheckBox::toggled, this, &SmoothDialog::changed);
    connect(use, &QPushButton::clicked, this, &SmoothDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &SmoothDialog::reject);
    connect(off, &QPushButton::clicked, this, [this] {
        m_state->setSmoothing(std::nullopt);
        reject();
    });
    connect(smoothed, &SmoothedTracks::changed, this, &SmoothDialog::showEffect);
    m_ready = true;
    changed();
}

void SmoothDialog::buildForm() {
    m_method->addItems({tr("Savitzky\u2013Golay: a curve through a window"),
                        tr("One Euro: steady at rest, quick when fast"),
                        tr("Kalman: constant velocity, both ways in time")});
    const QString frames = QStringLiteral("\u2009") + tr("frames");
    m_window->setRange(3, 501);
    m_window->setSingleStep(2);
    m_window->setSuffix(frames);
    m_order->setRange(0, 5);
    m_cutoff->setRange(0.01, 1000);
    m_cutoff->setSuffix(QStringLiteral("\u2009Hz"));
    m_beta->setRange(0, 100);
    m_beta->setDecimals(3);
    m_beta->setSingleStep(0.01);
    m_time->setRange(0.1, 1000);
    m_time->setDecimals(1);
    m_time->setSuffix(frames);
    m_gap->setRange(0, 1000);
    m_gap->setSuffix(frames);
    addRow("smoothMethod", tr("Method"), tr("How points are smoothed."), m_method);
    addRow("smoothWindow", tr("Window"), tr("Frames that a point is smoothed over; more are calmer."), m_window);
    addRow("smoothOrder", tr("Order"), tr("Degree of the curve; a higher one follows quick turns."), m_order);
    addRow("smoothCutoff", tr("Cut-off at rest"), tr("Movement above this rate is taken away; less is calmer."),
           m_cutoff);
    addRow("smoothBeta", tr("Growth with speed"), tr("Higher follows fast movement with less delay."), m_beta);
    addRow("smoothTime", tr("Time constant"), tr("Frames over which movement may change; more are calmer."), m_time);
    addRow("smoothGap", tr("Longest pause"), tr("What lies before and after a longer absence is smoothed by itself."),
           m_gap);
    addRow("smoothTracks", tr("Tracks"), tr("All, or those that are selected in the window."), m_tracks);
}

void SmoothDialog::take(const proofread::SmoothOptions& options) {
    m_method->setCurrentIndex(static_cast<int>(options.method));
    m_window->setValue(options.window);
    m_order->setValue(options.order);
    m_cutoff->setValue(options.minCutoff);
    m_beta->setValue(options.beta);
    m_time->setValue(options.timeConstant);
    m_gap->setValue(static_cast<int>(options.longestGap));
    QStringList tracks;
    for (const std::string& name : options.tracks)
        tracks << QString::fromStdString(name);
    m_tracks->choose(tracks);
}

SmoothSetting SmoothDialog::setting() const {
    SmoothSetting setting;
    setting.options.method = static_cast<SmoothMethod>(m_method->currentIndex());
    setting.options.window = m_window->value() | 1;  // a window has a middle
    setting.options.order = std::min(m_order->value(), setting.options.window - 1);
    setting.options.minCutoff = m_cutoff->value();
    setting.options.beta = m_beta->value();
    setting.options.timeConstant = m_time->value();
    setting.options.longestGap = m_gap->value();
    for (const QString& name : m_tracks->chosen())
        setting.options.tracks.push_back(name.toStdString());
    setting.shown = m_show->isChecked();
    return setting;
}

void SmoothDialog::changed() {
    if (!m_ready)
        return;
    const auto method = static_cast<SmoothMethod>(m_method->currentIndex());
    for (QWidget* row : {static_cast<QWidget*>(m_window), static_cast<QWidget*>(m_order)})
        form()->setRowVisible(row, method == SmoothMethod::SavitzkyGolay);
    for (QWidget* row : {static_cast<QWidget*>(m_cutoff), static_cast<QWidget*>(m_beta)})
        form()->setRowVisible(row, method == SmoothMethod::OneEuro);
    form()->setRowVisible(m_time, method == SmoothMethod::KalmanRts);
    m_smoothed->setTrial(setting());
    showEffect();
}

void SmoothDialog::showEffect() {
    const auto& result = m_smoothed->result();
    if (!m_show->isChecked()) {
        m_effect->setText(tr("The points as they are."));
    } else if (!result || !m_smoothed->isUpToDate()) {
        m_effect->setText(tr("Smoothing..."));
    } else if (result->effect.points == 0) {
        m_effect->setText(tr("No instance of this video has a track, so there is nothing to smooth."));
    } else {
        const proofread::SmoothEffect& e = result->effect;
        const auto px = [](double value) { return text::withUnit(text::fixed(value, 2), tr("px")); };
        m_effect->setText(
            tr("In this video points move by %1 on average, 95 % of them by less than %2, none by more than "
               "%3. Their jitter from frame to frame falls from %4 to %5.")
                .arg(px(e.meanMove), px(e.move95), px(e.mostMove), px(e.restlessBefore), px(e.restlessAfter)));
    }
}

void SmoothDialog::accept() {
    SmoothSetting kept = setting();
    kept.shown = true;
    m_state->setSmoothing(kept);
    m_smoothed->setTrial(std::nullopt);
    QDialog::accept();
}

void SmoothDialog::reject() {
    m_smoothed->setTrial(std::nullopt);
    QDialog::reject();
}

}  // namespace skein::ui
