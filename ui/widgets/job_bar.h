// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <QString>
#include <stop_token>

#include "ui/widgets/progress_line.h"

class QLabel;
class QPushButton;

namespace skein::ui {

/// What is being written in the background, how far it is, and a button that stops it; not there while nothing is. One
/// job at a time. GUI thread only.
class JobBar : public QFrame {
    Q_OBJECT
public:
    explicit JobBar(QWidget* parent);

    /// Shows the bar; the token tells when the person wants no more of it.
    [[nodiscard]] std::stop_token start(const QString& what);
    void setProgress(double fraction);
    void finish();
    [[nodiscard]] bool isBusy() const { return m_busy; }

private:
    QLabel* m_what;
    ProgressLine* m_line;
    QLabel* m_share;
    QPushButton* m_stop;
    std::stop_source m_source;
    bool m_busy = false;
};

}  // namespace skein::ui
