// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/profiling_panel.h"

#include <QEvent>
#include <QFile>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "ui/models/profile_table_model.h"
#include "ui/panels/bottleneck.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/widgets/metric_card.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/progress_line.h"
#include "ui/widgets/share_delegate.h"

namespace skein::ui {
namespace {

/// Resident memory of this process now, in bytes; 0 when unknown.
std::uint64_t residentBytes() {
    // Second field of statm, in pages. Read by Qt, which needs no locale and no stream.
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QList<QByteArray> fields = file.readLine().split(' ');
    constexpr std::uint64_t kPage = 4096;
    return fields.size() > 1 ? fields[1].toULongLong() * kPage : 0;
}

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProfilingPanel::ProfilingPanel(QWidget* parent) : QWidget(parent), m_model(new ProfileTableModel(this)) {
    setObjectName(QStringLiteral("profilingPanel"));
    setAccessibleName(tr("Profiling"));

    m_title = new ElidedLabel(this, Qt::ElideMiddle);
    m_title->setObjectName(QStringLiteral("profilingRun"));
    m_outcome = new QLabel(this);
    m_outcome->setObjectName(QStringLiteral("profilingOutcome"));
    m_outcome->setWordWrap(true);
    m_outcome->setForegroundRole(QPalette::PlaceholderText);
    m_sentence = new QLabel(this);
    m_sentence->setObjectName(QStringLiteral("profilingBottleneck"));
    m_sentence->setWordWrap(true);
    m_sentence->setFont(theme::headingFont());
    m_hint = new QLabel(this);
    m_hint->setObjectName(QStringLiteral("profilingHint"));
    m_hint->setWordWrap(true);
    m_device = new QLabel(this);
    m_device->setObjectName(QStringLiteral("profilingDevice"));
    m_device->setWordWrap(true);
    m_device->setForegroundRole(QPalette::PlaceholderText);
    m_strip = new RateStrip(QStringLiteral("profilingStrip"), this);

    auto* contents = new QWidget(this);
    auto* layout = new QVBoxLayout(contents);
    layout->setContentsMargins(theme::kMargin, theme::kMargin, theme::kMargin, theme::kMargin);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(m_title);
    layout->addWidget(m_outcome);
    layout->addWidget(m_sentence);
    layout->addWidget(m_hint);
    layout->addWidget(makeCards());
    layout->addWidget(m_strip);
    layout->addWidget(makeComparison());
    layout->addWidget(makeTable());
    layout->addWidget(m_device);
    layout->addWidget(makeControls());
    layout->addStretch();

    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(contents);
    contents->setAutoFillBackground(true);
    contents->setBackgroundRole(QPalette::Base);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);

    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &ProfilingPanel::refresh);
    refresh();
}

QWidget* ProfilingPanel::makeTable() {
    auto* table = new PlainTable(QStringLiteral("profilingTable"), tr("Stages of the run"), this);
    m_table = table;
    table->setModel(m_model);
    table->setFixedOrder();
    table->setItemDelegateForColumn(ProfileTableModel::StageName, new StageDelegate(table));
    table->setItemDelegateForColumn(ProfileTableModel::Share, new ShareDelegate(table));
    for (const int column : {ProfileTableModel::AverageChange, ProfileTableModel::P95Change})
        table->setItemDelegateForColumn(column, new ChangeDelegate(table));
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setColumnWidths({18, 11, 6, 6, 6, 6, 7, 6, 6, 6, 6}, ProfileTableModel::Total);
    table->horizontalHeader()->setMinimumSectionSize(table->fontMetrics().averageCharWidth() * 8);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const auto toggle = [this, table](const QModelIndex& index) { m_model->toggle(table->toModel(index).row()); };
    connect(table, &QAbstractItemView::clicked, this, [toggle](const QModelIndex& index) {
        if (index.column() == ProfileTableModel::StageName)
            toggle(index);
    });
    connect(table, &QAbstractItemView::activated, this, toggle);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_model, signal, this, &ProfilingPanel::fitTable);
    showComparison();
    fitTable();
    return table;
}

/// All rows are seen: the panel scrolls, not the table in it.
void ProfilingPanel::fitTable() {
    const int bar = m_table->horizontalScrollBar()->sizeHint().height();
    m_table->setFixedHeight(theme::rowHeight() * (m_model->rowCount() + 1) + bar + 2);
}

