// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "ui/bridge/run_snapshot.h"

class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace skein::ui {

class ElidedLabel;
class ProgressLine;
class RunHistoryModel;

/// Contents of the dock "Jobs": the running job with its progress, and the runs of this session. While hidden it keeps
/// what it is told and shows it when it is seen again.
class JobsPanel : public QWidget {
    Q_OBJECT
public:
    explicit JobsPanel(QWidget* parent = nullptr);

    void setRun(const RunSnapshot& run);
    /// Another project is open: the runs of the one before are not its runs.
    void forgetRuns();
    void setCountFromZero(bool fromZero) { m_fromZero = fromZero; }
    /// Why "Run Inference..." cannot be used in the empty state; empty when it can.
    void setBlockedReason(const QString& reason);

    /// The queue gets a page of its own beside that of the open project's runs.
    void setQueuePage(QWidget* page);
    void setQueueTitle(const QString& title);
    void showQueue();

    [[nodiscard]] RunHistoryModel* history() const { return m_history; }

    QSize sizeHint() const override { return {420, 360}; }

Q_SIGNALS:
    void runWanted();
    void pauseWanted(bool pause);
    void cancelWanted();
    void keepWanted();
    void discardWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeCurrent();
    [[nodiscard]] QWidget* makeEmpty();
    void refresh();
    void refreshFigures();
    void refreshMessages();

    RunSnapshot m_run;
    bool m_hasRun = false;
    bool m_fromZero = false;
    bool m_stale = true;
    RunHistoryModel* m_history;

    QTabBar* m_tabs;
    QStackedWidget* m_pages;
    QWidget *m_current, *m_empty, *m_past;
    QLabel *m_icon, *m_phase, *m_left;
    ElidedLabel* m_what;
    ProgressLine* m_bar;
    QLabel* m_rateTitle = nullptr;
    QLabel *m_frames, *m_rate, *m_elapsed, *m_queue;
    QWidget* m_figures;
    QLabel* m_message;
    QToolButton* m_warningsButton;
    QLabel* m_warnings;
    QLabel* m_question;
    QPushButton *m_pause, *m_cancel, *m_keep, *m_discard, *m_runButton;
    QLabel* m_blocked;
};

}  // namespace skein::ui
