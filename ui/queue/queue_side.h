// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <functional>

#include "ui/bridge/background_settings.h"
#include "ui/queue/queue_controller.h"

namespace skein::ui {

class ActionTable;
class BatchDialog;
class DialogService;
class JobsPanel;
class MessageBar;
class QueuePanel;
class RunController;
class Session;
class Settings;
struct ActionFacts;

/// The queue in the window: its panel, its dialogs, its actions, what is asked at start and end, and the turns that it
/// takes with the run of the open project. GUI thread only.
class QueueSide : public QObject {
    Q_OBJECT
public:
    /// What of the window it needs; all outlive it.
    struct Window {
        QWidget* window;
        ActionTable* actions;
        Session* session;
        MessageBar* messages;
        RunController* run;
        JobsPanel* jobs;
        Settings* settings;
        std::function<QStringList()> modelFolders;  ///< where models may lie
        std::function<QStringList()> videos;        ///< files of the open project's videos
    };
    QueueSide(Window window, const QString& folder, const QString& program);
    ~QueueSide() override;

    [[nodiscard]] QueueController* queue() const { return m_queue; }
    [[nodiscard]] QueuePanel* panel() const { return m_panel; }
    [[nodiscard]] BatchDialog* batchDialog();

    /// What was dropped on the window: several videos may be meant for the queue, which is asked; with a model beside
    /// them they are. Everything else goes to `open`.
    void dropped(const QStringList& paths, std::function<void()> open);
    void gatherFacts(ActionFacts& facts) const;
    /// Nothing of the queue stands in the way of closing the window: true. Otherwise asks, and calls `then` when that
    /// is so.
    [[nodiscard]] bool finishBeforeClosing(std::function<void()> then);
    /// For tests: between the end of the queue and what comes after it.
    void setGraceMs(int ms) { m_grace.setInterval(ms); }

Q_SIGNALS:
    void factsChanged();
    void notice(const QString& text);
    void jobsWanted();  ///< raise the dock

private:
    void connectActions();
    void connectTurns();
    void cancelSelected();
    void cancelRunning(const QueueRow& row);
    void offerKept();
    void refreshKept();
    void letPausedGoOn();
    void withdrawKept();
    void showBatch(const QStringList& paths, const QStringList& models);
    void openResult();
    void showLog();
    void showCluster();
    void moveSelected(int by, bool toFront);
    void ended(const QueueCounts& counts);
    void afterwards();

    Window m_w;
    BackgroundSettings m_file;
    QueueController* m_queue;
    QueuePanel* m_panel;
    BatchDialog* m_batch = nullptr;
    QTimer m_grace;
    QString m_keptWords;        ///< what is said of the entries of an earlier session
    bool m_offersKept = false;  ///< until it is answered
    bool m_asking = false, m_leaving = false;
};

}  // namespace skein::ui
