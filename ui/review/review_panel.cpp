// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_panel.h"

#include <QAction>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/text.h"
#include "ui/theme.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/progress_line.h"

namespace skein::ui {

using proofread::SampleItem;
using proofread::Verdict;

namespace {

constexpr int kMost = 100'000;
constexpr int kUsual = 100;
constexpr int kNameWidth = 180;  // of a track; the tool tip has all of it

QLabel* words(QWidget* parent, const char* objectName) {
    auto* label = new QLabel(parent);
    label->setObjectName(QLatin1String(objectName));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setMinimumWidth(1);  // a name without spaces must not make the dock wider
    return label;
}

/// A press on a button goes on as the action. `withKey`: the words end with the key that does the same.
QPushButton* buttonOf(QAction* action, const QString& text, QWidget* parent, bool withKey = false) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(action->objectName() + QStringLiteral("Button"));
    button->setAccessibleName(text);
    button->setAutoDefault(false);
    const auto follow = [button, action, text, withKey] {
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        button->setText(withKey && !key.isEmpty() ? QStringLiteral("%1 (%2)").arg(text, key) : text);
        button->setEnabled(action->isEnabled());
        button->setToolTip(action->toolTip());
    };
    QObject::connect(action, &QAction::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    follow();
    return button;
}

}  // namespace

ReviewPanel::ReviewPanel(SampleReview* review, const Document* document, const Actions& actions, QWidget* parent)
    : QWidget(parent), m_review(review), m_document(document), m_actions(actions), m_pages(new QStackedWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    for (QWidget* page : {makeSetup(), makeQuestion(actions)}) {
        page->setAutoFillBackground(true);
        page->setBackgroundRole(QPalette::Base);
        m_pages->addWidget(page);
    }
    connect(review, &SampleReview::changed, this, &ReviewPanel::showState);
    showState();
}

QWidget* ReviewPanel::makeSetup() {
    auto* page = new QWidget(m_pages);
    auto* about = words(page, "reviewAbout");
    about->setText(
        tr("How often are identities wrong? Skein draws encounters and frames at random, you judge each by a "
           "key, and the error rate comes with its confidence interval and a report."));
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(theme::kGap);
    form->setVerticalSpacing(theme::kGrid);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    const auto add = [this, page, form](const char* id, const QString& name, const QString& tip, int least, int value) {
        auto* box = new QSpinBox(page);
        box->setObjectName(QLatin1String(id));
        box->setAccessibleName(name);
        box->setToolTip(tip);
        box->setRange(least, kMost);
        box->setGroupSeparatorShown(true);
        box->setValue(value);
        auto* label = new QLabel(name, page);
        label->setMinimumHeight(theme::kControlHeight);
        label->setBuddy(box);
        form->addRow(label, box);
        connect(box, &QSpinBox::valueChanged, this, &ReviewPanel::showSetup);
        return box;
    };
    m_encounters = m_frames = m_seed = nullptr;
    m_encounters = add("reviewEncounters", tr("Encounters"),
                       tr("Stretches in which two animals are close: where identities are lost."), 0, kUsual);
    m_frames = add("reviewFrames", tr("Frames"), tr("Single frames of the whole project."), 0, kUsual);
    m_seed = add("reviewSeed", tr("Seed"), tr("The same seed draws the same sample again."), 0, 1);
    m_hint = words(page, "reviewHint");
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_problem = words(page, "reviewProblem");
    m_draw = new QPushButton(tr("Draw Sample"), page);
    m_draw->setObjectName(QStringLiteral("reviewDraw"));
    m_draw->setAccessibleName(m_draw->text());
    m_draw->setAutoDefault(false);
    m_draw->setProperty("primary", true);
    connect(m_draw, &QPushButton::clicked, this, [this] {
        m_review->draw({static_cast<std::size_t>(m_encounters->value()), static_cast<std::size_t>(m_frames->value()),
                        static_cast<std::uint64_t>(m_seed->value())});
    });
    m_working = new QWidget(page);
    m_drawing = new ProgressLine(QStringLiteral("reviewDrawing"), m_working);
    m_drawing->setAccessibleName(tr("How far the search for encounters is"));
    m_stop = new QPushButton(tr("Stop"), m_working);
    m_stop->setObjectName(QStringLiteral("reviewStop"));
    m_stop->setAccessibleName(tr("Stop drawing"));
    m_stop->setToolTip(tr("Stop looking for encounters; nothing is drawn."));
    m_stop->setAutoDefault(false);
    connect(m_stop, &QPushButton::clicked, m_review, &SampleReview::stop);
    auto* row = new QHBoxLayout(m_working);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_drawing, 1);
    row->addWidget(m_stop);

    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kGap);
    column->addWidget(about);
    column->addLayout(form);
    column->addWidget(m_hint);
    column->addWidget(m_draw, 0, Qt::AlignLeft);
    column->addWidget(m_working);
    column->addWidget(m_problem);
    column->addStretch();
    return page;
}

