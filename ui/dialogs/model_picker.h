// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <QWidget>
#include <optional>

#include "engine/project/skeleton.h"
#include "ui/bridge/checked_model.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QSettings;
class QToolButton;

namespace skein::ui {

class DialogService;

/// Chooses a model and shows what it is. Models come from the list of recent ones, from folders named "models" near the
/// project, by browsing, or dropped as folder, checkpoint or configuration. Reading happens on a worker, and never
/// touches weights.
class ModelPicker : public QWidget {
    Q_OBJECT
public:
    /// `settings` outlives the picker.
    ModelPicker(QSettings* settings, DialogService* dialogs, QWidget* parent);

    static constexpr int kRecentModels = 10;

    void setPath(const QString& path);
    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] bool isReading() const { return m_reading; }
    [[nodiscard]] const std::optional<CheckedModel>& model() const { return m_model; }
    /// Looks for models in these folders, on a worker.
    void scan(const QStringList& folders);
    /// Skeletons of the project, to be compared with the model's.
    void setProjectSkeletons(const std::vector<project::Skeleton>& skeletons);
    /// The model in use goes to the front of the list of recent ones.
    void rememberCurrent();
    void browse();

Q_SIGNALS:
    void changed();  ///< path(), isReading() or model()

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void browseFiles();
    void refreshList();
    void refreshFacts();
    void showFacts(QFormLayout* form, const Facts& facts);

    QSettings* m_settings;
    DialogService* m_dialogs;
    QString m_path;
    bool m_reading = false;
    std::optional<CheckedModel> m_model;
    quint64 m_question = 0;  ///< the newest reading; answers to older ones are dropped
    QStringList m_found;     ///< by scan()
    std::vector<project::Skeleton> m_skeletons;
    bool m_dropping = false;

    QComboBox* m_list;
    QToolButton* m_browse;
    QLabel* m_hint;
    QWidget* m_problem;
    QLabel *m_problemIcon, *m_problemText;
    QWidget* m_facts;
    QFormLayout* m_factsForm;
    QLabel* m_note;
    QToolButton* m_moreButton;
    QWidget* m_more;
    QFormLayout* m_moreForm;
};

}  // namespace skein::ui
