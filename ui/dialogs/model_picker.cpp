// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/model_picker.h"

#include <QComboBox>
#include <QCryptographicHash>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QSettings>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/inference/model_set.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/option_editors.h"
#include "ui/icons.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/widgets/fold_button.h"

namespace skein::ui {
namespace {

constexpr int kIcon = 16;
constexpr int kMostFound = 200;
const char* const kRecentKey = "inference/recentModels";
const char* const kFolderKey = "inference/lastModelFolder";
/// In the settings for "without a partner", in the list for the row that says so.
const char* const kAlone = "alone";

QStringList droppedPaths(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile() && paths.size() < 2)
            paths << url.toLocalFile();
    return paths;
}

/// Long names of runs and files may wrap after an underscore, so that they do not push the column wide.
QString breakable(QString value) {
    constexpr int kLong = 24;
    if (value.size() > kLong)
        value.replace(QLatin1Char('_'), QString(QLatin1Char('_')) + QChar(0x200b));
    return value;
}

/// Where the settings keep the partner of the last run with this model: paths hold slashes, which are groups there.
QString partnerKey(const QString& modelPath) {
    return QStringLiteral("inference/partners/") +
           QString::fromLatin1(QCryptographicHash::hash(modelPath.toUtf8(), QCryptographicHash::Md5).toHex());
}

}  // namespace

ModelPicker::ModelPicker(QSettings* settings, DialogService* dialogs, QWidget* parent)
    : QWidget(parent), m_settings(settings), m_dialogs(dialogs) {
    setObjectName(QStringLiteral("inferenceModel"));
    setAcceptDrops(true);

    m_list = new QComboBox(this);
    m_list->setObjectName(QStringLiteral("inferenceModelList"));
    m_list->setAccessibleName(tr("Model"));
    m_list->setToolTip(tr("Recent models and those near the project, newest first."));
    m_list->setPlaceholderText(tr("No model chosen"));
    m_list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_list->setMinimumContentsLength(16);
    guardWheel(m_list);
    connect(m_list, &QComboBox::activated, this, [this] { setPath(m_list->currentData().toString()); });

    m_browse = new QToolButton(this);
    m_browse->setObjectName(QStringLiteral("inferenceBrowse"));
    m_browse->setAccessibleName(tr("Browse for a model"));
    m_browse->setText(tr("Browse…"));
    m_browse->setIcon(icon(QStringLiteral("open")));
    m_browse->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_browse->setPopupMode(QToolButton::MenuButtonPopup);
    m_browse->setToolTip(tr("Chooses the folder that training wrote."));
    auto* menu = new QMenu(m_browse);
    menu->addAction(tr("Model folder…"), this, &ModelPicker::browse);
    menu->addAction(tr("Checkpoint or configuration…"), this, [this] { browseFiles(false); });
    m_browse->setMenu(menu);
    connect(m_browse, &QToolButton::clicked, this, &ModelPicker::browse);

    m_hint = new QLabel(this);
    m_hint->setObjectName(QStringLiteral("inferenceModelHint"));
    m_hint->setWordWrap(true);
    m_hint->setForegroundRole(QPalette::PlaceholderText);

    m_problem = makeProblem(QStringLiteral("inferenceModelProblem"));

    const auto makeForm = [](QWidget* box) {
        auto* form = new QFormLayout(box);
        form->setContentsMargins(0, 0, 0, 0);
        form->setHorizontalSpacing(theme::kGap);
        form->setVerticalSpacing(theme::kGrid);
        form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
        form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
        return form;
    };
    m_facts = new QWidget(this);
    m_facts->setObjectName(QStringLiteral("inferenceModelFacts"));
    m_factsForm = makeForm(m_facts);
    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("inferenceModelNote"));
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    buildPartner();
    m_partnerFacts = new QWidget(m_partnerBox);
    m_partnerFacts->setObjectName(QStringLiteral("inferencePartnerFacts"));
    m_partnerForm = makeForm(m_partnerFacts);
    m_partnerBox->layout()->addWidget(m_partnerFacts);
    m_more = new QWidget(this);
    m_moreForm = makeForm(m_more);
    m_moreButton = new FoldButton(QStringLiteral("inferenceTrainingFold"), tr("Training"), m_more, this);
    m_moreButton->setToolTip(tr("What the model was trained on and with."));

    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kMargin);
    row->addWidget(m_list, 1);
    row->addWidget(m_browse);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kMargin);
    layout->addLayout(row);
    layout->addWidget(m_hint);
    layout->addWidget(m_problem.box);
    layout->addWidget(m_facts);
    layout->addWidget(m_note);
    layout->addWidget(m_partnerBox);
    layout->addWidget(m_moreButton, 0, Qt::AlignLeft);
    layout->addWidget(m_more);
    layout->addStretch();

    refreshList();
    refreshFacts();
}

