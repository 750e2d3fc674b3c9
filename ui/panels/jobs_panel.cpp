// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/jobs_panel.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <tuple>
#include <utility>

#include "ui/icons.h"
#include "ui/models/run_history_model.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/progress_line.h"

namespace skein::ui {
namespace {

constexpr int kStateIcon = 16;

QLabel* secondary(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

}  // namespace

JobsPanel::JobsPanel(QWidget* parent) : QWidget(parent), m_history(new RunHistoryModel(this)) {
    setObjectName(QStringLiteral("jobsPanel"));
    setAccessibleName(tr("Jobs"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    m_current = makeCurrent();
    m_empty = makeEmpty();
    m_past = new QWidget(this);
    auto* table = new PlainTable(QStringLiteral("jobsHistory"), tr("Runs of this project"), m_past);
    table->setModel(m_history);
    table->setColumnWidths({11, 20, 16, 11, 7, 6, 6}, RunHistoryModel::What);
    auto* heading = new QLabel(tr("Runs of this project"), m_past);
    heading->setFont(theme::headingFont());
    heading->setContentsMargins(theme::kMargin, 0, theme::kMargin, 0);
    auto* past = new QVBoxLayout(m_past);
    past->setContentsMargins(0, 0, 0, 0);
    past->setSpacing(theme::kGrid);
    past->addWidget(heading);
    past->addWidget(table, 1);

    m_tabs = new QTabBar(this);
    m_tabs->setObjectName(QStringLiteral("jobsTabs"));
    m_tabs->setAccessibleName(tr("Jobs of"));
    m_tabs->setDocumentMode(true);
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(true);
    m_tabs->addTab(tr("This project"));
    m_tabs->hide();
    m_pages = new QStackedWidget(this);
    auto* runs = new QWidget(m_pages);
    m_pages->addWidget(runs);
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    column->addWidget(m_pages, 1);

    auto* layout = new QVBoxLayout(runs);
    layout->setContentsMargins(0, theme::kMargin, 0, 0);
    layout->setSpacing(theme::kGap);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_current);
    layout->addWidget(m_past, 1);
    refresh();
}

QWidget* JobsPanel::makeEmpty() {
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->setSpacing(theme::kMargin);
    auto* sentence =
        new QLabel(tr("No run yet. A run finds the animals in the frames of a video with a trained model."), box);
    sentence->setObjectName(QStringLiteral("jobsEmpty"));
    sentence->setWordWrap(true);
    sentence->setAlignment(Qt::AlignHCenter);
    sentence->setForegroundRole(QPalette::PlaceholderText);
    m_runButton = new QPushButton(icon(QStringLiteral("predict")), tr("Run Inference…"), box);
    m_runButton->setObjectName(QStringLiteral("jobsRun"));
    m_runButton->setAccessibleName(tr("Run Inference"));
    m_runButton->setAutoDefault(false);
    m_blocked = secondary(QString(), box);
    m_blocked->setAlignment(Qt::AlignHCenter);
    m_blocked->setWordWrap(true);
    m_blocked->hide();
    connect(m_runButton, &QPushButton::clicked, this, &JobsPanel::runWanted);
    layout->addStretch();
    layout->addWidget(sentence);
    layout->addWidget(m_runButton, 0, Qt::AlignHCenter);
    layout->addWidget(m_blocked);
    layout->addStretch();
    return box;
}

QWidget* JobsPanel::makeCurrent() {
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(theme::kMargin, 0, theme::kMargin, theme::kMargin);
    layout->setSpacing(theme::kMargin);

    m_icon = new QLabel(box);
    m_icon->setFixedSize(kStateIcon, kStateIcon);
    m_phase = new QLabel(box);
    m_phase->setObjectName(QStringLiteral("jobsPhase"));
    m_phase->setFont(theme::headingFont());
    m_left = secondary(QString(), box);
    m_left->setObjectName(QStringLiteral("jobsTimeLeft"));
    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kMargin);
    head->addWidget(m_icon);
    head->addWidget(m_phase, 1);
    head->addWidget(m_left);
    layout->addLayout(head);

    m_what = new ElidedLabel(box);
    m_what->setObjectName(QStringLiteral("jobsWhat"));
    m_what->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_what);
    m_bar = new ProgressLine(QStringLiteral("jobsProgress"), box);
    layout->addWidget(m_bar);

    m_figures = new QWidget(box);
    auto* grid = new QGridLayout(m_figures);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(theme::kGap);
    grid->setVerticalSpacing(0);
    const auto figure = [&](int column, const char* name, const QString& title) {
        auto* value = new QLabel(m_figures);
        value->setObjectName(QLatin1String(name));
        value->setAccessibleName(title);
        auto* heading = secondary(title, m_figures);
        grid->addWidget(heading, 0, column);
        grid->addWidget(value, 1, column);
        grid->setColumnStretch(column, 1);
        return std::pair(heading, value);
    };
    m_frames = figure(0, "jobsFrames", tr("Frames")).second;
    std::tie(m_rateTitle, m_rate) = figure(1, "jobsRate", tr("Frames/s now (mean)"));
    m_elapsed = figure(2, "jobsElapsed", tr("Elapsed")).second;
    m_queue = figure(3, "jobsQueue", tr("Queue")).second;
    m_queue->setToolTip(tr("Decoded frames that wait for the network, of those that may."));
    layout->addWidget(m_figures);

