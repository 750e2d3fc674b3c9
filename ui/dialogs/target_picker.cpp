// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/target_picker.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>

#include "ui/dialogs/option_editors.h"
#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {

TargetPicker::TargetPicker(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("inferenceTarget"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kGap);
    grid->setVerticalSpacing(theme::kGrid);
    grid->setColumnStretch(0, 1);
    const auto row = [&](int at, RunTarget target, const char* name) -> Row {
        auto* button = new QRadioButton(this);
        button->setObjectName(QLatin1String(name));
        auto* count = new QLabel(this);
        count->setObjectName(QLatin1String(name) + QStringLiteral("Count"));
        count->setForegroundRole(QPalette::PlaceholderText);
        count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        grid->addWidget(button, at, 0);
        grid->addWidget(count, at, 1);
        connect(button, &QRadioButton::toggled, this, [this, target](bool on) {
            if (on && !m_showing)
                Q_EMIT targetChosen(target);
        });
        return {target, button, count};
    };
    m_rows = {row(0, RunTarget::CurrentFrame, "inferenceTargetFrame"),
              row(1, RunTarget::SelectedRange, "inferenceTargetRange"),
              row(2, RunTarget::WholeVideo, "inferenceTargetVideo")};

    auto* label = new QLabel(tr("Existing predictions"), this);
    m_existing = new QComboBox(this);
    m_existing->setObjectName(QStringLiteral("inferenceExisting"));
    m_existing->setAccessibleName(label->text());
    m_existing->addItem(tr("Replace on these frames"), static_cast<int>(ExistingPredictions::Replace));
    m_existing->addItem(tr("Remove all of this video"), static_cast<int>(ExistingPredictions::Clear));
    m_existing->addItem(tr("Keep beside the new ones"), static_cast<int>(ExistingPredictions::Keep));
    m_existing->setToolTip(
        tr("<p>Replace takes away only the predictions of frames that were really processed, when their result arrives."
           "</p><p>What people made is never touched, and a run can be undone.</p><p>Default: Replace</p>"));
    m_existing->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_existing->setMinimumContentsLength(12);
    guardWheel(m_existing);
    label->setBuddy(m_existing);
    connect(m_existing, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_showing)
            Q_EMIT existingChosen(static_cast<ExistingPredictions>(m_existing->currentData().toInt()));
    });

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kMargin);
    layout->addLayout(grid);
    layout->addSpacing(theme::kGrid);
    layout->addWidget(label);
    layout->addWidget(m_existing);
    layout->addStretch();
}

void TargetPicker::setTarget(RunTarget target) {
    for (const Row& row : m_rows)
        if (row.target == target)
            row.button->setChecked(true);
}

void TargetPicker::show(const RunSettings& settings, const RunSituation& situation) {
    m_showing = true;
    for (const Row& row : m_rows) {
        const FrameRange range = framesOf(row.target, situation);
        QString title;
        QString help;
        switch (row.target) {
            case RunTarget::CurrentFrame:
                title = range.count() > 0
                            ? tr("This frame (%1)").arg(text::frameNumber(range.first, situation.fromZero))
                            : tr("This frame");
                help = tr("The frame that the window shows.");
                break;
            case RunTarget::SelectedRange:
                title = range.count() > 0 ? tr("Selected range (%1–%2)")
                                                .arg(text::frameNumber(range.first, situation.fromZero),
                                                     text::frameNumber(range.last, situation.fromZero))
                                          : tr("Selected range");
                help = range.count() > 0 ? tr("The range that is selected on the timeline, both ends included.")
                                         : tr("No range is selected. Drag over the timeline with Shift held.");
                break;
            case RunTarget::WholeVideo:
                title = tr("Whole video");
                help = tr("Every frame of the video that the window shows.");
                break;
        }
        row.button->setText(title);
        row.button->setToolTip(help);
        row.button->setAccessibleName(title);
        // A range that is not there can be chosen if it was before: the line below then says what to do.
        row.button->setEnabled(range.count() > 0 || settings.target == row.target || !situation.video);
        row.button->setChecked(settings.target == row.target);
        row.count->setText(range.count() > 0 ? text::frames(range.count()) : tr("none"));
    }
    m_existing->setCurrentIndex(m_existing->findData(static_cast<int>(settings.existing)));
    m_showing = false;
}

}  // namespace skein::ui
