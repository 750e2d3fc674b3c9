// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <functional>

#include "ui/actions/action_table.h"

class QLineEdit;
class QListWidget;

namespace skein::ui {

/// One line that finds any command by name, menu or key. A number goes to that frame, "v2" to the second video, "t
/// name" to a track. Lies over the window's upper middle and goes away on Esc or when something else is clicked.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    CommandPalette(ActionTable* actions, QWidget* window);

    /// Empty `text`: all commands.
    void open(const QString& text = {});

    std::function<void(qint64)> goToFrame;  ///< number as the window shows it
    std::function<void(int)> goToVideo;     ///< from 1
    std::function<void(const QString&)> goToTrack;

Q_SIGNALS:
    /// A command that cannot be used now was chosen; `reason` says why.
    void refused(const QString& reason);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void filter(const QString& text);
    void run();
    void place();

    ActionTable* m_actions;
    QWidget* m_window;
    QLineEdit* m_line;
    QListWidget* m_list;
};

}  // namespace skein::ui