QWidget* ReviewPanel::makeQuestion(const Actions& actions) {
    auto* page = new QWidget(m_pages);
    m_title = words(page, "reviewTitle");
    m_title->setFont(theme::headingFont());
    m_where = words(page, "reviewWhere");
    m_question = words(page, "reviewQuestion");
    m_said = words(page, "reviewSaid");
    m_said->setForegroundRole(QPalette::PlaceholderText);
    auto* answers = new FlowLayout;
    for (const auto& [action, text] : {std::pair(actions.right, tr("Right")), std::pair(actions.wrong, tr("Wrong")),
                                       std::pair(actions.unsure, tr("Unclear")), std::pair(actions.back, tr("Back"))})
        answers->addWidget(buttonOf(action, text, page, true));
    m_progress = new ProgressLine(QStringLiteral("reviewProgress"), page);
    m_progress->setAccessibleName(tr("How far the review is"));
    m_count = words(page, "reviewCount");
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_changed = words(page, "reviewChanged");
    m_rates = words(page, "reviewRates");
    m_rates->setAccessibleName(tr("Error rates so far"));
    m_rates->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* another = new QPushButton(tr("New Sample..."), page);
    another->setObjectName(QStringLiteral("reviewNew"));
    another->setAccessibleName(another->text());
    another->setToolTip(tr("Let this sample go and draw another one."));
    another->setAutoDefault(false);
    connect(another, &QPushButton::clicked, this, [this] {
        if (confirmNew && m_review->answered() > 0)
            confirmNew([this] { m_review->forget(); });
        else
            m_review->forget();
    });
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kMargin);
    foot->addWidget(buttonOf(actions.report, tr("Save Report..."), page));
    foot->addWidget(another);
    foot->addStretch();

    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    column->setSpacing(theme::kMargin);
    column->addWidget(m_title);
    column->addWidget(m_where);
    column->addWidget(m_question);
    column->addLayout(answers);
    column->addWidget(buttonOf(actions.resume, tr("Go On"), page), 0, Qt::AlignLeft);
    column->addWidget(m_said);
    column->addSpacing(theme::kMargin);
    column->addWidget(m_progress);
    column->addWidget(m_count);
    column->addWidget(m_changed);
    column->addWidget(m_rates);
    column->addSpacing(theme::kGrid);
    column->addLayout(foot);
    column->addStretch();
    return page;
}

void ReviewPanel::setFirstFrameNumber(int number) {
    m_firstNumber = number;
    showState();
}

void ReviewPanel::showState() {
    m_pages->setCurrentIndex(m_review->sample() ? 1 : 0);
    if (m_review->sample())
        showQuestion();
    else
        showSetup();
}

void ReviewPanel::showSetup() {
    if (m_seed == nullptr)
        return;
    const bool working = m_review->isWorking();
    for (QSpinBox* box : {m_encounters, m_frames, m_seed})
        box->setEnabled(!working);
    const int asked = std::max(m_encounters->value(), m_frames->value());
    const double most = 100 * proofread::wilsonInterval(0, static_cast<std::size_t>(asked)).high;
    m_hint->setText(asked == 0 ? tr("Ask for at least one encounter or frame.")
                               : tr("If none of %1 is wrong, the error rate lies below %2 % (95 % interval).")
                                     .arg(text::number(asked), text::fixed(most, 1)));
    m_draw->setEnabled(asked > 0 && !working);
    m_draw->setToolTip(asked > 0 ? tr("Draw at random, every encounter and every frame being as likely as any other.")
                                 : m_hint->text());
    m_working->setVisible(working);
    m_drawing->set(m_review->progress(), ProgressLine::State::Active);
    m_problem->setVisible(m_review->isEmpty());
    m_problem->setText(
        tr("There is nothing to draw: no frame of the project has an instance with a track. Track the "
           "predictions first."));
}