ModelPicker::Problem ModelPicker::makeProblem(const QString& name) {
    Problem problem;
    problem.box = new QWidget(this);
    problem.icon = new QLabel(problem.box);
    problem.icon->setFixedSize(kIcon, kIcon);
    problem.text = new QLabel(problem.box);
    problem.text->setObjectName(name);
    problem.text->setWordWrap(true);
    problem.text->setTextFormat(Qt::PlainText);
    problem.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QHBoxLayout(problem.box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(problem.icon, 0, Qt::AlignTop);
    layout->addWidget(problem.text, 1);
    return problem;
}

void ModelPicker::showProblem(const Problem& problem, const QString& sentence, const QString& details) {
    problem.box->setVisible(!sentence.isEmpty());
    problem.icon->setPixmap(
        icon(QStringLiteral("error"), theme::tokens().bad).pixmap(QSize(kIcon, kIcon), devicePixelRatioF()));
    problem.text->setText(sentence);
    problem.text->setToolTip(details);
}

void ModelPicker::buildPartner() {
    m_partnerBox = new QWidget(this);
    m_partnerBox->setObjectName(QStringLiteral("inferencePartner"));
    m_partnerTitle = new QLabel(m_partnerBox);
    m_partnerTitle->setFont(theme::headingFont());
    m_partnerList = new QComboBox(m_partnerBox);
    m_partnerList->setObjectName(QStringLiteral("inferencePartnerList"));
    m_partnerList->setAccessibleName(tr("Second model"));
    m_partnerList->setToolTip(
        tr("Models of this kind with the same skeleton: recent ones, those near the project, and "
           "those beside the model above."));
    m_partnerList->setPlaceholderText(tr("Not chosen yet"));
    m_partnerList->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_partnerList->setMinimumContentsLength(16);
    guardWheel(m_partnerList);
    m_partnerTitle->setBuddy(m_partnerList);
    connect(m_partnerList, &QComboBox::activated, this, [this] {
        const QString chosen = m_partnerList->currentData().toString();
        chosen == QLatin1String(kAlone) ? setAlone() : setPartner(chosen);
    });
    m_partnerBrowse = new QToolButton(m_partnerBox);
    m_partnerBrowse->setObjectName(QStringLiteral("inferencePartnerBrowse"));
    m_partnerBrowse->setAccessibleName(tr("Browse for the second model"));
    m_partnerBrowse->setText(tr("Browse…"));
    m_partnerBrowse->setIcon(icon(QStringLiteral("open")));
    m_partnerBrowse->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_partnerBrowse->setPopupMode(QToolButton::MenuButtonPopup);
    m_partnerBrowse->setToolTip(tr("Chooses the folder of the model that goes with the one above."));
    auto* menu = new QMenu(m_partnerBrowse);
    menu->addAction(tr("Model folder…"), this, &ModelPicker::browsePartner);
    menu->addAction(tr("Checkpoint or configuration…"), this, [this] { browseFiles(true); });
    m_partnerBrowse->setMenu(menu);
    connect(m_partnerBrowse, &QToolButton::clicked, this, &ModelPicker::browsePartner);
    m_partnerHint = new QLabel(m_partnerBox);
    m_partnerHint->setObjectName(QStringLiteral("inferencePartnerHint"));
    m_partnerHint->setWordWrap(true);
    m_partnerHint->setForegroundRole(QPalette::PlaceholderText);
    m_partnerProblem = makeProblem(QStringLiteral("inferencePartnerProblem"));

    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kMargin);
    row->addWidget(m_partnerList, 1);
    row->addWidget(m_partnerBrowse);
    auto* layout = new QVBoxLayout(m_partnerBox);
    layout->setContentsMargins(0, theme::kGrid, 0, 0);
    layout->setSpacing(theme::kMargin);
    layout->addWidget(m_partnerTitle);
    layout->addLayout(row);
    layout->addWidget(m_partnerHint);
    layout->addWidget(m_partnerProblem.box);
}

