// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/inference_dialog.h"

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSettings>
#include <algorithm>
#include <utility>

#include "engine/inference/model_set.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_columns.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/preset_bar.h"
#include "ui/dialogs/run_options_form.h"
#include "ui/dialogs/run_plan_words.h"
#include "ui/dialogs/run_rates.h"
#include "ui/dialogs/run_settings.h"
#include "ui/dialogs/target_picker.h"
#include "ui/dialogs/tracking_preset_box.h"
#include "ui/icons.h"
#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

constexpr int kIcon = 16;

}  // namespace

InferenceDialog::InferenceDialog(QSettings* settings, DialogService* dialogs, QWidget* parent)
    : QDialog(parent), m_file(settings), m_settings(loadRunSettings(*settings)) {
    setObjectName(QStringLiteral("inferenceDialog"));
    setWindowTitle(tr("Run Inference"));
    setModal(false);
    setSizeGripEnabled(true);

    m_model = new ModelPicker(settings, dialogs, this);
    m_target = new TargetPicker(this);
    m_presets = new PresetBar(settings, dialogs, QStringLiteral("inference"), PresetBar::Runs::All, this);
    m_presets->setCurrent(PresetStore(settings).last());
    m_presets->commandLine = [this](bool ofSleapNn) { return commandLine(ofSleapNn); };

    // Before the foot, so that the Tab key comes to them first.
    const std::vector<DialogColumn> columns{
        {tr("Model"), m_model, 5}, {tr("Frames"), m_target, 4}, {tr("Options"), makeHow(), 5}};
    layOutColumns(this, columns, makeFoot());

    connect(m_model, &ModelPicker::changed, this, &InferenceDialog::modelChanged);
    connect(m_target, &TargetPicker::targetChosen, this, [this](RunTarget target) {
        m_settings.target = target;
        clearMessages();
        refresh();
    });
    connect(m_target, &TargetPicker::sampleSizeChosen, this, [this](int size) {
        m_settings.sampleSize = size;
        clearMessages();
        refresh();
    });
    connect(m_target, &TargetPicker::skipLabelledChosen, this, [this](bool skip) {
        m_settings.skipLabelled = skip;
        clearMessages();
        refresh();
    });
    connect(m_target, &TargetPicker::existingChosen, this, [this](ExistingPredictions existing) {
        m_settings.existing = existing;
        clearMessages();
        refresh();
    });
    connect(m_target, &TargetPicker::frameListChosen, this, [this](const QString& list) {
        m_settings.frameList = list.left(kLongestFrameList);
        clearMessages();
        refresh();
    });
    connect(m_presets, &PresetBar::chosen, this, &InferenceDialog::takePreset);
    connect(m_presets, &PresetBar::failed, this, &InferenceDialog::showFailure);
    connect(m_presets, &PresetBar::done, this, &InferenceDialog::showNotice);
    resize(1040, 640);
    refresh();
}

InferenceDialog::~InferenceDialog() = default;

QWidget* InferenceDialog::makeFoot() {
    auto* foot = new QWidget(this);
    m_summaryIcon = new QLabel(foot);
    m_summaryIcon->setFixedSize(kIcon, kIcon);
    m_summary = makeSummaryLabel(QStringLiteral("inferenceSummary"), foot);

    m_fix = new QPushButton(foot);
    m_fix->setObjectName(QStringLiteral("inferenceFix"));
    m_fix->setAutoDefault(false);
    connect(m_fix, &QPushButton::clicked, this, &InferenceDialog::fix);
    m_previewButton = new QPushButton(tr("Preview"), foot);
    m_previewButton->setObjectName(QStringLiteral("inferencePreview"));
    m_previewButton->setAccessibleName(m_previewButton->text());
    m_previewButton->setAutoDefault(false);
    connect(m_previewButton, &QPushButton::clicked, this, &InferenceDialog::preview);
    m_close = new QPushButton(tr("Close"), foot);
    m_close->setObjectName(QStringLiteral("inferenceClose"));
    m_close->setAccessibleName(m_close->text());
    m_close->setAutoDefault(false);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    auto* queue = new QPushButton(tr("Queue Videos…"), foot);
    queue->setObjectName(QStringLiteral("inferenceQueue"));
    queue->setAccessibleName(queue->text());
    queue->setToolTip(tr("Takes this model and these options to a queue of whole videos."));
    queue->setAutoDefault(false);
    connect(queue, &QPushButton::clicked, this, [this] {
        if (m_model->model())
            store();
        hide();
        Q_EMIT queueWanted();
    });
    m_run = new QPushButton(foot);
    m_run->setObjectName(QStringLiteral("inferenceRun"));
    m_run->setDefault(true);
    connect(m_run, &QPushButton::clicked, this, &InferenceDialog::run);

    auto* layout = new QHBoxLayout(foot);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(m_summaryIcon, 0, Qt::AlignVCenter);
    layout->addWidget(m_summary, 1);
    layout->addWidget(m_fix);
    layout->addWidget(m_previewButton);
    layout->addWidget(m_close);
    layout->addWidget(queue);
    layout->addWidget(m_run);
    return foot;
}

