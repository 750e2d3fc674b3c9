// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/custom_delete_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>
#include <limits>

#include "ui/bridge/background.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

namespace edit = project::edit;

namespace {
enum Kind { Predictions, Users, Both };
enum Where { ThisVideo, AllVideos };
enum Frames { AllFrames, Between };
constexpr int kAnyTrack = -2;
constexpr int kCountDelayMs = 60;
}  // namespace

CustomDeleteDialog::CustomDeleteDialog(Document* document, int video, std::optional<FrameRange> range,
                                       int firstFrameNumber, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_video(video),
      m_firstFrameNumber(firstFrameNumber),
      m_kind(new QComboBox(this)),
      m_where(new QComboBox(this)),
      m_frames(new QComboBox(this)),
      m_first(new QSpinBox(this)),
      m_last(new QSpinBox(this)),
      m_track(new QComboBox(this)),
      m_byScore(new QCheckBox(tr("only with a score below"), this)),
      m_score(new QDoubleSpinBox(this)),
      m_count(new QLabel(this)),
      m_delete(new QPushButton(tr("Delete"), this)),
      m_delay(new QTimer(this)) {
    setObjectName(QStringLiteral("customDeleteDialog"));
    setWindowTitle(tr("Custom instance delete"));
    setAttribute(Qt::WA_DeleteOnClose);
    const auto name = [](QWidget* widget, const char* objectName, const QString& what, const QString& tip) {
        widget->setObjectName(QLatin1String(objectName));
        widget->setAccessibleName(what);
        widget->setToolTip(tip);
    };
    name(m_kind, "customDeleteKind", tr("Kind"), tr("Which instances may go."));
    name(m_where, "customDeleteVideo", tr("Video"), tr("In which videos."));
    name(m_frames, "customDeleteFrames", tr("Frames"), tr("On which frames."));
    name(m_first, "customDeleteFirst", tr("First frame"), tr("First frame, included."));
    name(m_last, "customDeleteLast", tr("Last frame"), tr("Last frame, included."));
    name(m_track, "customDeleteTrack", tr("Track"), tr("Of which track."));
    name(m_byScore, "customDeleteByScore", tr("By score"), tr("Only predictions have a score."));
    name(m_score, "customDeleteScore", tr("Score"), tr("Predictions with an instance score below this go."));
    name(m_delete, "customDeleteButton", tr("Delete"), tr("Delete the counted instances, as one step."));
    m_count->setObjectName(QStringLiteral("customDeleteCount"));
    m_kind->addItems({tr("Predictions"), tr("User instances"), tr("Both")});
    m_where->addItem(video >= 0 ? tr("This video: %1").arg(document->videoName(video)) : tr("This video"));
    m_where->addItem(tr("All videos"));
    m_frames->addItems({tr("All frames"), tr("From ... to ...")});
    const auto last = static_cast<int>(std::min<std::int64_t>(
        std::numeric_limits<int>::max() - 1, std::max<std::int64_t>(1, video >= 0 ? document->frameCount(video) : 1)));
    for (QSpinBox* box : {m_first, m_last}) {
        box->setRange(firstFrameNumber, last - 1 + firstFrameNumber);
        box->setGroupSeparatorShown(true);
    }
    m_last->setValue(m_last->maximum());
    if (range) {
        m_frames->setCurrentIndex(Between);
        m_first->setValue(static_cast<int>(range->first) + firstFrameNumber);
        m_last->setValue(static_cast<int>(range->last) + firstFrameNumber);
    }
    m_track->addItem(tr("Any track, or none"), kAnyTrack);
    m_track->addItem(tr("No track"), -1);
    const auto& tracks = document->labels().tracks();
    for (std::size_t t = 0; t < tracks.size(); ++t)
        m_track->addItem(QString::fromStdString(tracks[t].name), static_cast<int>(t));
    m_score->setRange(-1e6, 1e6);
    m_score->setDecimals(3);
    m_score->setSingleStep(0.05);
    m_score->setValue(0.5);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(theme::kGap);
    form->setVerticalSpacing(theme::kMargin);
    const auto addRow = [this, form](const QString& text, auto* field) {
        auto* label = new QLabel(text, this);
        label->setMinimumHeight(theme::kControlHeight);  // on one line with the text of its field
        form->addRow(label, field);
    };
    addRow(tr("Kind"), m_kind);
    addRow(tr("Video"), m_where);
    auto* frames = new QHBoxLayout;
    frames->setSpacing(theme::kMargin);
    frames->addWidget(m_frames, 1);
    frames->addWidget(m_first);
    frames->addWidget(m_last);
    addRow(tr("Frames"), frames);
    addRow(tr("Track"), m_track);
    auto* score = new QHBoxLayout;
    score->setSpacing(theme::kMargin);
    score->addWidget(m_byScore);
    score->addWidget(m_score);
    score->addStretch();
    addRow(tr("Score"), score);
    column->addLayout(form);
    column->addWidget(m_count);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("customDeleteCancel"));
    cancel->setDefault(true);  // what destroys is never what Enter does
    m_delete->setAutoDefault(false);
    buttons->addWidget(m_delete);
    buttons->addWidget(cancel);
    column->addLayout(buttons);

    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_delete, &QPushButton::clicked, this, [this] {
        Q_EMIT deleteWanted(filter());
        accept();
    });
    m_delay->setSingleShot(true);
    m_delay->setInterval(kCountDelayMs);
    connect(m_delay, &QTimer::timeout, this, &CustomDeleteDialog::count);
    const auto changed = [this] {
        m_first->setVisible(m_frames->currentIndex() == Between);
        m_last->setVisible(m_frames->currentIndex() == Between);
        m_score->setEnabled(m_byScore->isChecked());
        showCount(std::nullopt);
        m_delay->start();
    };
    for (QComboBox* box : {m_kind, m_where, m_frames, m_track})
        connect(box, &QComboBox::currentIndexChanged, this, changed);
    for (QSpinBox* box : {m_first, m_last})
        connect(box, &QSpinBox::valueChanged, this, changed);
    connect(m_byScore, &QCheckBox::toggled, this, changed);
    connect(m_score, &QDoubleSpinBox::valueChanged, this, changed);
    connect(document, &Document::changed, this, changed);
    connect(document, &Document::opened, this, &QDialog::reject);
    changed();
}

