// SPDX-License-Identifier: GPL-3.0-or-later
// What the buttons of the profiling panel do.
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <fstream>

#include "engine/base/atomic_file.h"
#include "engine/pipeline/run_report.h"
#include "engine/pipeline/versions.h"
#include "ui/bridge/background.h"
#include "ui/icons.h"
#include "ui/models/profile_table_model.h"
#include "ui/panels/profiling_panel.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/widgets/flow_layout.h"

namespace skein::ui {

QWidget* ProfilingPanel::makeControls() {
    auto* box = new QWidget(this);
    auto* row = new FlowLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    const auto button = [&](const char* name, const QString& words, const QString& tip) {
        auto* made = new QPushButton(words, box);
        made->setObjectName(QLatin1String(name));
        made->setAccessibleName(words);
        made->setToolTip(tip);
        made->setAutoDefault(false);
        row->addWidget(made);
        return made;
    };
    m_resetButton = button("profilingReset", tr("Reset"), QString());
    m_freeze = button("profilingFreeze", tr("Freeze"), tr("Hold the figures still; the run goes on and is counted."));
    m_freeze->setCheckable(true);
    m_record = button("profilingRecord", QString(), QString());
    m_record->setCheckable(true);
    m_compare = button("profilingCompare", tr("Compare..."),
                       tr("Show by how much the figures differ from a run that was saved as JSON."));
    m_copy =
        button("profilingCopy", tr("Copy as Markdown"), tr("Copies the table, to be pasted beside another run's."));
    m_save = button("profilingSave", tr("Save JSON..."), tr("Saves what skein predict --profile writes."));
    m_saveCsv = button("profilingSaveCsv", tr("Save CSV..."), tr("Saves the table for a spreadsheet."));
    connect(m_resetButton, &QPushButton::clicked, this, &ProfilingPanel::reset);
    connect(m_freeze, &QPushButton::toggled, this, &ProfilingPanel::freeze);
    connect(m_record, &QPushButton::toggled, this, &ProfilingPanel::record);
    connect(m_compare, &QPushButton::clicked, this, &ProfilingPanel::compare);
    connect(m_copy, &QPushButton::clicked, this, &ProfilingPanel::copyMarkdown);
    connect(m_save, &QPushButton::clicked, this, &ProfilingPanel::saveJson);
    connect(m_saveCsv, &QPushButton::clicked, this, &ProfilingPanel::saveCsv);
    nameRecording();
    return box;
}

QWidget* ProfilingPanel::makeComparison() {
    m_comparison = new QWidget(this);
    m_comparisonText = new QLabel(m_comparison);
    m_comparisonText->setObjectName(QStringLiteral("profilingComparison"));
    m_comparisonText->setTextFormat(Qt::PlainText);
    m_comparisonText->setWordWrap(true);
    auto* end = new QToolButton(m_comparison);
    end->setObjectName(QStringLiteral("profilingEndComparison"));
    end->setAccessibleName(tr("Stop comparing"));
    end->setToolTip(tr("Stop comparing."));
    end->setIcon(icon(QStringLiteral("close")));
    end->setIconSize({16, 16});
    connect(end, &QToolButton::clicked, this, &ProfilingPanel::endComparison);
    auto* row = new QHBoxLayout(m_comparison);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kMargin);
    row->addWidget(m_comparisonText, 1);
    row->addWidget(end);
    m_comparison->hide();
    return m_comparison;
}

DialogService& ProfilingPanel::dialogs() {
    return m_controls.dialogs ? m_controls.dialogs() : m_windowDialogs;
}

QString ProfilingPanel::suggestion(const char* ending) const {
    const QDateTime started = m_run.info.started.isValid() ? m_run.info.started : QDateTime::currentDateTime();
    return QStringLiteral("profile-%1%2")
        .arg(started.toString(QStringLiteral("yyyy-MM-dd-HHmm")), QLatin1String(ending));
}

void ProfilingPanel::reset() {
    if (!m_run.progress || !m_controls.reset)
        return;
    m_resetAt = m_run.progress->secondsElapsed;
    m_wasReset = true;
    m_history.clear();
    m_decodedHistory.clear();
    m_batchHistory.clear();
    m_controls.reset();
    m_stale = true;
    refresh();
    Q_EMIT notice(tr("The profile counts from now on."));
}

void ProfilingPanel::freeze(bool on) {
    m_frozen = on;
    m_freeze->setText(on ? tr("Go On") : tr("Freeze"));
    m_freeze->setAccessibleName(m_freeze->text());
    refresh();
}

/// The run of the open project goes on: those of the queue keep no turns.
bool ProfilingPanel::canRecordNow() const {
    return m_run.info.id != 0 && m_run.isActive() && !m_run.info.ofQueue;
}

