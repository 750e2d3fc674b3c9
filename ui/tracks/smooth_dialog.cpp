// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/smooth_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

using proofread::SmoothMethod;

namespace {
constexpr int kWidth = 420;
constexpr int kEffectLines = 4;
}  // namespace

SmoothDialog::SmoothDialog(SmoothedTracks* smoothed, ProofreadState* state, Document* document, QWidget* parent)
    : QDialog(parent),
      m_smoothed(smoothed),
      m_state(state),
      m_method(new QComboBox(this)),
      m_form(new QFormLayout),
      m_window(new QSpinBox(this)),
      m_order(new QSpinBox(this)),
      m_gap(new QSpinBox(this)),
      m_cutoff(new QDoubleSpinBox(this)),
      m_beta(new QDoubleSpinBox(this)),
      m_time(new QDoubleSpinBox(this)),
      m_effect(new QLabel(this)),
      m_show(new QCheckBox(tr("Show it on the picture and in the plots"), this)),
      m_use(new QPushButton(tr("Use Smoothing"), this)) {
    setObjectName(QStringLiteral("smoothDialog"));
    setWindowTitle(tr("Smooth tracks"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* about = new QLabel(tr("Smoothed points are a layer beside the project's own, which stay as they are. They "
                                "are shown dashed, and written by \u201cExport Smoothed Points\u201d."),
                             this);
    about->setWordWrap(true);
    about->setForegroundRole(QPalette::PlaceholderText);
    m_form->setHorizontalSpacing(theme::kGap);
    m_form->setVerticalSpacing(theme::kGrid);
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
    addRow(m_form, "smoothMethod", tr("Method"), tr("How points are smoothed."), m_method);
    addRow(m_form, "smoothWindow", tr("Window"), tr("Frames that a point is smoothed over; more are calmer."),
           m_window);
    addRow(m_form, "smoothOrder", tr("Order"), tr("Degree of the curve; a higher one follows quick turns."), m_order);
    addRow(m_form, "smoothCutoff", tr("Cut-off at rest"), tr("Movement above this rate is taken away; less is calmer."),
           m_cutoff);
    addRow(m_form, "smoothBeta", tr("Growth with speed"), tr("Higher follows fast movement with less delay."), m_beta);
    addRow(m_form, "smoothTime", tr("Time constant"), tr("Frames over which movement may change; more are calmer."),
           m_time);
    addRow(m_form, "smoothGap", tr("Longest pause"),
           tr("What lies before and after a longer absence is smoothed by itself."), m_gap);
    m_effect->setObjectName(QStringLiteral("smoothEffect"));
    m_effect->setWordWrap(true);
    m_effect->setTextFormat(Qt::PlainText);
    m_effect->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_effect->setMinimumHeight(kEffectLines * fontMetrics().lineSpacing());
    m_show->setObjectName(QStringLiteral("smoothShow"));
    m_show->setAccessibleName(m_show->text());
    m_show->setToolTip(tr("Compare with and without."));
    m_use->setObjectName(QStringLiteral("smoothUse"));
    m_use->setAccessibleName(m_use->text());
    m_use->setToolTip(tr("Keep this with the project; its points stay as they are."));
    m_use->setProperty("primary", true);
    m_use->setDefault(true);
    auto* off = new QPushButton(tr("No Smoothing"), this);
    off->setObjectName(QStringLiteral("smoothOff"));
    off->setAccessibleName(off->text());
    off->setToolTip(tr("Forget how points were smoothed."));
    off->setAutoDefault(false);
    off->setVisible(state->smoothing().has_value());
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("smoothCancel"));
    cancel->setAccessibleName(cancel->text());
    cancel->setToolTip(tr("Leave everything as it was."));
    cancel->setAutoDefault(false);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    column->addWidget(about);
    column->addLayout(m_form);
    column->addWidget(m_show);
    column->addWidget(m_effect);
    column->addStretch();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kMargin);
    buttons->addWidget(off);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_use);
    column->addLayout(buttons);
    setMinimumWidth(kWidth);

    const std::optional<SmoothSetting> before = state->smoothing();
    take(before ? before->options : proofread::SmoothOptions());
    m_show->setChecked(true);
    connect(m_method, &QComboBox::currentIndexChanged, this, &SmoothDialog::changed);
    for (QSpinBox* box : {m_window, m_order, m_gap})
        connect(box, &QSpinBox::valueChanged, this, &SmoothDialog::changed);
    for (QDoubleSpinBox* box : {m_cutoff, m_beta, m_time})
        connect(box, &QDoubleSpinBox::valueChanged, this, &SmoothDialog::changed);
    connect(m_show, &QCheckBox::toggled, this, &SmoothDialog::changed);
    connect(m_use, &QPushButton::clicked, this, &SmoothDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &SmoothDialog::reject);
    connect(off, &QPushButton::clicked, this, [this] {
        m_state->setSmoothing(std::nullopt);
        reject();
    });
    connect(document, &Document::opened, this, &SmoothDialog::reject);
    connect(smoothed, &SmoothedTracks::changed, this, &SmoothDialog::showEffect);
    m_ready = true;
    changed();
}

void SmoothDialog::addRow(QFormLayout* form, const char* id, const QString& name, const QString& tip, QWidget* field) {
    field->setObjectName(QLatin1String(id));
    field->setAccessibleName(name);
    field->setToolTip(tip);
    auto* label = new QLabel(name, this);
    label->setMinimumHeight(theme::kControlHeight);
    label->setBuddy(field);
    form->addRow(label, field);
}

void SmoothDialog::take(const proofread::SmoothOptions& options) {
    m_method->setCurrentIndex(static_cast<int>(options.method));
    m_window->setValue(options.window);
    m_order->setValue(options.order);
    m_cutoff->setValue(options.minCutoff);
    m_beta->setValue(options.beta);
    m_time->setValue(options.timeConstant);
    m_gap->setValue(static_cast<int>(options.longestGap));
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
    setting.shown = m_show->isChecked();
    return setting;
}

void SmoothDialog::changed() {
    if (!m_ready)
        return;
    const auto method = static_cast<SmoothMethod>(m_method->currentIndex());
    for (QWidget* row : {static_cast<QWidget*>(m_window), static_cast<QWidget*>(m_order)})
        m_form->setRowVisible(row, method == SmoothMethod::SavitzkyGolay);
    for (QWidget* row : {static_cast<QWidget*>(m_cutoff), static_cast<QWidget*>(m_beta)})
        m_form->setRowVisible(row, method == SmoothMethod::OneEuro);
    m_form->setRowVisible(m_time, method == SmoothMethod::KalmanRts);
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