edit::InstanceFilter CustomDeleteDialog::filter() const {
    edit::InstanceFilter filter;
    if (m_kind->currentIndex() != Both)
        filter.kind =
            m_kind->currentIndex() == Predictions ? project::InstanceKind::Predicted : project::InstanceKind::User;
    if (m_where->currentIndex() == ThisVideo)
        filter.video = static_cast<std::uint32_t>(std::max(0, m_video));
    if (m_frames->currentIndex() == Between)
        filter.frames = edit::FrameSpan{std::min(m_first->value(), m_last->value()) - m_firstFrameNumber,
                                        std::max(m_first->value(), m_last->value()) - m_firstFrameNumber};
    if (m_track->currentData().toInt() != kAnyTrack)
        filter.track = m_track->currentData().toInt();
    if (m_byScore->isChecked())
        filter.scoreBelow = m_score->value();
    return filter;
}

void CustomDeleteDialog::count() {
    if (m_counting) {
        m_again = true;
        return;
    }
    m_counting = true;
    inBackground(
        this,
        [labels = m_document->snapshot(), filter = filter()]() -> Result<std::size_t> {
            return edit::countMatching(labels, filter);
        },
        [this](Result<std::size_t> found) {
            m_counting = false;
            if (std::exchange(m_again, false))
                count();
            else if (found && !m_delay->isActive())
                showCount(*found);
        });
}

void CustomDeleteDialog::showCount(std::optional<std::size_t> found) {
    m_delete->setEnabled(found.value_or(0) > 0);
    if (!found) {
        m_count->setText(tr("Counting..."));
        m_delete->setText(tr("Delete"));
        return;
    }
    const QString words = text::count(static_cast<std::int64_t>(*found), tr("instance"), tr("instances"));
    m_count->setText(*found == 0 ? tr("No instance is like this.") : tr("%1 will be deleted, as one step.").arg(words));
    m_delete->setText(*found == 0 ? tr("Delete") : tr("Delete %1").arg(words));
}

}  // namespace skein::ui
