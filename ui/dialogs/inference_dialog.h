// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <optional>

#include "engine/inference/runner.h"
#include "engine/project/labels.h"
#include "ui/bridge/frame_preview.h"
#include "ui/dialogs/run_preset.h"
#include "ui/dialogs/run_request.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSettings;

namespace skein::ui {

class DialogService;
class ModelPicker;
class PresetBar;
class PreviewWindow;
class RunOptionsForm;
class TargetPicker;
class TrackingPresetBox;

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
    /// What setWindow() leaves out; before it. `issues`: frames of the shown video, none: nobody has looked for issues.
    void setProject(std::vector<RunVideo> videos, std::vector<std::uint32_t> selected,
                    std::optional<FrameRanges> issues);
    void setRunning(bool running);
    void setDevices(const inference::DeviceInfo& info);
    /// Chooses the model that was used last, if none is chosen.
    void restoreModel();

    /// The request of what the dialog shows, for another target. Errors: the reason why it cannot run.
    [[nodiscard]] Result<RunRequest> request(RunTarget target) const;
    /// A run with these settings has ended: what it says about speed, for the next summary.
    void noteRate(const RunSnapshot& run);
    /// What could not be started, in place of the summary until something is changed.
    void showFailure(const QString& sentence);
    /// The run as a command line for a shell; empty: there is none yet.
    [[nodiscard]] QString commandLine(bool ofSleapNn) const;

    /// What looks at a single frame; empty: the engine.
    Previewer previewer;

Q_SIGNALS:
    void runWanted(const skein::ui::RunRequest& request);
    void dockWanted(const QString& dock);  ///< by its object name
    /// Whole videos shall be queued with these settings, which are remembered.
    void queueWanted();
    /// A model that can be run was picked: LibTorch will be needed.
    void modelReady();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeHow();
    [[nodiscard]] QWidget* makeFoot();
    void buildTrackingPresets(QGridLayout* grid, QWidget* parent);
    void refreshTracking();
    void restoreProject(const project::Labels& before);
    void takePreset(const RunPreset& preset);
    void chooseTracking(const QString& key);
    void comparePresets();
    [[nodiscard]] FrameRange comparedStretch() const;
    void preview();
    [[nodiscard]] QString previewRefusal() const;
    void showNotice(const QString& sentence);
    void clearMessages();
    void modelChanged();
    void readLabels();
    void refresh();
    void run();
    void fix();
    [[nodiscard]] RunSituation situation() const;
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
    std::vector<RunVideo> m_videos;
    std::vector<std::uint32_t> m_selectedVideos;
    std::optional<FrameRanges> m_issues;
    std::shared_ptr<const std::vector<LabelFrames>> m_labelFrames;  ///< by video; null while they are being gathered
    std::optional<int> m_animals;  ///< their number as it was given last, for presets that leave it out
    quint64 m_labelQuestion = 0;
    std::uint32_t m_sampleSeed = 0;
    RunPlan m_plan;
    QString m_failure, m_notice;

    ModelPicker* m_model;
    TargetPicker* m_target;
    RunOptionsForm* m_options;
    PresetBar* m_presets;
    PreviewWindow* m_previewWindow = nullptr;
    QCheckBox* m_trackOnly;
    TrackingPresetBox* m_trackingPreset;
    QPushButton* m_compare;
    QLabel *m_summaryIcon, *m_summary;
    QPushButton *m_run, *m_fix, *m_previewButton, *m_close;
};

}  // namespace skein::ui