void ProfilingPanel::nameRecording() {
    const bool on = m_record->isChecked();
    const bool isRunning = canRecordNow();
    const bool isWaiting = !isRunning && m_run.info.id == m_recordAfter;
    m_record->setText(!on         ? tr("Record Trace")
                      : isWaiting ? tr("Stop Recording")
                      : isRunning ? tr("Stop and Save Trace...")
                                  : tr("Save Trace..."));
    m_record->setAccessibleName(m_record->text());
    m_record->setToolTip(
        on ? tr("Saves each stage's turns for chrome://tracing and ui.perfetto.dev.")
           : tr("Keeps each stage's turns from now on, of this run or of the next one of the open project."));
}

void ProfilingPanel::record(bool on) {
    if (on) {
        const bool isRunning = canRecordNow();
        m_recordAfter = isRunning ? 0 : m_run.info.id;
        nameRecording();
        if (m_controls.recordTrace)
            m_controls.recordTrace();
        if (!isRunning)
            Q_EMIT notice(tr("Recording begins with the next run."));
        return;
    }
    nameRecording();
    if (!m_controls.takeTrace)
        return;
    const auto trace = std::make_shared<profile::Trace>(m_controls.takeTrace());
    if (trace->events.empty()) {
        Q_EMIT notice(tr("Nothing was recorded: no run went on meanwhile."));
        return;
    }
    dialogs().chooseNewFile(this, tr("Save trace"), suggestion(".trace.json"), tr("Traces (*.json)"),
                            [this, trace](const QString& path) {
                                if (path.isEmpty())
                                    return;
                                inBackground(
                                    this, [path, trace] { return pipeline::writeTrace(text::toPath(path), *trace); },
                                    [this, path](const Result<void>& written) {
                                        Q_EMIT notice(written ? tr("Trace saved to %1.").arg(text::tidyPath(path))
                                                              : QString::fromStdString(written.error().message()));
                                    });
                            });
}

QString ProfilingPanel::markdown() const {
    if (!m_run.progress)
        return {};
    return profileMarkdown(shownProfile(), m_other ? &m_other->summary : nullptr, sinceReset().secondsElapsed,
                           meanRate(m_run), QString::fromStdString(m_run.progress->device));
}

QString ProfilingPanel::csv() const {
    return m_run.progress ? profileCsv(shownProfile(), m_other ? &m_other->summary : nullptr) : QString();
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
    dialogs().chooseNewFile(
        this, tr("Save profile"), suggestion(".json"), tr("Profiles (*.json)"), [this](const QString& path) {
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
        });
}

void ProfilingPanel::saveCsv() {
    dialogs().chooseNewFile(
        this, tr("Save profile"), suggestion(".csv"), tr("Tables (*.csv)"), [this](const QString& path) {
            if (path.isEmpty() || !m_run.progress)
                return;
            inBackground(
                this,
                [path, table = csv().toStdString()] {
                    return writeAtomically(
                        text::toPath(path), [&table](const std::filesystem::path& temporary) -> Result<void> {
                            std::ofstream out(temporary, std::ios::binary);
                            out << table;
                            out.close();
                            if (!out)
                                return fail(ErrorCode::Io, "The table could not be written; is the disk full?");
                            return {};
                        });
                },
                [this, path](const Result<void>& written) {
                    Q_EMIT notice(written ? tr("Profile saved to %1.").arg(text::tidyPath(path))
                                          : QString::fromStdString(written.error().message()));
                });
        });
}

void ProfilingPanel::compare() {
    dialogs().chooseFiles(this, tr("Compare with a saved run"), QString(), tr("Profiles (*.json);;All files (*)"),
                          [this](const QStringList& paths) {
                              if (!paths.isEmpty())
                                  compareWith(paths.first());
                          });
}

void ProfilingPanel::compareWith(const QString& path) {
    inBackground(
        this, [path] { return pipeline::readProfile(text::toPath(path)); },
        [this, path](Result<pipeline::SavedProfile> other) {
            if (!other) {
                Q_EMIT notice(QString::fromStdString(other.error().message()));
                return;
            }
            m_other = std::move(*other);
            m_otherName = QFileInfo(path).fileName();
            m_model->setOther(m_other->summary);
            showComparison();
        });
}

void ProfilingPanel::endComparison() {
    m_other.reset();
    m_model->setOther(std::nullopt);
    showComparison();
}

void ProfilingPanel::showComparison() {
    for (const int column : {ProfileTableModel::AverageChange, ProfileTableModel::P95Change})
        m_table->setColumnHidden(column, !m_other);
    m_comparison->setVisible(m_other.has_value());
    if (!m_other)
        return;
    QString words = tr("Compared with %1").arg(m_otherName);
    if (m_other->framesPerSecond > 0)
        words += tr(": %1").arg(text::rate(m_other->framesPerSecond));
    if (!m_other->device.empty())
        words += tr(" on %1").arg(QString::fromStdString(m_other->device));
    m_comparisonText->setText(words + QLatin1Char('.'));
}

}  // namespace skein::ui
