// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QAction;
class QLabel;

namespace skein::ui {

/// What a dock shows while it has nothing: one sentence, and the button that makes something.
class EmptyPage : public QWidget {
    Q_OBJECT
public:
    /// The button follows the action: its words (without dots and mnemonics), whether it can be used, and why not.
    EmptyPage(const QString& objectName, const QString& sentence, QAction* action, QWidget* parent);
    void setSentence(const QString& sentence);

private:
    QLabel* m_sentence;
};

}  // namespace skein::ui