PartnerNeed ModelPicker::need() const {
    return m_model && m_model->spec ? partnerNeed(*m_model->spec) : PartnerNeed::None;
}

void ModelPicker::setPath(const QString& path) {
    if (path == m_path && (m_reading || m_model))
        return;
    m_path = path;
    m_model.reset();
    m_partner.reset();
    m_partnerPath.clear();
    m_partners.clear();
    m_alone = false;
    m_partnerReading = false;
    ++m_partnerQuestion;
    m_reading = !path.isEmpty();
    const quint64 question = ++m_question;
    if (m_reading)
        inBackground(
            this, [path]() -> Result<CheckedModel> { return checkModel(path); },
            [this, question](Result<CheckedModel> checked) {
                if (question != m_question)
                    return;
                m_reading = false;
                if (checked) {
                    m_model = std::move(*checked);
                    // The folder stands for its checkpoint or configuration from here on.
                    if (m_model->spec)
                        m_path = m_model->path;
                } else {
                    m_model = CheckedModel{m_path, nullptr, toUiError(checked.error()), {}};
                }
                modelRead();
                refreshList();
                refreshFacts();
                Q_EMIT changed();
            });
    refreshList();
    refreshFacts();
    Q_EMIT changed();
}

/// What belongs to a model beside itself.
void ModelPicker::modelRead() {
    if (need() == PartnerNeed::None)
        return;
    findPartners();
    if (!m_partnerPath.isEmpty())
        return;  // two were given
    const QString last = m_settings->value(partnerKey(m_path)).toString();
    if (last == QLatin1String(kAlone))
        m_alone = true;
    else if (QFileInfo::exists(last))
        setPartner(last);
}

void ModelPicker::setPair(const QString& first, const QString& second) {
    setPath(first);
    setPartner(second);
}

void ModelPicker::setPartner(const QString& path) {
    m_alone = false;
    m_partnerPath = path;
    m_partner.reset();
    m_partnerReading = !path.isEmpty();
    const quint64 question = ++m_partnerQuestion;
    if (m_partnerReading)
        inBackground(
            this, [path]() -> Result<CheckedModel> { return checkModel(path); },
            [this, question](Result<CheckedModel> checked) {
                if (question != m_partnerQuestion)
                    return;
                m_partnerReading = false;
                if (checked)
                    m_partner = std::move(*checked);
                else
                    m_partner = CheckedModel{m_partnerPath, nullptr, toUiError(checked.error()), {}};
                if (m_partner->spec)
                    m_partnerPath = m_partner->path;
                refreshFacts();
                Q_EMIT changed();
            });
    refreshFacts();
    Q_EMIT changed();
}

void ModelPicker::setAlone() {
    setPartner({});
    m_alone = true;
    refreshFacts();
    Q_EMIT changed();
}

void ModelPicker::setHasInstances(bool has) {
    if (has == m_hasInstances)
        return;
    m_hasInstances = has;
    refreshPartnerList();
}