QWidget* ProfilingPanel::makeCards() {
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(theme::kMargin);
    const auto card = [&](const char* name, const QString& title, int row, int column) {
        auto* result = new MetricCard(QLatin1String(name), title, box);
        grid->addWidget(result, row, column);
        grid->setColumnStretch(column, 1);
        return result;
    };
    m_toHost = card("profilingCopiesToHost", tr("Copies to host"), 0, 0);
    m_toDevice = card("profilingCopiesToDevice", tr("Copies to device"), 0, 1);
    m_rate = card("profilingRate", tr("Speed"), 0, 2);
    m_decoded = card("profilingQueueDecoded", tr("Decoded, waiting"), 1, 0);
    m_batches = card("profilingQueueHost", tr("Batches to group"), 1, 1);
    m_memory = card("profilingMemory", tr("Memory"), 1, 2);
    m_busy = card("profilingDeviceBusy", tr("Device busy"), 2, 0);
    m_partial = card("profilingPartial", tr("Batches not full"), 2, 1);
    m_threads = card("profilingThreads", tr("Threads"), 2, 2);
    m_followed = new MetricCard(QStringLiteral("profilingFollowed"), tr("Live view"), box);
    grid->addWidget(m_followed, 3, 0, 1, 3);
    return box;
}

void DepthHistory::add(double seconds, std::size_t depth) {
    const double second = std::floor(seconds);
    if (m_depths.empty() || second != m_second) {
        m_depths.push_back(depth);
        if (m_depths.size() > kSeconds)
            m_depths.erase(m_depths.begin());
        m_second = second;
    } else {
        m_depths.back() = std::max(m_depths.back(), depth);
    }
}

std::vector<float> DepthHistory::shares(std::size_t most) const {
    std::vector<float> shares(kSeconds, -1.0F);
    const std::size_t first = kSeconds - m_depths.size();
    for (std::size_t i = 0; i < m_depths.size(); ++i)
        shares[first + i] = most == 0 ? 0.0F : static_cast<float>(m_depths[i]) / static_cast<float>(most);
    return shares;
}

void ProfilingPanel::setRun(const RunSnapshot& run) {
    // Of two runs the one that goes on is looked at.
    if (run.info.id != m_run.info.id && !run.isActive() && m_run.isActive() && m_run.progress)
        return;
    if (run.info.id != m_run.info.id) {
        m_history.clear();
        m_decodedHistory.clear();
        m_batchHistory.clear();
        m_resetAt = 0;
        m_wasReset = false;
    }
    const bool stateChanged = run.state != m_run.state;
    m_run = run;
    if (run.progress && run.state == RunState::Running && run.progress->phase != pipeline::JobPhase::LoadingModel) {
        m_history.add(seconds(), run.progress->framesDone, run.paused);
        m_decodedHistory.add(seconds(), run.progress->decodedQueue.depth);
        m_batchHistory.add(seconds(), run.progress->hostQueue.depth);
    }
    m_stale = true;
    if (stateChanged)
        nameRecording();
    if (isVisible() && !m_timer.isActive()) {
        refresh();
        m_timer.start();
    }
}

void ProfilingPanel::setDevices(const inference::DeviceInfo& info) {
    m_devices = info;
    m_stale = true;
    if (isVisible())
        refresh();
}

void ProfilingPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
    if (m_run.isActive() && m_run.info.id != 0)
        m_timer.start();
}

void ProfilingPanel::hideEvent(QHideEvent* event) {
    m_timer.stop();
    QWidget::hideEvent(event);
}

void ProfilingPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange)
        m_sentence->setFont(theme::headingFont());
    QWidget::changeEvent(event);
}

void ProfilingPanel::refresh() {
    if (!m_stale || m_frozen)
        return;
    m_stale = false;
    ++m_refreshCount;
    const bool hasRun = m_run.progress != nullptr;
    for (QPushButton* button : {m_copy, m_save, m_saveCsv})
        button->setEnabled(hasRun);
    m_resetButton->setEnabled(hasRun && m_run.state == RunState::Running && !m_run.info.ofQueue);
    m_resetButton->setToolTip(m_run.info.ofQueue ? tr("Runs of the queue are counted from their start to their end.")
                                                 : tr("Count from now on, for instance after a change of load."));
    m_freeze->setEnabled(hasRun);
    showName();
    hasRun ? showRun() : showNothing();
    showDevice();
    if (!m_run.isActive())
        m_timer.stop();
}

