// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracks/fill_gaps_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <algorithm>
#include <tuple>

#include "ui/bridge/background.h"
#include "ui/text.h"
#include "ui/tracks/stop_walk.h"
#include "ui/tracks/track_choice.h"

namespace skein::ui {

using project::edit::GapPath;

namespace {
constexpr int kCountAfterMs = 150;
constexpr int kLongest = 300;  ///< frames: beyond that poses on the way mean nothing
constexpr int kSummaryLines = 3;
}  // namespace

FillGapsDialog::FillGapsDialog(const Document* document, const ViewState* view, QWidget* parent)
    : TrackDialog("fillGapsDialog", tr("Fill gaps"), document, parent),
      m_document(document),
      m_view(view),
      m_longest(new QSpinBox(this)),
      m_longestNode(new QSpinBox(this)),
      m_path(new QComboBox(this)),
      m_videos(new QComboBox(this)),
      m_tracks(new TrackChoice(this)),
      m_walk(new StopWalk(QStringLiteral("gaps"), tr("Go to the gap before."), tr("Go to the next gap."), this)),
      m_delay(new QTimer(this)) {
    buildForm();
    m_summary = addWords("gapsSummary", kSummaryLines);
    m_show = addCheck("gapsShow", tr("Show what would be filled, dashed"),
                      tr("On the picture and in the plots. Detections that would get a track have a dashed box."));
    m_show->setChecked(true);
    add(m_walk);
    QPushButton* cancel = addButton("gapsCancel", tr("Cancel"), tr("Leave the project as it is."), Button::Plain);
    m_fill = addButton("gapsFill", tr("Fill Gaps"), tr("Fill them, as one step that can be undone."), Button::Primary);

    m_delay->setSingleShot(true);
    m_delay->setInterval(kCountAfterMs);
    connect(m_delay, &QTimer::timeout, this, &FillGapsDialog::count);
    for (QSpinBox* box : {m_longest, m_longestNode})
        connect(box, &QSpinBox::valueChanged, this, &FillGapsDialog::look);
    for (QComboBox* box : {m_path, m_videos})
        connect(box, &QComboBox::currentIndexChanged, this, &FillGapsDialog::look);
    connect(m_tracks, &TrackChoice::choiceChanged, this, &FillGapsDialog::look);
    connect(m_show, &QCheckBox::toggled, this, &FillGapsDialog::showDraft);
    m_walk->words = [this](int stop) { return wordsOf(m_stops[static_cast<std::size_t>(stop)]); };
    connect(m_walk, &StopWalk::stopWanted, this, [this](int place) {
        const Stop& stop = m_stops[static_cast<std::size_t>(place)];
        Q_EMIT placeWanted(stop.video, (stop.first + stop.last) / 2, stop.track);
    });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_fill, &QPushButton::clicked, this, [this] {
        const proofread::GapOptions chosen = options();
        accept();
        Q_EMIT fillWanted(chosen);
    });
    connect(document, &Document::changed, this, &FillGapsDialog::look);
    connect(view, &ViewState::videoChanged, this, &FillGapsDialog::look);
    look();
}

void FillGapsDialog::buildForm() {
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
    m_videos->addItem(tr("All videos (%1)").arg(m_document->videoCount()));
    m_videos->setCurrentIndex(m_document->videoCount() > 1 ? 1 : 0);
    addRow("gapsLongest", tr("Gaps of at most"), tr("Longer pauses of a track stay as they are."), m_longest);
    addRow("gapsLongestNode", tr("Missing nodes for at most"),
           tr("Nodes that are absent in an instance that is there get a place on the way."), m_longestNode);
    addRow("gapsPath", tr("Path in between"), tr("How an animal is thought to have moved in between."), m_path);
    addRow("gapsTracks", tr("Tracks"), tr("All, or those that are selected in the window."), m_tracks);
    addRow("gapsVideos", tr("Videos"), tr("Where gaps are filled."), m_videos);
    if (m_document->videoCount() < 2)
        form()->setRowVisible(m_videos, false);
}

proofread::GapOptions FillGapsDialog::options() const {
    proofread::GapOptions options;
    options.longest = m_longest->value();
    options.longestNode = m_longestNode->value();
    options.path = m_path->currentIndex() == 0 ? GapPath::Smooth : GapPath::Linear;
    if (m_videos->currentIndex() == 0 && m_view->video() >= 0)
        options.video = static_cast<std::uint32_t>(m_view->video());
    options.tracks = m_tracks->indicesIn(m_document->labels());
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
        m_stops.push_back({static_cast<int>(gap.video), gap.span.first, gap.span.last, gap.track});
        frames += gap.frames();
    }
    for (const proofread::Adoption& one : plan.adoptions)
        m_stops.push_back({static_cast<int>(one.video), one.frame, one.frame, one.track});
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
    m_walk->setCount(static_cast<int>(m_stops.size()));
}

void FillGapsDialog::showDraft() {
    Q_EMIT draftChanged(m_show->isChecked() ? m_draft : std::nullopt);
}

QString FillGapsDialog::wordsOf(const Stop& stop) const {
    const QString where = stop.first == stop.last
                              ? tr("frame %1").arg(frameNumber(stop.first))
                              : tr("frames %1\u2013%2").arg(frameNumber(stop.first), frameNumber(stop.last));
    return tr("%1, %2").arg(trackName(stop.track), where);
}

void FillGapsDialog::done(int result) {
    Q_EMIT draftChanged(std::nullopt);
    QDialog::done(result);
}

}  // namespace skein::ui