/// Recent and found models; what lies beside the chosen one, too, for trainings usually lie side by side.
QStringList ModelPicker::known() const {
    QStringList all = m_settings->value(QLatin1String(kRecentKey)).toStringList();
    for (const QString& model : m_found)
        if (!all.contains(model))
            all << model;
    return all;
}

void ModelPicker::findPartners() {
    if (need() == PartnerNeed::None)
        return;
    inBackground(
        this,
        [paths = known(), beside = QFileInfo(m_path).absolutePath(), spec = m_model->spec]() -> Result<QStringList> {
            QStringList all = paths;
            for (const QString& model : modelFoldersIn(beside, kMostFound))
                if (!all.contains(model))
                    all << model;
            return partnersAmong(all, *spec);
        },
        [this, question = ++m_partnersQuestion](const Result<QStringList>& partners) {
            if (question != m_partnersQuestion || !partners)
                return;
            m_partners = *partners;
            refreshPartner();
        });
}

void ModelPicker::scan(const QStringList& folders) {
    inBackground(
        this,
        [folders]() -> Result<QStringList> {
            QStringList found;
            for (const QString& folder : folders)
                for (const QString& model : modelFoldersIn(folder, kMostFound))
                    if (!found.contains(model))
                        found << model;
            return found;
        },
        [this](const Result<QStringList>& found) {
            if (!found)
                return;
            m_found = *found;
            refreshList();
            findPartners();
        });
}

void ModelPicker::setProjectSkeletons(const std::vector<project::Skeleton>& skeletons) {
    m_skeletons = skeletons;
    refreshFacts();
}

void ModelPicker::rememberCurrent() {
    if (m_path.isEmpty())
        return;
    QStringList recent = m_settings->value(QLatin1String(kRecentKey)).toStringList();
    for (const QString& used : {m_partnerPath, m_path}) {
        if (used.isEmpty())
            continue;
        recent.removeAll(used);
        recent.prepend(used);
    }
    while (recent.size() > kRecentModels)
        recent.removeLast();
    m_settings->setValue(QLatin1String(kRecentKey), recent);
    if (need() != PartnerNeed::None) {
        m_settings->setValue(partnerKey(m_path), m_alone ? QString::fromLatin1(kAlone) : m_partnerPath);
        if (!m_partnerPath.isEmpty())
            m_settings->setValue(partnerKey(m_partnerPath), m_path);
    }
    refreshList();
}

void ModelPicker::refreshList() {
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    QStringList all = known();
    if (!m_path.isEmpty() && !all.contains(m_path))
        all.prepend(m_path);
    for (const QString& model : all) {
        m_list->addItem(icon(QStringLiteral("model")), QFileInfo(model).fileName(), model);
        m_list->setItemData(m_list->count() - 1, text::tidyPath(model), Qt::ToolTipRole);
    }
    m_list->setCurrentIndex(m_path.isEmpty() ? -1 : m_list->findData(m_path));
    m_list->setEnabled(m_list->count() > 0);
}

void ModelPicker::refreshPartnerList() {
    const QSignalBlocker blocker(m_partnerList);
    m_partnerList->clear();
    const bool ofCentroids = need() == PartnerNeed::Instances;
    m_partnerList->addItem(ofCentroids ? tr("None: centroids only") : tr("None: around instances that are there"),
                           QLatin1String(kAlone));
    if (!ofCentroids && !m_hasInstances) {
        auto* item = qobject_cast<QStandardItemModel*>(m_partnerList->model())->item(0);
        item->setEnabled(false);
        item->setToolTip(tr("The project has no instances in this video yet."));
    }
    QStringList all = m_partners;
    if (!m_partnerPath.isEmpty() && !all.contains(m_partnerPath))
        all.prepend(m_partnerPath);
    for (const QString& model : all) {
        m_partnerList->addItem(icon(QStringLiteral("model")), QFileInfo(model).fileName(), model);
        m_partnerList->setItemData(m_partnerList->count() - 1, text::tidyPath(model), Qt::ToolTipRole);
    }
    m_partnerList->setCurrentIndex(m_alone ? 0 : m_partnerPath.isEmpty() ? -1 : m_partnerList->findData(m_partnerPath));
}

