// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <optional>

#include "engine/inference/runner.h"
#include "engine/project/labels.h"
#include "ui/bridge/run_snapshot.h"
#include "ui/dialogs/run_plan.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSettings;

namespace skein::ui {

class DialogService;
class ModelPicker;
class OptionEditors;
class TargetPicker;

/// A run that somebody asked for.
struct RunRequest {
    pipeline::JobSpec job;
    RunInfo info;  ///< without number and start
    ExistingPredictions existing = ExistingPredictions::Replace;
};

/// "Run Inference": model, frames and options on one page, and a line that says what Run will do, or why it cannot. Not
/// modal: it follows the window while it is open. Remembers the last settings. GUI thread only.
class InferenceDialog : public QDialog {
    Q_OBJECT
public:
    /// `settings` outlives the dialog.
    InferenceDialog(QSettings* settings, DialogService* dialogs, QWidget* parent);
    ~InferenceDialog() override;

    [[nodiscard]] ModelPicker* modelPicker() const { return m_model; }
    [[nodiscard]] const RunSettings& settings() const { return m_settings; }
    [[nodiscard]] const RunPlan& plan() const { return m_plan; }

    /// What the window shows now. `labels` is a copy: they are looked through on a worker.
    void setWindow(const std::optional<RunVideo>& video, std::int64_t frame, const std::optional<FrameRange>& selection,
                   bool fromZero, const project::Labels& labels);
    void setRunning(bool running);
    void setDevices(const inference::DeviceInfo& info);
    /// Chooses the model that was used last, if none is chosen.
    void restoreModel();

    /// The request of what the dialog shows, for another target. Errors: the reason why it cannot run.
    [[nodiscard]] Result<RunRequest> request(RunTarget target) const;
    /// A run with these settings has ended: what it says about speed, for the next summary.
    void noteRate(const QString& models, double framesPerSecond);
    /// What could not be started, in place of the summary until something is changed.
    void showFailure(const QString& sentence);

Q_SIGNALS:
    void runWanted(const skein::ui::RunRequest& request);
    void jobsWanted();
    /// Whole videos shall be queued with these settings, which are remembered.
    void queueWanted();
    /// A model that can be run was picked: LibTorch will be needed.
    void modelReady();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeColumn(const QString& title, QWidget* contents);
    [[nodiscard]] QWidget* makeHow();
    [[nodiscard]] QWidget* makeFoot();
    void modelChanged();
    void optionEdited(const RunOption& option);
    void readLabels();
    void refresh();
    void run();
    void fix();
    [[nodiscard]] RunSituation situation() const;
    [[nodiscard]] QString deviceWords() const;
    [[nodiscard]] QStringList skeletonNodes() const;
    [[nodiscard]] int nodeCount() const;
    void store();

    QSettings* m_file;
    RunSettings m_settings;
    std::optional<RunVideo> m_video;
    std::int64_t m_frame = 0;
    std::optional<FrameRange> m_selection;
    bool m_fromZero = false;
    project::Labels m_labels;
    bool m_running = false;
    inference::DeviceInfo m_devices;
    std::shared_ptr<const LabelFrames> m_labelFrames;  ///< null while they are being gathered
    quint64 m_labelQuestion = 0;
    std::uint32_t m_sampleSeed = 0;
    RunPlan m_plan;
    QString m_failure;
    QString m_reconciled;  ///< what a choice has changed elsewhere

    ModelPicker* m_model;
    TargetPicker* m_target;
    OptionEditors* m_editors;
    QComboBox *m_device, *m_tracker;
    QLabel* m_note;
    QLabel *m_summaryIcon, *m_summary;
    QPushButton *m_run, *m_fix, *m_close;
};

}  // namespace skein::ui
