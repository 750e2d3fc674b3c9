// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/fill_gaps_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

#include "ui/bridge/background.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace skein::ui {

using project::edit::GapPath;

namespace {
constexpr int kWidth = 420;
constexpr int kCountAfterMs = 150;
constexpr int kLongest = 300;  ///< frames: beyond that poses on the way mean nothing
constexpr int kSummaryLines = 3;
}  // namespace

FillGapsDialog::FillGapsDialog(const Document* document, const ViewState* view, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_view(view),
      m_longest(new QSpinBox(this)),
      m_longestNode(new QSpinBox(this)),
      m_path(new QComboBox(this)),
      m_videos(new QComboBox(this)),
      m_summary(new QLabel(this)),
      m_where(new QLabel(this)),
      m_show(new QCheckBox(tr("Show what would be filled, dashed"), this)),
      m_previous(new QPushButton(tr("Previous"), this)),
      m_next(new QPushButton(tr("Next"), this)),
      m_fill(new QPushButton(tr("Fill Gaps"), this)),
      m_delay(new QTimer(this)) {
    setObjectName(QStringLiteral("fillGapsDialog"));
    setWindowTitle(tr("Fill gaps"));
    setAttribute(Qt::WA_DeleteOnClose);
    const proofread::GapOptions usual;
    m_longest->setRange(1, kLongest);
    m_longest->setValue(static_cast<int>(usual.longest));
    m_longestNode->setRange(0, kLongest);
    m_longestNode->setValue(static_cast<int>(usual.longestNode));
    m_longestNode->setSpecialValueText(tr("leave them absent"));
    for (QSpinBox* box : {m_longest, m_longestNode})
        box->setSuffix(QStringLiteral("\u2009") + tr("frames"));
    m_path->addItems({tr("Smooth, with the velocity before and after"), tr("Straight")});
    m_videos->addItem(tr("This video"));
    m_videos->addItem(tr("All videos (%1)").arg(document->videoCount()));
    m_videos->setCurrentIndex(document->videoCount() > 1 ? 1 : 0);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(theme::kGap);
    form->setVerticalSpacing(theme::kGrid);
    const auto addRow = [this, form](const char* id, const QString& name, const QString& tip, QWidget* field) {
        field->setObjectName(QLatin1String(id));
        field->setAccessibleName(name);
        field->setToolTip(tip);
        auto* label = new QLabel(name, this);
        label->setMinimumHeight(theme::kControlHeight);
        label->setBuddy(field);
        form->addRow(label, field);
    };
    addRow("gapsLongest", tr("Gaps of at most"), tr("Longer pauses of a track stay as they are."), m_longest);
    addRow("gapsLongestNode", tr("Missing nodes for at most"),
           tr("Nodes that are absent in an instance that is there get a place on the way."), m_longestNode);
    addRow("gapsPath", tr("Way"), tr("How an animal is thought to have moved in between."), m_path);
    addRow("gapsVideos", tr("In"), tr("Where gaps are filled."), m_videos);
    if (document->videoCount() < 2)
        form->setRowVisible(m_videos, false);
    m_show->setObjectName(QStringLiteral("gapsShow"));
    m_show->setAccessibleName(m_show->text());
    m_show->setToolTip(tr("On the picture and in the plots. Detections that would get a track have a dashed box."));
    m_show->setChecked(true);
    m_summary->setObjectName(QStringLiteral("gapsSummary"));
    m_where->setObjectName(QStringLiteral("gapsWhere"));
    for (QLabel* label : {m_summary, m_where}) {
        label->setWordWrap(true);
        label->setMinimumWidth(1);  // a name without spaces must not make the dialog wider
        label->setTextFormat(Qt::PlainText);
        label->setAlignment(Qt::AlignVCenter | Qt::AlignLeft);
    }
    m_summary->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_summary->setMinimumHeight(kSummaryLines * fontMetrics().lineSpacing());
    const auto name = [](QPushButton* button, const char* id, const QString& tip) {
        button->setObjectName(QLatin1String(id));
        button->setAccessibleName(button->text());
        button->setToolTip(tip);
        button->setAutoDefault(false);
    };
    name(m_previous, "gapsPrevious", tr("Go to the gap before."));
    name(m_next, "gapsNext", tr("Go to the next gap."));
    name(m_fill, "gapsFill", tr("Fill them, as one step that can be undone."));
    m_fill->setProperty("primary", true);
    m_fill->setDefault(true);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    name(cancel, "gapsCancel", tr("Leave the project as it is."));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    column->addLayout(form);
    column->addWidget(m_summary);
    column->addWidget(m_show);
    auto* walk = new QHBoxLayout;
    walk->setSpacing(theme::kMargin);
    walk->addWidget(m_where, 1);
    walk->addWidget(m_previous);
    walk->addWidget(m_next);
    column->addLayout(walk);
    column->addStretch();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kMargin);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_fill);
    column->addLayout(buttons);
    setMinimumWidth(kWidth);

    m_delay->setSingleShot(true);
    m_delay->setInterval(kCountAfterMs);
    connect(m_delay, &QTimer::timeout, this, &FillGapsDialog::count);
    for (QSpinBox* box : {m_longest, m_longestNode})
        connect(box, &QSpinBox::valueChanged, this, &FillGapsDialog::look);
    for (QComboBox* box : {m_path, m_videos})
        connect(box, &QComboBox::currentIndexChanged, this, &FillGapsDialog::look);
    connect(m_show, &QCheckBox::toggled, this, &FillGapsDialog::showDraft);
    connect(m_previous, &QPushButton::clicked, this, [this] { goBy(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { goBy(1); });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_fill, &QPushButton::clicked, this, [this] {
        const proofread::GapOptions chosen = options();
        accept();
        Q_EMIT fillWanted(chosen);
    });
    connect(document, &Document::changed, this, &FillGapsDialog::look);
    connect(document, &Document::opened, this, &QDialog::reject);
    connect(view, &ViewState::videoChanged, this, &FillGapsDialog::look);
    look();
}

