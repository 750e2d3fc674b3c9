// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/inference_dialog.h"

#include <QComboBox>
#include <QCryptographicHash>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/inference/model_set.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/model_picker.h"
#include "ui/dialogs/option_editors.h"
#include "ui/dialogs/run_settings.h"
#include "ui/dialogs/target_picker.h"
#include "ui/icons.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/widgets/fold_button.h"

namespace skein::ui {
namespace {

constexpr int kIcon = 16;
const char* const kLastModelKey = "inference/model";
const char* const kRateGroup = "inference/rates";

/// A line of one pixel between the parts of the dialog.
QWidget* separator(bool vertical, QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(vertical ? QFrame::VLine : QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    vertical ? line->setFixedWidth(1) : line->setFixedHeight(1);
    return line;
}

/// Key of a model in the settings: paths hold slashes, which QSettings takes for groups.
QString rateKey(const QString& modelPath) {
    const QByteArray hash = QCryptographicHash::hash(modelPath.toUtf8(), QCryptographicHash::Md5).toHex();
    return QLatin1String(kRateGroup) + QLatin1Char('/') + QString::fromLatin1(hash);
}

/// Both models of a pair, as one name for what is remembered of them.
QString modelKey(const QString& model, const QString& partner) {
    return partner.isEmpty() ? model : model + QLatin1Char('|') + partner;
}

}  // namespace

InferenceDialog::InferenceDialog(QSettings* settings, DialogService* dialogs, QWidget* parent)
    : QDialog(parent), m_file(settings), m_settings(loadRunSettings(*settings)) {
    setObjectName(QStringLiteral("inferenceDialog"));
    setWindowTitle(tr("Run Inference"));
    setModal(false);
    setSizeGripEnabled(true);

    m_model = new ModelPicker(settings, dialogs, this);
    m_target = new TargetPicker(this);
    m_editors = new OptionEditors(&m_settings, this);

    auto* columns = new QHBoxLayout;
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(makeColumn(tr("Model"), m_model), 5);
    columns->addWidget(separator(true, this));
    columns->addWidget(makeColumn(tr("Frames"), m_target), 4);
    columns->addWidget(separator(true, this));
    columns->addWidget(makeColumn(tr("Options"), makeHow()), 5);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(columns, 1);
    layout->addWidget(separator(false, this));
    layout->addWidget(makeFoot());

    connect(m_model, &ModelPicker::changed, this, &InferenceDialog::modelChanged);
    connect(m_target, &TargetPicker::targetChosen, this, [this](RunTarget target) {
        m_settings.target = target;
        refresh();
    });
    connect(m_target, &TargetPicker::sampleSizeChosen, this, [this](int size) {
        m_settings.sampleSize = size;
        refresh();
    });
    connect(m_target, &TargetPicker::skipLabelledChosen, this, [this](bool skip) {
        m_settings.skipLabelled = skip;
        refresh();
    });
    connect(m_target, &TargetPicker::existingChosen, this, [this](ExistingPredictions existing) {
        m_settings.existing = existing;
        refresh();
    });
    connect(m_editors, &OptionEditors::edited, this, &InferenceDialog::optionEdited);
    resize(1000, 600);
    refresh();
}

InferenceDialog::~InferenceDialog() = default;

QWidget* InferenceDialog::makeColumn(const QString& title, QWidget* contents) {
    auto* page = new QWidget(this);
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto* heading = new QLabel(title, page);
    heading->setFont(theme::headingFont());
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(theme::kGap, theme::kGap, theme::kGap, theme::kGap);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(heading);
    layout->addWidget(contents, 1);

    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(page);
    scroll->setMinimumWidth(240);
    return scroll;
}

QWidget* InferenceDialog::makeHow() {
    auto* box = new QWidget(this);
    // One width for the labels of all groups, so that their editors stand in one column.
    const auto makeGrid = [width = fontMetrics().horizontalAdvance(tr("Nodes to be compared"))](QWidget* parent) {
        auto* grid = new QGridLayout(parent);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(theme::kGap);
        grid->setVerticalSpacing(theme::kGrid);
        grid->setColumnStretch(1, 1);
        grid->setColumnMinimumWidth(0, width);
        return grid;
    };
    auto* basicBox = new QWidget(box);
    auto* basic = makeGrid(basicBox);

    m_device = new QComboBox(box);
    m_device->setObjectName(QStringLiteral("inferenceDevice"));
    m_device->setAccessibleName(tr("Device"));
    m_device->setToolTip(
        tr("<p>What computes the network. Automatic takes a GPU if there is one.</p>"
           "<p>Default: Automatic<br><code>--device</code></p>"));
    m_device->addItem(tr("Automatic"), QStringLiteral("auto"));
    m_device->addItem(tr("CPU"), QStringLiteral("cpu"));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(10);
    guardWheel(m_device);
    connect(m_device, &QComboBox::activated, this, [this] {
        m_settings.inference.device = m_device->currentData().toString().toStdString();
        refresh();
    });
    auto* deviceLabel = new QLabel(tr("Device"), box);
    deviceLabel->setBuddy(m_device);
    basic->addWidget(deviceLabel, 0, 0);
    basic->addWidget(m_device, 0, 1);
    m_editors->addGroup(basic, OptionGroup::Basic, basicBox);

    auto* more = new QWidget(box);
    auto* moreGrid = makeGrid(more);
    m_editors->addGroup(moreGrid, OptionGroup::Peaks, more, tr("Peaks"));
    m_editors->addGroup(moreGrid, OptionGroup::Filters, more, tr("Filters"));
    m_editors->addGroup(moreGrid, OptionGroup::Grouping, more, tr("Grouping by part affinity fields"));
    m_editors->addGroup(moreGrid, OptionGroup::Input, more, tr("Input"));
    const auto addFold = [](QGridLayout* grid, const QString& name, const QString& title, QWidget* contents,
                            QWidget* parent) {
        const int row = grid->rowCount();
        grid->addWidget(new FoldButton(name, title, contents, parent), row, 0, 1, 2, Qt::AlignLeft);
        grid->addWidget(contents, row + 1, 0, 1, 2);
    };
    addFold(basic, QStringLiteral("inferenceMoreFold"), tr("More options"), more, basicBox);

    auto* trackBox = new QWidget(box);
    auto* track = makeGrid(trackBox);
    auto* trackHeading = new QLabel(tr("Tracking"), trackBox);
    trackHeading->setFont(theme::headingFont());
    track->addWidget(trackHeading, 0, 0, 1, 2);
    m_tracker = new QComboBox(trackBox);
    m_tracker->setObjectName(QStringLiteral("inferenceTracker"));
    m_tracker->setAccessibleName(tr("Tracker"));
    const auto addTracker = [this](const QString& title, TrackerChoice choice, const QString& help) {
        m_tracker->addItem(title, static_cast<int>(choice));
        m_tracker->setItemData(m_tracker->count() - 1, help, Qt::ToolTipRole);
    };
    addTracker(tr("None"), TrackerChoice::None, tr("Instances have no identity."));
    addTracker(tr("Classic"), TrackerChoice::Classic, tr("Compares poses with those of the last frames."));
    addTracker(tr("Flow"), TrackerChoice::Flow, tr("As Classic, with earlier poses moved by the optical flow."));
    addTracker(tr("Kalman"), TrackerChoice::Kalman,
               tr("As Classic, with earlier poses moved as each animal has moved. Needs the number of animals."));
    addTracker(tr("SORT"), TrackerChoice::Sort, tr("Follows boxes; the simplest of the three."));
    addTracker(tr("ByteTrack"), TrackerChoice::ByteTrack,
               tr("Follows boxes, and gives doubtful instances to tracks that are left over."));
    addTracker(tr("OC-SORT"), TrackerChoice::OcSort,
               tr("Follows boxes, and corrects what was expected when a lost animal is found again."));
    addTracker(
        tr("Skein"), TrackerChoice::Skein,
        tr("Follows whole poses, makes no match where none is likely, and links tracks at the end. Best with the "
           "number of animals."));
    m_tracker->setToolTip(
        tr("<p>Gives each animal an identity from frame to frame: a track.</p>"
           "<p>Default: None<br><code>--tracking</code>, <code>--use_flow</code>, <code>--use_kalman</code>, "
           "<code>--tracker</code></p>"));
    guardWheel(m_tracker);
    connect(m_tracker, &QComboBox::activated, this, [this] {
        chooseTracker(m_settings, static_cast<TrackerChoice>(m_tracker->currentData().toInt()));
        m_failure.clear();
        m_reconciled = reconcile(m_settings, nodeCount());
        refresh();
    });
    auto* trackerLabel = new QLabel(tr("Tracker"), trackBox);
    trackerLabel->setBuddy(m_tracker);
    track->addWidget(trackerLabel, 1, 0);
    track->addWidget(m_tracker, 1, 1);
    m_editors->addGroup(track, OptionGroup::Tracker, trackBox);
    m_note = new QLabel(trackBox);
    m_note->setObjectName(QStringLiteral("inferenceTrackerNote"));
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    track->addWidget(m_note, track->rowCount(), 0, 1, 2);
    auto* details = new QWidget(trackBox);
    auto* detailsGrid = makeGrid(details);
    m_editors->addGroup(detailsGrid, OptionGroup::TrackerDetails, details, tr("Matching"));
    m_editors->addGroup(detailsGrid, OptionGroup::Motion, details, tr("Motion"));
    m_editors->addGroup(detailsGrid, OptionGroup::Counts, details, tr("Numbers and repair"));
    addFold(track, QStringLiteral("inferenceTrackerFold"), tr("Tracker options"), details, trackBox);

    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGap);
    layout->addWidget(basicBox);
    layout->addWidget(trackBox);
    layout->addStretch();
    return box;
}

QWidget* InferenceDialog::makeFoot() {
    auto* foot = new QWidget(this);
    m_summaryIcon = new QLabel(foot);
    m_summaryIcon->setFixedSize(kIcon, kIcon);
    m_summary = new QLabel(foot);
    m_summary->setObjectName(QStringLiteral("inferenceSummary"));
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    // Two lines, so that the dialog does not jump as the words change.
    m_summary->setMinimumHeight(m_summary->fontMetrics().height() * 2);

    m_fix = new QPushButton(foot);
    m_fix->setObjectName(QStringLiteral("inferenceFix"));
    m_fix->setAutoDefault(false);
    connect(m_fix, &QPushButton::clicked, this, &InferenceDialog::fix);
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
        m_labels = labels;
        m_model->setProjectSkeletons(labels.skeletons());
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

void InferenceDialog::setRunning(bool running) {
    if (running == m_running)
        return;
    m_running = running;
    refresh();
}

void InferenceDialog::setDevices(const inference::DeviceInfo& info) {
    m_devices = info;
    m_device->clear();
    m_device->addItem(tr("Automatic"), QStringLiteral("auto"));
    for (const std::string& device : info.devices) {
        // "cuda:0 (name, memory)": the first word is what the engine takes.
        const QString words = QString::fromStdString(device);
        m_device->addItem(words == QLatin1String("cpu") ? tr("CPU") : words, words.section(QLatin1Char(' '), 0, 0));
    }
    refresh();
}

void InferenceDialog::restoreModel() {
    if (m_model->path().isEmpty())
        m_model->setPath(m_file->value(QLatin1String(kLastModelKey)).toString());
}

void InferenceDialog::modelChanged() {
    m_failure.clear();
    const auto& model = m_model->model();
    if (model && model->canRun()) {
        m_reconciled = reconcile(m_settings, nodeCount());
        Q_EMIT modelReady();
    }
    refresh();
}

void InferenceDialog::optionEdited(const RunOption& option) {
    m_failure.clear();
    m_settings.chosen.feature = m_settings.chosen.feature || option.name == std::string_view("features");
    m_settings.chosen.scoring = m_settings.chosen.scoring || option.name == std::string_view("scoring_method");
    m_reconciled = reconcile(m_settings, nodeCount());
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
        [labels = m_labels, video = m_video->index]() -> Result<LabelFrames> { return labelFramesOf(labels, video); },
        [this, question](Result<LabelFrames> frames) {
            if (question != m_labelQuestion || !frames)
                return;
            m_model->setHasInstances(!frames->labelled.empty() || !frames->predicted.empty());
            m_labelFrames = std::make_shared<LabelFrames>(std::move(*frames));
            refresh();
        });
}

QString InferenceDialog::deviceWords() const {
    const QString chosen = QString::fromStdString(m_settings.inference.device);
    if (chosen != QLatin1String("auto"))
        return chosen == QLatin1String("cpu") ? tr("CPU") : chosen;
    if (m_devices.devices.empty())
        return {};
    return m_devices.cudaReason.empty() && m_devices.devices.size() > 1 ? QString::fromStdString(m_devices.devices[1])
                                                                        : tr("CPU");
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
    now.labelFrames = m_labelFrames;
    now.sampleSeed = m_sampleSeed;
    if (m_labelFrames)
        now.framesWithPredictions =
            countOf(intersection(framesOf(m_settings.target, m_settings, now), m_labelFrames->predicted));
    now.device = deviceWords();
    if (!now.modelPath.isEmpty())
        now.knownRate = m_file->value(rateKey(modelKey(now.modelPath, m_model->partnerPath()))).toDouble();
    return now;
}

void InferenceDialog::refresh() {
    const RunSituation now = situation();
    m_plan = planRun(m_settings, now);
    m_target->show(m_settings, now);
    m_editors->refresh(m_plan.use, skeletonNodes());
    m_tracker->setCurrentIndex(m_tracker->findData(static_cast<int>(trackerChoice(m_settings))));
    const int device = m_device->findData(QString::fromStdString(m_settings.inference.device));
    m_device->setCurrentIndex(std::max(0, device));

    const QString note = m_reconciled.isEmpty() ? animalsNote(m_settings) : m_reconciled;
    m_note->setText(note);
    m_note->setVisible(m_settings.tracking && !note.isEmpty());

    const theme::Tokens& t = theme::tokens();
    const bool failed = !m_failure.isEmpty();
    m_summary->setText(failed ? m_failure : m_plan.summary);
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
    // A greyed button says why.
    m_run->setToolTip(m_plan.canRun ? tr("Starts the run in the background; this dialog closes.") : m_plan.summary);
    QString fixText;
    switch (m_plan.fix) {
        case RunPlan::Fix::None:
            break;
        case RunPlan::Fix::ChooseModel:
            fixText = tr("Choose a model…");
            break;
        case RunPlan::Fix::ChoosePartner:
            fixText = tr("Choose the second model…");
            break;
        case RunPlan::Fix::WholeVideo:
            fixText = tr("Use the whole video");
            break;
        case RunPlan::Fix::ShowJobs:
            fixText = tr("Show Jobs");
            break;
    }
    m_fix->setText(fixText);
    m_fix->setAccessibleName(fixText);
    m_fix->setVisible(!fixText.isEmpty());
}

Result<RunRequest> InferenceDialog::request(RunTarget target) const {
    RunSettings settings = m_settings;
    settings.target = target;
    const RunSituation now = situation();
    const RunPlan plan = planRun(settings, now);
    if (!plan.canRun)
        return fail(ErrorCode::InvalidArgument, plan.summary.toStdString());
    auto job = makeJob(settings, now, plan);
    if (!job)
        return fail(std::move(job.error()));
    RunRequest request;
    request.info.title = runTitle(settings, now, plan);
    request.info.modelPath = modelKey(now.modelPath, m_model->partnerPath());
    QStringList names;
    for (const models::ModelSpec& model : plan.models)
        names << text::fromPath(model.folder.filename());
    request.info.model = names.join(QStringLiteral(" + "));
    request.info.video = now.video->index;
    request.info.firstFrame = plan.frames.front().first;
    request.info.framesTotal = plan.count;
    request.info.batchSize = settings.inference.batchSize;
    request.info.queueMaxsize = settings.queueMaxsize;
    request.info.groupThreads = job->groupThreads;
    request.job = std::move(*job);
    request.existing = settings.existing;
    return request;
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
        case RunPlan::Fix::ShowJobs:
            Q_EMIT jobsWanted();
            break;
    }
}

void InferenceDialog::showFailure(const QString& sentence) {
    m_failure = sentence;
    refresh();
}

void InferenceDialog::noteRate(const QString& models, double framesPerSecond) {
    if (framesPerSecond > 0)
        m_file->setValue(rateKey(models), framesPerSecond);
    refresh();
}

void InferenceDialog::store() {
    saveRunSettings(*m_file, m_settings);
    m_file->setValue(QLatin1String(kLastModelKey), m_model->path());
    m_model->rememberCurrent();
}

void InferenceDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    m_failure.clear();
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
