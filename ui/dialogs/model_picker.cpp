// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/model_picker.h"

#include <QComboBox>
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
#include <QToolButton>
#include <QVBoxLayout>

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

QString droppedPath(const QMimeData* data) {
    for (const QUrl& url : data->urls())
        if (url.isLocalFile())
            return url.toLocalFile();
    return {};
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
    menu->addAction(tr("Checkpoint or configuration…"), this, &ModelPicker::browseFiles);
    m_browse->setMenu(menu);
    connect(m_browse, &QToolButton::clicked, this, &ModelPicker::browse);

    m_hint = new QLabel(this);
    m_hint->setObjectName(QStringLiteral("inferenceModelHint"));
    m_hint->setWordWrap(true);
    m_hint->setForegroundRole(QPalette::PlaceholderText);

    m_problem = new QWidget(this);
    m_problemIcon = new QLabel(m_problem);
    m_problemIcon->setFixedSize(kIcon, kIcon);
    m_problemText = new QLabel(m_problem);
    m_problemText->setObjectName(QStringLiteral("inferenceModelProblem"));
    m_problemText->setWordWrap(true);
    m_problemText->setTextFormat(Qt::PlainText);
    m_problemText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* problem = new QHBoxLayout(m_problem);
    problem->setContentsMargins(0, 0, 0, 0);
    problem->setSpacing(theme::kMargin);
    problem->addWidget(m_problemIcon, 0, Qt::AlignTop);
    problem->addWidget(m_problemText, 1);

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
    layout->addWidget(m_problem);
    layout->addWidget(m_facts);
    layout->addWidget(m_note);
    layout->addWidget(m_moreButton, 0, Qt::AlignLeft);
    layout->addWidget(m_more);
    layout->addStretch();

    refreshList();
    refreshFacts();
}

void ModelPicker::setPath(const QString& path) {
    if (path == m_path && (m_reading || m_model))
        return;
    m_path = path;
    m_model.reset();
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
                refreshList();
                refreshFacts();
                Q_EMIT changed();
            });
    refreshList();
    refreshFacts();
    Q_EMIT changed();
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
    recent.removeAll(m_path);
    recent.prepend(m_path);
    while (recent.size() > kRecentModels)
        recent.removeLast();
    m_settings->setValue(QLatin1String(kRecentKey), recent);
    refreshList();
}

void ModelPicker::refreshList() {
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    QStringList all = m_settings->value(QLatin1String(kRecentKey)).toStringList();
    for (const QString& model : m_found)
        if (!all.contains(model))
            all << model;
    if (!m_path.isEmpty() && !all.contains(m_path))
        all.prepend(m_path);
    for (const QString& model : all) {
        m_list->addItem(icon(QStringLiteral("model")), QFileInfo(model).fileName(), model);
        m_list->setItemData(m_list->count() - 1, text::tidyPath(model), Qt::ToolTipRole);
    }
    m_list->setCurrentIndex(m_path.isEmpty() ? -1 : m_list->findData(m_path));
    m_list->setEnabled(m_list->count() > 0);
}

void ModelPicker::showFacts(QFormLayout* form, const Facts& facts) {
    while (form->rowCount() > 0)
        form->removeRow(0);
    for (const auto& [name, value] : facts) {
        auto* label = new QLabel(name, form->parentWidget());
        label->setForegroundRole(QPalette::PlaceholderText);
        auto* field = new QLabel(value, form->parentWidget());
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
    m_problem->setVisible(hasProblem);
    if (hasProblem) {
        m_problemIcon->setPixmap(
            icon(QStringLiteral("error"), theme::tokens().bad).pixmap(QSize(kIcon, kIcon), devicePixelRatioF()));
        m_problemText->setText(m_model->problem->message);
        m_problemText->setToolTip(m_model->problem->details);
    }
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
    const Facts training = hasSpec ? describeTraining(*m_model->spec) : Facts();
    showFacts(m_moreForm, training);
    m_moreButton->setVisible(!training.empty());
    m_more->setVisible(!training.empty() && m_moreButton->isChecked());
}

void ModelPicker::browse() {
    const QString start =
        m_path.isEmpty() ? m_settings->value(QLatin1String(kFolderKey)).toString() : QFileInfo(m_path).absolutePath();
    m_dialogs->chooseFolder(this, tr("Choose a model folder"), start, [this](const QString& folder) {
        if (folder.isEmpty())
            return;
        m_settings->setValue(QLatin1String(kFolderKey), QFileInfo(folder).absolutePath());
        setPath(folder);
    });
}

void ModelPicker::browseFiles() {
    m_dialogs->chooseFiles(this, tr("Choose a checkpoint or configuration"), m_path,
                           tr("Models (*.ckpt *.h5 *.yaml *.yml *.json)"), [this](const QStringList& files) {
                               if (!files.isEmpty())
                                   setPath(files.front());
                           });
}

void ModelPicker::dragEnterEvent(QDragEnterEvent* event) {
    if (droppedPath(event->mimeData()).isEmpty())
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
    if (const QString path = droppedPath(event->mimeData()); !path.isEmpty()) {
        event->acceptProposedAction();
        setPath(path);
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
