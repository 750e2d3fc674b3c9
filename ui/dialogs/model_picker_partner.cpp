// SPDX-License-Identifier: GPL-3.0-or-later
// The second model of a top-down pair.
#include <QCryptographicHash>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/inference/model_set.h"
#include "ui/bridge/background.h"
#include "ui/dialogs/model_facts.h"
#include "ui/dialogs/model_list.h"
#include "ui/dialogs/model_picker.h"
#include "ui/run_text.h"
#include "ui/theme.h"

namespace skein::ui {
namespace {

/// In the settings for "without a partner", in the list for the row that says so.
const char* const kAlone = "alone";

/// Where the settings keep the partner of the last run with this model: paths hold slashes, which are groups there.
QString partnerKey(const QString& modelPath) {
    return QStringLiteral("inference/partners/") +
           QString::fromLatin1(QCryptographicHash::hash(modelPath.toUtf8(), QCryptographicHash::Md5).toHex());
}

}  // namespace

void ModelPicker::buildPartner() {
    m_partnerBox = new QWidget(this);
    m_partnerBox->setObjectName(QStringLiteral("inferencePartner"));
    m_partnerTitle = new QLabel(m_partnerBox);
    m_partnerTitle->setFont(theme::headingFont());
    m_partnerList = new ModelList(QStringLiteral("inferencePartnerList"), m_partnerBox);
    m_partnerList->setAccessibleName(tr("Second model"));
    m_partnerList->setToolTip(
        tr("Models of this kind with the same skeleton: recent ones, those near the project, and "
           "those beside the model above."));
    m_partnerList->setPlaceholderText(tr("Not chosen yet"));
    m_partnerTitle->setBuddy(m_partnerList);
    connect(m_partnerList, &QComboBox::activated, this, [this] {
        const QString chosen = m_partnerList->currentData().toString();
        chosen == QLatin1String(kAlone) ? setAlone() : setPartner(chosen);
    });
    m_partnerBrowse = makeBrowse(true, m_partnerBox);
    m_partnerBrowse->setObjectName(QStringLiteral("inferencePartnerBrowse"));
    m_partnerBrowse->setAccessibleName(tr("Browse for the second model"));
    m_partnerBrowse->setToolTip(tr("Chooses the folder of the model that goes with the one above."));
    m_partnerHint = new QLabel(m_partnerBox);
    m_partnerHint->setObjectName(QStringLiteral("inferencePartnerHint"));
    m_partnerHint->setWordWrap(true);
    m_partnerHint->setForegroundRole(QPalette::PlaceholderText);
    m_partnerProblem = new ProblemLine(QStringLiteral("inferencePartnerProblem"), m_partnerBox);
    m_partnerFacts = new FactsForm(m_partnerBox);
    m_partnerFacts->setObjectName(QStringLiteral("inferencePartnerFacts"));

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
    layout->addWidget(m_partnerProblem);
    layout->addWidget(m_partnerFacts);
}

PartnerNeed ModelPicker::need() const {
    return m_model && m_model->spec ? partnerNeed(*m_model->spec) : PartnerNeed::None;
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

/// For the next run with either of the two.
void ModelPicker::rememberPartner() {
    if (need() == PartnerNeed::None)
        return;
    m_settings->setValue(partnerKey(m_path), m_alone ? QString::fromLatin1(kAlone) : m_partnerPath);
    if (!m_partnerPath.isEmpty())
        m_settings->setValue(partnerKey(m_partnerPath), m_path);
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
    m_partnerList->addModels(all);
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
    m_partnerProblem->setProblem(problem, details);
    const bool hasFacts = read && m_partner->spec != nullptr;
    m_partnerFacts->setFacts(hasFacts ? describePartner(*m_partner->spec) : Facts());
    m_partnerFacts->setVisible(hasFacts);
}

}  // namespace skein::ui