/// Everything about the second model.
void ModelPicker::refreshPartner() {
    const PartnerNeed wanted = need();
    // A second model that was given to one that runs alone is shown too, with the reason against it.
    const bool shown = m_model && m_model->canRun() && (wanted != PartnerNeed::None || !m_partnerPath.isEmpty());
    m_partnerBox->setVisible(shown);
    if (!shown)
        return;
    const bool ofCentroids = wanted == PartnerNeed::Instances;
    m_partnerTitle->setText(wanted == PartnerNeed::None ? tr("Second model")
                            : ofCentroids               ? tr("Centered-instance model")
                                                        : tr("Centroid model"));
    m_partnerList->setAccessibleName(m_partnerTitle->text());
    refreshPartnerList();
    QString hint;
    if (m_partnerReading)
        hint = tr("Reading the model…");
    else if (m_alone)
        hint = ofCentroids ? tr("Each animal is found as one node.")
                           : tr("Crops are made around the instances of each frame: those that a person made, or else "
                                "the predicted ones.");
    else if (m_partnerPath.isEmpty())
        hint = m_partners.isEmpty()
                   ? tr("No model that goes with this one is near. Browse for it, or drop it here.")
                   : text::count(m_partners.size(), tr("model goes"), tr("models go")) + tr(" with this one.");
    QString problem, details;
    const bool read = m_partner.has_value();
    if (read && m_partner->problem) {
        problem = m_partner->problem->message;
        details = m_partner->problem->details;
    } else if (read && m_partner->spec) {
        if (const auto pair = inference::arrangeModels({*m_model->spec, *m_partner->spec}); !pair)
            problem = QString::fromStdString(pair.error().message());
        else if (!goTogether(*m_model->spec, *m_partner->spec))
            hint =
                tr("The two were trained on different skeletons. What is found gets the skeleton of the "
                   "centered-instance model.");
    }
    m_partnerHint->setText(hint);
    m_partnerHint->setVisible(!hint.isEmpty());
    showProblem(m_partnerProblem, problem, details);
    const bool hasFacts = read && m_partner->spec != nullptr;
    showFacts(m_partnerForm, hasFacts ? describePartner(*m_partner->spec) : Facts());
    m_partnerFacts->setVisible(hasFacts);
}

void ModelPicker::showFacts(QFormLayout* form, const Facts& facts) {
    while (form->rowCount() > 0)
        form->removeRow(0);
    for (const auto& [name, value] : facts) {
        auto* label = new QLabel(name, form->parentWidget());
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        if (value.isEmpty()) {
            // A heading.
            label->setContentsMargins(0, theme::kMargin, 0, 0);
            form->addRow(label);
            continue;
        }
        auto* field = new QLabel(breakable(value), form->parentWidget());
        field->setWordWrap(true);
        field->setTextFormat(Qt::PlainText);
        field->setTextInteractionFlags(Qt::TextSelectableByMouse);
        field->setAccessibleName(name);
        form->addRow(label, field);
    }
}

