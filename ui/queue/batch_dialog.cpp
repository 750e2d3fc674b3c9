// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/batch_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <algorithm>
#include <utility>

#include "engine/inference/model_set.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/preset_bar.h"
#include "ui/dialogs/run_options_form.h"
#include "ui/dialogs/run_plan_words.h"
#include "ui/dialogs/run_rates.h"
#include "ui/dialogs/run_settings.h"
#include "ui/dialogs/tracking_preset_box.h"
#include "ui/icons.h"
#include "ui/queue/found_videos.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/widgets/plain_table.h"

namespace skein::ui {
namespace {

constexpr int kWidth = 1240, kHeight = 640;
/// A person types; results are named once they pause.
constexpr int kNameMs = 150;
const char* const kLastModelKey = "inference/model";
const char* const kLastFolderKey = "batch/folder";
const char* const kSubfoldersKey = "batch/subfolders";

}  // namespace

BatchDialog::BatchDialog(QSettings* settings, DialogService* dialogs, QWidget* parent)
    : QDialog(parent), m_file(settings), m_dialogs(dialogs), m_settings(loadRunSettings(*settings)) {
    setObjectName(QStringLiteral("batchDialog"));
    setWindowTitle(tr("Predict Videos"));
    setModal(false);
    setSizeGripEnabled(true);
    m_found = new FoundVideos(this);
    m_model = new ModelPicker(settings, dialogs, this);
    m_presets = new PresetBar(settings, dialogs, QStringLiteral("batch"), PresetBar::Runs::WithModel, this);

    build();

    m_nameTimer.setSingleShot(true);
    m_nameTimer.setInterval(kNameMs);
    connect(&m_nameTimer, &QTimer::timeout, this, &BatchDialog::nameResults);
    connect(m_model, &ModelPicker::changed, this, [this] {
        if (const auto& model = m_model->model(); model && model->canRun())
            Q_EMIT modelReady();
        edited();
    });
    connect(m_presets, &PresetBar::chosen, this, &BatchDialog::takePreset);
    connect(m_presets, &PresetBar::failed, this, [this](const QString& sentence) {
        m_failure = sentence;
        refresh();
    });
    connect(m_form, &RunOptionsForm::edited, this, &BatchDialog::edited);
    connect(m_found, &FoundVideos::changed, this, &BatchDialog::edited);
    resize(kWidth, kHeight);
    refresh();
}

BatchDialog::~BatchDialog() = default;

void BatchDialog::showFor(const QStringList& paths) {
    m_settings = loadRunSettings(*m_file);
    m_settings.trackOnly = false;  // a queue finds instances
    m_presets->setCurrent(PresetStore(m_file).last());
    m_failure.clear();
    if (m_model->path().isEmpty())
        m_model->setPath(m_file->value(QLatin1String(kLastModelKey)).toString());
    if (!paths.isEmpty()) {
        m_file->setValue(QLatin1String(kLastFolderKey), QFileInfo(paths.first()).absolutePath());
        m_paths = paths;
        m_offersSubfolders = true;
        lookThrough(m_file->value(QLatin1String(kSubfoldersKey), false).toBool());
    }
    refresh();
    show();
    raise();
    activateWindow();
    m_table->setFocus();
}

void BatchDialog::lookThrough(bool subfolders) {
    m_subfolders->setChecked(subfolders);
    m_found->look(m_paths, subfolders);
}

/// What a person chose holds for the next folder too.
void BatchDialog::chooseSubfolders(bool take) {
    m_file->setValue(QLatin1String(kSubfoldersKey), take);
    lookThrough(take);
}

void BatchDialog::scanModels(const QStringList& folders) {
    m_model->scan(folders);
}

void BatchDialog::setDevices(const inference::DeviceInfo& info) {
    m_devices = info;
    m_form->setDevices(info);
    refresh();
}

void BatchDialog::takePreset(const RunPreset& preset) {
    applyPreset(m_settings, preset);
    m_settings.trackOnly = false;
    m_form->settle();
    edited();
}

void BatchDialog::chooseVideos() {
    m_dialogs->chooseFiles(this, tr("Choose videos"), m_file->value(QLatin1String(kLastFolderKey)).toString(),
                           tr("All files (*)"), [this](const QStringList& paths) {
                               if (!paths.isEmpty())
                                   showFor(paths);
                           });
}

void BatchDialog::chooseFolder(bool results) {
    const QString at = results && !m_folder->text().isEmpty() ? m_folder->text()
                                                              : m_file->value(QLatin1String(kLastFolderKey)).toString();
    m_dialogs->chooseFolder(this, results ? tr("Folder of the results") : tr("Folder of videos"), at,
                            [this, results](const QString& path) {
                                if (path.isEmpty())
                                    return;
                                results ? m_folder->setText(path) : showFor({path});
                            });
}

/// Ticked, and not there already as far as that counts.
bool BatchDialog::isToBePredicted(const FoundVideo& video) const {
    const bool skips =
        static_cast<batch::ExistingOutput>(m_existing->currentData().toInt()) == batch::ExistingOutput::Skip;
    return video.use && !(skips && video.exists);
}

RunSituation BatchDialog::situation() const {
    RunSituation now;
    now.modelPath = m_model->path();
    now.modelReading = m_model->isReading();
    now.model = m_model->model();
    now.partner = m_model->partner();
    now.alone = m_model->isAlone();
    const QString device = QString::fromStdString(m_settings.inference.device);
    now.device = deviceWords(device, m_devices);
    // Of the frames as they come: large ones take longer.
    double frames = 0, pixels = 0;
    for (const FoundVideo& video : m_found->videos())
        if (isToBePredicted(video)) {
            frames += static_cast<double>(video.frames);
            pixels += static_cast<double>(video.frames) * video.width * video.height;
        }
    if (pixels > 0)
        now.knownRate = RunRates(m_file).pixelRate(m_model->key(), deviceOf(device, m_devices)) * frames / pixels;
    return now;
}

void BatchDialog::edited() {
    m_failure.clear();
    // A folder that holds nothing but folders of videos was hardly meant otherwise.
    const bool isFirstLook = !m_found->isSearching() && std::exchange(m_offersSubfolders, false);
    if (isFirstLook && m_found->videos().empty() && m_found->leftOut() > 0)
        return lookThrough(true);
    refresh();
}

/// How many videos there are, and why some cannot be read: of the row that is chosen, else of the first.
void BatchDialog::refreshVideos() {
    const std::vector<FoundVideo>& videos = m_found->videos();
    int unreadable = 0;
    const FoundVideo* shown = nullptr;
    for (const FoundVideo& video : videos) {
        unreadable += video.problem.isEmpty() ? 0 : 1;
        shown = shown == nullptr && !video.problem.isEmpty() ? &video : shown;
    }
    QString line =
        videos.empty() ? QString() : text::count(static_cast<std::int64_t>(videos.size()), tr("video"), tr("videos"));
    if (unreadable > 0)
        line += tr(", %1 cannot be read").arg(text::number(unreadable));
    if (m_found->isLooking())
        line += line.isEmpty() ? tr("Looking…") : tr(", looking…");
    m_foundLine->setText(line);
    m_subfolders->setVisible(m_found->leftOut() > 0 || m_subfolders->isChecked());
    m_subfolders->setText(
        m_subfolders->isChecked()
            ? tr("With subfolders")
            : tr("Also %1 in subfolders").arg(text::count(m_found->leftOut(), tr("video"), tr("videos"))));
    m_subfolders->setAccessibleName(m_subfolders->text());

    const QList<int> rows = m_table->selectedModelRows();
    const FoundVideo* chosen = rows.size() == 1 && rows.front() < static_cast<int>(videos.size())
                                   ? &videos[static_cast<std::size_t>(rows.front())]
                                   : nullptr;
    // One row chosen means that row, also where it is only cut short; of one that is well nothing is to be said.
    QString problems = chosen != nullptr  ? (chosen->problem.isEmpty() ? chosen->warning : chosen->problem)
                       : shown != nullptr ? shown->problem
                                          : QString();
    if (unreadable > 1)
        problems += (problems.isEmpty() ? QString() : QStringLiteral(" ")) +
                    tr("%1 cannot be read; select a row to see why.").arg(text::number(unreadable));
    m_problems->setText(problems);
    m_problems->setVisible(!problems.isEmpty());
}

void BatchDialog::refreshOptions() {
    QStringList nodes;
    if (const auto& model = m_model->model(); model && model->spec)
        for (const std::string& node : model->spec->skeleton.nodes)
            nodes << QString::fromStdString(node);
    m_form->setNodeCount(m_run.models.empty() ? 0
                                              : static_cast<int>(inference::outputSkeleton(m_run.models).nodes.size()));
    m_form->refresh(m_run.use, nodes);
    m_tracking->show(m_settings);
    m_presets->show(m_settings);
    const QStringList changes = m_presets->changes();
    m_optionsNote->setText(changes.isEmpty()
                               ? tr("As the preset says.")
                               : tr("Changed from the preset: %1.").arg(changes.join(QStringLiteral(", "))));
}

void BatchDialog::refresh() {
    std::int64_t frames = 0, toDo = 0;
    bool known = true;
    for (const FoundVideo& video : m_found->videos()) {
        const bool counts = isToBePredicted(video);
        frames += counts ? video.frames : 0;
        toDo += counts ? 1 : 0;
        known = known && (!video.use || video.looked);
    }
    m_run = planVideos(m_settings, situation(), text::count(toDo, tr("video"), tr("videos")), known ? frames : 0);
    refreshVideos();
    refreshOptions();

    const QString why = refusal(m_run);
    const bool can = why.isEmpty();
    QString words = !can       ? why
                    : toDo > 0 ? m_run.summary + QLatin1Char(' ') + resultWords()
                               : tr("Nothing is left to predict.") + QLatin1Char(' ') + resultWords();
    if (!m_failure.isEmpty())
        words = m_failure;
    m_summary->setText(words);
    const theme::Tokens& t = theme::tokens();
    m_summaryIcon->setPixmap(icon(!m_failure.isEmpty() ? QStringLiteral("error")
                                  : can                ? QStringLiteral("predict")
                                                       : QStringLiteral("info"),
                                  !m_failure.isEmpty() ? t.bad
                                  : can                ? t.accent
                                                       : t.text2)
                                 .pixmap(QSize(kStateIcon, kStateIcon), devicePixelRatioF()));
    for (QPushButton* button : {m_add, m_start}) {
        button->setEnabled(can);
        if (!can)
            button->setToolTip(why);
    }
    if (can) {
        m_add->setToolTip(tr("Puts the runs at the end of the queue; nothing begins by that."));
        m_start->setToolTip(tr("Puts the runs at the end of the queue and starts it."));
    }
    QString fix;
    if (m_found->used().empty())
        fix = m_found->isLooking() ? QString() : hasReadable() ? tr("Tick all") : tr("Choose a folder…");
    else if (!m_run.canRun)
        fix = fixTitle(m_run);
    else if (!m_plan.clash.isEmpty() && !m_pattern->text().contains(QLatin1String("{model}")))
        fix = tr("Add the model's name");
    m_fix->setText(fix);
    m_fix->setAccessibleName(fix);
    m_fix->setVisible(!fix.isEmpty());
    m_nameTimer.start();
}

QString BatchDialog::refusal(const RunPlan& run) const {
    if (!m_found->problem().isEmpty() && m_found->used().empty())
        return m_found->problem();
    if (m_found->videos().empty())
        return m_found->isLooking() ? tr("Looking for videos…") : tr("Choose a folder of videos, or videos.");
    if (m_found->used().empty())
        return tr("No video is ticked.");
    if (!run.canRun)
        return run.summary;
    if (!m_naming.isEmpty())
        return m_naming;
    if (!m_plan.clash.isEmpty())
        return tr("%1 is the result of a run that waits in the queue. Change the names or the folder.")
            .arg(m_plan.clash);
    return {};
}

QString BatchDialog::resultWords() const {
    const QString where = m_folder->text().isEmpty() ? tr("beside the videos") : text::tidyPath(m_folder->text());
    const bool together = m_together->currentIndex() == 1;
    const std::vector<FoundVideo> used = m_found->used();
    // One that cannot be read gets its project only if that has changed when its turn comes.
    std::int64_t readable = 0, saved = 0;
    for (const FoundVideo& video : used) {
        readable += video.problem.isEmpty() ? 1 : 0;
        saved += video.problem.isEmpty() && isToBePredicted(video) ? 1 : 0;
    }
    QString words = saved == 0 ? QString()
                    : together ? tr("Saved as one project, %1.").arg(where)
                               : tr("Saved as %1, %2.").arg(text::count(saved, tr("project"), tr("projects")), where);
    if (m_plan.unfinished > 0)
        words += QLatin1Char(' ') +
                 (m_plan.unfinished == 1
                      ? tr("1 of them is unfinished and predicted anew.")
                      : tr("%1 of them are unfinished and predicted anew.").arg(text::number(m_plan.unfinished)));
    if (const auto unreadable = std::ssize(used) - readable; unreadable > 0)
        words += QLatin1Char(' ') +
                 (unreadable == 1 ? tr("1 video that is ticked cannot be read.")
                                  : tr("%1 videos that are ticked cannot be read.").arg(text::number(unreadable)));
    if (m_plan.existing == 0)
        return words.trimmed();
    const QString there = text::count(m_plan.existing, tr("result is"), tr("results are"));
    switch (static_cast<batch::ExistingOutput>(m_existing->currentData().toInt())) {
        case batch::ExistingOutput::Skip:
            return (words + QLatin1Char(' ') + tr("%1 there already and skipped.").arg(there)).trimmed();
        case batch::ExistingOutput::Overwrite:
            return (words + QLatin1Char(' ') + tr("%1 there already and replaced.").arg(there)).trimmed();
        case batch::ExistingOutput::Number:
            return (words + QLatin1Char(' ') + tr("%1 there already and kept; the new ones get a number.").arg(there))
                .trimmed();
    }
    return words;
}

BatchWish BatchDialog::wish() const {
    BatchWish wish;
    for (const FoundVideo& video : m_found->used()) {
        wish.videos << video.path;
        wish.frames.push_back(video.frames);
    }
    for (const QString& path : {m_model->path(), m_model->partner() ? m_model->partnerPath() : QString()})
        if (!path.isEmpty())
            wish.models.push_back(text::toPath(QFileInfo(path).absoluteFilePath()));
    if (m_run.canRun)
        if (auto settings = entrySettings(m_settings, m_run))
            wish.settings = std::move(*settings);
    wish.folder = m_folder->text().isEmpty() ? QString() : QFileInfo(m_folder->text()).absoluteFilePath();
    wish.pattern = m_pattern->text().trimmed();
    wish.together = m_together->currentIndex() == 1;
    wish.existing = static_cast<batch::ExistingOutput>(m_existing->currentData().toInt());
    if (taken)
        wish.taken = taken();
    return wish;
}

void BatchDialog::nameResults() {
    const quint64 question = ++m_question;
    inBackground(
        this, [wish = wish()] { return planBatch(wish); },
        [this, question](Result<BatchPlan> plan) {
            if (question != m_question)
                return;
            const QString naming = plan ? QString() : QString::fromStdString(plan.error().message());
            const bool same = naming == m_naming && plan && plan->clash == m_plan.clash &&
                              plan->existing == m_plan.existing && plan->unfinished == m_plan.unfinished &&
                              plan->results == m_plan.results;
            m_naming = naming;
            m_plan = plan ? std::move(*plan) : BatchPlan();
            m_found->setResults(m_plan.results, m_plan.exists);
            if (!same) {
                refresh();
                // The names are those just made.
                m_nameTimer.stop();
            }
        });
}

bool BatchDialog::hasReadable() const {
    const std::vector<FoundVideo>& videos = m_found->videos();
    return std::any_of(videos.begin(), videos.end(), [](const FoundVideo& video) { return video.problem.isEmpty(); });
}

void BatchDialog::fix() {
    if (m_found->used().empty()) {
        if (!hasReadable())
            return chooseFolder(false);
        for (int row = 0; row < m_found->rowCount(); ++row)
            if (m_found->videos()[static_cast<std::size_t>(row)].problem.isEmpty())
                m_found->setUsed(row, true);
        return;
    }
    if (m_run.canRun)
        return m_pattern->setText(
            m_pattern->text().replace(QStringLiteral("{video}"), QStringLiteral("{video}.{model}")));
    if (m_run.fix == RunPlan::Fix::ShowOption)
        return m_form->showOption(runOption(m_run.fixPlace.toStdString()));
    m_run.fix == RunPlan::Fix::ChoosePartner ? m_model->browsePartner() : m_model->browse();
}

void BatchDialog::addToQueue(bool start) {
    if (!refusal(m_run).isEmpty())
        return;
    m_failure.clear();
    for (QPushButton* button : {m_add, m_start})
        button->setEnabled(false);
    // Named once more, by what the dialog and the disk say now.
    m_nameTimer.stop();
    ++m_question;
    inBackground(
        this,
        [wish = wish()]() -> Result<BatchPlan> {
            auto plan = planBatch(wish);
            if (!plan)
                return plan;
            if (auto folders = prepareFolders(plan->entries); !folders)
                return fail(std::move(folders.error()));
            return plan;
        },
        [this, start](Result<BatchPlan> plan) {
            if (!plan) {
                m_failure = QString::fromStdString(plan.error().message());
                return refresh();
            }
            if (!plan->clash.isEmpty()) {
                m_plan = std::move(*plan);
                return refresh();
            }
            saveRunSettings(*m_file, m_settings);
            PresetStore(m_file).setLast(m_presets->current());
            m_file->setValue(QLatin1String(kLastModelKey), m_model->path());
            m_model->rememberCurrent();
            hide();
            Q_EMIT queueWanted(plan->entries, start);
            m_found->look({}, false);
        });
}

void BatchDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_summary != nullptr)
        refresh();
}

}  // namespace skein::ui