void InferenceDialog::setWindow(const std::optional<RunVideo>& video, std::int64_t frame,
                                const std::optional<FrameRange>& selection, bool fromZero,
                                const project::Labels& labels) {
    const bool otherLabels = !labels.isUnchangedCopyOf(m_labels);
    const bool otherVideo = video.has_value() != m_video.has_value() || (video && video->index != m_video->index);
    m_video = video;
    m_frame = frame;
    m_selection = selection;
    m_fromZero = fromZero;
    if (otherLabels) {
        const project::Labels before = std::exchange(m_labels, labels);
        m_model->setProjectSkeletons(labels.skeletons());
        restoreProject(before);
    }
    if (!isVisible()) {
        // Gathered anew when it is shown.
        if (otherLabels || otherVideo)
            m_labelFrames.reset();
        return;
    }
    if (otherLabels || otherVideo)
        readLabels();
    refresh();
}

void InferenceDialog::setProject(std::vector<RunVideo> videos, std::vector<std::uint32_t> selected,
                                 std::optional<FrameRanges> issues) {
    m_videos = std::move(videos);
    m_selectedVideos = std::move(selected);
    m_issues = std::move(issues);
}

void InferenceDialog::setRunning(bool running) {
    if (running == m_running)
        return;
    m_running = running;
    refresh();
}

void InferenceDialog::setDevices(const inference::DeviceInfo& info) {
    m_devices = info;
    m_options->setDevices(info);
    refresh();
}

void InferenceDialog::takePreset(const RunPreset& preset) {
    applyPreset(m_settings, preset);
    clearMessages();
    m_options->settle();
    refresh();
}

void InferenceDialog::clearMessages() {
    m_failure.clear();
    m_notice.clear();
}

void InferenceDialog::modelChanged() {
    clearMessages();
    const auto& model = m_model->model();
    if (model && model->canRun()) {
        m_options->settle();
        Q_EMIT modelReady();
    }
    refresh();
}

/// Nodes of what the run would find; 0 not known.
int InferenceDialog::nodeCount() const {
    const auto& model = m_model->model();
    if (!model || !model->spec)
        return 0;
    std::vector<models::ModelSpec> models{*model->spec};
    if (m_model->partner() && m_model->partner()->spec)
        models.push_back(*m_model->partner()->spec);
    const auto arranged = inference::arrangeModels(std::move(models));
    return arranged ? static_cast<int>(inference::outputSkeleton(*arranged).nodes.size()) : 0;
}

QStringList InferenceDialog::skeletonNodes() const {
    QStringList nodes;
    if (const auto& model = m_model->model(); model && model->spec)
        for (const std::string& node : model->spec->skeleton.nodes)
            nodes << QString::fromStdString(node);
    return nodes;
}

/// Which frames hold what, for the targets and for the line below.
void InferenceDialog::readLabels() {
    m_labelFrames.reset();
    const quint64 question = ++m_labelQuestion;
    if (!m_video)
        return;
    inBackground(
        this,
        [labels = m_labels]() -> Result<std::vector<LabelFrames>> {
            std::vector<LabelFrames> frames;
            for (std::size_t video = 0; video < labels.videos().size(); ++video)
                frames.push_back(labelFramesOf(labels, static_cast<std::uint32_t>(video)));
            return frames;
        },
        [this, question](Result<std::vector<LabelFrames>> frames) {
            if (question != m_labelQuestion || !frames || !m_video || m_video->index >= frames->size())
                return;
            m_labelFrames = std::make_shared<const std::vector<LabelFrames>>(std::move(*frames));
            const LabelFrames& shown = (*m_labelFrames)[m_video->index];
            m_model->setHasInstances(!shown.labelled.empty() || !shown.predicted.empty());
            refresh();
        });
}

