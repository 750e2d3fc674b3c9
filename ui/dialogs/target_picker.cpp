// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/target_picker.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/run_settings.h"
#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {

TargetPicker::TargetPicker(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("inferenceTarget"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kGap);
    grid->setVerticalSpacing(theme::kGrid);
    grid->setColumnStretch(0, 1);
    const auto addRow = [&](RunTarget target, const char* name) {
        auto* button = new QRadioButton(this);
        button->setObjectName(QLatin1String(name));
        auto* count = new QLabel(this);
        count->setObjectName(QLatin1String(name) + QStringLiteral("Count"));
        count->setForegroundRole(QPalette::PlaceholderText);
        count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const int at = grid->rowCount();
        grid->addWidget(button, at, 0);
        grid->addWidget(count, at, 1);
        connect(button, &QRadioButton::toggled, this, [this, target](bool on) {
            if (on && !m_showing)
                Q_EMIT targetChosen(target);
        });
        m_rows.push_back({target, button, count});
    };
    addRow(RunTarget::CurrentFrame, "inferenceTargetFrame");
    addRow(RunTarget::SelectedRange, "inferenceTargetRange");
    addRow(RunTarget::WholeVideo, "inferenceTargetVideo");
    addRow(RunTarget::SelectedVideos, "inferenceTargetSelectedVideos");
    addRow(RunTarget::AllVideos, "inferenceTargetAllVideos");
    grid->setRowMinimumHeight(grid->rowCount(), theme::kMargin);
    addRow(RunTarget::Suggestions, "inferenceTargetSuggestions");
    addRow(RunTarget::Labelled, "inferenceTargetLabelled");
    addRow(RunTarget::Predicted, "inferenceTargetPredicted");
    addRow(RunTarget::NotPredicted, "inferenceTargetNotPredicted");
    addRow(RunTarget::WithIssues, "inferenceTargetIssues");
    grid->setRowMinimumHeight(grid->rowCount(), theme::kMargin);
    addRow(RunTarget::RandomSample, "inferenceTargetSample");
    addRow(RunTarget::SampleOfAll, "inferenceTargetSampleOfAll");
    addRow(RunTarget::Custom, "inferenceTargetList");

    m_list = new QLineEdit(this);
    m_list->setObjectName(QStringLiteral("inferenceFrameList"));
    m_list->setAccessibleName(tr("Frames"));
    m_list->setPlaceholderText(tr("1-100, 250"));
    m_list->setMaxLength(kLongestFrameList);
    m_list->setTextMargins(theme::kGrid, 0, theme::kGrid, 0);
    m_list->setToolTip(tr("<p>Numbers and ranges with commas between, as the window counts frames: 1-100, 250.</p>"));
    connect(m_list, &QLineEdit::textEdited, this, &TargetPicker::frameListChosen);
    m_sample = new QSpinBox(this);
    m_sample->setObjectName(QStringLiteral("inferenceSampleSize"));
    m_sample->setAccessibleName(tr("Frames in the sample"));
    m_sample->setToolTip(tr("<p>How many frames are drawn at random.</p><p>Default: 20</p>"));
    m_sample->setRange(1, kLargestSample);
    guardWheel(m_sample);
    connect(m_sample, &QSpinBox::valueChanged, this, [this](int size) {
        if (!m_showing)
            Q_EMIT sampleSizeChosen(size);
    });
    auto* sampleRow = new QHBoxLayout;
    auto* sampleLabel = new QLabel(tr("Frames in the sample"), this);
    sampleLabel->setObjectName(QStringLiteral("inferenceSampleLabel"));
    sampleLabel->setBuddy(m_sample);
    sampleRow->addWidget(sampleLabel);
    sampleRow->addStretch();
    sampleRow->addWidget(m_sample);

    m_skip = new QCheckBox(tr("Skip user-labelled frames"), this);
    m_skip->setObjectName(QStringLiteral("inferenceSkipLabelled"));
    m_skip->setAccessibleName(m_skip->text());
    connect(m_skip, &QCheckBox::toggled, this, [this](bool skip) {
        if (!m_showing)
            Q_EMIT skipLabelledChosen(skip);
    });

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
    layout->addLayout(sampleRow);
    layout->addWidget(m_list);
    layout->addSpacing(theme::kGrid);
    layout->addWidget(m_skip);
    layout->addWidget(label);
    layout->addWidget(m_existing);
    layout->addStretch();
}

void TargetPicker::setTarget(RunTarget target) {
    for (const Row& row : m_rows)
        if (row.target == target)
            row.button->setChecked(true);
}