    m_message = new QLabel(box);
    m_message->setObjectName(QStringLiteral("jobsMessage"));
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_message);

    m_warningsButton = new QToolButton(box);
    m_warningsButton->setObjectName(QStringLiteral("jobsWarningsButton"));
    m_warningsButton->setCheckable(true);
    m_warningsButton->setAutoRaise(true);
    m_warningsButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_warningsButton->setToolTip(tr("Shows what the run has to say."));
    m_warnings = new QLabel(box);
    m_warnings->setObjectName(QStringLiteral("jobsWarnings"));
    m_warnings->setWordWrap(true);
    m_warnings->setTextFormat(Qt::PlainText);
    m_warnings->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(m_warningsButton, &QToolButton::toggled, m_warnings, &QLabel::setVisible);
    m_warnings->hide();
    layout->addWidget(m_warningsButton, 0, Qt::AlignLeft);
    layout->addWidget(m_warnings);

    m_question = new QLabel(box);
    m_question->setObjectName(QStringLiteral("jobsQuestion"));
    m_question->setWordWrap(true);
    layout->addWidget(m_question);

    const auto button = [&](const char* name, const QString& title, const QString& help) {
        auto* result = new QPushButton(title, box);
        result->setObjectName(QLatin1String(name));
        result->setAccessibleName(title);
        result->setToolTip(help);
        result->setAutoDefault(false);
        return result;
    };
    m_pause =
        button("jobsPause", tr("Pause"), tr("The batch on the device is finished first; the model stays loaded."));
    m_cancel = button("jobsCancel", tr("Cancel"),
                      tr("Stops within one batch. Finished frames are kept unless you discard them."));
    m_keep = button("jobsKeep", tr("Keep"), tr("The finished frames stay in the project."));
    m_discard = button("jobsDiscard", tr("Discard"), tr("Takes the run's results out of the project again."));
    connect(m_pause, &QPushButton::clicked, this, [this] { Q_EMIT pauseWanted(!m_run.paused); });
    connect(m_cancel, &QPushButton::clicked, this, &JobsPanel::cancelWanted);
    connect(m_keep, &QPushButton::clicked, this, &JobsPanel::keepWanted);
    connect(m_discard, &QPushButton::clicked, this, &JobsPanel::discardWanted);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kMargin);
    for (QPushButton* b : {m_pause, m_cancel, m_keep, m_discard})
        buttons->addWidget(b);
    buttons->addStretch();
    layout->addLayout(buttons);
    layout->addStretch(1);  // room to spare lies below, not between the lines
    return box;
}

void JobsPanel::setQueuePage(QWidget* page) {
    m_pages->addWidget(page);
    m_tabs->addTab(tr("Queue"));
    m_tabs->show();
}

void JobsPanel::setQueueTitle(const QString& title) {
    m_tabs->setTabText(1, title);
}

void JobsPanel::showQueue() {
    m_tabs->setCurrentIndex(1);
}

void JobsPanel::setBlockedReason(const QString& reason) {
    m_runButton->setEnabled(reason.isEmpty());
    m_runButton->setToolTip(reason);
    m_blocked->setText(reason);
    m_blocked->setVisible(!reason.isEmpty());
}

void JobsPanel::setRun(const RunSnapshot& run) {
    const bool another = !m_hasRun || run.info.id != m_run.info.id;
    if (another) {
        m_warningsButton->setChecked(false);
        m_tabs->setCurrentIndex(0);
    }
    m_run = run;
    m_hasRun = true;
    if (!run.isActive())
        m_history->set(run);
    m_stale = true;
    if (isVisible())
        refresh();
}

void JobsPanel::forgetRuns() {
    m_run = {};
    m_hasRun = false;
    m_history->clear();
    m_stale = true;
    if (isVisible())
        refresh();
}

void JobsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void JobsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        m_stale = true;
        if (isVisible())
            refresh();
    }
}

