// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/profiling_panel.h"

#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <chrono>
#include <utility>

#include "engine/pipeline/run_report.h"
#include "engine/pipeline/versions.h"
#include "ui/bridge/background.h"
#include "ui/models/profile_table_model.h"
#include "ui/panels/bottleneck.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/widgets/metric_card.h"
#include "ui/widgets/plain_table.h"
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

void askWithFileDialog(QWidget* parent, const QString& suggestion, std::function<void(QString)> then) {
    auto* dialog =
        new QFileDialog(parent, ProfilingPanel::tr("Save profile"), QString(), ProfilingPanel::tr("Profile (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->selectFile(suggestion);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, then);
    dialog->open();
}

}  // namespace

ProfilingPanel::ProfilingPanel(QWidget* parent) : QWidget(parent), m_model(new ProfileTableModel(this)) {
    setObjectName(QStringLiteral("profilingPanel"));
    setAccessibleName(tr("Profiling"));

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

    auto* table = new PlainTable(QStringLiteral("profilingTable"), tr("Stages of the run"), this);
    m_table = table;
    table->setModel(m_model);
    table->setItemDelegateForColumn(ProfileTableModel::Share, new ShareDelegate(table));
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setColumnWidths({18, 6, 6, 6, 6, 6, 14}, ProfileTableModel::Share);
    table->horizontalHeader()->setMinimumSectionSize(table->fontMetrics().averageCharWidth() * 7);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setFixedHeight(theme::kRowHeight * (static_cast<int>(profile::kStageCount) + 1) + 2);

    m_copy = new QPushButton(tr("Copy as Markdown"), this);
    m_copy->setObjectName(QStringLiteral("profilingCopy"));
    m_copy->setToolTip(tr("Copies the table, to be pasted beside another run's."));
    connect(m_copy, &QPushButton::clicked, this, &ProfilingPanel::copyMarkdown);
    m_save = new QPushButton(tr("Save JSON…"), this);
    m_save->setObjectName(QStringLiteral("profilingSave"));
    m_save->setToolTip(tr("Saves what skein predict --profile writes."));
    connect(m_save, &QPushButton::clicked, this, &ProfilingPanel::saveJson);
    for (QPushButton* button : {m_copy, m_save}) {
        button->setAccessibleName(button->text());
        button->setAutoDefault(false);
    }

    auto* contents = new QWidget(this);
    auto* layout = new QVBoxLayout(contents);
    layout->setContentsMargins(theme::kMargin, theme::kMargin, theme::kMargin, theme::kMargin);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(m_sentence);
    layout->addWidget(m_hint);
    layout->addWidget(makeCards());
    layout->addWidget(m_strip);
    layout->addWidget(table);
    layout->addWidget(m_device);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kMargin);
    buttons->addWidget(m_copy);
    buttons->addWidget(m_save);
    buttons->addStretch();
    layout->addLayout(buttons);
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
    return box;
}

void ProfilingPanel::setRun(const RunSnapshot& run) {
    if (run.info.id != m_run.info.id)
        m_history.clear();
    m_run = run;
    if (run.progress && run.state == RunState::Running && run.progress->phase != pipeline::JobPhase::LoadingModel)
        m_history.add(seconds(), run.progress->framesDone, run.paused);
    m_stale = true;
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
    if (!m_stale)
        return;
    m_stale = false;
    ++m_refreshCount;
    const bool hasRun = m_run.progress != nullptr;
    m_copy->setEnabled(hasRun);
    m_save->setEnabled(hasRun);
    if (!hasRun) {
        m_sentence->setText(tr("No run yet."));
        m_hint->setText(tr("What a run costs, stage by stage, appears here while it goes on."));
        m_hint->show();
        m_model->clear();
        for (MetricCard* card : {m_toHost, m_toDevice, m_rate, m_decoded, m_batches, m_memory})
            card->clear();
        m_strip->refresh(m_history, 0);
    } else {
        const pipeline::JobProgress& progress = *m_run.progress;
        const Bottleneck bottleneck = findBottleneck(progress, m_run.info.groupThreads);
        m_sentence->setText(bottleneck.sentence);
        m_hint->setText(bottleneck.hint);
        m_hint->setVisible(!bottleneck.hint.isEmpty());
        m_model->setProfile(progress.profile, bottleneck.stage);
        refreshCards(progress);
        m_strip->refresh(m_history, meanRate(m_run));
    }
    QString device =
        hasRun && !m_run.progress->device.empty() ? QString::fromStdString(m_run.progress->device) : QString();
    if (device == QLatin1String("cpu"))
        device = tr("CPU");
    if (!m_devices.cudaReason.empty())
        device = device.isEmpty() ? QString::fromStdString(m_devices.cudaReason)
                                  : tr("%1. %2").arg(device, QString::fromStdString(m_devices.cudaReason));
    m_device->setText(device.isEmpty() ? device : tr("Device: %1").arg(device));
    m_device->setVisible(!device.isEmpty());
    if (!m_run.isActive())
        m_timer.stop();
}