void ModelPicker::refreshFacts() {
    const bool hasSpec = m_model && m_model->spec;
    QString hint;
    if (m_path.isEmpty())
        hint = tr("Choose the folder that training wrote, or drop it here: with training_config.yaml and best.ckpt.");
    else if (m_reading)
        hint = tr("Reading the model…");
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());

    const bool hasProblem = m_model && m_model->problem;
    showProblem(m_problem, hasProblem ? m_model->problem->message : QString(),
                hasProblem ? m_model->problem->details : QString());
    showFacts(m_factsForm, hasSpec ? describeModel(*m_model->spec) : Facts());
    m_facts->setVisible(hasSpec);

    QStringList notes;
    if (hasSpec && !hasProblem) {
        if (const QString skeleton = compareSkeletons(m_model->spec->skeleton, m_skeletons); !skeleton.isEmpty())
            notes << skeleton;
        notes << m_model->warnings;
    }
    m_note->setText(notes.join(QLatin1Char('\n')));
    m_note->setVisible(!notes.isEmpty());
    refreshPartner();
    Facts training = hasSpec ? describeTraining(*m_model->spec) : Facts();
    if (m_partner && m_partner->spec && need() != PartnerNeed::None)
        if (const Facts more = describeTraining(*m_partner->spec); !more.empty()) {
            training.emplace_back(m_partnerTitle->text(), QString());
            training.insert(training.end(), more.begin(), more.end());
        }
    showFacts(m_moreForm, training);
    m_moreButton->setVisible(!training.empty());
    m_more->setVisible(!training.empty() && m_moreButton->isChecked());
}

void ModelPicker::browse() {
    chooseFolderFor(false);
}

void ModelPicker::browsePartner() {
    chooseFolderFor(true);
}

void ModelPicker::chooseFolderFor(bool partner) {
    const QString start =
        m_path.isEmpty() ? m_settings->value(QLatin1String(kFolderKey)).toString() : QFileInfo(m_path).absolutePath();
    m_dialogs->chooseFolder(this, tr("Choose a model folder"), start, [this, partner](const QString& folder) {
        if (folder.isEmpty())
            return;
        m_settings->setValue(QLatin1String(kFolderKey), QFileInfo(folder).absolutePath());
        partner ? setPartner(folder) : setPath(folder);
    });
}

void ModelPicker::browseFiles(bool forPartner) {
    m_dialogs->chooseFiles(this, tr("Choose a checkpoint or configuration"), m_path,
                           tr("Models (*.ckpt *.h5 *.yaml *.yml *.json)"),
                           [this, forPartner](const QStringList& files) {
                               if (!files.isEmpty())
                                   forPartner ? setPartner(files.front()) : setPath(files.front());
                           });
}

/// Two are a pair. One is the partner where one is missing and it fits, else the model.
void ModelPicker::dropped(const QStringList& paths) {
    if (paths.size() == 2)
        return setPair(paths[0], paths[1]);
    const bool asksForPartner = need() != PartnerNeed::None && !m_alone && m_partnerPath.isEmpty();
    if (!asksForPartner)
        return setPath(paths[0]);
    inBackground(
        this,
        [path = paths[0], spec = m_model->spec]() -> Result<bool> {
            const CheckedModel other = checkModel(path);
            return other.spec && inference::arrangeModels({*spec, *other.spec}).has_value();
        },
        [this, path = paths[0], question = m_question](const Result<bool>& fits) {
            if (question == m_question)
                fits&&* fits ? setPartner(path) : setPath(path);
        });
}

void ModelPicker::dragEnterEvent(QDragEnterEvent* event) {
    if (droppedPaths(event->mimeData()).isEmpty())
        return;
    event->acceptProposedAction();
    m_dropping = true;
    update();
}

void ModelPicker::dragLeaveEvent(QDragLeaveEvent*) {
    m_dropping = false;
    update();
}

void ModelPicker::dropEvent(QDropEvent* event) {
    m_dropping = false;
    update();
    if (const QStringList paths = droppedPaths(event->mimeData()); !paths.isEmpty()) {
        event->acceptProposedAction();
        dropped(paths);
    }
}

void ModelPicker::paintEvent(QPaintEvent*) {
    if (!m_dropping)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme::tokens().accent, 2));
    painter.setBrush(theme::tokens().selection);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), theme::kRadius, theme::kRadius);
}

void ModelPicker::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refreshFacts();
}

}  // namespace skein::ui
