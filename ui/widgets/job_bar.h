// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QFrame>
#include <QString>
#include <stop_token>

#include "ui/widgets/progress_line.h"

class QLabel;
class QPushButton;

namespace skein::ui {

/// What is being written or read in the background, how far it is, how long it will take, and a button that stops it;
/// not there while nothing is. One job at a time. GUI thread only.
class JobBar : public QFrame {
    Q_OBJECT
public:
    explicit JobBar(QWidget* parent);
    ~JobBar() override { m_source.request_stop(); }

    /// Shows the bar; the token tells when the person wants no more of it.
    [[nodiscard]] std::stop_token start(const QString& what);
    void setProgress(double fraction);
    /// The person wants no more of it; finish() follows when it has ended.
    void stop();
    void finish();
    [[nodiscard]] bool isBusy() const { return m_busy; }
    /// The person has stopped it, and it has not ended yet.
    [[nodiscard]] bool isStopping() const { return m_busy && m_source.stop_requested(); }
    [[nodiscard]] QString what() const;

Q_SIGNALS:
    void stopped();  ///< once for each job

private:
    QLabel* m_what;
    ProgressLine* m_line;
    QLabel* m_share;
    QLabel* m_left;
    QPushButton* m_stop;
    std::stop_source m_source;
    QElapsedTimer m_since;
    bool m_busy = false;
};

}  // namespace skein::ui
