// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/model_picker.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/bridge/background.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/model_facts.h"
#include "ui/dialogs/model_list.h"
#include "ui/dialogs/run_request.h"
#include "ui/icons.h"
#include "ui/run_text.h"
#include "ui/theme.h"
#include "ui/widgets/fold_button.h"

namespace skein::ui {
namespace {

const char* const kRecentKey = "inference/recentModels";
const char* const kFolderKey = "inference/lastModelFolder";

}  // namespace

ModelPicker::ModelPicker(QSettings* settings, DialogService* dialogs, QWidget* parent)
    : QWidget(parent), m_settings(settings), m_dialogs(dialogs) {
    setObjectName(QStringLiteral("inferenceModel"));
    setAcceptDrops(true);

    m_list = new ModelList(QStringLiteral("inferenceModelList"), this);
    m_list->setAccessibleName(tr("Model"));
    m_list->setToolTip(tr("Recent models and those near the project, newest first."));
    m_list->setPlaceholderText(tr("No model chosen"));
    connect(m_list, &QComboBox::activated, this, [this] { setPath(m_list->currentData().toString()); });
    m_browse = makeBrowse(false, this);
    m_browse->setObjectName(QStringLiteral("inferenceBrowse"));
    m_browse->setAccessibleName(tr("Browse for a model"));
    m_browse->setToolTip(tr("Chooses the folder that training wrote."));

    m_hint = new QLabel(this);
    m_hint->setObjectName(QStringLiteral("inferenceModelHint"));
    m_hint->setWordWrap(true);
    m_hint->setForegroundRole(QPalette::PlaceholderText);

    m_problem = new ProblemLine(QStringLiteral("inferenceModelProblem"), this);
    m_facts = new FactsForm(this);
    m_facts->setObjectName(QStringLiteral("inferenceModelFacts"));
    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("inferenceModelNote"));
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_nodes = new FactsForm(this);
    m_nodes->setObjectName(QStringLiteral("inferenceModelNodes"));
    buildPartner();
    m_more = new FactsForm(this);
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
    layout->addWidget(m_problem);
    layout->addWidget(m_facts);
    layout->addWidget(m_note);
    layout->addWidget(m_nodes);
    layout->addWidget(m_partnerBox);
    layout->addWidget(m_moreButton, 0, Qt::AlignLeft);
    layout->addWidget(m_more);
    layout->addStretch();

    refreshList();
    refreshFacts();
}

QToolButton* ModelPicker::makeBrowse(bool forPartner, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(tr("Browse…"));
    button->setIcon(icon(QStringLiteral("open")));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setPopupMode(QToolButton::MenuButtonPopup);
    auto* menu = new QMenu(button);
    menu->addAction(tr("Model folder…"), this, [this, forPartner] { chooseFolderFor(forPartner); });
    menu->addAction(tr("Checkpoint or configuration…"), this, [this, forPartner] { browseFiles(forPartner); });
    button->setMenu(menu);
    connect(button, &QToolButton::clicked, this, [this, forPartner] { chooseFolderFor(forPartner); });
    return button;
}

QString ModelPicker::key() const {
    return modelKey(m_path, m_partner && !m_alone ? m_partner->path : QString());
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

void ModelPicker::setPair(const QString& first, const QString& second) {
    setPath(first);
    setPartner(second);
}

/// Recent and found models; what lies beside the chosen one, too, for trainings usually lie side by side.
QStringList ModelPicker::known() const {
    QStringList all = m_settings->value(QLatin1String(kRecentKey)).toStringList();
    for (const QString& model : m_found)
        if (!all.contains(model))
            all << model;
    return all;
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
    rememberPartner();
    refreshList();
}

void ModelPicker::refreshList() {
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    QStringList all = known();
    if (!m_path.isEmpty() && !all.contains(m_path))
        all.prepend(m_path);
    m_list->addModels(all);
    m_list->setCurrentIndex(m_path.isEmpty() ? -1 : m_list->findData(m_path));
    m_list->setEnabled(m_list->count() > 0);
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
    m_problem->setProblem(hasProblem ? m_model->problem->message : QString(),
                          hasProblem ? m_model->problem->details : QString());
    m_facts->setFacts(hasSpec ? describeModel(*m_model->spec) : Facts());
    m_facts->setVisible(hasSpec);

    QStringList notes;
    Facts nodes;
    if (hasSpec && !hasProblem) {
        notes << m_model->warnings;
        if (const QString skeleton = compareSkeletons(m_model->spec->skeleton, m_skeletons); !skeleton.isEmpty())
            notes << skeleton;
        nodes = nodeDifferences(m_model->spec->skeleton, m_skeletons);
    }
    m_note->setText(notes.join(QLatin1Char('\n')));
    m_note->setVisible(!notes.isEmpty());
    m_nodes->setFacts(nodes);
    m_nodes->setVisible(!nodes.empty());
    refreshPartner();
    Facts training = hasSpec ? describeTraining(*m_model->spec) : Facts();
    if (m_partner && m_partner->spec && need() != PartnerNeed::None)
        if (const Facts more = describeTraining(*m_partner->spec); !more.empty()) {
            training.emplace_back(m_partnerTitle->text(), QString());
            training.insert(training.end(), more.begin(), more.end());
        }
    m_more->setFacts(training);
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

void ModelPicker::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refreshFacts();
}

}  // namespace skein::ui
