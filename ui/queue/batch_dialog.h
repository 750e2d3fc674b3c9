// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <vector>

#include "engine/batch/entry.h"
#include "ui/dialogs/run_plan.h"
#include "ui/queue/batch_plan.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;

namespace skein::ui {

class DialogService;
class FoundVideos;
struct FoundVideo;
class ModelPicker;
class PlainTable;
class PresetBar;
class RunOptionsForm;
class TrackingPresetBox;
struct RunPreset;

/// "Predict Videos": which videos, with which model and options, and where the results go; a line says what will be
/// queued, or why nothing can be. Not modal. GUI thread only; videos are looked at and results named on workers.
/// batch_dialog_build.cpp makes its widgets.
class BatchDialog : public QDialog {
    Q_OBJECT
public:
    /// `settings` outlives the dialog.
    BatchDialog(QSettings* settings, DialogService* dialogs, QWidget* parent);
    ~BatchDialog() override;

    /// Shows these videos and those of these folders, in place of what was there. The options are those of the last
    /// run, which is said; another preset can be chosen.
    void showFor(const QStringList& paths);
    void setDevices(const inference::DeviceInfo& info);
    /// Folders in which models may lie.
    void scanModels(const QStringList& folders);

    [[nodiscard]] ModelPicker* modelPicker() const { return m_model; }
    [[nodiscard]] FoundVideos* found() const { return m_found; }
    [[nodiscard]] const BatchPlan& plan() const { return m_plan; }
    /// Results of entries that wait or run, so that no two write the same file.
    std::function<std::vector<std::filesystem::path>()> taken;

Q_SIGNALS:
    /// These are to be queued; `start`: and worked on at once.
    void queueWanted(const std::vector<skein::batch::Entry>& entries, bool start);
    /// A model that can be run was picked: which devices there are matters now.
    void modelReady();

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* makeVideos();
    [[nodiscard]] QWidget* makeOptions();
    void takePreset(const RunPreset& preset);
    void refreshVideos();
    void refreshOptions();
    [[nodiscard]] QWidget* makeFoot();
    void chooseVideos();
    void chooseFolder(bool results);
    void lookThrough(bool subfolders);
    void chooseSubfolders(bool take);
    void edited();
    void refresh();
    void nameResults();
    [[nodiscard]] bool hasReadable() const;
    void fix();
    void addToQueue(bool start);
    [[nodiscard]] bool isToBePredicted(const FoundVideo& video) const;
    [[nodiscard]] RunSituation situation() const;
    [[nodiscard]] BatchWish wish() const;
    [[nodiscard]] QString refusal(const RunPlan& run) const;
    [[nodiscard]] QString resultWords() const;

    static constexpr int kStateIcon = 16;

    QSettings* m_file;
    DialogService* m_dialogs;
    RunSettings m_settings;
    inference::DeviceInfo m_devices;
    RunPlan m_run;
    BatchPlan m_plan;
    QString m_naming;   ///< why results cannot be named; empty: they can
    QString m_failure;  ///< of what was last tried
    quint64 m_question = 0;
    QTimer m_nameTimer;

    QStringList m_paths;              ///< what is looked through
    bool m_offersSubfolders = false;  ///< until it is known what is in it

    FoundVideos* m_found;
    ModelPicker* m_model;
    RunOptionsForm* m_form;
    PresetBar* m_presets;
    TrackingPresetBox* m_tracking = nullptr;
    PlainTable* m_table;
    QLabel *m_foundLine, *m_problems, *m_optionsNote = nullptr;
    QCheckBox* m_subfolders;
    QComboBox *m_together, *m_existing;
    QLineEdit *m_folder, *m_pattern;
    QLabel *m_summaryIcon = nullptr, *m_summary = nullptr;
    QPushButton *m_fix, *m_add, *m_start;
};

}  // namespace skein::ui