void JobsPanel::refresh() {
    if (!m_stale)
        return;
    m_stale = false;
    m_empty->setVisible(!m_hasRun);
    m_current->setVisible(m_hasRun);
    m_past->setVisible(m_hasRun && m_history->rowCount() > 0);
    if (!m_hasRun)
        return;

    const theme::Tokens& t = theme::tokens();
    QString iconName = QStringLiteral("predict");
    QColor color = t.accent;
    ProgressLine::State bar = ProgressLine::State::Active;
    if (m_run.state == RunState::Finished) {
        iconName = QStringLiteral("check");
        color = t.good;
        bar = ProgressLine::State::Done;
    } else if (m_run.state == RunState::Failed) {
        iconName = QStringLiteral("error");
        color = t.bad;
        bar = ProgressLine::State::Failed;
    } else if (m_run.state == RunState::Cancelled) {
        iconName = QStringLiteral("stop");
        color = t.text2;
        bar = ProgressLine::State::Ended;
    } else if (m_run.paused) {
        iconName = QStringLiteral("pause");
        color = t.text2;
        bar = ProgressLine::State::Paused;
    } else if (m_run.stalledSeconds > 0) {
        iconName = QStringLiteral("warning");
        color = t.warn;
    }
    m_icon->setPixmap(icon(iconName, color).pixmap(QSize(kStateIcon, kStateIcon), devicePixelRatioF()));
    m_phase->setText(phaseWords(m_run));
    m_left->setText(timeLeftWords(m_run));
    m_what->setFullText(tr("%1 · %2").arg(m_run.info.title, m_run.info.model));
    m_bar->set(fractionDone(m_run), bar);

    refreshFigures();
    refreshMessages();

    m_pause->setVisible(m_run.isActive());
    m_cancel->setVisible(m_run.isActive());
    const bool controllable = m_run.state == RunState::Running && !m_run.cancelling;
    m_pause->setEnabled(controllable);
    m_cancel->setEnabled(controllable || m_run.awaitsQueue);
    m_pause->setText(m_run.paused ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(icon(m_run.paused ? QStringLiteral("play") : QStringLiteral("pause")));
    m_cancel->setIcon(icon(QStringLiteral("stop")));
    m_keep->setVisible(m_run.canDiscard);
    m_discard->setVisible(m_run.canDiscard);
    m_question->setVisible(m_run.canDiscard);
    if (m_run.canDiscard) {
        m_question->setText(tr("Keep %1 that were finished?").arg(text::frames(m_run.framesDone())));
        m_keep->setText(tr("Keep"));
        m_discard->setText(tr("Discard %1").arg(text::frames(m_run.framesDone())));
        m_discard->setAccessibleName(m_discard->text());
    }
}

void JobsPanel::refreshFigures() {
    m_figures->setVisible(m_run.progress != nullptr);
    if (!m_run.progress)
        return;
    const pipeline::JobProgress& progress = *m_run.progress;
    m_frames->setText(
        QStringLiteral("%1 / %2").arg(text::number(progress.framesDone), text::number(m_run.info.framesTotal)));
    const double mean = meanRate(m_run);
    const bool live = m_run.state == RunState::Running && !m_run.paused && progress.framesPerSecond > 0;
    if (live)
        m_rate->setText(
            QStringLiteral("%1 (%2)").arg(text::significant(progress.framesPerSecond), text::significant(mean)));
    else
        m_rate->setText(mean > 0 ? text::significant(mean) : QStringLiteral("–"));
    m_rateTitle->setText(live ? tr("Frames/s now (mean)") : tr("Frames/s (mean)"));
    // Once it stands still, it is the time that the sentence tells.
    m_elapsed->setText(text::clock(m_run.isActive() ? progress.secondsElapsed : std::round(progress.secondsElapsed)));
    m_queue->setText(m_run.isActive()
                         ? QStringLiteral("%1 / %2").arg(progress.decodedQueue.depth).arg(m_run.info.queueMaxsize)
                         : QStringLiteral("–"));
}

void JobsPanel::refreshMessages() {
    QString message;
    if (m_run.state == RunState::Failed) {
        message = m_run.error.message;
        if (!m_run.discarded && m_run.framesDone() > 0)
            message += QLatin1Char(' ') +
                       tr("The %1 finished before are in the project.").arg(text::frames(m_run.framesDone()));
    } else if (m_run.awaitsQueue) {
        message = tr("It begins as soon as the queue's row in work is done. Pause the queue, and it begins at once.");
    } else if (!m_run.isActive()) {
        message = m_run.discarded ? tr("The results were taken out of the project.") : outcomeWords(m_run);
        if (const QStringList how = computedWords(m_run); !how.isEmpty() && !message.isEmpty())
            message += QLatin1Char('\n') + how.join(QLatin1Char(' '));
    }
    m_message->setText(message);
    m_message->setToolTip(m_run.error.details);
    m_message->setVisible(!message.isEmpty());

    const QStringList warnings = warningsOf(m_run, m_fromZero);
    m_warningsButton->setVisible(!warnings.isEmpty());
    m_warnings->setVisible(!warnings.isEmpty() && m_warningsButton->isChecked());
    if (!warnings.isEmpty()) {
        m_warningsButton->setText(text::count(warnings.size(), tr("warning"), tr("warnings")));
        m_warningsButton->setAccessibleName(m_warningsButton->text());
        m_warningsButton->setIcon(icon(QStringLiteral("warning"), theme::tokens().warn));
        m_warnings->setText(warnings.join(QLatin1Char('\n')));
    }
}

}  // namespace skein::ui
