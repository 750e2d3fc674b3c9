// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <QWidget>
#include <optional>

#include "engine/project/skeleton.h"
#include "ui/bridge/checked_model.h"

class QLabel;
class QSettings;
class QToolButton;

namespace skein::ui {

class DialogService;
class FactsForm;
class ModelList;
class ProblemLine;

/// Chooses a model, and the second one of a top-down pair, and shows what they are. Models come from the list of recent
/// ones, from folders named "models" near the project, by browsing, or dropped as folder, checkpoint or configuration;
/// two that are dropped together are a pair in either order. Reading happens on a worker, and never touches weights.
///
/// model_picker.cpp: the model; model_picker_partner.cpp: the second one; model_picker_drop.cpp: what is dropped.
class ModelPicker : public QWidget {
    Q_OBJECT
public:
    /// `settings` outlives the picker.
    ModelPicker(QSettings* settings, DialogService* dialogs, QWidget* parent);

    static constexpr int kRecentModels = 10;
    static constexpr int kMostFound = 200;  ///< in one folder

    /// Chooses a model. The partner is the one of the last run with it, or is asked for.
    void setPath(const QString& path);
    /// Two models at once, in either order.
    void setPair(const QString& first, const QString& second);
    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] bool isReading() const { return m_reading || m_partnerReading; }
    [[nodiscard]] const std::optional<CheckedModel>& model() const { return m_model; }

    /// The second model; without effect on models that run alone.
    void setPartner(const QString& path);
    /// A model that could have a partner shall run without one.
    void setAlone();
    [[nodiscard]] QString partnerPath() const { return m_partnerPath; }
    [[nodiscard]] const std::optional<CheckedModel>& partner() const { return m_partner; }
    [[nodiscard]] bool isAlone() const { return m_alone; }
    /// What is remembered of the chosen model, or of both, goes under this name.
    [[nodiscard]] QString key() const;
    /// What else the chosen model needs; None while it is not known.
    [[nodiscard]] PartnerNeed need() const;
    /// Whether the project holds instances that a model could look around.
    void setHasInstances(bool has);

    /// Looks for models in these folders, on a worker.
    void scan(const QStringList& folders);
    /// Skeletons of the project, to be compared with the model's.
    void setProjectSkeletons(const std::vector<project::Skeleton>& skeletons);
    /// The models in use go to the front of the list of recent ones, and are remembered as belonging together.
    void rememberCurrent();
    void browse();
    void browsePartner();

Q_SIGNALS:
    void changed();  ///< path(), isReading(), model() or the partner

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QToolButton* makeBrowse(bool forPartner, QWidget* parent);
    void buildPartner();
    void browseFiles(bool forPartner);
    void chooseFolderFor(bool partner);
    void modelRead();
    void findPartners();
    void rememberPartner();
    void dropped(const QStringList& paths);
    [[nodiscard]] QStringList known() const;
    void refreshList();
    void refreshPartnerList();
    void refreshFacts();
    void refreshPartner();

    QSettings* m_settings;
    DialogService* m_dialogs;
    QString m_path, m_partnerPath;
    bool m_reading = false, m_partnerReading = false;
    bool m_alone = false;
    bool m_hasInstances = false;
    std::optional<CheckedModel> m_model, m_partner;
    quint64 m_question = 0, m_partnerQuestion = 0;  ///< the newest reading; answers to older ones are dropped
    QStringList m_found;                            ///< by scan()
    QStringList m_partners;                         ///< that go with the model
    quint64 m_partnersQuestion = 0;
    std::vector<project::Skeleton> m_skeletons;
    bool m_dropping = false;

    ModelList *m_list, *m_partnerList;
    QToolButton *m_browse, *m_partnerBrowse;
    QLabel* m_hint;
    ProblemLine *m_problem, *m_partnerProblem;
    FactsForm* m_facts;
    QLabel* m_note;
    FactsForm* m_nodes;
    QWidget* m_partnerBox;
    QLabel *m_partnerTitle, *m_partnerHint;
    FactsForm* m_partnerFacts;
    QToolButton* m_moreButton;
    FactsForm* m_more;
};

}  // namespace skein::ui