RunSituation InferenceDialog::situation() const {
    RunSituation now;
    now.video = m_video;
    now.frame = m_frame;
    now.selection = m_selection;
    now.fromZero = m_fromZero;
    now.modelPath = m_model->path();
    now.modelReading = m_model->isReading();
    now.model = m_model->model();
    now.running = m_running;
    now.partner = m_model->partner();
    now.alone = m_model->isAlone();
    now.allLabelFrames = m_labelFrames;
    now.issueFrames = m_issues;
    now.videos = m_videos;
    now.selectedVideos = m_selectedVideos;
    now.skeletons = m_labels.skeletons();
    now.sampleSeed = m_sampleSeed;
    if (m_labelFrames && m_video && m_video->index < m_labelFrames->size()) {
        now.labelFrames = {m_labelFrames, &(*m_labelFrames)[m_video->index]};
        const FrameRanges frames = framesOf(m_settings.target, m_settings, now);
        const bool clears = m_settings.existing == ExistingPredictions::Clear;
        now.framesWithPredictions = countOf(intersection(frames, now.labelFrames->predicted));
        now.framesWithTracks =
            countOf(clears ? now.labelFrames->tracked : intersection(frames, now.labelFrames->tracked));
    }
    const QString device = QString::fromStdString(m_settings.inference.device);
    now.device = deviceWords(device, m_devices);
    // Videos of a project are most often of one size; where this one is not open, nothing is promised.
    const auto pixels = m_video ? static_cast<double>(m_video->width) * m_video->height : 0.0;
    now.knownRate = pixels > 0 ? RunRates(m_file).pixelRate(m_model->key(), deviceOf(device, m_devices)) / pixels : 0;
    return now;
}

void InferenceDialog::refresh() {
    m_options->setNodeCount(nodeCount());
    const RunSituation now = situation();
    m_plan = planRun(m_settings, now);
    m_target->show(m_settings, now);
    m_options->refresh(m_plan.use, skeletonNodes());
    m_presets->show(m_settings);
    refreshTracking();

    const theme::Tokens& t = theme::tokens();
    const bool failed = !m_failure.isEmpty();
    m_summary->setText(failed ? m_failure : m_notice.isEmpty() ? m_plan.summary : m_notice);
    m_summary->setToolTip(m_summary->text());
    const QString iconName = failed          ? QStringLiteral("error")
                             : m_plan.canRun ? QStringLiteral("predict")
                                             : QStringLiteral("info");
    m_summaryIcon->setPixmap(icon(iconName, failed          ? t.bad
                                            : m_plan.canRun ? t.accent
                                                            : t.text2)
                                 .pixmap(QSize(kIcon, kIcon), devicePixelRatioF()));
    m_run->setText(m_plan.button);
    m_run->setAccessibleName(m_plan.button);
    m_run->setEnabled(m_plan.canRun);
    const QString noPreview = previewRefusal();
    m_previewButton->setEnabled(noPreview.isEmpty());
    m_previewButton->setToolTip(
        noPreview.isEmpty() ? tr("Shows the peaks, links and instances of the current frame with these settings.")
                            : noPreview);
    // A greyed button says why.
    m_run->setToolTip(m_plan.canRun ? tr("Starts the run in the background; this dialog closes.") : m_plan.summary);
    const QString fixText = fixTitle(m_plan);
    m_fix->setText(fixText);
    m_fix->setAccessibleName(fixText);
    m_fix->setVisible(!fixText.isEmpty());
}

Result<RunRequest> InferenceDialog::request(RunTarget target) const {
    RunSettings settings = m_settings;
    settings.target = target;
    // A frame that is predicted again is not one whose predictions are tracked again.
    settings.trackOnly = settings.trackOnly && target == m_settings.target;
    return makeRequest(settings, situation());
}

void InferenceDialog::chooseTracking(const QString& key) {
    TrackingPresetBox::choose(m_settings, key, m_animals);
    clearMessages();
    m_options->settle();
    refresh();
}

void InferenceDialog::run() {
    const auto made = request(m_settings.target);
    if (!made)
        return showFailure(QString::fromStdString(made.error().message()));
    store();
    Q_EMIT runWanted(*made);
}

void InferenceDialog::fix() {
    switch (m_plan.fix) {
        case RunPlan::Fix::None:
            break;
        case RunPlan::Fix::ChooseModel:
            m_model->browse();
            break;
        case RunPlan::Fix::ChoosePartner:
            m_model->browsePartner();
            break;
        case RunPlan::Fix::WholeVideo:
            m_target->setTarget(RunTarget::WholeVideo);
            break;
        case RunPlan::Fix::ShowDock:
            Q_EMIT dockWanted(m_plan.fixPlace);
            break;
        case RunPlan::Fix::ShowOption:
            m_options->showOption(runOption(m_plan.fixPlace.toStdString()));
            break;
    }
}

void InferenceDialog::showFailure(const QString& sentence) {
    m_failure = sentence;
    m_notice.clear();
    refresh();
}

void InferenceDialog::showNotice(const QString& sentence) {
    m_notice = sentence;
    m_failure.clear();
    refresh();
}

void InferenceDialog::noteRate(const RunSnapshot& run) {
    RunRates(m_file).note(run);
    refresh();
}

void InferenceDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    clearMessages();
    m_sampleSeed = QRandomGenerator::global()->generate();
    readLabels();
    refresh();
}

void InferenceDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

}  // namespace skein::ui