QString ReviewPanel::nameOf(int track) const {
    return trackName ? trackName(track) : QString::number(track);
}

QString ReviewPanel::whereIs(const SampleItem& item) const {
    const auto number = [this](std::int64_t frame) { return text::number(frame + m_firstNumber); };
    QString where = item.first == item.last ? tr("Frame %1").arg(number(item.frame))
                                            : tr("Frames %1\u2013%2").arg(number(item.first), number(item.last));
    if (m_document->videoCount() > 1 && static_cast<int>(item.video) < m_document->videoCount())
        where += tr(" of %1").arg(m_document->videoName(static_cast<int>(item.video)));
    QStringList names;
    for (const std::int32_t track : item.tracks)
        names << fontMetrics().elidedText(nameOf(track), Qt::ElideMiddle, kNameWidth);
    if (names.size() > 4)
        where += tr(": %1 tracks").arg(names.size());
    else if (!names.isEmpty())
        where += QStringLiteral(": ") + names.join(QStringLiteral(", "));
    return where;
}

void ReviewPanel::showQuestion() {
    const proofread::ReviewSample& sample = *m_review->sample();
    const auto count = static_cast<int>(sample.items.size());
    const int answered = m_review->answered();
    const int current = m_review->current();
    const bool asking = current >= 0;
    for (QWidget* widget : {static_cast<QWidget*>(m_where), static_cast<QWidget*>(m_question)})
        widget->setVisible(asking);
    QString said;
    if (asking) {
        const SampleItem& item = sample.items[static_cast<std::size_t>(current)];
        m_title->setText(
            tr("%1, %2 of %3")
                .arg(item.encounter ? tr("Encounter") : tr("Frame"), text::number(current + 1), text::number(count)));
        m_where->setText(whereIs(item));
        QStringList names;
        for (const std::int32_t track : item.tracks)
            names << nameOf(track);
        m_where->setToolTip(names.join(QLatin1Char('\n')));
        m_question->setText(item.encounter ? tr("Does each of these animals keep its identity all the way through?")
                                           : tr("Does every animal on this frame have the right identity?"));
        const QString answers[] = {QString(), tr("right"), tr("wrong"), tr("unclear")};
        if (item.verdict != Verdict::Unanswered)
            said = tr("You said: %1. Another key changes it.").arg(answers[static_cast<std::size_t>(item.verdict)]);
        if (std::binary_search(m_review->changedItems().begin(), m_review->changedItems().end(),
                               static_cast<std::size_t>(current)))
            said += tr(" The tracks have been changed here since.");
    } else {
        m_title->setText(answered == count ? tr("Every item is judged") : tr("A review is under way"));
    }
    if (asking && answered == count)
        said = tr("Every item is judged. ") + said;
    m_said->setText(said);
    m_said->setVisible(!said.isEmpty());
    if (auto* resume = findChild<QPushButton*>(m_actions.resume->objectName() + QStringLiteral("Button")))
        resume->setVisible(!asking);
    m_progress->set(count == 0 ? 0 : static_cast<double>(answered) / count,
                    answered == count ? ProgressLine::State::Done : ProgressLine::State::Active);
    m_count->setText(
        tr("%1 of %2 judged, seed %3")
            .arg(text::number(answered), text::number(count), QString::number(static_cast<qulonglong>(sample.seed))));
    const std::vector<std::size_t>& changed = m_review->changedItems();
    m_changed->setText(QString::fromStdString(proofread::warningOf(changed.size())));
    m_changed->setVisible(!changed.empty());
    QStringList rates;
    for (const bool encounters : {true, false})
        if (proofread::rateOf(sample, encounters).asked > 0)
            rates << QString::fromStdString(proofread::sentenceOf(sample, encounters));
    m_rates->setText(rates.join(QStringLiteral("\n\n")));
}

}  // namespace skein::ui