/// Whose figures these are, and whether they are the last word.
void ProfilingPanel::showName() {
    m_title->setFullText(m_run.info.ofQueue ? tr("%1 (of the queue)").arg(m_run.info.title) : m_run.info.title);
    const bool isOver = !m_run.isActive() && m_run.progress;
    m_outcome->setText(isOver ? tr("%1: %2").arg(phaseWords(m_run), outcomeWords(m_run)) : phaseWords(m_run));
    m_title->setVisible(!m_run.info.title.isEmpty());
    m_outcome->setVisible(!m_run.info.title.isEmpty());
}

void ProfilingPanel::showNothing() {
    const bool isComing = m_run.info.id != 0 && m_run.isActive();
    m_sentence->setText(isComing ? tr("Nothing is measured yet.") : tr("No run yet."));
    m_hint->setText(tr("What a run costs, stage by stage, appears here while it goes on."));
    m_hint->setVisible(!isComing);
    m_model->clear();
    for (MetricCard* card :
         {m_toHost, m_toDevice, m_rate, m_decoded, m_batches, m_memory, m_busy, m_partial, m_threads, m_followed})
        card->clear();
    m_strip->refresh(m_history, 0);
}

pipeline::JobProgress ProfilingPanel::sinceReset() const {
    pipeline::JobProgress progress = *m_run.progress;
    progress.secondsElapsed = std::max(0.0, progress.secondsElapsed - m_resetAt);
    return progress;
}

ShownProfile ProfilingPanel::shownProfile() const {
    const pipeline::JobProgress progress = sinceReset();
    return {progress.profile, findBottleneck(progress, m_run.info.groupThreads).stage,
            criticalPath(progress, m_run.info.groupThreads), m_run.info.groupThreads};
}

void ProfilingPanel::showRun() {
    const pipeline::JobProgress progress = sinceReset();
    const Bottleneck bottleneck = findBottleneck(progress, m_run.info.groupThreads, !m_run.isActive());
    m_sentence->setText(bottleneck.sentence);
    m_hint->setText(bottleneck.hint);
    m_hint->setVisible(!bottleneck.hint.isEmpty());
    m_model->setProfile(shownProfile());
    showCopies(progress.profile);
    showCards(progress);
    m_strip->refresh(m_history, meanRate(m_run));
}

void ProfilingPanel::showDevice() {
    QString device =
        m_run.progress && !m_run.progress->device.empty() ? QString::fromStdString(m_run.progress->device) : QString();
    if (device == QLatin1String("cpu"))
        device = tr("CPU");
    if (!m_devices.cudaReason.empty())
        device = device.isEmpty() ? QString::fromStdString(m_devices.cudaReason)
                                  : tr("%1. %2").arg(device, QString::fromStdString(m_devices.cudaReason));
    QStringList lines = computedWords(m_run);
    if (!device.isEmpty())
        lines.prepend(tr("Device: %1").arg(device));
    m_device->setText(lines.join(QLatin1Char('\n')));
    m_device->setVisible(!lines.isEmpty());
}

void ProfilingPanel::showCopies(const profile::Summary& profile) {
    const auto batches = static_cast<double>(profile.batches);
    const auto perBatch = [&](const profile::CopySummary& copies) {
        const double value = static_cast<double>(copies.count) / batches;
        // 1.004 must not read as 1: exactly one is what is promised.
        return copies.count == profile.batches ? QStringLiteral("1") : text::fixed(value, 3);
    };
    const auto note = [&](const profile::CopySummary& copies) {
        return tr("%1 in %2, %3 each")
            .arg(text::count(static_cast<std::int64_t>(copies.count), tr("copy"), tr("copies")),
                 text::count(static_cast<std::int64_t>(profile.batches), tr("batch"), tr("batches")),
                 text::bytes(copies.count == 0 ? 0 : copies.bytes / copies.count));
    };
    if (profile.batches == 0) {
        m_toHost->clear();
        m_toDevice->clear();
        return;
    }
    // A batch counts when it goes in and its copy when it comes out: while the run goes on, the last one or two batches
    // are on their way; and after a reset there may be copies of batches that went in before.
    const std::uint64_t underWay = m_run.state == RunState::Running || m_run.state == RunState::Starting ? 2 : 0;
    const std::uint64_t fromBefore = m_wasReset ? 2 : 0;
    const auto isOne = [&](std::uint64_t count, std::uint64_t ahead) {
        return count <= profile.batches + ahead && count + underWay >= profile.batches;
    };
    const bool one = isOne(profile.deviceToHost.count, fromBefore);
    m_toHost->show(one ? QStringLiteral("1") : perBatch(profile.deviceToHost), tr("per batch"),
                   one ? note(profile.deviceToHost) : tr("must be 1: %1").arg(note(profile.deviceToHost)),
                   one ? MetricCard::State::Good : MetricCard::State::Bad);
    const bool oneUp = isOne(profile.hostToDevice.count, underWay);
    m_toDevice->show(oneUp ? QStringLiteral("1") : perBatch(profile.hostToDevice), tr("per batch"),
                     note(profile.hostToDevice));
}