void ProfilingPanel::refreshCards(const pipeline::JobProgress& progress) {
    const profile::Summary& profile = progress.profile;
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
    } else {
        // A batch counts when it goes in and its copy when it comes out: while the run goes on, the last one or two
        // batches are on their way.
        const std::uint64_t underWay = m_run.state == RunState::Running || m_run.state == RunState::Starting ? 2 : 0;
        const bool one =
            profile.deviceToHost.count <= profile.batches && profile.deviceToHost.count + underWay >= profile.batches;
        m_toHost->show(one ? QStringLiteral("1") : perBatch(profile.deviceToHost), tr("per batch"),
                       one ? note(profile.deviceToHost) : tr("must be 1: %1").arg(note(profile.deviceToHost)),
                       one ? MetricCard::State::Good : MetricCard::State::Bad);
        const bool oneUp = profile.hostToDevice.count <= profile.batches + underWay &&
                           profile.hostToDevice.count + underWay >= profile.batches;
        m_toDevice->show(oneUp ? QStringLiteral("1") : perBatch(profile.hostToDevice), tr("per batch"),
                         note(profile.hostToDevice));
    }
    const double mean = meanRate(m_run);
    const bool live = m_run.state == RunState::Running && !m_run.paused;
    const double now = live ? progress.framesPerSecond : mean;
    m_rate->show(now > 0 ? text::significant(now) : QString(), tr("frames/s"),
                 live ? (mean > 0 ? tr("mean %1").arg(text::significant(mean)) : QString()) : tr("mean of the run"));
    m_decoded->show(text::number(static_cast<std::int64_t>(progress.decodedQueue.depth)),
                    m_run.info.queueMaxsize > 0 ? tr("of %1").arg(m_run.info.queueMaxsize) : QString(),
                    tr("at most %1 so far").arg(progress.decodedQueue.maxDepth));
    m_batches->show(text::number(static_cast<std::int64_t>(progress.hostQueue.depth)), QString(),
                    tr("at most %1 so far").arg(progress.hostQueue.maxDepth));
    const QStringList memory = text::bytes(residentBytes()).split(QChar(0x2009));
    m_memory->show(memory.value(0), memory.value(1), tr("at most %1").arg(text::bytes(profile::peakResidentBytes())));
}

QString ProfilingPanel::markdown() const {
    if (!m_run.progress)
        return {};
    return profileMarkdown(m_run.progress->profile, m_run.progress->secondsElapsed, meanRate(m_run),
                           QString::fromStdString(m_run.progress->device));
}

void ProfilingPanel::copyMarkdown() {
    QGuiApplication::clipboard()->setText(markdown());
    Q_EMIT notice(tr("Profile copied."));
}

std::string ProfilingPanel::json() const {
    if (!m_run.progress)
        return {};
    return pipeline::profileJson(
        *m_run.progress, {m_run.progress->secondsElapsed, m_run.info.queueMaxsize, pipeline::libraryVersions(true)});
}

void ProfilingPanel::saveJson() {
    const QString suggestion =
        QStringLiteral("profile-%1.json").arg(m_run.info.started.toString(QStringLiteral("yyyy-MM-dd-HHmm")));
    const auto save = [this](const QString& path) {
        if (path.isEmpty() || !m_run.progress)
            return;
        inBackground(
            this,
            [path, progress = m_run.progress, queue = m_run.info.queueMaxsize] {
                return pipeline::writeProfile(text::toPath(path), *progress,
                                              {progress->secondsElapsed, queue, pipeline::libraryVersions(true)});
            },
            [this, path](const Result<void>& written) {
                Q_EMIT notice(written ? tr("Profile saved to %1.").arg(text::tidyPath(path))
                                      : QString::fromStdString(written.error().message()));
            });
    };
    m_askPath ? m_askPath(this, suggestion, save) : askWithFileDialog(this, suggestion, save);
}

}  // namespace skein::ui