void TargetPicker::showRow(const Row& row, const RunSettings& settings, const RunSituation& situation) const {
    const bool ofVideos = isOfVideos(row.target);
    const std::int64_t count = ofVideos ? static_cast<std::int64_t>(videosOf(row.target, situation).size())
                                        : countOf(framesOf(row.target, settings, situation));
    const std::int64_t frames = ofVideos ? frameCountOf(row.target, settings, situation) : count;
    const bool reading = needsLabels(row.target) && situation.video && !situation.labelFrames;
    QString title;
    QString help;
    switch (row.target) {
        case RunTarget::CurrentFrame:
            title = count > 0 ? tr("This frame (%1)").arg(text::frameNumber(situation.frame, situation.fromZero))
                              : tr("This frame");
            help = tr("The frame that the window shows.");
            break;
        case RunTarget::SelectedRange: {
            const bool selected = situation.selection && situation.selection->count() > 0;
            title = selected ? tr("Selected range (%1–%2)")
                                   .arg(text::frameNumber(situation.selection->first, situation.fromZero),
                                        text::frameNumber(situation.selection->last, situation.fromZero))
                             : tr("Selected range");
            help = selected ? tr("The range that is selected on the timeline, both ends included.")
                            : tr("No range is selected. Drag over the timeline with Shift held.");
            break;
        }
        case RunTarget::WholeVideo:
            title = tr("Whole video");
            help = tr("Every frame of the video that the window shows.");
            break;
        case RunTarget::Suggestions:
            title = tr("Suggestions");
            help = tr("Frames of this video that are suggested for labelling and not labelled yet.");
            break;
        case RunTarget::Labelled:
            title = tr("User-labelled frames");
            help = tr("Frames with instances that a person made, to compare the model with them.");
            break;
        case RunTarget::Predicted:
            title = tr("With predictions");
            help = tr("Frames that have predictions already.");
            break;
        case RunTarget::NotPredicted:
            title = tr("Without predictions");
            help = tr("Frames that have no predictions yet.");
            break;
        case RunTarget::SelectedVideos:
            title = count > 0 ? tr("Selected videos (%1)").arg(text::number(count)) : tr("Selected videos");
            help = tr("Every frame of the videos that are selected in the Videos dock, one video after another.");
            break;
        case RunTarget::AllVideos:
            title = tr("All videos (%1)").arg(text::number(count));
            help = tr("Every frame of every video of the project, one video after another.");
            break;
        case RunTarget::SampleOfAll:
            title = tr("Random sample of all videos");
            help = tr("Frames drawn at random from each video of the project, as many of each.");
            break;
        case RunTarget::WithIssues:
            title = tr("With issues");
            help = situation.issueFrames ? tr("Frames that an open issue touches.")
                                         : tr("Nobody has looked for issues yet. Find them in the Issues dock first.");
            break;
        case RunTarget::Custom:
            title = tr("These frames");
            help = tr("Frames that you list below.");
            break;
        case RunTarget::RandomSample:
            title = tr("Random sample");
            help = tr("Frames drawn at random from the whole video, to try a model.");
            break;
    }
    row.button->setText(title);
    row.button->setToolTip(help);
    row.button->setAccessibleName(title);
    // What is not there can be chosen if it was before: the line below then says what to do.
    const bool typed = row.target == RunTarget::Custom;
    row.button->setEnabled(count > 0 || settings.target == row.target || !situation.video || reading || typed);
    row.button->setChecked(settings.target == row.target);
    row.count->setText(reading     ? QStringLiteral("…")
                       : count > 0 ? (frames < 0 ? text::count(count, tr("video"), tr("videos")) : text::frames(frames))
                       : typed     ? QString()
                                   : tr("none"));
    // A project of one video needs no choice among them.
    const bool shown = !ofVideos || situation.videos.size() > 1 || settings.target == row.target;
    row.button->setVisible(shown);
    row.count->setVisible(shown);
}

void TargetPicker::showSkip(const RunSettings& settings, const RunSituation& situation) {
    const bool canChoose = canSkipLabelled(settings.target);
    QString why;
    if (settings.target == RunTarget::Suggestions)
        why = tr("Suggestions that are labelled are always left out.");
    else if (settings.target == RunTarget::Labelled)
        why = tr("Labelled frames are what this run is about.");
    else if (settings.target == RunTarget::CurrentFrame)
        why = tr("The frame that is shown is always predicted.");
    else if (situation.labelFrames)
        why = tr("%1 of this video are labelled by a person.")
                  .arg(text::frames(countOf(situation.labelFrames->labelled)));
    m_skip->setEnabled(canChoose);
    m_skip->setChecked(canChoose ? settings.skipLabelled : settings.target == RunTarget::Suggestions);
    m_skip->setToolTip(tr("<p>Leaves out frames with instances that a person made.</p><p>%1</p><p>Default: off<br>"
                          "<code>--exclude_user_labeled</code></p>")
                           .arg(why.toHtmlEscaped()));
}

void TargetPicker::show(const RunSettings& settings, const RunSituation& situation) {
    m_showing = true;
    for (const Row& row : m_rows)
        showRow(row, settings, situation);
    const bool sample = settings.target == RunTarget::RandomSample || settings.target == RunTarget::SampleOfAll;
    m_sample->setValue(settings.sampleSize);
    m_sample->setVisible(sample);
    findChild<QLabel*>(QStringLiteral("inferenceSampleLabel"))->setVisible(sample);
    m_list->setVisible(settings.target == RunTarget::Custom);
    if (!m_list->hasFocus() && m_list->text() != settings.frameList)
        m_list->setText(settings.frameList);
    showSkip(settings, situation);
    m_existing->setCurrentIndex(m_existing->findData(static_cast<int>(settings.existing)));
    // Where nothing is found anew, the predictions stay and get other tracks.
    m_existing->setEnabled(!settings.trackOnly);
    m_showing = false;
}

}  // namespace skein::ui
