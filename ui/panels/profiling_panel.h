// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/inference/runner.h"
#include "engine/pipeline/profile_table.h"
#include "engine/profile/profiler.h"
#include "ui/bridge/run_snapshot.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/widgets/rate_strip.h"

class QLabel;
class QPushButton;
class QTableView;

namespace skein::ui {

class ElidedLabel;
class MetricCard;
class ProfileTableModel;
struct ShownProfile;

/// How full a queue was in each of the last 60 seconds.
class DepthHistory {
public:
    static constexpr std::size_t kSeconds = 60;
    void clear() { m_depths.clear(); }
    /// `seconds` on any clock that does not run backwards; the largest depth of a second counts.
    void add(double seconds, std::size_t depth);
    /// From 0 (empty) to 1 (`most`), the newest last.
    [[nodiscard]] std::vector<float> shares(std::size_t most) const;

private:
    std::vector<std::size_t> m_depths;
    double m_second = -1;
};

/// What the panel asks of the run; empty functions do nothing.
struct ProfileControls {
    std::function<void()> reset;  ///< the profile counts from now on
    std::function<void()> recordTrace;
    std::function<profile::Trace()> takeTrace;
    std::function<DialogService&()> dialogs;  ///< empty: the dialogs that people see
};

/// Contents of the dock "Profiling": what a run costs, live. Refreshed four times a second while it is seen, not at all
/// while it is not; what it needs for its plots is collected in either case.
///
/// profiling_panel.cpp shows, profiling_controls.cpp does what the buttons say.
class ProfilingPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProfilingPanel(QWidget* parent = nullptr);

    static constexpr int kIntervalMs = 250;

    void setRun(const RunSnapshot& run);  ///< cheap; called as often as there is news
    void setDevices(const inference::DeviceInfo& info);
    void setControls(ProfileControls controls) { m_controls = std::move(controls); }

    [[nodiscard]] ProfileTableModel* model() const { return m_model; }
    [[nodiscard]] QString markdown() const;
    [[nodiscard]] QString csv() const;
    /// The run's profile as `--profile` writes it.
    [[nodiscard]] std::string json() const;
    /// Times that the contents were brought up to date; stands still while the panel is hidden or frozen.
    [[nodiscard]] int refreshCount() const { return m_refreshCount; }

    QSize sizeHint() const override { return {420, 560}; }

Q_SIGNALS:
    void notice(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeTable();
    [[nodiscard]] QWidget* makeCards();
    [[nodiscard]] QWidget* makeControls();
    [[nodiscard]] QWidget* makeComparison();
    void refresh();
    void showName();
    void showNothing();
    void showRun();
    void showCopies(const profile::Summary& profile);
    void showCards(const pipeline::JobProgress& progress);
    void showDevice();
    void fitTable();
    /// Progress since the last reset.
    [[nodiscard]] pipeline::JobProgress sinceReset() const;
    [[nodiscard]] ShownProfile shownProfile() const;

    [[nodiscard]] DialogService& dialogs();
    [[nodiscard]] QString suggestion(const char* ending) const;
    void reset();
    void freeze(bool on);
    void record(bool on);
    [[nodiscard]] bool canRecordNow() const;
    void nameRecording();
    void copyMarkdown();
    void saveJson();
    void saveCsv();
    void compare();
    void compareWith(const QString& path);
    void endComparison();
    void showComparison();

    ProfileTableModel* m_model;
    QTableView* m_table = nullptr;
    ElidedLabel* m_title;
    QLabel* m_outcome;
    QLabel* m_sentence;
    QLabel* m_hint;
    RateStrip* m_strip;
    MetricCard *m_toHost, *m_toDevice, *m_rate, *m_decoded, *m_batches, *m_memory, *m_busy, *m_partial, *m_threads,
        *m_followed;
    QLabel* m_device;
    QPushButton *m_resetButton, *m_freeze, *m_record, *m_copy, *m_save, *m_saveCsv, *m_compare;
    QWidget* m_comparison = nullptr;
    QLabel* m_comparisonText = nullptr;
    QTimer m_timer;
    RateHistory m_history;
    DepthHistory m_decodedHistory, m_batchHistory;
    RunSnapshot m_run;
    inference::DeviceInfo m_devices;
    ProfileControls m_controls;
    WindowDialogs m_windowDialogs;
    std::optional<pipeline::SavedProfile> m_other;
    QString m_otherName;
    std::uint64_t m_recordAfter = 0;  ///< the run that had ended when recording was asked for; 0: one went on
    double m_resetAt = 0;             ///< seconds of the run when it was reset last
    bool m_wasReset = false;
    bool m_frozen = false;
    bool m_stale = true;
    int m_refreshCount = 0;
};

}  // namespace skein::ui