void ProfilingPanel::showCards(const pipeline::JobProgress& progress) {
    const profile::Summary& profile = progress.profile;
    const double mean = meanRate(m_run);
    const bool live = m_run.state == RunState::Running && !m_run.paused;
    const double now = live ? progress.framesPerSecond : mean;
    m_rate->show(now > 0 ? text::significant(now) : QString(), tr("frames/s"),
                 live ? (mean > 0 ? tr("mean %1").arg(text::significant(mean)) : QString()) : tr("mean of the run"));
    m_decoded->show(text::number(static_cast<std::int64_t>(progress.decodedQueue.depth)),
                    m_run.info.queueMaxsize > 0 ? tr("of %1").arg(m_run.info.queueMaxsize) : QString(),
                    tr("at most %1 so far").arg(progress.decodedQueue.maxDepth));
    m_decoded->setHistory(m_decodedHistory.shares(m_run.info.queueMaxsize > 0
                                                      ? static_cast<std::size_t>(m_run.info.queueMaxsize)
                                                      : progress.decodedQueue.maxDepth));
    m_batches->show(text::number(static_cast<std::int64_t>(progress.hostQueue.depth)), QString(),
                    tr("at most %1 so far").arg(progress.hostQueue.maxDepth));
    m_batches->setHistory(m_batchHistory.shares(progress.hostQueue.maxDepth));
    const QStringList memory = text::bytes(residentBytes()).split(QChar(0x2009));
    m_memory->show(memory.value(0), memory.value(1), tr("at most %1").arg(text::bytes(profile::peakResidentBytes())));

    const auto forward = static_cast<std::size_t>(profile::Stage::Forward);
    if (progress.secondsElapsed > 0 && forward < profile.stages.size()) {
        const double busy = std::min(1.0, profile.stages[forward].totalMs / 1000 / progress.secondsElapsed);
        m_busy->show(text::number(std::llround(busy * 100)), QStringLiteral("%"), tr("in Forward"));
    } else {
        m_busy->clear();
    }
    m_partial->show(
        text::number(static_cast<std::int64_t>(profile.partialBatches)),
        tr("of %1").arg(text::number(static_cast<std::int64_t>(profile.batches))),
        profile.partialBatches * 2 > profile.batches && profile.batches > 8 ? tr("frames come too slowly") : QString());
    // The view takes the newest frame and never holds the run up: most are passed over.
    const std::int64_t passed = progress.framesDone - progress.framesResumed - m_run.framesFollowed;
    if (m_run.framesFollowed > 0)
        m_followed->show(text::number(m_run.framesFollowed), tr("frames shown"),
                         tr("%1 passed over").arg(text::number(std::max<std::int64_t>(0, passed))));
    else
        m_followed->show(QString(), QString(), tr("no frames shown"));
    double all = 0;
    for (const auto* stages : {&profile.stages, &profile.beside})
        for (const profile::StageSummary& stage : *stages)
            all += stage.totalMs;
    // Known when the run has ended; after a reset there is nothing to compare their time with.
    if (profile.threads > 0 && profile.threadsWallMs > 0 && !m_wasReset)
        m_threads->show(text::number(profile.threads), tr("× %1").arg(text::duration(profile.threadsWallMs / 1000)),
                        tr("%1 in stages").arg(text::percent(all / (profile.threads * profile.threadsWallMs))));
    else
        m_threads->show(QString(), QString(), m_run.isActive() ? tr("after the run") : QString());
}

}  // namespace skein::ui