proofread::GapOptions FillGapsDialog::options() const {
    proofread::GapOptions options;
    options.longest = m_longest->value();
    options.longestNode = m_longestNode->value();
    options.path = m_path->currentIndex() == 0 ? GapPath::Smooth : GapPath::Linear;
    if (m_videos->currentIndex() == 0 && m_view->video() >= 0)
        options.video = static_cast<std::uint32_t>(m_view->video());
    return options;
}

void FillGapsDialog::look() {
    ++m_asked;
    m_fill->setEnabled(false);
    m_summary->setText(tr("Looking for gaps..."));
    m_delay->start();
}

void FillGapsDialog::count() {
    struct Counted {
        proofread::GapPlan plan;
        project::edit::Outcome outcome;
    };
    inBackground(
        this,
        [labels = m_document->snapshot(), chosen = options()]() -> Result<Counted> {
            Counted counted;
            counted.plan = proofread::planGaps(labels, chosen);
            counted.outcome = proofread::applyGaps(labels, counted.plan, chosen);
            return counted;
        },
        [this, asked = m_asked](Result<Counted> result) {
            if (asked != m_asked)
                return;
            m_answered = asked;
            if (!result) {
                m_summary->setText(QString::fromStdString(result.error().message()));
                return;
            }
            m_draft.reset();
            if (result->outcome.changed > 0)
                m_draft = std::move(result->outcome.labels);
            showPlan(result->plan, result->outcome.changed);
            showDraft();
        });
}

void FillGapsDialog::showPlan(const proofread::GapPlan& plan, std::size_t changed) {
    m_stops.clear();
    std::int64_t frames = 0;
    for (const project::edit::Gap& gap : plan.gaps) {
        m_stops.push_back({static_cast<int>(gap.video), gap.span.first, gap.span.last, gap.track, false});
        frames += gap.frames();
    }
    for (const proofread::Adoption& one : plan.adoptions)
        m_stops.push_back({static_cast<int>(one.video), one.frame, one.frame, one.track, true});
    std::sort(m_stops.begin(), m_stops.end(), [](const Stop& a, const Stop& b) {
        return std::tie(a.video, a.first, a.track) < std::tie(b.video, b.first, b.track);
    });
    const auto n = [](std::size_t count, const QString& one, const QString& many) {
        return text::count(static_cast<std::int64_t>(count), one, many);
    };
    QStringList words;
    if (!plan.gaps.empty())
        words << tr("%1 would be filled with %2.")
                     .arg(n(plan.gaps.size(), tr("gap"), tr("gaps")), text::count(frames, tr("pose"), tr("poses")));
    if (!plan.adoptions.empty())
        words << tr("%1 without a track would take the track whose gap they lie in.")
                     .arg(n(plan.adoptions.size(), tr("detection"), tr("detections")));
    const std::size_t whole = static_cast<std::size_t>(frames) + plan.adoptions.size();
    if (changed > whole)
        words << tr("%1 would get a place.").arg(n(changed - whole, tr("missing node"), tr("missing nodes")));
    if (plan.tooFar > 0)
        words << tr("%1 would stay: the two sides are too far apart.").arg(n(plan.tooFar, tr("gap"), tr("gaps")));
    if (plan.strange > 0)
        words << tr("%1 would stay: the poses on both sides have no node in common.")
                     .arg(n(plan.strange, tr("gap"), tr("gaps")));
    if (words.isEmpty())
        words << tr("There is no gap of at most %1.").arg(text::count(m_longest->value(), tr("frame"), tr("frames")));
    m_summary->setText(words.join(QLatin1Char(' ')));
    m_fill->setEnabled(changed > 0);
    m_stop = -1;
    showStop();
}

void FillGapsDialog::showDraft() {
    Q_EMIT draftChanged(m_show->isChecked() ? m_draft : std::nullopt);
}

void FillGapsDialog::goBy(int step) {
    const auto count = static_cast<int>(m_stops.size());
    if (count == 0)
        return;
    m_stop = m_stop < 0 ? (step > 0 ? 0 : count - 1) : ((m_stop + step) % count + count) % count;
    const Stop& stop = m_stops[static_cast<std::size_t>(m_stop)];
    showStop();
    Q_EMIT placeWanted(stop.video, (stop.first + stop.last) / 2, stop.track);
}

void FillGapsDialog::showStop() {
    const bool any = !m_stops.empty();
    m_previous->setEnabled(any);
    m_next->setEnabled(any);
    if (!any || m_stop < 0) {
        m_where->setText(any ? tr("Look at them one by one:") : QString());
        return;
    }
    const Stop& stop = m_stops[static_cast<std::size_t>(m_stop)];
    const QString where = stop.first == stop.last
                              ? tr("frame %1").arg(frameNumber(stop.first))
                              : tr("frames %1\u2013%2").arg(frameNumber(stop.first), frameNumber(stop.last));
    m_where->setText(tr("%1 of %2: %3, %4")
                         .arg(text::number(m_stop + 1), text::number(static_cast<std::int64_t>(m_stops.size())),
                              trackName(stop.track), where));
}

void FillGapsDialog::done(int result) {
    Q_EMIT draftChanged(std::nullopt);
    QDialog::done(result);
}

}  // namespace skein::ui
