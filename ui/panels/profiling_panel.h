// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTimer>
#include <QWidget>
#include <functional>
#include <string>

#include "engine/inference/runner.h"
#include "ui/bridge/run_snapshot.h"
#include "ui/widgets/rate_strip.h"

class QLabel;
class QPushButton;
class QTableView;

namespace skein::ui {

class MetricCard;
class ProfileTableModel;

/// Contents of the dock "Profiling": what a run costs, live. Refreshed four times a second while it is seen, not at all
/// while it is not; what it needs for its plot is collected in either case.
class ProfilingPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProfilingPanel(QWidget* parent = nullptr);

    static constexpr int kIntervalMs = 250;

    void setRun(const RunSnapshot& run);  ///< cheap; called as often as there is news
    void setDevices(const inference::DeviceInfo& info);
    /// Asks for the file that the profile is saved to; tests answer at once. Empty: the file dialog that people see.
    using AskPath = std::function<void(QWidget* parent, const QString& suggestion, std::function<void(QString)> then)>;
    void setAskPath(AskPath ask) { m_askPath = std::move(ask); }

    [[nodiscard]] ProfileTableModel* model() const { return m_model; }
    [[nodiscard]] QString markdown() const;
    /// The run's profile as `--profile` writes it.
    [[nodiscard]] std::string json() const;
    /// Times that the contents were brought up to date; stands still while the panel is hidden.
    [[nodiscard]] int refreshCount() const { return m_refreshCount; }

    QSize sizeHint() const override { return {420, 560}; }

Q_SIGNALS:
    void notice(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void refreshCards(const pipeline::JobProgress& progress);
    void copyMarkdown();
    void saveJson();
    [[nodiscard]] QWidget* makeCards();

    ProfileTableModel* m_model;
    QTableView* m_table;
    QLabel* m_sentence;
    QLabel* m_hint;
    RateStrip* m_strip;
    MetricCard *m_toHost, *m_toDevice, *m_rate, *m_decoded, *m_batches, *m_memory;
    QLabel* m_device;
    QPushButton *m_copy, *m_save;
    QTimer m_timer;
    RateHistory m_history;
    RunSnapshot m_run;
    inference::DeviceInfo m_devices;
    AskPath m_askPath;
    bool m_stale = true;
    int m_refreshCount = 0;
};

}  // namespace skein::ui
